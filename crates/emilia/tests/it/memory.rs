//! What the server takes of the memory, whatever it is asked to do.

#[path = "../../../server/tests/api/common/bomb.rs"]
mod bomb;

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::client::{get, request};
use crate::process::Folder;
use crate::public::start;

/// What a review holds while it runs is not there for other heavy work, whatever kind that is; games go on.
#[test]
fn heavy_work_of_every_kind_keeps_within_the_memory_of_the_server() {
    let folder = Folder::new("memory");
    let (process, _) = start(&folder, &["--memory", "128"]);
    let addr = process.addr;
    let ask = |path: &str, body: &str| {
        let kind = if body.starts_with('{') { "application/json" } else { "text/plain" };
        request(addr, "POST", path, &[("Content-Type", kind)], body.as_bytes())
    };
    let heavy: [(&str, &str); 5] = [
        ("/api/steps", r#"{"player": "alphabeta:depth=1"}"#),
        ("/api/tree", r#"{"player": "alphabeta:depth=1", "nodes": 5000}"#),
        (
            "/api/evolutions",
            r#"{"size": 4, "population": 4, "generations": 1, "search": "alphabeta:depth=1"}"#,
        ),
        ("/api/import", "f5d6c3"),
        ("/api/review", r#"{"moves": "f5", "time_ms": 1}"#),
    ];
    let status = |(path, body): &(&str, &str)| ((*path).to_owned(), ask(path, body).status);
    let free: Vec<_> = heavy.iter().map(status).collect();
    // Of 128 MB heavy work gets 66; this takes nearly all of it until the client hangs up.
    let long = br#"{"moves": "f5d6c3d3c4f4", "player": "emilia:hash=48", "time_ms": 10000}"#;
    let head = format!(
        "POST /api/review HTTP/1.1\r\nHost: {addr}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        long.len()
    );
    // Work that was answered gives its memory back a moment later.
    let stream = loop {
        let mut stream = TcpStream::connect(addr).unwrap();
        stream.write_all(&[head.as_bytes(), long].concat()).unwrap();
        let mut begin = [0; 12];
        stream.read_exact(&mut begin).unwrap();
        match &begin {
            b"HTTP/1.1 200" => break stream,
            begin => assert_eq!(begin, b"HTTP/1.1 503"),
        }
    };
    let taken: Vec<_> = heavy.iter().map(status).collect();
    let game = ask("/api/games", r#"{"mode": "computer", "white": {"player": "club"}}"#).status;
    drop(stream);
    process.kill();
    assert!(free.iter().all(|(_, status)| *status == 200), "{free:?}");
    assert!(taken.iter().all(|(_, status)| *status == 503), "{taken:?}");
    assert_eq!(game, 201);
}

/// Ten times 1 MiB of games with variations, of which nobody reads the answers.
#[cfg(target_os = "linux")]
#[test]
fn imports_that_nobody_reads_keep_within_the_memory_of_the_server() {
    let folder = Folder::new("imports");
    let (process, _) = start(&folder, &["--memory", "256"]);
    let addr = process.addr;
    let file = bomb::bomb(36, 3900);
    let head = format!("POST /api/import HTTP/1.1\r\nHost: {addr}\r\nContent-Length: {}\r\n\r\n", file.len());
    let streams: Vec<TcpStream> = (0..10)
        .map(|_| {
            let mut stream = TcpStream::connect(addr).unwrap();
            stream.write_all(&[head.as_bytes(), &file].concat()).unwrap();
            stream
        })
        .collect();
    // Each is answered in its turn, or refused because there is no memory for it.
    let statuses: Vec<[u8; 12]> = streams
        .iter()
        .map(|mut stream| {
            let mut begin = [0; 12];
            stream.read_exact(&mut begin).unwrap();
            begin
        })
        .collect();
    let healthy = get(addr, "/healthz", None).status;
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.child.id())).unwrap();
    process.kill();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kibibytes: u64 = peak.trim().trim_end_matches("kB").trim().parse().unwrap();
    assert!(statuses.iter().any(|begin| begin == b"HTTP/1.1 200"), "{statuses:?}");
    assert!(statuses.iter().all(|begin| matches!(begin, b"HTTP/1.1 200" | b"HTTP/1.1 503")), "{statuses:?}");
    assert_eq!(healthy, 200);
    assert!(kibibytes < 256 << 10, "{} MiB", kibibytes >> 10);
}
