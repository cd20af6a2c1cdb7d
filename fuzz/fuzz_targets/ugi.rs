//! Law: an engine says one line at a time, a best move is two words, and the session comes to its end.
#![no_main]

mod talk;

use emilia_protocol::ugi;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    talk::talk(ugi::Server::new("E"), text, |said| {
        assert!(!said.contains('\n'), "{said}");
        assert!(!said.starts_with("bestmove") || said.split_whitespace().count() == 2, "{said}");
    });
});
