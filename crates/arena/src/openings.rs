use emilia_engine::Dice;
use emilia_rules::{GridPosition, Move, Playable, Point, Size, parse_move};

/// How games begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// With the first move.
    Start,
    /// After so many random legal moves, other ones in each pair of games.
    Random {
        /// Moves played before the players take over.
        plies: u32,
        /// Where the random numbers begin.
        seed: u64,
    },
    /// After these moves, one opening a pair of games; from the first again when they are used up.
    List(Vec<Vec<Move<Point>>>),
}

impl Openings {
    /// Balanced openings of eight plies on 8×8, a few thousand: our own set, which
    /// data/openings/README.md describes. A seed other than 0 puts them in another
    /// order.
    ///
    /// ```
    /// use emilia_arena::Openings;
    /// let Openings::List(list) = Openings::balanced(0) else { panic!() };
    /// assert!(list.len() >= 2000 && list.iter().all(|line| line.len() == 8));
    /// ```
    #[must_use]
    pub fn balanced(seed: u64) -> Openings {
        let squares = |line: &str| -> Vec<Move<Point>> {
            let words = (0..line.len()).step_by(2).filter_map(|at| line.get(at..at + 2));
            words.filter_map(|word| parse_move(word, Size::EIGHT).ok()).collect()
        };
        Openings::list(emilia_data::BALANCED_OPENINGS.lines().map(squares).collect(), seed)
    }

    /// These openings. A seed other than 0 puts them in another order.
    #[must_use]
    pub fn list(mut lines: Vec<Vec<Move<Point>>>, seed: u64) -> Openings {
        if seed != 0 {
            shuffle(&mut lines, seed);
        }
        Openings::List(lines)
    }

    /// The same openings left for right on a board of this size: those of the usual start become those of the mirrored
    /// one.
    #[must_use]
    pub fn mirrored(self, size: Size) -> Openings {
        let Openings::List(mut list) = self else { return self };
        for mv in list.iter_mut().flatten() {
            if let Move::Place(point) = mv
                && let Some(other) = (size.get() - 1).checked_sub(point.column())
                && let Some(mirrored) = Point::new(other, point.row())
            {
                *point = mirrored;
            }
        }
        Openings::List(list)
    }

    /// The moves before the players take over, in this pair of games.
    ///
    /// A random opening that ends the game is drawn again; a listed one is cut short before a move that is illegal on
    /// this board.
    #[must_use]
    pub fn opening(&self, pair: u32, start: &GridPosition) -> Vec<Move<Point>> {
        match self {
            Openings::Start => Vec::new(),
            Openings::Random { plies, seed } => random(*plies, Dice::new(*seed ^ mixed(pair)), start),
            Openings::List(list) if list.is_empty() => Vec::new(),
            Openings::List(list) => {
                let mut position = *start;
                let line = &list[pair as usize % list.len()];
                line.iter()
                    .copied()
                    .take_while(|mv| position.play(*mv).map(|next| position = next).is_ok())
                    .collect()
            }
        }
    }
}

/// Puts things in an order that has nothing to do with the one they are in, so that any first part stands for all.
pub fn shuffle<T>(things: &mut [T], seed: u64) {
    let mut dice = Dice::new(seed);
    for last in (1..things.len()).rev() {
        things.swap(last, dice.below(u32::try_from(last + 1).unwrap_or(u32::MAX)) as usize);
    }
}

/// A number that has nothing to do with its neighbours', so that pairs do not share their dice.
fn mixed(pair: u32) -> u64 {
    (u64::from(pair) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn random(plies: u32, mut dice: Dice, start: &GridPosition) -> Vec<Move<Point>> {
    /// Tries to find an opening after which there is something left to play.
    const TRIES: usize = 100;
    for _ in 0..TRIES {
        let mut position = *start;
        let mut line = Vec::new();
        while line.len() < plies as usize {
            let moves: Vec<Move<Point>> = position.moves().collect();
            let Some(mv) = moves.get(dice.below(moves.len() as u32) as usize) else { break };
            let Ok(next) = position.play(*mv) else { break };
            position = next;
            line.push(*mv);
        }
        if !position.is_over() {
            return line;
        }
    }
    Vec::new()
}

/// The longest random opening that leaves something to play on a board of this size.
#[must_use]
pub fn longest_opening(size: Size) -> u32 {
    // Four discs stand already, and the last move should be the players' own.
    size.cells() as u32 - 5
}

#[cfg(test)]
mod tests {
    use emilia_rules::Start;

    use super::*;

    #[test]
    fn random_openings_are_legal_distinct_and_repeatable() {
        let start = GridPosition::start(Size::EIGHT);
        let openings = Openings::Random { plies: 8, seed: 3 };
        let lines: std::collections::HashSet<Vec<Move<Point>>> =
            (0..200).map(|pair| openings.opening(pair, &start)).collect();
        assert!(lines.len() > 190, "{} distinct openings of 200", lines.len());
        for line in &lines {
            assert_eq!(line.len(), 8);
            line.iter().fold(start, |position, mv| position.play(*mv).unwrap());
        }
        assert_eq!(openings.opening(5, &start), openings.opening(5, &start));
    }

    #[test]
    fn our_own_openings_are_legal_and_no_two_are_the_same_position_turned_or_mirrored() {
        let start = GridPosition::start(Size::EIGHT);
        let Openings::List(list) = Openings::balanced(0) else { panic!("a list") };
        let positions: std::collections::HashSet<String> = list
            .iter()
            .map(|line| line.iter().fold(start, |position, mv| position.play(*mv).unwrap()))
            .map(|position| crate::canonical(&position))
            .collect();
        assert!(list.len() == 3000 && list.iter().all(|line| line.len() == 8));
        assert_eq!(positions.len(), list.len());
        let Openings::List(other) = Openings::balanced(1) else { panic!("a list") };
        assert!(other != list && other.len() == list.len());
    }

    #[test]
    fn mirrored_openings_lead_from_the_mirrored_start_to_the_mirrored_positions() {
        let end = |openings: &Openings, pair, start| {
            let start = GridPosition::start_as(Size::EIGHT, start);
            let line = openings.opening(pair, &start);
            assert_eq!(line.len(), 8);
            crate::canonical(&line.iter().fold(start, |position, mv| position.play(*mv).unwrap()))
        };
        let usual = Openings::balanced(0);
        let mirrored = usual.clone().mirrored(Size::EIGHT);
        for pair in 0..50 {
            assert_eq!(end(&mirrored, pair, Start::Mirrored), end(&usual, pair, Start::Standard));
        }
    }

    #[test]
    fn a_listed_opening_stops_before_an_illegal_move() {
        let at = |column, row| Move::Place(Point::new(column, row).unwrap());
        let list = Openings::List(vec![vec![at(5, 4), at(0, 0), at(3, 5)], vec![at(3, 2)]]);
        let start = GridPosition::start(Size::EIGHT);
        assert_eq!(list.opening(0, &start), [at(5, 4)]);
        assert_eq!(list.opening(1, &start), [at(3, 2)]);
        assert_eq!(list.opening(2, &start), [at(5, 4)]);
    }
}
