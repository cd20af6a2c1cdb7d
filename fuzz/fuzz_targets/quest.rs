//! Law: what is read as a game of Othello Quest has legal moves, so that its transcript reads as the same moves.
#![no_main]

use emilia_record::{quest, transcript};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(game) = quest::parse(text) {
        let again = transcript::parse(&transcript::write(&game));
        assert!(again.is_ok_and(|again| again.main_line().eq(game.main_line())));
    }
});
