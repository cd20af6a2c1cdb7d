//! Puzzles: which comes next for somebody, today, or in a run; judging an answer; what came of it.

use std::collections::{BTreeMap, HashMap};

use emilia_insight::Explanation;
use emilia_puzzle::{Answer, Collection, Factory, NamedPuzzle, Puzzle, PuzzleId, Reason, Selection, Theme};
use emilia_query::Stop;
use emilia_rules::{
    Bitboard, GridPosition, Move, Objective, Playable, Point, Position, Size, Square, parse_move,
};
use emilia_trainer::{Card, FiledAttempt, FiledRun, Grade, Kind, Prompt, Rating, RunKind};
use serde::{Deserialize, Serialize};

use super::cards::{NewAnswer, add, answer};
use super::profile::RatingAnswer;
use super::store::LearnerStore;
use crate::answers::{Last, PositionAnswer};
use crate::error::ServiceError;
use crate::request_error::{BadMove, RequestError};
use crate::why::Why;

/// By what the rating for puzzles goes in a profile.
const SUBJECT: &str = "puzzles";
const DAY: u64 = 24 * 3_600_000;
/// How much easier or harder than oneself one may ask for.
const MOST_SHIFT: i32 = 1000;
/// Longer than any game on 8×8.
const MOST_MOVES: usize = 64;

/// What puzzles there are.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Puzzles {
    puzzles: usize,
    themes: BTreeMap<&'static str, usize>,
    sizes: BTreeMap<u8, usize>,
}

impl Puzzles {
    /// Those that come with the program.
    #[must_use]
    pub fn shipped() -> Puzzles {
        let count = |selection| Collection::shipped().of(selection).count();
        let theme = |(name, theme): &(&'static str, Theme)| {
            (*name, count(Selection { theme: Some(*theme), size: None }))
        };
        let mut sizes = BTreeMap::new();
        for named in Collection::shipped().of(Selection::default()) {
            *sizes.entry(named.puzzle.position.size().get()).or_default() += 1;
        }
        let themes = Theme::ALL.iter().map(theme).collect();
        Puzzles { puzzles: count(Selection::default()), themes, sizes }
    }
}

/// Which puzzle is wanted: by its name, that of a day, one of a run, or the next for somebody.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleRequest {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleQuestion {
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

impl PuzzleRequest {
    /// The puzzle that is wanted, for this learner.
    pub fn question(&self, learner: PuzzleLearner, now: u64) -> Result<PuzzleQuestion, ServiceError> {
        let (NamedPuzzle { id, puzzle }, day) = self.choose(&learner, now)?;
        let position = PositionAnswer::new(&GridPosition::from(puzzle.position), 0, None, Objective::Most);
        Ok(PuzzleQuestion {
            puzzle: id.to_string(),
            position,
            goal: puzzle.goal.name(),
            plays_on: puzzle.plays_on(),
            day,
            rating: learner.rating.into(),
            best_runs: learner.best_runs,
        })
    }

    /// A puzzle, and whose day it is.
    fn choose(
        &self,
        learner: &PuzzleLearner,
        now: u64,
    ) -> Result<(&'static NamedPuzzle, Option<u64>), ServiceError> {
        let selection = self.selection()?;
        let collection = Collection::shipped();
        if let Some(name) = &self.puzzle {
            return Ok((find(name)?, None));
        }
        if let Some(run) = self.run {
            let found = collection.of_run(selection, run, self.number.unwrap_or(0));
            return Ok((found.ok_or(ServiceError::NoPuzzle("this run has no more puzzles"))?, None));
        }
        if let Some(day) = self.day {
            // Somewhere on earth it may be tomorrow.
            if day > now / DAY + 1 {
                return Err(ServiceError::NoPuzzle("the puzzle of that day is not known yet"));
            }
            let found = collection.daily(day).ok_or(ServiceError::NoPuzzle("there is no puzzle"))?;
            return Ok((found, Some(day)));
        }
        let shift = f64::from(self.shift.unwrap_or(0).clamp(-MOST_SHIFT, MOST_SHIFT));
        let rated = |id| learner.puzzles.get(&id).copied();
        let target = learner.rating.rating + shift;
        let found = collection.next(selection, target, rated, &learner.recent, learner.tried);
        Ok((found.ok_or(ServiceError::NoPuzzle("there is no such puzzle"))?, None))
    }

    fn selection(&self) -> Result<Selection, ServiceError> {
        let unknown = |_: &String| ServiceError::NoPuzzle("there is no such theme");
        let theme = self.theme.as_ref().map(|name| Theme::named(name).ok_or_else(|| unknown(name)));
        let size = self.size.map(|side| Size::new(side.into()));
        Ok(Selection { theme: theme.transpose()?, size: size.transpose()? })
    }
}

/// The puzzle of this name.
fn find(name: &str) -> Result<&'static NamedPuzzle, ServiceError> {
    let id: PuzzleId = name.parse()?;
    Collection::shipped().find(id).ok_or(ServiceError::NoPuzzle("there is no puzzle of this name"))
}

/// What decides the next puzzle of somebody; of strangers nothing is known.
pub struct PuzzleLearner {
    rating: Rating,
    recent: Vec<PuzzleId>,
    tried: u64,
    puzzles: HashMap<PuzzleId, f64>,
    best_runs: BTreeMap<&'static str, u32>,
}

impl PuzzleLearner {
    /// Somebody without a profile.
    #[must_use]
    pub fn stranger(now: u64) -> PuzzleLearner {
        PuzzleLearner {
            rating: Rating::unknown(now),
            recent: Vec::new(),
            tried: 0,
            puzzles: HashMap::new(),
            best_runs: BTreeMap::new(),
        }
    }

    /// What a profile says.
    pub fn of<S: LearnerStore>(store: &S, now: u64) -> Result<PuzzleLearner, S::Error> {
        Ok(PuzzleLearner {
            rating: person(store, now)?,
            recent: store.recent()?,
            tried: store.tried()?,
            puzzles: store.puzzles()?,
            best_runs: best_runs(store)?,
        })
    }
}

/// Puzzles solved in the best run of each kind.
fn best_runs<S: LearnerStore>(store: &S) -> Result<BTreeMap<&'static str, u32>, S::Error> {
    Ok(store.best_runs()?.into_iter().map(|(kind, solved)| (kind.name(), solved)).collect())
}

/// How strong somebody is at puzzles.
fn person<S: LearnerStore>(store: &S, now: u64) -> Result<Rating, S::Error> {
    let known = store.ratings()?.into_iter().find(|(subject, _)| subject == SUBJECT);
    Ok(known.map_or(Rating::unknown(now), |(_, rating)| rating.rested(now)))
}

/// A move that answers a puzzle after these moves of both sides, or the wish to be shown.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleAnswerRequest {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleAnswered {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PuzzleStep"))]
struct Step {
    #[serde(rename = "move")]
    mv: String,
    position: PositionAnswer,
}

/// What a puzzle was about.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PuzzleSolution"))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PuzzleReason"))]
struct ReasonAnswer {
    kind: ReasonKind,
    other: String,
    squares: Vec<String>,
    instead: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RatingChange {
    before: RatingAnswer,
    after: RatingAnswer,
}

/// A request that is checked.
pub struct PuzzleAnswer {
    id: PuzzleId,
    puzzle: &'static Puzzle,
    right: Square,
    /// The moves of both sides so far, and the one that answers.
    moves: Vec<Square>,
    mv: Square,
    /// The first move that was tried, if that was wrong.
    tried: Option<Square>,
    show: bool,
    rated: bool,
    before: Position,
}

impl PuzzleAnswerRequest {
    /// Checks what can be checked without solving.
    pub fn read(&self) -> Result<PuzzleAnswer, ServiceError> {
        if self.mv.is_some() == self.show {
            return Err(RequestError::Contradiction("give either move or show").into());
        }
        let NamedPuzzle { id, puzzle } = find(&self.puzzle)?;
        let moves = squares(puzzle, &self.moves)?;
        let tried = self.tried.as_deref().map(|text| square(puzzle, text)).transpose()?;
        let right = puzzle.right().ok_or(ServiceError::NoPuzzle("this puzzle has no answer"))?;
        let (moves, mv) = match &self.mv {
            Some(text) => (moves, square(puzzle, text)?),
            None => (Vec::new(), right),
        };
        let before = puzzle.after(&moves)?;
        let (show, rated) = (self.show, self.rated.unwrap_or(true));
        Ok(PuzzleAnswer { id: *id, puzzle, right, moves, mv, tried, show, rated, before })
    }
}

/// An answer of which it is known what it is worth.
pub struct JudgedPuzzle {
    asked: PuzzleAnswer,
    judged: Answer,
    why: Option<Why>,
}

impl PuzzleAnswer {
    /// Memory for the solver while an answer is judged.
    pub const MEGABYTES: usize = 1;

    /// Lets the solver judge.
    pub fn judge(self, factory: &Factory, stop: &Stop) -> Result<JudgedPuzzle, ServiceError> {
        let judged = factory.answer(self.puzzle, &self.moves, self.mv, stop)?;
        let wrong = self.tried.filter(|tried| *tried != self.right && (judged.solved || self.show));
        let why = match wrong {
            Some(wrong) => why(factory, self.puzzle, wrong, self.right, stop)?,
            None => None,
        };
        Ok(JudgedPuzzle { asked: self, judged, why })
    }
}

impl JudgedPuzzle {
    /// Whether something came of it that is to be noted.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.asked.show || self.judged.solved || !self.judged.right
    }

    fn solved(&self) -> bool {
        self.judged.solved && !self.asked.show
    }

    /// What is told to somebody of whom nothing is noted.
    #[must_use]
    pub fn answer(self) -> PuzzleAnswered {
        let hardness = said(self.asked.puzzle);
        self.told(Noted { change: None, hardness })
    }

    /// Notes what came of a puzzle, and tells it. A puzzle that was tried lately counts no more; one that was missed becomes
    /// a card.
    pub fn noted<S: LearnerStore>(self, store: &mut S, now: u64) -> Result<PuzzleAnswered, S::Error> {
        let noted = self.note(store, now)?;
        Ok(self.told(noted))
    }

    fn note<S: LearnerStore>(&self, store: &mut S, now: u64) -> Result<Noted, S::Error> {
        let (PuzzleAnswer { id, puzzle, rated, .. }, solved) = (&self.asked, self.solved());
        let hardness = store.puzzle(*id)?.unwrap_or(said(puzzle));
        if store.recent()?.contains(id) {
            return Ok(Noted { change: None, hardness });
        }
        let before = person(store, now)?;
        let (after, harder) = Rating::answered(&before, &hardness, solved, now);
        let rating = rated.then_some(after.rating);
        store.note_attempt(&FiledAttempt { puzzle: id.to_string(), at: now, solved, rating })?;
        store.touch(now)?;
        if !solved && let Some(prompt) = prompt(puzzle) {
            let known = store.card_about(Kind::Puzzle, &prompt)?.is_some();
            // A deck that is full takes no more; the puzzle was tried all the same.
            if known || store.card_count()? < store.room() {
                let (card, _) = add(store, Card::new(Kind::Puzzle, prompt, now))?;
                let missed = NewAnswer { grade: Grade::Again, mv: None, took_ms: None };
                answer(store, card, missed, now)?;
            }
        }
        if !rated {
            return Ok(Noted { change: None, hardness });
        }
        store.rate(SUBJECT, &after)?;
        store.rate_puzzle(*id, &harder)?;
        Ok(Noted { change: Some((before, after)), hardness: harder })
    }

    fn told(self, Noted { change, hardness }: Noted) -> PuzzleAnswered {
        let solved = self.solved();
        let JudgedPuzzle { asked, judged, why } = self;
        let told = judged.solved || asked.show;
        let solution =
            told.then(|| Solution { why, ..solution(asked.puzzle, asked.right, asked.tried, hardness) });
        PuzzleAnswered {
            right: judged.right,
            solved,
            score: judged.score,
            best: judged.best,
            steps: steps(&asked.before, asked.mv, &judged.line),
            follow: judged.follow,
            solution,
            change: change.map(|(before, after)| RatingChange { before: before.into(), after: after.into() }),
        }
    }
}

/// The learner's rating before and after, if it has changed, and how hard the puzzle is by now.
struct Noted {
    change: Option<(Rating, Rating)>,
    hardness: Rating,
}

/// How hard a puzzle is before anybody has answered it.
fn said(puzzle: &Puzzle) -> Rating {
    Rating::said(puzzle.rating.into(), puzzle.deviation())
}

/// Why a wrong first move is bad, by the best play after it and after the right one.
fn why(
    factory: &Factory,
    puzzle: &Puzzle,
    wrong: Square,
    right: Square,
    stop: &Stop,
) -> Result<Option<Why>, ServiceError> {
    let before = GridPosition::from(puzzle.position);
    let line = |mv: Square| {
        let answer = factory.answer(puzzle, &[], mv, stop)?;
        let moves = std::iter::once(Move::Place(mv)).chain(answer.line).map(|mv| mv.map(Point::from));
        Ok::<_, ServiceError>((moves.collect::<Vec<_>>(), answer.score))
    };
    let ((played, score), (best, most)) = (line(wrong)?, line(right)?);
    let explained = Explanation::new(&before, &played, &best, f64::from(most - score));
    Ok(explained.map(|explained| Why::new(&before, &explained)))
}

/// The squares of a line of moves, one after the other.
fn squares(puzzle: &Puzzle, text: &str) -> Result<Vec<Square>, ServiceError> {
    if text.len() > 2 * MOST_MOVES || !text.is_ascii() {
        return Err(RequestError::TooMuch { what: "moves", most: MOST_MOVES as u64 }.into());
    }
    text.as_bytes().chunks(2).map(|pair| square(puzzle, &String::from_utf8_lossy(pair))).collect()
}

/// The square that a text names.
fn square(puzzle: &Puzzle, text: &str) -> Result<Square, ServiceError> {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunRequest {
    kind: RunName,
    solved: u32,
    missed: u32,
}

/// What ends a run: three minutes, or the third mistake.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunAnswer {
    record: bool,
    best_runs: BTreeMap<&'static str, u32>,
}

impl RunAnswer {
    /// Notes a run.
    pub fn of<S: LearnerStore>(store: &mut S, run: &RunRequest, now: u64) -> Result<RunAnswer, S::Error> {
        let RunRequest { solved, missed, .. } = *run;
        let kind = RunKind::from(run.kind);
        let before = store.best_runs()?;
        store.add_run(&FiledRun { kind, at: now, solved, missed })?;
        let record = solved > before.get(&kind).copied().unwrap_or(0);
        Ok(RunAnswer { record, best_runs: best_runs(store)? })
    }
}
