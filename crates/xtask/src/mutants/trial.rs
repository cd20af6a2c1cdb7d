//! Tests that try faults: first the one that has noticed most for its time, then the others that reach the fault.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::chore::{ChoreError, capture, root};

/// Test processes at the same time.
const AT_ONCE: usize = 2;
/// A test hangs when it takes so many times as much of a processor as without a fault, and this much more; or so much more
/// time by the clock, while others may need the processor, too.
const TIMES: u32 = 3;
const MORE: Duration = Duration::from_secs(1);
const BY_THE_CLOCK: u32 = 20;
/// Kilobytes that a test may take: a fault may ask for all there are.
const MEMORY: u32 = 4_000_000;
/// The longest that a test may take without a fault.
const SLOWEST: Duration = Duration::from_secs(600);

/// What became of a fault.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// By this test.
    Noticed(String),
    DoesNotCompile,
    Missed,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Noticed(test) => write!(f, "noticed\t{test}"),
            Verdict::DoesNotCompile => f.write_str("does not compile"),
            Verdict::Missed => f.write_str("missed"),
        }
    }
}

/// One test, and what it takes without a fault.
#[derive(Debug)]
struct Test {
    /// The name of the program it is in.
    target: String,
    name: String,
    time: Duration,
    /// The faults whose code it comes to.
    reached: BTreeSet<usize>,
    /// How many faults it was tried on first, and how many of them it noticed.
    tried: AtomicU32,
    noticed: AtomicU32,
}

impl Test {
    /// Seconds that it takes to notice a fault, by what it has noticed so far.
    fn price(&self) -> f64 {
        let (tried, noticed) = (self.tried.load(Relaxed), self.noticed.load(Relaxed));
        self.time.as_secs_f64() * f64::from(tried + 2) / f64::from(noticed + 1)
    }
}

/// Variables that a test is run with.
type Variables<'v> = [(&'v str, OsString)];

/// All quick tests of a crate.
pub struct Crew {
    programs: BTreeMap<String, PathBuf>,
    folder: PathBuf,
    tests: Vec<Test>,
}

impl Crew {
    /// Runs every test without a fault, and notes which faults it would reach.
    pub fn new(programs: BTreeMap<String, PathBuf>, folder: PathBuf) -> Result<Crew, ChoreError> {
        let mut crew = Crew { programs, folder, tests: Vec::new() };
        for (target, program) in &crew.programs {
            let ignored = names(program, &["--ignored"])?;
            for name in names(program, &[])?.difference(&ignored) {
                let Some(test) = crew.note(target, name)? else {
                    println!("left out, because it fails without a fault: {name}");
                    continue;
                };
                println!("{:8.2} s, {:4} faults: {name}", test.time.as_secs_f64(), test.reached.len());
                crew.tests.push(test);
            }
        }
        Ok(crew)
    }

    /// Writes down what a test takes and reaches, if it passes.
    fn note(&self, target: &str, name: &str) -> Result<Option<Test>, ChoreError> {
        let notes = root().join("target/switched.notes");
        // There is none before the first test.
        let _ = std::fs::remove_file(&notes);
        let variables = [("FAULT", "note".into()), ("FAULT_NOTES", notes.clone().into_os_string())];
        let Ended { failing, time } = self.end(target, &[name], &variables, SLOWEST)?;
        if failing.is_some() {
            return Ok(None);
        }
        let numbers = std::fs::read_to_string(&notes).unwrap_or_default();
        let reached = numbers.lines().filter_map(|line| line.parse().ok()).collect();
        let (target, name) = (target.to_owned(), name.to_owned());
        let (tried, noticed) = (AtomicU32::new(0), AtomicU32::new(0));
        Ok(Some(Test { target, name, time, reached, tried, noticed }))
    }

    /// How these tests end that may take so long.
    fn end(
        &self,
        target: &str,
        names: &[&str],
        variables: &Variables<'_>,
        limit: Duration,
    ) -> Result<Ended, ChoreError> {
        let mut command = Command::new("sh");
        let seconds = limit.as_secs() + 1;
        command.arg("-c").arg(format!("ulimit -v {MEMORY}; ulimit -t {seconds}; exec \"$0\" \"$@\""));
        command.arg(&self.programs[target]).args(["--test-threads", "1", "--exact"]).args(names);
        command.envs(variables.iter().map(|(name, value)| (name, value))).current_dir(&self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let start = |error| ChoreError::Start { program: names.join(" "), error };
        let mut child = command.spawn().map_err(start)?;
        watch(&mut child, limit * BY_THE_CLOCK).map_err(start)
    }

    /// Tries these faults, each with the tests that reach it, and hands over what became of each.
    pub fn try_each(
        &self,
        faults: &BTreeSet<usize>,
        mut done: impl FnMut(usize, Verdict) -> Result<(), ChoreError>,
    ) -> Result<(), ChoreError> {
        // Those that a quick test reaches come first.
        let mut faults: Vec<usize> = faults.iter().copied().collect();
        faults.sort_by_key(|number| self.reaching(*number).map(|test| test.time).min());
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..AT_ONCE {
                let (sender, next, faults) = (sender.clone(), &next, &faults);
                scope.spawn(move || {
                    while let Some(number) = faults.get(next.fetch_add(1, Relaxed)) {
                        let variables = [("FAULT", number.to_string().into())];
                        let verdict = self.try_with(self.reaching(*number).collect(), &variables);
                        if sender.send((*number, verdict)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            receiver.iter().try_for_each(|(number, verdict)| done(number, verdict?))
        })
    }

    /// The tests that come to the code of a fault.
    fn reaching(&self, number: usize) -> impl Iterator<Item = &Test> {
        self.tests.iter().filter(move |test| test.reached.contains(&number))
    }

    /// The best test by itself, then all others of each program in one go, which loads weights and the like once.
    fn try_with(&self, mut tests: Vec<&Test>, variables: &Variables<'_>) -> Result<Verdict, ChoreError> {
        tests.sort_by(|one, other| one.price().total_cmp(&other.price()));
        let Some((first, others)) = tests.split_first() else { return Ok(Verdict::Missed) };
        first.tried.fetch_add(1, Relaxed);
        if let Some(name) = self.failing_of(&[first], variables)? {
            first.noticed.fetch_add(1, Relaxed);
            return Ok(Verdict::Noticed(name));
        }
        for target in self.programs.keys() {
            let here: Vec<&Test> = others.iter().copied().filter(|test| test.target == *target).collect();
            if let Some(name) = self.failing_of(&here, variables)? {
                if let Some(test) = here.iter().find(|test| test.name == name) {
                    test.noticed.fetch_add(1, Relaxed);
                }
                return Ok(Verdict::Noticed(name));
            }
        }
        Ok(Verdict::Missed)
    }

    /// The first of these tests of one program that notices the fault.
    fn failing_of(&self, tests: &[&Test], variables: &Variables<'_>) -> Result<Option<String>, ChoreError> {
        let Some(first) = tests.first() else { return Ok(None) };
        let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
        let time: Duration = tests.iter().map(|test| test.time).sum();
        Ok(self.end(&first.target, &names, variables, time * TIMES + MORE)?.failing)
    }
}

/// The names of a program's tests.
fn names(program: &Path, options: &[&str]) -> Result<BTreeSet<String>, ChoreError> {
    let output = capture(Command::new(program).args(["--list", "--format", "terse"]).args(options))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// How a process of tests ended.
struct Ended {
    /// The first test that failed, or the last before the process ended badly or took too long.
    failing: Option<String>,
    /// What it took of a processor.
    time: Duration,
}

/// Waits for the first test that fails, or for the end.
fn watch(child: &mut Child, limit: Duration) -> std::io::Result<Ended> {
    let (sender, receiver) = mpsc::channel();
    let lines = child.stdout.take().map(BufReader::new);
    std::thread::spawn(move || {
        let lines = lines.into_iter().flat_map(|lines| lines.split(b'\n')).map_while(Result::ok);
        lines.map(|line| sender.send(String::from_utf8_lossy(&line).into_owned())).all(|sent| sent.is_ok())
    });
    let began = Instant::now();
    let mut last = "the first test".to_owned();
    loop {
        match receiver.recv_timeout(limit.saturating_sub(began.elapsed())) {
            Ok(line) => {
                let test = line.strip_prefix("test ").and_then(|line| line.split_once(" ... "));
                let Some((name, ended)) = test else { continue };
                last = name.to_owned();
                if ended.ends_with("FAILED") {
                    break;
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let time = processor_time(child.id());
                let ended_well = child.wait()?.success();
                return Ok(Ended { failing: (!ended_well).then(|| format!("after {last}")), time });
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                last = format!("too late after {last}");
                break;
            }
        }
    }
    child.kill()?;
    child.wait()?;
    Ok(Ended { failing: Some(last), time: Duration::ZERO })
}

/// What a process has taken of a processor so far, in hundredths of a second: the 14th and 15th word that Linux says of it.
fn processor_time(process: u32) -> Duration {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let words = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = words.skip(11).take(2).filter_map(|word| word.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks.max(1))
}
