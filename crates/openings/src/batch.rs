//! Games that become one file.

use std::collections::HashMap;

use arrayvec::ArrayVec;
use emilia_rules::Square;

use crate::Played;

/// Most games of one file: their numbers have 18 bits.
pub(crate) const MOST_GAMES: usize = 1 << 18;

/// Games with their names apart, since the same names come again and again.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) players: Names,
    pub(crate) events: Names,
    pub(crate) rows: Vec<Row>,
}

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) who: Who,
    pub(crate) when: When,
    pub(crate) identity: u64,
    pub(crate) squares: ArrayVec<Square, 60>,
}

/// The numbers of Black, White and the event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Who {
    pub(crate) black: u32,
    pub(crate) white: u32,
    pub(crate) event: u32,
}

/// What is looked at for every game of a position: the year, 0 if it is not known, and the code of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct When {
    pub(crate) year: u16,
    pub(crate) ended: i8,
}

/// Texts that are numbered as they come.
#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<String, u32>,
    pub(crate) list: Vec<String>,
}

impl Names {
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.list.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.list.push(name.to_owned());
        number
    }
}

impl Batch {
    pub(crate) fn push(&mut self, game: &Played, identity: u64) {
        self.rows.push(Row {
            who: Who {
                black: self.players.number(&game.black),
                white: self.players.number(&game.white),
                event: self.events.number(&game.event),
            },
            when: When { year: game.year.unwrap_or(0), ended: game.ended.code() },
            identity,
            squares: game.squares.clone(),
        });
    }

    /// Games in the order of their years, so that the latest of a position are the last.
    pub(crate) fn sort(&mut self) {
        self.rows.sort_by_key(|row| row.when.year);
    }
}
