//! The databases of games over HTTP.

use std::path::PathBuf;

use crate::common::{Server, refused, request};
use emilia_server::{Config, Public};
use serde_json::{Value, json};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("emilia-openings-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }

    fn server(&self) -> Server {
        Server::with(Config { data: Some(self.0.clone()), ..Config::ephemeral() })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn position(server: &Server, body: Value) -> Value {
    let answer = server.post("/api/openings/position", &body);
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn import(server: &Server, target: &str, text: &str) -> crate::common::Answer {
    request(server.addr, "POST", &format!("/api/openings/import{target}"), &[], text.as_bytes())
}

const GAMES: &str = "[Event \"Club\"]\n[Date \"2024.05.01\"]\n[Black \"Ann\"]\n[White \"Bob\"]\n[Result \"40-24\"]\n\n1. f5 d6 2. c3 d3 3. c4 *\n
[Event \"Open\"]\n[Date \"2025.05.01\"]\n[Black \"Cy\"]\n[White \"Ann\"]\n[Result \"30-34\"]\n\n1. d3 c3 *\n
[Black \"Cy\"]\n\n1. f5 a1 *\n";

#[test]
fn a_server_without_a_folder_has_tournament_play() {
    let server = Server::start();
    let listed = server.get("/api/openings").json();
    assert_eq!(listed["databases"][0]["name"], "tournaments");
    assert_eq!((&listed["databases"][0]["summary"], &listed["can_import"]), (&true.into(), &false.into()));
    let found = position(&server, json!({"moves": "d3"}));
    // The answers to d3, which mirror those to f5: c5 the perpendicular, c3 the diagonal, e3 the parallel opening.
    let moves: Vec<&str> =
        found["moves"].as_array().unwrap().iter().map(|one| one["move"].as_str().unwrap()).collect();
    assert_eq!(moves, ["c5", "c3", "e3"]);
    assert_eq!(refused(&import(&server, "", GAMES)), "not_now");
    assert_eq!(refused(&server.post("/api/openings/position", &json!({"player": "Ann"}))), "no_games");
    assert_eq!(
        refused(&server.post("/api/openings/position", &json!({"database": "club"}))),
        "unknown_database"
    );
}

#[test]
fn pasted_games_are_kept_found_and_chosen_among() {
    let folder = Folder::new("kept");
    let server = folder.server();
    let kept = import(&server, "", GAMES).json();
    assert_eq!((&kept["new"], &kept["left_out"], &kept["games"]), (&2.into(), &1.into(), &2.into()));
    assert_eq!(kept["problems"], json!([{"game": 3, "message": "move 2, \"a1\": a1 flips nothing"}]));
    assert_eq!(import(&server, "", GAMES).json()["duplicates"], 2);
    let asked = |more: Value| {
        let mut body = json!({"database": "my-games"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        position(&server, body)
    };
    let all = asked(json!({"moves": "f5"}));
    assert_eq!((&all["total"]["games"], &all["total"]["wins"]), (&2.into(), &1.into()));
    assert_eq!(
        all["games"][0],
        json!({
            "black": "Cy", "white": "Ann", "event": "Open", "year": 2025, "result": "30-34", "winner": "white",
            "moves": "f5f6", "ply": 1, "next": "f6"
        })
    );
    let count = |more: Value| asked(more)["total"]["games"].clone();
    assert_eq!(count(json!({"player": "ann", "color": "white"})), 1);
    assert_eq!(count(json!({"player": "ann", "result": "won"})), 2);
    assert_eq!(count(json!({"event": "club"})), 1);
    assert_eq!(count(json!({"from": 2025, "to": 2030})), 1);
    assert_eq!(count(json!({"result": "draw"})), 0);
    assert_eq!(asked(json!({"games": 1, "skip": 1}))["games"][0]["black"], "Ann");
    // A second server finds what the first has kept.
    drop(server);
    let again = folder.server();
    assert_eq!(
        again.get("/api/openings").json()["databases"][1],
        json!({
            "name": "my-games", "games": 2, "summary": false, "credit": null
        })
    );
}

#[test]
fn an_import_by_another_program_is_seen_at_once() {
    let folder = Folder::new("seen");
    let server = folder.server();
    import(&server, "?database=club", "f5d6");
    let games = || position(&server, json!({"database": "club"}))["database_games"].clone();
    assert_eq!(games(), 1);
    let library = emilia_server::Library::new(Some(&folder.0));
    let (storage, _lock) = library.to_write("club").unwrap();
    assert_eq!(refused(&import(&server, "?database=club", "f5f4")), "not_now");
    let mut other = emilia_openings::Import::begin(&storage).unwrap();
    let game = emilia_record::transcript::parse("f5f6").unwrap();
    other.add(&emilia_openings::Played::of_game(&game).unwrap()).unwrap();
    other.commit().unwrap();
    assert_eq!(games(), 2);
}

#[test]
fn values_come_with_their_source_also_where_nobody_has_been() {
    let server = Server::start();
    // Nine empty squares, never seen: every legal move is there, and proven.
    let endgame = "XXXXXXX-XOOXXOOOXOXOXXOOXOOXXXOOXOOOXXOOXXOOOXO-XXXOOO---XOOO--- X";
    let found = position(&server, json!({"position": endgame, "evaluate": true, "time_ms": 5000}));
    assert_eq!(found["total"]["games"], 0);
    let moves = found["moves"].as_array().unwrap();
    let legal =
        server.post("/api/analyse", &json!({"position": endgame})).json()["position"]["legal"].clone();
    assert_eq!(moves.len(), legal.as_array().unwrap().len());
    assert!(!moves.is_empty());
    for one in moves {
        assert_eq!(
            (&one["value"]["solved"], &one["value"]["source"]),
            (&true.into(), &"search".into()),
            "{one}"
        );
    }
}

#[test]
fn what_cannot_be_asked_is_refused_with_a_sentence() {
    let folder = Folder::new("refused");
    let server = folder.server();
    for (body, code) in [
        (json!({"database": "../up"}), "bad_request"),
        (json!({"games": 101}), "bad_request"),
        (json!({"skip": 1_000_000}), "bad_request"),
        (json!({"color": "black"}), "bad_request"),
        (json!({"result": "won"}), "bad_request"),
        (json!({"player": "x".repeat(101)}), "bad_request"),
        (json!({"moves": "a1"}), "bad_move"),
        (json!({"result": "maybe"}), "bad_json"),
        (json!({"no": 1}), "bad_json"),
    ] {
        assert_eq!(refused(&server.post("/api/openings/position", &body)), code, "{body}");
    }
    assert_eq!(refused(&import(&server, "?database=UP", "f5")), "bad_request");
    assert_eq!(refused(&import(&server, "", "what is this")), "unreadable");
    // A board of another size was never seen, and that is no fault.
    assert_eq!(position(&server, json!({"size": 6}))["total"]["games"], 0);
    import(&server, "", "f5d6");
    std::fs::write(folder.0.join("openings/my-games/database.json"), "{").unwrap();
    let failed = server.post("/api/openings/position", &json!({"database": "my-games"}));
    assert_eq!((failed.status, &failed.json()["error"]["code"]), (503, &"database_failed".into()));
}

#[test]
fn strangers_read_and_do_not_write() {
    let folder = Folder::new("public");
    let secret = "an-invitation-for-the-tests";
    let public =
        Public { proxies: vec!["127.0.0.1".parse().unwrap()], invitations: vec![secret.parse().unwrap()] };
    let config = Config { data: Some(folder.0.clone()), public: Some(public), ..Config::ephemeral() };
    let server = Server::with(config);
    let stranger = [("X-Forwarded-For", "203.0.113.9"), ("Content-Type", "application/json")];
    let headers = [&stranger[..], &[("X-Emilia-Invitation", secret)]].concat();
    let unknown =
        |body: &str| request(server.addr, "POST", "/api/openings/position", &stranger, body.as_bytes());
    assert_eq!(unknown("{}").status, 200);
    assert_eq!(refused(&unknown("{\"evaluate\": true}")), "not_invited");
    assert_eq!(refused(&unknown("{\"player\": \"Ann\"}")), "not_invited");
    let ask = |path: &str, body: &str| request(server.addr, "POST", path, &headers, body.as_bytes());
    assert_eq!(ask("/api/openings/position", "{}").status, 200);
    assert_eq!(refused(&ask("/api/openings/import", "f5d6")), "not_now");
}
