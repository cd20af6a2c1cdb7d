//! People at the board: by link, on one screen, watched by others.

use crate::common::{Server, get, refused, text};
use serde_json::{Value, json};

/// A whole game by two seats while a third looks on: each sees every position, nobody can play for another.
#[test]
fn two_people_play_by_link_while_a_third_watches() {
    let server = Server::start();
    let wanted = json!({"mode": "link", "size": 6, "black": {"name": "Ann"}});
    let (id, black, made) = server.game(&wanted);
    assert_eq!(made["game"]["status"], "open");
    assert_eq!(made["you"]["seats"], json!(["black"]));
    assert_eq!(server.get("/api/games?status=open").json()["games"][0]["free"], json!(["white"]));
    assert_eq!(refused(&server.act(&id, &black, "moves", &json!({"move": "c2"}))), "not_started");

    let joined = server.post(&format!("/api/games/{id}/join"), &json!({"name": "Bob"}));
    assert_eq!(joined.status, 200, "{}", joined.text());
    let white = text(&joined.json()["token"]);
    assert_eq!(joined.json()["you"]["seats"], json!(["white"]));
    assert_eq!(
        refused(&server.post(&format!("/api/games/{id}/join"), &json!({"name": "Eve"}))),
        "seat_taken"
    );

    let mut spectator = server.watch(&id, None);
    let mut game = spectator.until("game", |message| message["game"]["status"] == "playing")["game"].clone();
    let mut placements = 0;
    while game["status"] == "playing" {
        let turn = text(&game["turn"]);
        let (mover, other) = if turn == "black" { (&black, &white) } else { (&white, &black) };
        let legal = game["legal"].as_array().unwrap();
        let choice = &legal[placements % legal.len()];
        let play = json!({"move": choice["square"], "ply": game["ply"].as_u64().unwrap() + 1});
        assert_eq!(refused(&server.act(&id, other, "moves", &play)), "not_your_turn");
        assert_eq!(refused(&server.post(&format!("/api/games/{id}/moves"), &play)), "bad_token");
        let answer = server.act(&id, mover, "moves", &play);
        assert_eq!(answer.status, 200, "{}", answer.text());
        let next = answer.json()["game"].clone();
        assert_eq!(next["last"]["square"], choice["square"]);
        assert_eq!(next["last"]["flips"], choice["flips"]);
        let flips = choice["flips"].as_array().unwrap().len() as u64;
        assert_eq!(next["counts"][&turn].as_u64(), Some(game["counts"][&turn].as_u64().unwrap() + flips + 1));
        let late = if next["status"] == "over" { "game_over" } else { "stale" };
        assert_eq!(refused(&server.act(&id, mover, "moves", &play)), late);
        let version = next["version"].clone();
        let seen = spectator.until("game", |message| message["game"]["version"] == version);
        assert_eq!(seen["game"]["cells"], next["cells"]);
        assert_eq!(seen["you"]["may"], json!([]));
        game = next;
        placements += 1;
    }
    assert_eq!(game["result"]["ending"], "counted");
    assert_eq!(game["turn"], Value::Null);
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(moves.iter().filter(|turn| turn["move"] != "pass").count(), placements);
    let transcript = get(server.addr, &format!("/api/games/{id}/export?format=transcript"), None);
    let again = server.post("/api/analyse", &json!({"text": transcript.text()})).json();
    assert_eq!(again["position"]["cells"], game["cells"]);
}

#[test]
fn a_move_is_taken_back_only_if_the_other_person_agrees() {
    let server = Server::start();
    let (id, black, _) = server.game(&json!({"mode": "link"}));
    let white = text(&server.post(&format!("/api/games/{id}/join"), &json!({})).json()["token"]);
    let start = server.show(&id)["cells"].clone();
    assert_eq!(refused(&server.act(&id, &black, "undo", &json!({}))), "not_now");
    server.act(&id, &black, "moves", &json!({"move": "d3"}));
    assert_eq!(server.act(&id, &black, "undo", &json!({})).json()["game"]["undo_offer"]["by"], "black");
    assert_eq!(refused(&server.act(&id, &black, "undo/answer", &json!({"accept": true}))), "not_your_seat");
    let declined = server.act(&id, &white, "undo/answer", &json!({"accept": false})).json();
    assert_eq!((declined["game"]["ply"].as_u64(), &declined["game"]["undo_offer"]), (Some(1), &Value::Null));
    server.act(&id, &black, "undo", &json!({}));
    let accepted = server.act(&id, &white, "undo/answer", &json!({"accept": true})).json();
    assert_eq!(accepted["game"]["cells"], start);
    assert_eq!(refused(&server.act(&id, &black, "redo", &json!({}))), "not_now");
    // A move answers an offer too.
    server.act(&id, &black, "moves", &json!({"move": "d3"}));
    server.act(&id, &black, "undo", &json!({}));
    assert_eq!(
        server.act(&id, &white, "moves", &json!({"move": "c3"})).json()["game"]["undo_offer"],
        Value::Null
    );
}

#[test]
fn resigning_ends_a_game_and_a_rematch_changes_colours() {
    let server = Server::start();
    let (id, black, _) = server.game(&json!({"mode": "link", "black": {"name": "Ann"}}));
    let white = text(&server.post(&format!("/api/games/{id}/join"), &json!({"name": "Bob"})).json()["token"]);
    assert_eq!(refused(&server.act(&id, &white, "rematch", &json!({}))), "not_now");
    let over = server.act(&id, &white, "resign", &json!({})).json();
    assert_eq!(over["game"]["result"]["text"], "black wins, white resigned");
    let offered = server.act(&id, &black, "rematch", &json!({}));
    assert_eq!((offered.status, offered.json()["game"]["rematch"]["game"].is_null()), (200, true));
    let agreed = server.act(&id, &white, "rematch", &json!({}));
    assert_eq!(agreed.status, 201, "{}", agreed.text());
    let next = agreed.json();
    assert_eq!(next["you"]["seats"], json!(["black"]));
    assert_eq!(next["game"]["players"]["white"]["name"], "Ann");
    let new = text(&next["game"]["id"]);
    assert_eq!(server.show(&id)["rematch"]["game"], new.as_str());
    let ann = get(server.addr, &format!("/api/games/{new}"), Some(&black)).json();
    assert_eq!(ann["you"]["seats"], json!(["white"]));
}

#[test]
fn one_screen_plays_both_sides_and_goes_back_and_forth() {
    let server = Server::start();
    let (id, token, made) = server.game(&json!({"mode": "local", "size": 4, "start": "mirrored"}));
    assert_eq!(made["you"]["seats"], json!(["black", "white"]));
    let mut boards = vec![made["game"]["cells"].clone()];
    loop {
        let game = server.show(&id);
        let Some(choice) = game["legal"].as_array().unwrap().first().cloned() else { break };
        let next = server.act(&id, &token, "moves", &json!({"move": choice["square"]})).json();
        boards.push(next["game"]["cells"].clone());
    }
    assert_eq!(server.show(&id)["status"], "over");
    for board in boards.iter().rev().skip(1) {
        assert_eq!(server.act(&id, &token, "undo", &json!({})).json()["game"]["cells"], *board);
    }
    for board in boards.iter().skip(1) {
        assert_eq!(server.act(&id, &token, "redo", &json!({})).json()["game"]["cells"], *board);
    }
    assert_eq!(server.show(&id)["status"], "over");
}

#[test]
fn a_clock_that_runs_out_loses_the_game() {
    let server = Server::start();
    let clock = json!({"main_ms": 150, "increment_ms": 0});
    let (id, token, made) = server.game(&json!({"mode": "local", "clock": clock}));
    assert_eq!(made["game"]["clock"]["running"], Value::Null);
    let played = server.act(&id, &token, "moves", &json!({"move": "d3"})).json();
    assert_eq!(played["game"]["clock"]["running"], "white");
    let over = server.wait(&id, |game| game["status"] == "over");
    assert_eq!(over["result"]["text"], "black wins, white ran out of time");
    assert_eq!(refused(&server.act(&id, &token, "moves", &json!({"move": "c3"}))), "game_over");
}

#[test]
fn a_game_that_nobody_joined_is_closed_by_who_made_it() {
    let server = Server::start();
    let (id, token, _) = server.game(&json!({"mode": "link", "you": "white"}));
    assert_eq!(refused(&server.post(&format!("/api/games/{id}/close"), &json!({}))), "bad_token");
    assert_eq!(server.act(&id, &token, "close", &json!({})).json()["game"]["result"]["ending"], "aborted");
    assert_eq!(server.get("/api/games").json()["total"], 0);
    assert_eq!(refused(&server.post(&format!("/api/games/{id}/join"), &json!({}))), "game_over");
}

#[test]
fn many_who_come_and_look_on_during_play_see_the_newest_position() {
    let server = Server::start();
    let (id, token, _) = server.game(&json!({"mode": "local"}));
    let mut crowd = std::thread::scope(|scope| {
        let watchers: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| (0..20).map(|_| server.watch(&id, None)).collect::<Vec<_>>()))
            .collect();
        for _ in 0..50 {
            for (action, body) in [("moves", json!({"move": "d3"})), ("undo", json!({}))] {
                assert_eq!(server.act(&id, &token, action, &body).status, 200);
            }
        }
        watchers.into_iter().flat_map(|watchers| watchers.join().unwrap()).collect::<Vec<_>>()
    });
    let last = server.act(&id, &token, "moves", &json!({"move": "c4"})).json()["game"].clone();
    for watcher in &mut crowd {
        let seen = watcher.until("game", |message| message["game"]["version"] == last["version"]);
        assert_eq!(seen["game"]["cells"], last["cells"]);
        assert_eq!(seen["you"]["seats"], json!([]));
    }
    drop(crowd);
    server.wait(&id, |game| game["watchers"] == 0);
}
