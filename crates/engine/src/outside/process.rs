use std::io::{Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use emilia_protocol::{Line, Lines};
use emilia_query::Fault;

use super::guard::Guard;

/// A program that is running, spoken to line by line. It ends when this is dropped: politely at first, then by force,
/// with everything it has started.
pub(super) struct Process {
    child: Child,
    guard: Guard,
    command: String,
    /// Lines for the program; nothing once it was left.
    say: Option<Sender<String>>,
    heard: Receiver<Heard>,
    last_words: Arc<Mutex<String>>,
    farewell: &'static str,
}

/// What came from the program.
pub(super) enum Heard {
    /// A line, and how many bytes it had.
    Line(String, usize),
    /// Nothing in the time that was waited.
    Nothing,
    /// The end of its output.
    End,
}

/// Lines that may wait to be read; then the program has to wait until it is listened to again.
const MOST_WAITING: usize = 256;
/// Bytes of a line that are kept. No answer is longer.
const LONGEST_LINE: usize = 1 << 16;
/// How long a program may take to end after it was told to.
pub(super) const PATIENCE: Duration = Duration::from_millis(500);
/// Bytes of its complaints that are kept.
const LAST_WORDS: usize = 400;

impl Process {
    /// Starts a program.
    pub(super) fn start(command: &[String], farewell: &'static str) -> Result<Process, Fault> {
        let failed = |reason: String| Fault::NotStarted { command: command.join(" "), reason };
        let (mut child, guard) = Guard::start(command, |start| {
            start.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        })
        .map_err(|error| failed(error.to_string()))?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (say, to_say) = mpsc::channel();
        let (hear, heard) = mpsc::sync_channel(MOST_WAITING);
        let last_words = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&last_words);
        let name = command.join(" ");
        let process = Process { child, guard, command: name, say: Some(say), heard, last_words, farewell };
        let (Some(input), Some(output), Some(errors)) = streams else {
            return Err(failed("it cannot be spoken to".to_owned()));
        };
        let spawned = thread::Builder::new().spawn(move || write(input, &to_say)).is_ok()
            && thread::Builder::new().spawn(move || read(output, &hear)).is_ok()
            && thread::Builder::new().spawn(move || remember(errors, &kept)).is_ok();
        if spawned { Ok(process) } else { Err(failed("there are too many threads".to_owned())) }
    }

    /// Sends a line. It is never waited for, however slowly the program reads.
    pub(super) fn say(&self, line: &str) {
        if let Some(say) = &self.say {
            // A program that is gone is noticed when it does not answer.
            let _ = say.send(format!("{line}\n"));
        }
    }

    /// Waits so long for a line.
    pub(super) fn hear(&self, time: Duration) -> Heard {
        match self.heard.recv_timeout(time) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Waits so long for the end of the program; whether it came.
    fn ends_within(&mut self, time: Duration) -> bool {
        let begin = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) {
            if begin.elapsed() > time {
                return false;
            }
            // Whoever still writes to us must not be kept waiting by a full pipe.
            while let Ok(Heard::Line(..)) = self.heard.try_recv() {}
            thread::sleep(Duration::from_millis(2));
        }
        true
    }

    /// What is wrong with a program that has closed its output when it was asked this.
    pub(super) fn fault(&self, asked: String) -> Fault {
        let said = self.last_words();
        match self.guard.not_started(&said) {
            Some(reason) => Fault::NotStarted { command: self.command.clone(), reason: reason.to_owned() },
            None => Fault::Crashed { asked, said },
        }
    }

    /// The last it wrote to standard error.
    fn last_words(&self) -> String {
        /// The way from its last breath to our notes.
        const DELAY: Duration = Duration::from_millis(30);
        thread::sleep(DELAY);
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        words.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.say(self.farewell);
        self.say = None;
        let gone = self.ends_within(PATIENCE);
        self.guard.end(gone);
        // Whoever kept the program ends too, now that it is gone.
        self.ends_within(PATIENCE);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write(mut input: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read(mut output: ChildStdout, hear: &SyncSender<Heard>) {
    let mut lines = Lines::new(LONGEST_LINE);
    let mut buffer = [0; 1 << 13];
    loop {
        let count = match output.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => count,
        };
        for line in lines.push(&buffer[..count]) {
            if hear.send(heard(line)).is_err() {
                return;
            }
        }
    }
    if let Some(line) = lines.end() {
        let _ = hear.send(heard(line));
    }
}

fn heard(line: Line) -> Heard {
    match line {
        Line::Text(text) => {
            let bytes = text.len() + 1;
            Heard::Line(text, bytes)
        }
        Line::TooLong(bytes) => Heard::Line(String::new(), bytes),
    }
}

fn remember(mut errors: ChildStderr, kept: &Mutex<String>) {
    let mut buffer = [0; 1 << 12];
    while let Ok(count @ 1..) = errors.read(&mut buffer) {
        let mut words = kept.lock().unwrap_or_else(PoisonError::into_inner);
        words.push_str(&String::from_utf8_lossy(&buffer[..count]));
        let mut cut = words.len().saturating_sub(LAST_WORDS);
        while !words.is_char_boundary(cut) {
            cut += 1;
        }
        words.drain(..cut);
    }
}
