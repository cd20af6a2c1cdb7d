//! The WTHOR database as a folder of files, one a year.

use std::path::Path;
use std::{fs, io};

use emilia_record::thor::Archive;

use crate::Failure;
use crate::files::read_bytes;

/// The files of a folder whose year is wanted, in the order of their names.
pub(crate) fn read_years(folder: &Path, wanted: impl Fn(u16) -> bool) -> Result<Vec<Archive>, Failure> {
    let failed = |error| Failure::file(folder, error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wtb")) {
            paths.push(path);
        }
    }
    paths.sort();
    let mut archives = Vec::new();
    for path in paths {
        let bytes = read_bytes(&path, &mut io::empty())?;
        let archive = Archive::parse(&bytes)
            .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
        if wanted(archive.header().played) {
            archives.push(archive);
        }
    }
    if archives.is_empty() {
        return Err(Failure::failed(format!(
            "{}: no file of the WTHOR database is of use",
            folder.display()
        )));
    }
    Ok(archives)
}
