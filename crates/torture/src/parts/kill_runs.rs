//! Long work is killed, or meets a full disk, and is taken up again until it is done. It ends with the same bytes as
//! work that nobody disturbed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::part::{Round, Tally};
use crate::programs::{emilia, ended};

/// Work that can be taken up again.
struct Work {
    /// The call that begins it, with its files in the current folder.
    begin: Vec<String>,
    /// The call that goes on, if there is this file.
    resume: Option<(&'static str, Vec<String>)>,
    /// What must be the same in the end: all files with this ending.
    results: &'static str,
}

/// Most kills before it is left alone: work that never got anywhere would never end.
const MOST_KILLS: u64 = 6;

pub(crate) fn round(round: &mut Round) -> Tally {
    let seed = round.below(1000).to_string();
    let work = match round.number % 3 {
        0 => selfplay(&seed, round.scaled(60, 24)),
        1 => evolution(&seed),
        _ => training(round),
    };
    let [whole, hurt] = ["whole", "hurt"].map(|name| round.folder.join(name));
    for folder in [&whole, &hurt] {
        std::fs::create_dir_all(folder).unwrap();
        if let Ok(data) = std::fs::read(round.folder.join("data.emd")) {
            std::fs::write(folder.join("data.emd"), data).unwrap();
        }
    }
    let begin = Instant::now();
    let undisturbed = ended(work.call(&whole).current_dir(&whole));
    assert!(undisturbed.status.success(), "{}", undisturbed.err);
    let whole_ms = begin.elapsed().as_millis() as u64;
    let (mut kills, mut full) = (0, 0);
    for _ in 0..MOST_KILLS {
        // One in four meets a full disk instead: files may become only so large.
        if cfg!(unix) && round.below(4) == 0 {
            full += u64::from(meets_full_disk(&work, &hurt, 1 + round.below(30)));
            continue;
        }
        let mut child = work.call(&hurt).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(round.below(whole_ms.max(2))));
        child.kill().unwrap();
        let done = child.wait().unwrap().success();
        kills += u64::from(!done);
        if done {
            break;
        }
    }
    let rest = ended(&mut work.call(&hurt));
    assert!(rest.status.success(), "{:?}: {}", work.begin, rest.err);
    assert_eq!(work.results(&hurt), work.results(&whole), "{:?}", work.begin);
    Tally::of(kills).count("full disks", full).count("results compared", 1)
}

/// Runs work in which no file may become larger than so many kilobytes. Returns whether that stopped it; it must say so
/// in a sentence.
fn meets_full_disk(work: &Work, folder: &Path, kilobytes: u64) -> bool {
    let call = work.call(folder);
    let mut shell = Command::new("sh");
    // Shells count in blocks of 512 bytes. The signal is ignored, so that writing fails as on a full disk.
    shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", 2 * kilobytes)]);
    shell.arg(call.get_program()).args(call.get_args()).current_dir(folder);
    let met = ended(&mut shell);
    if met.status.success() {
        return false;
    }
    assert_eq!(met.status.code(), Some(1), "{:?}: {}", work.begin, met.err);
    let last = met.err.lines().last().unwrap_or_default();
    assert!(last.starts_with("emilia: "), "{:?}: {}", work.begin, met.err);
    true
}

impl Work {
    /// The call that comes next in this folder.
    fn call(&self, folder: &Path) -> Command {
        let mut command = emilia();
        let words = match &self.resume {
            Some((file, words)) if folder.join(file).exists() => words,
            _ => &self.begin,
        };
        command.args(words).current_dir(folder);
        command
    }

    /// What it has made, in the order of the names.
    fn results(&self, folder: &Path) -> Vec<Vec<u8>> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let inner = std::fs::read_dir(folder.join("games")).into_iter().flatten();
        let mut files: Vec<_> = entries.chain(inner.map(|entry| entry.unwrap().path())).collect();
        files.retain(|path| path.extension().is_some_and(|ending| ending == self.results));
        files.sort();
        assert!(!files.is_empty(), "no result in {}", folder.display());
        files.iter().map(|path| std::fs::read(path).unwrap()).collect()
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Called again, self-play goes on.
fn selfplay(seed: &str, games: u64) -> Work {
    let call = format!(
        "selfplay --out games --shard 8 --games {games} --depth 2 --exact-from 8 --threads 1 --seed {seed}"
    );
    Work { begin: words(&call), resume: None, results: "emg" }
}

fn evolution(seed: &str) -> Work {
    let files = "--out evolved.txt --chart evolved.svg --checkpoint evolved.json";
    let terms = "--size 6 --search beam:depth=2,width=3 --population 6 --generations 8 --validate 0";
    let begin = words(&format!("evolve {terms} --seed {seed} {files}"));
    let resume = words(&format!("evolve --resume evolved.json {files}"));
    Work { begin, resume: Some(("evolved.json", resume)), results: "txt" }
}

/// Training goes on from its checkpoint; its data comes from a few games.
fn training(round: &mut Round) -> Work {
    let seed = round.below(1000).to_string();
    let games = ended(selfplay(&seed, 20).call(&round.folder).current_dir(&round.folder));
    assert!(games.status.success(), "{}", games.err);
    let data = ended(emilia().args(["data", "games", "--out", "data.emd"]).current_dir(&round.folder));
    assert!(data.status.success(), "{}", data.err);
    let begin = words("train data.emd --out weights.bin --epochs 4 --threads 1");
    let resume = [&begin[..], &["--resume".to_owned()]].concat();
    Work { begin, resume: Some(("weights.bin.checkpoint", resume)), results: "bin" }
}
