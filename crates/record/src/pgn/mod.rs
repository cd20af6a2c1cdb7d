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
    use crate::{Ending, Fault, GameResult};
    use emilia_rules::{Objective, Playable, Size};

    #[test]
    fn results_are_counts_or_verdicts() {
        for (text, margin) in [("40-24", Some(16.0)), ("33-31", Some(2.0)), ("1-0", None), ("*", None)] {
            let read = result(text);
            assert_eq!(read.as_ref().and_then(GameResult::margin), margin, "{text}");
            assert_eq!(result_text(read.as_ref(), Size::EIGHT), text);
        }
        for text in ["+40-24", "40-+24", "40--24", "40-x", "adjourned"] {
            assert_eq!(result(text), Some(GameResult::Other(text.to_owned())), "{text}");
        }
        let written =
            |black| result_text(Some(&GameResult::Margin { black, ending: Ending::Counted }), Size::EIGHT);
        // Both counts fill the board, or leave one square free.
        for (margin, text) in
            [(64.0, "64-0"), (-64.0, "0-64"), (17.0, "40-23"), (-1.0, "31-32"), (0.0, "32-32")]
        {
            assert_eq!(written(margin), text);
        }
        for (margin, text) in [(65.0, "65-0.0"), (-65.0, "0.0-65"), (2.5, "2.5-0.0")] {
            assert_eq!(written(margin), text);
        }
        for margin in [1.0, -1.0, 17.0, 64.0, -64.0, 2.5, -0.5, 1000.0, 0.0] {
            let given = GameResult::Margin { black: margin, ending: Ending::Counted };
            for size in Size::all() {
                assert_eq!(result(&result_text(Some(&given), size)), Some(given.clone()), "{margin} {size}");
            }
        }
    }

    #[test]
    fn names_of_tags_are_words() {
        for name in ["A", "WhiteElo", "a_b", "_", "9", &"x".repeat(64)] {
            assert!(is_word(name), "{name}");
        }
        for name in ["", "a b", "a-b", "Ü", &"x".repeat(65)] {
            assert!(!is_word(name), "{name}");
            assert!(parse(&format!("[{name} \"x\"]\n\n1. f5 *")).is_err(), "{name}");
            let mut game = parse("1. f5 *").unwrap();
            game.tags.set(name, "kept out");
            assert!(!write(&game).contains("kept out"), "{name}");
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
    fn a_game_ends_where_a_line_of_tags_follows_its_moves() {
        for games in [
            ["[Event \"a\"]\nf5\n", "[Event \"b\"]\nd3\n"],
            ["[Event \"a\"]\n [Site \"b\"]\n\n1. f5 *\n", " [Event \"c\"]\n1. d3"],
            ["1. f5 {see\n[this] and } d6 *\n", "[Event \"b\"]\n1. d3"],
            ["1. f5 ;{ opens nothing\nd6 *\n", "[Site \"b\"]\n1. d3 {} *"],
            ["1. f5 [ {a\n[b]} *\n", "[Event \"b\"]\n1. d3"],
            ["1. f5 {oh\n\n", "[Event \"b\"]\n1. d3"],
        ] {
            let whole = games.concat();
            let parts: Vec<&str> = split(&whole).map(str::trim).collect();
            assert_eq!(parts, games.map(str::trim), "{whole}");
        }
        assert_eq!(split(" \n").count(), 0);
    }

    fn moves(text: &str) -> Result<String, Fault> {
        parse(text).map(|game| game.main_line().map(|mv| mv.to_string()).collect())
    }

    #[test]
    fn numbers_marks_and_dots_are_passed_over() {
        for text in ["1. f5 $1 d6 !? 2 c3 ... *", "1.f5 1...d6!? 2.c3?", "f5 d6 c3 1-0", "1 f5 2 d6 3 c3 *"] {
            assert_eq!(moves(text), Ok("f5d6c3".to_owned()), "{text}");
        }
        // Without a number before it, a dot is no part of a move.
        assert!(moves("1. f5 .d6").is_err());
        // Four zeros are no number but a pass.
        assert_eq!(moves("[FEN \"xo2/4/4/4 o\"]\n\n1. 0000 *"), Ok("pass".to_owned()));
    }

    #[test]
    fn a_comment_may_run_to_the_end_of_its_line() {
        let game = parse("1. f5 ;why } not\nd6 ;the end").unwrap();
        let comments: Vec<&str> = game.walk().map(|(_, _, note)| note.comment.as_str()).collect();
        assert_eq!(comments, ["", "why ) not", "the end"]);
        let missing = |what, text: &str| Err(Fault::Missing { what, text: text.to_owned() });
        assert_eq!(moves("1. f5 } d6"), missing("{", "} d6"));
        assert_eq!(moves("1. f5 ) d6"), missing("(", ") d6"));
        assert_eq!(moves("1. f5 {why"), missing("}", "{why"));
        assert_eq!(moves("1. f5 (1. d3"), missing(")", "the last move"));
        assert_eq!(moves("1. f5 (1. d3 *"), missing(")", "*"));
    }

    #[test]
    fn tags_say_which_game_is_played_and_how_it_ended() {
        let game = |tags: &str| parse(&format!("{tags}\n\n1. f5 *")).unwrap();
        for word in ["anti", "FEWEST", "Reversed"] {
            let game = game(&format!("[Variant \"{word}\"]"));
            assert_eq!((game.objective, game.tags.value("Variant")), (Objective::Fewest, None));
        }
        let other = game("[Variant \"Othello\"]\n[Event \"a\nb\r\"]\n[Site \"?\"]\n[Date \"????.??.??\"]");
        assert_eq!(other.objective, Objective::Most);
        let tags: Vec<(&str, &str)> = other.tags.iter().collect();
        assert_eq!(tags, [("Event", "a b"), ("Variant", "Othello")]);
        let written = |game: &crate::Game| {
            write(game).lines().filter(|line| line.contains("Variant")).collect::<String>()
        };
        assert_eq!(written(&other), "[Variant \"Othello\"]");
        let mut reversed = other.clone();
        reversed.objective = Objective::Fewest;
        assert_eq!(written(&reversed), "[Variant \"anti\"]");
        let resigned = game("[Result \"40-24\"]\n[Termination \"Resigned\"]");
        assert_eq!(resigned.result, Some(GameResult::Margin { black: 16.0, ending: Ending::Resigned }));
        assert!(resigned.tags.is_empty());
        let unknown = game("[Result \"1-0\"]\n[Termination \"by phone\"]");
        assert_eq!(unknown.result.unwrap().ending(), Ending::Counted);
        assert_eq!(unknown.tags.value("Termination"), Some("by phone"));
    }

    #[test]
    fn the_second_players_move_has_a_number_where_something_stands_before_it() {
        let mut game = parse("1. f5 d6 (1... f4 2. e3) 2. c3 {why} d3 *").unwrap();
        let text = write(&game);
        let (tags, moves) = text.split_once("\n\n").unwrap();
        assert_eq!((tags, moves), ("[Result \"*\"]", "1. f5 d6 ( 1... f4 2. e3 ) 2. c3 {why} 2... d3 *\n"));
        // Names with a meaning of their own are not those of other tags.
        game.tags.set("Result", "1-0");
        game.tags.set("SetUp", "1");
        assert_eq!(write(&game), text);
    }

    #[test]
    fn lines_are_filled_up_to_80_characters() {
        let mut game = crate::Game::new(Size::new(26).unwrap());
        while game.ply() < 400
            && let Some(mv) = game.position().moves().last()
        {
            game.play(mv).unwrap();
        }
        let text = write(&game);
        let lines: Vec<&str> = text.split_once("\n\n").unwrap().1.lines().collect();
        assert!(lines.len() > 10);
        for pair in lines.windows(2) {
            let next = pair[1].split(' ').next().unwrap();
            assert!(pair[0].len() <= 80 && pair[0].len() + 1 + next.len() > 80, "{pair:?}");
        }
        assert!(lines.iter().all(|line| line.trim() == *line && !line.contains("  ")));
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
