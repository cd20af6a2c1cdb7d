//! Whether the tree as it stands plays better than another commit: both are built, and they meet until it is clear.

use std::fs;
use std::path::{Path, PathBuf};

use crate::chore::{ChoreError, capture, command, root, show};

/// How both sides play if nothing is said: by time, so that speed counts as well as knowledge, and fast, so that a
/// thousand games take minutes.
const USUAL_PLAYER: &str = "emilia:time=20ms";
/// The question if none is asked: a gain of ten Elo, or none?
const USUAL_TEST: &str = "0,10";

/// Builds the commit in a worktree under target/, and the tree as it stands, and lets them meet. `options` are those of
/// `emilia match`; a first word without dashes is the player that both builds use.
pub fn run(base: &str, options: &[&str]) -> Result<(), ChoreError> {
    let (player, options) = match options {
        [player, rest @ ..] if !player.starts_with('-') => (*player, rest),
        _ => (USUAL_PLAYER, options),
    };
    let commit = resolved(base)?;
    let short = &commit[..commit.len().min(10)];
    let folder = root().join("target/strength");
    let tree = folder.join("tree");
    fs::create_dir_all(&folder).map_err(|error| file_error(&folder, error))?;
    check_out(&tree, &commit)?;
    println!("building {short} …");
    let old = built(&tree, &folder.join("build"), &folder.join(executable(short)))?;
    println!("building the tree as it stands …");
    let new = built(&root(), &root().join("target"), &folder.join(executable("now")))?;
    let spoken = capture(&mut command(&old.to_string_lossy(), &["gtp", "--help"]))?;
    if !spoken.status.success() {
        let what = format!("{short} is from before \"emilia gtp\", by which the two builds would meet");
        return Err(ChoreError::Missing { what });
    }
    let sides = [&new, &old].map(|program| format!("gtp:'{}' gtp --player {player}", program.display()));
    let names = format!("now,{short}");
    let mut arguments = vec!["match", &sides[0], &sides[1], "--names", &names];
    if !options.contains(&"--sprt") && !options.contains(&"--games") {
        arguments.extend(["--sprt", USUAL_TEST]);
    }
    arguments.extend(options);
    show(&mut command(&new.to_string_lossy(), &arguments))
}

/// The commit that a name stands for.
fn resolved(base: &str) -> Result<String, ChoreError> {
    let name = format!("{base}^{{commit}}");
    let output =
        capture(&mut command("git", &["rev-parse", "--verify", "--quiet", "--end-of-options", &name]))?;
    let commit = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && !commit.is_empty() {
        return Ok(commit);
    }
    Err(ChoreError::Missing { what: format!("{base:?} is no commit") })
}

/// Puts the commit into the worktree, which is made if it is not there.
fn check_out(tree: &Path, commit: &str) -> Result<(), ChoreError> {
    let path = tree.to_string_lossy().into_owned();
    if tree.join(".git").exists() {
        return show(&mut command(
            "git",
            &["-C", &path, "checkout", "--quiet", "--force", "--detach", commit],
        ));
    }
    // A worktree that somebody deleted by hand is still in git's books.
    show(&mut command("git", &["worktree", "prune"]))?;
    show(&mut command("git", &["worktree", "add", "--quiet", "--detach", &path, commit]))
}

/// Builds the program in a tree and keeps it under a name of its own, where no later build disturbs it.
fn built(tree: &Path, target: &Path, keep: &Path) -> Result<PathBuf, ChoreError> {
    let mut build =
        command("cargo", &["build", "--quiet", "--release", "--package", "emilia", "--bin", "emilia"]);
    build.current_dir(tree).env("CARGO_TARGET_DIR", target);
    show(&mut build)?;
    let program = target.join("release").join(executable("emilia"));
    fs::copy(&program, keep).map_err(|error| file_error(&program, error))?;
    keep.canonicalize().map_err(|error| file_error(keep, error))
}

fn executable(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

fn file_error(path: &Path, error: std::io::Error) -> ChoreError {
    ChoreError::File { file: path.display().to_string(), error }
}
