use emilia_rules::{Color, Move, Playable};

use super::{GameState, Mode, Phase, Seat};
use crate::token::Token;

/// What a token stands for at a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// Whether it plays Black, and White.
    pub seats: [bool; 2],
    /// Whether it made the game.
    pub host: bool,
}

/// Something one may do in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Action {
    Join,
    Move,
    Undo,
    Redo,
    AnswerUndo,
    Resign,
    Pause,
    Step,
    Rematch,
    Close,
    Delete,
    Greet,
    AskTime,
    AnswerTime,
}

impl Holder {
    pub fn plays(&self, color: Color) -> bool {
        self.seats[color as usize]
    }

    pub fn is_seated(&self) -> bool {
        self.seats.contains(&true)
    }

    /// The one colour it plays; none if it plays both or neither.
    pub fn only_color(&self) -> Option<Color> {
        match self.seats {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        }
    }

    /// The colours it plays.
    pub fn colors(&self) -> Vec<Color> {
        Color::BOTH.into_iter().filter(|color| self.plays(*color)).collect()
    }
}

impl GameState {
    /// What this token stands for here. Every seat is compared, so that time tells nothing.
    pub fn holder(&self, token: Option<Token>) -> Holder {
        let Some(token) = token else { return Holder::default() };
        let seats = [self.seats[0].is_held_by(token), self.seats[1].is_held_by(token)];
        Holder { seats, host: self.host.same(token) }
    }

    /// What this holder may do now.
    pub fn may(&self, holder: Holder) -> Vec<Action> {
        use Action::*;
        let all = [
            Join, Move, Undo, Redo, AnswerUndo, Resign, Pause, Step, Rematch, Close, Delete, Greet, AskTime,
            AnswerTime,
        ];
        all.into_iter().filter(|action| self.allows(holder, *action)).collect()
    }

    fn allows(&self, holder: Holder, action: Action) -> bool {
        let playing = self.phase == Phase::Playing;
        let alone = matches!(self.terms.mode, Mode::Local | Mode::Computer);
        match action {
            Action::Join => self.phase == Phase::Open && !holder.is_seated(),
            Action::Move => playing && holder.plays(self.turn()),
            Action::Undo => {
                let live = matches!(self.phase, Phase::Playing) || (alone && self.phase != Phase::Open);
                live && holder.is_seated() && self.undo_offer.is_none() && self.undo_target(holder).is_some()
            }
            Action::Redo => alone && holder.is_seated() && !self.undone.is_empty(),
            Action::AnswerUndo => playing && self.undo_offer.is_some_and(|offer| holder.plays(!offer.by)),
            Action::Resign => playing && holder.is_seated(),
            Action::Pause => playing && holder.host && self.has_computer(),
            Action::Step => {
                playing
                    && holder.host
                    && self.paused
                    && !self.step
                    && self.seat(self.turn()).player().is_some()
            }
            Action::Rematch => matches!(self.phase, Phase::Over(_)) && (holder.is_seated() || holder.host),
            Action::Close => self.phase == Phase::Open && holder.host,
            Action::Delete => self.may_delete(holder),
            Action::Greet => self.may_greet(holder),
            Action::AskTime => self.may_ask_time(holder),
            Action::AnswerTime => self.may_answer_time(holder),
        }
    }

    /// Whether this holder may have the game deleted for good: a game of two people belongs to both.
    pub fn may_delete(&self, holder: Holder) -> bool {
        let shared = self.terms.mode == Mode::Link && self.seats.iter().all(Seat::is_taken);
        (holder.host || holder.is_seated()) && !shared
    }

    pub fn has_computer(&self) -> bool {
        self.seats.iter().any(|seat| seat.player().is_some())
    }

    /// How many moves remain when this holder's last own decision is taken back.
    pub fn undo_target(&self, holder: Holder) -> Option<usize> {
        // Passes are turns too, so the sides alternate from the start.
        let first = self.terms.start.turn();
        let mover = |ply: usize| if ply.is_multiple_of(2) { first } else { !first };
        (self.terms.opening.len()..self.turns.len())
            .rev()
            .find(|ply| holder.plays(mover(*ply)) && self.turns[*ply].mv != Move::Pass)
    }
}
