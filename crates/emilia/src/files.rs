//! Files named by the user.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Largest file of weights that is read: the real ones are a few lines.
const LARGEST_WEIGHTS: u64 = 1 << 20;

/// Reads a small text file that a player's name mentions.
pub(crate) fn read_weights(path: &str) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LARGEST_WEIGHTS).read_to_string(&mut text)?;
    Ok(text)
}

/// Writes a file so that it is there whole or not at all: a crash leaves what was there before.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    fs::write(&unfinished, bytes)?;
    fs::rename(&unfinished, path).inspect_err(|_| {
        // The rename is what failed; a leftover is the lesser trouble.
        let _ = fs::remove_file(&unfinished);
    })
}
