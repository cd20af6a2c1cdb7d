//! UGI, the Universal Game Interface: what chess engines speak, for two players who need not be white and black.
//!
//! Player 1 is Black. A pass is `0000` and stands among the moves. Scores are in hundredths of a disc.

mod client;
mod go;
mod server;

pub use client::Client;
pub use server::Server;

use emilia_rules::{Move, Point, Size, parse_move};

/// A move as it is written.
fn word(mv: Move<Point>) -> String {
    match mv {
        Move::Place(point) => point.to_string(),
        Move::Pass => "0000".to_owned(),
    }
}

/// The move that is written so.
fn read(word: &str, size: Size) -> Option<Move<Point>> {
    if word == "0000" || word.eq_ignore_ascii_case("pass") {
        return Some(Move::Pass);
    }
    let letter = word.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    let digits = word.len() > 1 && word.bytes().skip(1).all(|byte| byte.is_ascii_digit());
    (letter && digits).then(|| parse_move(word, size).ok()).flatten()
}
