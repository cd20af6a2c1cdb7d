//! Emilia for one person alone with it, as in a browser without a server: a request in, an answer out. The games are kept by
//! whoever calls, who gives them with each request and gets them back changed; nothing is remembered here but what a
//! computer player knows from its last move.

use std::borrow::Cow;

use emilia_insight::JudgedGame;
use emilia_query::Stop;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::alone_learner;
use crate::alone_studies;
use crate::analyse::Analyse;
use crate::answers::to_json;
use crate::catalogue;
use crate::clock::Instant;
use crate::computer::Computer;
use crate::deepen::Deepen;
use crate::duels::Duel;
use crate::error::{ErrorBody, ServiceError};
use crate::evaluate::evaluate;
use crate::evolutions::Breeding;
use crate::explored::{DatabaseAnswer, Explored};
use crate::export::{self, ExportedFile, FormatQuery};
use crate::game::{GameAction, GameState, Holder, Mode, MyGames, MyGamesRequest, NewGame, Presence, View};
use crate::hint::Hint;
use crate::import::{Import, Source};
use crate::insights::{GamesFound, Insights, InsightsEvent, NamedFile, PlayedGames};
use crate::lines::Lines;
use crate::move_job::MoveJob;
use crate::openings::{Databases, Explore, TOURNAMENTS, shipped_summary};
use crate::request_error::RequestError;
use crate::review::{GameReview, Judge};
use crate::slot::Alone as NobodyElse;
use crate::steps::Watch;
use crate::token::Token;
use crate::tree::Trace;
use crate::wthor::WthorList;

/// Something that is asked.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Request {
    /// What for: an address of `docs/api.md`, with what follows the question mark.
    pub path: String,
    /// Whether something is sent along, rather than only asked for.
    pub post: bool,
    /// What is sent along: the JSON of the address, or the text of a file.
    pub body: String,
    /// Whether each character of that is a byte of a file.
    pub binary: bool,
    /// The game or study that is meant, as it was kept.
    pub game: Option<String>,
    /// Other games or studies, as they were kept, for those who want a list.
    pub games: Vec<String>,
    /// The profile that is meant, as it was kept.
    pub learner: Option<String>,
    /// All profiles, as they were kept, for those who want a list.
    pub learners: Vec<String>,
    /// What time it is, in milliseconds since 1970.
    pub now: u64,
    /// When that game was kept; its clocks run from then on.
    pub since: Option<u64>,
    /// The secret of who asks.
    pub token: Option<String>,
    /// 36 random bytes for what is left to chance, as hexadecimal digits; only new games and profiles need them.
    pub chance: String,
}

/// What comes of it.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// As HTTP has them.
    pub status: u16,
    /// What kind of text the body is.
    pub media: &'static str,
    /// How a file is called.
    pub name: Option<String>,
    /// The answer itself. Files that are no text have a byte for each character.
    pub body: String,
    /// The game or study to be kept from now on, if it has changed.
    pub game: Option<String>,
    /// The profile to be kept from now on, if it has changed.
    pub learner: Option<String>,
}

/// The seat of who searches while somebody looks on, and the threads it may use; a search takes no more than there are.
const ANALYST: &str = "analyst";
const ANALYST_THREADS: usize = 4;

/// Emilia at the service of one person.
#[derive(Default)]
pub struct Desk {
    /// The player that moved last, with what it remembers, and in which seat it was.
    kept: Option<(String, Computer)>,
}

/// What the game is called in the path, and what is to be done with it.
struct GamePath<'p> {
    id: &'p str,
    action: &'p str,
}

impl Request {
    /// The JSON that is sent along; nothing counts as an object without fields.
    pub(crate) fn read<T: for<'d> Deserialize<'d>>(&self) -> Result<T, ServiceError> {
        let text = if self.body.is_empty() { "{}" } else { &self.body };
        Ok(serde_json::from_str(text)?)
    }

    fn fields(&self) -> Result<Map<String, Value>, ServiceError> {
        self.read()
    }

    /// The bytes of a file that is sent along.
    pub(crate) fn bytes(&self) -> Cow<'_, [u8]> {
        match self.binary {
            true => self.body.chars().map(|character| character as u8).collect(),
            false => self.body.as_bytes().into(),
        }
    }

    pub(crate) fn token(&self) -> Result<Option<Token>, ServiceError> {
        self.token.as_deref().map(|text| text.parse().map_err(|_| ServiceError::BadToken)).transpose()
    }

    /// The name of something new, a secret, and a number for other draws. Digits that are missing count as 0.
    pub(crate) fn chance(&self) -> (Token, Token, u32) {
        let mut bytes = [0; 36];
        let digits = self.chance.as_bytes().chunks_exact(2);
        for (byte, pair) in bytes.iter_mut().zip(digits) {
            let text = std::str::from_utf8(pair).unwrap_or("0");
            *byte = u8::from_str_radix(text, 16).unwrap_or(0);
        }
        let token = |at: usize| {
            let mut own = [0; 16];
            own.copy_from_slice(&bytes[at..at + 16]);
            Token::new(own)
        };
        let draw = u32::from_be_bytes([bytes[32], bytes[33], bytes[34], bytes[35]]);
        (token(0), token(16), draw)
    }
}

impl Answer {
    pub(crate) fn json<T: Serialize>(answer: &T) -> Answer {
        let body = to_json(answer);
        Answer { status: 200, media: "application/json", name: None, body, game: None, learner: None }
    }

    /// What is said instead of an answer.
    #[must_use]
    pub fn refused(error: &ServiceError) -> Answer {
        let (status, code) = error.kind();
        Answer { status, ..Answer::json(&ErrorBody::new(code, error.to_string())) }
    }

    pub(crate) fn file(file: ExportedFile) -> Answer {
        let body = match String::from_utf8(file.bytes) {
            Ok(text) => text,
            Err(bytes) => bytes.into_bytes().into_iter().map(char::from).collect(),
        };
        let name = Some(file.name);
        Answer { status: 200, media: file.media, name, body, game: None, learner: None }
    }
}

impl Desk {
    /// Answers. What takes long tells meanwhile how it goes, one JSON object a line.
    pub fn answer(&mut self, request: &Request, lines: &dyn Lines, stop: &Stop) -> Answer {
        self.tried(request, lines, stop).unwrap_or_else(|error| Answer::refused(&error))
    }

    fn tried(&mut self, request: &Request, lines: &dyn Lines, stop: &Stop) -> Result<Answer, ServiceError> {
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        if let Some(rest) = path.strip_prefix("/api/games/") {
            let (id, action) = rest.split_once('/').unwrap_or((rest, ""));
            return self.game(request, &GamePath { id, action }, query, lines, stop);
        }
        if let Some(rest) = path.strip_prefix("/api/studies") {
            return alone_studies::answer(request, rest, query);
        }
        match (path, request.post) {
            ("/api/my/studies", true) => alone_studies::mine(request),
            ("/api/players", false) => Ok(Answer::json(&catalogue::listing())),
            ("/api/games", false) => list(request),
            ("/api/games", true) => create(request),
            ("/api/my/games", true) => mine(request),
            ("/api/analyse", true) => analyse(request, stop),
            ("/api/hint", true) => {
                let hint = Hint::read(request.fields()?)?;
                let mut computer = Computer::new(&Hint::candidate()?, 0);
                Ok(Answer::json(&hint.find(&mut computer, stop, &NobodyElse)?))
            }
            ("/api/import", true) => {
                let source: Source = serde_urlencoded::from_str(query).map_err(RequestError::Query)?;
                Ok(Answer::json(&Import::read(&request.bytes(), &source)?))
            }
            ("/api/import/wthor", true) => {
                let files = serde_urlencoded::from_str(query).map_err(RequestError::Query)?;
                WthorList::read(&request.bytes(), &files)?.run(lines, stop);
                Ok(Answer::json(&()))
            }
            ("/api/export", true) => Ok(Answer::file(export::export(request.fields()?)?)),
            ("/api/openings", false) => Ok(Answer::json(&databases())),
            ("/api/openings/position", true) => explore(request, stop),
            ("/api/tree", true) => {
                Ok(Answer::json(&Trace::read(request.fields()?)?.answer(stop, &NobodyElse)?))
            }
            ("/api/steps", true) => {
                Ok(Answer::json(&Watch::read(request.fields()?)?.answer(stop, &NobodyElse)?))
            }
            ("/api/evaluate", true) => Ok(Answer::json(&evaluate(request.fields()?)?)),
            ("/api/review", true) => {
                let review = GameReview::read(request.fields()?)?;
                let candidate = review.candidate().clone();
                let computer = Computer::new(&candidate, 0);
                review.run(Judge::new(candidate, computer), lines, stop, &NobodyElse);
                Ok(Answer::json(&()))
            }
            ("/api/deepen", true) => {
                let deepen = Deepen::read(request.fields()?)?;
                let mut computer = self.analyst()?;
                deepen.run(&mut computer, lines, stop, &NobodyElse);
                self.kept = Some((ANALYST.to_owned(), computer));
                Ok(Answer::json(&()))
            }
            ("/api/insights/games", true) => {
                let source: NamedFile = serde_urlencoded::from_str(query).map_err(RequestError::Query)?;
                Ok(Answer::json(&GamesFound::read(&request.bytes(), source.name.as_deref())?))
            }
            ("/api/insights/played", false) => {
                let restore = |game: &String| GameState::restore(game, request.now).ok();
                Ok(Answer::json(&PlayedGames::of(request.games.iter().filter_map(restore))))
            }
            ("/api/insights", true) => {
                let read = |game: &String| serde_json::from_str::<JudgedGame>(game).ok();
                let known = request.games.iter().filter_map(read).map(|game| (game.key.clone(), game));
                let keep = |game: &JudgedGame| lines.write(&InsightsEvent::Keep { game });
                Insights::read(request.read()?)?.run(known.collect(), keep, 1, lines, stop);
                Ok(Answer::json(&()))
            }
            ("/api/duels", true) => {
                Duel::read(request.read()?)?.run(lines, stop, &NobodyElse);
                Ok(Answer::json(&()))
            }
            ("/api/evolutions", true) => {
                Breeding::read(request.fields()?)?.run(1, lines, stop);
                Ok(Answer::json(&()))
            }
            _ => alone_learner::answer(request, path, query, stop),
        }
    }

    /// Does something with one game.
    fn game(
        &mut self,
        request: &Request,
        path: &GamePath<'_>,
        query: &str,
        lines: &dyn Lines,
        stop: &Stop,
    ) -> Result<Answer, ServiceError> {
        let kept = request.game.as_deref().ok_or(ServiceError::UnknownGame)?;
        let mut state = GameState::restore(kept, request.since.unwrap_or(request.now))?;
        if state.id != path.id {
            return Err(ServiceError::UnknownGame);
        }
        let (token, version) = (request.token()?, state.version);
        let mut now = request.now;
        let holder = state.holder(token);
        match (path.action, request.post) {
            ("", false) => {}
            ("export", false) => {
                let wanted: FormatQuery = serde_urlencoded::from_str(query).map_err(RequestError::Query)?;
                return Ok(Answer::file(wanted.export(&state)?));
            }
            ("think", true) => now = self.think(&mut state, now, lines, stop)?,
            // Nobody but the clock itself says that time is up.
            ("flag", true) => {
                state.flag(now);
            }
            ("rematch", true) => {
                state.offer_rematch(holder)?;
                return Ok(rematch(&state, request, holder));
            }
            (action, true) => match GameAction::read(action, request.read()?) {
                Some(action) => state.act(holder, &action?, now)?,
                None => return Err(ServiceError::NotHere),
            },
            _ => return Err(ServiceError::NotHere),
        }
        Ok(seen(&state, token, now, state.version != version))
    }

    /// Who searches while somebody looks on, with what was found before.
    fn analyst(&mut self) -> Result<Computer, ServiceError> {
        match self.kept.take() {
            Some((kept, computer)) if kept == ANALYST => Ok(computer),
            _ => Ok(Computer::new(&Deepen::analyst(ANALYST_THREADS)?, 0)),
        }
    }

    /// Lets the computer make its move, and says when it was made.
    fn think(
        &mut self,
        state: &mut GameState,
        now: u64,
        lines: &dyn Lines,
        stop: &Stop,
    ) -> Result<u64, ServiceError> {
        let began = Instant::now();
        let job = MoveJob::of(state, now);
        let job = job.ok_or(ServiceError::NotNow("it is not the turn of a computer"))?;
        let seat = format!("{} {} {}", state.id, job.turn(), job.name);
        let mut computer = match self.kept.take() {
            Some((kept, computer)) if kept == seat => computer,
            _ => Computer::new(&job.candidate, job.dice()),
        };
        let found = job.think(&mut computer, stop, &NobodyElse, &mut |message| lines.write(message));
        self.kept = Some((seat, computer));
        let (mv, verdict) = found.ok_or(ServiceError::NotNow("the computer was stopped"))?;
        let now = now + began.elapsed().as_millis() as u64;
        state.play_computer(state.version, mv, verdict, now)?;
        Ok(now)
    }
}

/// A new game.
fn create(request: &Request) -> Result<Answer, ServiceError> {
    let wanted: NewGame = request.read()?;
    if wanted.mode == Mode::Link {
        return Err(ServiceError::NotHere);
    }
    let (id, token, draw) = request.chance();
    let (terms, seats) = wanted.check(token, draw)?;
    let state = GameState::new(id, token, terms, seats, request.now);
    Ok(opened(&state, token, request.now))
}

/// The same game again, with colours changed unless two people share a screen.
fn rematch(state: &GameState, request: &Request, holder: Holder) -> Answer {
    let (id, token, _) = request.chance();
    let next = state.next_game(id, request.now);
    let own = if holder.host { state.host } else { token };
    opened(&next, own, request.now)
}

fn opened(state: &GameState, token: Token, now: u64) -> Answer {
    let answer = view(state, Some(token), now, true);
    Answer { status: 201, game: Some(to_json(&state.saved(now))), ..answer }
}

fn seen(state: &GameState, token: Option<Token>, now: u64, changed: bool) -> Answer {
    let game = changed.then(|| to_json(&state.saved(now)));
    Answer { game, ..view(state, token, now, false) }
}

fn view(state: &GameState, token: Option<Token>, now: u64, fresh: bool) -> Answer {
    // Whoever is alone sits at both sides.
    let presence = Presence { watchers: 0, connected: [true; 2] };
    Answer::json(&View {
        token: token.filter(|_| fresh).map(|token| token.to_string()),
        you: state.you(state.holder(token)),
        now,
        game: state.snapshot(presence),
    })
}

/// The games that were kept, the latest first; those that cannot be read are left out.
fn list(request: &Request) -> Result<Answer, ServiceError> {
    let restore = |game: &String| GameState::restore(game, request.now).ok();
    let mut games: Vec<GameState> = request.games.iter().filter_map(restore).collect();
    games.sort_by_key(|state| std::cmp::Reverse(state.created));
    let games: Vec<_> = games.iter().map(|state| state.lobby_entry(0)).collect();
    Ok(Answer::json(&serde_json::json!({"total": games.len(), "games": games})))
}

/// The games of these seats among those that were kept.
fn mine(request: &Request) -> Result<Answer, ServiceError> {
    let MyGamesRequest { seats } = request.read()?;
    let restore = |game: &String| GameState::restore(game, request.now).ok();
    let games: Vec<GameState> = request.games.iter().filter_map(restore).collect();
    let mut answer = MyGames::default();
    for claim in seats {
        let state = games.iter().find(|state| state.id == claim.id);
        let game = state.and_then(|state| MyGames::one(state, &claim));
        answer.add(claim.id, game);
    }
    Ok(Answer::json(&answer.sorted()))
}

fn analyse(request: &Request, stop: &Stop) -> Result<Answer, ServiceError> {
    let asked = Analyse::read(request.fields()?)?;
    Ok(Answer::json(&match asked.candidate() {
        Some(candidate) => asked.judged(&mut Computer::new(candidate, 0), stop, &NobodyElse),
        None => asked.plain(),
    }))
}

/// The one database there is.
fn databases() -> Databases {
    let shipped = shipped_summary().map(|summary| DatabaseAnswer {
        name: TOURNAMENTS.to_owned(),
        games: summary.games,
        summary: true,
        credit: Some(summary.credit.clone()),
    });
    Databases { databases: shipped.into_iter().collect(), can_import: false }
}

fn explore(request: &Request, stop: &Stop) -> Result<Answer, ServiceError> {
    let asked = Explore::read(request.fields()?)?;
    let known = databases().databases.into_iter().find(|known| known.name == asked.database());
    let (Some(known), Some(summary)) = (known, shipped_summary()) else {
        return Err(ServiceError::NotHere);
    };
    if !asked.filter().is_open() || asked.page().skip > 0 {
        return Err(ServiceError::OnlySummary);
    }
    let mut explored = Explored::new(known, asked.game(), &summary.explore(asked.game().position()));
    if asked.wants_values() && explored.lacks_values() {
        let mut computer = Computer::new(&catalogue::candidate(Explore::JUDGE)?, 0);
        explored = explored.valued(&computer.judge(asked.question(), stop, &NobodyElse));
    }
    Ok(Answer::json(&explored))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::lines::Heard;

    fn ask(desk: &mut Desk, request: Request) -> (u16, Value, Option<String>) {
        let Answer { status, body, game, .. } = desk.answer(&request, &Heard::default(), &Stop::default());
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)), game)
    }

    fn post(path: &str, body: Value) -> Request {
        Request {
            path: path.to_owned(),
            post: true,
            body: body.to_string(),
            now: 1_000_000,
            chance: "07".repeat(36),
            ..Request::default()
        }
    }

    #[test]
    fn a_game_is_played_to_its_end_by_whoever_keeps_it() {
        let mut desk = Desk::default();
        let terms = json!({"mode": "computer", "size": 4, "white": {"player": "greedy"}});
        let (status, made, kept) = ask(&mut desk, post("/api/games", terms));
        assert_eq!(status, 201, "{made}");
        let id = made["game"]["id"].as_str().unwrap().to_owned();
        let token = made["token"].as_str().map(str::to_owned);
        let (mut game, mut view) = (kept.unwrap(), made);
        while view["game"]["status"] == "playing" {
            let at = |what: &str, body| Request {
                game: Some(game.clone()),
                token: token.clone(),
                ..post(&format!("/api/games/{id}/{what}"), body)
            };
            let request = if view["game"]["thinking"] == true {
                at("think", json!({}))
            } else {
                at("moves", json!({"move": view["game"]["legal"][0]["square"]}))
            };
            let (status, next, kept) = ask(&mut desk, request);
            assert_eq!(status, 200, "{next}");
            (view, game) = (next, kept.unwrap());
        }
        assert_eq!(view["game"]["result"]["ending"], "counted");
        let again =
            Request { game: Some(game), token, ..post(&format!("/api/games/{id}/rematch"), json!({})) };
        let (status, rematch, kept) = ask(&mut desk, again);
        assert_eq!((status, &rematch["you"]["seats"], kept.is_some()), (201, &json!(["white"]), true));
    }

    #[test]
    fn a_step_that_was_asked_for_is_made_by_whoever_thinks_next() {
        let mut desk = Desk::default();
        let terms = json!({"mode": "watch", "black": {"player": "greedy"}, "white": {"player": "first"}});
        let (_, made, mut game) = ask(&mut desk, post("/api/games", terms));
        let id = made["game"]["id"].as_str().unwrap().to_owned();
        let token = made["token"].as_str().map(str::to_owned);
        let mut plies = Vec::new();
        for (what, body) in [("pause", json!({"paused": true})), ("step", json!({})), ("think", json!({}))] {
            let request = post(&format!("/api/games/{id}/{what}"), body);
            let (status, view, kept) = ask(&mut desk, Request { game, token: token.clone(), ..request });
            assert_eq!(status, 200, "{what}: {view}");
            game = kept;
            plies.push((view["game"]["ply"].clone(), view["game"]["thinking"].clone()));
        }
        assert_eq!(json!(plies), json!([[0, false], [0, true], [1, false]]));
    }

    #[test]
    fn time_runs_from_the_moment_a_game_was_kept() {
        let mut desk = Desk::default();
        let terms = json!({"mode": "local", "clock": {"main_ms": 60_000}});
        let (_, made, kept) = ask(&mut desk, post("/api/games", terms));
        let id = made["game"]["id"].as_str().unwrap().to_owned();
        let token = made["token"].as_str().map(str::to_owned);
        let at = |game: Option<String>, now, what: &str, body| Request {
            game,
            token: token.clone(),
            now,
            since: Some(1_000_000),
            ..post(&format!("/api/games/{id}/{what}"), body)
        };
        let (_, _, kept) = ask(&mut desk, at(kept, 1_000_000, "moves", json!({"move": "d3"})));
        let (_, view, _) = ask(&mut desk, at(kept.clone(), 1_010_000, "moves", json!({"move": "c3"})));
        assert_eq!(view["game"]["clock"]["white_ms"], 50_000);
        let (_, view, _) = ask(&mut desk, at(kept, 1_060_000, "flag", json!({})));
        assert_eq!(view["game"]["result"]["ending"], "timeout");
    }

    #[test]
    fn long_work_is_told_line_by_line_and_stops_when_it_is_told_to() {
        let (mut desk, heard) = (Desk::default(), Heard::default());
        let review = post("/api/review", json!({"moves": "f5d6c3", "player": "alphabeta:depth=1"}));
        assert_eq!(desk.answer(&review, &heard, &Stop::default()).status, 200);
        let kinds: Vec<Value> = heard.lines().into_iter().map(|line| line["type"].clone()).collect();
        assert_eq!(kinds, ["start", "move", "move", "move", "summary"]);
        let stop = Stop::default();
        stop.request();
        let duel = json!({"first": "greedy", "second": "first", "size": 4, "games": 1000});
        desk.answer(&post("/api/duels", duel), &heard, &stop);
        assert!(heard.lines().len() < 5);
    }

    #[test]
    fn one_database_is_there_and_what_needs_others_says_so() {
        let mut desk = Desk::default();
        let (status, found, _) = ask(&mut desk, post("/api/openings/position", json!({"moves": "f5d6c3"})));
        assert_eq!(status, 200);
        assert!(found["total"]["games"].as_u64().unwrap() > 1000, "{}", found["total"]);
        let filtered = json!({"moves": "f5", "player": "Tamenori"});
        for (request, wanted) in [
            (post("/api/openings/position", filtered), "no_games"),
            (post("/api/games", json!({"mode": "link"})), "not_here"),
            (post("/api/openings/import", json!({})), "not_here"),
            (post("/api/games/x/moves", json!({"move": "d3"})), "unknown_game"),
            (Request { game: Some("{".to_owned()), ..post("/api/games/x/undo", json!({})) }, "damaged"),
            (post("/api/analyse", json!({"moves": "a1"})), "bad_move"),
            (post("/api/export", json!({"moves": "f5", "format": "nothing"})), "bad_format"),
        ] {
            let (_, told, _) = ask(&mut desk, request);
            assert_eq!(told["error"]["code"], wanted, "{told}");
        }
        let (_, file, _) = ask(&mut desk, post("/api/export", json!({"moves": "f5d6c3", "format": "ggf"})));
        assert!(file.as_str().unwrap().contains("(;GM[Othello]"), "{file}");
    }
}
