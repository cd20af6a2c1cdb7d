//! Packages for Debian and for distributions with RPM, made by their own tools from the tree of the release.

use std::path::{Path, PathBuf};
use std::{fs, process};

use super::{Programs, Release, file_error, read, tree, write};
use crate::chore::{ChoreError, capture, command, root};
use crate::web;

/// How small a package is made.
#[derive(Clone, Copy)]
pub(super) enum Packing {
    /// As it travels.
    Small,
    /// For a look at it.
    Quick,
}

/// Makes the package for Debian and what descends from it.
pub(super) fn deb(
    release: &Release,
    folder: &Path,
    programs: &Programs,
    packing: Packing,
) -> Result<PathBuf, ChoreError> {
    needs("dpkg-deb", "dpkg")?;
    let stage = release.folder.join("deb");
    copy(folder, &stage.join("usr"))?;
    write(&stage.join("usr/share/doc/emilia/copyright"), copyright()?.as_bytes())?;
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let mut size = 0;
    for file in tree::files(&stage)? {
        size += stage.join(&file).metadata().map_err(|error| file_error(&file, error))?.len();
    }
    let depends = if programs.is_static { "" } else { "Depends: libc6, libgcc-s1\n" };
    let control = read(&root().join("packaging/emilia.control"))?
        .replace("{version}", &release.version)
        .replace("{architecture}", architecture)
        .replace("{size}", &size.div_ceil(1024).to_string())
        .replace("{depends}", depends);
    write(&stage.join("DEBIAN/control"), control.as_bytes())?;
    let file = release.folder.join(format!("emilia_{}_{architecture}.deb", release.version));
    let (from, to) = (stage.to_string_lossy(), file.to_string_lossy());
    let level = match packing {
        Packing::Small => "-z6",
        Packing::Quick => "-z0",
    };
    let mut build = command("dpkg-deb", &["--root-owner-group", "-Zxz", level, "--build", &from, &to]);
    quietly(build.env("SOURCE_DATE_EPOCH", release.moment.to_string()))?;
    fs::remove_dir_all(&stage).map_err(|error| file_error(&stage, error))?;
    Ok(file)
}

/// Makes the RPM.
pub(super) fn rpm(release: &Release, folder: &Path) -> Result<PathBuf, ChoreError> {
    needs("rpmbuild", "rpm")?;
    let top = release.folder.join("rpm");
    let stage = top.join("stage");
    copy(folder, &stage.join("usr"))?;
    let architecture = std::env::consts::ARCH;
    let files: Vec<String> =
        tree::files(&stage)?.iter().map(|file| format!("%attr(-, root, root) /{}", file.display())).collect();
    let spec = read(&root().join("packaging/emilia.spec"))?
        .replace("{version}", &release.version)
        .replace("{architecture}", architecture)
        .replace("{tree}", &stage.to_string_lossy())
        .replace("{files}", &files.join("\n"));
    let file = top.join("emilia.spec");
    write(&file, spec.as_bytes())?;
    let define = |name: &str, value: &str| ["--define".to_owned(), format!("{name} {value}")];
    let mut build = command("rpmbuild", &["-bb", "--quiet", "--target", architecture]);
    for (name, value) in [
        ("_topdir", &*top.to_string_lossy()),
        // The same bytes every time, and files as they are.
        ("_buildhost", "localhost"),
        ("use_source_date_epoch_as_buildtime", "1"),
        ("clamp_mtime_to_source_date_epoch", "1"),
        ("_build_id_links", "none"),
        ("debug_package", "%{nil}"),
        ("__os_install_post", "%{nil}"),
        ("__brp_mangle_shebangs", "%{nil}"),
    ] {
        build.args(define(name, value));
    }
    quietly(build.arg(&file).env("SOURCE_DATE_EPOCH", release.moment.to_string()))?;
    let name = format!("emilia-{}-1.{architecture}.rpm", release.version);
    let (made, file) = (top.join("RPMS").join(architecture).join(&name), release.folder.join(&name));
    fs::rename(&made, &file).map_err(|error| file_error(&made, error))?;
    fs::remove_dir_all(&top).map_err(|error| file_error(&top, error))?;
    Ok(file)
}

/// Who may do what with it, as Debian wants to read it.
fn copyright() -> Result<String, ChoreError> {
    let mit = read(&root().join("LICENSE-MIT"))?;
    let indented: Vec<String> = mit
        .lines()
        .map(|line| if line.trim().is_empty() { " .".to_owned() } else { format!(" {line}") })
        .collect();
    Ok(format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: Emilia\n\nFiles: *\nCopyright: The Emilia developers\nLicense: MIT or Apache-2.0\n\
         Comment: What others wrote and is inside is listed in THIRD-PARTY.txt.\n\n\
         License: MIT\n{}\n\nLicense: Apache-2.0\n On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.\n",
        indented.join("\n")
    ))
}

/// Copies all files of a folder, with what may be done to them.
fn copy(from: &Path, to: &Path) -> Result<(), ChoreError> {
    for file in tree::files(from)? {
        let target = to.join(&file);
        let parent = target.parent().unwrap_or(to);
        fs::create_dir_all(parent).map_err(|error| file_error(parent, error))?;
        fs::copy(from.join(&file), &target).map_err(|error| file_error(&target, error))?;
    }
    Ok(())
}

/// Sees to it that the program is there.
fn needs(program: &str, package: &str) -> Result<(), ChoreError> {
    if !web::works(program) {
        web::install(&[package]);
    }
    if web::works(program) {
        return Ok(());
    }
    Err(ChoreError::Missing {
        what: format!("{program} is not installed (on Debian: apt-get install {package})"),
    })
}

/// Runs the command, and shows what it said only if it failed.
pub(super) fn quietly(command: &mut process::Command) -> Result<(), ChoreError> {
    let output = capture(command)?;
    if output.status.success() {
        return Ok(());
    }
    print!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let program = command.get_program().to_string_lossy().into_owned();
    Err(ChoreError::Failed { command: program })
}
