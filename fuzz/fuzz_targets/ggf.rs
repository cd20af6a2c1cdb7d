#![no_main]

#[path = "../../crates/torture/src/laws.rs"]
#[allow(dead_code, reason = "the harness tries them all")]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::ggf(text));
