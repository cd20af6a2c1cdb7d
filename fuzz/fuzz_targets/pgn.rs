//! Law: what is read as a game is written as a text that reads as the same game.
#![no_main]

use emilia_record::pgn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(game) = pgn::parse(text) {
        let written = pgn::write(&game);
        assert_eq!(pgn::parse(&written).as_ref(), Ok(&game), "{written}");
    }
});
