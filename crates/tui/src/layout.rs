use emilia_rules::{Point, Size};
use ratatui::layout::Rect;

use crate::State;
use crate::state::Study;

/// Where everything is on the terminal. Drawing and clicking both look here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The squares that are seen, without the names of columns and rows.
    pub(crate) board: Rect,
    /// Columns and rows of the terminal that a square takes.
    pub(crate) cell: (u16, u16),
    /// The first square that is seen: large boards are scrolled.
    pub(crate) first: (u8, u8),
    pub(crate) players: Rect,
    pub(crate) moves: Rect,
    pub(crate) study: Rect,
    pub(crate) graph: Rect,
    pub(crate) message: Rect,
    pub(crate) footer: Rect,
}

/// Room for the names of rows at the left, and of columns above.
pub(crate) const LABELS: (u16, u16) = (3, 1);
/// A move in the list: number, square, mark.
pub(crate) const MOVE: u16 = 9;
const LARGE: (u16, u16) = (4, 2);
const SMALL: (u16, u16) = (2, 1);
/// Beside the board at least this is wanted.
const PANELS: u16 = 24;
/// Rows of the graph, its title included: at least, and at most.
const GRAPH: (u16, u16) = (4, 9);

impl Layout {
    pub(crate) fn of(state: &State) -> Layout {
        let (columns, rows) = state.area;
        let below = rows.min(2);
        let body = Rect::new(0, 0, columns, rows - below);
        let message = Rect::new(0, body.height, columns, u16::from(below > 1));
        let footer = Rect::new(0, rows - u16::from(below > 0), columns, u16::from(below > 0));
        let (board, cell, first) = board(state, body);
        let under = board.bottom().min(body.height);
        let beside = (board.right() + 2).min(columns);
        let panels = Rect::new(beside, 0, columns - beside, body.height);
        let panels = if panels.width < PANELS / 2 { Rect::ZERO } else { panels };
        let (graph, panels) = graph(Rect::new(0, under, board.right(), body.height - under), panels);
        let players = cut(panels, 0, 3);
        let rest = panels.height.saturating_sub(players.height);
        let wanted = match state.study {
            Study::Tree => rest.saturating_sub(4),
            Study::Analysis => 7,
            _ => 4,
        };
        let study_height = wanted.min(rest.saturating_sub(3));
        let moves = cut(panels, players.height, rest - study_height);
        let study = cut(panels, players.height + moves.height, study_height);
        Layout { board, cell, first, players, moves, study, graph, message, footer }
    }

    /// The square at this place of the terminal.
    pub(crate) fn square_at(&self, column: u16, row: u16) -> Option<Point> {
        if !self.board.contains((column, row).into()) {
            return None;
        }
        let across = u8::try_from((column - self.board.x) / self.cell.0).ok()?;
        let down = u8::try_from((row - self.board.y) / self.cell.1).ok()?;
        Point::new(self.first.0 + across, self.first.1 + down)
    }

    /// The number of the move at this place of the list of moves, if it is there.
    pub(crate) fn ply_at(&self, column: u16, row: u16, state: &State) -> Option<usize> {
        if !self.moves.contains((column, row).into()) || row == self.moves.y {
            return None;
        }
        let line = usize::from(row - self.moves.y - 1) + self.first_line(state);
        let ply = line * self.moves_a_line() + usize::from((column - self.moves.x) / MOVE) + 1;
        (ply <= state.line.len()).then_some(ply)
    }

    pub(crate) fn moves_a_line(&self) -> usize {
        usize::from(self.moves.width / MOVE).max(1)
    }

    /// The first line of the list of moves that is seen, so that the last move made is among them.
    pub(crate) fn first_line(&self, state: &State) -> usize {
        let seen = usize::from(self.moves.height.saturating_sub(1)).max(1);
        (state.game.ply().saturating_sub(1) / self.moves_a_line() + 1).saturating_sub(seen)
    }
}

/// Where the squares are, how large they are, and which is the first.
fn board(state: &State, body: Rect) -> (Rect, (u16, u16), (u8, u8)) {
    let size: Size = state.game.size();
    let side = u16::from(size.get());
    let fits = |cell: (u16, u16)| {
        LABELS.0 + side * cell.0 + PANELS <= body.width && LABELS.1 + side * cell.1 <= body.height
    };
    let cell = if fits(LARGE) { LARGE } else { SMALL };
    let across = (body.width.saturating_sub(LABELS.0) / cell.0).min(side);
    let down = (body.height.saturating_sub(LABELS.1) / cell.1).min(side);
    // The cursor stays in sight, in the middle where there is room.
    let first = |at: u8, seen: u16| u16::from(at).saturating_sub(seen / 2).min(side - seen) as u8;
    let first = (first(state.cursor.column(), across), first(state.cursor.row(), down));
    let (x, y) = (LABELS.0.min(body.width), LABELS.1.min(body.height));
    (Rect::new(x, y, across * cell.0, down * cell.1), cell, first)
}

/// The graph goes below the board if there is room, otherwise below the panels; and what is left for them.
fn graph(under: Rect, panels: Rect) -> (Rect, Rect) {
    if under.height >= GRAPH.0 {
        return (Rect { height: under.height.min(GRAPH.1), ..under }, panels);
    }
    if panels.height < 4 * GRAPH.0 {
        return (Rect::ZERO, panels);
    }
    let height = panels.height - GRAPH.0 - 1;
    (cut(panels, height, GRAPH.0 + 1), Rect { height, ..panels })
}

/// So many rows of an area.
fn cut(area: Rect, from: u16, rows: u16) -> Rect {
    let from = from.min(area.height);
    Rect { y: area.y + from, height: rows.min(area.height - from), ..area }
}
