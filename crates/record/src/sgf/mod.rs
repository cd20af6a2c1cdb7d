//! Smart Game Format, `FF[4]GM[2]`: games with variations and comments.
//!
//! Squares are written as players write them (`f5`), a pass as `PA`. Besides the standard properties the writer uses
//! private ones, which other programs skip: `DP` for the depth of an evaluation, `TU` for seconds used, `CB` and `CW` for
//! the clocks as GGF writes them, `EN` for an ending other than counting. Evaluations are `V`, for Black. Tags whose
//! names are not one or two capitals are left out unless the format has a name for them.
//!
//! ```
//! use emilia_record::{sgf, Path};
//! let game = sgf::parse("(;FF[4]GM[2];B[f5](;W[d6])(;W[f4]C[sharp \\] move]))").unwrap();
//! let alternative = game.note_at(&"/0/1".parse().unwrap()).unwrap();
//! assert_eq!(alternative.comment, "sharp ] move");
//! assert_eq!(sgf::parse(&sgf::write(&game)).unwrap(), game);
//! ```

mod read;
mod write;

use crate::tag;

pub use read::parse;
pub(crate) use read::split;
pub use write::write;

/// Properties that mean the same in every format.
const NAMES: [(&str, &str); 8] = [
    ("EV", tag::EVENT),
    ("PC", tag::PLACE),
    ("DT", tag::DATE),
    ("RO", tag::ROUND),
    ("PB", tag::BLACK),
    ("PW", tag::WHITE),
    ("BR", tag::BLACK_RATING),
    ("WR", tag::WHITE_RATING),
];

/// Properties with a meaning of their own, or of none for a record.
const RESERVED: [&str; 28] = [
    "FF", "GM", "SZ", "CA", "AP", "ST", "AB", "AW", "AE", "PL", "RE", "RU", "B", "W", "C", "V", "DP", "TU",
    "CB", "CW", "EN", "TR", "SQ", "CR", "MA", "LB", "AR", "LN",
];

/// Properties that are drawn on the board, in the order in which they are written.
pub(crate) const DRAWN: [&str; 7] = ["TR", "SQ", "CR", "MA", "LB", "AR", "LN"];

/// Whether a property is kept under its own name.
fn is_own_tag(name: &str) -> bool {
    (1..=2).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_uppercase())
        && !RESERVED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ending, Fault, GameResult, MAX_DEPTH};
    use emilia_rules::{Color, Objective};

    #[test]
    fn the_usual_form_is_read() {
        let text = "(;FF[4]GM[2]SZ[8]PB[a]PW[b]AB[e4][d5]AW[d4][e5]PL[B]RE[B+12];B[f5];W[d6])";
        let game = parse(text).unwrap();
        assert!(game.is_usual_start());
        assert_eq!(game.result, Some(GameResult::counted(12)));
        assert_eq!(game.main_line().count(), 2);
        assert!(matches!(parse("(;GM[1];B[aa])"), Err(Fault::OtherGame(_))));
        assert!(matches!(parse("(;GM[2];W[f5])"), Err(Fault::WrongTurn { ply: 1, .. })));
        assert!(matches!(parse("(;GM[2];B[f5]AB[a1])"), Err(Fault::BoardChange(_))));
    }

    #[test]
    fn what_is_drawn_on_the_board_is_kept() {
        let text = "(;GM[2]GN[Parity]CR[a1][h8];B[f5]TR[c3:d4]LB[f4:A\\]][d6:1]AR[f5:d6]LN[a1:h8]C[why])";
        let game = parse(text).unwrap();
        let note = game.note_at(&"/0".parse().unwrap()).unwrap();
        let drawn: Vec<String> = note.markings.iter().map(ToString::to_string).collect();
        assert_eq!(
            drawn,
            ["TR c3", "TR d3", "TR c4", "TR d4", "LB f4 A]", "LB d6 1", "AR f5 d6", "LN a1 h8"]
        );
        assert_eq!(game.tags.value("GN"), Some("Parity"));
        assert_eq!(game.tags.value("CR"), None);
        assert_eq!(parse(&write(&game)).unwrap(), game);
        assert_eq!(crate::json::parse(&crate::json::write(&game)).unwrap(), game);
        assert!(matches!(
            parse("(;GM[2];B[f5]AR[f5])"),
            Err(Fault::Field { what: "marking on the board", .. })
        ));
    }

    #[test]
    fn trees_that_are_never_closed_do_not_swallow_the_next() {
        let text = "(;GM[2];B[f5]C[oh\n(;GM[2];B[f5])(;GM[2];B[d3])\n(;FF[4]GM[2]";
        assert_eq!(split(text).count(), 4);
        assert_eq!(split(text).filter(|game| parse(game).is_ok()).count(), 2);
    }

    #[test]
    fn brackets_inside_values_open_and_close_nothing() {
        let games = [
            "(;GM[2]C[a ) b];B[f5](;W[d6])(;W[f6]))",
            "(;GM[2]C[\\] ) (];B[d3])",
            "(;GM[2]C[[\\\\\nand]\n;B[d3])",
        ];
        for between in ["", "\n", " and "] {
            let text = games.join(between);
            assert_eq!(split(&text).collect::<Vec<_>>(), games);
        }
    }

    #[test]
    fn only_names_of_properties_are_written() {
        let mut game = parse("(;GM[2]RU[Japanese];B[f5])").unwrap();
        game.tags.set("Annotator", "me");
        game.tags.set("AB", "[a1]");
        let bare = "(;FF[4]GM[2]CA[UTF-8]SZ[8]RU[Japanese]AB[e4][d5]AW[d4][e5]PL[B];B[f5])\n";
        assert_eq!(write(&game), bare);
        game.objective = Objective::Fewest;
        assert_eq!(write(&game), bare.replace("Japanese", "anti"));
    }

    #[test]
    fn discs_are_put_and_taken_away_before_the_game() {
        let game = parse("(;GM[2]SZ[4]AB[a1:d1][c3]AW[a2:b3]AE[b2][d1]PL[white])").unwrap();
        assert_eq!(game.start().to_string(), "XXX-O---OOX----- O");
        let game = parse("(;GM[2]SZ[4:4]PL[b])").unwrap();
        assert_eq!(game.start().to_string(), "-----OX--XO----- X");
        assert!(parse("(;GM[2]SZ[4]AB[e1])").is_err() && parse("(;GM[2]SZ[5])").is_err());
    }

    #[test]
    fn rules_say_who_wins_or_are_kept() {
        for word in ["anti", "Fewest", " reversed "] {
            let game = parse(&format!("(;GM[2]RU[{word}])")).unwrap();
            assert_eq!((game.objective, game.tags.value("RU")), (Objective::Fewest, None), "{word}");
        }
        let game = parse("(;GM[2]RU[Japanese])").unwrap();
        assert_eq!((game.objective, game.tags.value("RU")), (Objective::Most, Some("Japanese")));
        assert_eq!(parse(&write(&game)), Ok(game));
    }

    #[test]
    fn results_name_the_winner_and_the_margin() {
        let decided = |winner, ending| Some(GameResult::Decided { winner, ending });
        let other = |words: &str| Some(GameResult::Other(words.to_owned()));
        let (black, white) = (Some(Color::Black), Some(Color::White));
        for (text, expected) in [
            ("B+12", Some(GameResult::counted(12))),
            ("w+0.5", Some(GameResult::Margin { black: -0.5, ending: Ending::Counted })),
            ("0", Some(GameResult::counted(0))),
            ("B+", decided(black, Ending::Counted)),
            ("W+R", decided(white, Ending::Resigned)),
            ("B+Resign", decided(black, Ending::Resigned)),
            ("B+T", decided(black, Ending::TimedOut)),
            ("W+Time", decided(white, Ending::TimedOut)),
            ("B+F", decided(black, Ending::Left)),
            ("W+Forfeit", decided(white, Ending::Left)),
            ("Draw", decided(None, Ending::Counted)),
            ("?", None),
            ("Void", other("Void")),
            ("B+0", other("B+0")),
            ("W+-3", other("W+-3")),
            ("X+3", other("X+3")),
        ] {
            assert_eq!(parse(&format!("(;GM[2]RE[{text}])")).unwrap().result, expected, "{text}");
        }
    }

    #[test]
    fn variations_may_lie_as_deep_as_is_said() {
        let nested = |depth: usize| parse(&format!("(;GM[2]{}{})", "(".repeat(depth), ")".repeat(depth)));
        assert!(nested(MAX_DEPTH).is_ok());
        assert_eq!(nested(MAX_DEPTH + 1), Err(Fault::TooDeep));
    }

    #[test]
    fn deep_nesting_is_refused_and_costs_no_stack() {
        assert_eq!(parse(&format!("(;GM[2]{}", "(".repeat(1_000_000))), Err(Fault::TooDeep));
    }
}
