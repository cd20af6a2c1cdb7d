//! Lists the files of the page with their contents, for the program to have inside.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

#[path = "belongs.rs"]
mod belongs;

fn main() -> io::Result<()> {
    let home = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let list = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("files.rs");
    let mut text = String::from("&[\n");
    for path in belongs::all(&home)? {
        println!("cargo::rerun-if-changed={path}");
        let _ = writeln!(text, "    ({path:?}, include_bytes!({:?})),", home.join(&path));
    }
    text.push_str("]\n");
    for folder in belongs::FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
    }
    fs::write(list, text)
}
