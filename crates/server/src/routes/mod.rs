//! What can be asked, one file for each subject.

mod body;
mod export;
mod games;
mod insights;
mod legacy;
mod live;
mod ndjson;
#[cfg(test)]
mod openapi;
mod openings;
mod profiles;
mod puzzles;
mod studies;
mod train;
mod work;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;

pub(crate) use body::Reply;

use crate::app::Shared;
use crate::catalogue::Players;
use crate::error::ApiError;
use crate::{catalogue, middleware, page, visitor};
#[cfg(test)]
use {
    crate::game::{self, NewGame, Snapshot},
    emilia_service::evolution_request::EvolutionRequest,
    emilia_service::explored::Explored,
    emilia_service::move_job::LiveMessage,
    emilia_service::review::ReviewEvent,
    emilia_service::{
        analyse, deepen, duels, evaluate, evolutions, hint, import, learner, review, steps, study, tree,
        wthor,
    },
    serde_json::{Map, Value, json},
};

/// The description of all this for machines.
const OPENAPI: &str = include_str!("../../openapi.json");

/// The one list of routes: method, path, who answers, and what machines are told about it. Only the tests, which write
/// the description for machines, look at what is in braces.
macro_rules! routes {
    ($($method:ident $path:literal $handler:path { $summary:literal $($described:tt)* })*) => {
        fn routes() -> Router<Shared> {
            Router::new()$(.route($path, $method($handler)))*
        }

        #[cfg(test)]
        fn operations() -> Vec<openapi::Operation> {
            vec![$(openapi::Operation::new(stringify!($method), $path, $summary)$($described)*),*]
        }
    };
}

routes! {
    get "/api/games" games::lobby { "the lobby" .query::<games::Filter>().json::<games::Lobby>(200) }
    post "/api/games" games::create {
        "make a game"
            .body::<NewGame>(json!({"mode": "computer", "white": {"player": "alphabeta:depth=2"}, "pause_ms": 0}))
            .view(201)
    }
    get "/api/games/{id}" games::show { "one game" .seated().view(200) }
    post "/api/games/{id}/join" games::join {
        "take a free seat" .seated().body::<game::Join>(json!({"name": "Bob"})).view(200)
    }
    post "/api/games/{id}/moves" games::play {
        "play" .seated().body::<game::Play>(json!({"move": "d3", "ply": 1})).view(200)
    }
    post "/api/games/{id}/undo" games::undo {
        "take back, or ask to" .seated().body::<game::Nothing>(json!({})).view(200)
    }
    post "/api/games/{id}/undo/answer" games::answer_undo {
        "answer the one who asks to take back" .seated().body::<game::Answer>(json!({"accept": true})).view(200)
    }
    post "/api/games/{id}/redo" games::redo {
        "play again what was taken back" .seated().body::<game::Nothing>(json!({})).view(200)
    }
    post "/api/games/{id}/resign" games::resign {
        "give up" .seated().body::<game::Resign>(json!({})).view(200)
    }
    post "/api/games/{id}/close" games::close {
        "close a game nobody joined" .seated().body::<game::Nothing>(json!({})).view(200)
    }
    post "/api/games/{id}/pause" games::pause {
        "hold the computer, or let it go on" .seated().body::<game::Pause>(json!({"paused": true})).view(200)
    }
    post "/api/games/{id}/step" games::step {
        "one computer move while paused" .seated().body::<game::Nothing>(json!({})).view(200)
    }
    post "/api/games/{id}/greet" games::greet {
        "say something ready-made" .seated().body::<game::Greet>(json!({"word": "hello"})).view(200)
    }
    post "/api/games/{id}/time" games::ask_time {
        "get more time, or ask for it" .seated().body::<game::Nothing>(json!({})).view(200)
    }
    post "/api/games/{id}/time/answer" games::answer_time {
        "answer the one who asks for more time" .seated().body::<game::Answer>(json!({"accept": true})).view(200)
    }
    post "/api/games/{id}/rematch" games::rematch {
        "the same again" .seated().body::<game::Nothing>(json!({})).view(200).view(201)
    }
    post "/api/games/{id}/delete" games::delete {
        "forget a game for good" .seated().body::<game::Nothing>(json!({})).json::<games::DeletedGame>(200)
    }
    post "/api/my/games" games::mine {
        "the games of one's own seats"
            .body::<game::MyGamesRequest>(json!({"seats": [{"id": "{id}", "token": "?"}]}))
            .json::<game::MyGames>(200)
    }
    get "/api/games/{id}/export" export::export_game {
        "the game as a file" .query::<emilia_service::export::FormatQuery>().file()
    }
    get "/api/games/{id}/live" live::live {
        "WebSocket: snapshots and live thinking" .json::<LiveMessage<'_, Snapshot<'_>>>(101)
    }
    get "/api/players" players { "who can play" .json::<Players>(200) }
    post "/api/analyse" work::analyse {
        "a position: legal moves, evaluations, overlays"
            .about_position::<analyse::AnalyseRequest>(
                json!({"moves": "f5d6c3", "player": "alphabeta:depth=2", "overlays": true}),
            )
            .json::<analyse::Analysis>(200)
    }
    post "/api/deepen" work::deepen {
        "a search that goes deeper while one looks on, one JSON object a line"
            .about_position::<deepen::DeepenRequest>(json!({"moves": "f5d6c3", "lines": 2, "time_ms": 50}))
            .lines::<deepen::Deepened>()
    }
    post "/api/hint" work::hint {
        "a good square, and what speaks for it"
            .about_position::<hint::HintRequest>(json!({"moves": "f5d6c3"}))
            .json::<hint::HintAnswer>(200)
    }
    post "/api/import" work::import {
        "read games in any format" .query::<import::Source>().text("f5d6c3").json::<import::Import>(200)
    }
    post "/api/import/wthor" work::wthor {
        "the games of WTHOR files, one JSON object a line"
            .query::<wthor::WthorFiles>()
            .text(&openapi::small_wthor_file())
            .lines::<wthor::WthorEvent>()
    }
    post "/api/export" export::export {
        "a game as a file"
            .about_position::<emilia_service::export::ExportRequest>(json!({"moves": "f5d6c3", "format": "ggf"}))
            .file()
    }
    get "/api/openings" openings::databases { "databases of games" .json::<emilia_service::openings::Databases>(200) }
    post "/api/openings/position" openings::position {
        "what people played in a position, and how it ended"
            .about_position::<emilia_service::openings::OpeningsRequest>(json!({"moves": "f5d6c3", "games": 5}))
            .json::<Explored>(200)
    }
    post "/api/openings/import" openings::import {
        "add games in any format to a database"
            .query::<openings::Target>()
            .text("f5d6c3")
            .json::<openings::ImportedGames>(200)
    }
    post "/api/tree" work::tree {
        "the tree a search went through"
            .about_position::<tree::TreeRequest>(json!({"size": 4, "player": "alphabeta:depth=2,eval=disc"}))
            .json::<tree::TreeAnswer>(200)
    }
    post "/api/steps" work::steps {
        "every step of a search"
            .about_position::<steps::StepsRequest>(json!({"size": 4, "player": "alphabeta:depth=2,eval=disc"}))
            .json::<steps::StepsAnswer>(200)
    }
    post "/api/evaluate" work::evaluate {
        "the judgement of a position, taken apart down to the squares"
            .about_position::<evaluate::EvaluateRequest>(json!({"moves": "f5d6c3", "player": "alphabeta:eval=paper"}))
            .json::<evaluate::EvaluateAnswer>(200)
    }
    post "/api/review" work::review {
        "every move judged, one JSON object a line"
            .about_position::<review::ReviewRequest>(json!({"moves": "f5d6c3", "player": "alphabeta:depth=2"}))
            .lines::<ReviewEvent>()
    }
    post "/api/insights/games" insights::games {
        "games for a picture of somebody's play, of a file in any format"
            .query::<emilia_service::insights::NamedFile>()
            .text("f5d6c3")
            .json::<emilia_service::insights::GamesFound>(200)
    }
    get "/api/insights/played" insights::played {
        "the games that were played here" .json::<emilia_service::insights::PlayedGames>(200)
    }
    post "/api/insights" insights::insights {
        "a picture of somebody's play, one JSON object a line"
            .body::<emilia_service::insights::InsightsRequest>(json!({
                "name": "Ann", "level": 1, "games": [{"black": "Ann", "white": "Bob", "moves": "f5d6c3d3"}]
            }))
            .lines::<emilia_service::insights::InsightsEvent<'_>>()
    }
    post "/api/duels" work::duel {
        "a match between two players, one JSON object a line"
            .body::<duels::DuelRequest>(json!({"first": "greedy", "second": "first", "size": 4, "games": 2}))
            .lines::<duels::DuelEvent<'_>>()
    }
    post "/api/evolutions" work::evolve {
        "weights evolve, one JSON object a line"
            .body::<EvolutionRequest>(json!({
                "size": 4, "population": 4, "generations": 1, "search": "alphabeta:depth=1"
            }))
            .lines::<evolutions::EvolutionEvent<'_>>()
    }
    get "/api/profiles" profiles::list { "the profiles of this machine" .json::<learner::ProfileList>(200) }
    post "/api/profiles" profiles::create {
        "make a profile" .body::<learner::NewProfile>(json!({"name": "Ann"})).json::<learner::NewProfileAnswer>(201)
    }
    get "/api/profile" profiles::show { "what a learner has" .owned().json::<learner::ProfileAnswer>(200) }
    post "/api/profile" profiles::rename {
        "give a profile another name" .owned()
            .body::<learner::NewProfile>(json!({"name": "Bob"}))
            .json::<learner::ProfileAnswer>(200)
    }
    post "/api/profile/delete" profiles::delete {
        "delete a profile with all it has" .owned()
            .body::<game::Nothing>(json!({}))
            .json::<learner::Deleted>(200)
    }
    get "/api/profile/cards" profiles::cards {
        "cards, those due for longest first" .owned().query::<learner::CardFilter>().json::<learner::Cards>(200)
    }
    post "/api/profile/cards" profiles::add {
        "add cards" .owned()
            .body::<learner::NewCards>(
                json!({"kind": "opening", "cards": [{"moves": "f5d6c3d3", "answers": ["c4"], "note": "Tiger"}]}),
            )
            .json::<learner::AddedCards>(200)
    }
    post "/api/profile/cards/remove" profiles::remove {
        "remove cards" .owned()
            .body::<learner::UnwantedCards>(json!({"cards": [1]}))
            .json::<learner::RemovedCards>(200)
    }
    get "/api/profile/answers" profiles::history {
        "what was answered lately" .owned().query::<learner::HistoryFilter>().json::<learner::History>(200)
    }
    post "/api/profile/answers" profiles::answer {
        "answer a card" .owned()
            .body::<learner::AnswerRequest>(json!({"card": 1, "move": "c4"}))
            .json::<learner::Answered>(200)
    }
    get "/api/profile/export" profiles::export { "all of a profile as one file" .owned().file() }
    post "/api/profile/import" profiles::import {
        "put such a file into a profile" .owned()
            .text(r#"{"format":"emilia-profile","version":1,"name":"","created":0,"cards":[]}"#)
            .json::<learner::ImportedAnswer>(200)
    }
    get "/api/train/openings" train::openings { "openings that have a name" .json::<learner::Openings>(200) }
    post "/api/train/opening" train::train {
        "a step of the opening trainer" .seated()
            .body::<learner::TrainRequest>(json!({"line": "f5d6c3d3c4", "color": "black", "moves": "f5d6", "move": "c3"}))
            .json::<learner::Training>(200)
    }
    post "/api/train/lines" train::lines {
        "how many lines of the book must be known"
            .body::<learner::LinesRequest>(json!({"from": "", "moves": "f5", "color": "black", "tolerance": 1}))
            .json::<learner::LinesAnswer>(200)
    }
    get "/api/train/puzzles" puzzles::listing { "what puzzles there are" .json::<learner::Puzzles>(200) }
    post "/api/train/puzzle" puzzles::next {
        "a puzzle: the next for somebody, that of a day, or one of a run" .seated()
            .body::<learner::PuzzleRequest>(json!({"day": 20_000}))
            .json::<learner::PuzzleQuestion>(200)
    }
    post "/api/train/puzzle/answer" puzzles::answer {
        "answer a puzzle" .seated()
            .body::<learner::PuzzleAnswerRequest>(json!({"puzzle": "ebfqvh3y", "show": true}))
            .json::<learner::PuzzleAnswered>(200)
    }
    post "/api/train/runs" puzzles::run {
        "note a run of puzzles" .owned()
            .body::<learner::RunRequest>(json!({"kind": "clock", "solved": 12, "missed": 2}))
            .json::<learner::RunAnswer>(200)
    }
    post "/api/studies" studies::create {
        "make a study"
            .body::<study::StudyRequest>(json!({"title": "Edges", "chapters": [openapi::small_game()]}))
            .json::<study::StudyAnswer<'_>>(201)
    }
    get "/api/studies/{id}" studies::show { "a study" .seated().json::<study::StudyAnswer<'_>>(200) }
    post "/api/studies/{id}" studies::change {
        "change a study" .owned()
            .body::<study::StudyChange>(json!({"version": 1, "title": "Edges", "chapters": [openapi::small_game()]}))
            .json::<study::ChangedStudy>(200)
    }
    post "/api/studies/{id}/delete" studies::delete {
        "forget a study for good" .owned().body::<game::Nothing>(json!({})).json::<study::DeletedStudy>(200)
    }
    get "/api/studies/{id}/export" studies::export { "a study as a file of SGF" .file() }
    post "/api/studies/read" studies::read_file {
        "the games of a file in any format as chapters"
            .query::<study::StudySource>()
            .text("f5d6c3")
            .json::<study::StudyFile>(200)
    }
    post "/api/studies/file" studies::file {
        "a study as a file of SGF, without keeping it"
            .body::<study::StudyRequest>(json!({"title": "Edges", "chapters": [openapi::small_game()]}))
            .file()
    }
    post "/api/my/studies" studies::mine {
        "the studies whose secrets one has"
            .body::<study::MyStudiesRequest>(json!({"studies": [{"id": "{id}", "token": "?"}]}))
            .json::<study::MyStudies>(200)
    }
    get "/api/openapi.json" openapi_document { "this description" .json::<Map<String, Value>>(200) }
    get "/healthz" health { "whether the server is well" .json::<Health>(200) }
    get "/metrics" metrics { "counters in the text format of Prometheus" .plain() }
    get "/games" legacy::games { "the earlier interface: games" .json::<Vec<legacy::LegacyPlayers>>(200) }
    get "/game/{id}" legacy::game { "the earlier interface: one game" .json::<legacy::LegacyGame>(200) }
    post "/create" legacy::create {
        "the earlier interface: make a game" .form::<legacy::Create>("name=Ann&ai=true").json::<legacy::LegacyGame>(200)
    }
    post "/join" legacy::join {
        "the earlier interface: join" .form::<legacy::Join>("id={id}&name=Bob").json::<legacy::LegacyPlayers>(200)
    }
    post "/play" legacy::play {
        "the earlier interface: play" .form::<legacy::Play>("id={id}&idx=19").json::<legacy::LegacyGame>(200)
    }
}

/// Every route, behind what all requests have to pass.
pub(crate) fn router(app: Shared) -> Router {
    let mut routes = routes();
    if app.config.public.is_some() {
        routes = routes.route("/invitation/{secret}", get(visitor::accept));
    }
    routes
        .fallback(page::serve)
        .method_not_allowed_fallback(|| async { ApiError::BadMethod })
        // Every body is read with a limit of its own.
        .layer(DefaultBodyLimit::disable())
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&app), middleware::handle))
        .with_state(app)
}

async fn players() -> Reply<Players> {
    Reply(catalogue::listing())
}

async fn openapi_document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

/// Whether the server is well.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Health {
    status: HealthStatus,
    games: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum HealthStatus {
    Ok,
    /// Games go on, but changes cannot be written to disk.
    Degraded,
}

async fn health(State(app): State<Shared>) -> Reply<Health> {
    let status = if app.games.is_failing() { HealthStatus::Degraded } else { HealthStatus::Ok };
    Reply(Health { status, games: app.games.len() })
}

async fn metrics(State(app): State<Shared>) -> Response {
    let text = app.metrics.text(app.games.len());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
