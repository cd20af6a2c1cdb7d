//! `emilia train`: weights from scored positions, the text beside them, wrong calls, and a fit that is taken up again.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::emilia;
use emilia_eval::{Evaluator, Patterns};
use emilia_learn::data::{Labelled, LabelledWriter, Origin};
use emilia_rules::{Board, Portable, SquareSet};

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("emilia-train-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Random games in which only discs on the edge count.
fn positions() -> Vec<u8> {
    let mut writer = LabelledWriter::new(Vec::new()).expect("memory");
    for game in 0..100u32 {
        let mut board = Board::START;
        let mut random = u64::from(game);
        while !board.moves().is_empty() {
            writer
                .write(&Labelled { board, score: truth(board), origin: Origin::Exact, game })
                .expect("memory");
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
            let moves = board.moves();
            let pick = (random >> 40) as usize % moves.count() as usize;
            board = board.play(moves.into_iter().nth(pick).expect("the pick is below the number of moves"));
        }
    }
    writer.finish().expect("memory")
}

fn truth(board: Board) -> i16 {
    let edge = 0xff81_8181_8181_81ff_u64;
    128 * ((board.own.0 & edge).count_ones() as i16 - (board.opponent.0 & edge).count_ones() as i16)
}

#[test]
fn weights_are_fitted_and_their_birth_is_told() {
    let folder = Folder::new("fit");
    std::fs::write(folder.file("a.emd"), positions()).expect("a file");
    let outcome = emilia(
        &["train", &folder.file("a.emd"), "--out", &folder.file("w.bin"), "--epochs", "4", "--threads", "2"],
        b"",
    );
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    assert_eq!(outcome.out.lines().count(), 15, "{}", outcome.out);
    assert!(outcome.err.contains("phase 13: "), "{}", outcome.err);
    let patterns = Patterns::read(&std::fs::read(folder.file("w.bin")).expect("weights")).expect("weights");
    let board = Board::START.play(emilia_rules::Square::F5);
    assert!(patterns.score(Portable, &patterns.features(board), board).discs().abs() <= 1);
    let edge = Board { own: emilia_rules::Bitboard(0xff << 56 | 1 << 27), ..board };
    assert!(patterns.score(Portable, &patterns.features(edge), edge).discs() > 2);
    let text = std::fs::read_to_string(folder.file("w.txt")).expect("the text beside the weights");
    assert!(text.contains("a.emd: "), "{text}");
    assert!(text.contains("phase  fitted to     rms | tested on"), "{text}");
    assert!(!PathBuf::from(folder.file("w.bin.checkpoint")).exists());
}

#[test]
fn a_fit_that_was_killed_goes_on() {
    let folder = Folder::new("killed");
    std::fs::write(folder.file("a.emd"), positions()).expect("a file");
    let (data, out) = (folder.file("a.emd"), folder.file("w.bin"));
    let words = ["train", &data, "--out", &out, "--epochs", "40", "--threads", "1"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_emilia"))
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let checkpoint = PathBuf::from(folder.file("w.bin.checkpoint"));
    let begin = Instant::now();
    while !checkpoint.exists() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it is running, or has ended");
    child.wait().expect("it has ended");
    assert!(checkpoint.exists(), "the program was killed before it was done");
    let other = ["train", &data, "--out", &out, "--epochs", "41", "--resume"];
    assert!(emilia(&other, b"").err.contains("other options"));
    let outcome = emilia(&[&words[..], &["--resume"]].concat(), b"");
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    assert!(!outcome.err.contains("phase  0: "), "what was done is not done again: {}", outcome.err);
    assert!(outcome.err.contains("phase 13: "), "{}", outcome.err);
    assert!(!checkpoint.exists());
    assert!(Patterns::read(&std::fs::read(&out).expect("weights")).is_ok());
}

#[test]
fn wrong_files_are_named() {
    let folder = Folder::new("wrong");
    std::fs::write(folder.file("a.emd"), b"EMILIAG1 and more than a header").expect("a file");
    std::fs::write(folder.file("good.emd"), positions()).expect("a file");
    let out = folder.file("w.bin");
    let failed = |words: &[&str], status: u8, reason: &str| {
        let outcome = emilia(words, b"");
        assert_eq!(outcome.status, status, "{}", outcome.err);
        assert!(outcome.err.contains(reason), "{}", outcome.err);
    };
    failed(&["train", &folder.file("a.emd"), "--out", &out], 1, "a.emd: this is no file of scored positions");
    failed(&["train", &folder.file("none.emd"), "--out", &out], 1, "none.emd: ");
    failed(&["train", "--out", &out], 2, "FILE");
    failed(&["train", &folder.file("good.emd"), "--out", &out, "--ridge", "0"], 2, "--ridge");
    // A checkpoint of somebody else is not touched.
    std::fs::write(folder.file("w.bin.checkpoint"), b"something").expect("a file");
    let words = ["train", &folder.file("good.emd"), "--out", &out, "--resume"];
    failed(&words[..4], 1, "--resume");
    failed(&words, 1, "this is no checkpoint");
}
