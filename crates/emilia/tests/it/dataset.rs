//! Data sets for sequence models, from the command to the files.

use crate::common::{Folder, emilia, json};

const SMALL: &[&str] = &["--games", "50", "--shard", "8", "--exact-from", "4", "--value-depth", "1"];

#[test]
fn the_number_of_threads_and_interruptions_change_no_byte() {
    let folder = Folder::new("dataset-bytes");
    let run = |name: &str, threads: &str| {
        let words = ["dataset", "--out", &folder.path(name), "--threads", threads, "--json"];
        json(&emilia(&[&words, SMALL].concat(), b""))
    };
    let whole = run("whole", "1");
    assert_eq!((whole["rows"]["games"].as_u64(), whole["files"].as_u64()), (Some(50), Some(3 * 7)));
    run("parts", "2");
    let files = folder.files("whole");
    assert_eq!(files, folder.files("parts"));
    // As a killed run leaves it: some units gone, one half written, and the result not there yet.
    for name in ["units/000002.json", "units/000005.json", "train-000005.npy", "manifest.json", "SHA256SUMS"]
    {
        std::fs::remove_file(folder.0.join("parts").join(name)).unwrap();
    }
    let before = std::fs::metadata(folder.0.join("parts/train-000001.npy")).unwrap().modified().unwrap();
    run("parts", "2");
    let after = std::fs::metadata(folder.0.join("parts/train-000001.npy")).unwrap().modified().unwrap();
    assert_eq!(before, after, "a file that was there was made again");
    assert_eq!(files, folder.files("parts"));
    let other = emilia(&[&["dataset", "--out", &folder.path("parts"), "--seed", "2"], SMALL].concat(), b"");
    assert_eq!(other.status, 2);
    assert!(other.err.contains("holds other work"), "{}", other.err);
}

#[test]
fn the_manifest_says_how_to_make_it_again_and_every_file_has_its_sum() {
    let folder = Folder::new("dataset-manifest");
    let words =
        ["dataset", "--out", &folder.path("one"), "--player", "greedy", "--noise", "0.25", "--size", "6"];
    assert_eq!(emilia(&[&words, SMALL].concat(), b"").status, 0);
    let files = folder.files("one");
    let manifest: serde_json::Value = serde_json::from_slice(&files["manifest.json"]).unwrap();
    let command = manifest["about"]["command"].as_str().unwrap();
    let mut again: Vec<String> = command.split(' ').skip(1).map(str::to_owned).collect();
    again.extend(["--out".to_owned(), folder.path("two")]);
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    assert_eq!(emilia(&again, b"").status, 0);
    assert_eq!(files, folder.files("two"));
    let sums = String::from_utf8(files["SHA256SUMS"].clone()).unwrap();
    assert_eq!(sums.lines().count(), 3 * 7);
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").unwrap();
        assert_eq!(emilia_work::FileSum::of(name, &files[name]).sha256, sum);
    }
    let train = manifest["about"]["columns"]["train"].as_array().unwrap();
    let names: Vec<&str> = train.iter().map(|column| column["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["game", "ply", "black", "move", "mine", "theirs", "legal", "flips", "value", "exact"]);
}

#[test]
fn what_cannot_be_is_refused_and_nothing_made() {
    let folder = Folder::new("dataset-refused");
    let out = folder.path("out");
    for (words, sentence) in [
        (&["--games", "0"][..], "invalid value '0'"),
        (&["--games", "5", "--size", "7"], "7"),
        (&["--games", "5", "--player", "gredy"], "did you mean greedy"),
        (&["--games", "5", "--player", "gtp:edax"], "is another program"),
        (&["--games", "5", "--noise", "2"], "the share of random moves is a number from 0 to 1, not 2"),
        (&["--games", "5", "--format", "pickle"], "\"pickle\" is none of the formats npy, jsonl"),
        (&["--games", "5", "--exact-from", "40"], "at most 24 empty squares"),
    ] {
        let refused = emilia(&[&["dataset", "--out", &out], words].concat(), b"");
        assert_eq!(refused.status, 2, "{words:?}");
        assert!(refused.err.contains(sentence), "{}", refused.err);
        assert!(!folder.0.join("out").exists());
    }
}
