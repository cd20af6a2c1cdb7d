//! What people played: questions to databases of games, and the summary that is part of the program.

#[cfg(not(target_family = "wasm"))]
use std::sync::LazyLock;
#[cfg(target_family = "wasm")]
use std::sync::OnceLock;
use std::time::Duration;

use emilia_openings::{Filter, Page, Summary, Wanted};
use emilia_query::{Limits, Query};
use emilia_record::Game;
use emilia_rules::{Color, Playable};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::ServiceError;
use crate::explored::{DatabaseAnswer, Explored};
use crate::names::ColorName;
use crate::position::{AboutPosition, GamePosition};
use crate::request_error::RequestError;

/// Tournament games; a summary of them is part of the program.
pub const TOURNAMENTS: &str = "tournaments";

#[cfg(not(target_family = "wasm"))]
static TOURNAMENT_SUMMARY: LazyLock<Option<Summary>> =
    LazyLock::new(|| Summary::parse(emilia_data::TOURNAMENT_SUMMARY.into()).ok());

/// In the browser the summary comes after the program, if it is asked for.
#[cfg(target_family = "wasm")]
static TOURNAMENT_SUMMARY: OnceLock<Summary> = OnceLock::new();

/// The summary of tournament games that is part of the program.
#[must_use]
#[cfg(not(target_family = "wasm"))]
pub fn shipped_summary() -> Option<&'static Summary> {
    TOURNAMENT_SUMMARY.as_ref()
}

/// The summary of tournament games, once somebody has brought it.
#[must_use]
#[cfg(target_family = "wasm")]
pub fn shipped_summary() -> Option<&'static Summary> {
    TOURNAMENT_SUMMARY.get()
}

/// Makes this file the summary that is part of the program, once and for all.
#[cfg(target_family = "wasm")]
pub fn embed_summary(bytes: Vec<u8>) -> Result<(), emilia_openings::OpeningsError> {
    let summary = Summary::parse(bytes.into())?;
    TOURNAMENT_SUMMARY.get_or_init(|| summary);
    Ok(())
}

/// The databases there are.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Databases {
    /// Each of them.
    pub databases: Vec<DatabaseAnswer>,
    /// Whether games can be added to them.
    pub can_import: bool,
}

/// Which games are counted, and what else is wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpeningsRequest {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

impl OpeningsRequest {
    fn filter(&self) -> Result<Filter, ServiceError> {
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

    fn page(&self) -> Result<Page, ServiceError> {
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

/// A request that is checked.
pub struct Explore {
    line: GamePosition,
    request: OpeningsRequest,
    filter: Filter,
    page: Page,
}

impl Explore {
    /// Who judges the moves that the book does not know.
    pub const JUDGE: &str = "emilia";

    /// Reads and checks a request.
    pub fn read(fields: Map<String, Value>) -> Result<Explore, ServiceError> {
        let AboutPosition { position, request } = AboutPosition::<OpeningsRequest>::read(fields)?;
        let line = position.resolve()?;
        let (filter, page) = (request.filter()?, request.page()?);
        Ok(Explore { line, request, filter, page })
    }

    /// Which database is asked.
    #[must_use]
    pub fn database(&self) -> &str {
        self.request.database.as_deref().unwrap_or(TOURNAMENTS)
    }

    /// Which games are counted.
    #[must_use]
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Which of them are shown.
    #[must_use]
    pub fn page(&self) -> Page {
        self.page
    }

    /// The game up to the position.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.line.game
    }

    /// Whether somebody is to judge the moves.
    #[must_use]
    pub fn wants_values(&self) -> bool {
        self.request.evaluate && !self.line.position().is_over()
    }

    /// What is asked of whoever judges the moves.
    #[must_use]
    pub fn question(&self) -> Query {
        let time = Duration::from_millis(self.request.time_ms.unwrap_or(USUAL).clamp(1, LONGEST));
        let mut question = Query::new(*self.line.position()).within(Limits::time(time));
        question.objective = Some(self.line.game.objective);
        question
    }
}

impl Explored {
    /// Whether there is a move that nobody has judged.
    #[must_use]
    pub fn lacks_values(&self) -> bool {
        self.moves.iter().any(|found| found.value.is_none())
    }
}
