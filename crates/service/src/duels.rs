//! Two players meet again and again, with an audience.

use std::time::Duration;

use emilia_arena::{Effort, Fixture, Openings, Played, Schedule, Standing, Terms, longest_opening};
use emilia_engine::Candidate;
use emilia_query::{Limits, Query, Stop};
use emilia_record::Game;
use emilia_rules::{Color, Move, Objective, Outcome, Playable, Size, Start, Status};
use serde::{Deserialize, Serialize};

use crate::answers::{self, CountsAnswer, Score};
use crate::catalogue;
use crate::clock::Instant;
use crate::computer::Computer;
use crate::error::ServiceError;
use crate::lines::Lines;
use crate::names::{BeginningName, ColorName, ObjectiveName};
use crate::request_error::RequestError;
use crate::slot::Slot;

/// Who meets whom, how often, and how the games begin.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DuelRequest {
    first: String,
    second: String,
    size: Option<usize>,
    games: Option<u32>,
    opening_plies: Option<u32>,
    seed: Option<u64>,
    start: Option<BeginningName>,
    objective: Option<ObjectiveName>,
    #[serde(default)]
    board: bool,
}

/// Games of a match at most.
const MOST_GAMES: u32 = 1000;
/// Longest that a move is thought about.
const LONGEST_MOVE: Duration = Duration::from_secs(10);
/// How often the board is shown.
const SHOW_EVERY: Duration = Duration::from_millis(100);

/// A request that is checked.
pub struct Duel {
    players: [Candidate; 2],
    terms: Terms,
    games: u32,
    board: bool,
}

impl Duel {
    /// Checks a request.
    pub fn read(request: DuelRequest) -> Result<Duel, ServiceError> {
        let objective = request.objective.map_or(Objective::Most, Objective::from);
        let players = [catalogue::candidate(&request.first)?, catalogue::candidate(&request.second)?];
        let size = Size::new(request.size.unwrap_or(8))?;
        let games = request.games.unwrap_or(2);
        if !(1..=MOST_GAMES).contains(&games) {
            return Err(RequestError::OutOfRange { what: "games", least: 1, most: MOST_GAMES.into() }.into());
        }
        let terms = Terms {
            size,
            start: request.start.map_or(Start::Standard, |start| start.layout().into()),
            objective,
            openings: openings(&request, size)?,
            ..Terms::default()
        };
        Ok(Duel { players, terms, games, board: request.board })
    }

    /// Who plays.
    #[must_use]
    pub fn players(&self) -> &[Candidate; 2] {
        &self.players
    }

    /// Plays all games, as long as nobody stops it.
    pub fn run(self, lines: &dyn Lines, stop: &Stop, slot: &dyn Slot) {
        let Duel { players, terms, games, board } = self;
        let schedule = Schedule::duel(games);
        let names = players.each_ref().map(Candidate::name);
        let [first, second] = &names;
        lines.write(&DuelEvent::Start { first, second, games, size: terms.size.get() });
        let mut standing = Standing::default();
        for fixture in (0..games).filter_map(|number| schedule.fixture(number)) {
            let Some(played) = game(&terms, fixture, &players, stop, slot, board.then_some(lines)) else {
                return;
            };
            standing.add(&played);
            lines.write(&DuelEvent::game(&played, &standing));
        }
        lines.write(&DuelEvent::End { standing: StandingAnswer::from(&standing) });
    }
}

/// How the games begin.
fn openings(request: &DuelRequest, size: Size) -> Result<Openings, ServiceError> {
    let (plies, seed) = (request.opening_plies.unwrap_or(0), request.seed.unwrap_or(0));
    if plies > longest_opening(size) {
        let most = longest_opening(size).into();
        return Err(RequestError::TooMuch { what: "opening_plies", most }.into());
    }
    if request.start == Some(BeginningName::Balanced) {
        if size != Size::EIGHT || plies > 0 {
            let sentence = "balanced openings are for 8×8, without opening_plies";
            return Err(RequestError::Contradiction(sentence).into());
        }
        return Ok(Openings::balanced(seed));
    }
    Ok(if plies == 0 { Openings::Start } else { Openings::Random { plies, seed } })
}

/// Plays a game. Others get their turn every few milliseconds, and no move takes for ever.
fn game(
    terms: &Terms,
    fixture: Fixture,
    players: &[Candidate; 2],
    stop: &Stop,
    slot: &dyn Slot,
    audience: Option<&dyn Lines>,
) -> Option<Played> {
    let Fixture { number, black, .. } = fixture;
    let (start, opening) = terms.opening(fixture.round);
    let mut game = Game::from_position(start);
    game.objective = terms.objective;
    for mv in opening {
        game.play(mv).ok()?;
    }
    let mut computers = players.each_ref().map(|player| Computer::new(player, number.into()));
    let mut effort = [Effort::default(); 2];
    let mut shown: Option<Instant> = None;
    loop {
        let position = *game.position();
        let side = position.turn();
        let (mv, value) = match position.status() {
            Status::Over(_) => break,
            Status::MustPass => (Move::Pass, None),
            Status::ToPlace => {
                let thinker = if side == Color::Black { black } else { 1 - black };
                let mut query = Query::new(position).within(Limits::time(LONGEST_MOVE));
                query.objective = Some(terms.objective);
                let report = computers[thinker].think(&query, stop, slot, &mut |_| ());
                if stop.is_requested() {
                    return None;
                }
                effort[side as usize].add(Effort { moves: 1, nodes: report.nodes, time: report.time });
                (report.best_move()?, report.value())
            }
        };
        game.play(mv).ok()?;
        let due = shown.is_none_or(|shown| shown.elapsed() >= SHOW_EVERY);
        if let Some(lines) = audience.filter(|_| due) {
            shown = Some(Instant::now());
            lines.write_if_read(&DuelEvent::Position {
                game: number + 1,
                ply: game.ply(),
                black: Contender::number(black),
                color: side.into(),
                mv: mv.to_string(),
                cells: answers::cells(game.position()),
                counts: game.position().counts().into(),
                score: value.map(|value| Score::new(value.number(), side)),
            });
        }
    }
    let counts = game.position().counts();
    let outcome = counts.outcome(terms.objective);
    Some(Played { fixture, game, counts, outcome, forfeit: None, effort })
}

/// What is told, one object a line.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum DuelEvent<'d> {
    Start {
        first: &'d str,
        second: &'d str,
        games: u32,
        size: u8,
    },
    /// The board after a move, if that is wanted.
    Position {
        game: u32,
        ply: usize,
        black: Contender,
        color: ColorName,
        #[serde(rename = "move")]
        mv: String,
        cells: String,
        counts: CountsAnswer,
        score: Option<Score>,
    },
    Game {
        game: u32,
        black: Contender,
        winner: Option<Contender>,
        counts: CountsAnswer,
        transcript: String,
        standing: StandingAnswer,
    },
    End {
        standing: StandingAnswer,
    },
}

/// One of the two.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Contender {
    First,
    Second,
}

/// How the first player stands.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Standing"))]
pub struct StandingAnswer {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    score: f64,
}

impl Contender {
    fn number(player: usize) -> Contender {
        if player == 0 { Contender::First } else { Contender::Second }
    }
}

impl From<&Standing> for StandingAnswer {
    fn from(standing: &Standing) -> StandingAnswer {
        StandingAnswer {
            games: standing.games(),
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            score: standing.score(),
        }
    }
}

impl DuelEvent<'_> {
    fn game(played: &Played, standing: &Standing) -> DuelEvent<'static> {
        let black = played.fixture.black;
        DuelEvent::Game {
            game: played.fixture.number + 1,
            black: Contender::number(black),
            winner: match played.outcome {
                Outcome::Win(Color::Black) => Some(Contender::number(black)),
                Outcome::Win(Color::White) => Some(Contender::number(1 - black)),
                Outcome::Draw => None,
            },
            counts: played.counts.into(),
            transcript: answers::transcript(played.game.main_line()),
            standing: StandingAnswer::from(standing),
        }
    }
}
