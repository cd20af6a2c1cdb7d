use emilia_rules::{Color, Point, Setup, Size};

use super::Header;
use crate::{Exercise, Fault};

/// Bytes of the second header, and of a solitaire.
const SECOND: usize = 256;
const WIDTH: usize = 36;

/// A file of solitaires (`.pzz`): positions with a single best move, taken from tournament games.
///
/// It is kept as it is; [`Puzzles::exercises`] makes positions of it. The layout is the one documented for Cassio; no
/// original file was at hand to check it against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzles {
    bytes: Vec<u8>,
}

impl Puzzles {
    /// Reads a file.
    pub fn parse(bytes: &[u8]) -> Result<Puzzles, Fault> {
        let header = Header::parse(bytes)?;
        let expected = (Header::LENGTH + SECOND) as u64 + u64::from(header.games) * WIDTH as u64;
        if expected != bytes.len() as u64 {
            return Err(Fault::Length { expected, length: bytes.len() as u64 });
        }
        Ok(Puzzles { bytes: bytes.to_vec() })
    }

    /// The positions with the score of their solution: discs of the side to move, less those of the opponent.
    pub fn exercises(&self) -> impl Iterator<Item = Result<Exercise, Fault>> {
        self.bytes[Header::LENGTH + SECOND..].chunks_exact(WIDTH).map(exercise)
    }

    /// The file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }
}

fn exercise(record: &[u8]) -> Result<Exercise, Fault> {
    let mut setup = Setup::empty(Size::EIGHT);
    let squares = &record[12..28];
    let board = |source| Fault::Board { text: "solitaire".to_owned(), source };
    for index in 0..64 {
        let bits = squares[index / 4] >> (6 - 2 * (index % 4)) & 3;
        let disc = match bits {
            0b10 => Some(Color::White),
            0b11 => Some(Color::Black),
            _ => None,
        };
        if let Some(point) = Point::from_index(index, Size::EIGHT) {
            setup.put(point, disc).map_err(board)?;
        }
    }
    setup.turn = match record[29] {
        1 => Color::Black,
        2 => Color::White,
        other => return Err(Fault::Field { what: "side to move", text: other.to_string() }),
    };
    let year = u16::from_le_bytes([record[0], record[1]]);
    let mut exercise = Exercise::new(setup.position().map_err(board)?);
    exercise.best = Some(i32::from(record[30] as i8));
    exercise.comment = format!("from a game of {year}");
    Ok(exercise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_made_by_hand_is_read() {
        let header = Header { century: 20, games: 1, names: 61, kind: 1, ..Header::default() };
        let mut bytes = header.to_bytes().to_vec();
        bytes.resize(Header::LENGTH + SECOND, 0);
        let mut record = [0; WIDTH];
        record[0..2].copy_from_slice(&1999u16.to_le_bytes());
        record[12] = 0b1110_0000; // a1 black, b1 white
        record[27] = 0b0000_0010; // h8 white
        record[28] = 61;
        record[29] = 1;
        record[30] = 4;
        bytes.extend(record);
        let puzzles = Puzzles::parse(&bytes).unwrap();
        let exercise = puzzles.exercises().next().unwrap().unwrap();
        assert_eq!(exercise.position.to_string(), format!("XO{}O X", "-".repeat(61)));
        assert_eq!(exercise.best, Some(4));
        assert_eq!(puzzles.to_bytes(), bytes);
        assert!(Puzzles::parse(&bytes[1..]).is_err());
    }
}
