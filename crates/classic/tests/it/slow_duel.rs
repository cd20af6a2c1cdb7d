//! The 6×6 duel once more, written from the rules and from the formulas in docs/textbook.md alone: cells in an array,
//! walks along rays, no bits and nothing of this crate or of `rules`.

/// A board with a margin around it, row by row, eight cells a row.
pub(crate) type Cells = [i8; 64];

pub(crate) const BLACK: i8 = 1;
pub(crate) const WHITE: i8 = -1;
const EMPTY: i8 = 0;
const MARGIN: i8 = 2;

const STEPS: [isize; 8] = [-9, -8, -7, -1, 1, 7, 8, 9];
const AXES: [isize; 4] = [1, 7, 8, 9];

/// What a won game is worth: more than any evaluation.
pub(crate) const WIN: f64 = 1e9;

/// An evaluator of the duel.
pub(crate) type Evaluator = fn(&Cells, i8) -> f64;

/// The cell of this row and column, from 1.
pub(crate) const fn cell(row: usize, column: usize) -> usize {
    row * 8 + column
}

pub(crate) fn start() -> Cells {
    let mut cells = [MARGIN; 64];
    for row in 1..=6 {
        cells[cell(row, 1)..=cell(row, 6)].fill(EMPTY);
    }
    (cells[cell(3, 3)], cells[cell(4, 4)]) = (WHITE, WHITE);
    (cells[cell(3, 4)], cells[cell(4, 3)]) = (BLACK, BLACK);
    cells
}

/// How many discs a move flips in one direction.
fn flips(cells: &Cells, side: i8, at: usize, step: isize) -> usize {
    let mut count = 0;
    let mut end = at.wrapping_add_signed(step);
    while cells[end] == -side {
        count += 1;
        end = end.wrapping_add_signed(step);
    }
    if cells[end] == side { count } else { 0 }
}

/// Whether a move here flips something.
fn is_legal(cells: &Cells, side: i8, at: usize) -> bool {
    cells[at] == EMPTY && STEPS.iter().any(|step| flips(cells, side, at, *step) > 0)
}

/// The board after a move, if it flips something.
pub(crate) fn placed(cells: &Cells, side: i8, at: usize) -> Option<Cells> {
    if !is_legal(cells, side, at) {
        return None;
    }
    let mut after = *cells;
    after[at] = side;
    for step in STEPS {
        let mut flipped = at;
        for _ in 0..flips(cells, side, at, step) {
            flipped = flipped.wrapping_add_signed(step);
            after[flipped] = side;
        }
    }
    Some(after)
}

/// Every cell in the order in which the duel tries them: the border, the centre, the ring between.
fn order() -> impl Iterator<Item = usize> {
    let ring = |at: usize| (at / 8).min(7 - at / 8).min(at % 8).min(7 - at % 8);
    [1, 3, 2].into_iter().flat_map(move |wanted| (0..64).filter(move |at| ring(*at) == wanted))
}

pub(crate) fn mobility(cells: &Cells, side: i8) -> usize {
    (cell(1, 1)..=cell(6, 6)).filter(|at| is_legal(cells, side, *at)).count()
}

pub(crate) fn discs(cells: &Cells, side: i8) -> usize {
    cells.iter().filter(|cell| **cell == side).count()
}

/// The best value for the side to move, and with it the first move that has it; no move stands for a pass.
pub(crate) fn search(cells: &Cells, side: i8, depth: u32, judge: Evaluator) -> (f64, Option<usize>) {
    let order: Vec<usize> = order().collect();
    node(cells, side, depth, (f64::NEG_INFINITY, f64::INFINITY), judge, &order)
}

fn node(
    cells: &Cells,
    side: i8,
    depth: u32,
    (mut alpha, beta): (f64, f64),
    judge: Evaluator,
    order: &[usize],
) -> (f64, Option<usize>) {
    if !order.iter().any(|at| is_legal(cells, side, *at)) {
        if mobility(cells, -side) == 0 {
            let margin = discs(cells, side) as i32 - discs(cells, -side) as i32;
            return (f64::from(margin.signum()) * WIN, None);
        }
        if depth > 0 {
            return (-node(cells, -side, depth - 1, (-beta, -alpha), judge, order).0, None);
        }
    }
    if depth == 0 {
        return (judge(cells, side), None);
    }
    let (mut best, mut choice) = (f64::NEG_INFINITY, None);
    for at in order.iter().copied() {
        let Some(next) = placed(cells, side, at) else { continue };
        let value = -node(&next, -side, depth - 1, (-beta, -alpha), judge, order).0;
        if value > best {
            (best, choice) = (value, Some(at));
        }
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    (best, choice)
}

/// For every disc 1 and the number of axes on which a ray to the border holds only its colour; corners 64, X-squares −32.
pub(crate) fn judge(cells: &Cells, side: i8) -> f64 {
    let mut points = 0;
    for (at, disc) in cells.iter().enumerate().filter(|(_, disc)| [BLACK, WHITE].contains(*disc)) {
        let reaches_border = |step: isize| {
            let mut end = at;
            while cells[end] == *disc {
                end = end.wrapping_add_signed(step);
            }
            cells[end] == MARGIN
        };
        let backed = AXES.into_iter().filter(|axis| reaches_border(*axis) || reaches_border(-axis)).count();
        let extra = match (at / 8, at % 8) {
            (1 | 6, 1 | 6) => 64,
            (2 | 5, 2 | 5) => -32,
            _ => 0,
        };
        points += i32::from(disc * side) * (1 + backed as i32 + extra);
    }
    f64::from(points)
}

/// 10·p + 801.724·c + 78.922·m + 74.396·f + 10·d
pub(crate) fn myjudge(cells: &Cells, side: i8) -> f64 {
    #[rustfmt::skip]
    const VALUES: [i32; 18] = [
        20, -3, 11, 11, -3, 20,
        -3, -7, -4, -4, -7, -3,
        11, -4,  2,  2, -4, 11,
    ];
    let (mut corners, mut squares, mut frontier) = (0, 0, [0, 0]);
    for (at, disc) in cells.iter().enumerate().filter(|(_, disc)| [BLACK, WHITE].contains(*disc)) {
        let (row, column) = ((at / 8).min(7 - at / 8) - 1, at % 8 - 1);
        let sign = i32::from(disc * side);
        corners += if VALUES[row * 6 + column] == 20 { sign } else { 0 };
        squares += sign * VALUES[row * 6 + column];
        if STEPS.iter().any(|step| cells[at.wrapping_add_signed(*step)] == EMPTY) {
            frontier[usize::from(sign < 0)] += 1;
        }
    }
    let larger = |own: usize, other: usize| match own.cmp(&other) {
        std::cmp::Ordering::Greater => (100 * own) as f64 / (own + other) as f64,
        std::cmp::Ordering::Less => -((100 * other) as f64) / (own + other) as f64,
        std::cmp::Ordering::Equal => 0.0,
    };
    10.0 * larger(discs(cells, side), discs(cells, -side))
        + 801.724 * (25.0 * f64::from(corners))
        + 78.922 * larger(mobility(cells, side), mobility(cells, -side))
        + 74.396 * -larger(frontier[0], frontier[1])
        + 10.0 * f64::from(squares)
}
