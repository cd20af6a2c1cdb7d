//! How the server bears a crowd: `cargo run --release -p emilia-server --example load [GAMES] [WATCHERS] [SECONDS]`.
//!
//! Opens so many games and lets so many look on at one of them, while four pairs of computers think. Then moves are
//! made at random and in the watched game, and the times are printed: until the answer, and until the last watcher has
//! the new position. The machine's limit of open files must allow the watchers twice (`ulimit -n`).

#![allow(clippy::print_stdout, reason = "an example talks to a person")]

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use emilia_server::{Config, Limits, serve};
use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let number = |at: usize, usual: usize| std::env::args().nth(at).map_or(Ok(usual), |text| text.parse());
    let (games, watchers, seconds) = (number(1, 1000)?, number(2, 500)?, number(3, 10)?);
    let folder = std::env::temp_dir().join(format!("emilia-load-{}", std::process::id()));
    // The crowd comes from one address, so that the limits for one client are not meant for it.
    let free = (1e6, 1e6);
    let limits = Limits { requests: free, games: free, connections_each: 4000, ..Limits::default() };
    let data = Some(folder.clone());
    let config = Config { addr: "127.0.0.1:0".parse()?, data, limits, ..Config::ephemeral() };
    let (send, receive) = mpsc::channel();
    let server = std::thread::spawn(move || serve(config, |addr, handle| drop(send.send((addr, handle)))));
    let (addr, handle) = receive.recv()?;
    let result = crowd(addr, games, watchers, Duration::from_secs(seconds as u64));
    handle.stop();
    let _ = server.join();
    let _ = std::fs::remove_dir_all(folder);
    result
}

fn crowd(addr: SocketAddr, games: usize, watchers: usize, time: Duration) -> Outcome<()> {
    let mut client = Client::connect(addr)?;
    let before = resident_kib();
    let mut opened = Vec::new();
    for _ in 0..games {
        let made = client.post("/api/games", "", &json!({"mode": "local"}))?;
        opened.push(Opened::new(&made));
    }
    for game in &mut opened {
        // In the middle of a game, where the move list has some length.
        for _ in 0..30 {
            game.play(&mut client)?;
        }
    }
    let each = resident_kib().saturating_sub(before) as f64 / games.max(1) as f64;
    println!("{games} games of 30 moves: {each:.1} KiB each");
    for _ in 0..4 {
        let player = json!({"player": "iterative:time=2s"});
        client.post("/api/games", "", &json!({"mode": "watch", "black": player, "white": player}))?;
    }
    let (seen, arrivals) = mpsc::channel();
    let watched = Opened::new(&client.post("/api/games", "", &json!({"mode": "local", "size": 26}))?);
    let url = format!("ws://{addr}/api/games/{}/live", watched.id);
    for _ in 0..watchers {
        let (socket, _) = tungstenite::client(url.as_str(), TcpStream::connect(addr)?)?;
        let seen = seen.clone();
        std::thread::Builder::new().stack_size(256 << 10).spawn(move || watch(socket, &seen))?;
    }
    opened.insert(0, watched);
    let (mut answers, mut screens) = (Vec::new(), Vec::new());
    let begin = Instant::now();
    let mut turn = 1;
    while begin.elapsed() < time {
        turn = (turn * 7919 + 13) % opened.len();
        for at in [0, turn] {
            let asked = Instant::now();
            let ply = opened[at].play(&mut client)?;
            answers.push(asked.elapsed());
            if at == 0 {
                let mut left = watchers;
                while left > 0 {
                    let (seen, when): (u64, Instant) = arrivals.recv_timeout(Duration::from_secs(30))?;
                    if seen == ply {
                        left -= 1;
                        if left == 0 {
                            screens.push(when.duration_since(asked));
                        }
                    }
                }
            }
        }
    }
    tell("until the answer", &mut answers);
    tell(&format!("until the last of {watchers} screens"), &mut screens);
    Ok(())
}

/// Reports the ply of every snapshot that arrives.
fn watch(mut socket: tungstenite::WebSocket<TcpStream>, seen: &mpsc::Sender<(u64, Instant)>) {
    let mut last = u64::MAX;
    while let Ok(message) = socket.read() {
        let when = Instant::now();
        let Ok(text) = message.to_text() else { continue };
        // The whole message need not be understood to find the number.
        let ply = text.split("\"passes\":").nth(1).and_then(|rest| rest.split("\"ply\":").nth(1));
        let ply = ply.and_then(|rest| rest.split([',', '}']).next()?.parse().ok());
        if let Some(ply) = ply.filter(|ply| *ply != last) {
            last = ply;
            if seen.send((ply, when)).is_err() {
                return;
            }
        }
    }
}

fn tell(what: &str, times: &mut [Duration]) {
    times.sort();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    println!(
        "{what}: {} times, half within {:.1?}, 99 % within {:.1?}, all within {:.1?}",
        times.len(),
        at(0.5),
        at(0.99),
        times.last().copied().unwrap_or_default()
    );
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

/// A game and what can be played in it.
struct Opened {
    id: String,
    token: String,
    legal: Vec<String>,
}

impl Opened {
    fn new(made: &Value) -> Opened {
        let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
        let mut game =
            Opened { id: text(&made["game"]["id"]), token: text(&made["token"]), legal: Vec::new() };
        game.look(made);
        game
    }

    fn look(&mut self, view: &Value) {
        let legal = view["game"]["legal"].as_array().into_iter().flatten();
        self.legal = legal.filter_map(|legal| legal["square"].as_str().map(str::to_owned)).collect();
    }

    /// Plays any move, or begins again by taking one back. Returns how many moves there are then.
    fn play(&mut self, client: &mut Client) -> Outcome<u64> {
        let path = format!("/api/games/{}", self.id);
        let middle = self.legal.len() / 2;
        let view = match self.legal.get(middle) {
            Some(square) => client.post(&format!("{path}/moves"), &self.token, &json!({"move": square}))?,
            None => client.post(&format!("{path}/undo"), &self.token, &json!({}))?,
        };
        self.look(&view);
        view["game"]["ply"].as_u64().ok_or_else(|| view.to_string().into())
    }
}

/// A connection that is kept.
struct Client(BufReader<TcpStream>);

impl Client {
    fn connect(addr: SocketAddr) -> Outcome<Client> {
        let stream = TcpStream::connect(addr)?;
        stream.set_nodelay(true)?;
        Ok(Client(BufReader::new(stream)))
    }

    /// Asks, and asks again when told to slow down.
    fn post(&mut self, path: &str, token: &str, body: &Value) -> Outcome<Value> {
        loop {
            let answer = self.ask(path, token, &body.to_string())?;
            if answer["error"]["code"] != "too_many" {
                return Ok(answer);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn ask(&mut self, path: &str, token: &str, body: &str) -> Outcome<Value> {
        let bearer =
            if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\n{bearer}Content-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.0.get_mut().write_all(request.as_bytes())?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line)?;
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        let mut bytes = vec![0; length];
        self.0.read_exact(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes)?)
    }
}
