//! Studies: who may do what with them, and that nothing of them gets lost.

use std::path::PathBuf;

use emilia_server::{Config, Limits};
use serde_json::{Value, json};

use crate::common::{Answer, Server, get, post, refused, request, text};

fn game(moves: &[&str]) -> Value {
    json!({"format": "emilia-game", "version": 1, "size": 8, "moves": moves})
}

fn body(title: &str, moves: &[&str]) -> Value {
    json!({"title": title, "chapters": [game(moves)]})
}

/// A new study: its name and its secret.
fn study(server: &Server) -> (String, String) {
    let made = server.post("/api/studies", &body("Edges", &["f5"]));
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    (text(&made["id"]), text(&made["token"]))
}

fn change(server: &Server, id: &str, token: Option<&str>, version: u64, title: &str) -> Answer {
    let mut body = body(title, &["f5", "d6"]);
    body["version"] = version.into();
    post(server.addr, &format!("/api/studies/{id}"), token, &body)
}

#[test]
fn everybody_reads_and_only_the_owner_writes() {
    let server = Server::start();
    let (id, token) = study(&server);
    let path = format!("/api/studies/{id}");
    let seen = server.get(&path);
    assert!(!seen.text().contains(&token));
    assert_eq!((&seen.json()["yours"], &seen.json()["study"]["title"]), (&json!(false), &json!("Edges")));
    assert_eq!(get(server.addr, &path, Some(&token)).json()["yours"], true);
    let (_, other) = study(&server);
    for stranger in [None, Some(other.as_str())] {
        assert_eq!(refused(&change(&server, &id, stranger, 1, "Mine now")), "not_your_study");
        assert_eq!(
            refused(&post(server.addr, &format!("{path}/delete"), stranger, &json!({}))),
            "not_your_study"
        );
    }
    assert_eq!(change(&server, &id, Some(&token), 1, "Corners").json()["version"], 2);
    let file = server.get(&format!("{path}/export"));
    assert!(file.text().contains("SN[Corners]") && file.text().contains(";B[f5];W[d6])"), "{}", file.text());
    assert_eq!(post(server.addr, &format!("{path}/delete"), Some(&token), &json!({})).status, 200);
    assert_eq!(refused(&server.get(&path)), "unknown_study");
    assert_eq!(refused(&server.get("/api/studies/nothing")), "unknown_study");
}

#[test]
fn of_many_windows_that_change_the_same_version_one_succeeds() {
    let server = Server::start();
    let (id, token) = study(&server);
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let windows: Vec<_> =
            (0..8).map(|_| scope.spawn(|| change(&server, &id, Some(&token), 1, "Changed").status)).collect();
        windows.into_iter().map(|window| window.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 7, "{statuses:?}");
    assert_eq!(refused(&change(&server, &id, Some(&token), 1, "Again")), "changed");
}

#[test]
fn a_file_becomes_chapters_and_the_chapters_the_same_file() {
    let server = Server::start();
    let sgf = "(;FF[4]GM[2]CA[UTF-8]SZ[8]GN[One]SN[Edges]AB[e4][d5]AW[d4][e5]PL[B]C[Look.]TR[c4];B[f5]AR[f5:d6]\n(;W[d6])\n(;W[f6]))\n\
               (;FF[4]GM[2]CA[UTF-8]SZ[4]GN[Two]AB[c2][b3]AW[b2][c3]PL[B])\n";
    let read = request(server.addr, "POST", "/api/studies/read?name=x.sgf", &[], sgf.as_bytes()).json();
    assert_eq!((&read["format"], &read["left_out"]), (&json!("sgf"), &json!(0)), "{read}");
    assert_eq!(read["study"]["chapters"].as_array().unwrap().len(), 2);
    assert_eq!(server.post("/api/studies/file", &read["study"]).text(), sgf);
    let wrong = request(server.addr, "POST", "/api/studies/read?name=x.sgf", &[], b"(;GM[2];B[a1])");
    assert_eq!(refused(&wrong), "unreadable");
    assert!(wrong.text().contains("a1"), "{}", wrong.text());
}

#[test]
fn there_is_so_much_room_and_no_more() {
    let limits = Limits { studies: 2, ..Limits::default() };
    let server = Server::with(Config { limits, ..Config::ephemeral() });
    let [(id, token), _] = [study(&server), study(&server)];
    assert_eq!(refused(&server.post("/api/studies", &body("One more", &[]))), "full");
    let mut large = body("Large", &[]);
    large["chapters"][0]["note"] = json!({"comment": "x".repeat(530_000)});
    large["version"] = json!(1);
    let path = format!("/api/studies/{id}");
    assert_eq!(refused(&post(server.addr, &path, Some(&token), &large)), "too_large");
    large["chapters"][0]["note"] = json!({"comment": "x".repeat(600_000)});
    assert_eq!(refused(&post(server.addr, &path, Some(&token), &large)), "too_large");
    assert_eq!(server.get(&path).json()["version"], 1);
    let mine = json!({"studies": [{"id": id, "token": token}, {"id": id, "token": "x"}, {"id": "?", "token": token}]});
    let mine = server.post("/api/my/studies", &mine).json();
    assert_eq!((mine["studies"].as_array().unwrap().len(), &mine["gone"]), (1, &json!([id, "?"])));
}

/// A folder that is gone when the test is over.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn studies_are_there_after_a_restart() {
    let folder = Folder(std::env::temp_dir().join(format!("emilia-studies-{}", std::process::id())));
    let config = || Config { data: Some(folder.0.clone()), ..Config::ephemeral() };
    let server = Server::with(config());
    let (id, token) = study(&server);
    assert_eq!(change(&server, &id, Some(&token), 1, "Kept").status, 200);
    drop(server);
    let server = Server::with(config());
    let again = server.get(&format!("/api/studies/{id}")).json();
    assert_eq!((&again["version"], &again["study"]["title"]), (&json!(2), &json!("Kept")));
    assert_eq!(change(&server, &id, Some(&token), 2, "And changed").status, 200);
}
