//! The numbers and pictures in the documentation are the program's own: every `console` block is run and compared, and
//! so is every picture named by a comment `<!-- $ emilia … > FILE -->`.
//!
//! After a change that is meant, `EMILIA_UPDATE_DOCS=1 cargo test -p emilia docs::` writes the new output into the
//! files. Look at the difference before you keep it.

use std::path::{Path, PathBuf};

use crate::common::emilia;

fn pages() -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut pages = vec![root.join("README.md")];
    let docs = std::fs::read_dir(root.join("docs")).unwrap();
    pages.extend(
        docs.map(|entry| entry.unwrap().path()).filter(|path| path.extension() == Some("md".as_ref())),
    );
    pages
}

/// Splits a command line as a shell would, as far as our examples go: blanks separate, quotes keep together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for character in line.chars() {
        match character {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(character),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The page with the output of every command in a `console` block replaced by what the program prints now.
fn rerun(page: &str, count: &mut usize) -> String {
    let mut fresh = String::new();
    let (mut inside, mut skipping) = (false, false);
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
            skipping = false;
        } else if let Some(command) = line.strip_prefix("$ emilia ").filter(|_| inside) {
            let words = words(command);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let outcome = emilia(&words, b"");
            assert_eq!(outcome.status, 0, "{command}: {}", outcome.err);
            fresh.push_str(&format!("{line}\n{}", outcome.out));
            skipping = true;
            *count += 1;
            continue;
        }
        if !skipping {
            fresh.push_str(line);
            fresh.push('\n');
        }
    }
    fresh
}

/// The pictures that a page asks for: the words of the command, and the file.
fn pictures(page: &str) -> Vec<(Vec<String>, String)> {
    page.lines()
        .filter_map(|line| line.strip_prefix("<!-- $ emilia ")?.strip_suffix(" -->")?.split_once(" > "))
        .map(|(command, file)| (words(command), file.to_owned()))
        .collect()
}

/// The calls of the program in a text of shell lines: what stands before or after another program, remarks and the
/// names of files that a shell opens are left out.
fn calls(shell: &str) -> Vec<Vec<String>> {
    let joined = shell.split("\\\n").map(|part| part.trim_matches(' ')).collect::<Vec<_>>().join(" ");
    let commands = joined.lines().flat_map(|line| line.split(" | ")).map(str::trim);
    let calls = commands.filter(|command| command.starts_with("emilia ") || *command == "emilia");
    calls
        .map(|call| {
            let remark = call.find("  ").or(call.find(" #")).or(call.find(" > ")).or(call.find(" < "));
            let mut words = words(&call[..remark.unwrap_or(call.len())]);
            words.truncate(words.iter().position(|word| word == ">" || word == "<").unwrap_or(words.len()));
            // The program itself sees that a board is no option before it looks at its arguments.
            words.iter_mut().filter(|word| word.starts_with("---")).for_each(|board| board.insert(0, ' '));
            words
        })
        .collect()
}

fn assert_understood(calls: &[Vec<String>], place: &str) {
    for words in calls {
        let understood = emilia::command().try_get_matches_from(words);
        assert!(understood.is_ok(), "{place}: {}: {}", words.join(" "), understood.unwrap_err());
    }
}

/// Examples that a page does not run are at least calls that the program understands.
#[test]
fn every_shell_example_of_every_page_is_understood() {
    let mut count = 0;
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        for block in page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            let calls = calls(block);
            count += calls.len();
            assert_understood(&calls, &path.display().to_string());
        }
    }
    assert!(count >= 10, "{count} examples");
}

#[test]
fn every_example_of_every_help_text_is_understood() {
    for command in emilia::command().get_subcommands() {
        let name = command.get_name();
        let help = emilia(&[name, "--help"], b"").out;
        // As it is written, not as it is wrapped.
        let examples = command.get_after_help().unwrap().to_string();
        let calls = calls(examples.split("Examples:").nth(1).unwrap());
        assert!(!calls.is_empty(), "{name}");
        assert_understood(&calls, name);
        // Line ends are the only thing that an example may spell with a backslash.
        assert!(!help.replace("\\n", "").contains('\\'), "{name}: {help}");
    }
}

#[test]
fn the_readme_lists_every_command_and_no_other() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `emilia ")?.split(" | ").next());
    let mut listed: Vec<String> =
        rows.flat_map(|cell| cell.split(',')).map(|name| name.trim_matches([' ', '`']).to_owned()).collect();
    let mut known: Vec<String> =
        emilia::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    listed.sort();
    known.sort();
    assert_eq!(listed, known);
}

#[test]
fn every_picture_is_what_the_program_draws() {
    for path in pages() {
        for (words, file) in pictures(&std::fs::read_to_string(&path).unwrap()) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let outcome = emilia(&words, b"");
            assert_eq!(outcome.status, 0, "{words:?}: {}", outcome.err);
            let picture = path.with_file_name(&file);
            if std::env::var_os("EMILIA_UPDATE_DOCS").is_some() {
                std::fs::create_dir_all(picture.parent().unwrap()).unwrap();
                std::fs::write(&picture, &outcome.out).unwrap();
            } else {
                let kept = std::fs::read_to_string(&picture).unwrap_or_default();
                assert!(kept == outcome.out, "{} is out of date", picture.display());
            }
        }
    }
}

#[test]
fn every_console_example_prints_what_the_page_says() {
    let mut count = 0;
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        let fresh = rerun(&page, &mut count);
        if std::env::var_os("EMILIA_UPDATE_DOCS").is_some() {
            std::fs::write(&path, &fresh).unwrap();
        } else {
            assert_eq!(page, fresh, "{} is out of date", path.display());
        }
    }
    assert!(count > 0, "no example was found");
}
