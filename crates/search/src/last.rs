//! The last four empty squares, where a search spends most of its nodes: no lists, no table, no move generation.
//!
//! All functions here answer a null window: the score is right if it is at most `alpha` or at least `alpha + 1`
//! in the sense that it is a bound on that side of the window.

use emilia_rules::Kernel;

use crate::endgame::Endgame;
use crate::field::NEIGHBOURS;

/// No move has been found yet; below every score.
const NO_MOVE: i32 = -127;

impl<K: Kernel> Endgame<K> {
    /// One empty square: the exact score. The opponent holds what is not `own`.
    #[inline(always)]
    fn one(&mut self, own: u64, square: u32) -> i32 {
        self.nodes += 1;
        let discs = 2 * own.count_ones() as i32 - self.field.cells;
        let flips = self.kernel.last_flips(own, square) as i32;
        if flips != 0 {
            return discs + 2 * flips + 2;
        }
        let opponent = self.field.region & !own & !(1u64 << square);
        let flips = self.kernel.last_flips(opponent, square) as i32;
        if flips != 0 {
            return discs - 2 * flips;
        }
        // Nobody can move: the square goes to the winner.
        if discs >= 0 { discs + 2 } else { discs }
    }

    /// Two empty squares.
    #[inline(always)]
    fn two(&mut self, own: u64, opponent: u64, alpha: i32, first: u32, second: u32) -> i32 {
        self.nodes += 1;
        let mut best = NO_MOVE;
        for (here, there) in [(first, second), (second, first)] {
            if NEIGHBOURS[here as usize & 63] & opponent == 0 {
                continue;
            }
            let flips = self.kernel.flips(own, opponent, here);
            if flips != 0 {
                let score = -self.one(opponent ^ flips, there);
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        if best != NO_MOVE {
            return best;
        }
        // A pass: the opponent looks for the lowest score.
        best = -NO_MOVE;
        for (here, there) in [(first, second), (second, first)] {
            if NEIGHBOURS[here as usize & 63] & own == 0 {
                continue;
            }
            let flips = self.kernel.flips(opponent, own, here);
            if flips != 0 {
                let score = self.one(own ^ flips, there);
                if score <= alpha {
                    return score;
                }
                best = best.min(score);
            }
        }
        if best != -NO_MOVE { best } else { self.field.final_score(own, opponent) }
    }

    /// Three empty squares.
    fn three(&mut self, own: u64, opponent: u64, alpha: i32, squares: [u32; 3]) -> i32 {
        let kernel = self.kernel;
        kernel.enter(
            #[inline(always)]
            move || {
                self.nodes += 1;
                // 1. A square alone in its quarter comes first.
                let quarter = |square: u32| self.field.quarter_of[square as usize & 63];
                let [a, b, c] = squares;
                let (a, b, c) = if quarter(a) == quarter(b) {
                    (c, a, b)
                } else if quarter(a) == quarter(c) {
                    (b, a, c)
                } else {
                    (a, b, c)
                };
                let orders = [(a, b, c), (b, a, c), (c, a, b)];
                // 2. Own moves.
                let mut best = NO_MOVE;
                for (here, second, third) in orders {
                    if NEIGHBOURS[here as usize & 63] & opponent == 0 {
                        continue;
                    }
                    let flips = self.kernel.flips(own, opponent, here);
                    if flips != 0 {
                        let (next_own, next_opponent) = (opponent ^ flips, own ^ flips ^ 1 << here);
                        let score = -self.two(next_own, next_opponent, -alpha - 1, second, third);
                        if score > alpha {
                            return score;
                        }
                        best = best.max(score);
                    }
                }
                if best != NO_MOVE {
                    return best;
                }
                // 3. A pass, or the end.
                best = -NO_MOVE;
                for (here, second, third) in orders {
                    let flips = self.kernel.flips(opponent, own, here);
                    if flips != 0 {
                        let (next_own, next_opponent) = (own ^ flips, opponent ^ flips ^ 1 << here);
                        let score = self.two(next_own, next_opponent, alpha, second, third);
                        if score <= alpha {
                            return score;
                        }
                        best = best.min(score);
                    }
                }
                if best != -NO_MOVE { best } else { self.field.final_score(own, opponent) }
            },
        )
    }

    /// Four empty squares.
    pub(crate) fn four(&mut self, own: u64, opponent: u64, alpha: i32) -> i32 {
        let kernel = self.kernel;
        kernel.enter(
            #[inline(always)]
            move || {
                self.nodes += 1;
                // 1. No more than the opponent's stable discs leave.
                if let Some(bound) = self.stability_bound(own, opponent, alpha, 4) {
                    return bound;
                }
                // 2. Squares in odd quarters first.
                let empties = self.field.region & !(own | opponent);
                let odd = self.field.odd_quarters(empties);
                let mut squares = [0; 4];
                let mut count = 0;
                for mut group in [empties & odd, empties & !odd] {
                    while group != 0 && count < 4 {
                        squares[count] = group.trailing_zeros();
                        group &= group - 1;
                        count += 1;
                    }
                }
                let [a, b, c, d] = squares;
                let orders = [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])];
                // 3. Own moves.
                let mut best = NO_MOVE;
                for (here, rest) in orders {
                    if NEIGHBOURS[here as usize & 63] & opponent == 0 {
                        continue;
                    }
                    let flips = self.kernel.flips(own, opponent, here);
                    if flips != 0 {
                        let (next_own, next_opponent) = (opponent ^ flips, own ^ flips ^ 1 << here);
                        let score = -self.three(next_own, next_opponent, -alpha - 1, rest);
                        if score > alpha {
                            return score;
                        }
                        best = best.max(score);
                    }
                }
                if best != NO_MOVE {
                    return best;
                }
                // 4. A pass, or the end.
                best = -NO_MOVE;
                for (here, rest) in orders {
                    let flips = self.kernel.flips(opponent, own, here);
                    if flips != 0 {
                        let (next_own, next_opponent) = (own ^ flips, opponent ^ flips ^ 1 << here);
                        let score = self.three(next_own, next_opponent, alpha, rest);
                        if score <= alpha {
                            return score;
                        }
                        best = best.min(score);
                    }
                }
                if best != -NO_MOVE { best } else { self.field.final_score(own, opponent) }
            },
        )
    }

    /// A position with at most four empty squares.
    pub(crate) fn few(&mut self, own: u64, opponent: u64, alpha: i32) -> i32 {
        let empties = self.field.region & !(own | opponent);
        let mut squares = crate::field::squares(empties);
        match (empties.count_ones(), squares.next(), squares.next(), squares.next()) {
            (1, Some(a), ..) => self.one(own, a),
            (2, Some(a), Some(b), _) => self.two(own, opponent, alpha, a, b),
            (3, Some(a), Some(b), Some(c)) => self.three(own, opponent, alpha, [a, b, c]),
            (4, ..) => self.four(own, opponent, alpha),
            _ => {
                self.nodes += 1;
                self.field.final_score(own, opponent)
            }
        }
    }
}
