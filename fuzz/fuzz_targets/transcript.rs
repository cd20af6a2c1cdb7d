//! Law: what is read as a game is written as a text that reads as the same game.
#![no_main]

use emilia_record::transcript;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(game) = transcript::parse(text) {
        let written = transcript::write(&game);
        assert_eq!(transcript::parse(&written).as_ref(), Ok(&game), "{written}");
    }
});
