//! Law: every answer begins with a sign and ends with an empty line, and the session comes to its end.
#![no_main]

#[allow(dead_code, reason = "the tests of the protocols use more of it")]
#[path = "../../crates/protocol/tests/it/talk.rs"]
mod talk;

use emilia_protocol::{Identity, gtp};
use libfuzzer_sys::fuzz_target;
use talk::{End, talk};

fuzz_target!(|text: &str| {
    for end in End::BOTH {
        for said in talk(gtp::Server::new(Identity { name: "E", version: "1" }), text, end).said {
            let info = said.is_empty() || said.starts_with("info move");
            assert!(info || said.starts_with(['=', '?']), "{said}");
            assert!(!said.trim_end_matches('\n').contains("\n\n"), "{said}");
        }
    }
});
