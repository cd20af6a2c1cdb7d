//! Puzzles: who gets which, how answers are judged and rated, what is kept.

use crate::common::{Answer, Server, get, post, refused, text};
use emilia_puzzle::{Collection, Selection, Theme};
use serde_json::{Value, json};

fn profile(server: &Server) -> String {
    text(&server.post("/api/profiles", &json!({"name": "Ann"})).json()["token"])
}

fn ask(server: &Server, token: Option<&str>, body: &Value) -> Value {
    let answer = post(server.addr, "/api/train/puzzle", token, body);
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn reply(server: &Server, token: Option<&str>, body: &Value) -> Answer {
    post(server.addr, "/api/train/puzzle/answer", token, body)
}

/// The right move of a puzzle, and a wrong one, by the file that comes with the program.
fn moves(name: &Value) -> (String, String) {
    let named = Collection::shipped().find(text(name).parse().unwrap()).unwrap();
    let square = |at: usize| named.puzzle.scores[at].0.to_string();
    (square(0), square(1))
}

#[test]
fn an_answer_changes_both_ratings_once_and_what_was_missed_becomes_a_card() {
    let server = Server::start();
    let token = profile(&server);
    let token = Some(token.as_str());
    let first = ask(&server, token, &json!({}));
    assert_eq!(first["rating"]["rating"], 1500.0);
    assert_eq!(ask(&server, token, &json!({}))["puzzle"], first["puzzle"], "it waits for an answer");
    let (right, wrong) = moves(&first["puzzle"]);
    let missed = reply(&server, token, &json!({"puzzle": first["puzzle"], "move": wrong})).json();
    assert_eq!(
        (&missed["right"], &missed["solved"], &missed["solution"]),
        (&json!(false), &json!(false), &Value::Null)
    );
    assert!(missed["score"].as_i64() < missed["best"].as_i64());
    let change = &missed["change"];
    assert!(change["after"]["rating"].as_f64() < change["before"]["rating"].as_f64(), "{change}");
    // The refutation is played on the board, to the end of the game.
    let steps = missed["steps"].as_array().unwrap();
    assert_eq!(
        (&steps[0]["move"], &steps.last().unwrap()["position"]["status"]),
        (&json!(wrong), &json!("over"))
    );
    // A second try is judged, and counts no more.
    let again =
        reply(&server, token, &json!({"puzzle": first["puzzle"], "move": right, "tried": wrong})).json();
    assert_eq!((&again["right"], &again["change"]), (&json!(true), &Value::Null));
    let next = ask(&server, token, &json!({}));
    assert_ne!(next["puzzle"], first["puzzle"]);
    assert_eq!(next["rating"], change["after"]);
    let (right, _) = moves(&next["puzzle"]);
    let solved = reply(&server, token, &json!({"puzzle": next["puzzle"], "move": right})).json();
    assert!(solved["solved"] == true || next["plays_on"] == true, "{solved}");
    let cards = get(server.addr, "/api/profile/cards?kind=puzzle", token).json();
    assert_eq!(cards["cards"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&cards["cards"][0]["missed"], &cards["cards"][0]["start"]),
        (&json!(1), &first["position"]["board"])
    );
    // It all goes out and in as one file.
    let file = get(server.addr, "/api/profile/export", token).json();
    assert_eq!(file["attempts"][0]["puzzle"], first["puzzle"]);
    let other = profile(&server);
    let import = post(server.addr, "/api/profile/import", Some(&other), &file);
    assert_eq!(import.status, 200, "{}", import.text());
    let known = ask(&server, Some(&other), &json!({}));
    assert!(
        known["puzzle"] != first["puzzle"]
            && known["rating"]["games"] == json!(file["attempts"].as_array().unwrap().len())
    );
}

#[test]
fn the_day_the_run_the_theme_and_the_board_decide_what_is_asked() {
    let server = Server::start();
    let day = ask(&server, None, &json!({"day": 20_000}));
    assert_eq!(
        ask(&server, Some(&profile(&server)), &json!({"day": 20_000}))["puzzle"],
        day["puzzle"],
        "for everybody"
    );
    assert_eq!(refused(&post(server.addr, "/api/train/puzzle", None, &json!({"day": 400_000}))), "no_puzzle");
    let run = |number: usize| ask(&server, None, &json!({"run": 7, "number": number}))["puzzle"].clone();
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
    assert_eq!(
        refused(&post(server.addr, "/api/train/puzzle", None, &json!({"run": 7, "number": 600}))),
        "no_puzzle"
    );
    for (name, theme) in Theme::ALL {
        let asked = ask(&server, None, &json!({"theme": name}));
        let named = Collection::shipped().find(text(&asked["puzzle"]).parse().unwrap()).unwrap();
        assert!(named.puzzle.themes.contains(&theme), "{name}");
    }
    for size in [6, 8] {
        assert_eq!(ask(&server, None, &json!({"size": size}))["position"]["size"], size);
    }
    let listing = server.get("/api/train/puzzles").json();
    let all = Collection::shipped().of(Selection::default()).count();
    assert_eq!(listing["puzzles"], all);
    let sizes = listing["sizes"].as_object().unwrap();
    assert_eq!(sizes.values().filter_map(Value::as_u64).sum::<u64>(), all as u64);
    let named = ask(&server, None, &json!({"puzzle": day["puzzle"]}));
    assert_eq!(named["position"], day["position"]);
}

#[test]
fn who_wants_to_be_shown_is_told_why_and_runs_are_kept() {
    let server = Server::start();
    let token = profile(&server);
    let token = Some(token.as_str());
    let parity = ask(&server, token, &json!({"theme": "parity"}));
    let (right, wrong) = moves(&parity["puzzle"]);
    let shown =
        reply(&server, token, &json!({"puzzle": parity["puzzle"], "show": true, "tried": wrong})).json();
    assert_eq!((&shown["solved"], &shown["solution"]["move"]), (&json!(false), &json!(right)));
    let reasons = shown["solution"]["reasons"].as_array().unwrap();
    let region = reasons.iter().find(|reason| reason["kind"] == "parity").unwrap();
    assert_eq!(region["squares"].as_array().unwrap().len() % 2, 1);
    assert_eq!(region["other"], json!(wrong));
    let why = &shown["solution"]["why"];
    assert!(why["line"][0] == json!(wrong) && text(&why["sentence"]).len() > 10, "{why}");
    assert!(shown["change"]["after"]["rating"].as_f64() < Some(1500.0), "to be shown is to miss");
    let run = |solved: u32| {
        post(server.addr, "/api/train/runs", token, &json!({"kind": "clock", "solved": solved, "missed": 1}))
    };
    assert_eq!(run(5).json(), json!({"record": true, "best_runs": {"clock": 5}}));
    assert_eq!(run(4).json(), json!({"record": false, "best_runs": {"clock": 5}}));
    // Runs count for no rating.
    let next = ask(&server, token, &json!({"run": 1, "number": 0}));
    let (_, wrong) = moves(&next["puzzle"]);
    let missed =
        reply(&server, token, &json!({"puzzle": next["puzzle"], "move": wrong, "rated": false})).json();
    assert_eq!((&missed["right"], &missed["change"]), (&json!(false), &Value::Null));
}

#[test]
fn what_cannot_be_asked_or_answered_is_refused_with_its_name() {
    let server = Server::start();
    let asked = |body: Value| refused(&post(server.addr, "/api/train/puzzle", None, &body));
    assert_eq!(asked(json!({"theme": "luck"})), "no_puzzle");
    assert_eq!(asked(json!({"size": 7})), "bad_size");
    assert_eq!(asked(json!({"size": 10})), "no_puzzle");
    assert_eq!(asked(json!({"puzzle": "<b>"})), "bad_puzzle");
    assert_eq!(asked(json!({"puzzle": "00000000"})), "no_puzzle");
    let puzzle = ask(&server, None, &json!({"day": 20_000}))["puzzle"].clone();
    let answered = |body: Value| refused(&reply(&server, None, &body));
    assert_eq!(answered(json!({"puzzle": puzzle})), "bad_request");
    assert_eq!(answered(json!({"puzzle": puzzle, "move": "a1", "show": true})), "bad_request");
    assert_eq!(answered(json!({"puzzle": puzzle, "move": "z9"})), "bad_move");
    assert_eq!(answered(json!({"puzzle": puzzle, "move": "d4"})), "illegal_move");
    assert_eq!(answered(json!({"puzzle": puzzle, "moves": "d4", "move": "a1"})), "illegal_move");
    assert_eq!(answered(json!({"puzzle": puzzle, "moves": "é".repeat(9), "move": "a1"})), "bad_request");
    assert_eq!(answered(json!({"puzzle": puzzle, "moves": "a1".repeat(99), "move": "a1"})), "bad_request");
    let gone = profile(&server);
    assert_eq!(post(server.addr, "/api/profile/delete", Some(&gone), &json!({})).status, 200);
    let unknown = post(server.addr, "/api/train/puzzle", Some(&gone), &json!({}));
    assert_eq!(refused(&unknown), "unknown_profile");
    let run = post(server.addr, "/api/train/runs", None, &json!({"kind": "clock", "solved": 1, "missed": 1}));
    assert_eq!(refused(&run), "unknown_profile");
}
