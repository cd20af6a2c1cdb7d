//! The description for machines is true: it is well formed, and every path in it answers as it says.

use std::io::Read;

use crate::common::{Answer, Server, refused, request};
use flate2::read::GzDecoder;
use serde_json::{Value, json};

const OPENAPI: &str = include_str!("../../openapi.json");
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

/// Every documented path with its example body: the documented status and an answer of the documented shape come back,
/// or a refusal where the example cannot be done in a fresh game.
#[test]
fn every_documented_path_exists_and_answers() {
    let server = Server::start();
    let document = document();
    for (path, operations) in document["paths"].as_object().unwrap() {
        assert!(API.contains(path.as_str()) || path == "/game/{id}", "{path} is not in docs/api.md");
        for (method, operation) in operations.as_object().unwrap() {
            let place = format!("{method} {path}");
            let answer = ask_as_in_example(&server, method, path, operation);
            let Some(response) = operation["responses"].get(answer.status.to_string()) else {
                let code = refused(&answer);
                assert!(
                    !["not_found", "bad_method", "bad_json", "bad_type"].contains(&code.as_str()),
                    "{place}: {code}"
                );
                assert!(API.contains(&format!("`{code}`")), "{code} is not in docs/api.md");
                continue;
            };
            let kind = answer.header("content-type").unwrap_or_default();
            let (media, body) = response["content"].as_object().unwrap().iter().next().unwrap();
            assert!(media == "*/*" || kind.starts_with(media.as_str()), "{place}: {kind}");
            match media.as_str() {
                "application/json" => check(&document, &body["schema"], &answer.json(), &place),
                "application/x-ndjson" => {
                    for line in answer.lines() {
                        check(&document, &body["schema"], &line, &place);
                    }
                }
                _ => {}
            }
        }
    }
}

fn ask_as_in_example(server: &Server, method: &str, path: &str, operation: &Value) -> Answer {
    let (id, seat, _) = server.game(&json!({"mode": "link"}));
    // Learners show the token of a profile.
    let owned = path.starts_with("/api/profile") || path.starts_with("/api/train");
    let profile =
        || server.post("/api/profiles", &json!({"name": ""})).json()["token"].as_str().map(str::to_owned);
    let (id, token) = match path {
        _ if owned => (id, profile().unwrap()),
        _ if path.starts_with("/api/studies/{id}") => crate::studies::study(server),
        _ => (id, seat),
    };
    let bearer = format!("Bearer {token}");
    let mut headers = vec![("Authorization", bearer.as_str())];
    let mut body = String::new();
    if let Some((media, content)) =
        operation["requestBody"]["content"].as_object().and_then(|content| content.iter().next())
    {
        headers.push(("Content-Type", media.as_str()));
        let example = &content["example"];
        body = example.as_str().map_or_else(|| example.to_string(), |text| text.replace("{id}", &id));
    }
    let target = path.replace("{id}", &id);
    request(server.addr, &method.to_uppercase(), &target, &headers, body.as_bytes())
}

/// Whether a value is what a schema of the document says.
fn check(document: &Value, schema: &Value, value: &Value, place: &str) {
    let whole = json!({"allOf": [schema], "components": document["components"]});
    let validator = jsonschema::validator_for(&whole).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{place}: {errors:?}");
}

#[test]
fn what_watchers_are_told_is_documented() {
    let server = Server::start();
    let document = document();
    let live = &document["paths"]["/api/games/{id}/live"]["get"]["responses"]["101"];
    let schema = &live["content"]["application/json"]["schema"];
    let (id, token, _) =
        server.game(&json!({"mode": "computer", "white": {"player": "iterative:time=300ms"}, "pause_ms": 0}));
    let mut watcher = server.watch(&id, Some(&token));
    watcher.0.send(tungstenite::Message::text("nonsense")).unwrap();
    server.act(&id, &token, "moves", &json!({"move": "d3"}));
    let mut missing = vec!["game", "thinking", "error"];
    while !missing.is_empty() {
        let message = watcher.next();
        check(&document, schema, &message, "live");
        missing.retain(|kind| message["type"] != *kind);
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

#[test]
fn files_of_the_page_travel_compressed() {
    let server = Server::start();
    let get = |path: &str, headers: &[(&str, &str)]| request(server.addr, "GET", path, headers, b"");
    for path in ["/", "/js/main.js", "/css/base.css", "/i18n/ja.js", "/icon.svg"] {
        let plain = get(path, &[]);
        assert_eq!((plain.status, plain.header("content-encoding")), (200, None), "{path}");
        for accepted in ["gzip", "br, GZIP;q=0.5", "gzip, deflate, br, zstd"] {
            let small = get(path, &[("Accept-Encoding", accepted)]);
            assert_eq!(small.header("vary").unwrap(), "accept-encoding");
            if plain.body.len() < 1000 {
                assert_eq!(small.body, plain.body, "{path}");
                continue;
            }
            assert_eq!(small.header("content-encoding").unwrap(), "gzip", "{path}");
            assert!(small.body.len() * 10 < plain.body.len() * 6, "{path}: {}", small.body.len());
            let mut whole = Vec::new();
            GzDecoder::new(&*small.body).read_to_end(&mut whole).unwrap();
            assert_eq!(whole, plain.body, "{path}");
            // Whoever has the one has not got the other.
            let (tag, other) = (small.header("etag").unwrap(), plain.header("etag").unwrap());
            assert_ne!(tag, other);
            let again =
                |tag: &str| get(path, &[("Accept-Encoding", accepted), ("If-None-Match", tag)]).status;
            assert_eq!((again(&tag), again(&other)), (304, 200));
        }
        for refused in ["gzip;q=0", "gzip; q=0.000", "br", "", "gzipped", "x-gzip"] {
            assert_eq!(get(path, &[("Accept-Encoding", refused)]).body, plain.body, "{refused}");
        }
    }
}
