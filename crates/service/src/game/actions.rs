//! What can be done at a game. Each action changes everything or nothing, and makes the version grow.

use emilia_rules::{Color, Move, Playable, Point, SquareSet};

use super::seat::Seat;
use super::terms::person_name;
use super::{Ended, Ending, GameState, Holder, Mode, Phase, Rematch, Turn, UndoOffer, Verdict};
use crate::error::ServiceError;
use crate::token::Token;

impl GameState {
    /// Somebody takes a free seat.
    pub fn join(
        &mut self,
        name: Option<String>,
        wanted: Option<Color>,
        token: Token,
        now: u64,
    ) -> Result<Color, ServiceError> {
        if matches!(self.phase, Phase::Over(_)) {
            return Err(ServiceError::GameOver);
        }
        let free = |color: &Color| !self.seat(*color).is_taken();
        let color = match wanted {
            Some(color) if free(&color) => color,
            Some(_) => return Err(ServiceError::SeatTaken),
            None => Color::BOTH.into_iter().find(free).ok_or(ServiceError::SeatTaken)?,
        };
        self.seats[color as usize] = Seat::person(person_name(name, color)?, token);
        if self.seats.iter().all(Seat::is_taken) {
            self.phase = Phase::Playing;
            self.turn_began = now;
            self.end_if_over();
        }
        self.version += 1;
        Ok(color)
    }

    /// A person plays. `ply`, if known, is the number this move should have.
    pub fn play(
        &mut self,
        holder: Holder,
        mv: Move<Point>,
        ply: Option<usize>,
        now: u64,
    ) -> Result<(), ServiceError> {
        self.require_seat(holder)?;
        self.require_playing()?;
        let next = self.turns.len() + 1;
        if ply.is_some_and(|ply| ply != next) {
            return Err(ServiceError::Stale(next));
        }
        if !holder.plays(self.turn()) {
            return Err(ServiceError::NotYourTurn);
        }
        self.require_time(now)?;
        self.make(mv, None, now)
    }

    /// A computer plays, if the game is still the one it thought about.
    pub fn play_computer(
        &mut self,
        version: u64,
        mv: Move<Point>,
        verdict: Verdict,
        now: u64,
    ) -> Result<(), ServiceError> {
        if self.version != version || self.computer_to_move().is_none() {
            return Err(ServiceError::NotNow("the game has changed meanwhile"));
        }
        self.require_time(now)?;
        self.step = false;
        self.make(mv, Some(verdict), now)
    }

    fn make(&mut self, mv: Move<Point>, verdict: Option<Verdict>, now: u64) -> Result<(), ServiceError> {
        let color = self.turn();
        self.position.play(mv)?;
        self.push(Turn { mv, time_ms: now.saturating_sub(self.turn_began), verdict });
        self.undone.clear();
        self.undo_offer = None;
        self.turn_began = now;
        if let Some(clocks) = &mut self.clocks {
            clocks.press(color, now);
        }
        self.pass_where_forced();
        self.end_if_over();
        self.version += 1;
        Ok(())
    }

    /// Takes back to the holder's last own decision, or asks the other person for it.
    pub fn undo(&mut self, holder: Holder, now: u64) -> Result<(), ServiceError> {
        self.require_seat(holder)?;
        if self.phase == Phase::Open {
            return Err(ServiceError::NotStarted);
        }
        let target = self.undo_target(holder).ok_or(ServiceError::NotNow("there is no move to take back"))?;
        match self.terms.mode {
            Mode::Link => {
                self.require_playing()?;
                if self.undo_offer.is_some() {
                    return Err(ServiceError::NotNow("the other side has not answered yet"));
                }
                let by = holder.only_color().unwrap_or(self.turn());
                self.undo_offer = Some(UndoOffer { by, to_ply: target });
            }
            _ => self.take_back_to(target, now),
        }
        self.version += 1;
        Ok(())
    }

    /// The other person answers.
    pub fn answer_undo(&mut self, holder: Holder, accept: bool, now: u64) -> Result<(), ServiceError> {
        self.require_seat(holder)?;
        self.require_playing()?;
        let offer = self.undo_offer.ok_or(ServiceError::NotNow("nobody asks to take back a move"))?;
        if !holder.plays(!offer.by) {
            return Err(ServiceError::NotYourSeat("the other side has to answer"));
        }
        self.undo_offer = None;
        if accept {
            self.take_back_to(offer.to_ply, now);
            // Between two people what is taken back is gone.
            self.undone.clear();
        }
        self.version += 1;
        Ok(())
    }

    fn take_back_to(&mut self, ply: usize, now: u64) {
        let mut taken = self.turns.split_off(ply.min(self.turns.len()));
        taken.reverse();
        self.undone.append(&mut taken);
        let kept = self.turns.len();
        self.rebuild(kept);
        self.resume(now);
    }

    /// Brings back what was taken back last: a move of the holder's and all that followed until its next turn.
    pub fn redo(&mut self, holder: Holder, now: u64) -> Result<(), ServiceError> {
        self.require_seat(holder)?;
        if self.terms.mode == Mode::Link || self.undone.is_empty() {
            return Err(ServiceError::NotNow("there is no move to bring back"));
        }
        while let Some(turn) = self.undone.pop() {
            self.push(turn);
            if holder.plays(self.turn()) && !self.position.placements().is_empty() {
                break;
            }
        }
        self.resume(now);
        self.version += 1;
        Ok(())
    }

    /// After the board was set to another position the game goes on there.
    fn resume(&mut self, now: u64) {
        if let Some(clocks) = &mut self.clocks {
            clocks.freeze(self.position.turn(), now);
            clocks.start(now);
        }
        self.turn_began = now;
        self.step = false;
        self.rematch = None;
        self.phase = Phase::Playing;
        self.end_if_over();
    }

    /// A side gives up. Who plays both sides may say which; else it is the one to move.
    pub fn resign(&mut self, holder: Holder, color: Option<Color>) -> Result<(), ServiceError> {
        self.require_seat(holder)?;
        self.require_playing()?;
        let loser = holder.only_color().or(color).unwrap_or(self.turn());
        if color.is_some_and(|color| !holder.plays(color)) {
            return Err(ServiceError::NotYourSeat("only your own side can be given up"));
        }
        self.end(Ended { winner: Some(!loser), ending: Ending::Resigned });
        self.version += 1;
        Ok(())
    }

    /// The host closes a game that nobody joined.
    pub fn close(&mut self, holder: Holder) -> Result<(), ServiceError> {
        self.require_host(holder)?;
        if self.phase != Phase::Open {
            return Err(ServiceError::NotNow("only a game with a free seat can be closed"));
        }
        self.end(Ended { winner: None, ending: Ending::Aborted });
        self.version += 1;
        Ok(())
    }

    /// Holds the computers back, or lets them go on.
    pub fn pause(&mut self, holder: Holder, paused: bool) -> Result<(), ServiceError> {
        self.require_host(holder)?;
        self.require_playing()?;
        if !self.has_computer() {
            return Err(ServiceError::NotNow("there is no computer in this game"));
        }
        self.paused = paused;
        self.step = false;
        self.version += 1;
        Ok(())
    }

    /// Lets a computer make one move while it is held back.
    pub fn step(&mut self, holder: Holder) -> Result<(), ServiceError> {
        self.require_host(holder)?;
        self.require_playing()?;
        if !self.paused || self.seat(self.turn()).player().is_none() {
            return Err(ServiceError::NotNow("a step needs a paused game with a computer to move"));
        }
        self.step = true;
        self.version += 1;
        Ok(())
    }

    /// Somebody wants to play again. True if a new game is to be made now.
    pub fn offer_rematch(&mut self, holder: Holder) -> Result<bool, ServiceError> {
        if !holder.is_seated() && !holder.host {
            return Err(ServiceError::BadToken);
        }
        if !matches!(self.phase, Phase::Over(_)) {
            return Err(ServiceError::NotNow("the game is not over yet"));
        }
        if self.terms.mode != Mode::Link {
            return Ok(true);
        }
        if !self.seats.iter().all(Seat::is_taken) {
            return Err(ServiceError::NotStarted);
        }
        let color = holder.only_color().ok_or(ServiceError::BadToken)?;
        match &self.rematch {
            Some(Rematch { offered_by, game: None }) => Ok(*offered_by != color),
            Some(Rematch { game: Some(_), .. }) => Err(ServiceError::NotNow("there is a new game already")),
            None => {
                self.rematch = Some(Rematch { offered_by: color, game: None });
                self.version += 1;
                Ok(false)
            }
        }
    }

    /// Notes where the new game is.
    pub fn note_rematch(&mut self, holder: Holder, game: &str) {
        let offered_by = holder.only_color().unwrap_or(Color::Black);
        let rematch = self.rematch.get_or_insert(Rematch { offered_by, game: None });
        rematch.game = Some(game.to_owned());
        self.version += 1;
    }

    /// Ends the game if the side to move has no time left. True if it did.
    pub fn flag(&mut self, now: u64) -> bool {
        let late = self.require_time(now).is_err();
        if late {
            let turn = self.turn();
            if let Some(clocks) = &mut self.clocks {
                clocks.freeze(turn, now);
            }
            self.end(Ended { winner: Some(!turn), ending: Ending::Timeout });
            self.version += 1;
        }
        late
    }

    /// The side to move must have time left. If it has not, the alarm is about to end the game.
    fn require_time(&self, now: u64) -> Result<(), ServiceError> {
        match &self.clocks {
            Some(clocks)
                if self.phase == Phase::Playing
                    && clocks.running_since.is_some()
                    && clocks.left_to(self.turn(), now) == 0 =>
            {
                Err(ServiceError::GameOver)
            }
            _ => Ok(()),
        }
    }

    fn require_seat(&self, holder: Holder) -> Result<(), ServiceError> {
        if holder.is_seated() { Ok(()) } else { Err(ServiceError::BadToken) }
    }

    fn require_host(&self, holder: Holder) -> Result<(), ServiceError> {
        match holder {
            Holder { host: true, .. } => Ok(()),
            _ if holder.is_seated() => Err(ServiceError::NotYourSeat("only who made the game can do that")),
            _ => Err(ServiceError::BadToken),
        }
    }

    fn require_playing(&self) -> Result<(), ServiceError> {
        match self.phase {
            Phase::Playing => Ok(()),
            Phase::Open => Err(ServiceError::NotStarted),
            Phase::Over(_) => Err(ServiceError::GameOver),
        }
    }
}
