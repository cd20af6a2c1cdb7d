use std::fmt;
use std::ops::Deref;

/// The bytes of a file that a player names: read, or mapped into memory where there may be many of them.
pub struct FileBytes(Box<dyn AsRef<[u8]> + Send + Sync>);

impl FileBytes {
    /// Bytes, however they are kept.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> FileBytes {
        FileBytes(Box::new(bytes))
    }
}

impl From<Vec<u8>> for FileBytes {
    fn from(bytes: Vec<u8>) -> FileBytes {
        FileBytes::new(bytes)
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

impl AsRef<[u8]> for FileBytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileBytes({})", self.len())
    }
}
