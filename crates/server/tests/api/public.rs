//! A server that strangers can reach: who they are, and what they may ask for.

use crate::common::{Answer, Server, raw, refused, request};
use emilia_server::{Config, Limits, Public};
use serde_json::{Value, json};

const SECRET: &str = "an-invitation-for-the-tests";

fn public(proxy: &str) -> Config {
    let invitations = vec!["another-one-that-is-not-shown".parse().unwrap(), SECRET.parse().unwrap()];
    let public = Public { proxies: vec![proxy.parse().unwrap()], invitations };
    Config { public: Some(public), ..Config::ephemeral() }
}

fn ask(server: &Server, method: &str, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
    let headers = [&[("Content-Type", "application/json")], headers].concat();
    let body = if body.is_null() { String::new() } else { body.to_string() };
    request(server.addr, method, path, &headers, body.as_bytes())
}

/// A stranger behind the proxy.
fn stranger(server: &Server, path: &str, body: &Value) -> Answer {
    ask(server, "POST", path, &[("X-Forwarded-For", "203.0.113.7")], body)
}

#[test]
fn only_the_proxy_is_talked_to() {
    let server = Server::with(public("192.0.2.1"));
    let hello = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert!(raw(server.addr, hello).is_none());
}

#[test]
fn limits_are_for_the_address_that_the_proxy_has_seen() {
    let limits = Limits { requests: (0.001, 5.0), ..Limits::default() };
    let server = Server::with(Config { limits, ..public("127.0.0.1") });
    let show =
        |forwarded: &str| ask(&server, "GET", "/api/games", &[("X-Forwarded-For", forwarded)], &Value::Null);
    // Whatever a client puts in front, it stays the same client.
    let made_up =
        ["203.0.113.7", "1.1.1.1, 203.0.113.7", "2.2.2.2, 203.0.113.7", "x, 203.0.113.7", "203.0.113.7"];
    for forwarded in made_up {
        assert_eq!(show(forwarded).status, 200, "{forwarded}");
    }
    assert_eq!(refused(&show("3.3.3.3, 203.0.113.7")), "too_many");
    assert_eq!(show("203.0.113.8").status, 200);
    assert_eq!(refused(&show("203.0.113.9, nonsense")), "bad_proxy");
    assert_eq!(refused(&show("")), "bad_proxy");
}

#[test]
fn elsewhere_nobody_is_believed_who_he_is() {
    let limits = Limits { requests: (0.001, 3.0), ..Limits::default() };
    let server = Server::with(Config { limits, ..Config::ephemeral() });
    let show =
        |forwarded: &str| ask(&server, "GET", "/api/games", &[("X-Forwarded-For", forwarded)], &Value::Null);
    for forwarded in ["203.0.113.1", "203.0.113.2", "203.0.113.3"] {
        assert_eq!(show(forwarded).status, 200);
    }
    assert_eq!(refused(&show("203.0.113.4")), "too_many");
}

/// What strangers may ask for without an invitation; all else that takes a body is heavy.
const LIGHT: [&str; 41] = [
    "/api/games",
    "/api/games/{id}/join",
    "/api/games/{id}/moves",
    "/api/games/{id}/undo",
    "/api/games/{id}/undo/answer",
    "/api/games/{id}/redo",
    "/api/games/{id}/resign",
    "/api/games/{id}/close",
    "/api/games/{id}/pause",
    "/api/games/{id}/step",
    "/api/games/{id}/rematch",
    "/api/games/{id}/delete",
    "/api/games/{id}/greet",
    "/api/games/{id}/time",
    "/api/games/{id}/time/answer",
    "/api/my/games",
    // One board, looked at by one textbook evaluator.
    "/api/evaluate",
    "/api/export",
    // Asking without choosing or judging is light, and importing is for nobody: the tests of openings see to that.
    "/api/openings/position",
    "/api/openings/import",
    "/api/profiles",
    "/api/profile",
    "/api/profile/delete",
    "/api/profile/cards",
    "/api/profile/cards/remove",
    "/api/profile/answers",
    "/api/profile/import",
    "/api/train/opening",
    "/api/train/lines",
    // Endings with few empty squares, which the solver knows within milliseconds.
    "/api/train/puzzle",
    "/api/train/puzzle/answer",
    "/api/train/runs",
    "/api/studies",
    "/api/studies/{id}",
    "/api/studies/{id}/delete",
    "/api/studies/file",
    "/api/studies/read",
    "/api/my/studies",
    "/create",
    "/join",
    "/play",
];

#[test]
fn heavy_work_is_for_those_who_are_invited() {
    let server = Server::with(public("127.0.0.1"));
    let document: Value = serde_json::from_str(include_str!("../../openapi.json")).unwrap();
    let mut heavy = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        let Some(content) = operations["post"]["requestBody"]["content"].as_object() else { continue };
        if LIGHT.contains(&path.as_str()) {
            continue;
        }
        heavy += 1;
        let (media, content) = content.iter().next().unwrap();
        let example = &content["example"];
        let body = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
        let asked = |more: &[(&str, &str)]| {
            let mut headers = vec![("Content-Type", media.as_str()), ("X-Forwarded-For", "203.0.113.7")];
            headers.extend(more);
            request(server.addr, "POST", path, &headers, body.as_bytes())
        };
        assert_eq!(refused(&asked(&[])), "not_invited", "{path}");
        assert_eq!(refused(&asked(&[("X-Emilia-Invitation", "an-invitation-for-the-test5")])), "not_invited");
        assert_eq!(asked(&[("X-Emilia-Invitation", SECRET)]).status, 200, "{path}");
        let cookie = format!("theme=dark; emilia-invitation={SECRET}");
        assert_eq!(asked(&[("Cookie", &cookie)]).status, 200, "{path}");
    }
    assert_eq!(heavy, 12, "a new route is light or heavy: say so here");
}

#[test]
fn strangers_play_each_other_and_light_computers() {
    let server = Server::with(public("127.0.0.1"));
    let computer = |player: &str| json!({"mode": "computer", "white": {"player": player}});
    for wanted in [
        json!({"mode": "local"}),
        json!({"mode": "link"}),
        json!({"mode": "computer"}),
        computer("beginner"),
        computer("club"),
    ] {
        assert_eq!(stranger(&server, "/api/games", &wanted).status, 201, "{wanted}");
    }
    let watch = json!({"mode": "watch", "black": {"player": "beginner"}, "white": {"player": "beginner"}});
    for wanted in
        [computer("emilia:level=30"), computer("club:hash=64"), computer("expert"), computer("mcts"), watch]
    {
        assert_eq!(refused(&stranger(&server, "/api/games", &wanted)), "not_invited", "{wanted}");
        let headers = [("X-Forwarded-For", "203.0.113.7"), ("X-Emilia-Invitation", SECRET)];
        assert_eq!(ask(&server, "POST", "/api/games", &headers, &wanted).status, 201, "{wanted}");
    }
    // Looking at a position takes nothing.
    assert_eq!(stranger(&server, "/api/analyse", &json!({"moves": "f5d6c3", "overlays": true})).status, 200);
}

#[test]
fn a_link_invites_a_browser_and_counters_are_not_for_strangers() {
    let server = Server::with(public("127.0.0.1"));
    let visit = |path: &str| ask(&server, "GET", path, &[("X-Forwarded-For", "203.0.113.7")], &Value::Null);
    let invited = visit(&format!("/invitation/{SECRET}"));
    assert_eq!((invited.status, invited.header("location").as_deref()), (303, Some("/")));
    let cookie = invited.header("set-cookie").unwrap();
    for part in [&format!("emilia-invitation={SECRET};"), "HttpOnly", "Secure", "SameSite"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert_eq!(refused(&visit("/invitation/an-invitation-for-the-test5")), "not_invited");
    assert_eq!(refused(&visit("/invitation/%ff")), "not_invited");
    assert_eq!(refused(&visit("/metrics")), "not_found");
    let page = visit("/");
    assert!(page.status == 200 && page.header("strict-transport-security").is_some());
    // Whoever sits at the machine of the proxy looks after the server.
    for path in ["/metrics", "/healthz"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    // A proxy that does not say who asks is noticed at once.
    assert_eq!(refused(&server.get("/api/games")), "bad_proxy");
    assert_eq!(refused(&server.get("/")), "bad_proxy");
    // Without a proxy there are no invitations: the address is one of the page.
    let private = Server::start();
    assert!(private.get("/invitation/x").text().contains("<title>"));
}
