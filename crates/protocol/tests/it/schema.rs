//! Every message of the JSON transcripts keeps to the schema, and the schema is no pushover.

use std::path::Path;

use jsonschema::Validator;
use serde_json::{Value, json};

fn validator(kind: &str) -> Validator {
    let text = include_str!("../../../../docs/protocol.schema.json");
    let mut schema: Value = serde_json::from_str(text).unwrap();
    schema.as_object_mut().unwrap().remove("oneOf");
    schema["$ref"] = json!(format!("#/$defs/{kind}"));
    jsonschema::validator_for(&schema).unwrap()
}

/// The messages of a transcript: what was said and what came of it.
fn transcript(name: &str) -> Vec<(String, Vec<Value>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/transcripts/{name}.txt"));
    let mut messages: Vec<(String, Vec<Value>)> = Vec::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        match (line.strip_prefix("< "), messages.last_mut()) {
            (Some(text), Some((_, answers))) => answers.push(serde_json::from_str(text).unwrap()),
            _ => messages.push((line.to_owned(), Vec::new())),
        }
    }
    messages
}

#[test]
fn every_message_keeps_to_the_schema() {
    let (request, response) = (validator("request"), validator("response"));
    let (mut asked, mut answered) = (0, 0);
    for name in ["jsonl-questions", "jsonl-malformed", "jsonl-busy"] {
        for (line, answers) in transcript(name) {
            for answer in &answers {
                let errors: Vec<String> =
                    response.iter_errors(answer).map(|error| error.to_string()).collect();
                assert!(errors.is_empty(), "{name}: {answer}: {errors:?}");
                answered += 1;
            }
            let refused = answers.iter().any(|answer| answer["type"] == "error");
            if let Some(text) = line.strip_prefix("> ").filter(|_| !refused) {
                let message: Value = serde_json::from_str(text).unwrap();
                assert!(request.is_valid(&message), "{name}: {message}");
                asked += 1;
            }
        }
    }
    assert!(asked > 15 && answered > 50, "{asked} questions and {answered} answers");
}

#[test]
fn what_is_no_message_is_refused_by_the_schema_too() {
    let request = validator("request");
    for wrong in [
        json!({}),
        json!({"id": 7}),
        json!({"id": "a", "depht": 7}),
        json!({"id": "a", "depth": 0}),
        json!({"id": "a", "level": 5, "depth": 5}),
        json!({"id": "a", "size": 9}),
        json!({"id": "a", "turns": [1, 1]}),
        json!({"id": "a", "action": "fly"}),
        json!({"id": "a", "action": "cancel"}),
    ] {
        assert!(!request.is_valid(&wrong), "{wrong}");
    }
    let response = validator("response");
    for wrong in [json!({"type": "answer", "id": "a"}), json!({"type": "goodbye", "id": "a", "x": 1})] {
        assert!(!response.is_valid(&wrong), "{wrong}");
    }
}
