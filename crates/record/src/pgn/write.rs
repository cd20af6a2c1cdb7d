use std::fmt::Write;

use emilia_rules::{Color, Move, Objective, Size};

use super::{NAMES, NEXT_GAME, RESERVED, is_word};
use crate::number::{seconds_text, signed};
use crate::tree::{Id, START};
use crate::{Ending, Game, GameResult, Note, fen};

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

pub(super) fn result_text(result: Option<&GameResult>, size: Size) -> String {
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
