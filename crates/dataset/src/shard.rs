use emilia_rules::{Color, Size};

use crate::dealer::Dealt;
use crate::half::{Half, Threshold};
use crate::labels::Label;
use crate::packed::{self, Packed};
use crate::{Format, Kind, Layout, Recipe, UNKNOWN};

/// Rows of one layout, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    layout: Layout,
    bytes: Vec<u8>,
}

/// Some of the games of a data set: a row a game, and a row for each disc placed, in the half of its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The games.
    pub games: Rows,
    /// Steps to learn from.
    pub train: Rows,
    /// Steps for tests.
    pub test: Rows,
}

impl Rows {
    fn new(layout: Layout) -> Rows {
        Rows { layout, bytes: Vec::new() }
    }

    /// What is in a row.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The rows as they follow each other.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / self.layout.width()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Each row as the bytes of its columns.
    pub fn iter(&self) -> impl Iterator<Item = Vec<&[u8]>> {
        self.bytes.chunks_exact(self.layout.width()).map(|mut row| {
            let cut = |column: &crate::Column| {
                let (cell, rest) = row.split_at(column.kind.width(self.layout.size));
                row = rest;
                cell
            };
            self.layout.columns.iter().map(cut).collect()
        })
    }
}

impl Shard {
    /// The three tables, by the names that their files begin with.
    #[must_use]
    pub fn tables(&self) -> [(&'static str, &Rows); 3] {
        [("games", &self.games), ("train", &self.train), ("test", &self.test)]
    }

    /// Its files: name and content. Their number is that of the shard.
    #[must_use]
    pub fn files(&self, number: u64, format: Format) -> Vec<(String, Vec<u8>)> {
        let file =
            |(table, rows): (&str, &Rows)| (format!("{table}-{number:06}.{format}"), format.bytes(rows));
        self.tables().into_iter().map(file).collect()
    }
}

/// Makes rows of games.
pub(crate) struct Writer {
    size: Size,
    threshold: Threshold,
    cells: bool,
    value: bool,
    exact: bool,
    shard: Shard,
}

impl Writer {
    pub(crate) fn new(size: Size, recipe: &Recipe) -> Writer {
        let steps = Layout::steps(size, recipe);
        Writer {
            size,
            threshold: Threshold::new(recipe.test_share),
            cells: recipe.cells,
            value: recipe.value_depth.is_some(),
            exact: recipe.exact_from.is_some(),
            shard: Shard {
                games: Rows::new(Layout::games(size)),
                train: Rows::new(steps.clone()),
                test: Rows::new(steps),
            },
        }
    }

    /// Adds a game; there is a label for each step, or none at all.
    pub(crate) fn add<P: Packed>(&mut self, dealt: &Dealt<P>, labels: &[Label]) {
        let game = dealt.number as u32;
        let mut halves = Vec::with_capacity(dealt.steps.len());
        for (ply, step) in dealt.steps.iter().enumerate() {
            let (size, position) = (self.size, &step.position);
            let half = self.threshold.half(position);
            halves.push(half);
            let row = match half {
                Half::Train => &mut self.shard.train.bytes,
                Half::Test => &mut self.shard.test.bytes,
            };
            row.extend_from_slice(&game.to_le_bytes());
            row.extend_from_slice(&(ply as u16).to_le_bytes());
            row.push(u8::from(position.turn() == Color::Black));
            put_square(packed::index(step.square, size), size, row);
            if self.cells {
                put_cells(position, size, row);
            } else {
                packed::put::<P>(position.own(), size, row);
                packed::put::<P>(position.opponent(), size, row);
            }
            packed::put::<P>(step.legal, size, row);
            packed::put::<P>(position.flips(step.square), size, row);
            let label = labels.get(ply).copied().unwrap_or(Label { value: f32::NAN, exact: UNKNOWN });
            if self.value {
                row.extend_from_slice(&label.value.to_le_bytes());
            }
            if self.exact {
                row.extend_from_slice(&label.exact.to_le_bytes());
            }
        }
        let margin = dealt.end.counts().margin() as i16;
        let row = &mut self.shard.games.bytes;
        row.extend_from_slice(&game.to_le_bytes());
        row.extend_from_slice(&(dealt.steps.len() as u16).to_le_bytes());
        row.extend_from_slice(&margin.to_le_bytes());
        let unused = self.size.cells() - 4 - dealt.steps.len();
        for step in &dealt.steps {
            put_square(packed::index(step.square, self.size), self.size, row);
        }
        row.extend(std::iter::repeat_n(u8::MAX, unused * Kind::Square.width(self.size)));
        row.extend(halves.iter().map(|half| u8::from(*half == Half::Test)));
        row.extend(std::iter::repeat_n(u8::MAX, unused));
    }

    pub(crate) fn finish(self) -> Shard {
        self.shard
    }
}

fn put_square(index: usize, size: Size, row: &mut Vec<u8>) {
    row.extend_from_slice(&(index as u16).to_le_bytes()[..Kind::Square.width(size)]);
}

/// A byte for each square: 0 empty, 1 mine, 2 theirs.
fn put_cells<P: Packed>(position: &P, size: Size, row: &mut Vec<u8>) {
    let begin = row.len();
    row.resize(begin + size.cells(), 0);
    for (set, cell) in [(position.own(), 1), (position.opponent(), 2)] {
        for square in set {
            row[begin + packed::index(square, size)] = cell;
        }
    }
}
