//! The opening trainer: one opening, one colour; the other side is played, each move is judged at once, and what was missed
//! becomes a card.

use std::time::Duration;

use axum::extract::State;
use emilia_book::Book;
use emilia_openings::{Filter, Page};
use emilia_query::{Limits, Query};
use emilia_record::Opening;
use emilia_rules::{Color, GridPosition, Move, Objective, Playable, Point, Position, Status, parse_move};
use emilia_service::error::ServiceError;
use emilia_trainer::{BookLines, Card, Course, Grade, Kind, Prompt, Survey, draw};
use serde::{Deserialize, Serialize};

use super::body::{Bearer, Json, Reply};
use super::openings::blocking;
use super::profiles::CardAnswer;
use super::work::in_pool;
use crate::TOURNAMENTS;
use crate::answers::{Last, OpeningAnswer, PositionAnswer, transcript};
use crate::app::Shared;
use crate::catalogue;
use crate::error::ApiError;
use crate::names::ColorName;
use crate::pool::Owner;
use crate::position::{GamePosition, Moves, PositionRequest};
use crate::profile_tables::{self as tables, NewAnswer, NumberedCard};
use crate::rate::Demand;
use crate::request_error::{BadMove, RequestError};
use crate::time::now;
use crate::token::Token;
use crate::visitor::Visitor;

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
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "NamedOpenings"))]
pub(super) struct Openings {
    openings: Vec<NamedOpening>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NamedOpening {
    moves: &'static str,
    name: OpeningAnswer,
}

/// `GET /api/train/openings`
pub(super) async fn openings() -> Reply<Openings> {
    let named = Opening::all().map(|(moves, opening)| NamedOpening { moves, name: opening.into() });
    Reply(Openings { openings: named.collect() })
}

/// Where the moves of the other side come from, beyond the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TrainRequest {
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Training {
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
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "RepertoireVerdict"))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum VerdictSource {
    /// The moves of the line.
    Line,
    /// The book that comes with the program.
    Book,
    /// A search.
    Engine,
}

/// `POST /api/train/opening`
pub(super) async fn train(
    State(app): State<Shared>,
    visitor: Visitor,
    Bearer(token): Bearer,
    Json(request): Json<TrainRequest>,
) -> Result<Reply<Training>, ApiError> {
    let course = Course::new(&request.line)?;
    let slack = request.slack.unwrap_or(SLACK);
    if !(0.0..=MOST_SLACK).contains(&slack) {
        return Err(RequestError::OutOfRange { what: "slack", least: 0, most: MOST_SLACK as u64 }.into());
    }
    let plies = request.plies.unwrap_or(MOST_PLIES.min(course.len() + BEYOND)).max(course.len());
    if plies > MOST_PLIES {
        return Err(RequestError::TooMuch { what: "plies", most: MOST_PLIES as u64 }.into());
    }
    let played = PositionRequest::of_start(None, None, None, Some(Moves::Text(request.moves))).resolve()?;
    let trainer =
        Trainer { app: &app, visitor, course, color: request.color.into(), slack, plies, seed: request.seed };
    let mut played = Line::new(&played);
    let mut training = None;
    if request.mv.is_some() || request.show {
        let verdict = trainer.judge(&played, request.mv.as_deref()).await?;
        let record = request.record.unwrap_or(true) && token.is_some();
        let card = if record { trainer.record(token, &played, &verdict).await? } else { None };
        if let Some(point) = verdict.point.filter(|_| verdict.right) {
            played.play(point);
        }
        training = Some((verdict, card));
    }
    let (verdict, card) = training.unzip();
    let mut replies = Vec::new();
    let mut ended = false;
    if verdict.as_ref().is_none_or(|verdict: &Judgement| verdict.right) {
        loop {
            let reply = match trainer.reply(&played, request.replies).await {
                // Where the book ends and nobody may search, so does the opening.
                Err(ApiError::NotInvited) => {
                    ended = true;
                    None
                }
                reply => reply?,
            };
            let Some(point) = reply else { break };
            played.play(point);
            replies.push(point.to_string());
        }
    }
    let verdict = verdict.map(Verdict::from);
    let training = trainer.training(played, verdict, replies, card.flatten());
    Ok(Reply(Training { done: training.done || ended, ..training }))
}

/// A line of moves that goes on.
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

/// Somebody who is trained.
struct Trainer<'a> {
    app: &'a Shared,
    visitor: Visitor,
    course: Course,
    color: Color,
    slack: f64,
    plies: usize,
    seed: u64,
}

impl Trainer<'_> {
    /// Whether this move belongs to the repertoire: the move of the line, or beyond it one that loses little.
    async fn judge(&self, played: &Line, text: Option<&str>) -> Result<Judgement, ApiError> {
        let position = &played.position;
        let point = text.map(|text| self.placement(position, text)).transpose()?;
        if position.is_over() {
            return Err(ServiceError::GameOver.into());
        }
        if position.turn() != self.color {
            return Err(ServiceError::NotYourTurn.into());
        }
        let after = |point: Point| position.placed(point).canonical();
        if let Some(expected) = self.course.next(position) {
            let right = point.is_some_and(|point| after(expected) == after(point));
            // The line itself judges; what the move loses is said if the book knows, or somebody may search for it.
            let values = match point {
                Some(point) if !right => self.values(position, &[expected, point]).await.ok(),
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
        let (source, values) = self.values(position, point.as_slice()).await?;
        let best = values.first().map_or(0.0, |(_, value)| *value);
        let own = values.iter().find(|(known, _)| Some(*known) == point);
        let loss = own.map(|(_, value)| best - value);
        let within = values.iter().filter(|(_, value)| best - value <= self.slack);
        let expected = within.map(|(point, _)| *point).collect();
        let right = loss.is_some_and(|loss| loss <= self.slack);
        Ok(Judgement { point, right, expected, loss, source })
    }

    /// The legal placement that a text names.
    fn placement(&self, position: &GridPosition, text: &str) -> Result<Point, ApiError> {
        let mv = parse_move(text, position.size()).map_err(BadMove::Text)?;
        let point = mv.square().ok_or(BadMove::NoSquares)?;
        position.play(Move::Place(point))?;
        Ok(point)
    }

    /// What the other side plays now; nothing where it is not its turn, or the opening is over.
    async fn reply(&self, played: &Line, replies: Replies) -> Result<Option<Point>, ApiError> {
        let position = &played.position;
        if self.is_done(played) || position.turn() == self.color {
            return Ok(None);
        }
        if let Some(point) = self.course.next(position) {
            return Ok(Some(point));
        }
        if replies == Replies::People {
            let played_here = self.people(position).await?;
            if let Some(point) = draw(&played_here, self.seed, played.ply()) {
                return Ok(Some(point));
            }
        }
        let values = match replies {
            Replies::Book | Replies::People => self.values(position, &[]).await?.1,
            Replies::Engine => self.searched(position).await?,
        };
        Ok(draw(&weighted(&values), self.seed, played.ply()))
    }

    /// How often people played each move in tournaments.
    async fn people(&self, position: &GridPosition) -> Result<Vec<(Point, f64)>, ApiError> {
        let position = *position;
        let page = Page::first(0);
        let explored = blocking(&self.app.library, move |library| {
            library.explore(TOURNAMENTS, &position, &Filter::default(), page)
        });
        let moves = explored.await?.moves.into_iter();
        let placed =
            moves.filter_map(|known| Some((Point::from(known.mv.square()?), known.tally.games as f64)));
        Ok(placed.collect())
    }

    fn is_done(&self, played: &Line) -> bool {
        let beyond = self.course.next(&played.position).is_none();
        played.position.is_over() || (beyond && played.ply() >= self.plies)
    }

    /// What moves are worth to the side that makes them, in discs, the best first: all that the book knows, if it knows
    /// these; else all there are, by a search. The two are never mixed.
    async fn values(
        &self,
        position: &GridPosition,
        needed: &[Point],
    ) -> Result<(VerdictSource, Valued), ApiError> {
        let known = in_book(position);
        let knows = |wanted: &Point| known.iter().any(|(point, _)| point == wanted);
        if !known.is_empty() && needed.iter().all(knows) {
            return Ok((VerdictSource::Book, known));
        }
        Ok((VerdictSource::Engine, self.searched(position).await?))
    }

    /// What each move is worth by a search.
    async fn searched(&self, position: &GridPosition) -> Result<Valued, ApiError> {
        self.visitor.work(self.app)?;
        let candidate = catalogue::candidate(JUDGE)?;
        let mut judge = self.app.players.judge(candidate)?;
        let query = Query::new(*position).within(Limits::time(LONGEST));
        let judged = in_pool(&self.app.pool, Owner::Client(self.visitor.address), move |slot, stop| {
            judge.judge(query, stop, slot)
        });
        let known = judged.await?.into_iter();
        Ok(known.filter_map(|(found, discs)| Some((found.mv.square()?, discs?))).collect())
    }

    /// Notes a move in the deck. A move of the line becomes a card when it is first met; beyond the line only what was
    /// missed does. A card that is known is not asked for more often than it is due.
    async fn record(
        &self,
        token: Option<Token>,
        played: &Line,
        judgement: &Judgement,
    ) -> Result<Option<CardAnswer>, ApiError> {
        let answers: Vec<String> = judgement.expected.iter().take(4).map(ToString::to_string).collect();
        let note = played.opening.map_or("", |opening| opening.english);
        let prompt = Prompt::new(None, &played.text(), &answers, note)?;
        if !prompt.is_choice() {
            return Ok(None);
        }
        let (room, point, right) = (self.app.profiles.room, judgement.point, judgement.right);
        let on_line = judgement.source == VerdictSource::Line;
        let noted = self.app.profiles.of(token, move |connection, id| {
            let now = now();
            let known = tables::card_about(connection, id, Kind::Opening, &prompt)?;
            let wanted = match &known {
                None => on_line || !right,
                Some(NumberedCard { card, .. }) => !right || card.schedule.is_due(now),
            };
            if !wanted {
                return Ok(known);
            }
            let (card, _) = tables::add(connection, id, Card::new(Kind::Opening, prompt, now), room)?;
            let grade = if right { Grade::Good } else { Grade::Again };
            let answer = NewAnswer { grade, mv: point, took_ms: None };
            tables::answer(connection, id, card, answer, now).map(Some)
        });
        Ok(noted.await?.map(|card| CardAnswer::new(card, now())))
    }

    fn training(
        &self,
        played: Line,
        verdict: Option<Verdict>,
        replies: Vec<String>,
        card: Option<CardAnswer>,
    ) -> Training {
        let last = Last::of(GridPosition::default(), &played.moves);
        Training {
            verdict,
            replies,
            moves: played.text(),
            position: PositionAnswer::new(&played.position, played.moves.len(), last, Objective::Most),
            opening: played.opening.map(OpeningAnswer::from),
            on_line: self.course.next(&played.position).is_some(),
            done: self.is_done(&played),
            card,
        }
    }
}

/// Moves with what they are worth to the side that makes them, in discs, the best first.
type Valued = Vec<(Point, f64)>;

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

/// From where on lines are counted, and where one looks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LinesRequest {
    #[serde(default)]
    from: String,
    #[serde(default)]
    moves: String,
    color: ColorName,
    tolerance: u8,
    plies: Option<u32>,
}

/// How much must be known from a position on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LinesAnswer {
    lines: u64,
    /// Of them, lines that end below the floor because the book knows nothing better.
    open: u64,
    /// Different positions in which the learner has to know a move.
    positions: usize,
    longest: usize,
    floor: i32,
    /// Whether it is the learner's turn.
    learner: bool,
    position: PositionAnswer,
    opening: Option<OpeningAnswer>,
    moves: Vec<LinesMove>,
}

/// A move that the book knows: what it is worth to the learner, and how much must be known after it; no lines where the
/// learner may not choose it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LinesMove {
    #[serde(rename = "move")]
    mv: String,
    discs: i32,
    lines: Option<u64>,
    goes_on: bool,
    advised: bool,
}

/// `POST /api/train/lines`
pub(super) async fn lines(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(request): Json<LinesRequest>,
) -> Result<Reply<LinesAnswer>, ApiError> {
    let resolve =
        |moves: String| PositionRequest::of_start(None, None, None, Some(Moves::Text(moves))).resolve();
    let from = resolve(request.from.clone())?;
    let here = resolve(format!("{} {}", request.from, request.moves))?;
    app.rates.take(visitor.address, Demand::Analysis)?;
    let (start, position, learner) = (*from.position(), *here.position(), request.color.into());
    let survey = in_pool(&app.pool, Owner::Client(visitor.address), move |_, _| {
        let book = Book::embedded();
        BookLines::new(&book, &start, learner, request.tolerance, request.plies)?.survey(&position)
    });
    Ok(Reply(LinesAnswer::new(survey.await??, &here)))
}

impl LinesAnswer {
    fn new(survey: Survey, here: &GamePosition) -> LinesAnswer {
        let answer = |known: &emilia_trainer::SurveyedMove| LinesMove {
            mv: known.square.to_string(),
            discs: known.discs,
            lines: known.effort.map(|effort| effort.lines),
            goes_on: known.goes_on,
            advised: known.advised,
        };
        LinesAnswer {
            lines: survey.repertoire.effort.lines,
            open: survey.repertoire.effort.open,
            positions: survey.repertoire.decisions,
            longest: survey.repertoire.longest,
            floor: survey.floor,
            learner: survey.learners,
            position: PositionAnswer::new(here.position(), here.moves.len(), here.last(), Objective::Most),
            opening: Opening::of(&here.game).map(OpeningAnswer::from),
            moves: survey.moves.iter().map(answer).collect(),
        }
    }
}
