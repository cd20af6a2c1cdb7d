use std::io::{self, BufReader, BufWriter, Read, Write};

use thiserror::Error;

use super::{HEADER, Labelled, LabelledError, header};

const MAGIC: &[u8; 8] = b"EMILIAD1";

/// Why a file of scored positions cannot be read.
#[derive(Debug, Error)]
pub enum LabelledFileError {
    /// The file does not begin as it should.
    #[error("this is no file of scored positions, version 1")]
    Header,
    /// A position makes no sense.
    #[error("position {0}: {1}")]
    Position(u64, LabelledError),
    /// The file ends within a position.
    #[error("the file ends within position {0}")]
    Truncated(u64),
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
}

/// Writes scored positions to a `.emd` file.
#[derive(Debug)]
pub struct LabelledWriter<W: Write>(BufWriter<W>);

impl<W: Write> LabelledWriter<W> {
    /// Begins a file.
    pub fn new(out: W) -> io::Result<LabelledWriter<W>> {
        let mut out = BufWriter::with_capacity(BUFFER, out);
        out.write_all(&header(MAGIC, Labelled::BYTES as u32))?;
        Ok(LabelledWriter(out))
    }

    /// Adds a position.
    pub fn write(&mut self, labelled: &Labelled) -> io::Result<()> {
        self.0.write_all(&labelled.bytes())
    }

    /// Ends the file: everything is handed on, and the writer given back.
    pub fn finish(mut self) -> io::Result<W> {
        self.0.flush()?;
        self.0.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

/// Reads the scored positions of a `.emd` file one after the other. After an error there are no more.
#[derive(Debug)]
pub struct LabelledReader<R> {
    input: BufReader<R>,
    number: u64,
    over: bool,
}

/// Bytes read or written at once.
const BUFFER: usize = 1 << 18;

impl<R: Read> LabelledReader<R> {
    /// Reads the header.
    pub fn new(input: R) -> Result<LabelledReader<R>, LabelledFileError> {
        let mut input = BufReader::with_capacity(BUFFER, input);
        let mut head = [0; HEADER];
        match input.read_exact(&mut head) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(LabelledFileError::Header);
            }
            done => done?,
        }
        if head != header(MAGIC, Labelled::BYTES as u32) {
            return Err(LabelledFileError::Header);
        }
        Ok(LabelledReader { input, number: 0, over: false })
    }

    fn read(&mut self) -> Result<Option<Labelled>, LabelledFileError> {
        let mut bytes = [0; Labelled::BYTES];
        let mut filled = 0;
        while filled < bytes.len() {
            match self.input.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(LabelledFileError::Truncated(self.number)),
                Ok(more) => filled += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        let labelled =
            Labelled::from_bytes(&bytes).map_err(|error| LabelledFileError::Position(self.number, error))?;
        self.number += 1;
        Ok(Some(labelled))
    }
}

impl<R: Read> Iterator for LabelledReader<R> {
    type Item = Result<Labelled, LabelledFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let next = self.read().transpose();
        self.over = !matches!(next, Some(Ok(_)));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Origin;
    use emilia_rules::{Board, Square};

    fn file() -> (Vec<Labelled>, Vec<u8>) {
        let labelled = [Square::D3, Square::C4].map(|square| Labelled {
            board: Board::START.play(square),
            score: 99,
            origin: Origin::Result,
            game: 5,
        });
        let mut writer = LabelledWriter::new(Vec::new()).unwrap();
        labelled.iter().for_each(|labelled| writer.write(labelled).unwrap());
        (labelled.to_vec(), writer.finish().unwrap())
    }

    #[test]
    fn a_file_reads_as_written() {
        let (labelled, bytes) = file();
        assert_eq!(bytes.len(), HEADER + 2 * Labelled::BYTES);
        assert_eq!(&bytes[..16], b"EMILIAD1\x01\0\0\0\x18\0\0\0");
        let read: Vec<Labelled> =
            LabelledReader::new(bytes.as_slice()).unwrap().map(Result::unwrap).collect();
        assert_eq!(read, labelled);
    }

    #[test]
    fn broken_files_are_refused_and_say_where() {
        let (_, bytes) = file();
        assert!(matches!(LabelledReader::new(&bytes[..10]), Err(LabelledFileError::Header)));
        assert!(LabelledReader::new(b"EMILIAG1\x01\0\0\0\0\0\0\0".as_slice()).is_err());
        let mut reader = LabelledReader::new(&bytes[..bytes.len() - 1]).unwrap();
        assert!(reader.next().is_some_and(|first| first.is_ok()));
        assert!(matches!(reader.next(), Some(Err(LabelledFileError::Truncated(1)))));
        assert!(reader.next().is_none());
    }
}
