//! Puzzles as they travel to a browser: every board on a line, then the scores of each, then the ratings. Goals, themes and the names
//! of squares follow from them, and alike beside alike takes half the bytes when it is compressed.

use emilia_record::obf;
use emilia_rules::{Playable, Position, Square, SquareSet};

use crate::{Collection, Puzzle, PuzzleError, Selection};

/// The letter of the score 0. Scores are even, because the winner gets the empty squares.
const EVEN: i32 = 'P' as i32;

impl Collection {
    /// All of them, in every one of which Black is to move.
    #[must_use]
    pub fn packed(&self) -> String {
        let (mut boards, mut scores, mut ratings) = (String::new(), String::new(), String::new());
        for puzzle in self.of(Selection::default()).map(|named| &named.puzzle) {
            let text = puzzle.position.to_string();
            boards.push_str(text.split(' ').next().unwrap_or_default());
            boards.push('\n');
            let mut each = puzzle.scores.clone();
            each.sort();
            scores.extend(each.iter().map(|(_, score)| letter(*score)));
            scores.push('\n');
            ratings.push_str(&format!("{}\n", puzzle.rating));
        }
        format!("{boards}\n{scores}\n{ratings}")
    }

    /// Reads what was packed, all of it or nothing.
    pub fn unpacked(text: &str) -> Result<Collection, PuzzleError> {
        let mut blocks = text.splitn(3, "\n\n").map(|block| block.lines().collect::<Vec<_>>());
        let mut block = || blocks.next().unwrap_or_default();
        let (boards, scores, ratings) = (block(), block(), block());
        if boards.len() != scores.len() || boards.len() != ratings.len() {
            let (boards, scores, ratings) = (boards.len(), scores.len(), ratings.len());
            return Err(PuzzleError::Packed { boards, scores, ratings });
        }
        if boards.is_empty() {
            return Err(PuzzleError::Empty);
        }
        let each = boards.iter().zip(scores).zip(ratings);
        let puzzles = each.map(|((board, scores), rating)| unpacked(board, scores, rating));
        Ok(Collection::new(puzzles.collect::<Result<Vec<_>, _>>()?))
    }
}

fn unpacked(board: &str, scores: &str, rating: &str) -> Result<Puzzle, PuzzleError> {
    let exercise = obf::parse(&format!("{board} X;"))?.ok_or(PuzzleError::Empty)?;
    let position = Position::try_from(&exercise.position).map_err(|_| PuzzleError::OtherBoard)?;
    let squares = position.placements();
    if scores.chars().count() != squares.count() as usize {
        return Err(PuzzleError::Scores);
    }
    let scores: Vec<(Square, i32)> = squares.into_iter().zip(scores.chars().map(score)).collect();
    let rating = rating.parse().map_err(|_| PuzzleError::Rating(rating.chars().take(20).collect()))?;
    Puzzle::new(position, scores, rating)
}

/// A letter from 0 (64 discs lost) to p (64 discs won).
fn letter(score: i32) -> char {
    u8::try_from(EVEN + score / 2).map_or('P', char::from)
}

fn score(letter: char) -> i32 {
    2 * (letter as i32 - EVEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_as_it_was() {
        let shipped = Collection::shipped();
        let packed = shipped.packed();
        let again = Collection::unpacked(&packed).unwrap();
        let all = |collection: &Collection| {
            collection.of(Selection::default()).map(|named| named.puzzle.clone()).collect::<Vec<_>>()
        };
        assert_eq!(all(&again), all(shipped));
        assert!(all(&again).len() > 3000);
    }

    #[test]
    fn damaged_puzzles_are_refused() {
        let first = Collection::shipped().of(Selection::default()).next().unwrap().puzzle.clone();
        let packed = Collection::new([first]).packed();
        assert!(Collection::unpacked(&packed).is_ok());
        let error = |text: &str| Collection::unpacked(text).unwrap_err().to_string();
        assert!(error(&format!("-{packed}")).starts_with("the line is no position"), "{packed}");
        assert_eq!(error(&packed.replacen("\n\n", "\n\nP", 1)), "not every move has one score");
        assert_eq!(
            error(&packed.replacen("\n\n", "\n\nP\n", 1)),
            "the packed puzzles have 1 boards, 2 lines of scores and 1 ratings"
        );
        assert_eq!(error(&format!("{}x", packed.trim_end())).split(' ').nth(1), Some("is"));
        let ratings = packed.rfind("\n\n").unwrap();
        assert!((0..ratings).all(|end| Collection::unpacked(&packed[..end]).is_err()));
    }
}
