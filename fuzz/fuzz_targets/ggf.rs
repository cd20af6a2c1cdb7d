//! Law: what is read as a game is written as a text that reads as the same game.
#![no_main]

use emilia_record::ggf;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(game) = ggf::parse(text) {
        let written = ggf::write(&game);
        assert_eq!(ggf::parse(&written).as_ref(), Ok(&game), "{written}");
    }
});
