//! Law: what is read as a move prints as a text that reads as the same move, on every board.
#![no_main]

use emilia_rules::{Size, parse_move};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for size in Size::all() {
        if let Ok(mv) = parse_move(text, size) {
            assert_eq!(parse_move(&mv.to_string(), size), Ok(mv));
        }
    }
});
