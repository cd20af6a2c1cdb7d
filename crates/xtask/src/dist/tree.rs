//! The program and all that belongs to it, laid out as below `/usr`: what every archive and package holds.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Programs, file_error, licences, write};
use crate::chore::{ChoreError, capture, command, root, show};

/// Where a file of the repository goes.
const COPIED: [(&str, &str); 8] = [
    ("README.md", "share/doc/emilia/README.md"),
    ("CHANGELOG.md", "share/doc/emilia/CHANGELOG.md"),
    ("LICENSE-MIT", "share/doc/emilia/LICENSE-MIT"),
    ("LICENSE-APACHE", "share/doc/emilia/LICENSE-APACHE"),
    ("packaging/Containerfile", "share/doc/emilia/Containerfile"),
    ("packaging/emilia.desktop", "share/applications/emilia.desktop"),
    ("packaging/emilia.service", "lib/systemd/system/emilia.service"),
    ("web/icon.svg", "share/icons/hicolor/scalable/apps/emilia.svg"),
];

/// Where a shell looks for what completes our commands.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/emilia"),
    ("zsh", "share/zsh/vendor-completions/_emilia"),
    ("fish", "share/fish/vendor_completions.d/emilia.fish"),
];

/// Lays everything out in the folder, and says where the program is the only file that can be run.
pub(super) fn stage(folder: &Path, programs: &Programs) -> Result<PathBuf, ChoreError> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| file_error(folder, error))?;
    }
    let program = folder.join(program());
    write(&program, &fs::read(&programs.emilia).map_err(|error| file_error(&programs.emilia, error))?)?;
    runnable(&program)?;
    for (from, to) in COPIED {
        let from = root().join(from);
        write(&folder.join(to), &fs::read(&from).map_err(|error| file_error(&from, error))?)?;
    }
    write(&folder.join("share/doc/emilia/THIRD-PARTY.txt"), licences::text()?.as_bytes())?;
    for (shell, to) in COMPLETIONS {
        let script = capture(&mut command(&program.to_string_lossy(), &["completions", shell]))?;
        if !script.status.success() {
            return Err(ChoreError::Failed { command: format!("emilia completions {shell}") });
        }
        write(&folder.join(to), &script.stdout)?;
    }
    manual(folder, programs)?;
    if let Some(engine) = &programs.engine {
        for file in files(engine)? {
            let bytes = fs::read(engine.join(&file)).map_err(|error| file_error(&file, error))?;
            write(&folder.join("share/emilia/engine").join(file), &bytes)?;
        }
    }
    Ok(folder.to_owned())
}

/// Where the program is in the tree.
pub(super) fn program() -> String {
    format!("bin/emilia{}", std::env::consts::EXE_SUFFIX)
}

/// The manual pages, compressed, as `man` expects them.
fn manual(folder: &Path, programs: &Programs) -> Result<(), ChoreError> {
    let pages = folder.join("pages");
    show(&mut command(&programs.man.to_string_lossy(), &[&pages.to_string_lossy()]))?;
    for page in files(&pages)? {
        let text = fs::read(pages.join(&page)).map_err(|error| file_error(&page, error))?;
        write(&folder.join(format!("share/man/man1/{}.gz", page.display())), &compressed(&text)?)?;
    }
    fs::remove_dir_all(&pages).map_err(|error| file_error(&pages, error))
}

/// Compressed without a name and a time.
pub fn compressed(bytes: &[u8]) -> Result<Vec<u8>, ChoreError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let done = encoder.write_all(bytes).and_then(|()| encoder.finish());
    done.map_err(|error| ChoreError::File { file: "what is compressed".to_owned(), error })
}

/// All files below the folder, by their paths in it, in order.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, ChoreError> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        let entries = fs::read_dir(&next).map_err(|error| file_error(&next, error))?;
        for entry in entries {
            let path = entry.map_err(|error| file_error(&next, error))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(inside) = path.strip_prefix(folder) {
                found.push(inside.to_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(unix)]
fn runnable(program: &Path) -> Result<(), ChoreError> {
    use std::os::unix::fs::PermissionsExt;
    let everybody = fs::Permissions::from_mode(0o755);
    fs::set_permissions(program, everybody).map_err(|error| file_error(program, error))
}

#[cfg(not(unix))]
fn runnable(_: &Path) -> Result<(), ChoreError> {
    Ok(())
}
