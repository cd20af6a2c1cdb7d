//! Portable Game Notation as PlayOK and others write it for Othello: tags, numbered moves, variations, comments.
//!
//! A start other than the usual one on 8×8 is a `FEN` tag (see [`fen`]); a result is `40-24`, `1-0`, `0-1`,
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

use std::fmt::Write;

use emilia_rules::{Color, Move, Objective, Size};

use crate::clock::span;
use crate::fault::clip;
use crate::movetext::follow;
use crate::number::{real, seconds_text, signed};
use crate::tree::{Id, START};
use crate::{Ending, Evaluation, Fault, Game, GameResult, MAX_DEPTH, Note, fen, tag};

/// Tags that other formats call otherwise.
const NAMES: [(&str, &str); 3] =
    [("Site", tag::PLACE), ("BlackElo", tag::BLACK_RATING), ("WhiteElo", tag::WHITE_RATING)];

/// Tags with a meaning of their own.
const RESERVED: [&str; 7] = ["Result", "FEN", "SetUp", "Termination", "Variant", "BlackClock", "WhiteClock"];

/// What begins a new game inside a comment that was never closed.
const NEXT_GAME: &str = "\n[Event \"";

/// Reads one game: its tags, then its moves.
pub fn parse(text: &str) -> Result<Game, Fault> {
    let (tags, moves) = tag_pairs(text)?;
    let mut game = start_game(&tags)?;
    let mut reader = Reader { rest: moves, before: START, branches: Vec::new() };
    while reader.step(&mut game)? {}
    game.to_start();
    Ok(game)
}

/// A tag's name and value.
type Pair<'a> = (&'a str, String);

/// The tags at the head of a game, and what follows them.
fn tag_pairs(text: &str) -> Result<(Vec<Pair<'_>>, &str), Fault> {
    let mut tags = Vec::new();
    let mut rest = text.trim_start();
    while let Some(inner) = rest.strip_prefix('[') {
        let wrong = || Fault::Field { what: "tag", text: clip(rest) };
        let (name, after) = inner.split_once('"').ok_or_else(wrong)?;
        let name = name.trim();
        if !is_word(name) {
            return Err(wrong());
        }
        let (value, after) = quoted(after).ok_or_else(wrong)?;
        tags.push((name, value));
        rest = after.trim_start().strip_prefix(']').ok_or_else(wrong)?.trim_start();
    }
    Ok((tags, rest))
}

fn is_word(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The value up to the closing quote, without escapes and line breaks, and what follows.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            '"' if !escaped => return Some((value, &text[at + 1..])),
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '\n' | '\r' => value.push(' '),
            _ => value.push(character),
        }
        escaped = false;
    }
    None
}

fn start_game(tags: &[Pair<'_>]) -> Result<Game, Fault> {
    let value =
        |name: &str| tags.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| value.trim());
    let mut game = match value("FEN") {
        Some(board) => Game::from_position(fen::parse(board)?),
        None => Game::new(Size::EIGHT),
    };
    let clock = |name| {
        value(name)
            .map(|text| text.parse().map_err(|_| Fault::Field { what: "clock", text: clip(text) }))
            .transpose()
    };
    game.clocks.black = clock("BlackClock")?;
    game.clocks.white = clock("WhiteClock")?;
    if value("Variant").is_some_and(is_reversed) {
        game.objective = Objective::Fewest;
    }
    game.result = value("Result").and_then(result);
    let ending = value("Termination").and_then(Ending::named);
    if let Some(ending) = ending {
        game.result = game.result.map(|result| result.ended(ending));
    }
    for (name, value) in tags {
        let value = value.trim();
        let known = NAMES.iter().find(|(short, _)| short == name).map(|(_, known)| *known);
        let kept = match *name {
            "Variant" => game.objective == Objective::Most,
            "Termination" => ending.is_none(),
            name => !RESERVED.contains(&name),
        };
        if kept && value != "?" && value != "????.??.??" {
            game.tags.set(known.unwrap_or(name), value);
        }
    }
    Ok(game)
}

fn is_reversed(variant: &str) -> bool {
    ["anti", "fewest", "reversed"].iter().any(|word| variant.eq_ignore_ascii_case(word))
}

/// Reads `40-24`, `1-0`, `0-1`, `1/2-1/2`, `*`, or a word.
fn result(text: &str) -> Option<GameResult> {
    let decided = |winner| Some(GameResult::Decided { winner, ending: Ending::Counted });
    match text {
        "" | "*" | "?" => None,
        "1-0" => decided(Some(Color::Black)),
        "0-1" => decided(Some(Color::White)),
        "1/2-1/2" => decided(None),
        _ => {
            let discs =
                |text: &str| real(text).filter(|count| *count >= 0.0 && !text.starts_with(['+', '-']));
            let counts = text.split_once('-').and_then(|(black, white)| Some((discs(black)?, discs(white)?)));
            Some(match counts {
                Some((black, white)) => GameResult::Margin { black: black - white, ending: Ending::Counted },
                None => GameResult::Other(text.to_owned()),
            })
        }
    }
}

fn result_text(result: Option<&GameResult>, size: Size) -> String {
    let cells = size.cells() as i32;
    match result {
        None => "*".to_owned(),
        Some(GameResult::Other(words)) => words.clone(),
        Some(GameResult::Decided { winner: Some(Color::Black), .. }) => "1-0".to_owned(),
        Some(GameResult::Decided { winner: Some(Color::White), .. }) => "0-1".to_owned(),
        Some(GameResult::Decided { winner: None, .. }) => "1/2-1/2".to_owned(),
        Some(GameResult::Margin { black, .. })
            if black.fract() == 0.0 && black.abs() < f64::from(cells) + 1.0 =>
        {
            // Both counts together fill the board, or all but one square where that cannot be.
            let margin = *black as i32;
            let discs = cells - margin.rem_euclid(2);
            format!("{}-{}", (discs + margin) / 2, (discs - margin) / 2)
        }
        Some(GameResult::Margin { black, .. }) if *black > 0.0 => format!("{black}-0.0"),
        Some(GameResult::Margin { black, .. }) => format!("0.0-{}", black.abs()),
    }
}

/// Walks through the moves of a game.
struct Reader<'a> {
    rest: &'a str,
    /// Where the game stood before the last stated move and any pass put in before it.
    before: Id,
    /// For each open bracket, where the game stood, and `before` then.
    branches: Vec<(Id, Id)>,
}

impl Reader<'_> {
    /// Reads the next item; false at the end of the game.
    fn step(&mut self, game: &mut Game) -> Result<bool, Fault> {
        self.rest = self.rest.trim_start();
        let Some(first) = self.rest.chars().next() else {
            return match self.branches.pop() {
                Some(_) => Err(Fault::Missing { what: ")", text: String::from("the last move") }),
                None => Ok(false),
            };
        };
        let missing = |what, text: &str| Fault::Missing { what, text: clip(text) };
        match first {
            '{' => {
                let (comment, after) =
                    self.rest[1..].split_once('}').ok_or_else(|| missing("}", self.rest))?;
                if comment.contains(NEXT_GAME) {
                    return Err(missing("}", self.rest));
                }
                self.rest = after;
                take_comment(game.note_mut(), comment);
            }
            ';' => {
                let (comment, after) = self.rest[1..].split_once('\n').unwrap_or((&self.rest[1..], ""));
                self.rest = after;
                take_comment(game.note_mut(), &comment.replace('}', ")"));
            }
            '(' => {
                if self.branches.len() >= MAX_DEPTH {
                    return Err(Fault::TooDeep);
                }
                if game.here() == self.before {
                    return Err(Fault::Field { what: "move", text: clip(self.rest) });
                }
                self.branches.push((game.here(), self.before));
                game.go_to(self.before);
                self.rest = &self.rest[1..];
            }
            ')' => {
                let (here, before) = self.branches.pop().ok_or_else(|| missing("(", self.rest))?;
                game.go_to(here);
                self.before = before;
                self.rest = &self.rest[1..];
            }
            '}' => return Err(missing("{", self.rest)),
            _ => return self.word(game),
        }
        Ok(true)
    }

    /// Reads a move, a move number, a result or a mark.
    fn word(&mut self, game: &mut Game) -> Result<bool, Fault> {
        let end =
            self.rest.find(|c: char| c.is_whitespace() || "(){};".contains(c)).unwrap_or(self.rest.len());
        let (word, after) = self.rest.split_at(end);
        let number = word.bytes().take_while(u8::is_ascii_digit).count();
        if number > 0 && word[number..].starts_with('.') {
            let dots = word[number..].bytes().take_while(|byte| *byte == b'.').count();
            self.rest = &self.rest[number + dots..];
            return Ok(true);
        }
        self.rest = after;
        if word == "*" || (number > 0 && word.contains('-')) {
            if !self.branches.is_empty() {
                return Err(Fault::Missing { what: ")", text: clip(word) });
            }
            if !after.trim().is_empty() {
                return Err(Fault::Field { what: "way to go on after the result", text: clip(after) });
            }
            if game.result.is_none() {
                game.result = result(word);
            }
            return Ok(false);
        }
        // A bare move number, a mark such as $1 or !?, or dots.
        if (number == word.len() && word != "0000")
            || word.starts_with('$')
            || word.trim_matches(['!', '?', '.']).is_empty()
        {
            return Ok(true);
        }
        let before = game.here();
        follow(game, word)?;
        self.before = before;
        Ok(true)
    }
}

/// Takes evaluation and time off the head of a comment, and adds the rest to the note.
fn take_comment(note: &mut Note, comment: &str) {
    let mut rest = comment.trim();
    while let Some((command, after)) = rest.strip_prefix("[%").and_then(|inner| inner.split_once(']')) {
        let (name, value) = command.split_once(' ').unwrap_or((command, ""));
        match name {
            "eval" => {
                let (discs, depth) = value.split_once(',').unwrap_or((value, ""));
                let Some(discs) = real(discs.trim()) else { break };
                let depth = Some(depth.trim().to_owned()).filter(|depth| !depth.is_empty());
                note.evaluation = Some(Evaluation { discs, depth });
            }
            "emt" => {
                let Some(time) = span(value) else { break };
                note.time = Some(time);
            }
            _ => break,
        }
        rest = after.trim_start();
    }
    note.add_comment(rest);
}

/// The game with all its variations.
#[must_use]
pub fn write(game: &Game) -> String {
    let mut text = String::new();
    write_tags(game, &mut text);
    text.push('\n');
    let mut lines = Lines { text, column: 0 };
    let comment = comment_text(game.tree.note(START));
    if !comment.is_empty() {
        lines.put(&comment);
    }
    write_moves(game, &mut lines);
    lines.put(&match &game.result {
        Some(GameResult::Other(_)) => "*".to_owned(),
        result => result_text(result.as_ref(), game.size()),
    });
    lines.text.push('\n');
    lines.text
}

fn write_tags(game: &Game, text: &mut String) {
    let mut put = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let reversed = game.objective == Objective::Fewest;
    let ending = game.result.as_ref().map(GameResult::ending).filter(|ending| *ending != Ending::Counted);
    for (name, value) in game.tags.iter() {
        let short = NAMES.iter().find(|(_, known)| *known == name).map_or(name, |(short, _)| *short);
        let free = match name {
            "Variant" => !reversed,
            "Termination" => ending.is_none(),
            name => is_word(name) && !RESERVED.contains(&name),
        };
        if free {
            put(short, value);
        }
    }
    if reversed {
        put("Variant", "anti");
    }
    put("Result", &result_text(game.result.as_ref(), game.size()));
    ending.iter().for_each(|ending| put("Termination", ending.name()));
    game.clocks.black.iter().for_each(|clock| put("BlackClock", &clock.to_string()));
    game.clocks.white.iter().for_each(|clock| put("WhiteClock", &clock.to_string()));
    if game.size() != Size::EIGHT || !game.is_usual_start() {
        put("SetUp", "1");
        put("FEN", &fen::write(game.start()));
    }
}

/// Words in lines of at most 80 characters, where a word is not longer itself.
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn put(&mut self, word: &str) {
        if self.column > 0 {
            let fits = self.column + 1 + word.chars().count() <= 80;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.column += word.chars().rev().take_while(|character| *character != '\n').count();
    }
}

/// What remains to be written, last first.
enum Todo {
    /// The line that goes on from this node.
    Line(Id),
    /// A variation that begins with this move.
    Variation(Id),
    /// The end of a variation.
    Close,
}

fn write_moves(game: &Game, lines: &mut Lines) {
    let mut todo = vec![Todo::Line(START)];
    // After anything but a move, the second player's move needs its number too.
    let mut numbered = false;
    while let Some(next) = todo.pop() {
        match next {
            Todo::Close => {
                lines.put(")");
                numbered = false;
            }
            Todo::Variation(id) => {
                lines.put("(");
                write_move(game, id, false, lines);
                numbered = game.tree.note(id).is_empty();
                todo.push(Todo::Line(id));
            }
            Todo::Line(from) => {
                let mut children = game.tree.children(from);
                let Some(main) = children.next() else { continue };
                write_move(game, main, numbered, lines);
                numbered = game.tree.note(main).is_empty();
                todo.push(Todo::Line(main));
                let alternatives: Vec<Id> = children.collect();
                for alternative in alternatives.into_iter().rev() {
                    todo.push(Todo::Close);
                    todo.push(Todo::Variation(alternative));
                }
            }
        }
    }
}

fn write_move(game: &Game, id: Id, numbered: bool, lines: &mut Lines) {
    let depth = game.tree.depth(id);
    if depth % 2 == 1 {
        lines.put(&format!("{}.", depth.div_ceil(2)));
    } else if !numbered {
        lines.put(&format!("{}...", depth / 2));
    }
    match game.tree.mv(id) {
        Move::Place(point) => lines.put(&point.to_string()),
        Move::Pass => lines.put("--"),
    }
    let comment = comment_text(game.tree.note(id));
    if !comment.is_empty() {
        lines.put(&comment);
    }
}

/// A note as a comment in braces; nothing for an empty one.
fn comment_text(note: &Note) -> String {
    let mut parts = Vec::new();
    if let Some(evaluation) = &note.evaluation {
        let depth = evaluation
            .depth
            .as_deref()
            .map_or(String::new(), |depth| format!(",{}", depth.replace(']', ")")));
        parts.push(format!("[%eval {}{depth}]", signed(evaluation.discs)));
    }
    if let Some(time) = note.time {
        parts.push(format!("[%emt {}]", seconds_text(time)));
    }
    if !note.comment.trim().is_empty() {
        parts.push(note.comment.trim().to_owned());
    }
    if parts.is_empty() {
        return String::new();
    }
    format!("{{{}}}", parts.join(" ").replace('}', ")").replace(NEXT_GAME, "\n [Event \""))
}

/// The games of a text: each begins with the tags that follow the moves of the one before.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let (game, after) = rest.split_at(game_length(rest));
        rest = after;
        Some(game)
    })
}

/// The length of the game at the front of a text, which begins with something.
fn game_length(text: &str) -> usize {
    let mut at = 0;
    let mut moves = false;
    let mut line_start = true;
    while let rest = &text[at..]
        && let Some(character) = rest.chars().next()
    {
        match character {
            '\n' => {
                line_start = true;
                at += 1;
                continue;
            }
            '[' if moves && line_start => return at,
            '[' if !moves => at += rest.find('\n').unwrap_or(rest.len()),
            '{' => {
                moves = true;
                // Whichever comes first: looking for one of them alone could run through the whole file each time.
                let ends = |at: usize| {
                    rest.as_bytes()[at] == b'}' || rest.as_bytes()[at..].starts_with(NEXT_GAME.as_bytes())
                };
                let end = (1..rest.len()).find(|at| ends(*at)).unwrap_or(rest.len());
                if rest[end..].starts_with('\n') {
                    return at + end + 1;
                }
                at += end;
            }
            ';' => at += rest.find('\n').unwrap_or(rest.len()),
            _ => {
                moves |= !character.is_whitespace();
                at += character.len_utf8();
            }
        }
        line_start = line_start && character.is_whitespace();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

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
