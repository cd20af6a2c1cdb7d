use emilia_engine::ReviewedMove;
use emilia_rules::{Color, Grid, GridPosition, Move, Objective, Playable, Point, SquareSet};

use crate::reason::Reason;
use crate::{Comparison, region_of};

/// Why a move is bad, in one sentence and a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Who made the move.
    pub side: Color,
    /// Where the disc was placed.
    pub played: Point,
    /// Where it would have been best.
    pub best: Point,
    /// Discs given away.
    pub loss: f64,
    /// What it gave away.
    pub reason: Reason,
    /// The move that was played and what is expected to follow.
    pub line: Vec<Move<Point>>,
    /// Squares that the reason is about.
    pub squares: Vec<Point>,
}

impl Explanation {
    /// Compares the line of a move that was played with the line of the best move. Nothing if one does not begin with a legal
    /// placement, or if both are the same.
    #[must_use]
    pub fn new(
        before: &GridPosition,
        played: &[Move<Point>],
        best: &[Move<Point>],
        loss: f64,
    ) -> Option<Explanation> {
        let compared = Comparison::new(before, played, best)?;
        if compared.played.square() == compared.best.square() {
            return None;
        }
        let reason = compared.reason();
        Some(Explanation {
            side: before.turn(),
            played: compared.played.square(),
            best: compared.best.square(),
            loss,
            reason,
            line: compared.played.moves().to_vec(),
            squares: squares(&compared, &reason).into_iter().collect(),
        })
    }

    /// Why a move of a game that was reviewed is marked as bad. Nothing for the others, and where the fewest discs win, because
    /// corners and moves are good for the other side there.
    #[must_use]
    pub fn of_review(
        before: &GridPosition,
        objective: Objective,
        reviewed: &ReviewedMove,
    ) -> Option<Explanation> {
        if reviewed.judgement.mark().is_empty() || objective != Objective::Most {
            return None;
        }
        let (played, best) = (reviewed.played.as_ref()?, reviewed.best.as_ref()?);
        Explanation::new(before, &played.line, &best.line, reviewed.loss)
    }

    /// The line up to the move that shows it.
    #[must_use]
    pub fn shown(&self) -> &[Move<Point>] {
        let plies = match self.reason {
            Reason::WipedOut { at_ply } | Reason::GaveCorner { at_ply, .. } | Reason::MustPass { at_ply } => {
                at_ply
            }
            Reason::Stability { at_ply, .. } => at_ply,
            Reason::DeepSearch => self.line.len(),
            Reason::Border { .. } => 2,
            Reason::MissedCorner { .. }
            | Reason::MissedPass
            | Reason::Mobility { .. }
            | Reason::Parity { .. }
            | Reason::Greedy { .. }
            | Reason::Frontier { .. } => 1,
        };
        &self.line[..plies.min(self.line.len())]
    }

    /// One sentence for people.
    #[must_use]
    pub fn sentence(&self) -> String {
        let shown: Vec<String> = self.shown().iter().map(Move::to_string).collect();
        let common = [
            ("played", self.played.to_string()),
            ("best", self.best.to_string()),
            ("side", name(self.side).to_owned()),
            ("other", name(!self.side).to_owned()),
            ("line", shown.join(" ")),
        ];
        let facts = common.into_iter().chain(self.reason.facts());
        let sentence = self.reason.kind().sentence().to_owned();
        facts.fold(sentence, |text, (gap, fact)| filled(&text, gap, &fact))
    }
}

/// A sentence with a gap filled, and the words chosen that depend on it: `{gap|one|other}`.
fn filled(text: &str, gap: &str, fact: &str) -> String {
    let mut text = text.replace(&format!("{{{gap}}}"), fact);
    let begin = format!("{{{gap}|");
    while let Some(at) = text.find(&begin) {
        let rest = &text[at + begin.len()..];
        let Some((words, after)) = rest.split_once('}') else { break };
        let (one, other) = words.split_once('|').unwrap_or((words, words));
        text = format!("{}{}{after}", &text[..at], if fact == "1" { one } else { other });
    }
    text
}

/// Squares that a reason is about.
fn squares(compared: &Comparison, reason: &Reason) -> Grid {
    let Comparison { played, best, .. } = compared;
    match *reason {
        Reason::GaveCorner { corner, .. } | Reason::MissedCorner { corner, .. } => Grid::only(corner),
        Reason::Border { .. } => played.opened_border(),
        Reason::Parity { .. } => region_of(played.before(), played.square()),
        Reason::Stability { at_ply, .. } => played.stable(at_ply).1,
        Reason::Mobility { .. } => played.replies(),
        Reason::Greedy { .. } => played.flips(),
        Reason::Frontier { .. } => played.frontier(),
        Reason::MissedPass => Grid::only(best.square()),
        Reason::WipedOut { .. } | Reason::MustPass { .. } | Reason::DeepSearch => Grid::EMPTY,
    }
}

const fn name(side: Color) -> &'static str {
    match side {
        Color::Black => "Black",
        Color::White => "White",
    }
}
