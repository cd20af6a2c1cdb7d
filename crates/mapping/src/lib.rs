//! A file as bytes in memory that were never read: the system brings in what is looked at.
//!
//! This crate exists for one unsafe call, so that a file of gigabytes opens at once wherever bytes are wanted. Nothing
//! else is to be put here.
//!
//! ```
//! use std::fs::File;
//! use emilia_mapping::Mapping;
//!
//! let bytes = Mapping::of(&File::open("Cargo.toml")?)?;
//! assert!(bytes.starts_with(b"[package]"));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Deref;

use memmap2::Mmap;

/// The bytes of a file, which must not be changed in place as long as this lives.
///
/// Every file that we map is written whole under another name and then renamed, so that who holds the old one goes on
/// seeing the old one. A foreign program that cuts a mapped file short ends ours with a bus error.
pub struct Mapping(Mmap);

impl Mapping {
    /// Maps a file from its first byte to its last, for reading.
    #[allow(unsafe_code)]
    pub fn of(file: &File) -> io::Result<Mapping> {
        // SAFETY: the map is private to this process and only read. What remains to be promised is that nobody writes to
        // the file in place while it is mapped: our own writers never do, they rename a finished file over it.
        unsafe { Mmap::map(file) }.map(Mapping)
    }
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Mapping {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mapping({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn who_holds_a_file_that_was_replaced_goes_on_seeing_the_old_one() {
        let folder = std::env::temp_dir().join(format!("emilia-mapping-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (old, new) = (folder.join("old"), folder.join("new"));
        fs::write(&old, b"first").unwrap();
        let mapping = Mapping::of(&File::open(&old).unwrap()).unwrap();
        fs::write(&new, b"second").unwrap();
        fs::rename(&new, &old).unwrap();
        assert_eq!(&*mapping, b"first");
        assert_eq!(&*Mapping::of(&File::open(&old).unwrap()).unwrap(), b"second");
        fs::write(&new, b"").unwrap();
        assert!(Mapping::of(&File::open(&new).unwrap()).unwrap().is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }
}
