//! What people played: the databases of games.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::State;
use emilia_openings::{Import, IntakeError, Step};
use emilia_record::Hint;
use emilia_service::explored::Explored;
use emilia_service::openings::{Databases, Explore};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::body::{File, Json, Query, Reply};
use super::work::in_pool;
use crate::app::Shared;
use crate::catalogue;
use crate::error::ApiError;
use crate::library::{Library, LibraryError, MY_GAMES};
use crate::pool::Owner;
use crate::request_error::Unreadable;
use crate::visitor::Visitor;

/// `GET /api/openings`
pub(super) async fn databases(State(app): State<Shared>) -> Result<Reply<Databases>, ApiError> {
    let can_import = app.library.can_grow() && app.config.public.is_none();
    let databases = blocking(&app.library, |library| {
        let answer = |name: String| Ok(library.open(&name)?.described(&name));
        library.names().into_iter().map(answer).collect::<Result<Vec<_>, LibraryError>>()
    });
    Ok(Reply(Databases { databases: databases.await?, can_import }))
}

/// `POST /api/openings/position`
pub(super) async fn position(
    State(app): State<Shared>,
    visitor: Visitor,
    Json(fields): Json<Map<String, Value>>,
) -> Result<Reply<Explored>, ApiError> {
    let asked = Explore::read(fields)?;
    let evaluate = asked.wants_values();
    // Choosing among games means looking at each of them.
    if evaluate || !asked.filter().is_open() {
        visitor.work(&app)?;
    }
    let question = asked.question();
    let mut explored = blocking(&app.library, move |library| {
        library.explored(asked.database(), asked.game(), asked.filter(), asked.page())
    })
    .await?;
    if evaluate && explored.lacks_values() {
        let candidate = catalogue::candidate(Explore::JUDGE)?;
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
