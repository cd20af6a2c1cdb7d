//! What is known of a position, for people and programs alike: the page, the interface and the command line show this.

use emilia_book::{Basis, Book, Worth};
use emilia_openings::{Ended, Found, FoundGame, FoundMove, Tally};
use emilia_query::{Bound, MoveReport, Report, Selectivity, Source};
use emilia_record::{Game, Opening};
use emilia_rules::{Color, GridPosition, Move, Playable, Point, Position, Size, Status};
use serde::Serialize;

use crate::answers::OpeningAnswer;
use crate::names::ColorName;

/// A database of games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Database"))]
pub struct DatabaseAnswer {
    /// How it is called.
    pub name: String,
    /// Games in it.
    pub games: u64,
    /// Whether it has no games, only counts.
    pub summary: bool,
    /// Whom the games come from.
    pub credit: Option<String>,
}

/// What people played in a position, and what Emilia thinks of it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Explored"))]
pub struct Explored {
    /// Which database was asked.
    pub database: String,
    /// Whether it has no games, only counts.
    pub summary: bool,
    /// Whom the games come from.
    pub credit: Option<String>,
    /// Games in the database.
    pub database_games: u64,
    turn: ColorName,
    opening: Option<OpeningAnswer>,
    /// All games that reached the position, as the side to move sees them.
    pub total: TallyAnswer,
    /// Every legal move: those that were played, the most frequent first, then the others.
    pub moves: Vec<ExploredMove>,
    /// Games that have no move after the position.
    pub ended: TallyAnswer,
    /// Some of the games, the latest first.
    pub games: Vec<ExploredGame>,
}

/// How games went, as the side to move sees it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Tally"))]
pub struct TallyAnswer {
    /// All games; those that are neither won, drawn nor lost have no known result.
    pub games: u64,
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// Discs by which the side to move won on average.
    pub average: Option<f64>,
    /// The year of the earliest game.
    pub first_year: Option<u16>,
    /// The year of the latest game.
    pub last_year: Option<u16>,
}

/// A legal move.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OpeningMove"))]
pub struct ExploredMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Other squares of the same move, where the position is its own mirror image.
    pub same: Vec<String>,
    /// What came of it.
    pub tally: TallyAnswer,
    opening: Option<OpeningAnswer>,
    /// What Emilia thinks of it, if she was asked.
    pub value: Option<ValueAnswer>,
}

/// What a move is worth to the side that makes it, and how that is known.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OpeningValue"))]
pub struct ValueAnswer {
    /// Discs.
    pub discs: f64,
    /// Whether the truth is that, at least that or at most that: `exact`, `lower`, `upper`.
    pub bound: &'static str,
    /// Proven to the end of the game.
    pub solved: bool,
    /// Plies looked ahead.
    pub depth: u32,
    /// How sure the search is of what it left out, in percent.
    pub confidence: Option<u32>,
    /// Who says so: `book` or `search`.
    pub source: &'static str,
}

/// A game that reached the position.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OpeningGame"))]
pub struct ExploredGame {
    /// Who played Black.
    pub black: String,
    /// Who played White.
    pub white: String,
    /// The tournament.
    pub event: String,
    /// When.
    pub year: Option<u16>,
    /// Discs at the end, Black's first, empty squares given to the winner: `33-31`; or who won, as `1-0`, `0-1`, `½-½`.
    pub result: Option<String>,
    winner: Option<ColorName>,
    /// The squares one after the other, turned so that the position lies as it was asked for.
    pub moves: String,
    /// Moves that led to the position, passes counted.
    pub ply: usize,
    /// The move that followed.
    pub next: Option<String>,
}

impl Explored {
    /// What a database found about the position a game has come to.
    #[must_use]
    pub fn new(database: DatabaseAnswer, game: &Game, found: &Found) -> Explored {
        let position = game.position();
        let mut explored = Explored {
            database: database.name,
            summary: database.summary,
            credit: database.credit,
            database_games: database.games,
            turn: position.turn().into(),
            opening: Opening::of(game).map(OpeningAnswer::from),
            total: (&found.total).into(),
            moves: Vec::new(),
            ended: (&found.ended).into(),
            games: found.games.iter().map(ExploredGame::new).collect(),
        };
        explored.moves = moves(position, found);
        explored.add_book(position);
        explored.sort();
        explored
    }

    /// Adds what the book of the program says.
    fn add_book(&mut self, position: &GridPosition) {
        let usual = Position::try_from(position).ok().filter(|position| position.size() == Size::EIGHT);
        let Some(entry) = usual.and_then(|position| Book::embedded().find(position.board())) else { return };
        for known in entry.moves.iter().filter(|known| known.worth.basis > Basis::Game) {
            let square = known.square.to_string();
            let explored = self.moves.iter_mut().find(|explored| explored.mv == square);
            if let Some(explored) = explored {
                explored.value = Some(ValueAnswer::of_book(known.worth, position));
            }
        }
    }

    /// Adds what a search found about the moves that the book does not know; of those that were played equally often the best comes first.
    #[must_use]
    pub fn valued(mut self, report: &Report) -> Explored {
        for explored in &mut self.moves {
            let found = report.moves.iter().find(|found| found.mv.to_string() == explored.mv);
            let searched = found.and_then(|found| ValueAnswer::new(found, report));
            explored.value = explored.value.take().or(searched);
        }
        self.sort();
        self
    }

    /// Of the moves that were played equally often the best comes first.
    fn sort(&mut self) {
        let worth = |explored: &ExploredMove| explored.value.as_ref().map_or(f64::MIN, |value| value.discs);
        self.moves.sort_by(|one, other| {
            let by_games = other.tally.games.cmp(&one.tally.games);
            by_games.then_with(|| worth(other).total_cmp(&worth(one)))
        });
    }
}

/// Every legal move of the position.
fn moves(position: &GridPosition, found: &Found) -> Vec<ExploredMove> {
    let mut moves: Vec<ExploredMove> =
        found.moves.iter().map(|found| ExploredMove::new(position, found)).collect();
    let played = |mv: &Move<Point>, moves: &[ExploredMove]| {
        let text = mv.to_string();
        moves.iter().any(|explored| explored.mv == text || explored.same.contains(&text))
    };
    for mv in position.moves() {
        if !played(&mv, &moves) {
            moves.push(ExploredMove::of(position, mv, Vec::new(), &Tally::default()));
        }
    }
    moves
}

impl ExploredMove {
    fn new(position: &GridPosition, found: &FoundMove) -> ExploredMove {
        let same = found.same.iter().map(ToString::to_string).collect();
        ExploredMove::of(position, found.mv.map(Point::from), same, &found.tally)
    }

    fn of(position: &GridPosition, mv: Move<Point>, same: Vec<String>, tally: &Tally) -> ExploredMove {
        let after = position.play(mv).ok();
        ExploredMove {
            mv: mv.to_string(),
            same,
            tally: tally.into(),
            opening: after.and_then(|after| Opening::at(&after)).map(OpeningAnswer::from),
            value: None,
        }
    }
}

impl From<&Tally> for TallyAnswer {
    fn from(tally: &Tally) -> TallyAnswer {
        TallyAnswer {
            games: tally.games,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            average: tally.average().map(|average| (average * 100.0).round() / 100.0),
            first_year: tally.first_year,
            last_year: tally.last_year,
        }
    }
}

impl ValueAnswer {
    fn of_book(worth: Worth, position: &GridPosition) -> ValueAnswer {
        let (depth, confidence) = match worth.basis {
            Basis::Searched { depth, selectivity } => (depth.into(), Some(selectivity.percent())),
            _ => (position.counts().empty, None),
        };
        ValueAnswer {
            discs: worth.discs.into(),
            bound: Bound::Exact.word(),
            solved: worth.basis == Basis::Solved,
            depth,
            confidence,
            source: Source::Book.word(),
        }
    }

    fn new(found: &MoveReport, report: &Report) -> Option<ValueAnswer> {
        Some(ValueAnswer {
            discs: found.discs()?,
            bound: found.bound.word(),
            solved: found.exact,
            depth: found.depth,
            confidence: found.selectivity.map(Selectivity::percent),
            source: report.source.word(),
        })
    }
}

impl ExploredGame {
    fn new(found: &FoundGame) -> ExploredGame {
        let result = match found.ended {
            Ended::Counted(margin) => {
                let margin = i32::from(margin);
                Some(format!("{}-{}", (64 + margin) / 2, (64 - margin) / 2))
            }
            Ended::Decided(Some(Color::Black)) => Some("1-0".to_owned()),
            Ended::Decided(Some(Color::White)) => Some("0-1".to_owned()),
            Ended::Decided(None) => Some("½-½".to_owned()),
            Ended::Unknown => None,
        };
        ExploredGame {
            black: found.black.clone(),
            white: found.white.clone(),
            event: found.event.clone(),
            year: found.year,
            result,
            winner: found.ended.winner().flatten().map(ColorName::from),
            moves: found.squares.iter().map(ToString::to_string).collect(),
            ply: plies(found),
            next: found.squares.get(found.before).map(ToString::to_string),
        }
    }
}

/// The moves that led to the position, with passes, which the database leaves out.
fn plies(found: &FoundGame) -> usize {
    let mut position = GridPosition::default();
    let mut plies = 0;
    for square in &found.squares[..found.before.min(found.squares.len())] {
        if position.status() == Status::MustPass {
            position = position.passed();
            plies += 1;
        }
        let Ok(after) = position.play(Move::Place((*square).into())) else { break };
        position = after;
        plies += 1;
    }
    plies
}
