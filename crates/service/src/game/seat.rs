use serde::{Deserialize, Serialize};

use crate::token::Token;

/// One side of a game: a person, a computer, or nobody yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seat {
    pub name: Option<String>,
    pub holder: Sitter,
}

/// Who sits there.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sitter {
    Nobody,
    /// Whoever shows this token.
    Person(Token),
    /// The player of this name.
    Computer(String),
}

impl Seat {
    /// A seat that anybody may take.
    pub fn free() -> Seat {
        Seat { name: None, holder: Sitter::Nobody }
    }

    pub fn person(name: String, token: Token) -> Seat {
        Seat { name: Some(name), holder: Sitter::Person(token) }
    }

    pub fn computer(name: String, player: String) -> Seat {
        Seat { name: Some(name), holder: Sitter::Computer(player) }
    }

    pub fn is_taken(&self) -> bool {
        !matches!(self.holder, Sitter::Nobody)
    }

    /// The computer player's name, if one sits here.
    pub fn player(&self) -> Option<&str> {
        match &self.holder {
            Sitter::Computer(player) => Some(player),
            _ => None,
        }
    }

    /// Whether this token holds the seat.
    pub fn is_held_by(&self, token: Token) -> bool {
        matches!(self.holder, Sitter::Person(own) if own.same(token))
    }
}
