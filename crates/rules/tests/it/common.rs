//! The slow twin: Othello as one would explain it, cell by cell, and random games to compare with.

use emilia_rules::{Color, GridPosition, Playable, Point, Size};

/// A board as a table of cells.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cells {
    side: i32,
    cells: Vec<Option<Color>>,
}

impl Cells {
    pub(crate) fn of(position: &GridPosition) -> Cells {
        let size = position.size();
        let cells = size.points().map(|point| position.disc(point)).collect();
        Cells { side: i32::from(size.get()), cells }
    }

    fn at(&self, column: i32, row: i32) -> Option<Color> {
        let inside = (0..self.side).contains(&column) && (0..self.side).contains(&row);
        if inside { self.cells[(row * self.side + column) as usize] } else { None }
    }

    /// Walks from the square in all eight directions.
    pub(crate) fn flips(&self, color: Color, column: i32, row: i32) -> Vec<Point> {
        let mut flips = Vec::new();
        if self.at(column, row).is_some() {
            return flips;
        }
        for (right, down) in [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)] {
            let mut line = Vec::new();
            let (mut column, mut row) = (column + right, row + down);
            while self.at(column, row) == Some(!color) {
                line.push(Point::new(column as u8, row as u8).unwrap());
                (column, row) = (column + right, row + down);
            }
            if self.at(column, row) == Some(color) {
                flips.append(&mut line);
            }
        }
        flips.sort();
        flips
    }

    pub(crate) fn placements(&self, color: Color) -> Vec<Point> {
        let all = (0..self.side).flat_map(|row| (0..self.side).map(move |column| (column, row)));
        all.filter(|(column, row)| !self.flips(color, *column, *row).is_empty())
            .map(|(column, row)| Point::new(column as u8, row as u8).unwrap())
            .collect()
    }

    pub(crate) fn play(&mut self, color: Color, point: Point) {
        let flips = self.flips(color, point.column().into(), point.row().into());
        for point in flips.into_iter().chain([point]) {
            let index = i32::from(point.row()) * self.side + i32::from(point.column());
            self.cells[index as usize] = Some(color);
        }
    }
}

/// A small generator of its own (splitmix64), so that the games do not depend on any crate's version.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}

/// Every position of a random game, passes included.
pub(crate) fn random_game(size: Size, dice: &mut Dice) -> Vec<GridPosition> {
    let mut game = vec![GridPosition::start(size)];
    loop {
        let position = game[game.len() - 1];
        let moves: Vec<_> = position.moves().collect();
        if moves.is_empty() {
            return game;
        }
        game.push(position.play(moves[dice.below(moves.len())]).unwrap());
    }
}
