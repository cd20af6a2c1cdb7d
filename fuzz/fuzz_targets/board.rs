//! Law: a board reads as it is written, in one piece and in both short forms.
#![no_main]

use emilia_record::{board, fen};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(position) = board::parse(text) {
        assert_eq!(board::parse(&board::write(&position)), Ok(position));
        assert_eq!(fen::parse(&fen::write(&position)), Ok(position));
        assert_eq!(fen::parse(&fen::write_xboard(&position)), Ok(position));
    }
    let _ = board::parse_scored(text);
});
