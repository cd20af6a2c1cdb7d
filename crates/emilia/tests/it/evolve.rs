//! `emilia evolve`: the report, the files, wrong calls, and runs that are killed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Outcome, emilia};
use serde_json::Value;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("emilia-evolve-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("the file was written")
    }

    /// The words of a call that keeps its files here.
    fn words(&self, words: &str) -> Vec<String> {
        let files = ["--out", "evolved.txt", "--chart", "evolved.svg", "--checkpoint", "evolved.json"];
        let files = files
            .iter()
            .map(|word| if word.starts_with("--") { (*word).to_owned() } else { self.file(word) });
        ["evolve".to_owned()]
            .into_iter()
            .chain(words.split_whitespace().map(str::to_owned))
            .chain(files)
            .collect()
    }

    fn evolve(&self, words: &str) -> Outcome {
        let words = self.words(words);
        emilia(&words.iter().map(String::as_str).collect::<Vec<_>>(), b"")
    }

    fn start(&self, words: &str) -> Child {
        let mut program = Command::new(env!("CARGO_BIN_EXE_emilia"));
        program
            .args(self.words(words))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Small enough to be quick.
const QUICK: &str = "--size 6 --search beam:depth=2,width=3 --population 6 --validate 10 --opening 2";

fn genes(out: &str) -> Vec<f64> {
    out.lines().filter(|line| !line.starts_with('#')).map(|line| line.parse().expect("a number")).collect()
}

#[test]
fn six_genes_one_on_a_line_and_files_that_players_read() {
    let folder = Folder::new("report");
    let outcome = folder.evolve(&format!("{QUICK} --generations 3 --seed 4"));
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    let found = genes(&outcome.out);
    assert_eq!(found.len(), 6);
    assert!(found.iter().all(|gene| (0.0..=1000.0).contains(gene) && gene.fract() == 0.0));
    assert!(outcome.out.contains("60 games in all"), "{}", outcome.out);
    assert!(
        outcome.out.contains("# against default weights: ")
            && outcome.out.contains("# against random moves: ")
    );
    // Every parameter is echoed, then a line a generation and one for the last population.
    let told: Vec<&str> = outcome.err.lines().collect();
    assert!(
        told[0].starts_with("emilia evolve --method genetic --selection fittest --parents 2"),
        "{}",
        told[0]
    );
    assert!(told[1].starts_with("generation 1 of 3: best "));
    assert!(told[4].starts_with("last population: best "));
    // The file of weights says where it comes from, and players read it, as they read the output.
    assert_eq!(genes(&folder.read("evolved.txt")), found);
    assert!(folder.read("evolved.txt").starts_with("# emilia evolve --method genetic"));
    std::fs::write(folder.file("printed.txt"), &outcome.out).unwrap();
    let player = |file: &str| format!("alphabeta:depth=1,eval=genes,weights={}", folder.file(file));
    let played = emilia(&["match", &player("evolved.txt"), &player("printed.txt"), "--size", "4"], b"");
    assert_eq!(played.status, 0, "{}", played.err);
    let svg = folder.read("evolved.svg");
    assert!(svg.starts_with("<svg ") && svg.contains("Genetic algorithm, 6×6") && svg.contains("generation"));
}

#[test]
fn the_same_seed_gives_the_same_on_any_number_of_threads() {
    let run = |threads: u32, method: &str| {
        let folder = Folder::new(&format!("threads-{threads}-{method}"));
        let words = format!("{QUICK} --generations 2 --seed 9 --threads {threads} --method {method}");
        genes(&folder.evolve(&words).out)
    };
    for method in ["genetic", "cma-es"] {
        assert_eq!(run(1, method), run(3, method));
    }
}

#[test]
fn programs_read_json() {
    let folder = Folder::new("json");
    let outcome =
        folder.evolve(&format!("{QUICK} --generations 2 --method cma-es --opponent default --json"));
    let json: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(json["genes"].as_array().unwrap().len(), 6);
    assert_eq!(json["generations"].as_array().unwrap().len(), 3);
    assert_eq!(json["games"], 18);
    let matches = json["validation"].as_array().unwrap();
    assert_eq!(matches.len(), 2);
    for result in matches {
        let count = |name: &str| result[name].as_u64().unwrap();
        assert_eq!(count("wins") + count("draws") + count("losses"), 10);
    }
    assert!(json["command"].as_str().unwrap().contains("--opponent 10/20/97/832/289/93"));
}

#[test]
fn wrong_calls_name_the_culprit() {
    let folder = Folder::new("wrong");
    for (words, sentence) in [
        ("--parents 3", "parents are an even number from 2 to the size of the population, 14, not 3"),
        ("--search random", "--search random does not judge positions"),
        (
            "--search minimax:depth=2,eval=disc",
            "--search minimax:depth=2,eval=disc: leave out eval, it is what evolves",
        ),
        ("--search beam:seed=3", "--search beam:seed=3: leave out seed, --seed decides all chances"),
        ("--search alphabet", "there is no player \"alphabet\", did you mean alphabeta?"),
        ("--method cma-es --elite 2", "--elite is for the genetic algorithm; --method is cma-es"),
        ("--step 3", "--step is for CMA-ES; --method is genetic"),
        (
            "--mutation-rate two",
            "invalid value 'two' for '--mutation-rate <P>': expected a fraction such as 2/3 or 0.5",
        ),
        ("--mutation-rate 1/0", "the mutation rate is a number from 0 to 1, not inf"),
        (
            "--opponent 1/2/3",
            "1/2/3: 6 numbers are needed (squares/parity/frontier/corners/closeness/mobility)",
        ),
        ("--opponent nowhere.txt", "nowhere.txt: No such file"),
        ("--size 4 --opening 12", "an opening of 12 moves leaves nothing to play on 4×4; at most 11 do"),
        ("--games 100000", "9100000 games a generation are more than 1000000"),
    ] {
        let outcome = folder.evolve(words);
        assert_eq!((outcome.status, outcome.out.as_str()), (2, ""), "{words}: {}", outcome.err);
        assert!(outcome.err.starts_with(&format!("emilia: {sentence}")), "{words}: {}", outcome.err);
        assert_eq!(outcome.err.lines().count(), 1, "{}", outcome.err);
    }
    assert!(!Path::new(&folder.file("evolved.json")).exists(), "a wrong call leaves no checkpoint");
}

#[test]
fn other_checkpoints_and_broken_ones_are_refused() {
    let folder = Folder::new("refused");
    assert_eq!(folder.evolve(&format!("{QUICK} --generations 2")).status, 0);
    let saved = folder.read("evolved.json");
    let resume = |words: &str| folder.evolve(&format!("--resume {} {words}", folder.file("evolved.json")));
    for (words, sentence) in [
        ("--population 8", "this checkpoint was made with population 6, not 8"),
        ("--seed 5", "this checkpoint was made with seed 0, not 5"),
        ("--method cma-es", "this checkpoint was made with method genetic, not cma-es"),
        ("--search minimax", "this checkpoint was made with search beam:depth=2,width=3, not minimax"),
    ] {
        let outcome = resume(words);
        assert_eq!(outcome.status, 1, "{words}");
        assert!(outcome.err.contains(sentence), "{words}: {}", outcome.err);
        assert_eq!(folder.read("evolved.json"), saved, "a refused checkpoint is left alone");
    }
    // A finished run may be followed by another in the same place, or made longer.
    assert_eq!(resume("--generations 3 --validate 0").status, 0);
    assert_eq!(folder.evolve(&format!("{QUICK} --generations 1")).status, 0);
    for broken in [&saved[..saved.len() / 2], "", "{}", "a shopping list"] {
        std::fs::write(folder.file("evolved.json"), broken).unwrap();
        let outcome = resume("");
        assert_eq!((outcome.status, outcome.err.lines().count()), (1, 1), "{}", outcome.err);
        assert!(
            outcome.err.contains("evolved.json: this is no checkpoint of an evolution"),
            "{}",
            outcome.err
        );
        // Nor is a file overwritten that may be dear to somebody.
        assert_eq!(folder.evolve(QUICK).status, 1);
        assert_eq!(folder.read("evolved.json"), broken);
    }
    let missing = folder.evolve(&format!("--resume {}", folder.file("missing.json")));
    assert!(missing.status == 1 && missing.err.contains("missing.json: "), "{}", missing.err);
}

/// Long enough that it is under way when it is killed.
const SLOW: &str =
    "--size 8 --search beam:depth=4,width=3 --population 6 --generations 12 --seed 3 --validate 0";

/// Waits until so many generations are in the checkpoint.
fn wait_for(folder: &Folder, generations: usize) {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(60) {
        if let Ok(text) = std::fs::read_to_string(folder.file("evolved.json")) {
            // Written whole or not at all: whatever is there can be read.
            let json: Value = serde_json::from_str(&text).expect("a whole checkpoint");
            if json["state"]["history"].as_array().is_some_and(|list| list.len() >= generations) {
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("no {generations} generations within a minute");
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_like_one_that_is_not() {
    let whole = Folder::new("whole");
    let expected = whole.evolve(SLOW);
    assert_eq!(expected.status, 0, "{}", expected.err);
    let killed = Folder::new("killed");
    let resume = format!("--resume {}", killed.file("evolved.json"));
    for (round, words) in [SLOW, &resume, &resume].into_iter().enumerate() {
        let mut child = killed.start(words);
        wait_for(&killed, 3 * round + 1);
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "killed before it was done");
    }
    // To begin anew in the same place would destroy what is there.
    let again = killed.evolve(SLOW);
    assert_eq!(again.status, 1);
    assert!(
        again.err.contains("belongs to a run that is not finished: go on with --resume"),
        "{}",
        again.err
    );
    let outcome = killed.evolve(&resume);
    assert_eq!(genes(&outcome.out), genes(&expected.out));
    assert_eq!(killed.read("evolved.json"), whole.read("evolved.json"));
    assert_eq!(killed.read("evolved.svg"), whole.read("evolved.svg"));
    assert_eq!(killed.read("evolved.txt"), whole.read("evolved.txt"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_its_checkpoint_and_says_how_to_go_on() {
    let folder = Folder::new("interrupted");
    let child = folder.start(SLOW);
    wait_for(&folder, 1);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{told}");
    let last = told.lines().last().unwrap();
    assert!(
        last.starts_with("emilia: stopped after ") && last.contains("go on with: emilia evolve --resume "),
        "{last}"
    );
    let outcome = folder.evolve(&format!("--resume {}", folder.file("evolved.json")));
    assert_eq!((outcome.status, genes(&outcome.out).len()), (0, 6), "{}", outcome.err);
}
