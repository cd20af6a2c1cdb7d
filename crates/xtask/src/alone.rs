//! The repository stands alone: nothing in it names a folder outside it, or a place on somebody's machine, and a test
//! that is left out by default says by which chore it is run.

use std::collections::BTreeSet;
use std::path::Path;

use crate::chore::{ChoreError, capture, command, root};

/// Folders under the root of a machine where people keep what is theirs.
const PRIVATE: [&str; 7] = ["home", "root", "Users", "work", "workspace", "mnt", "media"];

/// Looks at every file that git keeps and is text.
pub fn run() -> Result<(), ChoreError> {
    let listed = capture(&mut command("git", &["ls-files", "-z"]))?;
    if !listed.status.success() {
        return Err(ChoreError::Missing { what: "git does not know this folder".to_owned() });
    }
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let files: Vec<&str> = listed.split_terminator('\0').collect();
    let crates: BTreeSet<&Path> = files
        .iter()
        .map(Path::new)
        .filter(|file| file.ends_with("Cargo.toml"))
        .filter_map(Path::parent)
        .filter(|folder| *folder != Path::new(""))
        .collect();
    let mut faults = Vec::new();
    for file in &files {
        // A file that was deleted and not yet committed has nothing to say, nor have pictures and games.
        let Ok(text) = std::fs::read_to_string(root().join(file)) else { continue };
        let file = Path::new(file);
        // Where there is no crate, what is put before a path is the folder of its file.
        let home = file.ancestors().find(|folder| crates.contains(folder)).or(file.parent()).unwrap_or(file);
        for (number, line) in text.lines().enumerate() {
            let place = || format!("{}:{}", file.display(), number + 1);
            faults.extend(
                outside(line, depth(file) - 1, depth(home)).map(|path| format!("{}: {path}", place())),
            );
            if file.extension().is_some_and(|extension| extension == "rs") && silent(line) {
                faults.push(format!("{}: an ignored test names no chore that runs it", place()));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(ChoreError::Missing { what: faults.join("; ") }) }
}

fn depth(path: &Path) -> usize {
    path.components().count()
}

/// The first path in a line that leaves the repository, from a file `here` folders below its root in a crate `home`
/// folders below it.
fn outside(line: &str, here: usize, home: usize) -> Option<String> {
    let words = line.split(|sign: char| sign.is_whitespace() || "\"'`()[]<>,;".contains(sign));
    words
        .filter(|word| !word.contains("://"))
        .find(|word| climbs(word, here, home) || private(word))
        .map(str::to_owned)
}

/// Whether a path goes up further than there are folders. It begins at its file, or, where something was put before
/// its first slash (`concat!(env!("CARGO_MANIFEST_DIR"), "/..")`), at its crate.
fn climbs(word: &str, here: usize, home: usize) -> bool {
    let mut parts = word.split('/').peekable();
    let mut depth = match parts.peek() {
        Some(first) if first.is_empty() || first.ends_with('}') => {
            parts.next();
            home
        }
        _ => here,
    };
    for part in parts {
        match part {
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            "" | "." => {}
            _ => depth += 1,
        }
    }
    false
}

fn private(word: &str) -> bool {
    let mut parts = word.split('/');
    parts.next() == Some("")
        && parts.next().is_some_and(|first| PRIVATE.contains(&first))
        && parts.next().is_some()
}

/// Whether a line leaves a test out without saying how it is run.
fn silent(line: &str) -> bool {
    let attribute = line.trim_start();
    attribute.starts_with("#[ignore") && !attribute.contains("cargo xtask ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_may_go_up_to_the_root_and_no_further() {
        let up = |count: usize| "../".repeat(count);
        // A file in crates/rules/tests/it, whose crate is two folders deep.
        for (path, leaves) in [
            (format!("{}data/perft", up(4)), false),
            (format!("{}data/perft", up(5)), true),
            (format!("/{}data", up(2)), false),
            (format!("/{}data", up(3)), true),
            (format!("{{}}/{}data", up(3)), true),
            (format!("src/{}data", up(5)), false),
            (format!("https://example.org/{}", up(9)), false),
        ] {
            let line = format!("include_str!(\"{path}\")");
            assert_eq!(outside(&line, 4, 2).is_some(), leaves, "{line}");
        }
    }

    #[test]
    fn places_on_a_machine_are_found() {
        let at = |folder: &str| format!("see /{folder}/somebody/games, please");
        assert_eq!(outside(&at("home"), 1, 0).as_deref(), Some(&at("home")[4..24]));
        assert_eq!(outside(&at("api"), 1, 0), None);
        assert_eq!(outside("the /home route, work/games", 1, 0), None);
    }

    #[test]
    fn ignored_tests_name_their_chore() {
        let attribute = |reason: &str| format!("    #[{}{reason}]", "ignore");
        assert!(silent(&attribute("")) && silent(&attribute(" = \"slow\"")));
        assert!(!silent(&attribute(" = \"slow: cargo xtask test --slow\"")));
    }
}
