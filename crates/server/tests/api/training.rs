//! The opening trainer: moves judged at once, the other side played, what was missed kept.

use crate::common::{Answer, Server, get, post, refused, request, text};
use emilia_server::{Config, Public};
use serde_json::{Value, json};

const TIGER: &str = "f5d6c3d3c4";

fn step(server: &Server, token: Option<&str>, body: &Value) -> Value {
    let answer = post(server.addr, "/api/train/opening", token, body);
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[test]
fn a_line_is_walked_and_what_was_missed_becomes_due() {
    let server = Server::start();
    let token = text(&server.post("/api/profiles", &json!({"name": "Ann"})).json()["token"]);
    let step = |moves: &str, mv: Option<&str>, record: bool| {
        let body = json!({"line": TIGER, "color": "black", "moves": moves, "move": mv, "record": record});
        step(&server, Some(&token), &body)
    };
    let begin = step("", None, true);
    assert_eq!(
        (&begin["verdict"], &begin["moves"], &begin["on_line"]),
        (&Value::Null, &json!(""), &json!(true))
    );
    // Every first move is the same one, so that there is nothing to learn by heart; White answers as the line does.
    let first = step("", Some("d3"), true);
    assert_eq!(
        (&first["verdict"]["right"], &first["replies"], &first["card"]),
        (&json!(true), &json!(["c5"]), &Value::Null)
    );
    let third = step("f5d6", Some("c3"), true);
    assert_eq!((&third["moves"], &third["card"]["answers"]), (&json!("f5d6c3d3"), &json!(["c3"])));
    assert_eq!(third["opening"]["ja"], "虎系");
    let missed = step("f5d6c3d3", Some("e3"), true);
    let verdict = &missed["verdict"];
    assert_eq!(
        (&verdict["right"], &verdict["expected"], &verdict["source"]),
        (&json!(false), &json!(["c4"]), &json!("line"))
    );
    assert!(verdict["loss"].as_f64().unwrap() > 0.5, "{verdict}");
    assert_eq!((&missed["moves"], &missed["replies"]), (&json!("f5d6c3d3"), &json!([])));
    assert_eq!(missed["card"]["missed"], 1);
    let body = json!({"line": TIGER, "color": "black", "moves": "f5d6c3d3", "show": true, "record": false});
    let shown = self::step(&server, Some(&token), &body);
    assert_eq!((&shown["verdict"]["played"], &shown["verdict"]["expected"]), (&Value::Null, &json!(["c4"])));
    // The second try is not counted as known.
    let again = step("f5d6c3d3", Some("c4"), false);
    assert_eq!((&again["verdict"]["right"], &again["card"]), (&json!(true), &Value::Null));
    assert_eq!(again["on_line"], false);
    assert_eq!(again["replies"].as_array().unwrap().len(), 1);
    let cards = get(server.addr, "/api/profile/cards?kind=opening", Some(&token)).json()["cards"].clone();
    let asked: Vec<&str> =
        cards.as_array().unwrap().iter().map(|card| card["moves"].as_str().unwrap()).collect();
    assert_eq!(asked, ["f5d6c3d3", "f5d6"], "what was missed comes back first");
    // What is known and not due is not counted again, what is missed is.
    step("f5d6", Some("c3"), true);
    assert_eq!(step("c4e3", Some("f3"), true)["card"]["missed"], 1);
}

#[test]
fn beyond_the_line_any_good_move_is_right_until_the_opening_is_over() {
    let server = Server::start();
    let play = |seed: u64| {
        let ask = |moves: &str, mv: &Value| {
            let body = json!({"line": TIGER, "color": "white", "moves": moves, "move": mv, "plies": 7, "seed": seed});
            step(&server, None, &body)
        };
        let mut now = ask("", &Value::Null);
        assert_eq!(now["replies"], json!(["f5"]));
        while now["done"] == false {
            let moves = text(&now["moves"]);
            // A bad move first: it says which would have been right.
            let legal = now["position"]["legal"].as_array().unwrap().clone();
            let tried: Vec<Value> = legal.iter().map(|legal| ask(&moves, &legal["square"])).collect();
            let right = tried.iter().find(|tried| tried["verdict"]["right"] == true).unwrap().clone();
            for wrong in tried.iter().filter(|tried| tried["verdict"]["right"] == false) {
                assert!(wrong["verdict"]["loss"].as_f64().unwrap() > 0.0 && wrong["moves"] == json!(moves));
                assert!(!wrong["verdict"]["expected"].as_array().unwrap().is_empty());
            }
            now = right;
        }
        text(&now["moves"])
    };
    let games: Vec<String> = (0..5).map(play).collect();
    assert!(games.iter().all(|moves| moves.starts_with(TIGER) && moves.len() >= 14), "{games:?}");
    assert_eq!(play(3), games[3]);
    assert!(games.iter().any(|moves| *moves != games[0]), "always the same: {games:?}");
}

#[test]
fn the_other_side_plays_as_people_do() {
    let server = Server::start();
    let reply = |seed: u64| {
        let body = json!({"line": "", "color": "white", "replies": "people", "plies": 3, "moves": "f5d6", "seed": seed});
        text(&step(&server, None, &body)["replies"][0])
    };
    let replies: Vec<String> = (0..40).map(reply).collect();
    let share = |mv: &str| replies.iter().filter(|reply| *reply == mv).count();
    // In tournaments c3 and c5 are by far the most frequent, c4 and c6 are seldom; nobody plays only one of them.
    assert!(share("c3") + share("c5") >= 25 && share("c3") < 40 && share("c5") < 40, "{replies:?}");
    assert_eq!(reply(7), replies[7]);
}

#[test]
fn lines_that_are_none_and_moves_out_of_turn_are_refused() {
    let server = Server::start();
    let refuse = |body: Value| refused(&server.post("/api/train/opening", &body));
    assert_eq!(refuse(json!({"line": "f5f5", "color": "black"})), "bad_line");
    assert_eq!(refuse(json!({"line": "-----OX--XO----- X;b1", "color": "black"})), "bad_line");
    assert_eq!(refuse(json!({"line": TIGER, "color": "black", "moves": "a1"})), "bad_move");
    assert_eq!(refuse(json!({"line": TIGER, "color": "black", "move": "a1"})), "illegal_move");
    assert_eq!(refuse(json!({"line": TIGER, "color": "white", "move": "f5"})), "not_your_turn");
    assert_eq!(refuse(json!({"line": TIGER, "color": "black", "slack": 100})), "bad_request");
    assert_eq!(refuse(json!({"line": TIGER, "color": "black", "plies": 50})), "bad_request");
    let named = server.get("/api/train/openings").json()["openings"].clone();
    let tiger = named.as_array().unwrap().iter().find(|opening| opening["moves"] == TIGER).unwrap();
    assert_eq!(tiger["name"]["en"], "Tiger");
}

#[test]
fn strangers_walk_lines_and_the_invited_go_beyond() {
    let public = Public { proxies: vec!["127.0.0.1".parse().unwrap()], invitations: Vec::new() };
    let server = Server::with(Config { public: Some(public), ..Config::ephemeral() });
    let ask = |body: &Value| -> Answer {
        let headers = [("Content-Type", "application/json"), ("X-Forwarded-For", "203.0.113.7")];
        request(server.addr, "POST", "/api/train/opening", &headers, body.to_string().as_bytes())
    };
    let missed = ask(&json!({"line": TIGER, "color": "black", "moves": "f5d6c3d3", "move": "e3"})).json();
    assert_eq!((&missed["verdict"]["right"], &missed["verdict"]["loss"]), (&json!(false), &Value::Null));
    // The book goes on for everybody; where it ends, somebody has to search.
    let beyond = json!({"line": TIGER, "color": "black", "moves": "f5d6c3d3", "move": "c4"});
    assert_eq!(ask(&beyond).json()["replies"].as_array().unwrap().len(), 1);
    let unknown = json!({"line": "f5d6c7", "color": "black", "moves": "f5d6", "move": "c7"});
    let ended = ask(&unknown).json();
    assert_eq!((&ended["done"], &ended["replies"]), (&json!(true), &json!([])));
    let search = json!({"line": "", "color": "black", "moves": "f5d6c7", "move": "f4"});
    assert_eq!(refused(&ask(&search)), "not_your_turn");
    let search = json!({"line": "", "color": "white", "moves": "f5d6c7", "move": "f4"});
    assert_eq!(refused(&ask(&search)), "not_invited");
    let short = json!({"line": TIGER, "color": "black", "moves": "f5d6c3d3", "move": "c4", "plies": 5});
    assert_eq!(ask(&short).json()["done"], true);
}

#[test]
fn the_lines_that_must_be_known_are_counted_and_can_be_walked() {
    let server = Server::start();
    let ask = |from: &str, moves: &str, color: &str, tolerance: u8| {
        let body = json!({"from": from, "moves": moves, "color": color, "tolerance": tolerance});
        server.post("/api/train/lines", &body)
    };
    let all = ask("", "", "black", 0).json();
    let lines = |value: &Value| value["lines"].as_u64().unwrap();
    assert!(
        lines(&all) >= 1 && all["learner"] == true && all["moves"].as_array().unwrap().len() == 4,
        "{all}"
    );
    // Whatever is tolerated, more of it never needs more lines.
    let counts: Vec<u64> = (0..4).map(|tolerance| lines(&ask("", "", "black", tolerance).json())).collect();
    assert!(counts.is_sorted_by(|less, more| less >= more), "{counts:?}");
    // The lines after each reply add up, and those of one's own best move are all there are.
    let after = ask("", "f5", "black", 0).json();
    let replies = after["moves"].as_array().unwrap();
    assert_eq!(replies.iter().map(lines).sum::<u64>(), lines(&after));
    assert_eq!(lines(&after), lines(&all));
    assert!(
        all["moves"].as_array().unwrap().iter().all(|known| known["advised"] == true),
        "they are all the same"
    );
    assert_eq!(refused(&ask("f5f5", "", "black", 0)), "bad_move");
    assert_eq!(refused(&ask("f5d6c7", "", "black", 0)), "not_in_book");
}
