//! Files named by the user.

use std::fs::File;
use std::io::{self, Read};

/// Largest file of weights that is read: the real ones are a few lines.
const LARGEST_WEIGHTS: u64 = 1 << 20;

/// Reads a small text file that a player's name mentions.
pub(crate) fn read_weights(path: &str) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(LARGEST_WEIGHTS).read_to_string(&mut text)?;
    Ok(text)
}
