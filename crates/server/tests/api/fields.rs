//! Players that name commands or files, tried in every field of every route that the description for machines knows.

use std::fs;
use std::path::PathBuf;

use crate::common::{Answer, Server, post, request};
use emilia_engine::Candidate;
use emilia_server::{Config, Limits};
use serde_json::{Map, Value, json};

/// Genes that stand in a file and nowhere else.
const SECRET: &str = "27.1828";

/// A file that a command would make, and one that a player would read.
struct Trap {
    folder: PathBuf,
    made: PathBuf,
    read: PathBuf,
}

impl Trap {
    fn new() -> Trap {
        let folder = std::env::temp_dir().join(format!("emilia-fields-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (made, read) = (folder.join("made"), folder.join("genes"));
        fs::write(&read, format!("{SECRET}\n").repeat(6)).unwrap();
        Trap { folder, made, read }
    }

    fn baits(&self) -> Vec<String> {
        let (made, read) = (self.made.display(), self.read.display());
        vec![
            format!("gtp:touch {made}"),
            format!(" NBoard: touch '{made}'"),
            format!("ugi:sh -c \"touch {made}\""),
            format!("emilia:weights={read}"),
            format!("beam:depth=1,eval=genes,weights={read}"),
            format!("{read}"),
        ]
    }
}

impl Drop for Trap {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The description for machines.
struct Document(Value);

/// The way to a field: names of objects within objects.
type Field = Vec<String>;

impl Document {
    fn resolve<'d>(&'d self, schema: &'d Value) -> &'d Value {
        let name = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/components/schemas/"));
        name.map_or(schema, |name| &self.0["components"]["schemas"][name])
    }

    /// Every field of an object, and of objects within it.
    fn fields(&self, schema: &Value, way: &[String], found: &mut Vec<Field>) {
        let schema = self.resolve(schema);
        // Deeper than this only what describes itself goes.
        if way.len() > 4 {
            return;
        }
        for kind in ["anyOf", "oneOf", "allOf"] {
            for part in schema[kind].as_array().into_iter().flatten() {
                self.fields(part, way, found);
            }
        }
        for (name, part) in schema["properties"].as_object().into_iter().flatten() {
            let way = [way, std::slice::from_ref(name)].concat();
            self.fields(part, &way, found);
            found.push(way);
        }
    }
}

/// The object with this value in that field.
fn with(mut object: Value, field: &[String], value: Value) -> Value {
    let mut place = &mut object;
    for name in field {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        place = &mut place[name.as_str()];
    }
    *place = value;
    object
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Fields that name players.
const PLAYERS: [&str; 5] = ["player", "first", "second", "search", "opponents"];

fn harmless(answer: &Answer, place: &str) {
    assert!(answer.status < 500, "{place}: {}", answer.text());
    assert!(!answer.text().contains(SECRET), "{place}: the file was read");
}

/// Every field of a JSON body.
fn try_json(server: &Server, document: &Document, path: &str, content: &Value, baits: &[String]) -> usize {
    let mut fields = Vec::new();
    document.fields(&content["schema"], &[], &mut fields);
    let (id, token, _) = server.game(&json!({"mode": "link"}));
    for field in &fields {
        for bait in baits {
            for value in [json!(bait), json!([bait])] {
                let body = with(content["example"].clone(), field, value);
                let answer = post(server.addr, &path.replace("{id}", &id), Some(&token), &body);
                let place = format!("{path} {body}");
                harmless(&answer, &place);
                let names_player = field.last().is_some_and(|name| PLAYERS.contains(&name.as_str()));
                assert!(!names_player || (400..500).contains(&answer.status), "{place}: {}", answer.text());
            }
        }
    }
    fields.len()
}

/// Every field of a form, with what the example says in the others.
fn try_form(server: &Server, document: &Document, path: &str, content: &Value, baits: &[String]) -> usize {
    let mut fields = Vec::new();
    document.fields(&content["schema"], &[], &mut fields);
    let (id, _, _) = server.game(&json!({"mode": "link"}));
    let example = content["example"].as_str().unwrap().replace("{id}", &id);
    for field in &fields {
        for bait in baits {
            let others = example.split('&').filter(|pair| !pair.starts_with(&format!("{}=", field[0])));
            let own = format!("{}={}", field[0], encoded(bait));
            let body = others.map(str::to_owned).chain([own]).collect::<Vec<_>>().join("&");
            let headers = [("Content-Type", "application/x-www-form-urlencoded")];
            harmless(
                &request(server.addr, "POST", path, &headers, body.as_bytes()),
                &format!("{path} {body}"),
            );
        }
    }
    fields.len()
}

/// What stands in the path, behind the question mark, and in the header with the token.
fn try_address(server: &Server, method: &str, path: &str, operation: &Value, baits: &[String]) -> usize {
    let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
    let (id, _, _) = server.game(&json!({"mode": "link"}));
    for bait in baits {
        for parameter in &parameters {
            let name = parameter["name"].as_str().unwrap();
            let target = match parameter["in"].as_str() {
                Some("path") => path.replace(&format!("{{{name}}}"), &encoded(bait)),
                _ => format!("{}?{name}={}", path.replace("{id}", &id), encoded(bait)),
            };
            let bearer = format!("Bearer {bait}");
            for headers in [vec![], vec![("Authorization", bearer.as_str())]] {
                let answer = request(server.addr, method, &target, &headers, b"");
                harmless(&answer, &format!("{method} {target}"));
            }
        }
    }
    parameters.len()
}

#[test]
fn no_field_of_any_route_takes_a_player_that_is_a_command_or_a_file() {
    let trap = Trap::new();
    let baits = trap.baits();
    // The baits are good ones: where players may name commands and files, they bite.
    let read = |file: &str| fs::read(file).map(Into::into);
    let _ = Candidate::parse(&baits[0], &read).unwrap().player(0).prepare(None);
    assert!(trap.made.exists());
    fs::remove_file(&trap.made).unwrap();
    assert!(Candidate::parse(&baits[4], &read).is_ok());
    let open = (1e6, 1e6);
    let limits = Limits { requests: open, games: open, analyses: open, ..Limits::default() };
    let server = Server::with(Config { limits, ..Config::ephemeral() });
    let document = Document(serde_json::from_str(include_str!("../../openapi.json")).unwrap());
    let mut fields = 0;
    for (path, operations) in document.0["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            fields += try_address(&server, &method.to_uppercase(), path, operation, &baits);
            for (media, content) in operation["requestBody"]["content"].as_object().into_iter().flatten() {
                fields += match media.as_str() {
                    "application/json" => try_json(&server, &document, path, content, &baits),
                    "application/x-www-form-urlencoded" => {
                        try_form(&server, &document, path, content, &baits)
                    }
                    _ => {
                        for bait in &baits {
                            // As the file itself, and as the name of a player in a record.
                            for file in
                                [bait.clone(), format!("(;FF[4]GM[2]SZ[8]PB[{bait}]PW[{bait}];B[f5])")]
                            {
                                harmless(&request(server.addr, "POST", path, &[], file.as_bytes()), path);
                            }
                        }
                        1
                    }
                };
            }
        }
    }
    let (id, _, _) = server.game(&json!({"mode": "local"}));
    let mut watcher = server.watch(&id, None);
    for bait in &baits {
        for said in [json!({"type": "hello", "token": bait}), json!({"type": bait}), json!(bait)] {
            watcher.0.send(tungstenite::Message::text(said.to_string())).unwrap();
            assert_eq!(watcher.until("error", |_| true)["error"]["code"], "bad_json", "{said}");
        }
    }
    // The description has so many; should it lose some, this test must not fall asleep.
    assert!(fields >= 100, "{fields}");
    assert!(!trap.made.exists(), "a command was run");
}
