//! What no honest client sends. Every answer is a refusal with a sentence, and the server goes on.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::common::bomb::bomb;
use crate::common::{Server, get, post, raw, refused, request};
use emilia_server::{Config, Limits};
use serde_json::{Value, json};

const JSON: (&str, &str) = ("Content-Type", "application/json");

/// Every route that takes JSON, by the description for machines; `{id}` stands for a game.
fn posts() -> Vec<String> {
    let document: Value = serde_json::from_str(include_str!("../../openapi.json")).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    let takes_json =
        |operations: &Value| operations["post"]["requestBody"]["content"].get("application/json").is_some();
    let found: Vec<String> =
        paths.filter(|(_, operations)| takes_json(operations)).map(|(path, _)| path.clone()).collect();
    assert!(found.len() >= 17, "{found:?}");
    found
}

#[test]
fn malformed_bodies_are_refused_everywhere() {
    let server = Server::start();
    let (id, token, _) = server.game(&json!({"mode": "local"}));
    let bearer = format!("Bearer {token}");
    let deep = "[".repeat(100_000);
    let bodies: [&[u8]; 11] = [
        b"{",
        b"null",
        b"[]",
        b"\"text\"",
        b"{\"nonsense\": 1}",
        b"{\"mode\": 7, \"move\": {}, \"accept\": \"yes\", \"paused\": 3}",
        b"\xff\xfe\x00",
        b"{\"size\": 1e400}",
        b"{\"size\": -8, \"mode\": \"local\", \"move\": \"\", \"format\": \"\"}",
        b"{\"mode\": \"local\", \"mode\": \"local\"}",
        deep.as_bytes(),
    ];
    for path in posts() {
        let path = path.replace("{id}", &id);
        for body in bodies {
            let answer = request(server.addr, "POST", &path, &[JSON, ("Authorization", &bearer)], body);
            refused(&answer);
        }
        // All games of a player are more than anything else that is sent, then come studies.
        let most = match path.as_str() {
            "/api/insights" => 12 << 20,
            path if path.starts_with("/api/studies") => 512 << 10,
            _ => 256 << 10,
        };
        let large = vec![b' '; most + (44 << 10)];
        assert_eq!(refused(&request(server.addr, "POST", &path, &[JSON], &large)), "too_large", "{path}");
        let form = request(server.addr, "POST", &path, &[("Content-Type", "text/plain")], b"{}");
        assert_eq!(refused(&form), "bad_type", "{path}");
        assert_eq!(refused(&request(server.addr, "DELETE", &path, &[], b"")), "bad_method", "{path}");
    }
    assert_eq!(server.show(&id)["version"], 1);
}

#[test]
fn wrong_values_are_refused_with_the_code_that_is_documented() {
    let server = Server::start();
    let long = "x".repeat(1000);
    for (path, body, code) in [
        ("/api/games", json!({"mode": "local", "size": 7}), "bad_size"),
        ("/api/games", json!({"mode": "local", "size": 28}), "bad_size"),
        ("/api/games", json!({"mode": "local", "white": {"player": "first"}}), "bad_request"),
        ("/api/games", json!({"mode": "computer", "white": {"player": "deepblue"}}), "bad_player"),
        (
            "/api/games",
            json!({"mode": "computer", "white": {"player": "beam:weights=/etc/passwd"}}),
            "bad_player",
        ),
        ("/api/games", json!({"mode": "computer", "white": {"player": "emilia:hash=1000000"}}), "bad_player"),
        ("/api/games", json!({"mode": "computer", "white": {"player": "club:threads=99"}}), "bad_player"),
        (
            "/api/games",
            json!({"mode": "computer", "white": {"player": "gtp:touch /tmp/owned"}}),
            "bad_player",
        ),
        ("/api/analyse", json!({"player": "nboard:sh -c true"}), "bad_player"),
        ("/api/games", json!({"mode": "local", "black": {"name": long}}), "bad_request"),
        ("/api/games", json!({"mode": "local", "black": {"name": "a\u{7}b"}}), "bad_request"),
        ("/api/games", json!({"mode": "local", "position": "XO"}), "bad_position"),
        ("/api/games", json!({"mode": "local", "moves": "a1"}), "bad_move"),
        ("/api/games", json!({"mode": "local", "clock": {"main_ms": 0}}), "bad_request"),
        ("/api/games", json!({"mode": "local", "clock": {"main_ms": u64::MAX}}), "bad_request"),
        ("/api/games", json!({"mode": "local", "pause_ms": 99_999_999}), "bad_request"),
        ("/api/analyse", json!({"text": ""}), "unreadable"),
        ("/api/analyse", json!({"text": "f5", "game": 9}), "unreadable"),
        ("/api/analyse", json!({"moves": "f5", "ply": 77}), "bad_request"),
        ("/api/analyse", json!({"player": "minimax:depth=0"}), "bad_player"),
        ("/api/export", json!({"format": "exe"}), "bad_format"),
        ("/api/export", json!({"format": "players"}), "bad_format"),
        ("/api/export", json!({"format": "svg", "cell": 4_000_000_000_u64}), "bad_request"),
        ("/api/tree", json!({"player": "mcts"}), "bad_player"),
        ("/api/duels", json!({"first": "first", "second": "first", "games": 100_000}), "bad_request"),
        (
            "/api/duels",
            json!({"first": "first", "second": "first", "opening_plies": 4_000_000_000_u64}),
            "bad_request",
        ),
        ("/api/games", json!({"mode": "local", "start": "balanced", "size": 6}), "bad_request"),
        ("/api/games", json!({"mode": "local", "start": "balanced", "moves": "f5"}), "bad_request"),
        ("/api/analyse", json!({"start": "balanced"}), "bad_json"),
        ("/api/evolutions", json!({"population": 1_000_000}), "bad_request"),
        ("/api/evolutions", json!({"population": 4_000_000_000_u64, "games": u32::MAX}), "bad_request"),
        ("/api/evolutions", json!({"search": "emilia:level=60"}), "bad_player"),
        ("/api/evolutions", json!({"search": "minimax:weights=/etc/passwd"}), "bad_player"),
        (
            "/api/evolutions",
            json!({"checkpoint": {"format": "emilia evolution", "version": 1}}),
            "bad_request",
        ),
    ] {
        assert_eq!(refused(&server.post(path, &body)), code, "{path} {body}");
    }
}

#[test]
fn moves_that_are_none_change_nothing() {
    let server = Server::start();
    let (id, token, _) = server.game(&json!({"mode": "local"}));
    for (mv, code) in [
        ("d4", "illegal_move"),
        ("a1", "illegal_move"),
        ("pass", "illegal_move"),
        ("z99", "bad_move"),
        ("", "bad_move"),
        ("💣", "bad_move"),
        ("#99999999999999999999", "bad_move"),
    ] {
        assert_eq!(refused(&server.act(&id, &token, "moves", &json!({"move": mv}))), code, "{mv}");
    }
    assert_eq!(server.show(&id)["ply"], 0);
}

#[test]
fn nobody_acts_with_a_forged_token_or_in_a_game_that_is_not() {
    let server = Server::start();
    let (id, _, _) = server.game(&json!({"mode": "local"}));
    let (_, other, _) = server.game(&json!({"mode": "local"}));
    let play = json!({"move": "d3"});
    for token in [other.as_str(), "AAAAAAAAAAAAAAAAAAAAAA", "", "x", &"A".repeat(5000)] {
        assert_eq!(refused(&server.act(&id, token, "moves", &play)), "bad_token");
    }
    for (action, body) in [
        ("undo", json!({})),
        ("resign", json!({})),
        ("close", json!({})),
        ("rematch", json!({})),
        ("step", json!({})),
        ("pause", json!({"paused": true})),
    ] {
        assert_eq!(refused(&server.act(&id, &other, action, &body)), "bad_token", "{action}");
    }
    for id in
        ["nothing", "AAAAAAAAAAAAAAAAAAAAAA", "..%2f..%2fetc%2fpasswd", "%ff", "'; DROP TABLE games; --"]
    {
        let id = id.replace(' ', "%20");
        assert_eq!(refused(&server.get(&format!("/api/games/{id}"))), "unknown_game");
        assert_eq!(refused(&server.post(&format!("/api/games/{id}/moves"), &play)), "unknown_game");
        assert_eq!(refused(&server.get(&format!("/api/games/{id}/export?format=ggf"))), "unknown_game");
        assert_eq!(refused(&server.get(&format!("/game/{id}"))), "unknown_game");
    }
    assert_eq!(refused(&server.get(&format!("/api/games/{id}/live"))), "bad_request");
    assert_eq!(refused(&server.get("/api/games?status=all")), "bad_request");
    assert_eq!(refused(&server.get("/api/games?limit=-1")), "bad_request");
    assert_eq!(refused(&server.get("/api/nothing")), "not_found");
    assert_eq!(refused(&server.get("/../../Cargo.toml")), "not_found");
    assert_eq!(refused(&server.get("/nothing.js")), "not_found");
}

#[test]
fn pages_from_elsewhere_can_neither_act_nor_listen() {
    let server = Server::start();
    let addr = server.addr;
    let body = json!({"mode": "local"}).to_string();
    for (header, code) in [
        (("Origin", "http://evil.example"), "bad_origin"),
        (("Origin", "null"), "bad_origin"),
        (("Sec-Fetch-Site", "cross-site"), "bad_origin"),
    ] {
        assert_eq!(refused(&request(addr, "POST", "/api/games", &[JSON, header], body.as_bytes())), code);
    }
    let own = format!("http://{addr}");
    assert_eq!(request(addr, "POST", "/api/games", &[JSON, ("Origin", &own)], body.as_bytes()).status, 201);
    let (id, _, _) = server.game(&json!({"mode": "local"}));
    let upgrade = [("Upgrade", "websocket"), ("Origin", "http://evil.example")];
    assert_eq!(refused(&request(addr, "GET", &format!("/api/games/{id}/live"), &upgrade, b"")), "bad_origin");
    for hosts in [
        "Host: evil.example",
        "Host: [::1].evil.example",
        "Host: localhost\r\nHost: evil.example",
        "Host: evil.example\r\nHost: localhost",
        "X: y",
    ] {
        let head = format!("GET /api/games HTTP/1.1\r\n{hosts}\r\nConnection: close\r\n\r\n");
        assert_eq!(refused(&raw(addr, head.as_bytes()).unwrap()), "bad_host", "{hosts}");
    }
    let elsewhere =
        b"GET http://evil.example/api/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(refused(&raw(addr, elsewhere).unwrap()), "bad_host");
    let page = server.get("/");
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"));
    assert!(!policy.contains("unsafe"));
    let tag = page.header("etag").unwrap();
    assert_eq!(request(addr, "GET", "/", &[("If-None-Match", &tag)], b"").status, 304);
}

#[test]
fn headers_beyond_the_limit_are_refused() {
    let server = Server::start();
    let asked = |bytes: usize| {
        let long = "x".repeat(bytes);
        request(server.addr, "GET", "/healthz", &[("X-Long", &long)], b"")
    };
    assert_eq!(asked(10 << 10).status, 200);
    for bytes in [17 << 10, 60 << 10] {
        let answer = asked(bytes);
        assert_eq!((answer.status, refused(&answer)), (431, "too_large".to_owned()), "{bytes}");
    }
    // Beyond that nothing is read to its end.
    let endless = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: {}", "x".repeat(1 << 20));
    let answer = raw(server.addr, endless.as_bytes());
    assert!(answer.is_none_or(|answer| answer.status == 431));
}

#[test]
fn a_small_file_does_not_make_a_large_answer() {
    let server = Server::start();
    let file = bomb(18, 3900);
    assert!((350 << 10..1 << 19).contains(&file.len()), "{}", file.len());
    let mut from = 0;
    for _ in 0..2 {
        let path = format!("/api/import?from={from}");
        let answer = request(server.addr, "POST", &path, &[], &file);
        assert!(answer.status == 200 && answer.body.len() < 9 << 20, "{}", answer.body.len());
        let answer = answer.json();
        let given = answer["games"].as_array().unwrap().len();
        assert!(answer["total"] == 18 && (1..8).contains(&given), "{given}");
        from += given;
    }
    assert_eq!(refused(&request(server.addr, "POST", "/api/import", &[], &bomb(1, 21_000))), "too_large");
}

#[test]
fn whoever_does_not_read_is_given_up_and_gives_back_the_memory() {
    let limits = Limits { unread: Duration::from_millis(500), ..Limits::default() };
    let server = Server::with(Config { limits, memory: 80 << 20, ..Config::ephemeral() });
    let file = bomb(2, 3900);
    let head =
        format!("POST /api/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n", file.len());
    let mut idle = TcpStream::connect(server.addr).unwrap();
    idle.write_all(&[head.as_bytes(), &file].concat()).unwrap();
    // Each takes room for its answer of 8 MiB until it is read or given up.
    let more: Vec<TcpStream> = (0..12)
        .map(|_| {
            let mut stream = TcpStream::connect(server.addr).unwrap();
            stream.write_all(&[head.as_bytes(), &file].concat()).unwrap();
            stream
        })
        .collect();
    let begin = Instant::now();
    let refusals = || request(server.addr, "POST", "/api/import", &[], &file).status;
    while refusals() != 503 {
        assert!(begin.elapsed() < Duration::from_secs(20), "nothing was refused");
    }
    while refusals() != 200 {
        assert!(begin.elapsed() < Duration::from_secs(40), "the memory did not come back");
        std::thread::sleep(Duration::from_millis(100));
    }
    drop((idle, more));
}

#[test]
fn a_flood_is_slowed_down() {
    let limits =
        Limits { requests: (0.5, 20.0), games: (0.5, 3.0), connections_each: 5, ..Limits::default() };
    let server = Server::with(Config { limits, ..Config::ephemeral() });
    let mut made = 0;
    for _ in 0..5 {
        let answer = server.post("/api/games", &json!({"mode": "local"}));
        match answer.status {
            201 => made += 1,
            _ => assert_eq!(refused(&answer), "too_many"),
        }
    }
    assert!((3..5).contains(&made), "{made}");
    let idle: Vec<TcpStream> = (0..10).map(|_| TcpStream::connect(server.addr).unwrap()).collect();
    let answer =
        || raw(server.addr, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    // The server learns of connections, opened and closed, when it comes to it: on a busy machine not at once.
    let soon = |happens: &dyn Fn() -> bool| {
        (0..200).any(|_| {
            happens() || {
                std::thread::sleep(std::time::Duration::from_millis(50));
                false
            }
        })
    };
    assert!(soon(&|| answer().is_none()));
    drop(idle);
    assert!(soon(&|| answer().is_some()));
    let mut last = server.get("/healthz");
    for _ in 0..40 {
        last = server.get("/healthz");
    }
    assert_eq!(refused(&last), "too_many");
    assert_eq!(last.header("retry-after").as_deref(), Some("1"));
}

#[test]
fn garbage_on_the_wire_and_in_a_socket_harms_nobody() {
    let server = Server::start();
    for bytes in [
        &b"\x00\x01\x02\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        &[b'a'; 200_000],
    ] {
        let mut stream = TcpStream::connect(server.addr).unwrap();
        let _ = stream.write_all(bytes);
    }
    let (id, token, _) = server.game(&json!({"mode": "local"}));
    let mut watcher = server.watch(&id, None);
    watcher.next();
    for said in
        ["", "{}", "hello", "{\"type\":\"hello\",\"token\":\"x\"}", "{\"type\":\"move\",\"move\":\"d3\"}"]
    {
        watcher.0.send(tungstenite::Message::text(said)).unwrap();
        assert_eq!(watcher.until("error", |_| true)["error"]["code"], "bad_json", "{said}");
    }
    let forged = json!({"type": "hello", "token": "AAAAAAAAAAAAAAAAAAAAAA"}).to_string();
    watcher.0.send(tungstenite::Message::text(forged)).unwrap();
    assert_eq!(watcher.until("error", |_| true)["error"]["code"], "bad_token");
    let _ = watcher.0.send(tungstenite::Message::text("x".repeat(100_000)));
    assert_eq!(server.act(&id, &token, "moves", &json!({"move": "d3"})).status, 200);
    let health = get(server.addr, "/healthz", None).json();
    assert_eq!(health["status"], "ok");
}

/// Numbers, names and sizes at random: whatever comes back is an answer, and never one of ours gone wrong.
#[test]
fn random_requests_get_answers_and_never_a_server_error() {
    let server = Server::start();
    let mut state: u64 = 0x2545_f491_4f6c_dd1d;
    let mut random = move |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most as u64) as usize
    };
    let values = [
        json!(null),
        json!(-1),
        json!(8),
        json!(1e18),
        json!("f5d6"),
        json!("X"),
        json!([]),
        json!({}),
        json!(true),
        json!("watch"),
        json!("local"),
        json!("random"),
    ];
    let names = [
        "mode",
        "size",
        "start",
        "position",
        "moves",
        "text",
        "game",
        "ply",
        "player",
        "time_ms",
        "format",
        "first",
        "second",
        "games",
        "black",
        "white",
        "you",
        "objective",
    ];
    for _ in 0..300 {
        let mut body = serde_json::Map::new();
        for _ in 0..random(5) {
            body.insert(names[random(names.len())].to_owned(), values[random(values.len())].clone());
        }
        let path = ["/api/games", "/api/analyse", "/api/tree", "/api/export"][random(4)];
        let answer = post(server.addr, path, None, &Value::Object(body.clone()));
        assert!(answer.status < 500, "{path} {body:?}: {}", answer.text());
    }
}
