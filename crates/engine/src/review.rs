//! Judging the moves of a game: how many discs each gave away.

use std::collections::BTreeMap;

use emilia_query::{Aim, Fault, MoveReport, Query, Report, Stop};
use emilia_rules::{Color, GridPosition, Move, Playable, Point, Size};

use crate::{Candidate, Player};

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// Nothing is given away.
    Best,
    /// Hardly anything.
    Good,
    /// A little.
    Inaccuracy,
    /// More.
    Mistake,
    /// Much.
    Blunder,
    /// The only move, or a pass.
    Forced,
}

/// A move and what it is worth in discs to the side that makes it, if the judge came to it.
pub type Judged = (MoveReport, Option<f64>);

/// A move that was made, and what there is to say about it.
#[derive(Clone, Debug)]
pub struct ReviewedMove {
    /// Its number in the game, from 1.
    pub ply: usize,
    /// Who made it.
    pub side: Color,
    /// The move.
    pub mv: Move<Point>,
    /// What the judge thinks of it.
    pub played: Option<MoveReport>,
    /// What the judge would have played.
    pub best: Option<MoveReport>,
    /// Discs it gave away.
    pub loss: f64,
    /// How bad it is.
    pub judgement: Judgement,
    /// Whether both values are proven.
    pub exact: bool,
    /// Whether it is a mistake to learn from: one move, no other, was right.
    pub lesson: bool,
    /// Black's prospects after it, in discs, as far as they are known.
    pub discs: Option<f64>,
}

impl ReviewedMove {
    /// How far ahead the search looked that judged it; of both values the less deep one counts.
    #[must_use]
    pub fn depth(&self) -> u32 {
        [&self.played, &self.best].into_iter().flatten().map(|found| found.depth).min().unwrap_or(0)
    }
}

/// What there is to say about a whole game, first for Black, then for White.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdicts {
    /// From 0 to 100: how little was given away of what was at stake.
    pub accuracy: [f64; 2],
    /// Moves of each kind.
    pub counts: [BTreeMap<Judgement, usize>; 2],
    /// The moves that cost most, in the order of the game.
    pub turning_points: Vec<TurningPoint>,
}

/// A move that cost much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurningPoint {
    /// Its number in the game, from 1.
    pub ply: usize,
    /// Who made it.
    pub side: Color,
    /// The move.
    pub mv: Move<Point>,
    /// Discs it gave away.
    pub loss: f64,
}

/// Most discs that a good move, an inaccuracy, a mistake may lose.
const GOOD: f64 = 2.0;
const INACCURACY: f64 = 4.0;
const MISTAKE: f64 = 8.0;
/// Discs by which the best move must be better than any other before a search is believed: what a review finds within a
/// second may be wrong by so much.
const NOISE: f64 = 3.0;
/// Mean loss, weighed by what was at stake, at which accuracy has fallen to 37 %.
const ACCURACY_SCALE: f64 = 10.0;
/// How many turning points are named.
const TURNING_POINTS: usize = 5;

impl Judgement {
    /// Every one, the best first.
    pub const ALL: [Judgement; 6] = [
        Judgement::Best,
        Judgement::Good,
        Judgement::Inaccuracy,
        Judgement::Mistake,
        Judgement::Blunder,
        Judgement::Forced,
    ];

    /// Most discs that a move may lose and still be the best, good, an inaccuracy, a mistake.
    pub const LIMITS: [f64; 4] = [0.0, GOOD, INACCURACY, MISTAKE];

    /// What a move is that gives away so many discs.
    #[must_use]
    pub fn of_loss(loss: f64) -> Judgement {
        let within = |(judgement, limit): (&Judgement, f64)| (loss <= limit).then_some(*judgement);
        Judgement::ALL.iter().zip(Judgement::LIMITS).find_map(within).unwrap_or(Judgement::Blunder)
    }

    /// Its word in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Judgement::Best => "best",
            Judgement::Good => "good",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
            Judgement::Forced => "forced",
        }
    }

    /// The sign beside the move.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
            _ => "",
        }
    }
}

impl Candidate {
    /// The moves of a report by this player, each with its worth in discs for the side that makes it.
    #[must_use]
    pub fn in_worth(&self, report: Report, size: Size) -> Vec<Judged> {
        let worth = |found: MoveReport| {
            let discs = found.value.map(|value| self.in_discs(value, size));
            (found, discs)
        };
        report.moves.into_iter().map(worth).collect()
    }

    /// Judges every legal move. Finished games count by their discs, whatever the player cares for.
    pub fn judge(&self, player: &mut dyn Player, query: &Query, stop: &Stop) -> Result<Vec<Judged>, Fault> {
        let moves: Vec<_> = query.position().moves().collect();
        let mut query = query.clone().with_lines(moves.len());
        query.aim = Some(Aim::Score);
        let report = player.answer(&query, stop, &mut ())?.covering(moves);
        Ok(self.in_worth(report, query.position().size()))
    }
}

/// A game being reviewed, move by move.
#[derive(Clone, Debug, Default)]
pub struct Review {
    moves: Vec<ReviewEntry>,
    /// Black's prospects after the last move, in discs.
    discs: Option<f64>,
}

/// What the verdicts need to know of a move.
#[derive(Clone, Debug)]
struct ReviewEntry {
    point: TurningPoint,
    judgement: Judgement,
    /// Discs that the other moves would have given away on average.
    stake: f64,
}

impl Review {
    /// Whether this move would be marked as bad by values that are not proven: a reason to search again, deeper.
    #[must_use]
    pub fn is_doubtful(mv: Move<Point>, judged: &[Judged]) -> bool {
        let played = judged.iter().find(|(found, _)| found.mv == mv);
        let proven = [judged.first(), played].into_iter().flatten().all(|(found, _)| found.exact);
        !proven && !Judgement::of_loss(loss(mv, judged)).mark().is_empty()
    }

    /// Judges the move that was made in this position.
    pub fn add(
        &mut self,
        ply: usize,
        position: &GridPosition,
        mv: Move<Point>,
        judged: &[Judged],
    ) -> ReviewedMove {
        self.add_up_to(Judgement::Blunder, ply, position, mv, judged)
    }

    /// The same where no second search has confirmed a first that doubts the move: it gets no mark.
    pub fn add_unconfirmed(
        &mut self,
        ply: usize,
        position: &GridPosition,
        mv: Move<Point>,
        judged: &[Judged],
    ) -> ReviewedMove {
        self.add_up_to(Judgement::Good, ply, position, mv, judged)
    }

    fn add_up_to(
        &mut self,
        worst: Judgement,
        ply: usize,
        position: &GridPosition,
        mv: Move<Point>,
        judged: &[Judged],
    ) -> ReviewedMove {
        let side = position.turn();
        let played = judged.iter().find(|(found, _)| found.mv == mv);
        let best = judged.first();
        let loss = loss(mv, judged);
        let judgement =
            if judged.len() <= 1 { Judgement::Forced } else { Judgement::of_loss(loss).min(worst) };
        if let Some(discs) = played.and_then(|(_, discs)| *discs) {
            self.discs = Some(if side == Color::Black { discs } else { 0.0 - discs });
        }
        let point = TurningPoint { ply, side, mv, loss };
        self.moves.push(ReviewEntry { point, judgement, stake: stake(judged) });
        let lesson = matches!(judgement, Judgement::Mistake | Judgement::Blunder) && is_only(judged);
        let report = |judged: Option<&Judged>| judged.map(|(found, _)| found.clone());
        let (played, best) = (report(played), report(best));
        let proven = |report: &Option<MoveReport>| report.as_ref().is_some_and(|found| found.exact);
        let exact = proven(&played) && proven(&best);
        let discs = self.discs;
        ReviewedMove { ply, side, mv, played, best, loss, judgement, exact, lesson, discs }
    }

    /// What there is to say about the whole game.
    #[must_use]
    pub fn verdicts(&self) -> Verdicts {
        let count = |side: Color, judgement: Judgement| {
            self.of(side).filter(|entry| entry.judgement == judgement).count()
        };
        let counts = |side: Color| {
            Judgement::ALL.into_iter().map(|judgement| (judgement, count(side, judgement))).collect()
        };
        let marked = self.moves.iter().filter(|entry| !entry.judgement.mark().is_empty());
        let mut turning_points: Vec<TurningPoint> =
            marked.map(|entry| entry.point).filter(|point| point.loss > INACCURACY).collect();
        turning_points.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        turning_points.truncate(TURNING_POINTS);
        turning_points.sort_by_key(|point| point.ply);
        let accuracy = Color::BOTH.map(|side| self.accuracy(side));
        Verdicts { accuracy, counts: Color::BOTH.map(counts), turning_points }
    }

    fn of(&self, side: Color) -> impl Iterator<Item = &ReviewEntry> {
        self.moves.iter().filter(move |entry| entry.point.side == side)
    }

    /// Each move counts by what was at stake: one who has lost already, where no move matters any more, does not play well.
    fn accuracy(&self, side: Color) -> f64 {
        let judged = self.of(side).filter(|entry| entry.judgement != Judgement::Forced);
        let (lost, staked) = judged.fold((0.0, 0.0), |(lost, staked), entry| {
            (lost + entry.stake * entry.point.loss, staked + entry.stake)
        });
        if staked <= 0.0 {
            return 100.0;
        }
        (1000.0 * (-lost / staked / ACCURACY_SCALE).exp()).round() / 10.0
    }
}

/// Discs that a move gives away, as far as it was judged.
fn loss(mv: Move<Point>, judged: &[Judged]) -> f64 {
    let worth = |judged: Option<&Judged>| judged.and_then(|(_, discs)| *discs);
    let played = judged.iter().find(|(found, _)| found.mv == mv);
    match (worth(judged.first()), worth(played)) {
        (Some(best), Some(played)) => (best - played).max(0.0),
        _ => 0.0,
    }
}

/// Discs that the moves besides the best give away on average.
fn stake(judged: &[Judged]) -> f64 {
    let Some((_, Some(best))) = judged.first() else { return 0.0 };
    let lost: Vec<f64> =
        judged.iter().skip(1).filter_map(|(_, discs)| *discs).map(|discs| (best - discs).max(0.0)).collect();
    if lost.is_empty() { 0.0 } else { lost.iter().sum::<f64>() / lost.len() as f64 }
}

/// Whether the best of these moves is clearly better than every other: by any difference where both values are proven.
fn is_only(judged: &[Judged]) -> bool {
    let [(best, Some(first)), (next, Some(second)), ..] = judged else { return false };
    let ahead = first - second;
    if best.exact && next.exact { ahead > 0.0 } else { ahead >= NOISE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_one_right_answer_is_a_lesson() {
        let judged = |values: &[f64], exact: bool| -> Vec<Judged> {
            let found = |value: &f64| (MoveReport { exact, ..MoveReport::new(Move::Pass) }, Some(*value));
            values.iter().map(found).collect()
        };
        assert!(is_only(&judged(&[5.0, 2.0, -9.0], false)));
        assert!(!is_only(&judged(&[5.0, 2.1], false)), "within noise");
        assert!(is_only(&judged(&[4.0, 2.0], true)));
        assert!(!is_only(&judged(&[4.0, 4.0], true)), "two are as good");
        assert!(!is_only(&judged(&[4.0], true)), "there was no other move");
        let unknown = (MoveReport::new(Move::Pass), None);
        assert!(!is_only(&[judged(&[9.0], true).remove(0), unknown]), "nobody came to the other");
    }

    /// Moves worth so much each, the best first; the last one is played.
    fn values(values: &[f64], exact: bool) -> (Move<Point>, Vec<Judged>) {
        let moves: Vec<Move<Point>> = GridPosition::default().moves().collect();
        let found = |(mv, value): (&Move<Point>, &f64)| {
            (MoveReport { exact, depth: 8, ..MoveReport::new(*mv) }, Some(*value))
        };
        let judged: Vec<Judged> = moves.iter().zip(values).map(found).collect();
        (moves[values.len() - 1], judged)
    }

    #[test]
    fn a_mark_needs_a_second_search_unless_it_is_proven() {
        let (mv, judged) = values(&[6.0, 5.0, 3.0], false);
        assert!(Review::is_doubtful(mv, &judged));
        let mut review = Review::default();
        let position = GridPosition::default();
        let unsure = review.add_unconfirmed(1, &position, mv, &judged);
        assert_eq!((unsure.judgement, unsure.loss, unsure.depth()), (Judgement::Good, 3.0, 8));
        assert_eq!(review.add(1, &position, mv, &judged).judgement, Judgement::Inaccuracy);
        let (mv, judged) = values(&[6.0, 5.0, 3.0], true);
        assert!(!Review::is_doubtful(mv, &judged), "proven");
        let (mv, judged) = values(&[6.0, 5.0], false);
        assert!(!Review::is_doubtful(mv, &judged), "no mark for one disc");
    }

    #[test]
    fn accuracy_weighs_moves_by_what_was_at_stake() {
        let position = GridPosition::default();
        let mut thrown_away = Review::default();
        let (blunder, judged) = values(&[10.0, -10.0], false);
        thrown_away.add(1, &position, blunder, &judged);
        let one_blunder = thrown_away.verdicts().accuracy[0];
        // The rest of a lost game, where every move is as good as any other.
        let (mv, equal) = values(&[-30.0, -30.0, -30.0], false);
        for ply in 2..20 {
            thrown_away.add(ply, &position, mv, &equal);
        }
        assert_eq!(thrown_away.verdicts().accuracy[0], one_blunder);
        assert!(one_blunder < 20.0);
        // A game with as much at stake on every move, most of them right.
        let mut fought = Review::default();
        fought.add(1, &position, blunder, &judged);
        for ply in 2..20 {
            fought.add(ply, &position, judged[0].0.mv, &judged);
        }
        assert!(fought.verdicts().accuracy[0] > 85.0);
        assert_eq!(Review::default().verdicts().accuracy, [100.0; 2]);
    }

    #[test]
    fn losses_are_judged_by_the_documented_limits() {
        use Judgement::*;
        let judged = [0.0, 2.0, 2.1, 4.0, 8.0, 8.1].map(Judgement::of_loss);
        assert_eq!(judged, [Best, Good, Inaccuracy, Inaccuracy, Mistake, Blunder]);
    }
}
