//! A server to test against, and those who talk to it.

pub(crate) mod bomb;
pub(crate) mod client;

use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use emilia_server::{Config, Handle, serve};
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

pub(crate) use client::{Answer, get, post, raw, request, text};

/// A server on a free port, ended when the test ends.
pub(crate) struct Server {
    pub(crate) addr: SocketAddr,
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn start() -> Server {
        Server::with(Config::ephemeral())
    }

    pub(crate) fn with(config: Config) -> Server {
        let (send, receive) = mpsc::channel();
        let config = Config { addr: "127.0.0.1:0".parse().unwrap(), ..config };
        let thread = std::thread::spawn(move || {
            serve(config, |addr, handle| send.send((addr, handle)).unwrap()).unwrap();
        });
        let (addr, handle) = receive.recv_timeout(Duration::from_secs(30)).unwrap();
        Server { addr, handle, thread: Some(thread) }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        get(self.addr, path, None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        post(self.addr, path, None, body)
    }

    /// A new game: its id, the token, the answer.
    pub(crate) fn game(&self, wanted: &Value) -> (String, String, Value) {
        let answer = self.post("/api/games", wanted);
        assert_eq!(answer.status, 201, "{}", answer.text());
        let value = answer.json();
        (text(&value["game"]["id"]), text(&value["token"]), value)
    }

    pub(crate) fn act(&self, id: &str, token: &str, action: &str, body: &Value) -> Answer {
        post(self.addr, &format!("/api/games/{id}/{action}"), Some(token), body)
    }

    pub(crate) fn show(&self, id: &str) -> Value {
        self.get(&format!("/api/games/{id}")).json()["game"].clone()
    }

    /// Asks for the game until this holds.
    pub(crate) fn wait(&self, id: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let begin = Instant::now();
        loop {
            let game = self.show(id);
            if holds(&game) {
                return game;
            }
            assert!(begin.elapsed() < Duration::from_secs(20), "waited in vain: {game}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Looks on at a game.
    pub(crate) fn watch(&self, id: &str, token: Option<&str>) -> Watcher {
        let stream = TcpStream::connect(self.addr).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let url = format!("ws://{}/api/games/{id}/live", self.addr);
        let (mut socket, _) = tungstenite::client(url, stream).unwrap();
        if let Some(token) = token {
            let hello = json!({"type": "hello", "token": token}).to_string();
            socket.send(Message::text(hello)).unwrap();
        }
        Watcher(socket)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.handle.stop();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(std::thread::panicking() || ended.is_ok());
        }
    }
}

/// One who looks on.
pub(crate) struct Watcher(pub(crate) WebSocket<TcpStream>);

impl Watcher {
    /// The next message.
    pub(crate) fn next(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.0.read().unwrap() {
                return serde_json::from_str(text.as_str()).unwrap();
            }
        }
    }

    /// The next message of a type for which this holds.
    pub(crate) fn until(&mut self, kind: &str, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next();
            if message["type"] == kind && holds(&message) {
                return message;
            }
        }
    }
}

/// The code of a refusal, after checking that it is one.
pub(crate) fn refused(answer: &Answer) -> String {
    assert!((400..500).contains(&answer.status), "{} {}", answer.status, answer.text());
    let error = &answer.json()["error"];
    assert!(text(&error["message"]).len() > 3);
    text(&error["code"])
}
