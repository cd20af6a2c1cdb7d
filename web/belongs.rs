//! Which files of this folder are the page: the rest checks it. Read by the build script and by debug builds.

use std::io;
use std::path::Path;

/// Folders that belong to the page with all that is in them.
pub(crate) const FOLDERS: [&str; 5] = ["css", "embed", "i18n", "js", "vendor"];
/// Types that only the checks read lie beside the libraries they describe.
const ONLY_CHECKED: &str = ".d.ts";

/// Whether a browser may ask for this path.
pub(crate) fn belongs(path: &str) -> bool {
    match path.split_once('/') {
        None => {
            matches!(path, "index.html" | "manifest.webmanifest" | "sw.js")
                || (path.starts_with("icon") && (path.ends_with(".png") || path.ends_with(".svg")))
        }
        Some((folder, rest)) => {
            // A path that climbs, or one of another system, leads out of the folder.
            let is_plain = rest.split('/').all(|part| !matches!(part, "" | "." | ".."));
            FOLDERS.contains(&folder)
                && is_plain
                && !path.contains(['\\', ':'])
                && !path.ends_with(ONLY_CHECKED)
        }
    }
}

/// The paths of all files that belong to the page in this folder, sorted.
pub(crate) fn all(home: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    look(home, "", &mut found)?;
    found.sort_unstable();
    Ok(found)
}

/// Adds what is in a folder whose path begins with `before`.
fn look(folder: &Path, before: &str, found: &mut Vec<String>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        // A name that is no text cannot be asked for.
        let Some(name) = name.to_str() else { continue };
        let path = format!("{before}{name}");
        if entry.file_type()?.is_dir() {
            if !before.is_empty() || FOLDERS.contains(&name) {
                look(&entry.path(), &format!("{path}/"), found)?;
            }
        } else if belongs(&path) {
            found.push(path);
        }
    }
    Ok(())
}
