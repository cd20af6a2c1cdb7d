use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What a unit has given. It is written last: a unit is done when its receipt is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Number of the unit.
    pub unit: u64,
    /// Its files.
    pub files: Vec<FileSum>,
    /// What others need to know of it without opening its files.
    pub note: serde_json::Value,
}

/// A file and what is in it, as `sha256sum` checks it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSum {
    /// Its name in the folder.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// The SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
}

impl FileSum {
    /// The checksum of this content.
    #[must_use]
    pub fn of(name: &str, content: &[u8]) -> FileSum {
        FileSum { name: name.to_owned(), bytes: content.len() as u64, sha256: sha256(content) }
    }

    /// Whether this is the content.
    #[must_use]
    pub fn fits(&self, content: &[u8]) -> bool {
        self.bytes == content.len() as u64 && self.sha256 == sha256(content)
    }
}

fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the standard, FIPS 180-4.
    #[test]
    fn the_published_digest_comes_out() {
        let sum = FileSum::of("abc", b"abc");
        assert_eq!(sum.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(sum.fits(b"abc") && !sum.fits(b"abd"));
    }
}
