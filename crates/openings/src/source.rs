//! Bytes that are read where they are needed: of a file of any size, or in memory.
//!
//! Positioned reads instead of a memory map: a map needs unsafe code, because a file that somebody shortens takes the
//! program with it. Such a read gives an error instead, and costs a microsecond where the system has the page already.

#[cfg(any(unix, windows))]
use std::fs::File;
use std::io;
use std::sync::Arc;

/// Something that can be read anywhere, by several threads at once.
pub trait ReadAt: Send + Sync {
    /// Fills the buffer with what begins there; an error where there is not so much.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// How many bytes there are.
    fn length(&self) -> u64;
}

impl ReadAt for &'static [u8] {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        read_slice(self, offset, buffer)
    }

    fn length(&self) -> u64 {
        self.len() as u64
    }
}

impl ReadAt for Arc<[u8]> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        read_slice(self, offset, buffer)
    }

    fn length(&self) -> u64 {
        self.len() as u64
    }
}

fn read_slice(bytes: &[u8], offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    let from = usize::try_from(offset).ok();
    let found = from.and_then(|from| bytes.get(from..from.checked_add(buffer.len())?));
    buffer.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
    Ok(())
}

/// A file that somebody has opened. In the browser there are none.
#[cfg(any(unix, windows))]
#[derive(Debug)]
pub struct FileSource {
    file: File,
    length: u64,
}

#[cfg(any(unix, windows))]
impl FileSource {
    /// Reads from this file, which is as long as it is now.
    pub fn new(file: File) -> io::Result<FileSource> {
        let length = file.metadata()?.len();
        Ok(FileSource { file, length })
    }
}

#[cfg(any(unix, windows))]
impl ReadAt for FileSource {
    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            let read = std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            offset += read as u64;
            buffer = &mut buffer[read..];
        }
        Ok(())
    }

    fn length(&self) -> u64 {
        self.length
    }
}
