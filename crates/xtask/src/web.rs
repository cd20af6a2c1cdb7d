//! The page in a real browser: its libraries, style and types, then Playwright with the system's Chromium against a server of our own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::chore::{ChoreError, capture, command, root, show};
use crate::wasm;

/// Names that Chromium goes by. First the one without windows, which takes a third less time for the same pages.
const BROWSERS: [&str; 5] =
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Checks the files of the page and uses it as people do. A machine without Node or Chromium that cannot get them
/// skips this, unless it is a build server.
pub fn run() -> Result<(), ChoreError> {
    show(&mut command("cargo", &["build", "--quiet", "--bin", "emilia"]))?;
    match wasm::check() {
        Err(ChoreError::Partly { what }) => println!("      not run: {what}"),
        done => done?,
    }
    wasm::bind_tested(None)?;
    with(&mut wasm::pack_example())
}

/// The same with the programs that the tests have built.
pub fn with_built() -> Result<(), ChoreError> {
    wasm::bind_tested(Some(&beside("examples/bindgen")?))?;
    let pack = beside("examples/pack")?;
    with(&mut command(&pack.to_string_lossy(), &[]))
}

/// The same with the program that packs the puzzles.
fn with(pack: &mut Command) -> Result<(), ChoreError> {
    match tools() {
        Ok(chromium) => check(&chromium, pack),
        Err(missing) if std::env::var_os("CI").is_some() => Err(missing),
        Err(missing) => {
            println!("      skipped: {missing}");
            Ok(())
        }
    }
}

fn check(chromium: &Path, pack: &mut Command) -> Result<(), ChoreError> {
    show(npm(&["run", "--silent", "check"]).env("NO_UPDATE_NOTIFIER", "1"))?;
    let binary = beside("emilia")?;
    let server = Server::start(&binary)?;
    let mut tests = npm(&["run", "--silent", "test"]);
    tests.env("EMILIA_URL", &server.address).env("EMILIA_BINARY", &binary).env("EMILIA_CHROMIUM", chromium);
    if wasm::tested().join("plain").is_dir() {
        let (site, engine) = (root().join("target/site"), wasm::tested());
        wasm::puzzles(&engine, pack)?;
        let words = ["site", &site.to_string_lossy(), "--engine", &engine.to_string_lossy()];
        show(&mut command(&binary.to_string_lossy(), &words))?;
        tests.env("EMILIA_ENGINE", engine).env("EMILIA_SITE", site);
    }
    show(&mut tests)
}

/// Node's packages and Chromium, installed if they can be.
fn tools() -> Result<PathBuf, ChoreError> {
    if !works("npm") {
        install(&["nodejs", "npm"]);
    }
    if !works("npm") {
        return Err(missing(
            "npm is not installed; the page is tested with Node 20 or later (https://nodejs.org)",
        ));
    }
    let web = root().join("web");
    let stamp = web.join("node_modules/.package-lock.json");
    if is_older(&stamp, &web.join("package-lock.json")) {
        println!("      installing the packages of web/package-lock.json …");
        let mut install = npm(&["ci", "--silent", "--no-audit", "--no-fund"]);
        show(install.env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")).map_err(|error| {
            missing(&format!("the packages of the page's tests cannot be installed: {error}"))
        })?;
    }
    // Older Debians have only the whole of it.
    for package in ["chromium-headless-shell", "chromium"] {
        if browser().is_none() {
            install(&[package]);
        }
    }
    browser().ok_or_else(|| missing("Chromium is not installed (on Debian: apt-get install chromium)"))
}

/// Asks Debian's package manager, where there is one. Whether it worked shows when the program is looked for.
pub fn install(packages: &[&str]) {
    /// It refuses to work twice at the same time, and checks run at the same time.
    static ALONE: Mutex<()> = Mutex::new(());
    if !works("apt-get") {
        return;
    }
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    println!("      installing {} …", packages.join(", "));
    // A new machine has no list of packages yet.
    let _ = capture(&mut command("apt-get", &["update"]));
    let arguments = [&["install", "-y", "--no-install-recommends"], packages].concat();
    let _ = capture(command("apt-get", &arguments).env("DEBIAN_FRONTEND", "noninteractive"));
}

fn missing(what: &str) -> ChoreError {
    ChoreError::Missing { what: what.to_owned() }
}

fn npm(arguments: &[&str]) -> Command {
    let mut npm = command(if cfg!(windows) { "npm.cmd" } else { "npm" }, arguments);
    npm.current_dir(root().join("web"));
    npm
}

/// Whether there is such a program.
pub fn works(program: &str) -> bool {
    capture(&mut command(program, &["--version"])).is_ok_and(|output| output.status.success())
}

fn is_older(file: &Path, than: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    changed(file).is_none_or(|ours| changed(than).is_some_and(|theirs| ours < theirs))
}

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    BROWSERS
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}

/// A program that was just built: it lies beside this one.
fn beside(program: &str) -> Result<PathBuf, ChoreError> {
    let ours =
        std::env::current_exe().map_err(|error| ChoreError::Start { program: program.to_owned(), error })?;
    Ok(ours.with_file_name(format!("{program}{}", std::env::consts::EXE_SUFFIX)))
}

/// A server on a free port, ended when it goes out of scope.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(binary: &Path) -> Result<Server, ChoreError> {
        let program = binary.to_string_lossy().into_owned();
        let arguments = ["serve", "--addr", "127.0.0.1:0", "--ephemeral", "--no-open", "--log", "warn"];
        let mut child = command(&program, &arguments)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| ChoreError::Start { program: program.clone(), error })?;
        let mut address = String::new();
        let said = child.stdout.take().map(|out| BufReader::new(out).read_line(&mut address));
        let server = Server { child, address: address.trim().to_owned() };
        match said {
            Some(Ok(length)) if length > 0 => Ok(server),
            _ => Err(ChoreError::Failed { command: "emilia serve".to_owned() }),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
