//! Law: an engine says one line at a time, a best move is two words, and the session comes to its end.
#![no_main]

#[allow(dead_code, reason = "the tests of the protocols use more of it")]
#[path = "../../crates/protocol/tests/it/talk.rs"]
mod talk;

use emilia_protocol::ugi;
use libfuzzer_sys::fuzz_target;
use talk::{End, talk};

fuzz_target!(|text: &str| {
    for end in End::BOTH {
        for said in talk(ugi::Server::new("E"), text, end).said {
            assert!(!said.contains('\n'), "{said}");
            assert!(!said.starts_with("bestmove") || said.split_whitespace().count() == 2, "{said}");
        }
    }
});
