use emilia_rules::{Color, GridPosition, Objective, Playable, Point, Setup, Size, Status};

use super::{NAMES, is_own_tag};
use crate::fault::clip;
use crate::movetext::{follow, is_pass, whole_square};
use crate::number::{real, seconds};
use crate::tree::{Id, START};
use crate::{Clocks, Ending, Evaluation, Fault, Game, GameResult, MAX_DEPTH, Marking, Shape};

/// A property of a node with its values, still escaped.
type Property<'a> = (&'a str, Vec<&'a str>);

/// Reads one game tree, from `(` to the matching `)`.
pub fn parse(text: &str) -> Result<Game, Fault> {
    let mut scanner = Scanner { rest: text.trim_start() };
    if !scanner.eat('(') || !scanner.eat(';') {
        return Err(Fault::Missing { what: "(;", text: String::new() });
    }
    let root = scanner.properties()?;
    let mut game = start_game(&root)?;
    annotate(&mut game, &root)?;
    let mut branches: Vec<Id> = vec![START];
    while let Some(branch) = branches.last() {
        if scanner.eat('(') {
            if branches.len() > MAX_DEPTH {
                return Err(Fault::TooDeep);
            }
            branches.push(game.here());
        } else if scanner.eat(')') {
            game.go_to(*branch);
            branches.pop();
        } else if scanner.eat(';') {
            let node = scanner.properties()?;
            if let Some((name, _)) = node.iter().find(|(name, _)| ["AB", "AW", "AE"].contains(name)) {
                return Err(Fault::BoardChange((*name).to_owned()));
            }
            annotate(&mut game, &node)?;
        } else {
            return Err(Fault::Missing { what: ")", text: clip(scanner.rest) });
        }
    }
    game.to_start();
    Ok(game)
}

/// Takes a text apart.
struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    fn eat(&mut self, character: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(character) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// The properties up to the next `;`, `(` or `)`.
    fn properties(&mut self) -> Result<Vec<Property<'a>>, Fault> {
        let mut properties: Vec<Property<'a>> = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            let length = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
            if length == 0 {
                return Ok(properties);
            }
            let (name, rest) = self.rest.split_at(length);
            self.rest = rest;
            let mut values = Vec::new();
            while self.eat('[') {
                values.push(self.value()?);
            }
            if values.is_empty() {
                return Err(Fault::Missing { what: "[", text: clip(name) });
            }
            properties.push((name, values));
        }
    }

    /// A value up to its closing bracket.
    fn value(&mut self) -> Result<&'a str, Fault> {
        let mut escaped = false;
        for (at, byte) in self.rest.bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b']' => {
                    let value = &self.rest[..at];
                    self.rest = &self.rest[at + 1..];
                    return Ok(value);
                }
                _ => {}
            }
        }
        Err(Fault::Missing { what: "]", text: clip(self.rest) })
    }
}

/// A value without its escapes. An escaped line break is no line break.
fn plain(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('\n') => {
                characters.next_if_eq(&'\r');
            }
            Some('\r') => {
                characters.next_if_eq(&'\n');
            }
            Some(escaped) => text.push(escaped),
            None => {}
        }
    }
    text
}

/// The game that the first node announces, without moves.
fn start_game(root: &[Property<'_>]) -> Result<Game, Fault> {
    let value = |name: &str| {
        root.iter().find(|(known, _)| *known == name).map(|(_, values)| plain(values[0]).trim().to_owned())
    };
    if let Some(other) = value("GM").filter(|game| game != "2") {
        return Err(Fault::OtherGame(format!("GM[{}]", clip(&other))));
    }
    let size = match value("SZ") {
        Some(text) => {
            let side = text.split(':').next().unwrap_or_default();
            let size = side.trim().parse().ok().and_then(|side| Size::new(side).ok());
            size.ok_or_else(|| Fault::Field { what: "board size", text: clip(&text) })?
        }
        None => Size::EIGHT,
    };
    let mut game = Game::from_position(start_position(root, size, value("PL").as_deref())?);
    if value("RU").is_some_and(|rules| is_reversed(&rules)) {
        game.objective = Objective::Fewest;
    }
    let clock = |name| {
        let text = value(name)?;
        Some(text.parse().map_err(|_| Fault::Field { what: "clock", text: clip(&text) }))
    };
    game.clocks = Clocks { black: clock("CB").transpose()?, white: clock("CW").transpose()? };
    game.result = value("RE").as_deref().and_then(result);
    if let Some(ending) = value("EN").as_deref().and_then(Ending::named) {
        game.result = game.result.map(|result| result.ended(ending));
    }
    for (name, values) in root {
        let text = plain(values[0]);
        let known = NAMES.iter().find(|(short, _)| short == name).map(|(_, known)| *known);
        if is_own_tag(name) && values.len() == 1 {
            game.tags.set(known.unwrap_or(name), text.trim());
        } else if *name == "RU" && game.objective == Objective::Most && !is_reversed(&text) {
            game.tags.set("RU", text.trim());
        }
    }
    Ok(game)
}

fn start_position(root: &[Property<'_>], size: Size, turn: Option<&str>) -> Result<GridPosition, Fault> {
    let mut setup = Setup::empty(size);
    let mut discs = false;
    for (name, values) in root {
        let disc = match *name {
            "AB" => Some(Color::Black),
            "AW" => Some(Color::White),
            "AE" => None,
            _ => continue,
        };
        discs |= disc.is_some();
        for value in values {
            for point in rectangle(value).ok_or_else(|| Fault::Field { what: "square", text: clip(value) })? {
                setup.put(point, disc).map_err(|source| Fault::Board { text: clip(value), source })?;
            }
        }
    }
    if !discs {
        setup = Setup::from(GridPosition::start(size));
    }
    setup.turn = match turn.map(str::to_ascii_lowercase).as_deref() {
        Some("w" | "white") => Color::White,
        _ => Color::Black,
    };
    setup.position().map_err(|source| Fault::Board { text: String::from("AB, AW"), source })
}

/// The squares of `f5`, or of `a1:c2`.
fn rectangle(value: &str) -> Option<impl Iterator<Item = Point>> {
    let (from, to) = value.split_once(':').unwrap_or((value, value));
    let (from, to) = (whole_square(from)?, whole_square(to)?);
    let columns = from.column()..=to.column();
    Some(
        (from.row()..=to.row())
            .flat_map(move |row| columns.clone().filter_map(move |column| Point::new(column, row))),
    )
}

fn is_reversed(rules: &str) -> bool {
    ["anti", "fewest", "reversed"].iter().any(|word| rules.trim().eq_ignore_ascii_case(word))
}

/// Reads `B+12`, `W+R`, `B+`, `0`, `Draw`, `?`, or a word.
fn result(text: &str) -> Option<GameResult> {
    let decided = |winner, ending| Some(GameResult::Decided { winner, ending });
    let (color, rest) = match text.split_once('+') {
        Some(("B" | "b", rest)) => (Color::Black, rest),
        Some(("W" | "w", rest)) => (Color::White, rest),
        _ => {
            return match text {
                "" | "?" => None,
                "0" => Some(GameResult::counted(0)),
                "Draw" => decided(None, Ending::Counted),
                words => Some(GameResult::Other(words.to_owned())),
            };
        }
    };
    match rest {
        "" => decided(Some(color), Ending::Counted),
        "R" | "Resign" => decided(Some(color), Ending::Resigned),
        "T" | "Time" => decided(Some(color), Ending::TimedOut),
        "F" | "Forfeit" => decided(Some(color), Ending::Left),
        _ => Some(match real(rest).filter(|margin| *margin > 0.0) {
            Some(margin) => {
                let black = if color == Color::Black { margin } else { -margin };
                GameResult::Margin { black, ending: Ending::Counted }
            }
            None => GameResult::Other(text.to_owned()),
        }),
    }
}

/// Makes the move of a node, if it has one, and takes over its notes.
fn annotate(game: &mut Game, node: &[Property<'_>]) -> Result<(), Fault> {
    for (name, values) in node {
        let color = match *name {
            "B" => Color::Black,
            "W" => Color::White,
            _ => continue,
        };
        let text = plain(values[0]);
        let word = if text.trim().is_empty() { "pass" } else { text.trim() };
        if is_pass(word) && game.position().is_over() {
            continue;
        }
        if game.position().turn() != color {
            if game.position().status() != Status::MustPass {
                return Err(Fault::WrongTurn { ply: game.ply() + 1, text: clip(word) });
            }
            follow(game, "pass")?;
        }
        follow(game, word)?;
    }
    let sign = if game.mover(game.here()) == Color::Black { 1.0 } else { -1.0 };
    for (name, values) in node {
        let text = plain(values[0]);
        let wrong = |what| Fault::Field { what, text: clip(&text) };
        match *name {
            "C" => game.note_mut().add_comment(text.trim()),
            "V" => {
                let black = real(text.trim()).ok_or_else(|| wrong("evaluation"))?;
                game.note_mut().evaluation = Some(Evaluation::new(sign * black));
            }
            "TU" => game.note_mut().time = Some(seconds(text.trim()).ok_or_else(|| wrong("time"))?),
            _ => {}
        }
    }
    for (name, values) in node {
        for value in values {
            let drawn = markings(name, value);
            let drawn =
                drawn.ok_or_else(|| Fault::Field { what: "marking on the board", text: clip(value) })?;
            game.note_mut().markings.extend(drawn);
        }
    }
    if let Some((_, values)) = node.iter().find(|(name, _)| *name == "DP")
        && let depth = plain(values[0])
        && !depth.trim().is_empty()
        && let Some(evaluation) = &mut game.note_mut().evaluation
    {
        evaluation.depth = Some(depth.trim().to_owned());
    }
    Ok(())
}

/// What a value of a property draws: nothing if the property draws nothing, no list if the value is wrong.
fn markings(name: &str, value: &str) -> Option<Vec<Marking>> {
    if let Some(shape) = Shape::named(name) {
        return Some(rectangle(value)?.map(|point| Marking::Shape(shape, point)).collect());
    }
    if !["LB", "AR", "LN"].contains(&name) {
        return Some(Vec::new());
    }
    let text = plain(value);
    let (first, second) = text.split_once(':')?;
    let point = whole_square(first)?;
    let other = || whole_square(second);
    let drawn = match name {
        "LB" => Marking::label(point, second)?,
        "AR" => Marking::Arrow(point, other()?),
        _ => Marking::Line(point, other()?),
    };
    Some(vec![drawn])
}

/// The game trees of a text. A tree that is never closed ends where a line begins the next game.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = &rest[rest.find('(')?..];
        let length = tree_length(rest);
        let (game, after) = rest.split_at(length);
        rest = after;
        Some(game)
    })
}

/// The length of the tree at the front of the text, which begins with a bracket.
fn tree_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut value, mut at) = (0usize, false, 0);
    while at < bytes.len() {
        match (bytes[at], value) {
            (b'\n', _) if begins_game(&text[at + 1..]) => return at,
            (b'\\', true) => at += 1,
            (b']', true) => value = false,
            (b'[', false) => value = true,
            (b'(', false) => depth += 1,
            (b')', false) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}

fn begins_game(text: &str) -> bool {
    text.starts_with("(;FF[") || text.starts_with("(;GM[")
}
