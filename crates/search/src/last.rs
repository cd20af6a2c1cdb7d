//! The last four empty squares, where a search spends most of its nodes: no lists, no table, no move generation.
//!
//! All functions here answer a null window: the score is right if it is at most `alpha` or at least `alpha + 1`
//! in the sense that it is a bound on that side of the window.

use emilia_rules::Kernel;

use crate::endgame::Endgame;
use crate::field::NEIGHBOURS;

/// No move has been found yet; below every score.
const NO_MOVE: i32 = -127;

impl<K: Kernel> Endgame<'_, K> {
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

    /// The best own move with two empty squares, or [`NO_MOVE`].
    #[inline(always)]
    fn moves_of_two(&mut self, own: u64, opponent: u64, alpha: i32, a: u32, b: u32) -> i32 {
        let mut best = NO_MOVE;
        {
            let flips = self.kernel.flips(own, opponent, a);
            if flips != 0 {
                best = -self.one(opponent ^ flips, b);
                if best > alpha {
                    return best;
                }
            }
        }
        {
            let flips = self.kernel.flips(own, opponent, b);
            if flips != 0 {
                best = best.max(-self.one(opponent ^ flips, a));
            }
        }
        best
    }

    /// Two empty squares.
    #[inline(always)]
    fn two(&mut self, own: u64, opponent: u64, alpha: i32, a: u32, b: u32) -> i32 {
        self.nodes += 1;
        let best = self.moves_of_two(own, opponent, alpha, a, b);
        if best != NO_MOVE {
            return best;
        }
        let best = self.moves_of_two(opponent, own, -alpha - 1, a, b);
        if best != NO_MOVE { -best } else { self.field.final_score(own, opponent) }
    }

    /// The best own move with three empty squares, or [`NO_MOVE`].
    #[inline(always)]
    fn moves_of_three(&mut self, own: u64, opponent: u64, alpha: i32, [a, b, c]: [u32; 3]) -> i32 {
        let mut best = NO_MOVE;
        macro_rules! place {
            ($here:expr, $second:expr, $third:expr) => {{
                let flips = self.kernel.flips(own, opponent, $here);
                if flips != 0 {
                    let (next_own, next_opponent) = (opponent ^ flips, own ^ flips ^ 1 << $here);
                    best = best.max(-self.two(next_own, next_opponent, -alpha - 1, $second, $third));
                    if best > alpha {
                        return best;
                    }
                }
            }};
        }
        place!(a, b, c);
        place!(b, a, c);
        place!(c, a, b);
        best
    }

    /// Three empty squares.
    fn three(&mut self, own: u64, opponent: u64, alpha: i32, squares: [u32; 3]) -> i32 {
        let kernel = self.kernel;
        // A byte for each square.
        let packed = squares.into_iter().rev().fold(0, |packed, square| packed << 8 | u64::from(square));
        kernel.enter_with(
            #[inline(always)]
            |this: &mut Self, own, opponent, alpha, packed, _| {
                this.nodes += 1;
                // 1. A square alone in its quarter comes first.
                let [a, b, c] = [0, 8, 16].map(|bits| (packed >> bits) as u32 & 63);
                let quarters = [a, b, c].map(|square| this.field.quarter_of[square as usize & 63]);
                let squares = if quarters[0] == quarters[1] {
                    [c, a, b]
                } else if quarters[0] == quarters[2] {
                    [b, a, c]
                } else {
                    [a, b, c]
                };
                // 2. Own moves.
                let best = this.moves_of_three(own, opponent, alpha, squares);
                if best != NO_MOVE {
                    return best;
                }
                // 3. A pass, or the end.
                let best = this.moves_of_three(opponent, own, -alpha - 1, squares);
                if best != NO_MOVE { -best } else { this.field.final_score(own, opponent) }
            },
            self,
            own,
            opponent,
            alpha,
            packed,
            0,
        )
    }

    /// The best own move with four empty squares, or [`NO_MOVE`].
    #[inline(always)]
    fn moves_of_four(&mut self, own: u64, opponent: u64, alpha: i32, [a, b, c, d]: [u32; 4]) -> i32 {
        let mut best = NO_MOVE;
        macro_rules! place {
            ($here:expr, $rest:expr) => {
                if NEIGHBOURS[$here as usize & 63] & opponent != 0 {
                    let flips = self.kernel.flips(own, opponent, $here);
                    if flips != 0 {
                        let (next_own, next_opponent) = (opponent ^ flips, own ^ flips ^ 1 << $here);
                        best = best.max(-self.three(next_own, next_opponent, -alpha - 1, $rest));
                        if best > alpha {
                            return best;
                        }
                    }
                }
            };
        }
        place!(a, [b, c, d]);
        place!(b, [a, c, d]);
        place!(c, [a, b, d]);
        place!(d, [a, b, c]);
        best
    }

    /// Four empty squares.
    pub(crate) fn four(&mut self, own: u64, opponent: u64, alpha: i32, odd: u64) -> i32 {
        let kernel = self.kernel;
        kernel.enter_with(
            #[inline(always)]
            |this: &mut Self, own, opponent, alpha, odd, _| {
                this.nodes += 1;
                // 1. No more than the opponent's stable discs leave.
                if let Some(bound) = this.stability_bound(own, opponent, alpha, 4) {
                    return bound;
                }
                // 2. Squares in odd quarters first.
                let empties = this.field.region & !(own | opponent);
                let (mut first, mut rest) = (empties & odd, empties & !odd);
                let mut next = || {
                    let from = if first != 0 { &mut first } else { &mut rest };
                    let square = from.trailing_zeros() & 63;
                    *from &= from.wrapping_sub(1);
                    square
                };
                let squares = [next(), next(), next(), next()];
                // 3. Own moves.
                let best = this.moves_of_four(own, opponent, alpha, squares);
                if best != NO_MOVE {
                    return best;
                }
                // 4. A pass, or the end.
                let best = this.moves_of_four(opponent, own, -alpha - 1, squares);
                if best != NO_MOVE { -best } else { this.field.final_score(own, opponent) }
            },
            self,
            own,
            opponent,
            alpha,
            odd,
            0,
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
            (4, ..) => self.four(own, opponent, alpha, self.field.odd_quarters(empties)),
            _ => {
                self.nodes += 1;
                self.field.final_score(own, opponent)
            }
        }
    }
}
