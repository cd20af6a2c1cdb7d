//! The server as a process, with a hand on its life. The torture harness uses this file too.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Answer, get, post};

pub(crate) struct Process {
    pub(crate) child: Child,
    pub(crate) addr: SocketAddr,
}

impl Process {
    pub(crate) fn spawn(mut command: Command, folder: &Path, log: &str, stderr: impl Into<Stdio>) -> Process {
        let mut child = command
            .args(["serve", "--addr", "127.0.0.1:0", "--no-open", "--log", log, "--data"])
            .arg(folder)
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let addr = line.trim().strip_prefix("http://").unwrap().parse().unwrap();
        Process { child, addr }
    }

    pub(crate) fn play(&self, id: &str, token: &str, mv: &str) -> Answer {
        post(self.addr, &format!("/api/games/{id}/moves"), Some(token), &json!({"move": mv}))
    }

    pub(crate) fn health(&self) -> Value {
        get(self.addr, "/healthz", None).json()["status"].clone()
    }

    /// As the system asks a program to end.
    pub(crate) fn terminate(mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let begin = Instant::now();
        assert!(self.child.wait().unwrap().success());
        assert!(begin.elapsed() < Duration::from_secs(10));
    }

    /// As the system kills: no warning, no clean end.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn wait(&self, id: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let begin = Instant::now();
        loop {
            let game = get(self.addr, &format!("/api/games/{id}"), None).json()["game"].clone();
            if holds(&game) {
                return game;
            }
            assert!(begin.elapsed() < Duration::from_secs(30), "waited in vain: {game}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("emilia-serve-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
