use emilia_rules::{Color, Objective, Size};

use super::{NAMES, NEXT_GAME, RESERVED, is_word};
use crate::clock::span;
use crate::fault::clip;
use crate::movetext::follow;
use crate::number::real;
use crate::tree::{Id, START};
use crate::{Ending, Evaluation, Fault, Game, GameResult, MAX_DEPTH, Note, fen};

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
pub(super) fn result(text: &str) -> Option<GameResult> {
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
                    return at + end;
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
