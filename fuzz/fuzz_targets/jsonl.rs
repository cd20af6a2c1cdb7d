//! Law: every line said is a message, each search brings exactly one final answer, and the session comes to its end.
#![no_main]

mod talk;

use emilia_protocol::{Identity, jsonl};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let mut answers = 0;
    let mut counted = None;
    let statistics = format!("{text}\n{{\"id\":\"last\",\"action\":\"statistics\"}}");
    talk::talk(jsonl::Desk::new(Identity { name: "E", version: "1" }, 2), &statistics, |said| {
        let message: Value = serde_json::from_str(said).expect("every line is JSON");
        match message["type"].as_str().expect("every message has a type") {
            "answer" => answers += 1,
            "statistics" if message["id"] == "last" => counted = message["answers"].as_u64().map(|n| (n, answers)),
            _ => {}
        }
    });
    if let Some((counted, answers)) = counted {
        assert_eq!(counted, answers);
    }
});
