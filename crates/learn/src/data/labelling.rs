use emilia_eval::Score;
use emilia_record::thor::Record;
use emilia_rules::{Board, Color, Move, Playable, Position, Square, SquareSet, Status};

use super::{Game, Labelled, Origin, Ply};

/// How games become scored positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Labelling {
    /// How much of the score of a position is what the game came to later, from 0 to 1; the rest is what was found by
    /// a search on the spot. What a game came to counts only if no move on the way was chosen at random, and not at
    /// all for scores that are exact.
    pub blend: f32,
}

impl Labelling {
    /// The positions of a game of self-play, one a ply.
    pub fn positions(&self, game: &Game) -> Vec<Labelled> {
        let number = game.number();
        let boards: Vec<Board> = game.boards().collect();
        let mut outcome = boards.last().and_then(|board| final_score(*board));
        let mut labelled = Vec::with_capacity(game.plies.len());
        for (ply, board) in game.plies.iter().zip(&boards).rev() {
            outcome = match *ply {
                Ply { origin: Origin::Exact, score, .. } => Some(i32::from(score)),
                Ply { random: true, .. } => None,
                _ => outcome.map(|score| -score),
            };
            let found = f32::from(ply.score);
            let score = match outcome {
                Some(outcome) if ply.origin == Origin::Unknown => outcome as f32,
                Some(outcome) => found + self.blend.clamp(0.0, 1.0) * (outcome as f32 - found),
                None => found,
            };
            let origin = match (ply.origin, outcome) {
                (Origin::Unknown, Some(_)) => Origin::Result,
                (origin, _) => origin,
            };
            if origin != Origin::Unknown {
                labelled.push(Labelled { board: *board, score: in_units(score), origin, game: number });
            }
        }
        labelled.reverse();
        labelled
    }

    /// The positions of a tournament game whose file has exact scores at `depth` empty squares: before, the label is
    /// that score; there, it is exact; afterwards, `solve` is asked, and where it does not know, the label is the
    /// result of the game. Nothing if a move is illegal.
    pub fn tournament(
        record: &Record<'_>,
        depth: u8,
        mut solve: impl FnMut(Board) -> Option<i32>,
    ) -> Option<Vec<Labelled>> {
        let lead = |discs: u8| 2 * i32::from(discs) - 64;
        let (theory, result) = (lead(record.theory()), lead(record.score()));
        let mut position = Position::default();
        let mut plies = Vec::with_capacity(60);
        let mut positions = Vec::with_capacity(60);
        for point in record.squares() {
            let square: Square = point?.square()?;
            positions.push(position);
            plies.push(Ply { mv: Move::Place(square), score: 0, origin: Origin::Unknown, random: false });
            position = position.play(Move::Place(square)).ok()?;
            if position.status() == Status::MustPass {
                position = position.passed();
            }
        }
        let number = Game { start: Board::START, plies }.number();
        let label = |position: &Position| {
            let board = position.board();
            let empties = board.empties().count();
            let sign = if position.turn() == Color::Black { 1 } else { -1 };
            let (score, origin) = match empties.cmp(&u32::from(depth)) {
                std::cmp::Ordering::Greater => (sign * theory, Origin::Result),
                std::cmp::Ordering::Equal => (sign * theory, Origin::Exact),
                std::cmp::Ordering::Less => match solve(board) {
                    Some(score) => (score, Origin::Exact),
                    None => (sign * result, Origin::Result),
                },
            };
            Labelled { board, score: in_units(score as f32), origin, game: number }
        };
        // Backwards, so that a solver meets what it knows already.
        let mut labelled: Vec<Labelled> = positions.iter().rev().map(label).collect();
        labelled.reverse();
        Some(labelled)
    }
}

/// The score of a game that is over, empty squares to the winner; nothing if somebody can move.
pub(super) fn final_score(board: Board) -> Option<i32> {
    if !board.moves().is_empty() || !board.pass().moves().is_empty() {
        return None;
    }
    let difference = board.difference();
    Some(difference + difference.signum() * board.empties().count() as i32)
}

/// Discs as 128ths of a disc.
fn in_units(discs: f32) -> i16 {
    (discs.clamp(-64.0, 64.0) * Score::PER_DISC as f32).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(plies: &[(Square, i8, Origin, bool)]) -> Game {
        let plies = plies
            .iter()
            .map(|(square, score, origin, random)| Ply {
                mv: Move::Place(*square),
                score: *score,
                origin: *origin,
                random: *random,
            })
            .collect();
        Game { start: Board::START, plies }
    }

    fn scores(game: &Game, blend: f32) -> Vec<f32> {
        let labelled = Labelling { blend }.positions(game);
        labelled.iter().map(|labelled| f32::from(labelled.score) / 128.0).collect()
    }

    #[test]
    fn what_the_game_came_to_is_blended_in_until_a_random_move() {
        let deep = Origin::Depth(8);
        let mut plies = [
            (Square::D3, 2, deep, false),
            (Square::C3, 4, deep, false),
            (Square::C4, 10, Origin::Exact, false),
        ];
        assert_eq!(scores(&game(&plies), 0.0), [2.0, 4.0, 10.0]);
        assert_eq!(scores(&game(&plies), 1.0), [10.0, -10.0, 10.0]);
        assert_eq!(scores(&game(&plies), 0.5), [6.0, -3.0, 10.0]);
        plies[1].3 = true;
        assert_eq!(scores(&game(&plies), 0.5), [2.0, 4.0, 10.0]);
    }

    #[test]
    fn scores_of_unknown_origin_become_results_or_nothing() {
        let plies = [(Square::D3, 2, Origin::Unknown, false), (Square::C3, 4, Origin::Exact, false)];
        let labelled = Labelling { blend: 0.5 }.positions(&game(&plies));
        assert_eq!((labelled[0].score, labelled[0].origin), (-4 * 128, Origin::Result));
        assert!(Labelling { blend: 0.5 }.positions(&game(&plies[..1])).is_empty());
    }

    #[test]
    fn a_finished_board_gives_its_empty_squares_to_the_winner() {
        assert_eq!(final_score(Board::START), None);
        let wiped = Board { own: emilia_rules::Bitboard(0b111), opponent: emilia_rules::Bitboard(0) };
        assert_eq!(final_score(wiped), Some(64));
        assert_eq!(final_score(wiped.pass()), Some(-64));
    }
}
