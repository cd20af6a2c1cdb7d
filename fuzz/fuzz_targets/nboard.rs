//! Law: an engine says one line at a time, and the session comes to its end.
#![no_main]

mod talk;

use emilia_protocol::nboard;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    talk::talk(nboard::Server::new("E"), text, |said| assert!(!said.contains('\n'), "{said}"));
});
