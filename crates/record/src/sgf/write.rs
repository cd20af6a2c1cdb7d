use std::fmt::Write;

use emilia_rules::{Color, Move, Objective, Playable};

use super::{DRAWN, NAMES, is_own_tag};
use crate::number::seconds_text;
use crate::tree::{Id, START};
use crate::{Ending, Game, GameResult, Marking, Note};

/// The game with all its variations.
#[must_use]
pub fn write(game: &Game) -> String {
    let mut text = format!("(;FF[4]GM[2]CA[UTF-8]SZ[{}]", game.size().get());
    write_root(game, &mut text);
    // What remains to be done, last first: nodes to write, brackets to close.
    let mut open: Vec<Option<Id>> = vec![None];
    push_children(game, START, &mut open);
    while let Some(next) = open.pop() {
        let Some(id) = next else {
            text.push(')');
            continue;
        };
        let siblings = game.tree.children(game.tree.parent(id).unwrap_or(START)).nth(1).is_some();
        if siblings {
            text.push_str("\n(");
        }
        let color = if game.mover(id) == Color::Black { 'B' } else { 'W' };
        // Writing to a string cannot fail.
        let _ = match game.tree.mv(id) {
            Move::Place(point) => write!(text, ";{color}[{point}]"),
            Move::Pass => write!(text, ";{color}[PA]"),
        };
        write_note(game.mover(id), game.tree.note(id), &mut text);
        push_children(game, id, &mut open);
    }
    text.push('\n');
    text
}

/// Puts the continuations of a node on the list, each variation with its bracket to close.
fn push_children(game: &Game, id: Id, open: &mut Vec<Option<Id>>) {
    let children: Vec<Id> = game.tree.children(id).collect();
    for child in children.iter().rev() {
        if children.len() > 1 {
            open.push(None);
        }
        open.push(Some(*child));
    }
}

fn write_root(game: &Game, text: &mut String) {
    let mut put = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{name}[{}]", escaped(value));
    };
    let known = |name: &str| NAMES.iter().find(|(_, known)| *known == name).map(|(short, _)| *short);
    for (name, value) in game.tags.iter() {
        if let Some(short) = known(name) {
            put(short, value);
        } else if is_own_tag(name) || (name == "RU" && game.objective == Objective::Most) {
            put(name, value);
        }
    }
    if game.objective == Objective::Fewest {
        put("RU", "anti");
    }
    if let Some(result) = &game.result {
        let (words, ending) = result_text(result);
        put("RE", &words);
        ending.iter().for_each(|ending| put("EN", ending.name()));
    }
    game.clocks.black.iter().for_each(|clock| put("CB", &clock.to_string()));
    game.clocks.white.iter().for_each(|clock| put("CW", &clock.to_string()));
    for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let discs: Vec<String> =
            game.start().discs(color).into_iter().map(|point| format!("[{point}]")).collect();
        if !discs.is_empty() {
            text.push_str(name);
            text.push_str(&discs.concat());
        }
    }
    text.push_str(if game.start().turn() == Color::Black { "PL[B]" } else { "PL[W]" });
    write_note(game.mover(START), game.tree.note(START), text);
}

fn write_note(mover: Color, note: &Note, text: &mut String) {
    // Writing to a string cannot fail.
    if let Some(evaluation) = &note.evaluation {
        let sign = if mover == Color::Black { 1.0 } else { -1.0 };
        let _ = write!(text, "V[{}]", sign * evaluation.discs);
        if let Some(depth) = &evaluation.depth {
            let _ = write!(text, "DP[{}]", escaped(depth));
        }
    }
    if let Some(time) = note.time {
        let _ = write!(text, "TU[{}]", seconds_text(time));
    }
    if !note.comment.is_empty() {
        let _ = write!(text, "C[{}]", escaped(&note.comment));
    }
    // A property stands once in a node, with all its values.
    for name in DRAWN {
        let drawn = note.markings.iter().map(Marking::property).filter(|(known, _)| *known == name);
        let values: Vec<String> = drawn.map(|(_, value)| format!("[{}]", escaped(&value))).collect();
        if !values.is_empty() {
            let _ = write!(text, "{name}{}", values.concat());
        }
    }
}

fn result_text(result: &GameResult) -> (String, Option<Ending>) {
    let letter = |color| if color == Color::Black { 'B' } else { 'W' };
    let ending = Some(result.ending()).filter(|ending| *ending != Ending::Counted);
    match (result, result.winner()) {
        (GameResult::Margin { black, .. }, Some(color)) => {
            (format!("{}+{}", letter(color), black.abs()), ending)
        }
        (GameResult::Margin { .. }, None) => ("0".to_owned(), ending),
        (GameResult::Decided { ending: Ending::Resigned, .. }, Some(color)) => {
            (format!("{}+R", letter(color)), None)
        }
        (GameResult::Decided { ending: Ending::TimedOut, .. }, Some(color)) => {
            (format!("{}+T", letter(color)), None)
        }
        (GameResult::Decided { ending: Ending::Left, .. }, Some(color)) => {
            (format!("{}+F", letter(color)), None)
        }
        (GameResult::Decided { .. }, Some(color)) => (format!("{}+", letter(color)), ending),
        (GameResult::Decided { .. }, None) => ("Draw".to_owned(), ending),
        (GameResult::Other(words), _) => (words.clone(), None),
    }
}

/// A value with its escapes. `(;` is escaped too, so that a comment never looks like the next game.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]").replace("(;", "\\(;")
}
