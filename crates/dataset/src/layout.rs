use emilia_rules::Size;
use serde::Serialize;

use crate::Recipe;

/// What is in a row, column by column. Numbers are little-endian and follow each other without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The board.
    pub size: Size,
    /// The columns, in their order.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// What it is called.
    pub name: &'static str,
    /// What is in it.
    pub kind: Kind,
    /// What it means, in words.
    pub about: &'static str,
}

/// What a column holds. Squares are counted row by row from a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A number of 32 bits.
    Number,
    /// A number of 16 bits.
    Count,
    /// Yes or no, in a byte.
    Flag,
    /// A square: a byte where all squares of the board fit in one with room to spare, else two.
    Square,
    /// A set of squares, a bit each, the lowest bit of the first byte first.
    Squares,
    /// A board, a byte a square: 0 empty, 1 mine, 2 theirs.
    Cells,
    /// Discs, a number of 32 bits with a fraction; not a number (NaN) where there is none.
    Value,
    /// Whole discs in 16 bits; [`UNKNOWN`] where there is none.
    Score,
    /// The squares of a game, as many as the longest can have; all bits set after its end.
    Sequence,
    /// For each of these a byte: 0 if its step is learnt from, 1 if it is a test, 255 after the end.
    Tests,
}

/// A score that is not known.
pub const UNKNOWN: i16 = i16::MIN;

impl Kind {
    /// The bytes of one of its numbers, and how many numbers there are.
    #[must_use]
    pub fn shape(self, size: Size) -> (usize, usize) {
        let square = if size.cells() < usize::from(u8::MAX) { 1 } else { 2 };
        match self {
            Kind::Number | Kind::Value => (4, 1),
            Kind::Count | Kind::Score => (2, 1),
            Kind::Flag => (1, 1),
            Kind::Square => (square, 1),
            Kind::Squares => (1, size.cells().div_ceil(8)),
            Kind::Cells => (1, size.cells()),
            Kind::Sequence => (square, size.cells() - 4),
            Kind::Tests => (1, size.cells() - 4),
        }
    }

    /// Its bytes in a row.
    #[must_use]
    pub fn width(self, size: Size) -> usize {
        let (bytes, count) = self.shape(size);
        bytes * count
    }
}

const GAME: Column = Column { name: "game", kind: Kind::Number, about: "number of the game" };

impl Layout {
    /// A row for each game.
    #[must_use]
    pub fn games(size: Size) -> Layout {
        let columns = vec![
            GAME,
            Column { name: "length", kind: Kind::Count, about: "discs placed in the game" },
            Column {
                name: "result",
                kind: Kind::Score,
                about: "Black's discs less White's at the end, empty squares to the winner",
            },
            Column {
                name: "moves",
                kind: Kind::Sequence,
                about: "the squares where discs were placed; passes are not listed",
            },
            Column { name: "test", kind: Kind::Tests, about: "which steps are for tests" },
        ];
        Layout { size, columns }
    }

    /// A row for each disc placed.
    #[must_use]
    pub fn steps(size: Size, recipe: &Recipe) -> Layout {
        let mut columns = vec![
            GAME,
            Column { name: "ply", kind: Kind::Count, about: "discs placed in the game before this one" },
            Column { name: "black", kind: Kind::Flag, about: "whether Black places it" },
            Column { name: "move", kind: Kind::Square, about: "where it is placed" },
        ];
        if recipe.cells {
            columns.push(Column {
                name: "board",
                kind: Kind::Cells,
                about: "the board before: 0 empty, 1 of the side to move, 2 of the other",
            });
        } else {
            columns.push(Column {
                name: "mine",
                kind: Kind::Squares,
                about: "discs of the side to move, before",
            });
            columns.push(Column {
                name: "theirs",
                kind: Kind::Squares,
                about: "discs of the other side, before",
            });
        }
        columns.push(Column {
            name: "legal",
            kind: Kind::Squares,
            about: "where the side to move may place a disc",
        });
        columns.push(Column { name: "flips", kind: Kind::Squares, about: "discs that the move turns" });
        if recipe.value_depth.is_some() {
            columns.push(Column {
                name: "value",
                kind: Kind::Value,
                about: "what Emilia expects the side to move to win by, in discs",
            });
        }
        if recipe.exact_from.is_some() {
            columns.push(Column {
                name: "exact",
                kind: Kind::Score,
                about: "what the side to move wins by under best play, in discs; -32768 if not solved",
            });
        }
        Layout { size, columns }
    }

    /// Bytes of a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.columns.iter().map(|column| column.kind.width(self.size)).sum()
    }
}
