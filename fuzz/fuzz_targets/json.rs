//! Law: what is read as a game is written as a text that reads as the same game.
#![no_main]

use emilia_record::json;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(game) = json::parse(text) {
        let written = json::write(&game);
        assert_eq!(json::parse(&written).as_ref(), Ok(&game), "{written}");
    }
});
