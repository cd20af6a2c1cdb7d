//! People who play at random over the web interface, and remember what the server has acknowledged.

use std::net::SocketAddr;

use rand::Rng;
use rand::rngs::ChaCha8Rng;
use serde_json::{Value, json};

use crate::client::{Answer, raw};

/// Somebody with one game at a time, in which he plays both sides.
pub(crate) struct Person {
    random: ChaCha8Rng,
    /// The game under way is the last.
    pub(crate) games: Vec<Played>,
    legal: Vec<String>,
    token: String,
}

/// A game, as far as it was acknowledged.
pub(crate) struct Played {
    pub(crate) id: String,
    /// Every move that the server has said it has.
    pub(crate) moves: Vec<String>,
    /// How many moves were acknowledged at which moment of the disk.
    pub(crate) marks: Vec<(usize, usize)>,
}

/// What came of a try to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The server says that it is done.
    Acknowledged,
    /// The server says that it cannot be kept now.
    NotSaved,
    /// Nothing came back.
    NoAnswer,
}

impl Person {
    pub(crate) fn new(random: ChaCha8Rng) -> Person {
        Person { random, games: Vec::new(), legal: Vec::new(), token: String::new() }
    }

    fn below(&mut self, end: usize) -> usize {
        (self.random.next_u64() % end.max(1) as u64) as usize
    }

    /// Plays one move, or begins a game. `moment` is asked when the answer is there.
    pub(crate) fn step(&mut self, addr: SocketAddr, moment: impl Fn() -> usize) -> Step {
        let at = self.below(self.legal.len());
        let (path, token, body) = match (self.legal.get(at), self.games.last()) {
            (Some(square), Some(game)) => {
                (format!("/api/games/{}/moves", game.id), self.token.clone(), json!({"move": square}))
            }
            _ => {
                let size = [4, 6, 8, 8, 8, 10][self.below(6)];
                ("/api/games".to_owned(), String::new(), json!({"mode": "local", "size": size}))
            }
        };
        let Some(answer) = post(addr, &path, &token, &body) else { return Step::NoAnswer };
        match answer.status {
            200 | 201 => self.acknowledge(&answer.json(), moment()),
            503 => {
                let code = answer.json()["error"]["code"].clone();
                assert_eq!(code, "not_saved", "{}", answer.text());
                self.legal.clear();
                return Step::NotSaved;
            }
            429 => std::thread::sleep(std::time::Duration::from_millis(50)),
            _ => panic!("{path} {body}: {} {}", answer.status, answer.text()),
        }
        Step::Acknowledged
    }

    fn acknowledge(&mut self, view: &Value, moment: usize) {
        let game = &view["game"];
        if let Some(token) = view["token"].as_str() {
            self.token = token.to_owned();
            let id = game["id"].as_str().unwrap().to_owned();
            self.games.push(Played { id, moves: Vec::new(), marks: Vec::new() });
        }
        self.legal = squares(game);
        let played = self.games.last_mut().unwrap();
        assert_eq!(game["id"], json!(played.id));
        let moves = moves(game);
        assert!(moves.starts_with(&played.moves), "{moves:?} {:?}", played.moves);
        played.moves = moves;
        played.marks.push((moment, played.moves.len()));
    }

    /// After a restart or a refusal: what may be played now, by what the server says. A move that was under way may
    /// have arrived.
    pub(crate) fn look_again(&mut self, addr: SocketAddr) {
        let Some(played) = self.games.last_mut() else { return };
        let game = show(addr, &played.id).unwrap_or_else(|| panic!("{} is lost", played.id));
        let now = moves(&game);
        let known = played.moves.len();
        assert!(now.starts_with(&played.moves), "acknowledged {:?}, found {now:?}", played.moves);
        // One move, and the passes that follow from it.
        assert!(now.len() <= known + 3, "acknowledged {:?}, found {now:?}", played.moves);
        played.moves = now;
        self.legal = squares(&game);
    }
}

impl Played {
    /// Sees whether the server has everything that was acknowledged at that moment of the disk.
    pub(crate) fn check(&self, addr: SocketAddr, moment: usize) {
        let Some((_, least)) = self.marks.iter().rev().find(|(when, _)| *when <= moment) else { return };
        let game = show(addr, &self.id).unwrap_or_else(|| panic!("game {} is lost: {least} moves", self.id));
        let found = moves(&game);
        assert!(found.len() >= *least, "{} of {least} acknowledged moves are left", found.len());
        let both = found.len().min(self.moves.len());
        assert_eq!(found[..both], self.moves[..both]);
    }
}

fn moves(game: &Value) -> Vec<String> {
    let list = game["moves"].as_array().unwrap_or_else(|| panic!("no game: {game}"));
    list.iter().map(|mv| mv["move"].as_str().unwrap_or("pass").to_owned()).collect()
}

fn squares(game: &Value) -> Vec<String> {
    let legal = game["legal"].as_array().into_iter().flatten();
    legal.filter_map(|legal| legal["square"].as_str().map(str::to_owned)).collect()
}

/// The game of this name, if the server knows it.
pub(crate) fn show(addr: SocketAddr, id: &str) -> Option<Value> {
    let head = format!("GET /api/games/{id} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let answer = raw(addr, head.as_bytes())?;
    (answer.status == 200).then(|| answer.json()["game"].clone())
}

/// Asks for something that may never be answered.
pub(crate) fn post(addr: SocketAddr, path: &str, token: &str, body: &Value) -> Option<Answer> {
    let bearer = if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
    let body = body.to_string();
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{bearer}Content-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    );
    // An answer that was cut short is none.
    raw(addr, request.as_bytes()).filter(|answer| serde_json::from_slice::<Value>(&answer.body).is_ok())
}
