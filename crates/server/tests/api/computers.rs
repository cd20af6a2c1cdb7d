//! Computers at the board: they answer, pass, wait, step, and show what they think.

use std::time::{Duration, Instant};

use crate::common::{Server, refused, text};
use serde_json::{Value, json};

/// Plays the first legal move until the game is over. Returns the end.
fn play_to_the_end(server: &Server, id: &str, token: &str, color: &str) -> Value {
    loop {
        let game = server.wait(id, |game| game["status"] == "over" || game["turn"] == color);
        if game["status"] == "over" {
            return game;
        }
        let square = game["legal"][0]["square"].clone();
        let answer = server.act(id, token, "moves", &json!({"move": square}));
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
}

#[test]
fn a_person_plays_whole_games_against_computers_passes_included() {
    let server = Server::start();
    let mut passes = 0;
    for (size, player, you) in [
        (4, "greedy", "black"),
        (4, "first", "white"),
        (6, "alphabeta:depth=2", "black"),
        (8, "random:seed=3", "white"),
        (10, "first", "black"),
    ] {
        let computer = if you == "black" { "white" } else { "black" };
        let wanted = json!({"mode": "computer", "size": size, computer: {"player": player}, "pause_ms": 0});
        let (id, token, made) = server.game(&wanted);
        assert_eq!(made["you"]["seats"], json!([you]));
        let end = play_to_the_end(&server, &id, &token, you);
        assert_eq!(end["result"]["ending"], "counted");
        passes += end["moves"].as_array().unwrap().iter().filter(|turn| turn["move"] == "pass").count();
    }
    assert!(passes > 0, "no game had a pass");
}

#[test]
fn undo_goes_back_to_ones_own_decision_and_the_computer_answers_again() {
    let server = Server::start();
    let wanted = json!({"mode": "computer", "white": {"player": "greedy"}, "pause_ms": 0});
    let (id, token, made) = server.game(&wanted);
    server.act(&id, &token, "moves", &json!({"move": "d3"}));
    let answered = server.wait(&id, |game| game["ply"] == 2);
    let back = server.act(&id, &token, "undo", &json!({})).json();
    assert_eq!(back["game"]["cells"], made["game"]["cells"]);
    assert_eq!(back["game"]["redo"], 2);
    let forth = server.act(&id, &token, "redo", &json!({})).json();
    assert_eq!(forth["game"]["cells"], answered["cells"]);
    server.act(&id, &token, "undo", &json!({}));
    server.act(&id, &token, "moves", &json!({"move": "c4"}));
    server.wait(&id, |game| game["ply"] == 2 && game["redo"] == 0);
}

#[test]
fn two_computers_wait_step_and_go_on_as_they_are_told() {
    let server = Server::start();
    let players = json!({"mode": "watch", "size": 6, "black": {"player": "greedy"}, "white": {"player": "first"}, "pause_ms": 50});
    let (id, token, made) = server.game(&players);
    assert_eq!(made["you"]["seats"], json!([]));
    assert_eq!(
        refused(&server.post(&format!("/api/games/{id}/pause"), &json!({"paused": true}))),
        "bad_token"
    );
    let paused = server.act(&id, &token, "pause", &json!({"paused": true})).json();
    let ply = paused["game"]["ply"].as_u64().unwrap();
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(server.show(&id)["ply"].as_u64(), Some(ply));
    server.act(&id, &token, "step", &json!({}));
    let stepped = server.wait(&id, |game| game["ply"].as_u64() > Some(ply));
    assert_eq!(stepped["paused"], true);
    std::thread::sleep(Duration::from_millis(150));
    assert_eq!(server.show(&id)["ply"], stepped["ply"]);
    server.act(&id, &token, "pause", &json!({"paused": false}));
    let end = server.wait(&id, |game| game["status"] == "over");
    assert_eq!(end["result"]["ending"], "counted");
    assert_eq!(refused(&server.act(&id, &token, "step", &json!({}))), "game_over");
    assert_eq!(server.act(&id, &token, "rematch", &json!({})).status, 201);
}

#[test]
fn thinking_is_shown_live_with_its_parts() {
    let server = Server::start();
    let player = "iterative:time=400ms,eval=paper";
    let (id, token, _) =
        server.game(&json!({"mode": "computer", "white": {"player": player}, "pause_ms": 0}));
    let mut watcher = server.watch(&id, Some(&token));
    watcher.until("game", |message| message["you"]["seats"] == json!(["black"]));
    server.act(&id, &token, "moves", &json!({"move": "d3"}));
    let thinking =
        watcher.until("thinking", |message| message["done"] == false && !message["score"].is_null());
    assert_eq!((&thinking["ply"], &thinking["color"]), (&json!(2), &json!("white")));
    assert!(thinking["nodes"].as_u64() > Some(0) && thinking["nps"].as_u64() > Some(0));
    let parts = thinking["breakdown"]["components"].as_array().unwrap();
    let names: Vec<String> = parts.iter().map(|part| text(&part["name"])).collect();
    assert_eq!(names, ["parity", "mobility", "corners", "stability"]);
    let done = watcher.until("thinking", |message| message["done"] == true);
    assert!(done["line"].as_array().unwrap().len() > 1);
    let played = server.wait(&id, |game| game["ply"] == 2);
    assert_eq!(played["moves"][1]["move"], done["best"]);
    assert_eq!(played["moves"][1]["score"]["for"], "white");
}

#[test]
fn a_move_is_quick_while_four_games_think() {
    let server = Server::start();
    for _ in 0..4 {
        let player = json!({"player": "iterative:time=8s"});
        server.game(&json!({"mode": "watch", "black": player, "white": player}));
    }
    let (id, token, _) = server.game(&json!({"mode": "local"}));
    let mut watcher = server.watch(&id, None);
    watcher.next();
    let mut slowest = Duration::ZERO;
    for (ply, mv) in ["d3", "c3", "c4", "e3", "f2", "c5"].iter().enumerate() {
        let begin = Instant::now();
        assert_eq!(server.act(&id, &token, "moves", &json!({"move": mv})).status, 200);
        watcher.until("game", |message| message["game"]["ply"] == ply + 1);
        slowest = slowest.max(begin.elapsed());
    }
    // 100 ms on a quiet machine; a move that waits for one of the games takes its 8 s.
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
}

#[test]
fn a_computer_keeps_to_its_clock() {
    let server = Server::start();
    let clock = json!({"main_ms": 2000, "increment_ms": 0});
    let white = json!({"player": "iterative:time=60s"});
    let wanted = json!({"mode": "computer", "size": 4, "white": white, "clock": clock, "pause_ms": 0});
    let (id, token, _) = server.game(&wanted);
    let end = play_to_the_end(&server, &id, &token, "black");
    assert_eq!(end["result"]["ending"], "counted");
}
