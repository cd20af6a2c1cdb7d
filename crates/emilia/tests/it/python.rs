//! The example client in Python.

use std::process::Command;

#[test]
#[ignore = "needs python3: cargo xtask test runs it"]
fn the_client_prints_every_turn() {
    let client = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/jsonl_client.py");
    let asked = Command::new("python3")
        .args([client, "f5d6", "--level", "2", "--lines", "2", "--all-turns"])
        .args(["--emilia", env!("CARGO_BIN_EXE_emilia")])
        .output()
        .expect("python3 is there");
    let text = String::from_utf8_lossy(&asked.stdout);
    assert!(asked.status.success(), "{}", String::from_utf8_lossy(&asked.stderr));
    assert_eq!(text.lines().filter(|line| line.starts_with("turn ")).count(), 6, "{text}");
}
