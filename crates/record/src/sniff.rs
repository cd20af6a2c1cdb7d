use crate::board::{self, blocks};
use crate::thor::{Header, Record};
use crate::{Format, json};
use emilia_rules::{Setup, Size};

/// How much of a text is looked at.
const LOOK: usize = 1 << 16;

/// Recognises a binary format by its header and length; the file name helps where the length is wrong.
pub(crate) fn binary(bytes: &[u8], named: Option<Format>) -> Option<Format> {
    let header = Header::parse(bytes).ok()?;
    let rest = (bytes.len() - Header::LENGTH) as u64;
    let (games, names) = (u64::from(header.games), u64::from(header.names));
    let size =
        if header.size == 0 { Size::EIGHT } else { Size::new(header.size.into()).unwrap_or(Size::MAX) };
    let width = Record::length(size).unwrap_or(0) as u64;
    let by_length = if header.kind == 1 && games > 0 && rest == 256 + 36 * games {
        Some(Format::Solitaires)
    } else if games > 0 && rest == width * games {
        Some(Format::Wthor)
    } else if games == 0 && names > 0 && rest == 20 * names {
        Some(Format::Players)
    } else if games == 0 && names > 0 && rest == 26 * names {
        Some(Format::Tournaments)
    } else {
        None
    };
    let by_name = named.filter(|format| format.is_binary());
    let looks_binary = bytes[..Header::LENGTH].iter().any(|byte| *byte < 8);
    by_length.or(by_name).filter(|_| looks_binary && (header.is_plausible() || by_name.is_some()))
}

/// Recognises a text format by what it begins with.
pub(crate) fn text(text: &str, named: Option<Format>) -> Option<Format> {
    let text = text.trim_start();
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= LOOK).unwrap_or(text.len());
    let head = &text[..end];
    let first = head.chars().next()?;
    if first == '{' || (first == '[' && head[1..].trim_start().starts_with('{')) {
        return Some(if head.contains(json::NAME) { Format::Json } else { Format::Quest });
    }
    if let Some(at) = head.find("(;")
        && head[..at].bytes().all(|byte| byte.is_ascii_whitespace() || byte.is_ascii_digit())
    {
        return Some(if is_ggf(&head[at..]) { Format::Ggf } else { Format::Sgf });
    }
    if first == '(' {
        return Some(Format::Sgf);
    }
    if first == '[' {
        return Some(Format::Pgn);
    }
    let by_content = lines(head);
    by_content.or(named.filter(|format| !format.is_binary()))
}

/// GGF and SGF look alike; the first says `GM[Othello]`, the second `GM[2]`.
fn is_ggf(game: &str) -> bool {
    match game.split_once("GM[") {
        Some((_, value)) => !value.trim_start().starts_with(|character: char| character.is_ascii_digit()),
        None => game.contains("BO[") || game.contains("TY["),
    }
}

/// Tells boards, scored positions, transcripts and moves with remarks apart.
fn lines(text: &str) -> Option<Format> {
    if text.starts_with('%') {
        return Some(Format::Obf);
    }
    let line = text.lines().next()?;
    if let Some((cells, rest)) = line.split_once(';')
        && board::looks_like(cells)
    {
        let rest = rest.trim_start();
        let moves = rest.starts_with(|c: char| c.is_ascii_alphabetic()) && !rest.contains(':');
        return Some(if moves { Format::Transcript } else { Format::Obf });
    }
    let cells = line.split('%').next()?.trim();
    let unscored = cells
        .rsplit_once(' ')
        .filter(|(_, score)| score.parse::<i32>().is_ok())
        .map_or(cells, |(cells, _)| cells);
    if board::looks_like(unscored) {
        return Some(if line.contains('%') { Format::Obf } else { Format::Board });
    }
    if is_picture(blocks(text).next()?) {
        return Some(Format::Board);
    }
    if text.contains(['{', '(']) {
        return begins_with_moves(text).then_some(Format::Pgn);
    }
    begins_with_moves(text).then_some(Format::Transcript)
}

/// Whether these lines draw a board.
fn is_picture(block: &str) -> bool {
    let width = |line: &str| line.chars().filter(|character| !character.is_whitespace()).count();
    let first = block.lines().next().map_or(0, width);
    let rows = block.lines().take(first);
    Size::new(first).is_ok()
        && rows.clone().count() == first
        && rows.clone().all(|line| width(line) == first)
        && rows.collect::<String>().parse::<Setup>().is_ok()
}

/// Whether the first words are moves, numbers and what may stand between them.
fn begins_with_moves(text: &str) -> bool {
    let start = text.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let prefix = &text[..text.len() - start.len()];
    prefix.chars().all(|c| c.is_whitespace() || c.is_ascii_digit() || ",;:-_/>|.".contains(c))
        && crate::movetext::square(start).is_some()
}
