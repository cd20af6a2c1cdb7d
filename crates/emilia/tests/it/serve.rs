//! The server as a process: killed in mid-game and started again, it loses no accepted move.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{get, post, raw, request, text};
use crate::process::{Folder, Process};

fn start(folder: &Path) -> Process {
    Process::spawn(Command::new(env!("CARGO_BIN_EXE_emilia")), folder, "warn", Stdio::inherit())
}

#[test]
fn a_kill_in_mid_game_loses_no_accepted_move() {
    let folder = Folder::new("kill");
    let mut process = start(&folder.0);
    let wanted =
        json!({"mode": "computer", "size": 6, "white": {"player": "alphabeta:depth=2"}, "pause_ms": 0});
    let made = post(process.addr, "/api/games", None, &wanted).json();
    let (id, token) = (text(&made["game"]["id"]), text(&made["token"]));
    let local = post(process.addr, "/api/games", None, &json!({"mode": "local"})).json();
    let (other, key) = (text(&local["game"]["id"]), text(&local["token"]));
    let mut accepted = 0;
    for round in 0.. {
        let game = process.wait(&id, |game| game["status"] == "over" || game["turn"] == "black");
        if game["status"] == "over" {
            break;
        }
        let square = game["legal"][0]["square"].clone();
        let play =
            post(process.addr, &format!("/api/games/{id}/moves"), Some(&token), &json!({"move": square}));
        assert_eq!(play.status, 200, "{}", play.text());
        let ply = play.json()["game"]["ply"].as_u64().unwrap();
        if let Some(mv) = ["d3", "c3", "c4", "e3", "f2"].get(round) {
            let play =
                post(process.addr, &format!("/api/games/{other}/moves"), Some(&key), &json!({"move": mv}));
            assert_eq!(play.status, 200, "{}", play.text());
            accepted += 1;
        }
        if round % 4 == 1 {
            // Right after the answer, perhaps while the computer thinks.
            process.kill();
            process = start(&folder.0);
            let found = process.wait(&id, |_| true);
            assert!(found["ply"].as_u64() >= Some(ply), "{found}");
            assert_eq!(found["moves"][game["ply"].as_u64().unwrap() as usize]["move"], square);
            assert_eq!(process.wait(&other, |_| true)["ply"], accepted);
        }
    }
    // The finished game is still there after another restart.
    process.kill();
    let process = start(&folder.0);
    assert_eq!(process.wait(&id, |_| true)["status"], "over");
    process.kill();
}

#[test]
fn a_polite_end_answers_what_is_under_way_and_leaves_everything_on_disk() {
    let folder = Folder::new("term");
    let process = start(&folder.0);
    let made = post(process.addr, "/api/games", None, &json!({"mode": "local"})).json();
    let page = request(process.addr, "GET", "/", &[], b"");
    assert!(page.status == 200 && page.text().contains("<title>"));
    assert!(raw(process.addr, b"nonsense\r\n\r\n").is_none_or(|answer| answer.status == 400));
    if cfg!(unix) {
        process.terminate();
    } else {
        process.kill();
    }
    let process = start(&folder.0);
    let game = process.wait(&text(&made["game"]["id"]), |_| true);
    assert_eq!(game["status"], "playing");
    process.kill();
}

/// Whoever starts the program twice gets a second page, and the games of the first stay its own.
#[test]
fn a_second_server_takes_another_port_and_leaves_the_folder_alone() {
    let folder = Folder::new("twice");
    let start = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_emilia"));
        command.args(["serve", "--no-open", "--log", "warn"]).args(more).env("XDG_DATA_HOME", &folder.0);
        command.env("LOCALAPPDATA", &folder.0).env("HOME", &folder.0);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let address = |child: &mut Child| {
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        line.trim().strip_prefix("http://").unwrap().parse::<SocketAddr>().unwrap()
    };
    let mut first = start(&[]);
    let one = address(&mut first);
    let mut second = start(&[]);
    let two = address(&mut second);
    assert_ne!(one.port(), two.port());
    assert_eq!(get(two, "/healthz", None).status, 200);
    second.kill().unwrap();
    let said = String::from_utf8(second.wait_with_output().unwrap().stderr).unwrap();
    assert!(said.contains("in memory only") && said.contains("is taken"), "{said}");
    // An address or a folder that was asked for is used or refused.
    let third = start(&["--addr", &one.to_string(), "--ephemeral"]).wait_with_output().unwrap();
    assert!(!third.status.success() && String::from_utf8_lossy(&third.stderr).contains("cannot listen"));
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn a_server_that_tells_everything_still_answers_and_ends() {
    let folder = Folder::new("debug");
    std::fs::create_dir_all(&folder.0).unwrap();
    let log = folder.0.join("log");
    let emilia = Command::new(env!("CARGO_BIN_EXE_emilia"));
    let process = Process::spawn(emilia, &folder.0, "debug", std::fs::File::create(&log).unwrap());
    assert_eq!(process.health(), "ok");
    if cfg!(unix) {
        process.terminate();
    } else {
        process.kill();
    }
    assert!(std::fs::read_to_string(&log).unwrap().contains("/healthz"));
}

/// A disk that is full for a while: what cannot be kept is refused at once, and all goes on when there is room again.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_got_over_without_losing_anything_acknowledged() {
    let folder = Folder::new("full");
    std::fs::create_dir_all(&folder.0).unwrap();
    let log = folder.0.join("log");
    let mut shell = Command::new("sh");
    // A limit on the size of files stands for the end of the disk.
    shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_emilia")]);
    let log_file = std::fs::File::options().create(true).append(true).open(&log).unwrap();
    let process = Process::spawn(shell, &folder.0, "info", log_file);
    let game = |process: &Process| {
        let made = post(process.addr, "/api/games", None, &json!({"mode": "local"})).json();
        (text(&made["game"]["id"]), text(&made["token"]))
    };
    let ((one, token), (two, key)) = (game(&process), game(&process));
    assert_eq!(process.play(&one, &token, "d3").status, 200);
    let room = |bytes: &str| {
        let pid = process.child.id().to_string();
        let limit = format!("--fsize={bytes}:");
        assert!(Command::new("prlimit").args(["--pid", &pid, &limit]).status().unwrap().success());
    };
    room("20000");
    let begin = Instant::now();
    for answer in
        [process.play(&one, &token, "c3"), process.play(&two, &key, "d3"), process.play(&one, &token, "c4")]
    {
        assert_eq!((answer.status, text(&answer.json()["error"]["code"])), (503, "not_saved".to_owned()));
    }
    assert_eq!(post(process.addr, "/api/games", None, &json!({"mode": "local"})).status, 503);
    // A minute is what a request without an answer takes.
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
    assert_eq!(process.health(), "degraded");
    // Those who play go on from what is in memory.
    assert_eq!(process.wait(&one, |_| true)["ply"], 3);
    room("unlimited");
    while process.health() != "ok" {
        assert!(begin.elapsed() < Duration::from_secs(90), "it does not go on");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(process.play(&two, &key, "c3").status, 200);
    process.kill();
    let told = std::fs::read_to_string(&log).unwrap();
    assert_eq!(told.matches("cannot be written").count(), 1, "{told}");
    assert_eq!(told.matches("can be written again").count(), 1, "{told}");
    let process = start(&folder.0);
    assert_eq!(
        (&process.wait(&one, |_| true)["ply"], &process.wait(&two, |_| true)["ply"]),
        (&json!(3), &json!(2))
    );
    process.kill();
}

/// SQLite throws away what is in the log of an empty file; the server rather does not begin.
#[test]
fn a_file_that_was_emptied_is_not_taken_for_a_new_one() {
    let folder = Folder::new("emptied");
    let process = start(&folder.0);
    post(process.addr, "/api/games", None, &json!({"mode": "local"}));
    process.kill();
    let [file, log] = ["emilia.sqlite", "emilia.sqlite-wal"].map(|name| folder.0.join(name));
    let kept = std::fs::read(&log).unwrap();
    for missing in [false, true] {
        if missing {
            std::fs::remove_file(&file).unwrap();
        } else {
            std::fs::write(&file, b"").unwrap();
        }
        let refused = Command::new(env!("CARGO_BIN_EXE_emilia"))
            .args(["serve", "--addr", "127.0.0.1:0", "--no-open", "--data"])
            .arg(&folder.0)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && said.contains("emilia.sqlite-wal"), "{said}");
        assert_eq!(std::fs::read(&log).unwrap(), kept);
    }
}

/// Many games of a player with much memory keep within what the server may take, and all go on.
#[cfg(target_os = "linux")]
#[test]
fn a_crowd_of_thinking_players_keeps_within_the_memory_of_the_server() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args([
            "serve",
            "--addr",
            "127.0.0.1:0",
            "--no-open",
            "--ephemeral",
            "--log",
            "warn",
            "--memory",
            "300",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let process = Process { addr: line.trim().strip_prefix("http://").unwrap().parse().unwrap(), child };
    let player = json!({"player": "emilia:level=4"});
    let wanted = json!({"mode": "watch", "black": player, "white": player, "pause_ms": 0});
    let games: Vec<String> = (0..60)
        .map(|_| text(&post(process.addr, "/api/games", None, &wanted).json()["game"]["id"]))
        .collect();
    for id in &games {
        process.wait(id, |game| game["ply"].as_u64() > Some(6));
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kibibytes: u64 = peak.trim().trim_end_matches("kB").trim().parse().unwrap();
    process.kill();
    assert!(kibibytes < 300 << 10, "{} MiB", kibibytes >> 10);
}

/// What the health check of a container calls.
#[test]
fn whether_a_server_is_well_can_be_asked_without_a_browser() {
    use std::io::{Read, Write};
    let health = |addr: SocketAddr| {
        let mut emilia = Command::new(env!("CARGO_BIN_EXE_emilia"));
        let output = emilia.args(["health", &addr.to_string()]).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(said).unwrap())
    };
    let folder = Folder::new("health");
    let process = start(&folder.0);
    let addr = process.addr;
    assert_eq!(health(addr), (Some(0), "ok\n".to_owned()));
    process.kill();
    let (status, said) = health(addr);
    assert!(status == Some(1) && said.contains(&format!("no server answers at {addr}")), "{said}");
    // Something else may have taken the port.
    let stranger = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let other = stranger.local_addr().unwrap();
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = stranger.accept().unwrap();
        assert_ne!(stream.read(&mut [0; 1000]).unwrap(), 0);
        stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n{\"status\": \"ok\"}").unwrap();
    });
    let (status, said) = health(other);
    assert!(status == Some(1) && said.contains("is no server of Emilia"), "{said}");
    answering.join().unwrap();
}

/// From the menu of a desktop: one window, and nothing is left running when it is closed.
#[cfg(unix)]
#[test]
fn a_server_with_a_window_ends_with_it_and_a_second_one_only_opens_another() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("window");
    std::fs::create_dir_all(&folder.0).unwrap();
    let browser = folder.0.join("chromium");
    // It says what it was to show, and is open until somebody closes it, or until the folder is gone: the test may end first.
    let script = r#"#!/bin/sh
echo "$@" >> "$HOME/shown"
while [ -d "$HOME" ] && [ ! -e "$HOME/closed" ]; do sleep 0.1; done
"#;
    std::fs::write(&browser, script).unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.0.display(), std::env::var("PATH").unwrap());
    let start = |addr: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_emilia"));
        command.args(["serve", "--window", "--ephemeral", "--log", "off", "--addr", addr]);
        command.env("PATH", &path).env("HOME", &folder.0).env("XDG_DATA_HOME", &folder.0);
        command.stdout(Stdio::piped()).spawn().unwrap()
    };
    let mut first = start("127.0.0.1:0");
    let mut line = String::new();
    BufReader::new(first.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim();
    let shown = || std::fs::read_to_string(folder.0.join("shown")).unwrap_or_default();
    assert!(shown().starts_with(&format!("--app={address} ")), "{}", shown());
    // The second one leaves its window to itself and is gone.
    assert!(start(address.strip_prefix("http://").unwrap()).wait().unwrap().success());
    assert_eq!(shown().matches(&format!("--app={address} ")).count(), 2, "{}", shown());
    std::fs::write(folder.0.join("closed"), "").unwrap();
    assert!(first.wait().unwrap().success());
}
