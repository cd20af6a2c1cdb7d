use emilia_record::thor::{Archive, Record};
use emilia_record::{Exercise, Item, Reading};
use emilia_rules::{Board, Color, Move, Playable, Position, Size, Square, SquareSet, Status};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// A board whose score is known for certain, to test evaluators and searches with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The board; the side to move can move.
    pub board: Board,
    /// Its exact score for the side to move, in discs.
    pub score: i32,
    /// The exact scores of its moves, where they are known.
    pub moves: Vec<(Square, i32)>,
}

impl Known {
    /// The boards of tournament games at the number of empty squares from which on the file has the exact score,
    /// usually 24. Games that end before, or have an illegal move, are left out.
    #[must_use]
    pub fn from_tournaments(archives: &[Archive]) -> Vec<Known> {
        archives
            .iter()
            .filter(|archive| archive.size() == Size::EIGHT)
            .flat_map(|archive| {
                // 0 stands for 22, as the format has it.
                let empties = if archive.header().depth == 0 { 22 } else { archive.header().depth };
                archive.records().filter_map(move |record| from_record(&record, empties.into()))
            })
            .collect()
    }

    /// The positions of a file of exercises, such as OBF, with the scores of their moves. Those on other boards, or
    /// without a score, are left out.
    #[must_use]
    pub fn from_exercises(reading: &Reading) -> Vec<Known> {
        let exercises = reading.items.iter().filter_map(|item| match item {
            Item::Exercise(exercise) => Some(exercise),
            _ => None,
        });
        exercises.filter_map(|exercise| from_exercise(exercise)).collect()
    }

    /// So many of them, drawn by this seed; all if there are no more.
    #[must_use]
    pub fn draw(mut all: Vec<Known>, count: usize, seed: u64) -> Vec<Known> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let count = count.min(all.len());
        for at in 0..count {
            let other = random.random_range(at..all.len());
            all.swap(at, other);
        }
        all.truncate(count);
        all
    }

    /// How much a move loses against the best, in discs, if its score is known.
    #[must_use]
    pub fn loss(&self, square: Square) -> Option<i32> {
        let best = self.moves.iter().map(|(_, score)| *score).max()?;
        let (_, score) = self.moves.iter().find(|(known, _)| *known == square)?;
        Some(best - score)
    }
}

/// The board of a game with so many empty squares.
fn from_record(record: &Record<'_>, empties: usize) -> Option<Known> {
    let mut position = Position::default();
    for point in record.squares().take(60usize.checked_sub(empties)?) {
        position = position.play(Move::Place(point?.square()?)).ok()?;
        if position.status() == Status::MustPass {
            position = position.passed();
        }
    }
    let board = position.board();
    if board.empties().count() as usize != empties || board.moves().is_empty() {
        return None;
    }
    let lead = 2 * i32::from(record.theory()) - 64;
    Some(Known {
        board,
        score: if position.turn() == Color::Black { lead } else { -lead },
        moves: Vec::new(),
    })
}

fn from_exercise(exercise: &Exercise) -> Option<Known> {
    let position = Position::try_from(&exercise.position).ok()?;
    if position.size() != Size::EIGHT || position.status() != Status::ToPlace {
        return None;
    }
    let moves =
        exercise.scores.iter().filter_map(|(mv, score)| Some((mv.square()?.square()?, *score))).collect();
    Some(Known { board: position.board(), score: exercise.score()?, moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_record::Hint;

    #[test]
    fn a_study_has_the_scores_of_its_moves() {
        let text = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;\n";
        let reading = emilia_record::read(text.as_bytes(), &Hint { file_name: Some("x.obf") }).unwrap();
        let known = Known::from_exercises(&reading);
        assert_eq!((known.len(), known[0].score), (1, 38));
        assert_eq!((known[0].loss(Square::A2), known[0].loss(Square::C7)), (Some(0), Some(2)));
        assert_eq!(known[0].loss(Square::D8), None);
    }

    #[test]
    fn a_draw_is_the_same_for_the_same_seed() {
        let all: Vec<Known> =
            (0..20).map(|score| Known { board: Board::START, score, moves: Vec::new() }).collect();
        let draw = |seed| Known::draw(all.clone(), 5, seed);
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_eq!(Known::draw(all.clone(), 50, 1).len(), 20);
    }

    #[test]
    fn tournament_games_are_taken_at_24_empty_squares() {
        let games = include_bytes!("../../../data/wthor/WTH_1980.wtb");
        let known = Known::from_tournaments(&[Archive::parse(games).unwrap()]);
        assert!(known.len() > 100);
        assert!(known.iter().all(|known| known.board.empties().count() == 24 && known.score.abs() <= 64));
    }
}
