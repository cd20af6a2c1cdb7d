use std::io::{self, Write};

use super::games_reader::MAGIC;
use super::{Game, header};

/// Writes games of self-play to a `.emg` file. Each game is handed on at once and whole, so that whoever is killed
/// loses at most the game that is being written.
#[derive(Debug)]
pub struct GamesWriter<W>(W);

impl<W: Write> GamesWriter<W> {
    /// Begins a file.
    pub fn new(mut out: W) -> io::Result<GamesWriter<W>> {
        out.write_all(&header(MAGIC, 1, 0))?;
        Ok(GamesWriter(out))
    }

    /// Goes on with a file whose last whole game ends where the next byte goes.
    #[must_use]
    pub fn resume(out: W) -> GamesWriter<W> {
        GamesWriter(out)
    }

    /// Adds a game.
    pub fn write(&mut self, game: &Game) -> io::Result<()> {
        self.0.write_all(&game.bytes())
    }

    /// The writer that was passed in.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{GamesError, GamesReader, Origin, Ply};
    use emilia_rules::{Board, Move, Square};

    fn game(length: usize) -> Game {
        let ply = |square| Ply { mv: Move::Place(square), score: 4, origin: Origin::Exact, random: false };
        let mut game =
            Game { start: Board::START, plies: vec![ply(Square::D3), ply(Square::C3), ply(Square::C4)] };
        game.plies.truncate(length);
        game
    }

    fn file() -> Vec<u8> {
        let mut writer = GamesWriter::new(Vec::new()).unwrap();
        (0..4).for_each(|length| writer.write(&game(length)).unwrap());
        writer.into_inner()
    }

    #[test]
    fn a_file_reads_as_written() {
        let bytes = file();
        assert_eq!(&bytes[..16], b"EMILIAG1\x01\0\0\0\0\0\0\0");
        let mut reader = GamesReader::new(bytes.as_slice()).unwrap();
        let games: Vec<Game> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(games, [game(0), game(1), game(2), game(3)]);
        assert_eq!(reader.intact(), bytes.len() as u64);
    }

    /// However a file is torn, all whole games are read, and a writer that goes on there loses nothing else.
    #[test]
    fn a_torn_file_is_continued() {
        let whole = file();
        let last = game(3).bytes().len();
        for cut in 1..last {
            let mut bytes = whole[..whole.len() - cut].to_vec();
            // Some file systems leave zeros where something was about to be written.
            if cut % 2 == 0 {
                bytes.extend(vec![0; 3 * cut]);
            }
            let mut reader = GamesReader::new(bytes.as_slice()).unwrap();
            let read: Vec<_> = reader.by_ref().collect();
            assert!(matches!(read.last(), Some(Err(GamesError::Torn { games: 3, .. }))), "{cut}");
            bytes.truncate(reader.intact() as usize);
            let mut writer = GamesWriter::resume(bytes);
            writer.write(&game(3)).unwrap();
            assert_eq!(writer.into_inner(), whole);
        }
    }
}
