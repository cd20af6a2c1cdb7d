use std::io::{self, BufReader, Read, Write};

use thiserror::Error;

use super::{HEADER, Labelled, LabelledError, fill, header};

const MAGIC: &[u8; 8] = b"EMILIAD1";
/// The version that is written: blocks of positions with a checksum each. In version 1 the positions follow each other
/// without any.
const VERSION: u32 = 2;
const UNPROTECTED: u32 = 1;

/// Positions of a block at most.
const BLOCK: usize = 4096;
/// Bytes before the positions of a block: their number and their checksum.
const BLOCK_HEAD: usize = 8;

/// Why a file of scored positions cannot be read.
#[derive(Debug, Error)]
pub enum LabelledFileError {
    /// The file does not begin as it should.
    #[error("this is no file of scored positions, version 1 or 2")]
    Header,
    /// A block is not as it was written.
    #[error("the block after {0} positions is damaged: its checksum is wrong")]
    Damaged(u64),
    /// A position makes no sense.
    #[error("position {0}: {1}")]
    Position(u64, LabelledError),
    /// The file ends within a position or a block.
    #[error("the file ends in the middle of what follows {0} positions")]
    Truncated(u64),
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
}

/// Writes scored positions to a `.emd` file.
#[derive(Debug)]
pub struct LabelledWriter<W: Write> {
    out: W,
    /// The block to come, with room for its head.
    block: Vec<u8>,
}

impl<W: Write> LabelledWriter<W> {
    /// Begins a file.
    pub fn new(mut out: W) -> io::Result<LabelledWriter<W>> {
        out.write_all(&header(MAGIC, VERSION, Labelled::BYTES as u32))?;
        Ok(LabelledWriter { out, block: vec![0; BLOCK_HEAD] })
    }

    /// Adds a position.
    pub fn write(&mut self, labelled: &Labelled) -> io::Result<()> {
        self.block.extend(labelled.bytes());
        if self.block.len() == BLOCK_HEAD + BLOCK * Labelled::BYTES { self.end_block() } else { Ok(()) }
    }

    /// Ends the file: everything is handed on, and the writer given back.
    pub fn finish(mut self) -> io::Result<W> {
        if self.block.len() > BLOCK_HEAD {
            self.end_block()?;
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn end_block(&mut self) -> io::Result<()> {
        let (head, positions) = self.block.split_at_mut(BLOCK_HEAD);
        let count = ((positions.len() / Labelled::BYTES) as u32).to_le_bytes();
        head[..4].copy_from_slice(&count);
        head[4..].copy_from_slice(&checksum(&count, positions).to_le_bytes());
        self.out.write_all(&self.block)?;
        self.block.truncate(BLOCK_HEAD);
        Ok(())
    }
}

/// CRC-32 of a block: of the number of its positions, and of the positions.
fn checksum(count: &[u8], positions: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(count);
    sum.update(positions);
    sum.finalize()
}

/// Reads the scored positions of a `.emd` file one after the other. After an error there are no more.
#[derive(Debug)]
pub struct LabelledReader<R> {
    input: BufReader<R>,
    version: u32,
    /// The positions of a block, and how many of them were handed over.
    block: Vec<u8>,
    taken: usize,
    /// Positions handed over altogether.
    number: u64,
    over: bool,
}

impl<R: Read> LabelledReader<R> {
    /// Reads the header.
    pub fn new(input: R) -> Result<LabelledReader<R>, LabelledFileError> {
        let mut input = BufReader::new(input);
        let mut head = [0; HEADER];
        let whole = fill(&mut input, &mut head)? == HEADER;
        let is = |version: &u32| head == header(MAGIC, *version, Labelled::BYTES as u32);
        let version = [VERSION, UNPROTECTED].into_iter().find(is).filter(|_| whole);
        let version = version.ok_or(LabelledFileError::Header)?;
        Ok(LabelledReader { input, version, block: Vec::new(), taken: 0, number: 0, over: false })
    }

    /// Whether the file has checksums. An older one has none: damage that still makes sense goes unnoticed.
    #[must_use]
    pub fn is_protected(&self) -> bool {
        self.version != UNPROTECTED
    }

    fn read(&mut self) -> Result<Option<Labelled>, LabelledFileError> {
        let (positions, _) = self.block.as_chunks();
        let Some(bytes) = positions.get(self.taken) else {
            return if self.read_block()? { self.read() } else { Ok(None) };
        };
        let labelled =
            Labelled::from_bytes(bytes).map_err(|error| LabelledFileError::Position(self.number, error))?;
        self.taken += 1;
        self.number += 1;
        Ok(Some(labelled))
    }

    /// Reads the next block; false at the end of the file.
    fn read_block(&mut self) -> Result<bool, LabelledFileError> {
        let truncated = LabelledFileError::Truncated(self.number);
        let damaged = LabelledFileError::Damaged(self.number);
        let mut head = [0; BLOCK_HEAD];
        let (mut count, mut sum) = (BLOCK, None);
        if self.is_protected() {
            match fill(&mut self.input, &mut head)? {
                0 => return Ok(false),
                BLOCK_HEAD => {}
                _ => return Err(truncated),
            }
            let [number, stated] = [&head[..4], &head[4..]]
                .map(|word| word.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)));
            (count, sum) = (number as usize, Some(stated));
            if !(1..=BLOCK).contains(&count) {
                return Err(damaged);
            }
        }
        self.block.resize(count * Labelled::BYTES, 0);
        let length = fill(&mut self.input, &mut self.block)?;
        match sum {
            Some(_) if length < self.block.len() => return Err(truncated),
            Some(sum) if sum != checksum(&head[..4], &self.block) => return Err(damaged),
            None if !length.is_multiple_of(Labelled::BYTES) => return Err(truncated),
            _ => self.block.truncate(length),
        }
        self.taken = 0;
        Ok(length > 0)
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

    fn positions(count: usize) -> Vec<Labelled> {
        let squares = [Square::D3, Square::C4, Square::F5, Square::E6];
        let position = |at: usize| Labelled {
            board: Board::START.play(squares[at % 4]),
            score: at as i16,
            origin: Origin::Result,
            game: at as u32 / 60,
        };
        (0..count).map(position).collect()
    }

    fn file(count: usize) -> Vec<u8> {
        let mut writer = LabelledWriter::new(Vec::new()).unwrap();
        positions(count).iter().for_each(|labelled| writer.write(labelled).unwrap());
        writer.finish().unwrap()
    }

    /// A file as it was before there were checksums.
    fn old_file(count: usize) -> Vec<u8> {
        let positions = positions(count);
        let bytes = positions.iter().flat_map(Labelled::bytes);
        header(MAGIC, UNPROTECTED, 24).into_iter().chain(bytes).collect()
    }

    fn read(bytes: &[u8]) -> Result<Vec<Labelled>, LabelledFileError> {
        LabelledReader::new(bytes)?.collect()
    }

    #[test]
    fn a_file_reads_as_written() {
        let bytes = file(2);
        assert_eq!(bytes.len(), HEADER + BLOCK_HEAD + 2 * Labelled::BYTES);
        assert_eq!(&bytes[..20], b"EMILIAD1\x02\0\0\0\x18\0\0\0\x02\0\0\0");
        for count in [0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            assert_eq!(read(&file(count)).unwrap(), positions(count));
            assert_eq!(read(&old_file(count)).unwrap(), positions(count));
        }
        assert!(LabelledReader::new(file(2).as_slice()).unwrap().is_protected());
        assert!(!LabelledReader::new(old_file(2).as_slice()).unwrap().is_protected());
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let bytes = file(50);
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&flipped).is_err(), "bit {bit}");
        }
        let mut late = file(2 * BLOCK);
        *late.last_mut().unwrap() ^= 1;
        let error = read(&late).unwrap_err();
        assert_eq!(error.to_string(), "the block after 4096 positions is damaged: its checksum is wrong");
    }

    #[test]
    fn broken_files_are_refused_and_say_where() {
        assert!(matches!(read(&file(2)[..10]), Err(LabelledFileError::Header)));
        assert!(matches!(read(b"EMILIAG1\x01\0\0\0\0\0\0\0"), Err(LabelledFileError::Header)));
        let bytes = file(BLOCK + 2);
        let second = HEADER + BLOCK_HEAD + BLOCK * Labelled::BYTES;
        for cut in [second + 1, second + BLOCK_HEAD, bytes.len() - 1] {
            assert!(matches!(read(&bytes[..cut]), Err(LabelledFileError::Truncated(4096))), "{cut}");
        }
        let old = old_file(2);
        let mut reader = LabelledReader::new(&old[..old.len() - 1]).unwrap();
        assert!(matches!(reader.next(), Some(Err(LabelledFileError::Truncated(0)))));
        assert!(reader.next().is_none());
    }
}
