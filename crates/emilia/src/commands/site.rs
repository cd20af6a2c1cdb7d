use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use sha2::{Digest, Sha256};

use crate::{Failure, Streams};

/// Write the web app as a folder of files that needs no server
///
/// The engine then works in the browser, and games and profiles are kept there. Any host of files can serve the folder,
/// also below another address; it installs as an app and works without a network. Playing with people at other places
/// and databases of games need a server: emilia serve.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia site /var/www/othello
  emilia site public --engine target/engine     # after: cargo xtask wasm target/engine")]
pub(crate) struct Site {
    /// The folder to write; an earlier site in it is replaced
    pub(crate) folder: PathBuf,
    /// The folder of the engine for the browser, which `cargo xtask wasm` makes; without it, the folder engine beside the
    /// program, or share/emilia/engine where packages put it
    #[arg(long, value_name = "DIR")]
    pub(crate) engine: Option<PathBuf>,
}

/// What the page has to find, with its content.
type Contents = BTreeMap<String, Vec<u8>>;

/// The script that keeps the site in the browser, and what is written into it.
const KEEPER: &str = "sw.js";
const NO_VERSION: &str = "const VERSION = \"\";";
const NO_FILES: &str = "const FILES = {};";
/// Without these there is no engine in a folder.
const NEEDED: [&str; 2] = ["plain/emilia.js", "weights"];

impl Site {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let engine = self.engine()?;
        self.check_target()?;
        let mut contents = page();
        add_folder(&mut contents, &engine, "engine")?;
        let keeper = keeper(&contents)?;
        contents.insert(KEEPER.to_owned(), keeper.into_bytes());
        let bytes: usize = contents.values().map(Vec::len).sum();
        for (path, content) in &contents {
            write(&self.folder.join(path), content)?;
        }
        let (count, folder) = (contents.len(), self.folder.display());
        writeln!(streams.out, "{count} files, {} KB, in {folder}", bytes.div_ceil(1024))?;
        Ok(())
    }

    /// Where the engine is.
    fn engine(&self) -> Result<PathBuf, Failure> {
        let is_engine = |folder: &Path| NEEDED.iter().all(|needed| folder.join(needed).exists());
        if let Some(folder) = &self.engine {
            return if is_engine(folder) { Ok(folder.clone()) } else { Err(no_engine(folder)) };
        }
        let program = std::env::current_exe().unwrap_or_default();
        let beside = program.parent().unwrap_or(Path::new("."));
        let usual = [beside.join("engine"), beside.join("../share/emilia/engine")];
        usual.iter().find(|folder| is_engine(folder)).cloned().ok_or_else(|| no_engine(&usual[0]))
    }

    /// Somebody's own files are not written over.
    fn check_target(&self) -> Result<(), Failure> {
        let Ok(mut entries) = fs::read_dir(&self.folder) else { return Ok(()) };
        if entries.next().is_some() && !self.folder.join(KEEPER).exists() {
            let folder = self.folder.display();
            return Err(Failure::failed(format!(
                "{folder} is not empty, and there is no earlier site in it"
            )));
        }
        Ok(())
    }
}

fn no_engine(folder: &Path) -> Failure {
    let folder = folder.display();
    Failure::failed(format!(
        "there is no engine for the browser in {folder}; cargo xtask wasm DIR builds it, and --engine DIR says where it is"
    ))
}

/// The files of the page, as they are on a host of files: it may lie in any folder, and there is no server to ask.
fn page() -> Contents {
    let mut contents = Contents::new();
    for path in emilia_page::paths().into_iter().filter(|path| path != KEEPER) {
        let content = emilia_page::file(&path).unwrap_or_default().into_owned();
        contents.insert(path, content);
    }
    let alone = "<meta charset=\"utf-8\">\n  <meta name=\"emilia\" content=\"alone\">";
    for (path, changes) in [
        ("index.html", [("<meta charset=\"utf-8\">", alone), ("=\"/", "=\"")]),
        ("manifest.webmanifest", [("\": \"/\"", "\": \"./\""), ("\"/icon", "\"icon")]),
    ] {
        if let Some(content) = contents.get_mut(path) {
            let mut text = String::from_utf8_lossy(content).into_owned();
            for (absolute, relative) in changes {
                text = text.replace(absolute, relative);
            }
            *content = text.into_bytes();
        }
    }
    contents
}

/// Takes a folder with all that is in it.
fn add_folder(contents: &mut Contents, folder: &Path, name: &str) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::file(folder, error))?;
    for entry in entries {
        let entry = entry.map_err(|error| Failure::file(folder, error))?;
        let (path, name) = (entry.path(), format!("{name}/{}", entry.file_name().to_string_lossy()));
        if path.is_dir() {
            add_folder(contents, &path, &name)?;
        } else {
            contents.insert(name, fs::read(&path).map_err(|error| Failure::file(&path, error))?);
        }
    }
    Ok(())
}

/// The script that keeps all these files.
fn keeper(contents: &Contents) -> Result<String, Failure> {
    let digests: BTreeMap<&str, String> =
        contents.iter().map(|(path, content)| (path.as_str(), digest(content))).collect();
    let files = serde_json::to_string(&digests).map_err(Failure::failed)?;
    let version = &digest(files.as_bytes())[..12];
    let script = emilia_page::file(KEEPER).unwrap_or_default();
    let script = String::from_utf8_lossy(&script);
    let script = script.replace(NO_VERSION, &format!("const VERSION = \"{version}\";"));
    Ok(script.replace(NO_FILES, &format!("const FILES = {files};")))
}

fn digest(content: &[u8]) -> String {
    Sha256::digest(content).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::file(folder, error))?;
    }
    fs::write(path, content).map_err(|error| Failure::file(path, error))
}
