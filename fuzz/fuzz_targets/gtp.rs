//! Law: every answer begins with a sign and ends with an empty line, and the session comes to its end.
#![no_main]

mod talk;

use emilia_protocol::{Identity, gtp};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let session = gtp::Server::new(Identity { name: "E", version: "1" });
    talk::talk(session, text, |said| {
        let info = said.is_empty() || said.starts_with("info move");
        assert!(info || said.starts_with(['=', '?']), "{said}");
        assert!(!said.trim_end_matches('\n').contains("\n\n"), "{said}");
    });
});
