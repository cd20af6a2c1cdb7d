//! The shapes of the board that are looked at, and their places on it.

use emilia_rules::{Point, Size, Square, Symmetry};

/// A shape: some squares, in an order that means nothing but is fixed by the files of weights. Mirrored and turned it lies on
/// the board up to eight times.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What players call it.
    pub name: &'static str,
    /// Its squares in one of its places.
    pub squares: &'static [Square],
    /// The same place read the other way, as an order of the squares, if the shape is its own mirror image.
    pub mirror: Option<&'static [usize]>,
}

use Square::*;

/// All shapes, largest effect first. Together they lie in [`PLACES`] places.
pub static SHAPES: [Shape; 11] = [
    Shape {
        name: "corner 3×3",
        squares: &[A1, B1, A2, B2, C1, A3, C2, B3, C3],
        mirror: Some(&[0, 2, 1, 3, 5, 4, 7, 6, 8]),
    },
    Shape {
        name: "edge with both X squares",
        squares: &[B2, A1, B1, C1, D1, E1, F1, G1, H1, G2],
        mirror: Some(&[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
    },
    Shape { name: "corner 5×2", squares: &[A1, B1, C1, D1, E1, A2, B2, C2, D2, E2], mirror: None },
    Shape { name: "second row", squares: &[A2, B2, C2, D2, E2, F2, G2, H2], mirror: MIRROR_8 },
    Shape { name: "third row", squares: &[A3, B3, C3, D3, E3, F3, G3, H3], mirror: MIRROR_8 },
    Shape { name: "fourth row", squares: &[A4, B4, C4, D4, E4, F4, G4, H4], mirror: MIRROR_8 },
    Shape { name: "diagonal of 8", squares: &[A1, B2, C3, D4, E5, F6, G7, H8], mirror: MIRROR_8 },
    Shape {
        name: "diagonal of 7",
        squares: &[B1, C2, D3, E4, F5, G6, H7],
        mirror: Some(&[6, 5, 4, 3, 2, 1, 0]),
    },
    Shape { name: "diagonal of 6", squares: &[C1, D2, E3, F4, G5, H6], mirror: Some(&[5, 4, 3, 2, 1, 0]) },
    Shape { name: "diagonal of 5", squares: &[D1, E2, F3, G4, H5], mirror: Some(&[4, 3, 2, 1, 0]) },
    Shape { name: "diagonal of 4", squares: &[E1, F2, G3, H4], mirror: Some(&[3, 2, 1, 0]) },
];

const MIRROR_8: Option<&[usize]> = Some(&[7, 6, 5, 4, 3, 2, 1, 0]);

/// On how many places of the board the shapes lie.
pub const PLACES: usize = 46;

/// The shapes of boards of 6×6, which lie in the top left part of the 8×8 board, in [`SIX_PLACES`] places.
pub static SIX_SHAPES: [Shape; 10] = [
    Shape {
        name: "corner 3×3",
        squares: &[A1, B1, A2, B2, C1, A3, C2, B3, C3],
        mirror: Some(&[0, 2, 1, 3, 5, 4, 7, 6, 8]),
    },
    Shape { name: "edge with both X squares", squares: &[B2, A1, B1, C1, D1, E1, F1, E2], mirror: MIRROR_8 },
    Shape { name: "corner 4×2", squares: &[A1, B1, C1, D1, A2, B2, C2, D2], mirror: None },
    Shape {
        name: "middle of the edge",
        squares: &[B1, C1, D1, E1, B2, C2, D2, E2],
        mirror: Some(&[3, 2, 1, 0, 7, 6, 5, 4]),
    },
    Shape { name: "second row", squares: &[A2, B2, C2, D2, E2, F2], mirror: MIRROR_6 },
    Shape { name: "third row", squares: &[A3, B3, C3, D3, E3, F3], mirror: MIRROR_6 },
    Shape { name: "diagonal of 6", squares: &[A1, B2, C3, D4, E5, F6], mirror: MIRROR_6 },
    Shape { name: "diagonal of 5", squares: &[B1, C2, D3, E4, F5], mirror: Some(&[4, 3, 2, 1, 0]) },
    Shape { name: "diagonal of 4", squares: &[C1, D2, E3, F4], mirror: Some(&[3, 2, 1, 0]) },
    Shape { name: "diagonal of 3", squares: &[D1, E2, F3], mirror: Some(&[2, 1, 0]) },
];

const MIRROR_6: Option<&[usize]> = Some(&[5, 4, 3, 2, 1, 0]);

/// On how many places of a board of 6×6 its shapes lie.
pub const SIX_PLACES: usize = 42;

impl Shape {
    /// How many ways there are to fill the shape.
    #[must_use]
    pub const fn fillings(&self) -> usize {
        3usize.pow(self.squares.len() as u32)
    }

    /// Every place of the shape on a board of this size: its squares there, in the order of [`Shape::squares`]. A shape
    /// that is its own mirror image is listed once for both ways to read it.
    #[must_use]
    pub fn places(&self, size: Size) -> Vec<Vec<Square>> {
        let mut places: Vec<Vec<Square>> = Vec::new();
        for symmetry in Symmetry::ALL {
            let moved: Vec<Square> = self
                .squares
                .iter()
                .filter_map(|square| symmetry.point(Point::from(*square), size).square())
                .collect();
            let mut sorted = moved.clone();
            sorted.sort_unstable();
            let known = places.iter().any(|place| {
                let mut other = place.clone();
                other.sort_unstable();
                other == sorted
            });
            if !known {
                places.push(moved);
            }
        }
        places
    }

    /// For each filling the one that shares its weight: the smaller of both ways to read a mirrored shape.
    #[must_use]
    pub fn canonical(&self) -> Vec<usize> {
        let mirror = self.mirror.unwrap_or_default();
        let mirrored_place = |square| mirror.iter().position(|from| *from == square).unwrap_or(square);
        let mirrored = self.renumbered(mirrored_place, [0, 1, 2]);
        mirrored.into_iter().enumerate().map(|(filling, mirrored)| filling.min(mirrored)).collect()
    }

    /// The number of each filling, by its number in the code where 0 is the opponent's disc, 1 an empty square and
    /// 2 an own disc: that of [`Patterns`](crate::Patterns), which makes changing sides cheap.
    #[must_use]
    pub fn from_balanced(&self) -> Vec<usize> {
        self.renumbered(|square| square, [2, 0, 1])
    }

    /// Another number for each filling, made of other digits in other places.
    fn renumbered(&self, place: impl Fn(usize) -> usize, digits: [usize; 3]) -> Vec<usize> {
        let mut numbers = vec![0];
        for square in 0..self.squares.len() {
            let power = 3usize.pow(place(square) as u32);
            let with = |digit| numbers.iter().map(move |number| number + power * digit);
            numbers = digits.into_iter().flat_map(with).collect();
        }
        numbers
    }
}

/// A number that tells lists of shapes apart: weights say for which one they were made.
#[must_use]
pub fn fingerprint(shapes: &[Shape]) -> u32 {
    let lines: Vec<String> = shapes.iter().map(squares).collect();
    crc32fast::hash(lines.join("\n").as_bytes())
}

/// The squares of a shape in a line.
fn squares(shape: &Shape) -> String {
    let squares: Vec<String> = shape.squares.iter().map(Square::to_string).collect();
    squares.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Python scripts read the shapes from a file.
    #[test]
    fn the_training_scripts_know_the_same_shapes() {
        let lines: Vec<String> =
            SHAPES.iter().map(|shape| format!("{} = {}\n", squares(shape), shape.name)).collect();
        assert_eq!(lines.concat(), include_str!("../../../training/shapes.txt"));
    }

    /// All shapes of both boards.
    fn all() -> impl Iterator<Item = (&'static Shape, Size)> {
        let eight = SHAPES.iter().map(|shape| (shape, Size::EIGHT));
        eight.chain(SIX_SHAPES.iter().map(|shape| (shape, Size::SIX)))
    }

    #[test]
    fn places_add_up() {
        for (size, places) in [(8, PLACES), (6, SIX_PLACES)] {
            let of_size = all().filter(|(_, of)| of.get() == size);
            assert_eq!(of_size.map(|(shape, size)| shape.places(size).len()).sum::<usize>(), places);
        }
        for (shape, size) in all() {
            // A shape without a mirror image lies in all eight ways.
            assert_eq!(shape.places(size).len() == 8, shape.mirror.is_none(), "{}", shape.name);
        }
    }

    #[test]
    fn mirroring_twice_and_changing_codes_thrice_changes_nothing() {
        for (shape, _) in all() {
            let (from_balanced, canonical) = (shape.from_balanced(), shape.canonical());
            for filling in 0..shape.fillings() {
                assert_eq!(from_balanced[from_balanced[from_balanced[filling]]], filling);
                assert!(canonical[filling] <= filling);
                assert_eq!(canonical[canonical[filling]], canonical[filling]);
            }
        }
    }

    /// Reading a mirrored shape the other way is the board mirrored: the place stays, the squares swap.
    #[test]
    fn mirrors_are_symmetries_of_the_board() {
        for (shape, size) in all() {
            let Some(mirror) = shape.mirror else { continue };
            let swapped: Vec<Square> = mirror.iter().map(|from| shape.squares[*from]).collect();
            assert!(Symmetry::ALL[1..].iter().any(|symmetry| {
                shape
                    .squares
                    .iter()
                    .zip(&swapped)
                    .all(|(from, to)| symmetry.point(Point::from(*from), size).square() == Some(*to))
            }));
        }
    }
}
