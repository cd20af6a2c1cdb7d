//! The opening trainer: one opening, one colour; the other side is played, each move is judged at once, and what was missed
//! becomes a card. Nothing is searched here: a step says what it has to know, and is walked again when that was found.

use std::collections::HashMap;
use std::time::Duration;

use emilia_book::Book;
use emilia_engine::Candidate;
use emilia_query::{Limits, Query, Stop};
use emilia_record::Opening;
use emilia_rules::{Color, GridPosition, Move, Objective, Playable, Point, Position, Status, parse_move};
use emilia_trainer::{Card, Course, Grade, Kind, Prompt, draw};
use serde::{Deserialize, Serialize};

use super::cards::{CardAnswer, NewAnswer, add, answer};
use super::store::{LearnerStore, NumberedCard};
use crate::answers::{Last, OpeningAnswer, PositionAnswer, transcript};
use crate::catalogue;
use crate::error::ServiceError;
use crate::names::ColorName;
use crate::position::{GamePosition, Moves, PositionRequest};
use crate::request_error::{BadMove, RequestError};
use crate::review::Judge;
use crate::slot::Slot;

/// Who judges what no line and no book knows, and how long at most.
const JUDGE: &str = "emilia:level=8";
const LONGEST: Duration = Duration::from_secs(5);
/// Plies that are trained beyond the line, and at most altogether.
const BEYOND: usize = 4;
const MOST_PLIES: usize = 40;
/// Discs that a move may lose beyond the line: usually, and at most.
const SLACK: f64 = 1.0;
const MOST_SLACK: f64 = 20.0;
/// Discs that a reply may lose, so that there are several; each disc makes it half as frequent.
const REPLY_SLACK: f64 = 2.0;

/// Openings that have a name.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "NamedOpenings"))]
pub struct Openings {
    openings: Vec<NamedOpening>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct NamedOpening {
    moves: &'static str,
    name: OpeningAnswer,
}

impl Openings {
    /// All of them.
    #[must_use]
    pub fn all() -> Openings {
        let named = Opening::all().map(|(moves, opening)| NamedOpening { moves, name: opening.into() });
        Openings { openings: named.collect() }
    }
}

/// Where the moves of the other side come from, beyond the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum Replies {
    /// Good moves by the book that comes with the program, the better the more often; where it ends, by the engine.
    #[default]
    Book,
    /// Moves of people as often as they played them in tournaments; where nobody did, as by the book.
    People,
    /// Good moves by a search, the better the more often.
    Engine,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrainRequest {
    line: String,
    color: ColorName,
    #[serde(default)]
    moves: String,
    #[serde(rename = "move")]
    mv: Option<String>,
    #[serde(default)]
    show: bool,
    #[serde(default)]
    replies: Replies,
    plies: Option<usize>,
    slack: Option<f64>,
    #[serde(default)]
    seed: u64,
    record: Option<bool>,
}

/// What came of a move, and where the opening stands now.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Training {
    verdict: Option<Verdict>,
    replies: Vec<String>,
    moves: String,
    position: PositionAnswer,
    opening: Option<OpeningAnswer>,
    on_line: bool,
    done: bool,
    card: Option<CardAnswer>,
}

/// Whether a move belongs to the repertoire, what does, and what it lost in discs, if somebody could say.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RepertoireVerdict"))]
struct Verdict {
    right: bool,
    played: Option<String>,
    expected: Vec<String>,
    loss: Option<f64>,
    source: VerdictSource,
}

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum VerdictSource {
    /// The moves of the line.
    Line,
    /// The book that comes with the program.
    Book,
    /// A search.
    Engine,
}

impl TrainRequest {
    /// Reads and checks a request.
    pub fn read(self) -> Result<OpeningStep, ServiceError> {
        let course = Course::new(&self.line)?;
        let slack = self.slack.unwrap_or(SLACK);
        if !(0.0..=MOST_SLACK).contains(&slack) {
            return Err(RequestError::OutOfRange { what: "slack", least: 0, most: MOST_SLACK as u64 }.into());
        }
        let plies = self.plies.unwrap_or(MOST_PLIES.min(course.len() + BEYOND)).max(course.len());
        if plies > MOST_PLIES {
            return Err(RequestError::TooMuch { what: "plies", most: MOST_PLIES as u64 }.into());
        }
        let played = PositionRequest::of_start(None, None, None, Some(Moves::Text(self.moves))).resolve()?;
        let (color, before) = (self.color.into(), Line::new(&played));
        let point = self.mv.as_deref().map(|text| placement(&before.position, text)).transpose()?;
        let asked = self.show || point.is_some();
        if asked && before.position.is_over() {
            return Err(ServiceError::GameOver);
        }
        if asked && before.position.turn() != color {
            return Err(ServiceError::NotYourTurn);
        }
        let (replies, record) = (self.replies, self.record.unwrap_or(true));
        Ok(OpeningStep {
            course,
            color,
            slack,
            plies,
            seed: self.seed,
            replies,
            record,
            before,
            point,
            asked,
        })
    }
}

/// The legal placement that a text names.
fn placement(position: &GridPosition, text: &str) -> Result<Point, ServiceError> {
    let mv = parse_move(text, position.size()).map_err(BadMove::Text)?;
    let point = mv.square().ok_or(BadMove::NoSquares)?;
    position.play(Move::Place(point))?;
    Ok(point)
}

/// A line of moves that goes on.
#[derive(Clone)]
struct Line {
    moves: Vec<Move<Point>>,
    position: GridPosition,
    opening: Option<Opening>,
}

impl Line {
    fn new(played: &GamePosition) -> Line {
        let opening = Opening::of(&played.game);
        let mut line = Line { moves: played.moves.clone(), position: *played.position(), opening };
        line.pass();
        line
    }

    fn ply(&self) -> usize {
        self.moves.iter().filter_map(|mv| mv.square()).count()
    }

    fn play(&mut self, point: Point) {
        self.position = self.position.placed(point);
        self.moves.push(Move::Place(point));
        self.opening = Opening::next(self.opening, &self.position);
        self.pass();
    }

    /// Makes a pass that must be.
    fn pass(&mut self) {
        if self.position.status() == Status::MustPass {
            self.position = self.position.passed();
            self.moves.push(Move::Pass);
        }
    }

    fn text(&self) -> String {
        transcript(self.moves.iter().copied())
    }
}

/// A move that was made, or none by somebody who wants to be told.
struct Judgement {
    point: Option<Point>,
    right: bool,
    expected: Vec<Point>,
    loss: Option<f64>,
    source: VerdictSource,
}

impl From<Judgement> for Verdict {
    fn from(Judgement { point, right, expected, loss, source }: Judgement) -> Verdict {
        let expected = expected.iter().map(ToString::to_string).collect();
        Verdict { right, played: point.map(|point| point.to_string()), expected, loss, source }
    }
}

/// What a step has to know before it can go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// What each move is worth in this position, by a search.
    Values { position: Box<GridPosition>, purpose: Purpose },
    /// How often people played each move there in tournaments.
    People { position: Box<GridPosition> },
}

/// What moves are valued for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To say what a move loses that left the line; that can be left out.
    Loss,
    /// To judge a move beyond the line; nothing can be said without.
    Verdict,
    /// To reply; where there is nobody to search, the opening ends.
    Reply,
}

/// What was found for a step.
#[derive(Debug, Default)]
pub struct Findings {
    /// By position; nothing where nobody searches.
    values: HashMap<GridPosition, Option<Valued>>,
    people: HashMap<GridPosition, Valued>,
}

impl Findings {
    /// Takes what the moves of a position are worth, or that nobody says so, which a verdict cannot do without.
    pub fn value(&mut self, position: GridPosition, values: Option<Valued>) {
        self.values.insert(position, values);
    }

    /// Takes how often people played each move.
    pub fn people(&mut self, position: GridPosition, played: Valued) {
        self.people.insert(position, played);
    }
}

/// A step of the trainer that is checked.
pub struct OpeningStep {
    course: Course,
    color: Color,
    slack: f64,
    plies: usize,
    seed: u64,
    replies: Replies,
    record: bool,
    before: Line,
    /// The move that was made, and whether it was, or somebody wants to be shown.
    point: Option<Point>,
    asked: bool,
}

/// How a step went.
pub struct Walk {
    before: Line,
    played: Line,
    judgement: Option<Judgement>,
    replies: Vec<Point>,
    on_line: bool,
    done: bool,
    record: bool,
}

impl OpeningStep {
    /// Who searches for values.
    pub fn judge() -> Result<Candidate, ServiceError> {
        catalogue::candidate(JUDGE)
    }

    /// What each move is worth by a search.
    pub fn search(position: GridPosition, judge: &mut Judge, stop: &Stop, slot: &dyn Slot) -> Valued {
        let query = Query::new(position).within(Limits::time(LONGEST));
        let known = judge.judge(query, stop, slot).into_iter();
        known.filter_map(|(found, discs)| Some((found.mv.square()?, discs?))).collect()
    }

    /// Walks as far as what was found reaches, or says what is missing.
    pub fn walk(&self, found: &Findings) -> Result<Walk, Missing> {
        let mut played = self.before.clone();
        let judgement = if self.asked { Some(self.verdict(&played.position, found)?) } else { None };
        let right = judgement.as_ref().is_none_or(|judgement| judgement.right);
        if let Some(point) = self.point.filter(|_| right) {
            played.play(point);
        }
        let (replies, ended) = if right { self.replied(&mut played, found)? } else { (Vec::new(), false) };
        let on_line = self.course.next(&played.position).is_some();
        let done = ended || self.is_done(&played);
        let (before, record) = (self.before.clone(), self.record);
        Ok(Walk { before, played, judgement, replies, on_line, done, record })
    }

    /// What the other side plays until it is the learner's turn again, and whether nobody could say how it goes on.
    fn replied(&self, played: &mut Line, found: &Findings) -> Result<(Vec<Point>, bool), Missing> {
        let mut replies = Vec::new();
        loop {
            match self.reply(played, found)? {
                Reply::Move(point) => {
                    played.play(point);
                    replies.push(point);
                }
                Reply::NotNow => return Ok((replies, false)),
                Reply::Nobody => return Ok((replies, true)),
            }
        }
    }

    /// Whether the move belongs to the repertoire: the move of the line, or beyond it one that loses little.
    fn verdict(&self, position: &GridPosition, found: &Findings) -> Result<Judgement, Missing> {
        let point = self.point;
        let after = |point: Point| position.placed(point).canonical();
        if let Some(expected) = self.course.next(position) {
            let right = point.is_some_and(|point| after(expected) == after(point));
            // The line itself judges; what the move loses is said if the book knows, or somebody may search for it.
            let values = match point {
                Some(point) if !right => self.values(position, &[expected, point], Purpose::Loss, found)?,
                _ => None,
            };
            let of = |wanted| {
                let (_, values) = values.as_ref()?;
                values.iter().find(|(point, _)| *point == wanted).map(|(_, value)| *value)
            };
            let loss = of(expected).zip(point.and_then(of)).map(|(best, own)| best - own);
            return Ok(Judgement {
                point,
                right,
                expected: vec![expected],
                loss,
                source: VerdictSource::Line,
            });
        }
        let valued = self.values(position, point.as_slice(), Purpose::Verdict, found)?;
        let missing = Missing::Values { position: Box::new(*position), purpose: Purpose::Verdict };
        let (source, values) = valued.ok_or(missing)?;
        let best = values.first().map_or(0.0, |(_, value)| *value);
        let own = values.iter().find(|(known, _)| Some(*known) == point);
        let loss = own.map(|(_, value)| best - value);
        let within = values.iter().filter(|(_, value)| best - value <= self.slack);
        let expected = within.map(|(point, _)| *point).collect();
        let right = loss.is_some_and(|loss| loss <= self.slack);
        Ok(Judgement { point, right, expected, loss, source })
    }

    /// What the other side plays now; nothing where it is not its turn, or the opening is over.
    fn reply(&self, played: &Line, found: &Findings) -> Result<Reply, Missing> {
        let position = &played.position;
        if self.is_done(played) || position.turn() == self.color {
            return Ok(Reply::NotNow);
        }
        if let Some(point) = self.course.next(position) {
            return Ok(Reply::Move(point));
        }
        let drawn = |weighted: &[(Point, f64)]| draw(weighted, self.seed, played.ply());
        if self.replies == Replies::People {
            let people = found
                .people
                .get(position)
                .ok_or_else(|| Missing::People { position: Box::new(*position) })?;
            if let Some(point) = drawn(people) {
                return Ok(Reply::Move(point));
            }
        }
        let values = match self.replies {
            Replies::Book | Replies::People => {
                self.values(position, &[], Purpose::Reply, found)?.map(|(_, values)| values)
            }
            Replies::Engine => searched(position, Purpose::Reply, found)?,
        };
        let Some(values) = values else { return Ok(Reply::Nobody) };
        Ok(drawn(&weighted(&values)).map_or(Reply::NotNow, Reply::Move))
    }

    fn is_done(&self, played: &Line) -> bool {
        let beyond = self.course.next(&played.position).is_none();
        played.position.is_over() || (beyond && played.ply() >= self.plies)
    }

    /// What moves are worth to the side that makes them, in discs, the best first: all that the book knows, if it knows
    /// these; else all there are, by a search. The two are never mixed.
    fn values(
        &self,
        position: &GridPosition,
        needed: &[Point],
        purpose: Purpose,
        found: &Findings,
    ) -> Result<Option<(VerdictSource, Valued)>, Missing> {
        let known = in_book(position);
        let knows = |wanted: &Point| known.iter().any(|(point, _)| point == wanted);
        if !known.is_empty() && needed.iter().all(knows) {
            return Ok(Some((VerdictSource::Book, known)));
        }
        Ok(searched(position, purpose, found)?.map(|values| (VerdictSource::Engine, values)))
    }
}

/// What the other side does.
enum Reply {
    Move(Point),
    /// It is not its turn, or the opening is over.
    NotNow,
    /// Nobody is there to say what it plays.
    Nobody,
}

/// What a search found, or that nobody searches.
fn searched(position: &GridPosition, purpose: Purpose, found: &Findings) -> Result<Option<Valued>, Missing> {
    found
        .values
        .get(position)
        .cloned()
        .ok_or_else(|| Missing::Values { position: Box::new(*position), purpose })
}

impl Walk {
    /// Whether a move was made that is to be noted.
    #[must_use]
    pub fn is_to_be_noted(&self) -> bool {
        self.record && self.judgement.is_some()
    }

    /// What is told of it where nothing is noted.
    #[must_use]
    pub fn told(self) -> Training {
        self.training(None)
    }

    /// Notes a move in the deck, and tells how it went.
    pub fn noted<S: LearnerStore>(self, store: &mut S, now: u64) -> Result<Training, S::Error> {
        let card = self.note(store, now)?;
        Ok(self.training(card.map(|card| CardAnswer::new(card, now))))
    }

    /// A move of the line becomes a card when it is first met; beyond the line only what was missed does. A card that is
    /// known is not asked for more often than it is due.
    fn note<S: LearnerStore>(&self, store: &mut S, now: u64) -> Result<Option<NumberedCard>, S::Error> {
        let Some(judgement) = &self.judgement else { return Ok(None) };
        let answers: Vec<String> = judgement.expected.iter().take(4).map(ToString::to_string).collect();
        let note = self.before.opening.map_or("", |opening| opening.english);
        let prompt = Prompt::new(None, &self.before.text(), &answers, note).map_err(ServiceError::from)?;
        if !prompt.is_choice() {
            return Ok(None);
        }
        let (right, on_line) = (judgement.right, judgement.source == VerdictSource::Line);
        let known = store.card_about(Kind::Opening, &prompt)?;
        let wanted = match &known {
            None => on_line || !right,
            Some(NumberedCard { card, .. }) => !right || card.schedule.is_due(now),
        };
        if !wanted {
            return Ok(known);
        }
        let (card, _) = add(store, Card::new(Kind::Opening, prompt, now))?;
        let grade = if right { Grade::Good } else { Grade::Again };
        let given = NewAnswer { grade, mv: judgement.point, took_ms: None };
        answer(store, card, given, now).map(Some)
    }

    fn training(self, card: Option<CardAnswer>) -> Training {
        let Walk { played, judgement, replies, on_line, done, .. } = self;
        let last = Last::of(GridPosition::default(), &played.moves);
        Training {
            verdict: judgement.map(Verdict::from),
            replies: replies.iter().map(ToString::to_string).collect(),
            moves: played.text(),
            position: PositionAnswer::new(&played.position, played.moves.len(), last, Objective::Most),
            opening: played.opening.map(OpeningAnswer::from),
            on_line,
            done,
            card,
        }
    }
}

/// Moves with what they are worth to the side that makes them, in discs, the best first.
pub type Valued = Vec<(Point, f64)>;

/// What the book that comes with the program knows of a position.
fn in_book(position: &GridPosition) -> Valued {
    let Ok(position) = Position::try_from(position) else { return Vec::new() };
    let entry = Book::embedded().find(position.board());
    let moves = entry.into_iter().flat_map(|entry| entry.moves);
    moves.map(|known| (Point::from(known.square), f64::from(known.worth.discs))).collect()
}

/// Moves that lose little, each with how often it is to be played.
fn weighted(values: &[(Point, f64)]) -> Vec<(Point, f64)> {
    let best = values.first().map_or(0.0, |(_, value)| *value);
    let little = values.iter().filter(|(_, value)| best - value <= REPLY_SLACK);
    little.map(|(point, value)| (*point, (value - best).exp2())).collect()
}
