use emilia_rules::{Playable, Size, SquareSet};

/// Squares in a line along a border: how far the line is inside, how far from the corner it begins, how many there are.
#[derive(Clone, Copy, Debug)]
struct Run {
    inside: usize,
    from: u32,
    length: u32,
}

const fn run(inside: usize, from: u32, length: u32) -> Run {
    Run { inside, from, length }
}

/// Squares near a corner or along a border whose discs are looked at together: the same squares at every corner, along
/// both borders. What stands on them, the filling, is a number of base 3: 0 for an empty square, 1 for an own disc, 2 for
/// one of the opponent.
#[derive(Clone, Copy, Debug)]
struct Shape {
    runs: &'static [Run],
    turned: Turned,
}

/// Which of the eight ways to lay a shape on the board are different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turned {
    /// All: at each corner along both borders.
    Eightfold,
    /// The shape is its own mirror image along the diagonal through its corner.
    Diagonal,
    /// The shape goes from border to border and is its own mirror image.
    Border,
}

/// A corner, three squares wide and high.
const CORNER: Shape = Shape { runs: &[run(0, 0, 3), run(1, 0, 3), run(2, 0, 3)], turned: Turned::Diagonal };
/// A corner, four squares along a border and two inwards.
const LONG_CORNER: Shape = Shape { runs: &[run(0, 0, 4), run(1, 0, 4)], turned: Turned::Eightfold };

/// A line from border to border, so far inside.
const fn line(runs: &'static [Run]) -> Shape {
    Shape { runs, turned: Turned::Border }
}

const EIGHT: [Shape; 5] = [
    CORNER,
    // The border with the X-squares beside it.
    line(&[run(0, 0, 8), run(1, 1, 1), run(1, 6, 1)]),
    line(&[run(1, 0, 8)]),
    line(&[run(2, 0, 8)]),
    line(&[run(3, 0, 8)]),
];

const TEN: [Shape; 3] = [CORNER, Shape { runs: &[run(0, 0, 10)], turned: Turned::Border }, LONG_CORNER];

const LARGE: [Shape; 3] = [CORNER, Shape { runs: &[run(0, 0, 8)], turned: Turned::Eightfold }, LONG_CORNER];

/// Lines looked at inside a border, at most.
const INSIDE: usize = 4;

/// Stages of the game that weights are made for: an empty board, one that is filled by a third, by two thirds, full.
pub(super) const STAGES: usize = 4;

/// The shapes of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shapes {
    Eight,
    Ten,
    Large,
}

impl Shapes {
    /// Those for boards of this size; there are none where every game is solved or has a search of its own.
    pub(super) fn of(size: Size) -> Option<Shapes> {
        match size.get() {
            8 => Some(Shapes::Eight),
            10 => Some(Shapes::Ten),
            12.. => Some(Shapes::Large),
            _ => None,
        }
    }

    fn list(self) -> &'static [Shape] {
        match self {
            Shapes::Eight => &EIGHT,
            Shapes::Ten => &TEN,
            Shapes::Large => &LARGE,
        }
    }

    /// How many fillings all shapes have together.
    pub(super) fn fillings(self) -> usize {
        self.list().iter().map(Shape::fillings).sum()
    }

    /// For every filling the first one that is worth the same by symmetry: itself, or its mirror image.
    pub(super) fn firsts(self) -> Vec<usize> {
        let mut firsts = Vec::new();
        for shape in self.list() {
            let before = firsts.len();
            firsts.extend((0..shape.fillings()).map(|filling| before + filling.min(shape.mirrored(filling))));
        }
        firsts
    }

    /// Gives the number of every filling on the board, counted through all shapes, to `take`.
    #[inline(always)]
    pub(super) fn each<P: Playable>(self, position: &P, take: impl FnMut(usize)) {
        // Each with its shapes known when it is compiled.
        match self {
            Shapes::Eight => each(&EIGHT, position, 8, [4, 4], take),
            Shapes::Ten => each(&TEN, position, 10, [3, 2], take),
            Shapes::Large => each(&LARGE, position, usize::from(position.size().get()), [3, 2], take),
        }
    }
}

impl Shape {
    fn squares(&self) -> u32 {
        self.runs.iter().map(|run| run.length).sum()
    }

    fn fillings(&self) -> usize {
        3usize.pow(self.squares())
    }

    /// The squares, as how far they are from the corner along the border and inwards.
    fn places(&self) -> impl Iterator<Item = (u32, u32)> {
        self.runs
            .iter()
            .flat_map(|run| (run.from..run.from + run.length).map(|along| (along, run.inside as u32)))
    }

    /// The filling seen in the mirror, if the shape is its own mirror image.
    fn mirrored(&self, filling: usize) -> usize {
        let longest = self.places().map(|(along, _)| along).max().unwrap_or(0);
        let image = |(along, inside): (u32, u32)| match self.turned {
            Turned::Eightfold => (along, inside),
            Turned::Diagonal => (inside, along),
            Turned::Border => (longest - along, inside),
        };
        let digit = |at: usize| filling / 3usize.pow(at as u32) % 3;
        let places: Vec<_> = self.places().collect();
        let mirrored = self.places().map(|place| {
            let from = places.iter().position(|other| *other == image(place)).unwrap_or(0);
            digit(from)
        });
        mirrored.enumerate().map(|(at, digit)| digit * 3usize.pow(at as u32)).sum()
    }

    /// The filling along this border, given how far inside there are which lines, bit 0 of each at the corner.
    #[inline(always)]
    fn filling(&self, lines: &[[Line; 8]; INSIDE], border: usize) -> usize {
        let (mut own, mut opponent, mut place) = (0, 0, 0);
        for run in self.runs {
            let line = lines[run.inside][border];
            let squares = (1 << run.length) - 1;
            own |= ((line.own >> run.from) & squares) << place;
            opponent |= ((line.opponent >> run.from) & squares) << place;
            place += run.length;
        }
        let digits = |set: u32| usize::from(DIGITS[set as usize % DIGITS.len()]);
        digits(own) + 2 * digits(opponent)
    }
}

/// For a set of bits the number of base 3 with the digit 1 in their places.
static DIGITS: [u16; 1 << 10] = {
    let mut digits = [0; 1 << 10];
    let mut set = 1;
    while set < digits.len() {
        digits[set] = digits[set / 2] * 3 + (set % 2) as u16;
        set += 1;
    }
    digits
};

/// The discs of a row or column.
#[derive(Clone, Copy, Default)]
struct Line {
    own: u32,
    opponent: u32,
}

impl Line {
    /// The same line seen from its other end.
    #[inline(always)]
    fn reversed(self, side: usize) -> Line {
        let reverse = |squares: u32| squares.reverse_bits() >> (32 - side);
        Line { own: reverse(self.own), opponent: reverse(self.opponent) }
    }
}

/// The same for these shapes, which reach so many rows and so many columns inside a border: those that are their own mirror image
/// along the diagonal need no columns.
#[inline(always)]
fn each<P: Playable>(
    shapes: &[Shape],
    position: &P,
    side: usize,
    [rows, columns]: [usize; 2],
    mut take: impl FnMut(usize),
) {
    let (own, opponent) = (position.own(), position.opponent());
    // How far inside; from the top, the bottom, the left and the right, then the same borders from their other ends.
    let mut lines = [[Line::default(); 8]; INSIDE];
    for (inside, lines) in lines.iter_mut().enumerate().take(rows) {
        let opposite = side - 1 - inside;
        lines[0] = Line { own: own.row(inside), opponent: opponent.row(inside) };
        lines[1] = Line { own: own.row(opposite), opponent: opponent.row(opposite) };
        if inside < columns {
            lines[2] = Line { own: own.column(inside), opponent: opponent.column(inside) };
            lines[3] = Line { own: own.column(opposite), opponent: opponent.column(opposite) };
        }
        for border in 0..4 {
            lines[4 + border] = lines[border].reversed(side);
        }
    }
    let mut before = 0;
    for shape in shapes {
        let borders: [usize; 8] = match shape.turned {
            Turned::Eightfold => [0, 1, 2, 3, 4, 5, 6, 7],
            Turned::Diagonal => [0, 1, 4, 5, 0, 0, 0, 0],
            Turned::Border => [0, 1, 2, 3, 0, 0, 0, 0],
        };
        let count = if shape.turned == Turned::Eightfold { 8 } else { 4 };
        for border in &borders[..count] {
            take(before + shape.filling(&lines, *border));
        }
        before += shape.fillings();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::grid::evaluator::tests::game;
    use emilia_rules::{GridPosition, Point, Symmetry};

    /// The numbers of all fillings, square by square: for each way to turn the board those of the shapes in the corner a1 along
    /// the first row.
    fn slow(position: &GridPosition) -> Vec<usize> {
        let (mut numbers, mut before) = (Vec::new(), 0);
        for shape in Shapes::of(position.size()).unwrap().list() {
            for symmetry in Symmetry::ALL {
                let board = position.transformed(symmetry);
                let filling = shape.places().enumerate().map(|(at, (along, inside))| {
                    let point = Point::new(along as u8, inside as u8).unwrap();
                    let digit = match board.disc(point) {
                        None => 0,
                        Some(color) if color == board.turn() => 1,
                        Some(_) => 2,
                    };
                    digit * 3usize.pow(at as u32)
                });
                numbers.push(before + filling.sum::<usize>());
            }
            before += shape.fillings();
        }
        numbers
    }

    #[test]
    fn fillings_are_those_found_square_by_square() {
        for side in [8, 10, 12, 16, 20, 26] {
            let shapes = Shapes::of(Size::new(side).unwrap()).unwrap();
            let firsts = shapes.firsts();
            for position in game(side, 5).iter().step_by(9) {
                // A shape that is its own mirror image is found twice in the slow way.
                let mut expected: Vec<usize> = slow(position).iter().map(|number| firsts[*number]).collect();
                let mut found = Vec::new();
                let mut narrow = Vec::new();
                shapes.each(position, |number| found.push(firsts[number]));
                if let Some(position) = position.narrowed::<16>() {
                    shapes.each(&position, |number| narrow.push(firsts[number]));
                    assert_eq!(narrow, found, "{position:?}");
                }
                let mut twice = Vec::new();
                let mut seen = 0;
                for shape in shapes.list() {
                    let (times, count) = if shape.turned == Turned::Eightfold { (1, 8) } else { (2, 4) };
                    found[seen..seen + count].iter().for_each(|number| twice.extend(vec![*number; times]));
                    seen += count;
                }
                assert_eq!(seen, found.len());
                expected.sort_unstable();
                twice.sort_unstable();
                assert_eq!(twice, expected, "{position}");
            }
        }
    }

    #[test]
    fn a_filling_seen_twice_in_the_mirror_is_itself() {
        for shape in EIGHT.iter().chain(&TEN).chain(&LARGE) {
            for filling in (0..shape.fillings()).step_by(7) {
                assert_eq!(shape.mirrored(shape.mirrored(filling)), filling, "{shape:?}");
            }
        }
        assert_eq!(TEN[1].mirrored(1), 3usize.pow(9), "the corners of a border");
        assert_eq!(EIGHT[1].mirrored(3usize.pow(8)), 3usize.pow(9), "the X-squares");
        assert_eq!(CORNER.mirrored(3), 27, "the C-squares");
        assert_eq!(LONG_CORNER.mirrored(3), 3);
    }
}
