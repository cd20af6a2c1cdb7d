//! Clients that mean no good: damaged requests and bodies on every route, connections that are left half open, WebSocket
//! frames of nonsense. The server refuses with a sentence or hangs up, and those who play notice nothing.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use rand::Rng;
use serde_json::{Value, json};

use crate::client::{get, post, text};
use crate::part::{Round, Tally};
use crate::programs::{peak_megabytes, server};
use crate::random::damage::damage;

/// Memory beyond which the server counts as broken, in megabytes. Its own bound is larger only for what players
/// remember, and nobody asks for much of that here.
const MEMORY: u64 = 700;

/// How long a rude client waits for an answer.
const MOMENT: Duration = Duration::from_millis(300);

pub(crate) fn round(round: &mut Round) -> Tally {
    let requests = round.scaled(600, 120);
    let process = server(&round.folder);
    let made = post(process.addr, "/api/games", None, &json!({"mode": "local"})).json();
    let (id, token) = (text(&made["game"]["id"]), text(&made["token"]));
    assert_eq!(process.play(&id, &token, "d3").status, 200);
    let routes = routes();
    let (mut idle, mut answered) = (Vec::new(), 0);
    for _ in 0..requests {
        let bytes = match round.below(8) {
            0 => websocket(round, &id),
            _ => request(round, &routes, &id, &token),
        };
        if round.below(40) == 0 {
            // One who never says the rest.
            idle.extend(left_open(process.addr, &bytes[..bytes.len() / 2]));
            continue;
        }
        if let Some(status) = throw(process.addr, &bytes) {
            let refused = status != 500 && (status < 500 || [501, 503, 505].contains(&status));
            assert!(refused, "{status} to {}", String::from_utf8_lossy(&bytes));
            answered += 1;
        }
    }
    // Those who play may have been slowed down with the others, for a second.
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(process.health(), "ok");
    let game = get(process.addr, &format!("/api/games/{id}"), None);
    assert!(game.status == 200, "{}", game.text());
    let megabytes = peak_megabytes(process.child.id());
    assert!(megabytes < MEMORY, "the server took {megabytes} MB");
    drop(idle);
    process.kill();
    Tally::of(requests).count("answered", answered).peak("MB of the server", megabytes)
}

/// Every route, from the description for machines.
fn routes() -> Vec<(String, String)> {
    let document: Value = serde_json::from_str(include_str!("../../../server/openapi.json")).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let methods = |operations: &Value| -> Vec<String> {
        operations.as_object().unwrap().keys().map(|method| method.to_uppercase()).collect()
    };
    let all = paths.iter().flat_map(|(path, operations)| {
        methods(operations).into_iter().map(move |method| (method, path.clone()))
    });
    all.collect()
}

/// Bodies that are nearly right somewhere.
const BODIES: &[&str] = &[
    r#"{"mode":"local","size":8}"#,
    r#"{"mode":"computer","white":{"player":"alphabeta:depth=2"},"pause_ms":0}"#,
    r#"{"mode":"watch","black":{"player":"first"},"white":{"player":"greedy"}}"#,
    r#"{"move":"c3"}"#,
    r#"{"moves":"f5d6c3","player":"emilia:level=1","lines":3}"#,
    r#"{"position":"---------------------------OX------XO--------------------------- X"}"#,
    r#"{"format":"sgf","moves":"f5d6c3d3c4"}"#,
    r#"{"first":"first","second":"greedy","games":2,"size":4}"#,
    r#"{"population":4,"generations":1,"size":4}"#,
    r#"{"player":"minimax:depth=2","moves":"f5"}"#,
    r#"{"text":"(;GM[2]SZ[8];B[f5];W[d6])"}"#,
    r#"{"accept":true,"paused":true,"name":"x"}"#,
    "",
];

/// A request to some route, damaged somewhere.
fn request(round: &mut Round, routes: &[(String, String)], id: &str, token: &str) -> Vec<u8> {
    let (method, path) = round.pick(routes);
    let id = if round.below(4) == 0 { "AAAAAAAAAAAAAAAAAAAAAA" } else { id };
    let path = path.replace("{id}", id).replace(['{', '}'], "");
    // Acts of nobody: the game of those who play must stay as it is.
    let token = if round.below(3) == 0 { "forged" } else { &token[1..] };
    let mut body = round.pick(BODIES).as_bytes().to_vec();
    if round.below(3) != 0 {
        damage(&mut body, &mut round.random);
    }
    let length = if round.below(20) == 0 { round.below(1 << 40) } else { body.len() as u64 };
    let mut head = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    )
    .into_bytes();
    if round.below(4) == 0 {
        damage(&mut head, &mut round.random);
    }
    [head, body].concat()
}

/// One who asks to look on, and then sends nonsense.
fn websocket(round: &mut Round, id: &str) -> Vec<u8> {
    let mut bytes = format!(
        "GET /api/games/{id}/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    .into_bytes();
    let frame = 1 + round.below(300) as usize;
    let mut nonsense = vec![0; frame];
    round.random.fill_bytes(&mut nonsense);
    if round.below(2) == 0 {
        // The beginning of a frame that is as it should be, with a length that may not be.
        nonsense[0] = 0x80 | [1, 2, 8, 9, 10, 3][round.below(6) as usize];
    }
    bytes.extend(nonsense);
    bytes
}

/// Says this, waits a moment for an answer, and hangs up, whatever else there is to come. The status of the answer, if
/// there is one.
fn throw(addr: SocketAddr, bytes: &[u8]) -> Option<u16> {
    let mut stream = TcpStream::connect(addr).ok()?;
    stream.set_read_timeout(Some(MOMENT)).unwrap();
    let _ = stream.write_all(bytes);
    let mut answer = [0; 1 << 14];
    let length = stream.read(&mut answer).unwrap_or(0);
    std::str::from_utf8(answer[..length].get(9..12)?).ok()?.parse().ok()
}

fn left_open(addr: SocketAddr, bytes: &[u8]) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(addr).ok()?;
    stream.write_all(bytes).ok()?;
    Some(stream)
}
