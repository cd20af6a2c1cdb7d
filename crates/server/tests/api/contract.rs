//! The description for machines is true: it is well formed, and every path in it answers as it says.

use crate::common::{Server, refused, request, text};
use serde_json::{Value, json};

const OPENAPI: &str = include_str!("../../../../docs/openapi.json");
const API: &str = include_str!("../../../../docs/api.md");

fn document() -> Value {
    serde_json::from_str(OPENAPI).unwrap()
}

#[test]
fn references_lead_somewhere() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    let mut open = vec![&document];
    let mut references = 0;
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(path)) = fields.get("$ref") {
                    references += 1;
                    assert!(document.pointer(path.trim_start_matches('#')).is_some(), "{path}");
                }
                open.extend(fields.values());
            }
            Value::Array(list) => open.extend(list),
            _ => {}
        }
    }
    assert!(references > 50);
    let server = Server::start();
    assert_eq!(server.get("/api/openapi.json").json(), document);
}

/// Every documented path with its example body: the documented status comes back, or a refusal where the example
/// cannot be done in a fresh game.
#[test]
fn every_documented_path_exists_and_answers() {
    let server = Server::start();
    for (path, operations) in document()["paths"].as_object().unwrap() {
        assert!(API.contains(path.as_str()) || path == "/game/{id}", "{path} is not in docs/api.md");
        for (method, operation) in operations.as_object().unwrap() {
            let (id, token, _) = server.game(&json!({"mode": "link"}));
            let bearer = format!("Bearer {token}");
            let mut headers = vec![("Authorization", bearer.as_str())];
            let content = operation["requestBody"]["content"].as_object();
            let (media, example) = content
                .and_then(|content| content.iter().next())
                .map_or((String::new(), Value::Null), |(media, body)| {
                    (media.clone(), body["example"].clone())
                });
            let body = match &example {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            if !media.is_empty() {
                headers.push(("Content-Type", media.as_str()));
            }
            let target = path.replace("{id}", &id);
            let answer = request(server.addr, &method.to_uppercase(), &target, &headers, body.as_bytes());
            let documented = operation["responses"].get(answer.status.to_string());
            match documented {
                Some(response) => {
                    let kind = answer.header("content-type").unwrap_or_default();
                    let (media, body) = response["content"].as_object().unwrap().iter().next().unwrap();
                    assert!(media == "*/*" || kind.starts_with(media.as_str()), "{method} {path}: {kind}");
                    if media == "application/json" {
                        check(&answer.json(), &body["schema"], &format!("{method} {path}"));
                    }
                }
                None => {
                    let code = refused(&answer);
                    assert!(
                        !["not_found", "bad_method", "bad_json", "bad_type"].contains(&code.as_str()),
                        "{method} {path}: {code}"
                    );
                    assert!(API.contains(&format!("`{code}`")), "{code} is not in docs/api.md");
                }
            }
        }
    }
}

/// Whether a value is what a schema says, as far as the schemas of the document go.
fn check(value: &Value, schema: &Value, place: &str) {
    let document = document();
    if let Some(path) = schema["$ref"].as_str() {
        return check(value, document.pointer(path.trim_start_matches('#')).unwrap(), place);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        if value.is_null() {
            assert!(choices.iter().any(|choice| choice["type"] == "null"), "{place}");
            return;
        }
        return check(value, &choices[0], place);
    }
    if let Some(values) = schema["enum"].as_array() {
        assert!(values.contains(value) || value.is_null(), "{place}: {value}");
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = |name: &Value| name == kind || (name == "number" && kind == "integer");
    match &schema["type"] {
        Value::String(_) => assert!(fits(&schema["type"]), "{place}: {value} is no {}", schema["type"]),
        Value::Array(kinds) => assert!(kinds.iter().any(fits), "{place}: {value}"),
        _ => {}
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(value.get(text(name)).is_some(), "{place}: {name} is missing");
    }
    if let (Some(fields), Some(properties)) = (value.as_object(), schema["properties"].as_object()) {
        for (name, field) in fields {
            let known = properties.get(name).unwrap_or_else(|| panic!("{place}: {name} is not documented"));
            check(field, known, &format!("{place}/{name}"));
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        check(item, &schema["items"], &format!("{place}/{index}"));
    }
}

#[test]
fn metrics_are_prometheus_text() {
    let server = Server::start();
    server.game(&json!({"mode": "local"}));
    let text = server.get("/metrics").text();
    assert!(text.contains("\nemilia_games_total 1\n"), "{text}");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.split_once(' ').unwrap();
        assert!(name.starts_with("emilia_") && value.parse::<f64>().is_ok(), "{line}");
    }
}
