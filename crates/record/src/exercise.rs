use emilia_rules::{GridPosition, Move, Playable, Point};

use crate::{Evaluation, Game};

/// A position to be solved, with the scores of its moves where they are known.
///
/// Scores are final disc differences for the side to move under best play, empty squares given to the winner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exercise {
    /// The position.
    pub position: GridPosition,
    /// Moves and their scores, in the order of the record (usually best first).
    pub scores: Vec<(Move<Point>, i32)>,
    /// The score of the position, where it is stated apart from the moves.
    pub best: Option<i32>,
    /// Words about the position.
    pub comment: String,
}

impl Exercise {
    /// A position about which nothing is known.
    #[must_use]
    pub fn new(position: GridPosition) -> Exercise {
        Exercise { position, scores: Vec::new(), best: None, comment: String::new() }
    }

    /// The score of the position: as stated, or that of the best scored move.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        self.best.or_else(|| self.scores.iter().map(|(_, score)| *score).max())
    }

    /// The exercise as a game from its position: each scored move is a variation with its evaluation.
    #[must_use]
    pub fn to_game(&self) -> Game {
        let mut game = Game::from_position(self.position);
        game.note_mut().comment.clone_from(&self.comment);
        if let Some(best) = self.best {
            // The evaluation at the start is for the side that would have moved there: the opponent.
            game.note_mut().evaluation = Some(Evaluation::new(-f64::from(best)));
        }
        for (mv, score) in &self.scores {
            if game.play(*mv).is_ok() {
                game.note_mut().evaluation = Some(Evaluation::new(f64::from(*score)));
                game.undo();
            }
        }
        game.to_start();
        game
    }

    /// The current position of a game as an exercise: continuations with an evaluation are its scored moves.
    #[must_use]
    pub fn of_game(game: &Game) -> Exercise {
        let here = game.here();
        let discs =
            |id| game.tree.note(id).evaluation.as_ref().map(|evaluation| evaluation.discs.round() as i32);
        Exercise {
            position: *game.position(),
            scores: game.tree.children(here).filter_map(|id| Some((game.tree.mv(id), discs(id)?))).collect(),
            best: discs(here).map(|score| -score),
            comment: game.note().comment.clone(),
        }
    }

    /// Whether every legal move, and nothing else, has a score.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let mut listed: Vec<_> = self.scores.iter().map(|(mv, _)| *mv).collect();
        let mut legal: Vec<_> = self.position.moves().collect();
        listed.sort();
        legal.sort();
        listed == legal
    }
}
