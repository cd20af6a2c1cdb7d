use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What is known about a file of weights, for the text beside it.
pub(super) struct Birth {
    weights: PathBuf,
    files: Vec<(String, usize)>,
}

impl Birth {
    pub(super) fn new(weights: &Path) -> Birth {
        Birth { weights: weights.to_owned(), files: Vec::new() }
    }

    /// So many positions came from this file.
    pub(super) fn file(&mut self, path: &Path, positions: usize) {
        self.files.push((name(path), positions));
    }

    /// Where the text goes. Weights that end in .txt themselves keep their file.
    pub(super) fn path(&self) -> PathBuf {
        let beside = self.weights.with_extension("txt");
        if beside == self.weights { self.weights.with_extension("birth.txt") } else { beside }
    }

    pub(super) fn text(&self, bytes: usize, took: Duration, table: &str) -> String {
        let mut text = format!("{}: tables of patterns, {bytes} bytes\n\n", name(&self.weights));
        let commit = std::env::var("EMILIA_COMMIT").unwrap_or_else(|_| "not told".to_owned());
        let words: Vec<String> = std::env::args().skip(1).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "made     {} by emilia {}, commit {commit}, in {} s",
            date(SystemTime::now()),
            env!("CARGO_PKG_VERSION"),
            took.as_secs()
        );
        let _ = writeln!(text, "command  emilia {}", words.join(" "));
        for (at, (name, positions)) in self.files.iter().enumerate() {
            let _ = writeln!(text, "{:8} {name}: {positions} positions", if at == 0 { "data" } else { "" });
        }
        let _ = write!(text, "loss     in discs, by phase; phase 0 is the end of the game\n\n{table}");
        text
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The day in the Gregorian calendar, by the clock of Greenwich.
fn date(time: SystemTime) -> String {
    let days = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let (mut year, mut day) = (1970, days);
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if day < length {
            break;
        }
        day -= length;
        year += 1;
    }
    let mut month = 1;
    for length in [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_names() {
        let day = |days: u64| date(SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400 + 7));
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(11_016), "2000-02-29");
        assert_eq!(day(11_322), "2000-12-31");
        assert_eq!(day(20_772), "2026-11-15");
    }

    #[test]
    fn the_text_never_replaces_the_weights() {
        assert_eq!(Birth::new(Path::new("a/weights.bin")).path(), Path::new("a/weights.txt"));
        assert_eq!(Birth::new(Path::new("weights.txt")).path(), Path::new("weights.birth.txt"));
    }
}
