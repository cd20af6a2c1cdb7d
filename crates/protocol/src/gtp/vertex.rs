use emilia_rules::{Color, Move, Point, Size};

/// How columns are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// Every letter of the alphabet: Othello's way.
    #[default]
    Plain,
    /// Without I: Go's way.
    SkipI,
}

impl Letters {
    /// Whether a board of this size has letters enough.
    pub(super) fn reach(self, size: Size) -> bool {
        self == Letters::Plain || size.get() < 26
    }

    /// A move as it is written.
    pub(super) fn write(self, mv: Move<Point>) -> String {
        let Move::Place(point) = mv else { return "pass".to_owned() };
        let skipped = self == Letters::SkipI && point.column() >= I;
        let letter = char::from(b'A' + point.column() + u8::from(skipped));
        format!("{letter}{}", point.row() + 1)
    }

    /// The move that is written so, if there is such a square on the board.
    pub(super) fn read(self, word: &str, size: Size) -> Option<Move<Point>> {
        if word.eq_ignore_ascii_case("pass") {
            return Some(Move::Pass);
        }
        let letter = word.bytes().next().filter(u8::is_ascii_alphabetic)?;
        let digits = &word[1..];
        if digits.is_empty() || digits.len() > 2 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let mut column = letter.to_ascii_uppercase() - b'A';
        if self == Letters::SkipI {
            match column {
                I => return None,
                beyond if beyond > I => column -= 1,
                _ => {}
            }
        }
        let row = digits.parse::<u8>().ok()?.checked_sub(1)?;
        let point = Point::new(column, row).filter(|point| size.contains(*point))?;
        Some(Move::Place(point))
    }
}

/// The number of the letter I.
const I: u8 = b'I' - b'A';

/// The side that is written so.
pub(super) fn color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back_as_it_is_written() {
        for side in (4..=26).step_by(2) {
            let size = Size::new(side).unwrap();
            for letters in [Letters::Plain, Letters::SkipI].into_iter().filter(|letters| letters.reach(size))
            {
                for point in size.points() {
                    let mv = Move::Place(point);
                    assert_eq!(letters.read(&letters.write(mv), size), Some(mv), "{point} on {size}");
                }
            }
        }
    }

    #[test]
    fn without_i_the_ninth_column_is_j() {
        let size = Size::new(10).unwrap();
        let ninth = Move::Place(Point::new(8, 0).unwrap());
        assert_eq!(Letters::Plain.write(ninth), "I1");
        assert_eq!(Letters::SkipI.write(ninth), "J1");
        assert_eq!(Letters::SkipI.read("i1", size), None);
        assert!(!Letters::SkipI.reach(Size::new(26).unwrap()));
        for wrong in ["", "d", "d0", "d9", "9d", "dd", "d+3", "é3", "d003"] {
            assert_eq!(Letters::Plain.read(wrong, Size::EIGHT), None, "{wrong}");
        }
    }
}
