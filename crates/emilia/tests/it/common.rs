//! Running the program with its streams in hand.

use std::collections::BTreeMap;
use std::path::PathBuf;

use emilia::Streams;

/// What a call printed, and its exit status.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: u8,
}

/// Calls the program with these words and this input.
pub(crate) fn emilia(words: &[&str], mut input: &[u8]) -> Outcome {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = std::iter::once("emilia").chain(words.iter().copied());
    let status = emilia::run(arguments, &mut Streams::plain(&mut input, &mut out, &mut err));
    let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
    Outcome { out: text(out), err: text(err), status }
}

/// A folder of its own for each test, removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("emilia-{name}-{}", std::process::id()));
        // What an earlier run under the same number left is of no use.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// The files under a folder here and what is in them, by their names.
    pub(crate) fn files(&self, name: &str) -> BTreeMap<String, Vec<u8>> {
        let (top, mut files) = (self.0.join(name), BTreeMap::new());
        let mut folders = vec![top.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&top).unwrap().display().to_string();
                    files.insert(name, std::fs::read(path).unwrap());
                }
            }
        }
        files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The last line of what was printed, as JSON; the call must have succeeded.
pub(crate) fn json(outcome: &Outcome) -> serde_json::Value {
    assert_eq!(outcome.status, 0, "{}", outcome.err);
    serde_json::from_str(outcome.out.lines().last().unwrap()).unwrap()
}
