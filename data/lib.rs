//! What lies in this folder and is part of the program. README.md beside this file says where each comes from; who reads
//! a file describes it.
//!
//! The folder is a crate, because a crate that is published takes along what lies in its own folder and nothing else.

/// Names of openings, for `emilia-record`.
pub static OPENING_NAMES: &str = include_str!("openings/names.tsv");
/// Balanced openings on 8×8, for `emilia-arena`.
pub static BALANCED_OPENINGS: &str = include_str!("openings/balanced-8.txt");
/// How tournament games went on, for `emilia-openings`.
pub static TOURNAMENT_SUMMARY: &[u8] = include_bytes!("openings/tournaments.summary");
/// Our opening book, for `emilia-book`.
pub static BOOK: &[u8] = include_bytes!("book/openings.ebk");
/// Our puzzles, for `emilia-puzzle`.
pub static PUZZLES: &str = include_str!("puzzles/puzzles.obf");
/// Players of the WTHOR database, for `emilia-service`.
pub static WTHOR_PLAYERS: &[u8] = include_bytes!("wthor/WTH.JOU");
/// Its tournaments.
pub static WTHOR_TOURNAMENTS: &[u8] = include_bytes!("wthor/WTH.TRN");
/// Our players by strength, for `emilia-arena`.
pub static LADDER: &str = include_str!("ladder/ladder.tsv");
