//! Whether what was packed works where nothing else is.

use std::fs;
use std::path::{Path, PathBuf};

use super::packages::{Packing, quietly};
use super::{Programs, Release, file_error, packages, read, tree};
use crate::chore::{ChoreError, capture, command, root};
use crate::web;

/// What is done in a clean root once the package is installed there: the program says its version, plays a move by GTP as
/// somebody who is not root, has its manual and its completions, writes the site if the package has an engine for it, and is gone when the package is removed.
const VISIT: &str = r#"
set -eu
dpkg --install /emilia.deb
emilia --version
setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'printf "boardsize 8\nclear_board\ngenmove black\nquit\n" | HOME=/tmp emilia gtp --player emilia:level=3' | tee /tmp/said
grep -Eq '^= [C-F][3-6]$' /tmp/said
test -s /usr/share/man/man1/emilia.1.gz
test -s /usr/share/bash-completion/completions/emilia
test -s /usr/share/doc/emilia/THIRD-PARTY.txt
if test -d /usr/share/emilia/engine; then emilia site /tmp/site && test -s /tmp/site/sw.js; fi
dpkg --verify emilia
dpkg --remove emilia
test ! -e /usr/bin/emilia
"#;

/// Installs a package of the program that the tests have built into a clean Debian root and plays a move there. Where no
/// such root can be made, that is said.
pub fn in_a_clean_debian() -> Result<(), ChoreError> {
    let Some(suite) = debian() else {
        return Err(ChoreError::Partly { what: "the package in a clean root: this is no Debian".to_owned() });
    };
    let ours = std::env::current_exe().map_err(|error| file_error(Path::new("xtask"), error))?;
    let (emilia, man) = (ours.with_file_name("emilia"), ours.with_file_name("examples").join("man"));
    // What tests are run with reads the page from the repository, so it can write no site elsewhere.
    let programs = Programs { emilia: stripped(&emilia)?, man, is_static: false, engine: None };
    let release = Release::new(&root().join("target/package-check"))?;
    let folder = tree::stage(&release.folder.join("tree"), &programs)?;
    visit(&packages::deb(&release, &folder, &programs, Packing::Quick)?, &suite)
}

/// Does the same with the package of a release, and looks into its other files.
pub fn whole(folder: &str) -> Result<(), ChoreError> {
    let folder = root().join(folder);
    let sums = read(&folder.join("SHA256SUMS"))?;
    quietly(command("sha256sum", &["--check", "--quiet", "--strict", "SHA256SUMS"]).current_dir(&folder))?;
    let file = |ending: &str| -> Option<PathBuf> {
        let name = sums.lines().filter_map(|line| line.split_whitespace().nth(1));
        name.filter(|name| name.ends_with(ending)).map(|name| folder.join(name)).next()
    };
    let needed = |ending: &str| {
        let what = format!("there is no {ending} in {}; cargo xtask dist makes it", folder.display());
        file(ending).ok_or(ChoreError::Missing { what })
    };
    if let Some(suite) = debian() {
        visit(&needed(".deb")?, &suite)?;
        println!("package for Debian: installed in a clean root, a move played, removed");
    }
    if let Some(rpm) = file(".rpm") {
        let rpm = rpm.to_string_lossy().into_owned();
        quietly(&mut command("rpm", &["--checksig", "--nosignature", &rpm]))?;
        let listed = capture(&mut command("rpm", &["--query", "--list", "--package", &rpm]))?;
        if !String::from_utf8_lossy(&listed.stdout).lines().any(|line| line == "/usr/bin/emilia") {
            return Err(ChoreError::Missing { what: "the RPM has no /usr/bin/emilia".to_owned() });
        }
        println!("RPM: its checksums hold, the program is in it");
    }
    image(&needed("-image.tar.gz")?)
}

/// Starts what is in the image as its own user, in a root that holds nothing else, and asks whether it is well.
fn image(file: &Path) -> Result<(), ChoreError> {
    let script = r#"
set -eu
folder=$(mktemp -d); trap 'kill $server 2>/dev/null || true; wait; rm -rf "$folder"' EXIT; server=
tar -xzf "$1" -C "$folder"
mkdir "$folder/root"; tar -xf "$folder"/*/layer.tar -C "$folder/root"
test "$(stat -c %u "$folder/root/data")" = 10001
inside="chroot --userspec=10001:10001 $folder/root /usr/bin/emilia"
$inside serve --addr 127.0.0.1:18431 --data /data --no-open --log warn & server=$!
tries=0; until $inside health 127.0.0.1:18431; do tries=$((tries+1)); test $tries -lt 100; sleep 0.2; done
test -s "$folder/root/data/emilia.sqlite"
"#;
    let name = file.to_string_lossy().into_owned();
    if !capture(&mut command("id", &["-u"])).is_ok_and(|output| output.stdout.starts_with(b"0")) {
        return Err(ChoreError::Partly {
            what: "the image: only root can start it without its tools".to_owned(),
        });
    }
    quietly(&mut command("sh", &["-c", script, "sh", &name]))?;
    println!("image: started as its own user in a root without anything else; it is well");
    Ok(())
}

/// Makes a Debian root in memory of nothing but the essential packages, and does there what a visitor does.
fn visit(package: &Path, suite: &str) -> Result<(), ChoreError> {
    if !web::works("mmdebstrap") {
        web::install(&["mmdebstrap"]);
    }
    if !web::works("mmdebstrap") && std::env::var_os("CI").is_none() {
        return Err(ChoreError::Partly {
            what: "the package in a clean root: there is no mmdebstrap".to_owned(),
        });
    }
    let copy = format!("--customize-hook=copy-in {} /", named(package)?.display());
    let visit = format!("--customize-hook=chroot \"$1\" sh -c '{}'", VISIT.replace('\'', r"'\''"));
    let arguments = ["--quiet", "--variant=essential", "--format=null", &copy, &visit, suite, "/dev/null"];
    quietly(&mut command("mmdebstrap", &arguments))
}

/// A copy with the name that the visitor expects.
fn named(package: &Path) -> Result<PathBuf, ChoreError> {
    let folder = root().join("target/package-visit");
    fs::create_dir_all(&folder).map_err(|error| file_error(&folder, error))?;
    let copy = folder.join("emilia.deb");
    fs::copy(package, &copy).map_err(|error| file_error(package, error))?;
    copy.canonicalize().map_err(|error| file_error(&copy, error))
}

/// The name of the Debian that this is, if it is one.
fn debian() -> Option<String> {
    let told = fs::read_to_string("/etc/os-release").ok()?;
    let value =
        |key: &str| told.lines().find_map(|line| line.strip_prefix(key)).map(|value| value.trim_matches('"'));
    (value("ID=") == Some("debian")).then(|| value("VERSION_CODENAME=").map(str::to_owned)).flatten()
}

/// A copy without what only a debugger needs, which is nine tenths of what tests are run with.
fn stripped(program: &Path) -> Result<PathBuf, ChoreError> {
    let copy = root().join("target/package-visit/emilia");
    fs::create_dir_all(copy.with_file_name("")).map_err(|error| file_error(&copy, error))?;
    let (from, to) = (program.to_string_lossy(), copy.to_string_lossy());
    quietly(&mut command("objcopy", &["--strip-all", &from, &to]))?;
    Ok(copy)
}
