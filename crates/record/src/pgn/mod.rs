//! Portable Game Notation as PlayOK and others write it for Othello: tags, numbered moves, variations, comments.
//!
//! A start other than the usual one on 8×8 is a `FEN` tag (see [`fen`](crate::fen)); a result is `40-24`, `1-0`, `0-1`,
//! `1/2-1/2` or `*`. Evaluations and times stand at the head of a comment as `[%eval +2.5,24@98%] [%emt 0.3]`. A closing
//! brace inside a comment becomes a parenthesis, because the format has no way to write it. Tags whose names are not
//! words are left out.
//!
//! ```
//! use emilia_record::pgn;
//! let game = pgn::parse("[Black \"Tom\"]\n\n1. f5 d6 (1... f4 {sharp}) 2. c3 *").unwrap();
//! assert_eq!(game.main_line().count(), 3);
//! assert_eq!(game.note_at(&"/0/1".parse().unwrap()).unwrap().comment, "sharp");
//! assert_eq!(pgn::parse(&pgn::write(&game)).unwrap(), game);
//! ```

mod read;
mod write;

use crate::tag;

pub use read::parse;
pub(crate) use read::split;
pub use write::write;

/// Tags that other formats call otherwise.
const NAMES: [(&str, &str); 3] =
    [("Site", tag::PLACE), ("BlackElo", tag::BLACK_RATING), ("WhiteElo", tag::WHITE_RATING)];

/// Tags with a meaning of their own.
const RESERVED: [&str; 7] = ["Result", "FEN", "SetUp", "Termination", "Variant", "BlackClock", "WhiteClock"];

/// What begins a new game inside a comment that was never closed.
const NEXT_GAME: &str = "\n[Event \"";

/// Whether a name can be that of a tag.
fn is_word(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::read::result;
    use super::write::result_text;
    use super::*;
    use crate::{Ending, GameResult};
    use emilia_rules::Size;

    #[test]
    fn results_are_counts_or_verdicts() {
        for (text, margin) in [("40-24", Some(16.0)), ("33-31", Some(2.0)), ("1-0", None), ("*", None)] {
            let read = result(text);
            assert_eq!(read.as_ref().and_then(GameResult::margin), margin, "{text}");
            assert_eq!(result_text(read.as_ref(), Size::EIGHT), text);
        }
        for margin in [1.0, -1.0, 17.0, 64.0, -64.0, 2.5, -0.5, 1000.0, 0.0] {
            let given = GameResult::Margin { black: margin, ending: Ending::Counted };
            for size in Size::all() {
                assert_eq!(result(&result_text(Some(&given), size)), Some(given.clone()), "{margin} {size}");
            }
        }
    }

    #[test]
    fn an_unclosed_comment_does_not_swallow_the_next_game() {
        let text =
            "[Event \"a\"]\n1. f5 {oh\n[Event \"b\"]\n1. f5 {ok} *\n[Event \"c\"]\n1. d3 (1. c4) c5 *\n";
        let games: Vec<bool> = split(text).map(|game| parse(game).is_ok()).collect();
        assert_eq!(games, [false, true, true]);
    }

    #[test]
    fn variations_leave_the_moves_before_alone() {
        let game = parse("1. f5 (1. c4 c3) (1. d3) 1... d6 (1... f4 (1... f6)) 2. c3 1-0").unwrap();
        assert_eq!(game.main_line().map(|mv| mv.to_string()).collect::<String>(), "f5d6c3");
        assert_eq!(game.continuations().map(|mv| mv.to_string()).collect::<String>(), "f5c4d3");
        for text in ["(1. f5)", "1. f5 )", "1. f5 (", "1. f5 {", "1. f5 * 2. d6", "1. f5 zz"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&format!("1. f5 {}", "(f5 ".repeat(100_000))).is_err());
    }
}
