//! What people played: the databases of games.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use emilia_openings::{Filter, Import, IntakeError, Page, Step, Wanted};
use emilia_query::{Limits, Query as Question};
use emilia_record::Hint;
use emilia_rules::{Color, Playable};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::analyse::in_pool;
use super::body::{File, Json, Query, Reply};
use crate::app::Shared;
use crate::catalogue;
use crate::error::ApiError;
use crate::explored::Explored;
use crate::library::{Library, LibraryError, MY_GAMES, Opened, TOURNAMENTS};
use crate::names::ColorName;
use crate::pool::Owner;
use crate::position::AboutPosition;
use crate::request_error::{RequestError, Unreadable};
use crate::visitor::Visitor;

/// The databases there are.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Databases {
    databases: Vec<DatabaseAnswer>,
    /// Whether games can be added to them.
    can_import: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Database"))]
struct DatabaseAnswer {
    name: String,
    games: u64,
    /// Whether it has no games, only counts.
    summary: bool,
    /// Whom the games come from.
    credit: Option<String>,
}

/// `GET /api/openings`
pub(super) async fn databases(State(app): State<Shared>) -> Result<Reply<Databases>, ApiError> {
    let can_import = app.library.can_grow() && app.config.public.is_none();
    let databases = blocking(&app.library, |library| {
        let answer = |name: String| {
            let opened = library.open(&name)?;
            Ok(DatabaseAnswer {
                games: opened.games(),
                summary: matches!(opened, Opened::Summary(_)),
                credit: opened.credit().map(str::to_owned),
                name,
            })
        };
        library.names().into_iter().map(answer).collect::<Result<Vec<_>, LibraryError>>()
    });
    Ok(Reply(Databases { databases: databases.await?, can_import }))
}

/// Which games are counted, and what else is wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct OpeningsRequest {
    /// Which database; tournament games if none is named.
    database: Option<String>,
    /// Only games of this player: part of the name.
    player: Option<String>,
    /// Only games in which that player had this colour.
    color: Option<ColorName>,
    /// Only games of this event: part of its name.
    event: Option<String>,
    /// Only games from this year on.
    from: Option<u16>,
    /// Only games until this year.
    to: Option<u16>,
    /// Only games that ended like this.
    result: Option<ResultName>,
    /// How many games to show.
    games: Option<u64>,
    /// How many to leave out first.
    skip: Option<u64>,
    /// Let Emilia judge the moves.
    #[serde(default)]
    evaluate: bool,
    /// Time for that.
    time_ms: Option<u64>,
}

/// How a game ended; `won` and `lost` are those of the player that is asked for.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum ResultName {
    Black,
    White,
    Draw,
    Won,
    Lost,
}

/// Games shown usually and at most, and those that can be left out.
const USUAL_GAMES: u64 = 10;
const MOST_GAMES: u64 = 100;
const MOST_SKIPPED: u64 = 100_000;
/// Longest name that is looked for.
const LONGEST_NAME: usize = 100;
/// Longest and usual time for judging all moves together.
const LONGEST: u64 = 10_000;
const USUAL: u64 = 500;
/// Who judges the moves that the book does not know.
const JUDGE: &str = "emilia";

impl OpeningsRequest {
    fn filter(&self) -> Result<Filter, ApiError> {
        for name in [&self.player, &self.event].into_iter().flatten() {
            if name.len() > LONGEST_NAME {
                let most = LONGEST_NAME as u64;
                return Err(RequestError::TooMuch { what: "letters of a name", most }.into());
            }
        }
        let named = self.player.as_ref().is_some_and(|player| !player.trim().is_empty());
        let needs_player =
            self.color.is_some() || matches!(self.result, Some(ResultName::Won | ResultName::Lost));
        if needs_player && !named {
            return Err(
                RequestError::Contradiction("color, won and lost are those of a player: name one").into()
            );
        }
        let given = |name: &Option<String>| name.clone().filter(|name| !name.trim().is_empty());
        Ok(Filter {
            player: given(&self.player),
            color: self.color.map(Color::from),
            event: given(&self.event),
            from: self.from,
            to: self.to,
            result: self.result.map(|result| match result {
                ResultName::Black => Wanted::By(Color::Black),
                ResultName::White => Wanted::By(Color::White),
                ResultName::Draw => Wanted::Draw,
                ResultName::Won => Wanted::Won,
                ResultName::Lost => Wanted::Lost,
            }),
        })
    }

    fn page(&self) -> Result<Page, ApiError> {
        let (skip, most) = (self.skip.unwrap_or(0), self.games.unwrap_or(USUAL_GAMES));
        if skip > MOST_SKIPPED {
            return Err(RequestError::TooMuch { what: "skip", most: MOST_SKIPPED }.into());
        }
        if most > MOST_GAMES {
            return Err(RequestError::TooMuch { what: "games", most: MOST_GAMES }.into());
        }
        Ok(Page { skip: skip as usize, most: most as usize })
    }
}

/// `POST /api/openings/position`
pub(super) async fn position(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Reply<Explored>, ApiError> {
    let AboutPosition { position, request } = AboutPosition::<OpeningsRequest>::read(fields)?;
    let line = position.resolve()?;
    let (filter, page) = (request.filter()?, request.page()?);
    let name = request.database.unwrap_or_else(|| TOURNAMENTS.to_owned());
    let over = line.position().is_over();
    let evaluate = request.evaluate && !over;
    // Choosing among games means looking at each of them.
    if evaluate || !filter.is_open() {
        visitor.work(&app)?;
    }
    let mut question = Question::new(*line.position());
    question.objective = Some(line.game.objective);
    let mut explored =
        blocking(&app.library, move |library| Explored::new(library, &name, &line.game, &filter, page))
            .await?;
    if evaluate && explored.moves.iter().any(|found| found.value.is_none()) {
        let candidate = catalogue::candidate(JUDGE)?;
        let time = Duration::from_millis(request.time_ms.unwrap_or(USUAL).clamp(1, LONGEST));
        let question = question.within(Limits::time(time));
        let players = app.players.clone();
        let judged = in_pool(&app.pool, Owner::Client(visitor.address), move |slot, stop| {
            players.fresh(&candidate, 0).map(|mut computer| computer.judge(question, stop, slot))
        });
        explored = explored.valued(&judged.await??);
    }
    Ok(Reply(explored))
}

/// Where a file goes, and what it is called.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Target {
    database: Option<String>,
    name: Option<String>,
}

/// What became of the games of a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ImportedGames {
    database: String,
    new: u64,
    duplicates: u64,
    left_out: u64,
    problems: Vec<LeftOutGame>,
    /// Games in the database now.
    games: u64,
}

/// A game that was left out.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LeftOutGame {
    game: usize,
    message: String,
}

/// Problems of a file that are told.
const PROBLEMS: usize = 20;
/// Bytes of memory that a byte of a file may take while it is read, and a game of the database while one is added.
const MEMORY_FOR_EACH_BYTE: u64 = 64;
const MEMORY_FOR_EACH_GAME: u64 = 64;

/// `POST /api/openings/import`
pub(super) async fn import(
    State(app): State<Shared>,
    visitor: Visitor,
    Query(target): Query<Target>,
    File(bytes): File,
) -> Result<Reply<ImportedGames>, ApiError> {
    visitor.work(&app)?;
    if app.config.public.is_some() {
        return Err(ApiError::NotNow(
            "this server takes games only from its own machine: emilia games import",
        ));
    }
    let database = target.database.unwrap_or_else(|| MY_GAMES.to_owned());
    let games = app.library.open(&database).map_or(0, |opened| opened.games());
    let needed = bytes.len() as u64 * MEMORY_FOR_EACH_BYTE + games * MEMORY_FOR_EACH_GAME;
    let _held = app.players.reserve(needed)?;
    let library = Arc::clone(&app.library);
    let imported = in_pool(&app.pool, Owner::Client(visitor.address), move |_, _| {
        add(&library, database, target.name.as_deref(), &bytes)
    });
    Ok(Reply(imported.await??))
}

fn add(
    library: &Library,
    database: String,
    name: Option<&str>,
    bytes: &[u8],
) -> Result<ImportedGames, ApiError> {
    let (folder, _lock) = library.to_write(&database)?;
    let failed = |error| LibraryError::Database { name: database.clone(), error };
    let mut import = Import::begin(&folder).map_err(failed)?;
    let mut problems = Vec::new();
    let mut watch = |step| {
        if let Step::LeftOut { game, reason } = step
            && problems.len() < PROBLEMS
        {
            problems.push(LeftOutGame { game, message: reason.to_string() });
        }
        ControlFlow::Continue(())
    };
    let hint = Hint { file_name: name };
    let intake =
        import.add_file(bytes, &hint, &Default::default(), &mut watch).map_err(|error| match error {
            IntakeError::Read(error) => ApiError::from(Unreadable::Read(error)),
            IntakeError::Database(error) => failed(error).into(),
        })?;
    import.commit().map_err(failed)?;
    let games = import.games() as u64;
    let (new, duplicates, left_out) = (intake.new, intake.duplicates, intake.left_out);
    Ok(ImportedGames { database, new, duplicates, left_out, problems, games })
}

/// Reads from the disk without holding up those who do not.
pub(super) async fn blocking<T: Send + 'static>(
    library: &Arc<Library>,
    work: impl FnOnce(&Library) -> Result<T, LibraryError> + Send + 'static,
) -> Result<T, ApiError> {
    let library = Arc::clone(library);
    let done = tokio::task::spawn_blocking(move || work(&library)).await;
    done.map_err(|_| ApiError::TooMany("the database could not be asked; try again"))?.map_err(ApiError::from)
}
