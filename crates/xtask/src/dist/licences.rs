//! The licences of everything that is inside the program: most of them ask to travel with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{file_error, host, read};
use crate::chore::{ChoreError, capture, command, root};

/// How files with licences and their notices begin.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    manifest_path: PathBuf,
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
}

#[derive(Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

/// One text with the licences of all crates that are linked into the program and of the packages of the page.
pub(super) fn text() -> Result<String, ChoreError> {
    let metadata = metadata()?;
    let linked = linked(&metadata);
    let mut known = BTreeMap::new();
    let mut text = "Emilia contains the following software of others, with thanks.\n".to_owned();
    let mut packages: Vec<&Package> = metadata
        .packages
        .iter()
        .filter(|package| package.source.is_some() && linked.contains(&package.id))
        .collect();
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    for package in packages {
        let folder = package.manifest_path.parent().unwrap_or(Path::new(""));
        let licence = package.license.as_deref().unwrap_or("see below");
        add(&mut text, &mut known, &format!("{} {}: {licence}", package.name, package.version), folder)?;
    }
    let vendor = root().join("web/vendor");
    let mut folders: Vec<PathBuf> = fs::read_dir(&vendor)
        .map_err(|error| file_error(&vendor, error))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        add(&mut text, &mut known, &format!("{name} (in the page)"), &folder)?;
    }
    Ok(text)
}

/// Adds a heading and every file with a licence that lies in the folder.
fn add(
    text: &mut String,
    known: &mut BTreeMap<String, String>,
    heading: &str,
    folder: &Path,
) -> Result<(), ChoreError> {
    let _ = write!(text, "\n{}\n{heading}\n", "=".repeat(80));
    let entries = fs::read_dir(folder).map_err(|error| file_error(folder, error))?;
    let is_licence = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        path.is_file() && NAMES.iter().any(|begin| name.starts_with(begin))
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_licence).collect();
    files.sort();
    for file in files {
        let (licence, name) =
            (read(&file)?, file.file_name().unwrap_or_default().to_string_lossy().into_owned());
        let licence = licence.trim().to_owned();
        // Most are one of a few texts, each of which is enough once.
        match known.get(&licence) {
            Some(first) => _ = writeln!(text, "{name}: the same as that of {first}"),
            None => {
                let _ = write!(text, "{name}:\n{}\n{licence}\n{0}\n", "-".repeat(80));
                known.insert(licence, heading.to_owned());
            }
        }
    }
    Ok(())
}

fn metadata() -> Result<Metadata, ChoreError> {
    let arguments = ["metadata", "--locked", "--format-version", "1", "--filter-platform", &host()?];
    let output = capture(&mut command("cargo", &arguments))?;
    if !output.status.success() {
        return Err(ChoreError::Failed { command: arguments.join(" ") });
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// What is reached from the program by dependencies that are neither for tests nor for building only.
fn linked(metadata: &Metadata) -> BTreeSet<String> {
    let program = metadata.packages.iter().find(|package| package.name == "emilia");
    let mut open: Vec<String> = program.map(|package| package.id.clone()).into_iter().collect();
    let mut found: BTreeSet<String> = open.iter().cloned().collect();
    while let Some(id) = open.pop() {
        let nodes = metadata.resolve.nodes.iter().filter(|node| node.id == id);
        let edges = nodes.flat_map(|node| &node.deps);
        for edge in edges.filter(|edge| edge.dep_kinds.iter().any(|kind| kind.kind.is_none())) {
            if found.insert(edge.pkg.clone()) {
                open.push(edge.pkg.clone());
            }
        }
    }
    found
}
