//! The games that somebody plays or has played, as a list: whoever shows the secret of a seat is told.

use emilia_rules::Playable;
use serde::{Deserialize, Serialize};

use super::rights::Action;
use super::snapshot::{LobbyEntry, ResultAnswer, SeatAnswer};
use super::{GameState, Holder, Phase, Presence};
use crate::answers::{Sides, cells, transcript};
use crate::names::ColorName;
use crate::token::Token;

/// Seats that one asks about at once, at most.
pub const MOST: usize = 200;

/// Whose games are wanted: seats and their secrets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MyGamesRequest {
    /// At most 200; those beyond are not looked at.
    pub seats: Vec<SeatClaim>,
}

/// A game and the secret of a seat in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatClaim {
    pub id: String,
    pub token: String,
}

/// The games, the latest first, and those that there are no more.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MyGames {
    games: Vec<MyGame>,
    gone: Vec<String>,
}

/// A game as its player's list shows it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MyGame {
    #[serde(flatten)]
    listed: LobbyEntry,
    /// The colours one plays.
    you: Vec<ColorName>,
    may: Vec<Action>,
    seats: Sides<SeatAnswer>,
    turn: Option<ColorName>,
    start: String,
    start_turn: ColorName,
    /// The moves without passes.
    transcript: String,
    result: Option<ResultAnswer>,
}

impl MyGames {
    /// The game of this claim; nothing if the secret is not that of a seat in it.
    #[must_use]
    pub fn one(state: &GameState, claim: &SeatClaim) -> Option<MyGame> {
        let holder = state.holder(claim.token.parse::<Token>().ok());
        (holder.is_seated() || holder.host).then(|| MyGame::new(state, holder))
    }

    /// One more, or one that there is no more.
    pub fn add(&mut self, id: String, game: Option<MyGame>) {
        match game {
            Some(game) => self.games.push(game),
            None => self.gone.push(id),
        }
    }

    /// The latest first.
    #[must_use]
    pub fn sorted(mut self) -> MyGames {
        self.games.sort_by_key(|game| std::cmp::Reverse(game.listed.created));
        self
    }
}

impl MyGame {
    fn new(state: &GameState, holder: Holder) -> MyGame {
        let result = match state.phase {
            Phase::Over(ended) => Some(state.result(ended)),
            _ => None,
        };
        MyGame {
            listed: state.lobby_entry(0),
            you: holder.colors().into_iter().map(ColorName::from).collect(),
            may: state.may(holder),
            seats: Sides::of(|color| state.seat_answer(color, Presence::default())),
            turn: (state.phase == Phase::Playing).then(|| state.turn().into()),
            start: cells(&state.terms.start),
            start_turn: state.terms.start.turn().into(),
            transcript: transcript(state.turns.iter().map(|turn| turn.mv)),
            result,
        }
    }
}
