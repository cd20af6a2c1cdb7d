use emilia_query::{Bound, MoveReport, Report};
use emilia_rules::{Color, Move, Playable, Point, SquareSet};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color as Paint, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph, Widget, Wrap};

use crate::command::LETTERS;
use crate::layout::{LABELS, Layout, MOVE};
use crate::state::{Focus, Study, capital, signed};
use crate::{State, clock, graph};

const GREEN: Paint = Paint::Rgb(0, 110, 60);
const BRIGHT: Paint = Paint::Rgb(70, 165, 105);
const CURSOR: Paint = Paint::Rgb(190, 150, 30);
const DOT: Paint = Paint::Rgb(150, 205, 170);

/// Draws a state.
pub fn view(state: &State, frame: &mut Frame<'_>) {
    let layout = Layout::of(state);
    let view = View { state, layout, colors: state.setup.look.colors, unicode: state.setup.look.unicode };
    let buffer = frame.buffer_mut();
    // The terminal may have become smaller than the state knows.
    let seen = |area: Rect| area.intersection(buffer.area);
    let parts =
        [layout.players, layout.moves, layout.study, layout.graph, layout.message, layout.footer].map(seen);
    let [players, moves, study, graph, message, footer] = parts;
    view.board(buffer);
    Paragraph::new(view.players()).render(players, buffer);
    Paragraph::new(view.moves()).render(moves, buffer);
    // Lines and trees are cut at the edge; sentences are not.
    let studied = Paragraph::new(view.study());
    match state.study {
        Study::Analysis | Study::Tree => studied.render(study, buffer),
        _ => studied.wrap(Wrap { trim: false }).render(study, buffer),
    }
    Paragraph::new(view.graph(graph)).render(graph, buffer);
    Paragraph::new(view.message()).render(message, buffer);
    Paragraph::new(view.footer()).style(view.faint()).render(footer, buffer);
    if state.help {
        view.help(buffer);
    }
}

struct View<'s> {
    state: &'s State,
    layout: Layout,
    colors: bool,
    unicode: bool,
}

/// What stands out on a square.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Plain,
    Last,
    Hint,
    Cursor,
}

impl View<'_> {
    fn faint(&self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    fn title(&self, text: String) -> Line<'static> {
        Line::styled(text, Style::new().add_modifier(Modifier::BOLD))
    }

    fn board(&self, buffer: &mut Buffer) {
        let Layout { board, cell, first, .. } = self.layout;
        for row in 0..board.height / cell.1 {
            let y = board.y + row * cell.1;
            let label = format!("{:>2}", u16::from(first.1) + row + 1);
            put(buffer, 0, y + (cell.1 - 1) / 2, &label, self.faint());
            for column in 0..board.width / cell.0 {
                let x = board.x + column * cell.0;
                if row == 0 {
                    let letter = char::from(b'a' + first.0 + column as u8).to_string();
                    put(buffer, x + (cell.0 - 1) / 2, y - LABELS.1, &letter, self.faint());
                }
                if let Some(point) = Point::new(first.0 + column as u8, first.1 + row as u8) {
                    self.square(buffer, (x, y), point);
                }
            }
        }
    }

    fn mark(&self, point: Point) -> Mark {
        let state = self.state;
        if state.focus == Focus::Board && state.cursor == point {
            Mark::Cursor
        } else if state.hint == Some(point) {
            Mark::Hint
        } else if state.game.last_move().and_then(Move::square) == Some(point) {
            Mark::Last
        } else {
            Mark::Plain
        }
    }

    fn square(&self, buffer: &mut Buffer, (x, y): (u16, u16), point: Point) {
        let position = self.state.game.position();
        let disc = Color::BOTH.into_iter().find(|color| position.discs(*color).contains(point));
        let legal = disc.is_none() && position.placements().contains(point);
        let large = self.layout.cell.1 > 1;
        if !self.colors {
            let rows = letters(disc, legal, self.mark(point), large);
            for (line, text) in (0..).zip(rows) {
                put(buffer, x, y + line, &text, Style::new());
            }
            return;
        }
        let back = match self.mark(point) {
            Mark::Cursor => CURSOR,
            Mark::Hint => Paint::Rgb(40, 90, 180),
            Mark::Last => BRIGHT,
            // A board of two shades, so that squares can be told apart without lines.
            Mark::Plain if (point.column() + point.row()).is_multiple_of(2) => GREEN,
            Mark::Plain => Paint::Rgb(0, 98, 52),
        };
        let front = match disc {
            Some(Color::Black) => Paint::Rgb(10, 10, 10),
            Some(Color::White) => Paint::Rgb(245, 245, 240),
            None => DOT,
        };
        let rows: &[&str] = match (disc.is_some(), legal, large, self.unicode) {
            (true, _, true, true) => &[" ▄▄ ", " ▀▀ "],
            (true, _, true, false) => &[" () ", "    "],
            (true, _, false, true) => &["● "],
            (true, _, false, false) => &["()"],
            (_, true, true, true) => &[" ·  ", "    "],
            (_, true, true, false) => &[" .  ", "    "],
            (_, true, false, true) => &["· "],
            (_, true, false, false) => &[". "],
            (_, _, true, _) => &["    ", "    "],
            _ => &["  "],
        };
        for (line, text) in (0..).zip(rows) {
            put(buffer, x, y + line, text, Style::new().fg(front).bg(back));
        }
    }

    fn players(&self) -> Vec<Line<'static>> {
        let state = self.state;
        let counts = state.game.position().counts();
        let line = |side: Color| {
            let is_turn = state.turn() == side && !state.game.position().is_over();
            let turn = match (is_turn, self.unicode) {
                (true, true) => '▶',
                (true, false) => '>',
                _ => ' ',
            };
            let symbol = if self.colors {
                capital(side).to_owned()
            } else {
                format!("{} {}", capital(side), side.symbol())
            };
            let clock =
                state.clock.map(|clock| format!("  {}", clock::spell(clock.left(side)))).unwrap_or_default();
            let accuracy =
                state.accuracy(side).map(|accuracy| format!("  {accuracy:.1} %")).unwrap_or_default();
            let thinks = if is_turn && state.is_thinking() { self.thought() } else { String::new() };
            let style = if is_turn { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
            Line::styled(
                format!(
                    "{turn} {symbol} {:>3}{clock}  {}{accuracy}{thinks}",
                    counts.of(side),
                    self.shown(&state.name(side))
                ),
                style,
            )
        };
        vec![line(Color::Black), line(Color::White)]
    }

    /// What the player has found so far.
    fn thought(&self) -> String {
        let said = self.state.thinking.as_ref().and_then(|(_, report)| report.as_ref());
        let dots = if self.unicode { " …" } else { " ..." };
        match said.and_then(|report| Some((report, report.best_move()?))) {
            Some((report, mv)) => format!(": {mv}, depth {}{dots}", report.depth),
            None => dots.to_owned(),
        }
    }

    fn moves(&self) -> Vec<Line<'static>> {
        let state = self.state;
        let hint = if state.focus == Focus::Moves { " (arrows step; Tab: board)" } else { "" };
        let mut lines = vec![self.title(format!("Moves{hint}"))];
        let (a_line, first) = (self.layout.moves_a_line(), self.layout.first_line(state));
        let mut number = 0;
        let mut cells = Vec::with_capacity(state.line.len());
        for (ply, mv) in (1..).zip(&state.line) {
            let is_placed = *mv != Move::Pass;
            number += usize::from(is_placed);
            let mark = state.verdict(ply).map_or("", |reviewed| reviewed.judgement.mark());
            let text = if is_placed { format!("{number:>2} {mv}{mark}") } else { "   pass".to_owned() };
            let style = match (ply == state.game.ply(), mark) {
                (true, _) => Style::new().add_modifier(Modifier::REVERSED),
                (_, "??") if self.colors => Style::new().fg(Paint::Red),
                (_, "?") if self.colors => Style::new().fg(Paint::LightRed),
                (_, "?!") if self.colors => Style::new().fg(Paint::Yellow),
                _ if ply > state.game.ply() => self.faint(),
                _ => Style::new(),
            };
            let width = usize::from(MOVE);
            cells.push(vec![Span::styled(format!("{text:<w$}", w = width - 1), style), Span::raw(" ")]);
        }
        let rows = cells.chunks(a_line).map(|row| Line::from(row.concat()));
        lines.extend(rows.skip(first));
        lines
    }

    fn study(&self) -> Vec<Line<'static>> {
        let state = self.state;
        match (state.study, &state.report, &state.tree) {
            (Study::Tree, _, Some((depth, lines))) => {
                let mut shown = vec![self.title(format!("{} to depth {depth}", state.setup.tree.name()))];
                shown.extend(lines.iter().map(|line| Line::raw(line.clone())));
                shown
            }
            (Study::Analysis, Some(report), _) => self.analysis(report),
            (Study::Analysis | Study::Tree, ..) => vec![self.title("Thinking".to_owned())],
            _ => self.verdict(),
        }
    }

    fn analysis(&self, report: &Report) -> Vec<Line<'static>> {
        let speed = report.speed() / 1e6;
        let name = self.state.setup.judge.name();
        let mut lines = vec![self.title(format!(
            "{name}: depth {}, {:.1} s, {speed:.1} M/s",
            report.depth,
            report.time.as_secs_f64()
        ))];
        lines.extend(report.moves.iter().map(|found| Line::raw(self.line(found))));
        lines
    }

    /// A move with its value and line, as players of a side read it.
    fn line(&self, found: &MoveReport) -> String {
        let size = self.state.game.size();
        let bound = match (found.bound, self.unicode) {
            (Bound::Exact, _) => "",
            (Bound::Lower, true) => "≥",
            (Bound::Lower, false) => ">=",
            (Bound::Upper, true) => "≤",
            (Bound::Upper, false) => "<=",
        };
        let worth = found.value.map_or("?".to_owned(), |value| {
            let proven = if found.exact { "!" } else { "" };
            format!("{bound}{}{proven}", signed(self.state.setup.judge.in_discs(value, size)))
        });
        let line: Vec<String> = found.line.iter().map(Move::to_string).collect();
        format!("{worth:>7} {}", line.join(" "))
    }

    /// What the review says of the move that led here.
    fn verdict(&self) -> Vec<Line<'static>> {
        let Some(reviewed) = self.state.verdict(self.state.game.ply()) else { return Vec::new() };
        let mut lines = vec![self.title(format!(
            "{} {}: {}",
            capital(reviewed.side),
            reviewed.mv,
            reviewed.judgement.word()
        ))];
        if reviewed.loss > 0.0 {
            let best = reviewed.best.as_ref().map(|best| {
                let line: Vec<String> = best.line.iter().map(Move::to_string).collect();
                format!("; better {}", line.join(" "))
            });
            lines.push(Line::raw(format!(
                "gives away {:.1} discs{}",
                reviewed.loss,
                best.unwrap_or_default()
            )));
        }
        lines.extend(self.state.why(reviewed.ply).map(|explained| Line::raw(explained.sentence())));
        lines
    }

    fn graph(&self, area: Rect) -> Vec<Line<'static>> {
        let values = self.state.prospects();
        if values.iter().all(Option::is_none) || area.height < 2 {
            return Vec::new();
        }
        let scale = graph::scale(&values);
        let plus_minus = if self.unicode { "±" } else { "+-" };
        let mut lines = vec![self.title(format!("Black's prospects, {plus_minus}{scale} discs"))];
        let rows =
            graph::columns(&values, usize::from(area.width), usize::from(area.height) - 1, self.unicode);
        lines.extend(rows.into_iter().map(Line::raw));
        lines
    }

    fn message(&self) -> Line<'static> {
        let state = self.state;
        let text = match &state.file {
            Some(file) => format!("Save as (such as game.pgn): {file}_"),
            None if !state.typed.is_empty() => format!("{}_", state.typed),
            None => state.message.clone(),
        };
        Line::raw(self.shown(&text))
    }

    /// A text that somebody else has written, as far as the terminal can show it.
    fn shown(&self, text: &str) -> String {
        if self.unicode {
            return text.to_owned();
        }
        text.replace('…', "...").chars().map(|c| if c.is_ascii() { c } else { '?' }).collect()
    }

    fn footer(&self) -> Line<'static> {
        let keys = LETTERS.iter().map(|(letter, _, word, _)| format!("{letter} {word}"));
        Line::raw(keys.collect::<Vec<_>>().join("  "))
    }

    fn help(&self, buffer: &mut Buffer) {
        let mut lines = vec![self.title("What can be typed".to_owned()), Line::raw("")];
        let ways = [
            ("d3", "place a disc on d3"),
            ("arrows, hjkl", "move the cursor; in the list of moves step through the game"),
            ("Enter, Space", "place a disc at the cursor; or click"),
            ("Tab", "from the board to the list of moves and back"),
            ("Home, End", "start and end of the game"),
        ];
        let letters = LETTERS.iter().map(|(letter, _, _, meaning)| (letter.to_string(), *meaning));
        let all = ways.into_iter().map(|(key, meaning)| (key.to_owned(), meaning)).chain(letters);
        lines.extend(all.map(|(key, meaning)| Line::raw(format!("{key:<13} {meaning}"))));
        let area = buffer.area;
        Clear.render(area, buffer);
        Paragraph::new(lines).wrap(Wrap { trim: false }).render(area, buffer);
    }
}

/// A square in letters: X and O for discs, brackets for the cursor, round ones for the last move, a star for a hint.
fn letters(disc: Option<Color>, legal: bool, mark: Mark, large: bool) -> Vec<String> {
    let symbol = match disc {
        Some(color) => color.symbol(),
        None if legal => '.',
        None if large => ' ',
        None => '-',
    };
    let (before, after) = match mark {
        Mark::Cursor => ('[', ']'),
        Mark::Last => ('(', ')'),
        Mark::Hint => ('*', '*'),
        Mark::Plain => (' ', ' '),
    };
    match (large, disc, legal) {
        (false, ..) => vec![format!("{before}{symbol}")],
        // A dot in the middle of empty squares, so that the eye finds the rows.
        (true, None, false) => vec![format!("{before}-{after} "), "    ".to_owned()],
        (true, ..) => vec![format!("{before}{symbol}{after} "), "    ".to_owned()],
    }
}

/// Writes where there is room.
fn put(buffer: &mut Buffer, x: u16, y: u16, text: &str, style: Style) {
    if y < buffer.area.bottom() && x < buffer.area.right() {
        let room = usize::from(buffer.area.right() - x);
        buffer.set_stringn(x, y, text, room, style);
    }
}
