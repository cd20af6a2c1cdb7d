use emilia_rules::{Bitboard, Grid, GridPosition, Playable, Point, Position, Size, SquareSet, Symmetry};

/// A position whose sets of squares can be written down, a bit each: square after square, row by row.
pub(crate) trait Packed: Playable + Copy + Into<GridPosition> {
    /// The bits, 64 a word, the lowest first; only the first ⌈squares / 64⌉ words count.
    type Words: AsRef<[u64]>;

    /// The set as bits.
    fn words(set: Self::Set, size: Size) -> Self::Words;

    /// The position turned or mirrored.
    #[must_use]
    fn turned(&self, symmetry: Symmetry) -> Self;
}

impl Packed for Position {
    type Words = [u64; 1];

    #[inline]
    fn words(set: Bitboard, size: Size) -> [u64; 1] {
        if size == Size::EIGHT {
            return [set.0];
        }
        // Smaller boards lie in the top left part of eight rows of eight.
        let side = u32::from(size.get());
        let row = |row: u32| (set.0 >> (8 * row) & ((1 << side) - 1)) << (side * row);
        [(0..side).fold(0, |bits, at| bits | row(at))]
    }

    #[inline]
    fn turned(&self, symmetry: Symmetry) -> Position {
        self.transformed(symmetry)
    }
}

/// Words of the largest board.
const MOST_WORDS: usize = Size::MAX.cells().div_ceil(64);

impl Packed for GridPosition {
    type Words = [u64; MOST_WORDS];

    fn words(set: Grid, size: Size) -> [u64; MOST_WORDS] {
        let mut words = [0; MOST_WORDS];
        for point in set & Grid::board(size) {
            let index = point.index(size);
            words[index / 64] |= 1 << (index % 64);
        }
        words
    }

    fn turned(&self, symmetry: Symmetry) -> GridPosition {
        self.transformed(symmetry)
    }
}

/// The number of a square, counted row by row.
pub(crate) fn index(square: impl Into<Point>, size: Size) -> usize {
    square.into().index(size)
}

/// The bytes of a set, as many as the board needs.
pub(crate) fn put<P: Packed>(set: P::Set, size: Size, row: &mut Vec<u8>) {
    let words = P::words(set, size);
    let mut left = size.cells().div_ceil(8);
    for word in words.as_ref() {
        let bytes = word.to_le_bytes();
        let count = left.min(bytes.len());
        row.extend_from_slice(&bytes[..count]);
        left -= count;
    }
}

/// The set that has these bytes.
#[cfg(test)]
pub(crate) fn set(bytes: &[u8], size: Size) -> Vec<usize> {
    (0..size.cells()).filter(|square| bytes[square / 8] >> (square % 8) & 1 != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_positions_write_the_same_bits() {
        for size in [Size::MIN, Size::SIX, Size::EIGHT] {
            let grid = GridPosition::start(size);
            let compact = Position::try_from(&grid).unwrap();
            let (mut one, mut other) = (Vec::new(), Vec::new());
            put::<GridPosition>(grid.placements(), size, &mut one);
            put::<Position>(compact.placements(), size, &mut other);
            assert_eq!(one, other);
            assert_eq!(set(&one, size).len(), 4);
            assert_eq!(one.len(), size.cells().div_ceil(8));
            let squares: Vec<usize> = compact
                .placements()
                .into_iter()
                .map(|square: emilia_rules::Square| index(square, size))
                .collect();
            assert_eq!(set(&one, size), squares);
        }
    }
}
