use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use emilia_rules::{Move, parse_move};

use crate::run::{FileWriter, Session};
use crate::worker::Workers;
use crate::{Command, Event, Setup, Speech, State, speech};

/// What can be typed where everything is said in lines.
const WORDS: &str = "\
d3: place a disc on d3. board: read the board. moves: what you can play. hint. analyse: lines until the next word. \
review: what every move gave away. undo, redo, first, last: through the game. back, forward: one move. \
pause, swap, new. save FILE. help. quit.";

/// The same without drawing anything: lines are read, and what is new is said in sentences, as a screen reader wants it.
pub fn run_spoken(
    setup: Setup,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    write: FileWriter<'_>,
) -> io::Result<()> {
    let (send, events) = mpsc::channel();
    let workers = Workers::new(
        setup.judge.clone(),
        setup.tree.clone(),
        Arc::new(move |event| send.send(event).is_ok()),
    );
    let session = Session { state: State::new(setup), workers };
    let mut session = Spoken { session, speech: Speech::default(), events };
    writeln!(out, "Type a square such as d3, or help.")?;
    session.hear(Event::Time(Duration::ZERO), out, write)?;
    let mut line = String::new();
    loop {
        session.wait(out, write)?;
        out.flush()?;
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        if !session.obey(line.trim(), out, write)? {
            return Ok(());
        }
    }
}

struct Spoken {
    session: Session,
    speech: Speech,
    events: Receiver<Event>,
}

impl Spoken {
    /// Does what a line says; whether to go on.
    fn obey(&mut self, line: &str, out: &mut dyn Write, write: FileWriter<'_>) -> io::Result<bool> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = match word.to_ascii_lowercase().as_str() {
            "" => return Ok(true),
            "quit" | "exit" => return Ok(false),
            "help" => return writeln!(out, "{WORDS}").map(|()| true),
            "board" => {
                let lines = speech::board(&self.session.state);
                return lines.iter().try_for_each(|line| writeln!(out, "{line}")).map(|()| true);
            }
            "moves" => return writeln!(out, "{}", speech::moves(&self.session.state)).map(|()| true),
            "hint" => Command::Hint,
            "analyse" | "analyze" => Command::Analyse,
            "review" => Command::Review,
            "undo" => Command::Undo,
            "redo" => Command::Redo,
            "first" => Command::First,
            "last" => Command::Last,
            "back" | "forward" => {
                let step = if word.eq_ignore_ascii_case("back") { -1 } else { 1 };
                return self.hear(Event::Wheel(step), out, write).map(|()| true);
            }
            "pause" => Command::Pause,
            "swap" => Command::Swap,
            "new" => Command::New,
            "save" => Command::Save(rest.trim().to_owned()),
            _ => match parse_move(line, self.session.state.game().size()) {
                Ok(Move::Place(point)) => Command::Place(point),
                Ok(Move::Pass) => return writeln!(out, "Passes are made for you.").map(|()| true),
                Err(error) => return writeln!(out, "{error}; help says what can be typed.").map(|()| true),
            },
        };
        self.hear(Event::Command(command), out, write)?;
        Ok(true)
    }

    /// Takes an event in and says what is new.
    fn hear(&mut self, event: Event, out: &mut dyn Write, write: FileWriter<'_>) -> io::Result<()> {
        self.session.hear(event, write);
        self.speech.news(&self.session.state).iter().try_for_each(|line| writeln!(out, "{line}"))
    }

    /// Waits for whoever is thinking, and says what comes of it.
    fn wait(&mut self, out: &mut dyn Write, write: FileWriter<'_>) -> io::Result<()> {
        /// After so long the clocks are looked at.
        const TICK: Duration = Duration::from_millis(100);
        while self.session.state.is_waiting() {
            out.flush()?;
            let event = self.events.recv_timeout(TICK).unwrap_or(Event::Time(TICK));
            self.hear(event, out, write)?;
        }
        while let Ok(event) = self.events.try_recv() {
            self.hear(event, out, write)?;
        }
        Ok(())
    }
}
