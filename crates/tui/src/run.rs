use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use emilia_record::{Game, WriteOptions};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use thiserror::Error;

use crate::terminal::translate;
use crate::worker::Workers;
use crate::{Effect, Event, Setup, State, view};

/// Why there is no terminal to play on.
#[derive(Debug, Error)]
#[error("the terminal cannot be used: {0}")]
pub struct TerminalError(#[from] io::Error);

/// How a file is written; only front ends touch files, so they say how.
pub type FileWriter<'a> = &'a mut dyn FnMut(&str, &[u8]) -> io::Result<()>;

/// How often the clocks are looked at.
const TICK: Duration = Duration::from_millis(100);

/// Plays on the whole terminal until somebody leaves. The terminal is as it was before, whatever happens.
pub fn run(setup: Setup, write: FileWriter<'_>) -> Result<(), TerminalError> {
    // Should anything panic, the terminal is put right first, so that the message can be read.
    let mut terminal = ratatui::try_init()?;
    let result = execute!(io::stdout(), EnableMouseCapture).and_then(|()| play(setup, &mut terminal, write));
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
    Ok(result?)
}

fn play(setup: Setup, terminal: &mut DefaultTerminal, write: FileWriter<'_>) -> io::Result<()> {
    let (send, events) = mpsc::channel();
    let answers = send.clone();
    let tell = Arc::new(move |event| answers.send(event).is_ok());
    let workers = Workers::new(setup.judge.clone(), setup.tree.clone(), tell);
    thread::Builder::new().name("keys".to_owned()).spawn(move || {
        while let Ok(sent) = event::read() {
            if translate(&sent).is_some_and(|event| send.send(event).is_err()) {
                return;
            }
        }
    })?;
    let mut session = Session { state: State::new(setup), workers };
    let size = terminal.size()?;
    let mut next = Event::Resize(size.width, size.height);
    let mut before = Instant::now();
    while session.hear(next, write) {
        next = match events.try_recv() {
            // What is waiting is taken in before it is drawn: a search may tell more than a terminal can show.
            Ok(event) => event,
            Err(_) => {
                terminal.draw(|frame| view(&session.state, frame))?;
                match events.recv_timeout(TICK) {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout) => Event::Time(Duration::ZERO),
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            }
        };
        // Whatever has happened, the clocks run.
        let now = Instant::now();
        if now - before >= TICK {
            if !session.hear(Event::Time(now - before), write) {
                return Ok(());
            }
            before = now;
        }
    }
    Ok(())
}

/// A state and whoever does what it wants.
pub(crate) struct Session {
    pub(crate) state: State,
    pub(crate) workers: Workers,
}

impl Session {
    /// Takes an event in and does what follows from it; whether to go on.
    pub(crate) fn hear(&mut self, event: Event, write: FileWriter<'_>) -> bool {
        for effect in self.state.update(event) {
            match self.workers.take(effect) {
                Some(Effect::Quit) => return false,
                Some(Effect::Save { file, game }) => {
                    let saved = save(&file, &game, write);
                    // Nothing follows from a file that is written but what is said of it.
                    self.state.update(Event::Saved(saved));
                }
                _ => {}
            }
        }
        true
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.workers.stop();
    }
}

/// Writes a game in the format that the ending of the name says; which one that was.
fn save(file: &str, game: &Game, write: FileWriter<'_>) -> Result<String, String> {
    let format = emilia_record::Format::of_file_name(file).ok_or("the ending of the name says no format")?;
    let options = WriteOptions::default();
    let bytes = emilia_record::write(format, std::slice::from_ref(game), &options)
        .map_err(|error| error.to_string())?;
    write(file, &bytes).map_err(|error| format!("{file}: {error}"))?;
    Ok(format.to_string())
}
