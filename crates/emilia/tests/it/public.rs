//! The server as a process that strangers may reach: what it needs to begin, and what it gives up once it listens.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::client::{get, request};
use crate::common::emilia;
use crate::process::{Folder, Process};

const SECRET: &str = "an-invitation-for-the-tests";

/// A file in the folder with this text.
fn file(folder: &Folder, name: &str, text: &str) -> String {
    std::fs::create_dir_all(&folder.0).unwrap();
    let file = folder.0.join(name);
    std::fs::write(&file, text).unwrap();
    file.display().to_string()
}

#[test]
fn a_public_server_without_what_it_needs_does_not_begin() {
    let folder = Folder::new("needs");
    let good = file(&folder, "good", &format!("# for the club\n\n{SECRET}\n"));
    let short = file(&folder, "short", "\nsecret\n");
    let empty = file(&folder, "empty", "# nobody yet\n");
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
pub(crate) fn start(folder: &Folder, words: &[&str]) -> (Process, PathBuf) {
    std::fs::create_dir_all(&folder.0).unwrap();
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
    let addr = line.trim().strip_prefix("http://").unwrap().parse().unwrap();
    (Process { child, addr }, log)
}

#[test]
fn a_public_server_asks_strangers_for_an_invitation() {
    let folder = Folder::new("asks");
    let invitations = file(&folder, "invitations", SECRET);
    let words =
        ["--public", "--host", "othello.example", "--proxy", "127.0.0.1", "--invitations", &invitations];
    let (process, _) = start(&folder, &words);
    let addr = process.addr;
    let body = br#"{"first": "greedy", "second": "first", "size": 4}"#;
    let stranger = [("Content-Type", "application/json"), ("X-Forwarded-For", "203.0.113.7")];
    let refused = request(addr, "POST", "/api/duels", &stranger, body);
    let guest = [&stranger[..], &[("X-Emilia-Invitation", SECRET)]].concat();
    let done = request(addr, "POST", "/api/duels", &guest, body);
    process.kill();
    assert!(refused.status == 403 && refused.text().contains("not_invited"), "{}", refused.text());
    assert!(done.status == 200 && done.lines().len() == 4, "{}", done.text());
}

/// Every thread of every server: Linux filters its system calls and lets it gain no rights, and it has found out that it
/// can neither write elsewhere nor start a program.
#[cfg(target_os = "linux")]
#[test]
fn a_server_is_confined_once_it_listens() {
    let folder = Folder::new("confined");
    let (process, log) = start(&folder, &[]);
    let addr = process.addr;
    let game =
        request(addr, "POST", "/api/games", &[("Content-Type", "application/json")], br#"{"mode": "local"}"#);
    let page = get(addr, "/", None);
    let threads = std::fs::read_dir(format!("/proc/{}/task", process.child.id())).unwrap();
    let states: Vec<String> = threads
        .filter_map(|thread| std::fs::read_to_string(thread.unwrap().path().join("status")).ok())
        .collect();
    process.kill();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(game.status == 201 && page.status == 200, "{}", game.text());
    assert!(states.len() > 2, "{states:?}");
    for state in &states {
        assert!(state.contains("\nSeccomp:\t2\n") && state.contains("\nNoNewPrivs:\t1\n"), "{state}");
    }
    assert!(log.contains("confined: writes only to its folder, starts no programs"), "{log}");
}
