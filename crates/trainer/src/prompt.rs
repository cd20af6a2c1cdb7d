use emilia_record::{Fault, board, transcript};
use emilia_rules::{GridPosition, Move, Playable, Point, SquareSet, Status, Symmetry, parse_move};
use thiserror::Error;

/// What a card asks: a position, and the moves that are right there. It is checked when it is made, so that nobody is asked
/// for a move that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// Where the moves begin, if not at the usual start on 8×8.
    start: Option<GridPosition>,
    /// The placements that lead to the position.
    moves: String,
    position: GridPosition,
    answers: Vec<Point>,
    note: String,
}

/// Why something cannot be asked.
#[derive(Debug, Error)]
pub enum PromptError {
    /// The start is no board.
    #[error("the start: {0}")]
    Start(Fault),
    /// The moves cannot be played.
    #[error("the moves: {0}")]
    Moves(Fault),
    /// They are more than any game has.
    #[error("the moves: at most {LONGEST_MOVES} characters")]
    LongMoves,
    /// There is no choice there.
    #[error("after {0:?} there is no move to ask for")]
    NoMove(String),
    /// No answer, or too many.
    #[error("a card has 1 to {MOST_ANSWERS} right answers")]
    AnswerCount,
    /// An answer that is no legal move there.
    #[error("the answer {answer:?} is no legal move after {moves:?}")]
    Answer {
        /// What was given.
        answer: String,
        /// The moves that lead there.
        moves: String,
    },
    /// A note that is too long or has control characters.
    #[error("a note has at most {LONGEST_NOTE} characters on one line")]
    Note,
}

/// A game on 26×26 fits.
const LONGEST_MOVES: usize = 3000;
const MOST_ANSWERS: usize = 16;
const LONGEST_NOTE: usize = 120;

impl Prompt {
    /// Asks for one of these moves after those.
    pub fn new(
        start: Option<&str>,
        moves: &str,
        answers: &[impl AsRef<str>],
        note: &str,
    ) -> Result<Prompt, PromptError> {
        if moves.len() > LONGEST_MOVES {
            return Err(PromptError::LongMoves);
        }
        if note.chars().count() > LONGEST_NOTE || note.chars().any(char::is_control) {
            return Err(PromptError::Note);
        }
        let start = start.map(board::parse).transpose().map_err(PromptError::Start)?;
        // A start of its own stands before the moves of a transcript, and nothing else may.
        let from = board::write(&start.unwrap_or_default());
        let mut game =
            transcript::parse(&format!("{from};{}", moves.replace(';', " "))).map_err(PromptError::Moves)?;
        let moves: String =
            game.main_line().filter_map(Move::square).map(|point| point.to_string()).collect();
        game.to_end();
        let mut position = *game.position();
        if position.status() == Status::MustPass {
            position = position.passed();
        }
        if position.status() != Status::ToPlace {
            return Err(PromptError::NoMove(moves));
        }
        let mut points = Vec::new();
        for answer in answers {
            let answer = answer.as_ref();
            let placed = parse_move(answer, position.size()).ok().and_then(Move::square);
            let legal = placed.filter(|point| position.placements().contains(*point));
            let wrong =
                || PromptError::Answer { answer: answer.chars().take(20).collect(), moves: moves.clone() };
            let point = legal.ok_or_else(wrong)?;
            if !points.contains(&point) {
                points.push(point);
            }
        }
        if points.is_empty() || points.len() > MOST_ANSWERS {
            return Err(PromptError::AnswerCount);
        }
        let start = start.filter(|start| *start != GridPosition::default());
        Ok(Prompt { start, moves, position, answers: points, note: note.to_owned() })
    }

    /// Where the moves begin, if not at the usual start on 8×8.
    #[must_use]
    pub fn start(&self) -> Option<String> {
        self.start.as_ref().map(board::write)
    }

    /// The placements that lead to the position, one after the other.
    #[must_use]
    pub fn moves(&self) -> &str {
        &self.moves
    }

    /// The position that is asked about.
    #[must_use]
    pub fn position(&self) -> &GridPosition {
        &self.position
    }

    /// The right moves, the one that was learned first in front.
    #[must_use]
    pub fn answers(&self) -> &[Point] {
        &self.answers
    }

    /// What the card is called.
    #[must_use]
    pub fn note(&self) -> &str {
        &self.note
    }

    /// What makes two prompts one: the position, whichever way it was reached, turned or mirrored.
    #[must_use]
    pub fn key(&self) -> String {
        board::write(&self.position.canonical())
    }

    /// Whether this move is right: one of the answers, or one that leads to the same position but for symmetry.
    #[must_use]
    pub fn accepts(&self, point: Point) -> bool {
        let after = |point| self.position.placed(point).canonical();
        let legal = self.position.placements().contains(point);
        legal && self.answers.iter().any(|answer| *answer == point || after(*answer) == after(point))
    }

    /// Whether anything can be wrong there.
    #[must_use]
    pub fn is_choice(&self) -> bool {
        self.position.placements().into_iter().any(|point| !self.accepts(point))
    }

    /// The same, with the right moves of another prompt of the same key besides; whichever way that one is turned.
    #[must_use]
    pub fn joined(mut self, other: &Prompt) -> Prompt {
        let turned = |symmetry: &&Symmetry| other.position.transformed(**symmetry) == self.position;
        let Some(symmetry) = Symmetry::ALL.iter().find(turned) else { return self };
        for answer in &other.answers {
            let answer = symmetry.point(*answer, self.position.size());
            if !self.accepts(answer) && self.answers.len() < MOST_ANSWERS {
                self.answers.push(answer);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(moves: &str, answer: &str) -> Prompt {
        Prompt::new(None, moves, &[answer], "").unwrap()
    }

    fn point(square: &str) -> Point {
        parse_move(square, emilia_rules::Size::EIGHT).unwrap().square().unwrap()
    }

    #[test]
    fn symmetric_moves_are_the_same_answer() {
        let first = prompt("", "f5");
        for square in ["f5", "d3", "c4", "e6"] {
            assert!(first.accepts(point(square)), "{square}");
        }
        assert!(!first.accepts(point("a1")));
        assert!(!first.is_choice() && prompt("f5", "d6").is_choice());
        assert_eq!(prompt("f5", "d6").key(), prompt("c4", "e3").key());
        // Two ways to one position.
        assert_eq!(prompt("f5d6c3d3c4", "b3").key(), prompt("f5d6c4d3c3", "b3").key());
        assert_ne!(prompt("f5", "d6").key(), prompt("f5d6", "c3").key());
    }

    #[test]
    fn joined_prompts_know_the_moves_of_both_whichever_way_they_are_turned() {
        let joined = prompt("f5", "d6").joined(&prompt("c4", "c3")).joined(&prompt("f5", "d6"));
        let answers: Vec<String> = joined.answers().iter().map(ToString::to_string).collect();
        // c3 after c4 is f6 after f5.
        assert_eq!(answers, ["d6", "f6"]);
        let other = prompt("f5d6", "c3");
        assert_eq!(joined.clone().joined(&other), joined);
    }

    #[test]
    fn other_boards_and_passes() {
        let small = Prompt::new(Some("-----OX--XO----- X"), "", &["b1"], "").unwrap();
        assert_eq!((small.position().size().get(), small.start().unwrap().len()), (4, 18));
        // White has to pass, so that Black is asked.
        let pass = Prompt::new(Some("XO------------OX O"), "", &["c1"], "").unwrap();
        assert_eq!(pass.position().turn(), emilia_rules::Color::Black);
        assert_eq!(
            Prompt::new(Some(&GridPosition::default().to_string()), "f5", &["d6"], "").unwrap(),
            prompt("f5", "d6")
        );
    }

    #[test]
    fn what_cannot_be_asked_is_refused_with_the_culprit() {
        let sentence = |start, moves: &str, answers: &[&str], note: &str| {
            Prompt::new(start, moves, answers, note).unwrap_err().to_string()
        };
        assert_eq!(sentence(None, "f5f5", &["d6"], ""), "the moves: move 2, \"f5\": f5 is occupied");
        assert!(sentence(Some("XX"), "", &["d6"], "").starts_with("the start: "));
        assert_eq!(sentence(None, "f5", &["a1"], ""), "the answer \"a1\" is no legal move after \"f5\"");
        assert_eq!(sentence(None, "f5", &["pass"], ""), "the answer \"pass\" is no legal move after \"f5\"");
        assert_eq!(sentence(None, "f5", &[], ""), "a card has 1 to 16 right answers");
        assert_eq!(sentence(None, "f5", &["d6"], "a\nb"), "a note has at most 120 characters on one line");
        assert!(sentence(None, &"f5".repeat(2000), &["d6"], "").starts_with("the moves: at most"));
        let over = "XXXXXXXXXXXXXXXX X";
        assert_eq!(sentence(Some(over), "", &["a1"], ""), "after \"\" there is no move to ask for");
        assert!(sentence(None, "-----OX--XO----- X;b1", &["a1"], "").starts_with("the moves: "));
    }
}
