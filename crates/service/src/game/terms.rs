use emilia_arena::Openings;
use emilia_rules::{Color, GridPosition, Move, Objective, Point};
use serde::Deserialize;

use super::clock::ClockTerms;
use super::seat::Seat;
use crate::catalogue;
use crate::error::ServiceError;
use crate::names::{BeginningName, ObjectiveName, VariantStart};
use crate::position::{GamePosition, Moves, PositionRequest};
use crate::request_error::RequestError;
use crate::token::Token;

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Mode {
    /// Two people on one screen.
    Local,
    /// A person and the computer.
    Computer,
    /// Two people, each with a screen.
    Link,
    /// Two computers.
    Watch,
}

/// What was agreed before the first move.
#[derive(Clone, Debug)]
pub struct Terms {
    pub mode: Mode,
    pub start: GridPosition,
    /// How the start is called.
    pub start_name: VariantStart,
    pub objective: Objective,
    /// Moves made at once.
    pub opening: Vec<Move<Point>>,
    pub clock: Option<ClockTerms>,
    pub pause_ms: u64,
    pub public: bool,
}

/// The request to make a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewGame {
    pub mode: Mode,
    #[serde(default)]
    pub size: Option<usize>,
    #[serde(default)]
    start: Option<BeginningName>,
    #[serde(default)]
    objective: Option<ObjectiveName>,
    #[serde(default)]
    position: Option<String>,
    #[serde(default)]
    moves: Option<Moves>,
    #[serde(default)]
    pub black: Side,
    #[serde(default)]
    pub white: Side,
    #[serde(default)]
    you: WantedSeat,
    #[serde(default)]
    clock: Option<ClockTerms>,
    #[serde(default)]
    pub pause_ms: Option<u64>,
    #[serde(default)]
    public: Option<bool>,
}

/// One side in that request.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Side {
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub player: Option<String>,
}

/// Which seat the one who asks wants.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum WantedSeat {
    #[default]
    Black,
    White,
    Random,
}

/// Longest name of a person, in characters.
const LONGEST_NAME: usize = 40;
/// Longest main time: a day.
const LONGEST_CLOCK: u64 = 24 * 3_600_000;
/// Longest increment: ten minutes.
const LONGEST_INCREMENT: u64 = 600_000;
/// Longest pause before a computer's move is shown.
const LONGEST_PAUSE: u64 = 10_000;
/// The usual pause: long enough to see one's own move first.
const USUAL_PAUSE: u64 = 300;

impl NewGame {
    /// A game of this kind with nothing else said.
    pub fn plain(mode: Mode) -> NewGame {
        NewGame {
            mode,
            size: None,
            start: None,
            objective: None,
            position: None,
            moves: None,
            black: Side::default(),
            white: Side::default(),
            you: WantedSeat::Black,
            clock: None,
            pause_ms: None,
            public: None,
        }
    }

    /// The computers that would play.
    pub fn computers(&self) -> Vec<&str> {
        let named = [&self.black, &self.white].map(|side| side.player.as_deref());
        match self.mode {
            Mode::Watch => named.map(|name| name.unwrap_or(catalogue::USUAL)).to_vec(),
            _ => named.into_iter().flatten().collect(),
        }
    }

    /// The request checked: the terms, and the seats as they are at first. What is left to chance is drawn by this number.
    pub fn check(self, token: Token, draw: u32) -> Result<(Terms, [Seat; 2]), ServiceError> {
        let pause_ms = self.pause_ms.unwrap_or(USUAL_PAUSE);
        if pause_ms > LONGEST_PAUSE {
            return Err(RequestError::TooMuch { what: "pause_ms", most: LONGEST_PAUSE }.into());
        }
        if let Some(clock) = self.clock
            && (clock.main_ms == 0 || clock.main_ms > LONGEST_CLOCK || clock.increment_ms > LONGEST_INCREMENT)
        {
            return Err(if clock.increment_ms > LONGEST_INCREMENT {
                RequestError::TooMuch { what: "increment_ms", most: LONGEST_INCREMENT }.into()
            } else {
                RequestError::OutOfRange { what: "main_ms", least: 1, most: LONGEST_CLOCK }.into()
            });
        }
        let drawn = self.balanced(draw)?;
        let seats = seats(self.mode, self.black, self.white, self.you, token, draw)?;
        let start_name = match (&self.position, self.start) {
            (Some(_), _) => VariantStart::Position,
            (None, start) => start.map_or_else(VariantStart::default, VariantStart::from),
        };
        let objective = self.objective.map_or(Objective::Most, Objective::from);
        let layout = self.start.map(BeginningName::layout);
        let GamePosition { start, moves, .. } =
            PositionRequest::of_start(self.size, layout, self.position, self.moves).resolve()?;
        let terms = Terms {
            mode: self.mode,
            start,
            start_name,
            objective,
            opening: drawn.unwrap_or(moves),
            clock: self.clock,
            pause_ms,
            public: self.public.unwrap_or(true),
        };
        Ok((terms, seats))
    }
}

impl NewGame {
    /// The moves of a balanced opening, if that is wanted. It is for the usual board and leaves no room for others.
    fn balanced(&self, draw: u32) -> Result<Option<Vec<Move<Point>>>, ServiceError> {
        if self.position.is_some() || self.start != Some(BeginningName::Balanced) {
            return Ok(None);
        }
        if self.size.is_some_and(|size| size != 8) || self.moves.is_some() {
            return Err(contradiction("balanced openings are for 8×8, without moves of one's own"));
        }
        Ok(Some(Openings::balanced(0).opening(draw, &GridPosition::default())))
    }
}

fn contradiction(sentence: &'static str) -> ServiceError {
    RequestError::Contradiction(sentence).into()
}

/// Who sits where in a game of this mode.
fn seats(
    mode: Mode,
    black: Side,
    white: Side,
    you: WantedSeat,
    token: Token,
    draw: u32,
) -> Result<[Seat; 2], ServiceError> {
    let players = [black.player.is_some(), white.player.is_some()];
    let seat = |side: Side, color: Color| match side.player {
        Some(player) => computer(side.name, &player),
        None => Ok(Seat::person(person_name(side.name, color)?, token)),
    };
    let usual = |side: Side| Side { player: Some(catalogue::USUAL.to_owned()), ..side };
    match mode {
        Mode::Local | Mode::Link if players.contains(&true) => {
            Err(contradiction("computers play in the modes \"computer\" and \"watch\""))
        }
        Mode::Local => Ok([seat(black, Color::Black)?, seat(white, Color::White)?]),
        Mode::Link => {
            let yours = match you {
                WantedSeat::Black => Color::Black,
                WantedSeat::White => Color::White,
                WantedSeat::Random if draw.is_multiple_of(2) => Color::Black,
                WantedSeat::Random => Color::White,
            };
            let mut seats = [Seat::free(), Seat::free()];
            let side = if yours == Color::Black { black } else { white };
            seats[yours as usize] = seat(side, yours)?;
            Ok(seats)
        }
        Mode::Computer => match players {
            [true, true] => Err(contradiction("one side must be a person; \"watch\" has none")),
            [false, false] => {
                let (black, white) = if matches!(you, WantedSeat::White) {
                    (usual(black), white)
                } else {
                    (black, usual(white))
                };
                Ok([seat(black, Color::Black)?, seat(white, Color::White)?])
            }
            _ => Ok([seat(black, Color::Black)?, seat(white, Color::White)?]),
        },
        Mode::Watch => {
            let named = |side: Side| if side.player.is_some() { side } else { usual(side) };
            Ok([seat(named(black), Color::Black)?, seat(named(white), Color::White)?])
        }
    }
}

fn computer(name: Option<String>, player: &str) -> Result<Seat, ServiceError> {
    let player = player.trim().to_owned();
    catalogue::candidate(&player)?;
    let name = match name {
        Some(name) => checked_name(&name)?.unwrap_or_else(|| player.clone()),
        None => player.clone(),
    };
    Ok(Seat::computer(name, player))
}

/// A person's name; who has none is called by the colour.
pub(super) fn person_name(name: Option<String>, color: Color) -> Result<String, ServiceError> {
    let fallback = match color {
        Color::Black => "Black",
        Color::White => "White",
    };
    let name = name.map(|name| checked_name(&name)).transpose()?.flatten();
    Ok(name.unwrap_or_else(|| fallback.to_owned()))
}

/// The name without blanks around it, or nothing if nothing is left.
fn checked_name(name: &str) -> Result<Option<String>, ServiceError> {
    let name = name.trim();
    if name.chars().count() > LONGEST_NAME {
        return Err(RequestError::TooMuch { what: "characters of a name", most: LONGEST_NAME as u64 }.into());
    }
    if name.chars().any(char::is_control) {
        return Err(contradiction("a name has no control characters"));
    }
    Ok((!name.is_empty()).then(|| name.to_owned()))
}
