//! One game with its seats: what each may do, and what comes of it. Pure state; whoever calls says what time it is.

mod actions;
mod clock;
mod company;
mod mine;
mod requests;
mod rights;
mod saved;
mod seat;
mod snapshot;
mod terms;

use emilia_query::Value;
use emilia_record::{Evaluation, Game, GameResult, Opening, tag};
use emilia_rules::{Color, GridPosition, Move, Outcome, Playable, Point, Status};
use serde::{Deserialize, Serialize};

pub use clock::{ClockTerms, Clocks};
pub use company::{Greeting, MORE_TIME, Series, SeriesAnswer, Word};
pub use mine::{MOST as MOST_SEATS, MyGames, MyGamesRequest, SeatClaim};
pub use requests::{Answer, GameAction, Greet, Join, Nothing, Pause, Play, Resign};
pub use rights::Holder;
pub use saved::{Saved, SavedError};
pub use seat::Seat;
pub use snapshot::{GameStatus, LobbyEntry, Presence, Snapshot, View};
pub use terms::{Mode, NewGame, Side, Terms};

use crate::answers::Last;
use crate::token::Token;

/// A game being played.
#[derive(Debug)]
pub struct GameState {
    pub id: String,
    pub version: u64,
    pub created: u64,
    pub terms: Terms,
    /// Black's and White's.
    pub seats: [Seat; 2],
    /// Who made the game.
    pub host: Token,
    pub phase: Phase,
    pub turns: Vec<Turn>,
    /// What was taken back, the next to be brought back last.
    undone: Vec<Turn>,
    position: GridPosition,
    last: Option<Last>,
    opening: Option<Opening>,
    /// When the side to move got its turn.
    turn_began: u64,
    pub clocks: Option<Clocks>,
    pub paused: bool,
    /// One computer move is to be made although the game is paused.
    step: bool,
    undo_offer: Option<UndoOffer>,
    /// Who asks for more time.
    time_offer: Option<Color>,
    /// What Black and White said last.
    greetings: [Option<Greeting>; 2],
    /// How the same two have fared before.
    series: Series,
    pub rematch: Option<Rematch>,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A seat is free.
    Open,
    Playing,
    Over(Ended),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    #[serde(with = "crate::names::optional_color")]
    pub winner: Option<Color>,
    pub ending: Ending,
}

/// What ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Ending {
    Counted,
    Resigned,
    Timeout,
    Aborted,
}

/// A move that was made.
#[derive(Clone, Debug)]
pub struct Turn {
    pub mv: Move<Point>,
    pub time_ms: u64,
    pub verdict: Option<Verdict>,
}

/// What a computer thought of its move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    pub value: Option<Value>,
    pub depth: u32,
    pub nodes: u64,
}

/// A person asks to go back to where so many moves were made.
#[derive(Clone, Copy, Debug)]
struct UndoOffer {
    by: Color,
    to_ply: usize,
}

/// Somebody wants to play again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rematch {
    #[serde(with = "crate::names::color")]
    pub offered_by: Color,
    pub game: Option<String>,
}

impl GameState {
    /// A fresh game. Moves agreed upon are made at once, and forced passes.
    pub fn new(id: Token, host: Token, terms: Terms, seats: [Seat; 2], now: u64) -> GameState {
        let phase = if seats.iter().all(Seat::is_taken) { Phase::Playing } else { Phase::Open };
        let opening = terms.opening.clone();
        let mut state = GameState {
            id: id.to_string(),
            version: 1,
            created: now,
            position: terms.start,
            clocks: terms.clock.map(Clocks::new),
            terms,
            seats,
            host,
            phase,
            turns: Vec::new(),
            undone: Vec::new(),
            last: None,
            opening: None,
            turn_began: now,
            paused: false,
            step: false,
            undo_offer: None,
            time_offer: None,
            greetings: [None; 2],
            series: Series::default(),
            rematch: None,
        };
        for mv in opening {
            state.push(Turn { mv, time_ms: 0, verdict: None });
        }
        state.pass_where_forced();
        state.end_if_over();
        state
    }

    /// Whose turn it is, as long as the game goes on.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    pub fn position(&self) -> &GridPosition {
        &self.position
    }

    pub fn last(&self) -> Option<Last> {
        self.last
    }

    pub fn seat(&self, color: Color) -> &Seat {
        &self.seats[color as usize]
    }

    /// The player that has to think now, if a computer has the move and is not held back.
    pub fn computer_to_move(&self) -> Option<&str> {
        let player = self.seat(self.turn()).player()?;
        (self.phase == Phase::Playing && (!self.paused || self.step)).then_some(player)
    }

    /// The moves as a record that can be written in any format.
    pub fn record(&self) -> Game {
        let mut game = Game::from_position(self.terms.start);
        game.objective = self.terms.objective;
        game.tags.set(tag::PLACE, "Emilia");
        for (color, name) in [(Color::Black, tag::BLACK), (Color::White, tag::WHITE)] {
            game.tags.set(name, self.seat(color).name.as_deref().unwrap_or(""));
        }
        for turn in &self.turns {
            if game.play(turn.mv).is_err() {
                break;
            }
            let note = game.note_mut();
            note.time = Some(std::time::Duration::from_millis(turn.time_ms));
            // Records keep discs; textbook players count in units of their own.
            let discs = turn.verdict.and_then(|verdict| verdict.value?.discs());
            note.evaluation = discs.map(Evaluation::new);
        }
        if let Phase::Over(ended) = self.phase {
            game.result = Some(self.recorded_result(ended));
        }
        game.to_start();
        game
    }

    fn recorded_result(&self, ended: Ended) -> GameResult {
        use emilia_record::Ending as Recorded;
        let ending = match ended.ending {
            Ending::Counted => return GameResult::counted(self.position.counts().margin()),
            Ending::Aborted => return GameResult::Other("aborted".to_owned()),
            Ending::Resigned => Recorded::Resigned,
            Ending::Timeout => Recorded::TimedOut,
        };
        GameResult::Decided { winner: ended.winner, ending }
    }
}

/// Bookkeeping that the actions share.
impl GameState {
    /// Makes a move that is known to be legal.
    fn push(&mut self, turn: Turn) {
        if let Move::Place(point) = turn.mv {
            let (color, flips) = (self.position.turn(), self.position.flips(point));
            self.last = Some(Last { ply: self.turns.len() + 1, color, point, flips });
        }
        self.position = self.position.played(turn.mv);
        self.opening = Opening::next(self.opening, &self.position);
        self.turns.push(turn);
    }

    fn pass_where_forced(&mut self) {
        if self.position.status() == Status::MustPass {
            self.push(Turn { mv: Move::Pass, time_ms: 0, verdict: None });
        }
    }

    fn end_if_over(&mut self) {
        if self.phase == Phase::Playing && self.position.is_over() {
            let winner = match self.position.counts().outcome(self.terms.objective) {
                Outcome::Win(color) => Some(color),
                Outcome::Draw => None,
            };
            self.end(Ended { winner, ending: Ending::Counted });
        }
    }

    fn end(&mut self, ended: Ended) {
        self.phase = Phase::Over(ended);
        self.time_offer = None;
        self.undo_offer = None;
        self.step = false;
        if let Some(clocks) = &mut self.clocks {
            clocks.stop();
        }
    }

    /// Sets the board to the position after so many of the moves made.
    fn rebuild(&mut self, ply: usize) {
        let turns = std::mem::take(&mut self.turns);
        self.position = self.terms.start;
        self.last = None;
        self.opening = None;
        for turn in turns.into_iter().take(ply) {
            self.push(turn);
        }
    }
}
