//! Archives whose bytes depend on nothing but what is in them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use tar::{Builder, EntryType, Header};

use super::{Release, file_error, tree, write};
use crate::chore::ChoreError;

/// Somebody whom files in an archive belong to, by numbers.
#[derive(Clone, Copy)]
pub(super) struct Owner(pub(super) u64);

/// The one who may do everything.
pub(super) const ROOT: Owner = Owner(0);

/// An archive in the making.
pub(super) struct Archive {
    builder: Builder<Vec<u8>>,
    moment: u64,
}

impl Archive {
    /// An empty one, in which everything was made at this moment.
    pub(super) fn new(moment: u64) -> Archive {
        Archive { builder: Builder::new(Vec::new()), moment }
    }

    /// Adds a file that these may do to what the mode says.
    pub(super) fn file(&mut self, path: &str, mode: u32, bytes: &[u8]) -> Result<(), ChoreError> {
        self.entry(path, EntryType::Regular, mode, ROOT, bytes)
    }

    /// Adds an empty folder.
    pub(super) fn folder(&mut self, path: &str, mode: u32, owner: Owner) -> Result<(), ChoreError> {
        self.entry(path, EntryType::Directory, mode, owner, &[])
    }

    /// Adds all that is below the folder, below the prefix.
    pub(super) fn tree(&mut self, folder: &Path, prefix: &str) -> Result<(), ChoreError> {
        for path in tree::files(folder)? {
            let bytes = fs::read(folder.join(&path)).map_err(|error| file_error(&path, error))?;
            // Windows has other slashes.
            let path = path.to_string_lossy().replace('\\', "/");
            let mode = if path == tree::program() { 0o755 } else { 0o644 };
            self.file(&format!("{prefix}/{path}"), mode, &bytes)?;
        }
        Ok(())
    }

    fn entry(
        &mut self,
        path: &str,
        kind: EntryType,
        mode: u32,
        Owner(owner): Owner,
        bytes: &[u8],
    ) -> Result<(), ChoreError> {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_uid(owner);
        header.set_gid(owner);
        header.set_mtime(self.moment);
        header.set_size(bytes.len() as u64);
        let added = self.builder.append_data(&mut header, path, bytes);
        added.map_err(|error| ChoreError::File { file: path.to_owned(), error })
    }

    /// The bytes of the whole.
    pub(super) fn finish(self) -> Result<Vec<u8>, ChoreError> {
        let done = self.builder.into_inner().and_then(|mut bytes| bytes.flush().map(|()| bytes));
        done.map_err(|error| ChoreError::File { file: "the archive".to_owned(), error })
    }
}

/// Everything for a machine of this kind, to be unpacked wherever one likes: `tar xzf FILE --strip-components 1 -C /usr/local`.
pub(super) fn write_all(release: &Release, folder: &Path) -> Result<PathBuf, ChoreError> {
    let name = format!("emilia-{}-{}-{}", release.version, std::env::consts::ARCH, std::env::consts::OS);
    let mut archive = Archive::new(release.moment);
    archive.tree(folder, &name)?;
    let file = release.folder.join(format!("{name}.tar.gz"));
    write(&file, &tree::compressed(&archive.finish()?)?)?;
    Ok(file)
}
