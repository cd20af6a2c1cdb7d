//! The Generic Game Format of the Othello servers: `(;GM[Othello]…B[f5/1.20/3.4]…;)`.
//!
//! Unknown tags are kept. Only the main line is written, because the format has no variations; depths of evaluations,
//! and what is noted at the start besides a comment, are left out. A closing bracket inside a value becomes a
//! parenthesis and `(;` becomes `( ;`, because the format has no way to write them.
//!
//! ```
//! use emilia_record::{ggf, tag};
//! let game = ggf::parse("(;GM[Othello]PB[Tom]PW[Kitty]TY[8]B[f5/0.50/2.1]W[d6//0.3];)").unwrap();
//! assert_eq!(game.tags.value(tag::WHITE), Some("Kitty"));
//! assert!(ggf::write(&game).ends_with("B[f5/0.5/2.1]W[d6//0.3];)"));
//! ```

use std::fmt::Write;

use emilia_rules::{Color, GridPosition, Move, Objective, Playable, Size, Status};

use crate::clock::span;
use crate::fault::clip;
use crate::movetext::follow;
use crate::number::{real, seconds_text, signed};
use crate::{Clock, Clocks, Ending, Evaluation, Fault, Game, GameResult, board, tag};

/// Tags that mean the same in every format.
const NAMES: [(&str, &str); 8] = [
    ("EV", tag::EVENT),
    ("PC", tag::PLACE),
    ("DT", tag::DATE),
    ("RO", tag::ROUND),
    ("PB", tag::BLACK),
    ("PW", tag::WHITE),
    ("RB", tag::BLACK_RATING),
    ("RW", tag::WHITE_RATING),
];

/// Tags with a meaning of their own.
const RESERVED: [&str; 10] = ["GM", "RE", "TI", "TB", "TW", "TY", "BO", "B", "W", "CO"];

/// Reads one game, from `(;` to `;)`.
pub fn parse(text: &str) -> Result<Game, Fault> {
    let tags = pairs(text)?;
    let value = |name: &str| tags.iter().rev().find(|(tag, _)| *tag == name).map(|(_, value)| value.trim());
    if let Some(other) = value("GM").filter(|game| !game.eq_ignore_ascii_case("othello")) {
        return Err(Fault::OtherGame(clip(other)));
    }
    let kind = value("TY").map(MatchType::parse).transpose()?;
    let start = match value("BO") {
        Some(board) => start_board(board)?,
        None => GridPosition::start(kind.as_ref().map_or(Size::EIGHT, |kind| kind.size)),
    };
    let mut game = Game::from_position(start);
    if kind.as_ref().is_some_and(|kind| kind.anti) {
        game.objective = Objective::Fewest;
    }
    if let Some(clock) = value("TI").map(clock).transpose()? {
        game.clocks = Clocks::both(clock);
    }
    if let Some(own) = value("TB").map(clock).transpose()? {
        game.clocks.black = Some(own);
    }
    if let Some(own) = value("TW").map(clock).transpose()? {
        game.clocks.white = Some(own);
    }
    game.result = value("RE").and_then(result);
    for (name, value) in &tags {
        let value = value.trim();
        match *name {
            "B" => follow_move(&mut game, Color::Black, value)?,
            "W" => follow_move(&mut game, Color::White, value)?,
            "CO" => game.note_mut().add_comment(value),
            name if is_own_tag(name) => {
                let known = NAMES.iter().find(|(short, _)| *short == name).map(|(_, known)| *known);
                game.tags.set(known.unwrap_or(name), value);
            }
            _ => {}
        }
    }
    if let (Some(kind), Some(text)) = (kind, value("TY"))
        && kind.size == game.size()
        && text != plain_type(&game)
    {
        game.tags.set(tag::MATCH_TYPE, text);
    }
    game.to_start();
    Ok(game)
}

/// Whether a tag is kept under its own name.
fn is_own_tag(name: &str) -> bool {
    (1..=2).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_uppercase())
        && !RESERVED.contains(&name)
}

/// The tags of a game with their values.
fn pairs(text: &str) -> Result<Vec<(&str, &str)>, Fault> {
    let missing = |what, text| Fault::Missing { what, text: clip(text) };
    let mut rest = text.trim().strip_prefix("(;").ok_or_else(|| missing("(;", ""))?;
    let mut pairs = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.starts_with(";)") {
            return Ok(pairs);
        }
        let (name, after) = rest.split_once('[').ok_or_else(|| missing(";)", rest))?;
        let name = name.trim_end();
        if name.is_empty() || name.len() > 8 || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(Fault::Field { what: "tag", text: clip(name) });
        }
        let (value, after) = after.split_once(']').ok_or_else(|| missing("]", after))?;
        if value.contains("(;") {
            return Err(missing("]", value));
        }
        pairs.push((name, value));
        rest = after;
    }
}

/// What a match type says about the game: `s8r20`, `8a`, `10`.
struct MatchType {
    size: Size,
    anti: bool,
}

impl MatchType {
    fn parse(text: &str) -> Result<MatchType, Fault> {
        let rest = text.trim_start_matches(['s', 'S']);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let flags = &rest[digits..];
        let size = match rest[..digits].parse::<usize>() {
            Ok(side) => Size::new(side).map_err(|_| Fault::OtherGame(clip(text)))?,
            Err(_) => return Err(Fault::Field { what: "match type", text: clip(text) }),
        };
        Ok(MatchType { size, anti: flags.contains(['a', 'A']) })
    }
}

/// Reads `<type> <cells> <side>`.
fn start_board(text: &str) -> Result<GridPosition, Fault> {
    let (kind, cells) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let size = MatchType::parse(kind)?.size;
    let position = board::parse(cells)?;
    if position.size() != size {
        return Err(Fault::Field { what: "board of the stated size", text: clip(text) });
    }
    Ok(position)
}

fn clock(text: &str) -> Result<Clock, Fault> {
    text.parse().map_err(|_| Fault::Field { what: "clock", text: clip(text) })
}

/// Reads `+2.000`, `-64.00:r`, `?`, or a word.
fn result(text: &str) -> Option<GameResult> {
    let (score, flag) = text.split_once(':').unwrap_or((text, ""));
    if score.trim().is_empty() || score.trim() == "?" {
        return None;
    }
    let ending = match flag.trim().to_ascii_lowercase().as_str() {
        "r" => Ending::Resigned,
        "t" => Ending::TimedOut,
        "s" => Ending::Agreed,
        "l" => Ending::Left,
        _ => Ending::Counted,
    };
    let decided = |winner| GameResult::Decided { winner, ending };
    Some(match (real(score.trim()), score.trim()) {
        (Some(black), _) => GameResult::Margin { black, ending },
        (None, "black") => decided(Some(Color::Black)),
        (None, "white") => decided(Some(Color::White)),
        (None, "draw") => decided(None),
        _ => GameResult::Other(text.to_owned()),
    })
}

/// Makes a move such as `d2/2.39/0.01` for this side.
fn follow_move(game: &mut Game, color: Color, value: &str) -> Result<(), Fault> {
    let mut fields = value.split('/');
    let word = fields.next().unwrap_or_default().trim();
    let word = if word.eq_ignore_ascii_case("p") { "pass" } else { word };
    if game.position().is_over() && crate::movetext::is_pass(word) {
        return Ok(());
    }
    if game.position().turn() != color {
        let ply = game.ply() + 1;
        if game.position().status() != Status::MustPass {
            return Err(Fault::WrongTurn { ply, text: clip(value) });
        }
        follow(game, "pass")?;
    }
    follow(game, word)?;
    let number = |what, text: &str| Fault::Field { what, text: clip(text) };
    if let Some(text) = fields.next().map(str::trim).filter(|text| !text.is_empty()) {
        let discs = real(text).ok_or_else(|| number("evaluation", text))?;
        game.note_mut().evaluation = Some(Evaluation::new(discs));
    }
    if let Some(text) = fields.next().map(str::trim).filter(|text| !text.is_empty()) {
        game.note_mut().time = Some(span(text).ok_or_else(|| number("time", text))?);
    }
    Ok(())
}

/// The main line of a game, on one line.
#[must_use]
pub fn write(game: &Game) -> String {
    let mut text = String::from("(;GM[Othello]");
    let mut put = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{name}[{}]", clean(value));
    };
    let before = ["EV", "PC", "DT", "RO", "PB", "PW"];
    let known = |name: &str| NAMES.iter().find(|(_, known)| *known == name).map(|(short, _)| *short);
    for (name, value) in game.tags.iter() {
        if let Some(short) = known(name).filter(|short| before.contains(short)) {
            put(short, value);
        }
    }
    put("RE", &game.result.as_ref().map_or_else(|| "?".to_owned(), result_text));
    for (name, value) in game.tags.iter() {
        if let Some(short) = known(name).filter(|short| !before.contains(short)) {
            put(short, value);
        }
    }
    match game.clocks {
        Clocks { black: Some(black), white: Some(white) } if black == white => put("TI", &black.to_string()),
        Clocks { black, white } => {
            black.iter().for_each(|clock| put("TB", &clock.to_string()));
            white.iter().for_each(|clock| put("TW", &clock.to_string()));
        }
    }
    put("TY", &match_type(game));
    for (name, value) in game.tags.iter() {
        if is_own_tag(name) {
            put(name, value);
        }
    }
    put("BO", &board_text(game.start()));
    if !game.tree.note(crate::tree::START).comment.is_empty() {
        put("CO", &game.tree.note(crate::tree::START).comment);
    }
    for (color, mv, note) in game.annotated_line() {
        let mut value = match mv {
            Move::Place(point) => point.to_string(),
            Move::Pass => "PA".to_owned(),
        };
        if note.evaluation.is_some() || note.time.is_some() {
            value.push('/');
            note.evaluation.iter().for_each(|evaluation| value.push_str(&evaluation.discs.to_string()));
        }
        if let Some(time) = note.time {
            value.push('/');
            value.push_str(&seconds_text(time));
        }
        put(if color == Color::Black { "B" } else { "W" }, &value);
        if !note.comment.is_empty() {
            put("CO", &note.comment);
        }
    }
    text.push_str(";)");
    text
}

fn clean(value: &str) -> String {
    value.trim().replace(']', ")").replace("(;", "( ;")
}

fn result_text(result: &GameResult) -> String {
    let flag = match result.ending() {
        Ending::Counted => "",
        Ending::Resigned => ":r",
        Ending::TimedOut => ":t",
        Ending::Agreed => ":s",
        Ending::Left => ":l",
    };
    match result {
        GameResult::Margin { black, .. } => format!("{}{flag}", signed(*black)),
        GameResult::Decided { winner: Some(Color::Black), .. } => format!("black{flag}"),
        GameResult::Decided { winner: Some(Color::White), .. } => format!("white{flag}"),
        GameResult::Decided { winner: None, .. } => format!("draw{flag}"),
        GameResult::Other(words) => words.clone(),
    }
}

/// The recorded match type if it fits the game, else the plainest one that does.
fn match_type(game: &Game) -> String {
    let anti = game.objective == Objective::Fewest;
    if let Some(text) = game.tags.value(tag::MATCH_TYPE)
        && let Ok(kind) = MatchType::parse(text)
        && kind.size == game.size()
        && kind.anti == anti
    {
        return text.to_owned();
    }
    plain_type(game)
}

fn plain_type(game: &Game) -> String {
    format!("{}{}", game.size().get(), if game.objective == Objective::Fewest { "a" } else { "" })
}

fn board_text(position: &GridPosition) -> String {
    let side = |color| if color == Color::Black { '*' } else { 'O' };
    let mut text = position.size().get().to_string();
    for point in position.size().points() {
        if point.column() == 0 {
            text.push(' ');
        }
        text.push(position.disc(point).map_or('-', side));
    }
    text.push(' ');
    text.push(side(position.turn()));
    text
}

/// The games of a text, each from its `(;` to just before the next.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.find("(;").map(|at| &text[at..]);
    std::iter::from_fn(move || {
        let game = rest?;
        match game[2..].find("(;") {
            Some(at) => {
                rest = Some(&game[2 + at..]);
                Some(&game[..2 + at])
            }
            None => {
                rest = None;
                Some(game)
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_types_are_understood() {
        let score = |black, ending| Some(GameResult::Margin { black, ending });
        assert_eq!(result("+2.000"), score(2.0, Ending::Counted));
        assert_eq!(result("-64.00:r"), score(-64.0, Ending::Resigned));
        assert_eq!(result("0:t"), score(0.0, Ending::TimedOut));
        assert_eq!(result("?"), None);
        assert_eq!(result("aborted"), Some(GameResult::Other("aborted".to_owned())));
        for (text, side, anti) in [("8", 8, false), ("s8r20", 8, false), ("10ab", 10, true), ("8k", 8, false)]
        {
            let kind = MatchType::parse(text).unwrap();
            assert_eq!((kind.size.get(), kind.anti), (side, anti), "{text}");
        }
        assert_eq!(MatchType::parse("88").err(), Some(Fault::OtherGame("88".to_owned())));
    }

    #[test]
    fn passes_may_be_spelled_in_several_ways_or_left_out() {
        // White has no move; Black has c1.
        let board = "BO[4 *O-- ---- ---- ---- O]";
        for pass in ["W[PA]", "W[--]", "W[p]", "W[PASS//0.5]", ""] {
            let game = parse(&format!("(;GM[othello]{board}{pass}B[c1];)")).unwrap();
            assert_eq!(game.main_line().next(), Some(Move::Pass), "{pass}");
            assert_eq!(game.main_line().count(), 2, "{pass}");
        }
        let fault = parse("(;GM[Othello]W[f5];)").unwrap_err();
        assert_eq!(fault, Fault::WrongTurn { ply: 1, text: "f5".to_owned() });
        let fault = parse("(;GM[Othello]B[PA];)").unwrap_err();
        assert!(matches!(fault, Fault::Illegal { ply: 1, .. }), "{fault}");
    }
}
