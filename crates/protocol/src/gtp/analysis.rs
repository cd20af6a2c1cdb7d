use std::fmt::Write;
use std::time::Duration;

use emilia_query::{MoveReport, Report, Source};
use emilia_rules::Color;

use super::command::Command;
use super::vertex::{Letters, color};

/// In whose words the running analysis is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `lz-analyze`: win rates in hundredths of a percent.
    Leela,
    /// `kata-analyze`: win rates from 0 to 1, and discs.
    Kata,
}

/// A request for analysis that goes on until another command comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Analysis {
    pub(super) dialect: Dialect,
    pub(super) color: Option<Color>,
    /// Least time between two lines.
    pub(super) every: Duration,
    /// Most moves to be told.
    pub(super) moves: usize,
    pub(super) told: Option<Duration>,
}

/// Moves told unless something else is asked for.
const USUAL_MOVES: usize = 5;

impl Analysis {
    /// Reads `lz-analyze [color] [interval] [interval N] [maxmoves N] …`, the interval in hundredths of a second.
    pub(super) fn parse(command: &Command, dialect: Dialect) -> Analysis {
        let mut analysis =
            Analysis { dialect, color: None, every: Duration::ZERO, moves: USUAL_MOVES, told: None };
        let mut words = command.arguments.iter().map(String::as_str);
        let hundredths =
            |word: &str| word.parse().ok().map(|number: u32| Duration::from_millis(u64::from(number) * 10));
        while let Some(word) = words.next() {
            if let Some(side) = color(word) {
                analysis.color = Some(side);
            } else if let Some(every) = hundredths(word) {
                analysis.every = every;
            } else if word.eq_ignore_ascii_case("interval") {
                analysis.every = words.next().and_then(hundredths).unwrap_or(analysis.every);
            } else if word.eq_ignore_ascii_case("maxmoves") {
                let most = words.next().and_then(|word| word.parse().ok());
                analysis.moves = most.unwrap_or(USUAL_MOVES).clamp(1, 26 * 26);
            }
        }
        analysis
    }

    /// Whether it is time for another line.
    pub(super) fn is_due(&mut self, now: Duration) -> bool {
        let due = self.told.is_none_or(|told| now.saturating_sub(told) >= self.every);
        if due {
            self.told = Some(now);
        }
        due
    }

    /// What is report, in one line.
    pub(super) fn line(&self, report: &Report, letters: Letters) -> String {
        let mut text = String::new();
        for (order, found) in report.moves.iter().take(self.moves).enumerate() {
            if order > 0 {
                text.push(' ');
            }
            let value = found.discs().unwrap_or_default();
            let visits = report.nodes / (order as u64 + 1);
            let vertex = letters.write(found.mv);
            // Writing to a string cannot fail.
            let _ = match self.dialect {
                Dialect::Leela => {
                    let rate = (win_rate(value) * 10_000.0).round();
                    write!(text, "info move {vertex} visits {visits} winrate {rate} prior 0 lcb {rate}")
                }
                Dialect::Kata => {
                    let rate = win_rate(value);
                    write!(text, "info move {vertex} visits {visits} winrate {rate:.4} scoreLead {value:.2}")
                }
            };
            let _ = write!(text, " order {order} pv {}", line(found, letters));
        }
        text
    }
}

/// The expected moves, one after the other.
fn line(found: &MoveReport, letters: Letters) -> String {
    found.line.iter().map(|mv| letters.write(*mv)).collect::<Vec<_>>().join(" ")
}

/// How often a lead of so many discs is expected to win, for programs that think in winning chances. It only colours
/// their pictures: an even game is ½, and a lead of ten discs nearly won.
fn win_rate(discs: f64) -> f64 {
    const DISCS: f64 = 3.0;
    1.0 / (1.0 + (-discs / DISCS).exp())
}

/// What GoGui draws on its board for the best moves, with values as labels and the expected line below.
pub(super) fn picture(report: &Report, letters: Letters) -> String {
    let mut text = String::from("LABEL");
    for found in &report.moves {
        if let (Some(value), Some(_)) = (found.value, found.mv.square()) {
            let _ = write!(text, " {} {:+.0}", letters.write(found.mv), value.number());
        }
    }
    if let Some(best) = report.best() {
        let sure = match best.selectivity {
            _ if report.source == Source::Book => ", from the book".to_owned(),
            _ if best.exact => ", exact".to_owned(),
            Some(selectivity) => format!(", {} %", selectivity.percent()),
            None => String::new(),
        };
        let value = best.value.map_or_else(|| "–".to_owned(), |value| format!("{:+.2}", value.number()));
        let _ = write!(text, "\nTEXT {value}, depth {}{sure}: {}", best.depth, line(best, letters));
    }
    text
}
