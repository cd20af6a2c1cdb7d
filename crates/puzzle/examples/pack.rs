//! Writes the puzzles that come with the program as they travel to a browser: `cargo run -p emilia-puzzle --example pack`.

use std::io::{self, Write};

use emilia_puzzle::Collection;

fn main() -> io::Result<()> {
    io::stdout().lock().write_all(Collection::shipped().packed().as_bytes())
}
