//! The server as a process that strangers may reach: what it needs to begin, and what it gives up once it listens.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::client::{get, request};
use crate::common::emilia;

const SECRET: &str = "an-invitation-for-the-tests";

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("emilia-public-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let file = self.0.join(name);
        std::fs::write(&file, text).unwrap();
        file.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_public_server_without_what_it_needs_does_not_begin() {
    let folder = Folder::new("needs");
    let good = folder.file("good", &format!("# for the club\n\n{SECRET}\n"));
    let short = folder.file("short", "\nsecret\n");
    let empty = folder.file("empty", "# nobody yet\n");
    let host = ["--host", "othello.example"];
    let proxy = ["--proxy", "127.0.0.1"];
    for (words, reason) in [
        (vec![], "--host with the name"),
        ([&host[..], &proxy].concat(), "--public needs --invitations"),
        ([&host[..], &["--invitations", &good]].concat(), "--public needs --proxy"),
        ([&proxy[..], &["--invitations", &good]].concat(), "--public needs --host"),
        (
            [&host[..], &proxy, &["--invitations", &short]].concat(),
            "short: line 2: an invitation has 20 to 100",
        ),
        ([&host[..], &proxy, &["--invitations", &empty]].concat(), "there is no invitation in it"),
        ([&host[..], &proxy, &["--invitations", "/no/such/file"]].concat(), "/no/such/file"),
        ([&host[..], &["--proxy", "everybody"]].concat(), "everybody"),
    ] {
        let outcome = emilia(&[&["serve", "--public", "--ephemeral", "--no-open"], &words[..]].concat(), b"");
        assert!(outcome.status != 0 && outcome.err.contains(reason), "{words:?}: {}", outcome.err);
    }
    let outcome = emilia(&["serve", "--ephemeral", "--proxy", "127.0.0.1"], b"");
    assert!(outcome.status == 2 && outcome.err.contains("--public"), "{}", outcome.err);
}

/// A server with these words besides, and the file with its log.
fn start(folder: &Folder, words: &[&str]) -> (Child, SocketAddr, PathBuf) {
    let log = folder.0.join("log");
    let mut child = Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args(["serve", "--addr", "127.0.0.1:0", "--no-open", "--data"])
        .arg(folder.0.join("data"))
        .args(words)
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim().strip_prefix("http://").unwrap().parse().unwrap(), log)
}

#[test]
fn a_public_server_asks_strangers_for_an_invitation() {
    let folder = Folder::new("asks");
    let invitations = folder.file("invitations", SECRET);
    let words =
        ["--public", "--host", "othello.example", "--proxy", "127.0.0.1", "--invitations", &invitations];
    let (mut child, addr, _) = start(&folder, &words);
    let body = br#"{"first": "greedy", "second": "first", "size": 4}"#;
    let stranger = [("Content-Type", "application/json"), ("X-Forwarded-For", "203.0.113.7")];
    let refused = request(addr, "POST", "/api/duels", &stranger, body);
    let guest = [&stranger[..], &[("X-Emilia-Invitation", SECRET)]].concat();
    let done = request(addr, "POST", "/api/duels", &guest, body);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(refused.status == 403 && refused.text().contains("not_invited"), "{}", refused.text());
    assert!(done.status == 200 && done.lines().len() == 4, "{}", done.text());
}

/// Every thread of every server: Linux filters its system calls and lets it gain no rights, and it has found out that it
/// can neither write elsewhere nor start a program.
#[cfg(target_os = "linux")]
#[test]
fn a_server_is_confined_once_it_listens() {
    let folder = Folder::new("confined");
    let (mut child, addr, log) = start(&folder, &[]);
    let game =
        request(addr, "POST", "/api/games", &[("Content-Type", "application/json")], br#"{"mode": "local"}"#);
    let page = get(addr, "/", None);
    let threads = std::fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
    let states: Vec<String> = threads
        .filter_map(|thread| std::fs::read_to_string(thread.unwrap().path().join("status")).ok())
        .collect();
    child.kill().unwrap();
    child.wait().unwrap();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(game.status == 201 && page.status == 200, "{}", game.text());
    assert!(states.len() > 2, "{states:?}");
    for state in &states {
        assert!(state.contains("\nSeccomp:\t2\n") && state.contains("\nNoNewPrivs:\t1\n"), "{state}");
    }
    assert!(log.contains("confined: writes only to its folder, starts no programs"), "{log}");
}

/// What a review holds while it runs is not there for other heavy work, whatever kind that is; games go on.
#[test]
fn heavy_work_of_every_kind_keeps_within_the_memory_of_the_server() {
    let folder = Folder::new("memory");
    let (mut child, addr, _) = start(&folder, &["--memory", "64"]);
    let ask = |path: &str, body: &str| {
        let kind = if body.starts_with('{') { "application/json" } else { "text/plain" };
        request(addr, "POST", path, &[("Content-Type", kind)], body.as_bytes())
    };
    let heavy: [(&str, &str); 4] = [
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
    // Three quarters of the memory are for heavy work; this takes nearly all of it until the client hangs up.
    let long = br#"{"moves": "f5d6c3d3c4f4", "player": "emilia:hash=30", "time_ms": 10000}"#;
    let head = format!(
        "POST /api/review HTTP/1.1\r\nHost: {addr}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        long.len()
    );
    // Work that was answered gives its memory back a moment later.
    let stream = loop {
        let mut stream = std::net::TcpStream::connect(addr).unwrap();
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
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(free.iter().all(|(_, status)| *status == 200), "{free:?}");
    assert!(taken.iter().all(|(_, status)| *status == 503), "{taken:?}");
    assert_eq!(game, 201);
}
