//! What learners have: cards, answers, files in and out, and who may see them.

use std::path::PathBuf;

use crate::common::{Answer, Server, get, post, refused, request, text};
use emilia_server::{Config, Limits, Public};
use serde_json::{Value, json};

/// A learner with a profile.
struct Learner<'s> {
    server: &'s Server,
    token: String,
}

impl Learner<'_> {
    fn new(server: &Server) -> Learner<'_> {
        let answer = server.post("/api/profiles", &json!({"name": "Ann"}));
        assert_eq!(answer.status, 201, "{}", answer.text());
        Learner { server, token: text(&answer.json()["token"]) }
    }

    fn get(&self, path: &str) -> Answer {
        get(self.server.addr, &format!("/api/profile{path}"), Some(&self.token))
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        post(self.server.addr, &format!("/api/profile{path}"), Some(&self.token), body)
    }

    /// Adds a card and says its number.
    fn add(&self, moves: &str, answer: &str) -> i64 {
        let card = json!({"moves": moves, "answers": [answer]});
        let added = self.post("/cards", &json!({"kind": "opening", "cards": [card]}));
        assert_eq!(added.status, 200, "{}", added.text());
        added.json()["cards"][0]["id"].as_i64().unwrap()
    }

    fn due(&self) -> Vec<i64> {
        let due = self.get("/cards?due=true&kind=opening").json();
        due["cards"].as_array().unwrap().iter().map(|card| card["id"].as_i64().unwrap()).collect()
    }

    fn import(&self, file: &str) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("Authorization", bearer.as_str()), ("Content-Type", "text/plain")];
        request(self.server.addr, "POST", "/api/profile/import", &headers, file.as_bytes())
    }

    fn deck(&self) -> Value {
        self.get("").json()["decks"][0].clone()
    }
}

#[test]
fn cards_come_back_until_they_are_known() {
    let server = Server::start();
    let ann = Learner::new(&server);
    let (tiger, early) = (ann.add("f5d6c3d3", "c4"), ann.add("f5d6", "c3"));
    assert_eq!(ann.due(), [tiger, early]);
    let card = ann.get("/cards").json()["cards"][0].clone();
    assert_eq!((&card["position"]["turn"], &card["position"]["ply"]), (&json!("black"), &json!(4)));
    // The same position turned is the same card, and a second right move is learned with it.
    assert_eq!(ann.add("c4e3f6e6", "f5"), tiger);
    assert_eq!(ann.add("f5d6c3d3", "c5"), tiger);
    let right = ann.post("/answers", &json!({"card": tiger, "move": "c5", "took_ms": 900})).json();
    assert_eq!((&right["right"], &right["card"]["answers"]), (&json!(true), &json!(["c4", "c5"])));
    let wrong = ann.post("/answers", &json!({"card": early, "move": "c6"})).json();
    assert_eq!(wrong["right"], false);
    assert!(wrong["card"]["due"].as_u64() < right["card"]["due"].as_u64());
    assert!(ann.due().is_empty());
    let deck = ann.deck();
    assert_eq!(
        (&deck["cards"], &deck["due"], &deck["right"], &deck["missed"]),
        (&json!(2), &json!(0), &json!(1), &json!(1))
    );
    assert_eq!(deck["next"], wrong["card"]["due"]);
    let history = ann.get("/answers").json()["answers"].clone();
    assert_eq!((&history[0]["grade"], &history[0]["move"]), (&json!("again"), &json!("c6")));
    assert_eq!((&history[1]["card"], &history[1]["took_ms"]), (&json!(tiger), &json!(900)));
    let easy = ann.post("/answers", &json!({"card": early, "grade": "easy"})).json();
    assert_eq!(easy["right"], true);
    assert_eq!(ann.post("/cards/remove", &json!({"cards": [early, 999]})).json()["removed"], 1);
    assert_eq!(ann.deck()["cards"], 1);
}

#[test]
fn what_cannot_be_asked_or_answered_is_refused() {
    let server = Server::start();
    let ann = Learner::new(&server);
    let card = ann.add("f5d6c3d3", "c4");
    let wrong = |answers: Value| {
        let good = json!({"moves": "f5", "answers": ["d6"]});
        let bad = json!({"moves": "f5f6", "answers": answers});
        refused(&ann.post("/cards", &json!({"kind": "puzzle", "cards": [good, bad]})))
    };
    assert_eq!(wrong(json!(["a1"])), "bad_card");
    assert_eq!(wrong(json!([])), "bad_card");
    // Not even the good one of the two is there.
    assert_eq!(ann.get("").json()["decks"][2]["cards"], 0);
    for (answer, code) in [
        (json!({"card": card, "move": "a1"}), "illegal_move"),
        (json!({"card": card, "move": "zz"}), "bad_move"),
        (json!({"card": card, "move": "pass"}), "bad_move"),
        (json!({"card": card}), "bad_request"),
        (json!({"card": card, "move": "c4", "grade": "good"}), "bad_request"),
        (json!({"card": card + 1, "move": "c4"}), "unknown_card"),
        (json!({"card": card, "grade": "perfect"}), "bad_json"),
    ] {
        assert_eq!(refused(&ann.post("/answers", &answer)), code, "{answer}");
    }
    assert_eq!(ann.due(), [card]);
    assert_eq!(refused(&ann.post("", &json!({"name": "x".repeat(41)}))), "bad_profile");
    assert_eq!(ann.post("", &json!({"name": "  Änne "})).json()["name"], "Änne");
    // Neither without a token, nor with that of a seat, nor with somebody else's card.
    let (_, seat, _) = server.game(&json!({"mode": "local"}));
    assert_eq!(refused(&server.get("/api/profile")), "unknown_profile");
    assert_eq!(refused(&get(server.addr, "/api/profile/cards", Some(&seat))), "unknown_profile");
    let bob = Learner::new(&server);
    assert_eq!(refused(&bob.post("/answers", &json!({"card": card, "move": "c4"}))), "unknown_card");
    assert_eq!(bob.post("/cards/remove", &json!({"cards": [card]})).json()["removed"], 0);
}

#[test]
fn a_profile_goes_out_and_in_as_one_file_and_is_deleted_at_once() {
    let server = Server::start();
    let ann = Learner::new(&server);
    let tiger = ann.add("f5d6c3d3", "c4");
    ann.add("f5f6e6", "f4");
    ann.post("/answers", &json!({"card": tiger, "move": "c4"}));
    let file = ann.get("/export");
    assert!(file.header("content-disposition").unwrap().contains("emilia-profile.json"));
    let file = file.text();
    // Everything again on another machine, once.
    let bob = Learner::new(&server);
    let imported = bob.import(&file).json();
    assert_eq!(
        (&imported["added"], &imported["updated"], &imported["answers"]),
        (&json!(2), &json!(0), &json!(1))
    );
    let same = |file: &str| {
        let mut value: Value = serde_json::from_str(file).unwrap();
        value["created"] = Value::Null;
        value
    };
    assert_eq!(same(&bob.get("/export").text()), same(&file));
    let again = bob.import(&file).json();
    assert_eq!((&again["added"], &again["updated"], &again["answers"]), (&json!(0), &json!(0), &json!(0)));
    // What was answered later elsewhere counts.
    ann.post("/answers", &json!({"card": tiger, "move": "e3"}));
    let later = bob.import(&ann.get("/export").text()).json();
    assert_eq!((&later["updated"], &later["answers"]), (&json!(1), &json!(1)));
    assert_eq!(same(&bob.get("/export").text()), same(&ann.get("/export").text()));
    assert_eq!(ann.post("/delete", &json!({})).json()["cards"], 2);
    assert_eq!(refused(&ann.get("")), "unknown_profile");
    assert_eq!(bob.deck()["cards"], 2);
}

#[test]
fn a_bad_file_is_refused_with_a_sentence_and_changes_nothing() {
    let server = Server::start();
    let ann = Learner::new(&server);
    ann.add("f5d6c3d3", "c4");
    let before = ann.get("/export").text();
    let other = before.replace("f5d6c3d3", "f5f6e6").replace("c4", "f4");
    for (file, culprit) in [
        (String::new(), "EOF"),
        ("hello".to_owned(), "expected value"),
        (other[..other.len() - 3].to_owned(), "EOF"),
        (other.replace("emilia-profile", "something"), "something"),
        (other.replace("\"version\":2", "\"version\":9"), "version 9"),
        (other.replace("\"f4\"", "\"a1\""), "card 1"),
        (other.replace("f5f6e6", "f5f6a1"), "card 1"),
    ] {
        let answer = ann.import(&file);
        assert_eq!(refused(&answer), "bad_profile", "{file}");
        let sentence = text(&answer.json()["error"]["message"]);
        assert!(sentence.contains(culprit), "{sentence}");
    }
    assert_eq!(ann.get("/export").text(), before);
    assert_eq!(ann.import(&other).status, 200);
}

#[test]
fn there_is_so_much_room_and_no_more() {
    let limits = Limits { profiles: 2, cards: 2, ..Limits::default() };
    let server = Server::with(Config { limits, ..Config::ephemeral() });
    let (ann, bob) = (Learner::new(&server), Learner::new(&server));
    assert_eq!(refused(&server.post("/api/profiles", &json!({"name": ""}))), "full");
    ann.add("f5", "d6");
    let card = |moves: &str, answer: &str| json!({"moves": moves, "answers": [answer]});
    let two = json!({"kind": "opening", "cards": [card("f5d6", "c3"), card("f5f6", "e6")]});
    assert_eq!(refused(&ann.post("/cards", &two)), "full");
    assert_eq!(ann.deck()["cards"], 1, "all of them or none");
    assert_eq!(bob.post("/cards", &two).status, 200);
    assert_eq!(refused(&ann.import(&bob.get("/export").text())), "full");
    assert_eq!(refused(&ann.import(&" ".repeat(2 * 4096 + 1))), "too_large");
    assert_eq!(ann.deck()["cards"], 1);
    assert_eq!(bob.post("/delete", &json!({})).status, 200);
    Learner::new(&server);
}

#[test]
fn answers_of_many_windows_at_once_all_count() {
    let server = Server::start();
    let ann = Learner::new(&server);
    let card = ann.add("f5d6c3d3", "c4");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..5 {
                    assert_eq!(ann.post("/answers", &json!({"card": card, "move": "c4"})).status, 200);
                }
            });
        }
    });
    assert_eq!(ann.deck()["right"], 40);
    // The latest are kept.
    assert!(ann.get("/answers?limit=500").json()["answers"].as_array().unwrap().len() <= 30);
}

/// A folder that is gone when the test is over.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn profiles_are_there_after_a_crash_and_listed_for_those_who_share_the_machine() {
    let folder = Folder(std::env::temp_dir().join(format!("emilia-profiles-{}", std::process::id())));
    let copy = Folder(folder.0.with_extension("copy"));
    let server = Server::with(Config { data: Some(folder.0.clone()), ..Config::ephemeral() });
    let ann = Learner::new(&server);
    let card = ann.add("f5d6c3d3", "c4");
    assert_eq!(ann.post("/answers", &json!({"card": card, "move": "c4"})).status, 200);
    // What lies on the disk at this moment is what a crash would leave.
    std::fs::create_dir_all(&copy.0).unwrap();
    for name in ["emilia.sqlite", "emilia.sqlite-wal"] {
        std::fs::copy(folder.0.join(name), copy.0.join(name)).unwrap();
    }
    let after = Server::with(Config { data: Some(copy.0.clone()), ..Config::ephemeral() });
    let again = Learner { server: &after, token: ann.token.clone() };
    assert_eq!(again.get("/export").text(), ann.get("/export").text());
    let listed = after.get("/api/profiles").json()["profiles"].clone();
    assert_eq!(
        (&listed[0]["name"], &listed[0]["cards"], &listed[0]["due"]),
        (&json!("Ann"), &json!(1), &json!(0))
    );
    assert_eq!(text(&listed[0]["token"]), ann.token);
}

#[test]
fn strangers_have_profiles_by_their_secret_and_see_no_others() {
    let public = Public { proxies: vec!["127.0.0.1".parse().unwrap()], invitations: Vec::new() };
    let server = Server::with(Config { public: Some(public), ..Config::ephemeral() });
    let ask = |method: &str, path: &str, token: &str, body: &Value| {
        let bearer = format!("Bearer {token}");
        let mut headers = vec![("Content-Type", "application/json"), ("X-Forwarded-For", "203.0.113.7")];
        if !token.is_empty() {
            headers.push(("Authorization", bearer.as_str()));
        }
        let body = if body.is_null() { String::new() } else { body.to_string() };
        request(server.addr, method, path, &headers, body.as_bytes())
    };
    let made = ask("POST", "/api/profiles", "", &json!({"name": "Ann"})).json();
    let token = text(&made["token"]);
    assert_eq!(ask("GET", "/api/profiles", "", &Value::Null).json()["profiles"], json!([]));
    let cards = json!({"kind": "opening", "cards": [{"moves": "f5", "answers": ["d6"]}]});
    assert_eq!(ask("POST", "/api/profile/cards", &token, &cards).status, 200);
    assert_eq!(ask("GET", "/api/profile", &token, &Value::Null).json()["decks"][0]["due"], 1);
    let guessed = format!("{}{}", &token[..21], if token.ends_with('A') { 'B' } else { 'A' });
    assert_eq!(refused(&ask("GET", "/api/profile", &guessed, &Value::Null)), "unknown_profile");
}
