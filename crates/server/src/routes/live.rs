//! The WebSocket of a game: snapshots and live thinking for everybody who looks on.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use emilia_rules::Color;
use emilia_service::error::ServiceError;
use emilia_service::move_job::LiveMessage;
use serde::Deserialize;

use super::body::GameId;
use crate::answers::to_json;
use crate::app::{Shared, until_ending};
use crate::error::ApiError;
use crate::live_game::LiveGame;
use crate::rate::Demand;
use crate::request_error::RequestError;
use crate::token::Token;
use crate::visitor::Visitor;

/// What a client may say.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum Said {
    /// Who I am.
    Hello {
        #[serde(default)]
        token: Option<Token>,
    },
}

/// Longest message of a client.
const LONGEST: usize = 4096;
/// How often a silent client is asked whether it is still there, and how long a message to it may take.
const PING_EVERY: Duration = Duration::from_secs(25);
const PATIENCE: Duration = Duration::from_secs(20);

/// `GET /api/games/{id}/live`
pub(super) async fn live(
    State(app): State<Shared>,
    visitor: Visitor,
    GameId(id): GameId,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let live = app.games.find(&id).await?;
    let upgrade = upgrade.map_err(|_| RequestError::Contradiction("this address speaks WebSocket only"))?;
    let limits = app.config.limits;
    let permit = app
        .connections
        .enter(visitor.address, limits.connections_each, limits.connections)
        .ok_or(ApiError::TooMany("too many connections"))?;
    Ok(upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).on_upgrade(move |socket| async move {
        let _permit = permit;
        let metrics = Arc::clone(&app.metrics);
        let _counted = metrics.watchers.hold();
        Watcher::new(app, live, socket, visitor).watch().await;
    }))
}

/// One who looks on.
struct Watcher {
    app: Shared,
    live: Arc<LiveGame>,
    socket: WebSocket,
    visitor: Visitor,
    token: Option<Token>,
    attendance: Attendance,
}

/// The presence of one screen, given back when it goes.
struct Attendance {
    live: Arc<LiveGame>,
    /// Who plays there; nobody where a watcher looks on.
    seats: Vec<Color>,
}

impl Attendance {
    fn new(live: Arc<LiveGame>) -> Attendance {
        live.attend(&[], true);
        Attendance { live, seats: Vec::new() }
    }

    fn sit(&mut self, seats: Vec<Color>) {
        self.live.attend(&self.seats, false);
        self.live.attend(&seats, true);
        self.seats = seats;
    }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        self.live.attend(&self.seats, false);
    }
}

impl Watcher {
    fn new(app: Shared, live: Arc<LiveGame>, socket: WebSocket, visitor: Visitor) -> Watcher {
        let attendance = Attendance::new(Arc::clone(&live));
        Watcher { app, live, socket, visitor, token: None, attendance }
    }

    async fn watch(mut self) {
        let (mut game, mut thinking) = self.live.subscribe();
        game.mark_changed();
        let mut ending = self.app.ending.clone();
        let mut answered = true;
        loop {
            let outgoing = tokio::select! {
                said = self.socket.recv() => {
                    answered = true;
                    match said {
                        Some(Ok(Message::Text(text))) => self.listen(&text).await,
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                        Some(Ok(_)) => Ok(None),
                    }
                }
                changed = game.changed() => match changed {
                    Ok(()) => {
                        // Let go of the channel before the game is asked: whoever publishes holds the game and
                        // waits for the channel.
                        let snapshot = game.borrow_and_update().clone();
                        Ok(snapshot.map(|snapshot| self.live.message_with(&snapshot, self.token)))
                    }
                    Err(_) => return,
                },
                changed = thinking.changed() => match changed {
                    Ok(()) => Ok(Some(thinking.borrow_and_update().to_string())),
                    Err(_) => return,
                },
                () = tokio::time::sleep(PING_EVERY) => {
                    if !answered {
                        return;
                    }
                    answered = false;
                    if !self.send(Message::Ping(Vec::new().into())).await {
                        return;
                    }
                    Ok(None)
                }
                () = until_ending(&mut ending) => {
                    self.send(Message::Close(None)).await;
                    return;
                }
            };
            let text = match outgoing {
                Ok(None) => continue,
                Ok(Some(text)) => text,
                Err(ApiError::TooMany(_)) => return,
                Err(error) => to_json(&LiveMessage::<()>::Error(error.body())),
            };
            if !text.is_empty() && !self.send(Message::Text(text.into())).await {
                return;
            }
        }
    }

    /// What the client said, and what it gets for that.
    async fn listen(&mut self, text: &str) -> Result<Option<String>, ApiError> {
        self.app.rates.take(self.visitor.address, Demand::Request)?;
        let Said::Hello { token } = serde_json::from_str(text)?;
        let holder = self.live.lock().holder(token);
        if token.is_some() && !holder.is_seated() && !holder.host {
            return Err(ServiceError::BadToken.into());
        }
        self.token = token;
        self.attendance.sit(holder.colors());
        Ok(Some(self.live.message(token).await))
    }

    /// Sends a message. A client that does not take it in time is given up; meanwhile newer snapshots replace older
    /// ones.
    async fn send(&mut self, message: Message) -> bool {
        matches!(tokio::time::timeout(PATIENCE, self.socket.send(message)).await, Ok(Ok(())))
    }
}
