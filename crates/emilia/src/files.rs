//! Files named by the user.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use emilia_engine::FileBytes;
use emilia_learn::data::LabelledReader;
use emilia_mapping::Mapping;
use emilia_record::{Game, Hint};

use crate::Failure;

/// Largest file of weights that is read: the real ones have a few lines, or a few megabytes.
const LARGEST_WEIGHTS: u64 = 64 << 20;

/// Reads a file of weights that an option mentions.
pub(crate) fn read_weights(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST_WEIGHTS).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file that a player's name mentions, weights or a book: mapped, because a book may be larger than memory.
pub(crate) fn open_named(path: &str) -> io::Result<FileBytes> {
    Ok(FileBytes::new(Mapping::of(&File::open(path)?)?))
}

/// Reads any file that a plan of work mentions.
pub(crate) fn read_named(path: &str) -> io::Result<FileBytes> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST_RECORD).read_to_end(&mut bytes)?;
    Ok(bytes.into())
}

/// The games of a file in any format. What could not be read in a file that holds some is an error: whoever asks for
/// games wants all of them.
pub(crate) fn read_games(path: &Path) -> Result<Vec<Game>, Failure> {
    let bytes = fs::read(path).map_err(|error| Failure::file(path, error))?;
    let name = path.to_string_lossy();
    let failed = |reason: String| Failure::failed(format!("{name}: {reason}"));
    let hint = Hint { file_name: Some(&name) };
    let reading = emilia_record::read(&bytes, &hint).map_err(|error| failed(error.to_string()))?;
    match reading.problems.first() {
        Some(problem) => Err(failed(problem.to_string())),
        None => Ok(reading.into_games(&Default::default())),
    }
}

/// The scored positions of a file. Of an older one, which has no checksums, that is said.
pub(crate) fn open_positions(path: &Path, err: &mut dyn Write) -> Result<LabelledReader<File>, Failure> {
    let file = File::open(path).map_err(|error| Failure::file(path, error))?;
    let reader = LabelledReader::new(file).map_err(|error| Failure::in_file(path, &error))?;
    if !reader.is_protected() {
        // A remark that cannot be shown is no reason to stop.
        let _ = writeln!(err, "{}: an old file without checksums, damage may go unnoticed", path.display());
    }
    Ok(reader)
}

/// Largest record that is read; the readers of text formats take less.
const LARGEST_RECORD: u64 = 512 << 20;

/// The bytes of a file, or of the input where the name is `-`.
pub(crate) fn read_bytes(path: &Path, input: &mut dyn Read) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read =
        |source: &mut dyn Read, bytes: &mut Vec<u8>| source.take(LARGEST_RECORD + 1).read_to_end(bytes);
    let length = if path == Path::new("-") {
        read(input, &mut bytes)
    } else {
        File::open(path).and_then(|mut file| read(&mut file, &mut bytes))
    };
    match length.map_err(|error| Failure::file(path, error))? {
        length if length as u64 > LARGEST_RECORD => {
            Err(Failure::failed(format!("{}: more than {LARGEST_RECORD} bytes are not read", path.display())))
        }
        _ => Ok(bytes),
    }
}

/// Writes a file so that it is there whole or not at all: a crash leaves what was there before, and so does a power
/// cut, because the bytes are on the disk before the name is.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    let write = || {
        let mut file = File::create(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    };
    write().inspect_err(|_| {
        // The error is what matters; a leftover is the lesser trouble.
        let _ = fs::remove_file(&unfinished);
    })
}
