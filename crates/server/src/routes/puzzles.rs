//! Puzzles: which comes next for somebody, today, or in a run; judging an answer; what came of it.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use emilia_insight::Explanation;
use emilia_puzzle::{Collection, Factory, NamedPuzzle, Puzzle, PuzzleId, Reason, Selection, Theme};
use emilia_query::Stop;
use emilia_rules::{
    Bitboard, GridPosition, Move, Objective, Playable, Point, Position, Size, Square, parse_move,
};
use emilia_service::why::Why;
use emilia_trainer::{Card, FiledAttempt, FiledRun, Grade, Kind, Prompt, Rating, RunKind};
use serde::{Deserialize, Serialize};

use super::body::{Bearer, Json, Reply};
use super::profiles::RatingAnswer;
use super::work::in_pool;
use crate::answers::{Last, PositionAnswer};
use crate::app::Shared;
use crate::attempt_tables as attempts;
use crate::error::ApiError;
use crate::pool::Owner;
use crate::profile_tables::{self as tables, NewAnswer, ProfileError};
use crate::rate::Demand;
use crate::request_error::{BadMove, RequestError};
use crate::time::now;
use crate::token::Token;
use crate::visitor::Visitor;

/// By what the rating for puzzles goes in a profile.
const SUBJECT: &str = "puzzles";
/// Memory for the solver while an answer is judged.
const MEGABYTES: usize = 1;
const DAY: u64 = 24 * 3_600_000;
/// How much easier or harder than oneself one may ask for.
const MOST_SHIFT: i32 = 1000;
/// Longer than any game on 8×8.
const MOST_MOVES: usize = 64;

/// What puzzles there are.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Puzzles {
    puzzles: usize,
    themes: BTreeMap<&'static str, usize>,
    sizes: BTreeMap<u8, usize>,
}

/// `GET /api/train/puzzles`
pub(super) async fn listing() -> Reply<Puzzles> {
    let count = |selection| Collection::shipped().of(selection).count();
    let theme =
        |(name, theme): &(&'static str, Theme)| (*name, count(Selection { theme: Some(*theme), size: None }));
    let mut sizes = BTreeMap::new();
    for named in Collection::shipped().of(Selection::default()) {
        *sizes.entry(named.puzzle.position.size().get()).or_default() += 1;
    }
    let themes = Theme::ALL.iter().map(theme).collect();
    Reply(Puzzles { puzzles: count(Selection::default()), themes, sizes })
}

/// Which puzzle is wanted: by its name, that of a day, one of a run, or the next for somebody.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PuzzleRequest {
    puzzle: Option<String>,
    day: Option<u64>,
    run: Option<u64>,
    number: Option<usize>,
    theme: Option<String>,
    size: Option<u8>,
    shift: Option<i32>,
}

/// A puzzle as it is asked: nothing of what it is about is told before.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PuzzleQuestion {
    puzzle: String,
    position: PositionAnswer,
    goal: &'static str,
    /// Whether it is played on to the end of the game.
    plays_on: bool,
    day: Option<u64>,
    /// How strong the learner is at puzzles.
    rating: RatingAnswer,
    /// Puzzles solved in the best run of each kind.
    best_runs: BTreeMap<&'static str, u32>,
}

/// `POST /api/train/puzzle`
pub(super) async fn next(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(request): Json<PuzzleRequest>,
) -> Result<Reply<PuzzleQuestion>, ApiError> {
    let selection = request.selection()?;
    let shift = f64::from(request.shift.unwrap_or(0).clamp(-MOST_SHIFT, MOST_SHIFT));
    let learner = Learner::of(&app, token).await?;
    let collection = Collection::shipped();
    let today = now() / DAY;
    let mut day = None;
    let named = if let Some(name) = &request.puzzle {
        find(name)?
    } else if let Some(run) = request.run {
        let found = collection.of_run(selection, run, request.number.unwrap_or(0));
        found.ok_or(ApiError::NoPuzzle("this run has no more puzzles"))?
    } else if let Some(asked) = request.day {
        // Somewhere on earth it may be tomorrow.
        if asked > today + 1 {
            return Err(ApiError::NoPuzzle("the puzzle of that day is not known yet"));
        }
        day = Some(asked);
        collection.daily(asked).ok_or(ApiError::NoPuzzle("there is no puzzle"))?
    } else {
        let rated = |id| learner.puzzles.get(&id).copied();
        let target = learner.rating.rating + shift;
        let found = collection.next(selection, target, rated, &learner.recent, learner.tried);
        found.ok_or(ApiError::NoPuzzle("there is no such puzzle"))?
    };
    let NamedPuzzle { id, puzzle } = named;
    let position = PositionAnswer::new(&GridPosition::from(puzzle.position), 0, None, Objective::Most);
    Ok(Reply(PuzzleQuestion {
        puzzle: id.to_string(),
        position,
        goal: puzzle.goal.name(),
        plays_on: puzzle.plays_on(),
        day,
        rating: learner.rating.into(),
        best_runs: learner.best_runs,
    }))
}

impl PuzzleRequest {
    fn selection(&self) -> Result<Selection, ApiError> {
        let unknown = |_: &String| ApiError::NoPuzzle("there is no such theme");
        let theme = self.theme.as_ref().map(|name| Theme::named(name).ok_or_else(|| unknown(name)));
        let size = self.size.map(|side| Size::new(side.into()));
        Ok(Selection { theme: theme.transpose()?, size: size.transpose()? })
    }
}

/// The puzzle of this name.
fn find(name: &str) -> Result<&'static NamedPuzzle, ApiError> {
    let id: PuzzleId = name.parse()?;
    Collection::shipped().find(id).ok_or(ApiError::NoPuzzle("there is no puzzle of this name"))
}

/// What decides the next puzzle of somebody; of strangers nothing is known.
struct Learner {
    rating: Rating,
    recent: Vec<PuzzleId>,
    tried: u64,
    puzzles: HashMap<PuzzleId, f64>,
    best_runs: BTreeMap<&'static str, u32>,
}

impl Learner {
    async fn of(app: &Shared, token: Option<Token>) -> Result<Learner, ApiError> {
        if token.is_none() {
            return Ok(Learner {
                rating: Rating::unknown(now()),
                recent: Vec::new(),
                tried: 0,
                puzzles: HashMap::new(),
                best_runs: BTreeMap::new(),
            });
        }
        let learner = app.profiles.of(token, |connection, id| {
            let best = attempts::best_runs(connection, id)?;
            Ok(Learner {
                rating: person(connection, id, now())?,
                recent: attempts::recent(connection, id)?,
                tried: attempts::tried(connection, id)?,
                puzzles: attempts::puzzles(connection)?,
                best_runs: best.into_iter().map(|(kind, solved)| (kind.name(), solved)).collect(),
            })
        });
        learner.await
    }
}

/// How strong somebody is at puzzles.
fn person(
    connection: &rusqlite::Connection,
    id: tables::ProfileId,
    now: u64,
) -> Result<Rating, ProfileError> {
    let ratings = tables::ratings(connection, id)?;
    let known = ratings.into_iter().find(|(subject, _)| subject == SUBJECT);
    Ok(known.map_or(Rating::unknown(now), |(_, rating)| rating.rested(now)))
}

/// A move that answers a puzzle after these moves of both sides, or the wish to be shown.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PuzzleAnswerRequest {
    puzzle: String,
    #[serde(default)]
    moves: String,
    #[serde(rename = "move")]
    mv: Option<String>,
    #[serde(default)]
    show: bool,
    tried: Option<String>,
    rated: Option<bool>,
}

/// Whether a move was right, and what follows if both sides go on as well as they can.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PuzzleAnswered {
    right: bool,
    solved: bool,
    /// Discs by which the one who solves wins or loses now, and after the best move.
    score: i32,
    best: i32,
    /// The move, and what follows to the end of the game, each with the position after it.
    steps: Vec<Step>,
    /// How many moves after the first are made at once: the reply, and whatever leaves no choice.
    follow: usize,
    /// What is told when nothing is left to be found.
    solution: Option<Solution>,
    /// The learner's rating before and after, if this counted.
    change: Option<RatingChange>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "PuzzleStep"))]
struct Step {
    #[serde(rename = "move")]
    mv: String,
    position: PositionAnswer,
}

/// What a puzzle was about.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "PuzzleSolution"))]
struct Solution {
    #[serde(rename = "move")]
    mv: String,
    /// Every move with how the game ends after it, the best first.
    scores: Vec<(String, i32)>,
    themes: Vec<&'static str>,
    reasons: Vec<ReasonAnswer>,
    /// Why the move that was tried is bad.
    why: Option<Why>,
    rating: RatingAnswer,
}

/// Something that speaks for the right move beside another: squares to be shown, and the number after the other move.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "PuzzleReason"))]
struct ReasonAnswer {
    kind: ReasonKind,
    other: String,
    squares: Vec<String>,
    instead: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum ReasonKind {
    Pass,
    Mobility,
    Parity,
    Stable,
    Corner,
    Sacrifice,
    Quiet,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RatingChange {
    before: RatingAnswer,
    after: RatingAnswer,
}

/// `POST /api/train/puzzle/answer`
pub(super) async fn answer(
    State(app): State<Shared>,
    visitor: Visitor,
    Bearer(token): Bearer,
    Json(request): Json<PuzzleAnswerRequest>,
) -> Result<Reply<PuzzleAnswered>, ApiError> {
    if request.mv.is_some() == request.show {
        return Err(RequestError::Contradiction("give either move or show").into());
    }
    let NamedPuzzle { id, puzzle } = find(&request.puzzle)?;
    let moves = squares(puzzle, &request.moves)?;
    let tried = request.tried.as_deref().map(|text| square(puzzle, text)).transpose()?;
    let right = puzzle.right().ok_or(ApiError::NoPuzzle("this puzzle has no answer"))?;
    let (moves, mv) = match &request.mv {
        Some(text) => (moves, square(puzzle, text)?),
        None => (Vec::new(), right),
    };
    app.rates.take(visitor.address, Demand::Analysis)?;
    let _held = app.players.reserve((MEGABYTES as u64) << 20)?;
    let before = puzzle.after(&moves)?;
    let (played, show) = (moves.clone(), request.show);
    let judged = in_pool(&app.pool, Owner::Client(visitor.address), move |_, stop| {
        let factory = Factory::sized(MEGABYTES).map_err(|_| ApiError::NoMemory)?;
        let judged = factory.answer(puzzle, &played, mv, stop)?;
        let wrong = tried.filter(|tried| *tried != right && (judged.solved || show));
        let why = match wrong {
            Some(wrong) => why(&factory, puzzle, wrong, right, stop)?,
            None => None,
        };
        Ok::<_, ApiError>((judged, why))
    });
    let (judged, why) = judged.await??;
    let solved = judged.solved && !request.show;
    let decided = request.show || judged.solved || !judged.right;
    let (change, rating) = match token.filter(|_| decided) {
        Some(token) => record(&app, token, *id, puzzle, solved, request.rated.unwrap_or(true)).await?,
        None => (None, Rating::said(puzzle.rating.into(), puzzle.deviation())),
    };
    let told = judged.solved || request.show;
    Ok(Reply(PuzzleAnswered {
        right: judged.right,
        solved,
        score: judged.score,
        best: judged.best,
        steps: steps(&before, mv, &judged.line),
        follow: judged.follow,
        solution: told.then(|| Solution { why, ..solution(puzzle, right, tried, rating) }),
        change: change.map(|(before, after)| RatingChange { before: before.into(), after: after.into() }),
    }))
}

/// Why a wrong first move is bad, by the best play after it and after the right one.
fn why(
    factory: &Factory,
    puzzle: &Puzzle,
    wrong: Square,
    right: Square,
    stop: &Stop,
) -> Result<Option<Why>, ApiError> {
    let before = GridPosition::from(puzzle.position);
    let line = |mv: Square| {
        let answer = factory.answer(puzzle, &[], mv, stop)?;
        let moves = std::iter::once(Move::Place(mv)).chain(answer.line).map(|mv| mv.map(Point::from));
        Ok::<_, ApiError>((moves.collect::<Vec<_>>(), answer.score))
    };
    let ((played, score), (best, most)) = (line(wrong)?, line(right)?);
    let explained = Explanation::new(&before, &played, &best, f64::from(most - score));
    Ok(explained.map(|explained| Why::new(&before, &explained)))
}

/// The squares of a line of moves, one after the other.
fn squares(puzzle: &Puzzle, text: &str) -> Result<Vec<Square>, ApiError> {
    if text.len() > 2 * MOST_MOVES || !text.is_ascii() {
        return Err(RequestError::TooMuch { what: "moves", most: MOST_MOVES as u64 }.into());
    }
    text.as_bytes().chunks(2).map(|pair| square(puzzle, &String::from_utf8_lossy(pair))).collect()
}

/// The square that a text names.
fn square(puzzle: &Puzzle, text: &str) -> Result<Square, ApiError> {
    let mv = parse_move(text, puzzle.position.size()).map_err(BadMove::Text)?;
    let square = mv.square().and_then(|point: Point| point.square());
    Ok(square.ok_or(BadMove::NoSquares)?)
}

/// A move and those after it, each with the position that it leads to.
fn steps(before: &Position, mv: Square, line: &[Move<Square>]) -> Vec<Step> {
    let mut position = GridPosition::from(*before);
    let mut steps = Vec::new();
    for (ply, mv) in (1..).zip(std::iter::once(Move::Place(mv)).chain(line.iter().copied())) {
        let mv = mv.map(Point::from);
        let last = Last::of(position, &[mv]).map(|last| Last { ply, ..last });
        position = position.played(mv);
        let answer = PositionAnswer::new(&position, ply, last, Objective::Most);
        steps.push(Step { mv: mv.to_string(), position: answer });
    }
    steps
}

/// Notes what came of a puzzle. A puzzle that was tried lately counts no more; one that was missed becomes a card.
async fn record(
    app: &Shared,
    token: Token,
    id: PuzzleId,
    puzzle: &'static Puzzle,
    solved: bool,
    rated: bool,
) -> Result<(Option<(Rating, Rating)>, Rating), ApiError> {
    let room = app.profiles.room;
    let noted = app.profiles.of(Some(token), move |connection, profile| {
        let now = now();
        let said = Rating::said(puzzle.rating.into(), puzzle.deviation());
        let hardness = attempts::puzzle(connection, id)?.unwrap_or(said);
        if attempts::recent(connection, profile)?.contains(&id) {
            return Ok((None, hardness));
        }
        let before = person(connection, profile, now)?;
        let (after, harder) = Rating::answered(&before, &hardness, solved, now);
        let rating = rated.then_some(after.rating);
        attempts::note(
            connection,
            profile,
            &FiledAttempt { puzzle: id.to_string(), at: now, solved, rating },
        )?;
        tables::touch(connection, profile, now)?;
        if !solved && let Some(prompt) = prompt(puzzle) {
            // A deck that is full takes no more; the puzzle was tried all the same.
            match tables::add(connection, profile, Card::new(Kind::Puzzle, prompt, now), room) {
                Ok((card, _)) => {
                    let missed = NewAnswer { grade: Grade::Again, mv: None, took_ms: None };
                    tables::answer(connection, profile, card, missed, now)?;
                }
                Err(ProfileError::TooManyCards(_)) => {}
                Err(error) => return Err(error),
            }
        }
        if !rated {
            return Ok((None, hardness));
        }
        tables::rate(connection, profile, SUBJECT, &after)?;
        attempts::rate_puzzle(connection, id, &harder)?;
        Ok((Some((before, after)), harder))
    });
    noted.await
}

/// The card of a puzzle.
fn prompt(puzzle: &Puzzle) -> Option<Prompt> {
    let start = puzzle.position.to_string();
    Prompt::new(Some(&start), "", &[puzzle.right()?.to_string()], puzzle.goal.name()).ok()
}

fn solution(puzzle: &Puzzle, right: Square, tried: Option<Square>, rating: Rating) -> Solution {
    let other =
        tried.filter(|square| *square != right && puzzle.scores.iter().any(|(known, _)| known == square));
    let next = puzzle.scores.get(1).map(|(square, _)| *square);
    let beside = other.or(next).map_or_else(String::new, |square| square.to_string());
    let reason = |reason: &Reason| {
        let names = |set: &Bitboard| set.into_iter().map(|square| square.to_string()).collect();
        let (kind, squares, instead) = match reason {
            Reason::Pass => (ReasonKind::Pass, Vec::new(), None),
            Reason::Mobility { replies, instead } => (ReasonKind::Mobility, names(replies), Some(*instead)),
            Reason::Parity { region, instead } => (ReasonKind::Parity, names(region), Some(*instead)),
            Reason::Stable { discs, instead } => (ReasonKind::Stable, names(discs), Some(*instead)),
            Reason::Corner => (ReasonKind::Corner, vec![right.to_string()], None),
            Reason::Sacrifice { corners } => (ReasonKind::Sacrifice, names(corners), None),
            Reason::Quiet { turned } => (ReasonKind::Quiet, names(turned), None),
        };
        ReasonAnswer { kind, other: beside.clone(), squares, instead }
    };
    Solution {
        mv: right.to_string(),
        scores: puzzle.scores.iter().map(|(square, score)| (square.to_string(), *score)).collect(),
        themes: puzzle.themes.iter().map(|theme| theme.name()).collect(),
        reasons: puzzle.reasons(other).iter().map(reason).collect(),
        why: None,
        rating: rating.into(),
    }
}

/// A run that has ended.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RunRequest {
    kind: RunName,
    solved: u32,
    missed: u32,
}

/// What ends a run: three minutes, or the third mistake.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum RunName {
    Clock,
    Strikes,
}

impl From<RunName> for RunKind {
    fn from(name: RunName) -> RunKind {
        match name {
            RunName::Clock => RunKind::Clock,
            RunName::Strikes => RunKind::Strikes,
        }
    }
}

/// The best run of each kind by now, and whether this one was better than all before.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RunAnswer {
    record: bool,
    best_runs: BTreeMap<&'static str, u32>,
}

/// `POST /api/train/runs`
pub(super) async fn run(
    State(app): State<Shared>,
    Bearer(token): Bearer,
    Json(RunRequest { kind, solved, missed }): Json<RunRequest>,
) -> Result<Reply<RunAnswer>, ApiError> {
    let kind = RunKind::from(kind);
    let noted = app.profiles.of(token, move |connection, profile| {
        let before = attempts::best_runs(connection, profile)?;
        attempts::add_run(connection, profile, &FiledRun { kind, at: now(), solved, missed })?;
        let record = solved > before.get(&kind).copied().unwrap_or(0);
        let best = attempts::best_runs(connection, profile)?;
        Ok(RunAnswer {
            record,
            best_runs: best.into_iter().map(|(kind, best)| (kind.name(), best)).collect(),
        })
    });
    Ok(Reply(noted.await?))
}
