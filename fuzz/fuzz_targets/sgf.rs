//! Law: what is read as a game is written as a text that reads as the same game.
#![no_main]

use emilia_record::sgf;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(game) = sgf::parse(text) {
        let written = sgf::write(&game);
        assert_eq!(sgf::parse(&written).as_ref(), Ok(&game), "{written}");
    }
});
