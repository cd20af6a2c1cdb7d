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
