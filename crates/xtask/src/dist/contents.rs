//! What is inside, for people who must know.

use std::path::Path;

use serde_json::{Value, json};

use super::{file_error, read};
use crate::chore::{ChoreError, command, install, root, show};

/// The list of everything that is inside the program (SBOM), with versions, licences and checksums, in the format
/// CycloneDX: the crates that are linked and the packages of the page. What only tests and builds need is not in it.
pub(super) fn bill_of_materials(folder: &Path) -> Result<(), ChoreError> {
    install("cyclonedx")?;
    let arguments =
        ["cyclonedx", "--quiet", "--manifest-path", "crates/emilia/Cargo.toml", "--format", "json"];
    let more =
        ["--spec-version", "1.5", "--target", "all", "--no-build-deps", "--override-filename", "sbom.cdx"];
    show(command("cargo", &arguments).args(more))?;
    // One is written beside the manifest of every crate of ours; that of the program has what is in all others.
    let crates = root().join("crates");
    let entries = std::fs::read_dir(&crates).map_err(|error| file_error(&crates, error))?.flatten();
    let ours = entries.map(|entry| entry.path()).chain(["data", "web"].map(|name| root().join(name)));
    let mut list = Value::Null;
    for made in ours.map(|folder| folder.join("sbom.cdx.json")).filter(|made| made.exists()) {
        if made.starts_with(crates.join("emilia")) {
            list = serde_json::from_str(&without_our_folder(&read(&made)?))?;
        }
        std::fs::remove_file(&made).map_err(|error| file_error(&made, error))?;
    }
    if list.is_null() {
        return Err(ChoreError::Missing {
            what: "cargo cyclonedx has written no list for crates/emilia".to_owned(),
        });
    }
    // When it was made, and a number of its own: both would differ from one run to the next.
    if let Some(list) = list.as_object_mut() {
        list.remove("serialNumber");
    }
    if let Some(metadata) = list["metadata"].as_object_mut() {
        metadata.remove("timestamp");
    }
    if let Some(components) = list["components"].as_array_mut() {
        components.extend(packages_of_the_page()?);
    }
    let file = folder.join("emilia.cdx.json");
    std::fs::write(&file, serde_json::to_string_pretty(&list)?).map_err(|error| file_error(&file, error))
}

/// The packages that lie in `web/vendor`, as the lock file describes them.
fn packages_of_the_page() -> Result<Vec<Value>, ChoreError> {
    let lock: Value = serde_json::from_str(&read(&root().join("web/package-lock.json"))?)?;
    let vendor = root().join("web/vendor");
    let folders = std::fs::read_dir(&vendor).map_err(|error| file_error(&vendor, error))?.flatten();
    let mut names: Vec<String> = folders
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let component = |name: &String| {
        let locked = &lock["packages"][format!("node_modules/{name}")];
        let what = || format!("{name} lies in web/vendor, but not in web/package-lock.json");
        let version = locked["version"].as_str().ok_or_else(|| ChoreError::Missing { what: what() })?;
        let address = format!("pkg:npm/{name}@{version}");
        Ok(json!({
            "type": "library", "bom-ref": address, "name": name, "version": version, "scope": "required",
            "licenses": [{"expression": locked["license"]}], "purl": address,
        }))
    };
    names.iter().map(component).collect()
}

/// The text without the place where the repository lies on this machine.
fn without_our_folder(text: &str) -> String {
    let place = root().canonicalize().unwrap_or_else(|_| root());
    text.replace(&place.display().to_string(), "")
}
