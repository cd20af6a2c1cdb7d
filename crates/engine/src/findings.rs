//! What searches find, in the words of the engine and its protocols.

use emilia_eval::Score;
use emilia_protocol::{Bound, Judged, Source, Thought};
use emilia_rules::{Move, Point};
use emilia_search::{Aim, GridReport, Line, Report};

use crate::Progress;

/// How far the championship search is.
pub(crate) fn progress(report: &Report) -> Progress {
    Progress {
        depth: report.depth,
        greatest_depth: report.depth,
        nodes: report.nodes,
        time: report.time,
        score: Some(discs(report.score())),
        line: report.lines.first().map_or_else(Vec::new, |line| points(&line.moves)),
    }
}

/// How far the search for every board is.
pub(crate) fn grid_progress(report: &GridReport) -> Progress {
    Progress {
        depth: report.depth,
        greatest_depth: report.depth,
        nodes: report.nodes,
        time: report.time,
        score: Some(report.discs()),
        line: report.line.clone(),
    }
}

/// Everything a report says, line by line.
pub(crate) fn thought(report: &Report, empties: u32, aim: Aim) -> Thought {
    let judged = |line: &Line| {
        let line_points = points(&line.moves);
        let value = discs(line.score);
        // Who only asks who wins hears of a win by two discs: it may be more.
        let bound = match (aim == Aim::Outcome && report.depth >= empties, line.score.0.signum()) {
            (true, 1) => Bound::Lower,
            (true, -1) => Bound::Upper,
            _ => Bound::Exact,
        };
        line_points.first().map(|mv| Judged {
            value: Some(value),
            bound,
            depth: report.depth,
            confidence: report.confidence.percent(),
            exact: report.exact,
            source: if report.exact { Source::Solved } else { Source::Search },
            line: line_points.clone(),
            ..Judged::new(*mv)
        })
    };
    Thought {
        moves: report.lines.iter().filter_map(judged).collect(),
        depth: report.depth,
        nodes: report.nodes,
        time: report.time,
    }
}

/// Moves as they are named on every board.
fn points(moves: &[Move]) -> Vec<Move<Point>> {
    moves.iter().map(|mv| mv.map(Point::from)).collect()
}

/// A score in discs.
fn discs(score: Score) -> f64 {
    f64::from(score.0) / f64::from(Score::PER_DISC)
}
