//! The interface of the browser game that came before.

use crate::common::{Answer, Server, refused, request, text};
use serde_json::{Value, json};

fn form(server: &Server, path: &str, body: &str) -> Answer {
    let kind = ("Content-Type", "application/x-www-form-urlencoded");
    request(server.addr, "POST", path, &[kind], body.as_bytes())
}

#[test]
fn two_people_play_and_only_the_side_to_move_is_obeyed() {
    let server = Server::start();
    let made = form(&server, "/create", "name=Ann&ai=false").json();
    let (id, black) = (text(&made["id"]), text(&made["black_token"]));
    assert_eq!((&made["black"], &made["white"]), (&json!("Ann"), &Value::Null));
    assert_eq!(server.get("/games").json(), json!([{"id": id, "white": null, "black": "Ann"}]));
    let joined = form(&server, "/join", &format!("id={id}&name=Bob")).json();
    let white = text(&joined["white_token"]);
    assert_eq!(
        (&joined["id"], &joined["black"], &joined["white"]),
        (&json!(id), &json!("Ann"), &json!("Bob"))
    );
    assert_eq!(form(&server, "/join", &format!("id={id}&name=Eve")).status, 409);

    let game = server.get(&format!("/game/{id}")).json();
    let rows: Vec<String> = text(&game["board"]).split('\n').map(str::to_owned).collect();
    assert_eq!(rows.len(), 8);
    assert_eq!((rows[3].as_str(), rows[4].as_str()), ("   wb   ", "   bw   "));
    assert_eq!((&game["player"], &game["state"]), (&json!("black"), &json!("In progress")));
    assert_eq!((&game["black_count"], &game["white_count"]), (&json!(2), &json!(2)));
    assert_eq!(game["legal"], json!([19, 26, 37, 44]));

    assert_eq!(
        refused(&form(&server, "/play", &format!("id={id}&idx=19&white_token={white}"))),
        "not_your_turn"
    );
    assert_eq!(refused(&form(&server, "/play", &format!("id={id}&idx=19&black_token={white}"))), "bad_token");
    assert_eq!(form(&server, "/play", &format!("id={id}&idx=0&black_token={black}")).status, 409);
    for idx in ["64", "-1", "x", ""] {
        assert_eq!(form(&server, "/play", &format!("id={id}&idx={idx}&black_token={black}")).status, 400);
    }
    // Both tokens may be sent; that of the side to move counts.
    let played =
        form(&server, "/play", &format!("id={id}&idx=19&black_token={black}&white_token={white}")).json();
    assert_eq!(
        (&played["player"], &played["last"], &played["black_count"]),
        (&json!("white"), &json!(19), &json!(4))
    );
    let played =
        form(&server, "/play", &format!("id={id}&idx=18&black_token={black}&white_token={white}")).json();
    assert_eq!(played["player"], "black");
    assert_eq!(server.get("/game/unknown").status, 404);
    assert_eq!(form(&server, "/join", "id=unknown&name=Bob").status, 404);
    assert_eq!(form(&server, "/play", "idx=3").status, 400);
    assert_eq!(form(&server, "/create", "name=Ann&ai=maybe").status, 400);
}

#[test]
fn a_whole_game_against_the_computer_ends_with_a_state() {
    let server = Server::start();
    let made = form(&server, "/create", "name=Ann&ai=true").json();
    assert_eq!(made["white"], "AI");
    let (id, token) = (text(&made["id"]), text(&made["black_token"]));
    let mut game = server.get(&format!("/game/{id}")).json();
    while game["state"] == "In progress" {
        assert_eq!(game["player"], "black", "{game}");
        let idx = game["legal"][0].as_u64().unwrap();
        let answer = form(&server, "/play", &format!("id={id}&idx={idx}&black_token={token}"));
        assert_eq!(answer.status, 200, "{}", answer.text());
        game = answer.json();
        assert!(game["nodes"].as_u64() > Some(0) || game["state"] != "In progress");
    }
    let (black, white) = (game["black_count"].as_u64(), game["white_count"].as_u64());
    let state = match black.cmp(&white) {
        std::cmp::Ordering::Greater => "Black wins",
        std::cmp::Ordering::Less => "White wins",
        std::cmp::Ordering::Equal => "Tie",
    };
    assert_eq!(game["state"], state);
    assert_eq!(refused(&form(&server, "/play", &format!("id={id}&idx=0&black_token={token}"))), "game_over");
}
