use emilia_query::Query;
use emilia_rules::{Color, GridPosition, IllegalMove, Move, Playable, Point, Size, Status};

use super::command::Reply;
use super::refusal::Refusal;

/// The game on the engine's board, and how much of it each command has made.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) query: Query,
    /// Moves made by each command that can be undone: a pass may have been put in, and passes after the end of the
    /// game make no move.
    commands: Vec<usize>,
}

/// Commands that can be undone; no game and no dawdling after it needs more.
const MOST_COMMANDS: usize = 10_000;

impl Game {
    pub(super) fn new(size: Size) -> Game {
        Game { query: Query::new(GridPosition::start(size)), commands: Vec::new() }
    }

    /// A game that was read from a record.
    pub(super) fn from_moves(start: GridPosition, moves: impl Iterator<Item = Move<Point>>) -> Game {
        let mut game = Game { query: Query::new(start), commands: Vec::new() };
        for mv in moves {
            if game.query.play(mv).is_err() {
                break;
            }
            game.commands.push(1);
        }
        game
    }

    pub(super) fn position(&self) -> &GridPosition {
        self.query.position()
    }

    pub(super) fn size(&self) -> Size {
        self.query.position().size()
    }

    /// Makes a move for this side. A pass that the other side must make first is put in.
    pub(super) fn play(&mut self, color: Color, mv: Move<Point>) -> Reply {
        if self.position().is_over() {
            if mv != Move::Pass {
                return Err(Refusal::Illegal(IllegalMove::GameOver));
            }
            return self.made(0);
        }
        let passes = self.turn_to(color)?;
        if let Err(error) = self.query.play(mv) {
            if passes > 0 {
                self.query.undo();
            }
            return Err(Refusal::Illegal(error));
        }
        self.made(passes + 1)
    }

    /// Makes it this side's turn if a forced pass can do that; how many passes that took.
    pub(super) fn turn_to(&mut self, color: Color) -> Result<usize, Refusal> {
        let turn = self.position().turn();
        if turn == color {
            return Ok(0);
        }
        if self.position().status() != Status::MustPass || self.query.play(Move::Pass).is_err() {
            return Err(Refusal::NotTheTurnOf(turn));
        }
        Ok(1)
    }

    /// Remembers what a command has made.
    pub(super) fn made(&mut self, moves: usize) -> Reply {
        if self.commands.len() >= MOST_COMMANDS {
            self.commands.remove(0);
        }
        self.commands.push(moves);
        Ok(String::new())
    }

    /// Takes back what the last command made.
    pub(super) fn undo(&mut self) -> Reply {
        let moves = self.commands.pop().ok_or(Refusal::NothingToUndo)?;
        for _ in 0..moves {
            self.query.undo();
        }
        Ok(String::new())
    }

    /// The board for GoGui, whose first row is the one with the highest number.
    pub(super) fn rows(&self) -> String {
        let side = self.size().get();
        let row = |row: u8| {
            let cells = (0..side).filter_map(|column| Point::new(column, row)).map(|point| {
                match self.position().disc(point) {
                    Some(Color::Black) => "X",
                    Some(Color::White) => "O",
                    None => ".",
                }
            });
            cells.collect::<Vec<_>>().join(" ")
        };
        (0..side).rev().map(row).collect::<Vec<_>>().join("\n")
    }

    /// The result as GTP writes it: `B+8`, `W+8`, `0`, with the empty squares to the winner. While the game goes on
    /// there is none, and no winner who could get them.
    pub(super) fn score(&self) -> Reply {
        if !self.position().is_over() {
            return Err(Refusal::NotOver);
        }
        Ok(match self.position().counts().margin() {
            0 => "0".to_owned(),
            margin if margin > 0 => format!("B+{margin}"),
            margin => format!("W+{}", -margin),
        })
    }

    /// The result in words.
    pub(super) fn result(&self) -> String {
        let counts = self.position().counts();
        match self.position().status() {
            Status::Over(outcome) => {
                let mut words = outcome.to_string();
                words[..1].make_ascii_uppercase();
                format!("{words} {counts}")
            }
            _ => format!("The game is not over yet, {counts}"),
        }
    }
}
