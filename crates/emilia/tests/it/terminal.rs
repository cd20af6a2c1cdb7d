//! The game on the whole terminal, played in a real one by keys and by mouse.

use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A terminal of its own with the program in it, which ends with the test.
struct Terminal {
    name: String,
}

impl Terminal {
    fn start(name: &str, size: (u16, u16), arguments: &str) -> Terminal {
        let terminal = Terminal { name: format!("emilia-{name}-{}", std::process::id()) };
        let command = format!("LC_ALL=C.UTF-8 {} tui {arguments}", env!("CARGO_BIN_EXE_emilia"));
        let (columns, rows) = (size.0.to_string(), size.1.to_string());
        let session = ["-f", "/dev/null", "new-session", "-d", "-x", &columns, "-y", &rows, &command];
        assert!(terminal.tmux(&session).status.success());
        terminal
    }

    /// A server of its own, so that nothing of the user's is seen or touched.
    fn tmux(&self, arguments: &[&str]) -> Output {
        Command::new("tmux").args(["-L", &self.name]).args(arguments).output().unwrap()
    }

    fn keys(&self, keys: &[&str]) {
        assert!(self.tmux(&[&["send-keys"], keys].concat()).status.success());
    }

    fn screen(&self) -> String {
        String::from_utf8(self.tmux(&["capture-pane", "-p"]).stdout).unwrap()
    }

    /// Waits until the screen shows this.
    fn shows(&self, text: &str) -> String {
        let begin = Instant::now();
        loop {
            let screen = self.screen();
            if screen.contains(text) {
                return screen;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "{text:?} is not to be seen:\n{screen}");
            sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
#[ignore = "needs tmux: cargo xtask test runs it"]
fn a_game_is_played_by_keys_and_by_mouse() {
    let terminal = Terminal::start("keys", (80, 24), "--white greedy");
    terminal.shows("Black   2  you");
    terminal.keys(&["f", "5"]);
    let screen = terminal.shows("White plays");
    assert!(screen.contains(" 1 f5"), "{screen}");
    terminal.keys(&["?"]);
    terminal.shows("What can be typed");
    terminal.keys(&["Escape"]);
    // Read together with the next key, Escape would be Alt.
    terminal.shows(" 1 f5");
    terminal.keys(&["U"]);
    terminal.shows("Black   2  you");
    // A click into the middle of d3, as terminals send it: column and row from 1.
    terminal.keys(&["-l", "\u{1b}[<0;18;7M\u{1b}[<0;18;7m"]);
    let screen = terminal.shows("1 d3");
    assert!(screen.contains("greedy"), "{screen}");
    terminal.keys(&["Q"]);
    let begin = Instant::now();
    while terminal.tmux(&["has-session"]).status.success() {
        assert!(begin.elapsed() < Duration::from_secs(60), "it does not end");
        sleep(Duration::from_millis(50));
    }
}

#[test]
#[ignore = "needs tmux: cargo xtask test runs it"]
fn a_game_is_reviewed_without_colours_and_without_unicode() {
    let terminal =
        Terminal::start("review", (80, 24), "--color never --ascii --judge emilia:level=1 f5d6c3d3c4");
    terminal.keys(&["End"]);
    terminal.shows(" 5 c4");
    terminal.keys(&["V"]);
    let screen = terminal.shows("Accuracy: Black");
    assert!(screen.is_ascii() && screen.contains("(X)"), "{screen}");
    assert!(screen.contains("Black's prospects"), "{screen}");
}
