//! Law: every line said is a message, each search brings exactly one final answer, and the session comes to its end.
#![no_main]

#[allow(dead_code, reason = "the tests of the protocols use more of it")]
#[path = "../../crates/protocol/tests/it/talk.rs"]
mod talk;

use emilia_protocol::{Identity, jsonl};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use talk::{End, talk};

fuzz_target!(|text: &str| {
    let statistics = format!("{text}\n{{\"id\":\"last\",\"action\":\"statistics\"}}");
    for end in End::BOTH {
        let mut answers = 0;
        for said in talk(jsonl::Desk::new(Identity { name: "E", version: "1" }, 2), &statistics, end).said {
            let message: Value = serde_json::from_str(&said).expect("every line is JSON");
            match message["type"].as_str().expect("every message has a type") {
                "answer" => answers += 1,
                "statistics" if message["id"] == "last" => assert_eq!(message["answers"], answers),
                _ => {}
            }
        }
    }
});
