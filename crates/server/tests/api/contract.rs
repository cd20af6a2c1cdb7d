//! What machines are told: a description that is well formed, metrics, and files that travel compressed. That every path
//! answers as it is described is tested in `web/tests/contract.spec.js`.

use std::io::Read;

use crate::common::{Server, request};
use flate2::read::GzDecoder;
use serde_json::{Value, json};

const OPENAPI: &str = include_str!("../../openapi.json");

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
