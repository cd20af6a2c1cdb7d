//! Counting the leaves of the game tree: the yardstick of every rules implementation.

use std::str::FromStr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use thiserror::Error;

use crate::{Bitboard, Board, GridPosition, Kernel, Playable, Position, SquareSet, Status, Task, Tier};

/// Whether a pass uses up a ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passes {
    /// A pass is a move like any other.
    #[default]
    Ply,
    /// Only placed discs count.
    Free,
}

/// A word that names no way of counting passes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("passes are counted as \"ply\" or \"free\", not {0:?}")]
pub struct PassesError(pub String);

impl FromStr for Passes {
    type Err = PassesError;

    fn from_str(text: &str) -> Result<Passes, PassesError> {
        match text {
            "ply" => Ok(Passes::Ply),
            "free" => Ok(Passes::Free),
            _ => Err(PassesError(text.to_owned())),
        }
    }
}

/// How a count is to be made.
#[derive(Clone, Copy, Debug)]
pub struct Perft {
    /// Plies from the position.
    pub depth: u32,
    /// Whether a pass is one.
    pub passes: Passes,
    /// Threads that share the work.
    pub threads: usize,
    /// Kind of processor to use.
    pub tier: Tier,
}

impl Perft {
    /// A count on one thread of the best kind, in which a pass is a ply.
    #[must_use]
    pub fn new(depth: u32) -> Perft {
        Perft { depth, passes: Passes::Ply, threads: 1, tier: Tier::best() }
    }

    /// The number of positions reached after `depth` plies. A game that ends earlier counts once.
    ///
    /// ```
    /// use emilia_rules::{perft::Perft, GridPosition};
    /// let leaves: Vec<u64> = (1..=6).map(|depth| Perft::new(depth).count(&GridPosition::default())).collect();
    /// assert_eq!(leaves, [4, 12, 56, 244, 1396, 8200]);
    /// ```
    #[must_use]
    pub fn count(&self, position: &GridPosition) -> u64 {
        match Position::try_from(position) {
            Ok(position) => self.shared(&position, |position, depth| {
                let region = Bitboard::region(position.size()).0;
                self.tier.run(Count { board: position.board(), region, depth, passes: self.passes })
            }),
            Err(_) => match position.narrowed::<16>() {
                Some(position) => self.on_rows(&position),
                None => self.on_rows(position),
            },
        }
    }

    /// Counts on a board of more than 8×8.
    fn on_rows<const N: usize>(&self, position: &GridPosition<N>) -> u64 {
        self.shared(position, |position, depth| {
            self.tier.run(CountRows { position, depth, passes: self.passes })
        })
    }

    /// Deals the subtrees out to the threads.
    fn shared<P: Playable>(&self, root: &P, count_from: impl Fn(&P, u32) -> u64 + Sync) -> u64 {
        if self.threads <= 1 {
            return count_from(root, self.depth);
        }
        let mut parts = vec![(root.clone(), self.depth)];
        let mut leaves = 0;
        // Enough parts that no thread is left with one long one at the end.
        while parts.len() < 64 * self.threads && parts.iter().any(|(_, depth)| *depth > 1) {
            let mut finer = Vec::new();
            for (position, depth) in parts {
                match position.status() {
                    Status::Over(_) => leaves += 1,
                    _ if depth == 0 => leaves += 1,
                    Status::MustPass => {
                        finer.push((position.passed(), depth - u32::from(self.passes == Passes::Ply)));
                    }
                    Status::ToPlace => finer
                        .extend(position.placements().into_iter().map(|s| (position.placed(s), depth - 1))),
                }
            }
            parts = finer;
        }
        let next = AtomicUsize::new(0);
        let total = AtomicU64::new(leaves);
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    while let Some((position, depth)) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                        total.fetch_add(count_from(position, *depth), Ordering::Relaxed);
                    }
                });
            }
        });
        total.into_inner()
    }
}

/// Counts on a board of more than 8×8, compiled for the processor.
struct CountRows<'p, const N: usize> {
    position: &'p GridPosition<N>,
    depth: u32,
    passes: Passes,
}

impl<const N: usize> Task for CountRows<'_, N> {
    type Output = u64;

    fn run<K: Kernel>(self, kernel: K) -> u64 {
        count(kernel, self.position, self.depth, self.passes)
    }
}

fn count<K: Kernel, P: Playable>(kernel: K, position: &P, depth: u32, passes: Passes) -> u64 {
    kernel.enter(
        #[inline(always)]
        || {
            if depth == 0 {
                return 1;
            }
            let placements = position.placements();
            if placements.is_empty() {
                let passed = position.passed();
                return match passes {
                    Passes::Ply if depth == 1 => 1,
                    _ if passed.placements().is_empty() => 1,
                    Passes::Ply => count(kernel, &passed, depth - 1, passes),
                    Passes::Free => count(kernel, &passed, depth, passes),
                };
            }
            if depth == 1 {
                return u64::from(placements.count());
            }
            let mut leaves = 0;
            for square in placements {
                leaves += count(kernel, &position.placed(square), depth - 1, passes);
            }
            leaves
        },
    )
}

/// Counts on a board of at most 8×8 with a kernel of one's choice.
struct Count {
    board: Board,
    region: u64,
    depth: u32,
    passes: Passes,
}

impl Task for Count {
    type Output = u64;

    fn run<K: Kernel>(self, kernel: K) -> u64 {
        let Count { board, region, depth, passes } = self;
        let (own, opponent) = (board.own.0, board.opponent.0);
        match (depth, passes) {
            (0, _) => 1,
            (_, Passes::Ply) => node::<K, false>(kernel, own, opponent, region, depth),
            (_, Passes::Free) => node::<K, true>(kernel, own, opponent, region, depth),
        }
    }
}

/// Leaves below a node of at least one ply.
fn node<K: Kernel, const FREE: bool>(kernel: K, own: u64, opponent: u64, region: u64, depth: u32) -> u64 {
    kernel.enter(
        #[inline(always)]
        || {
            let mut moves = kernel.moves(own, opponent) & region;
            if moves == 0 {
                return if !FREE && depth == 1 || kernel.moves(opponent, own) & region == 0 {
                    1
                } else {
                    node::<K, FREE>(kernel, opponent, own, region, depth - u32::from(!FREE))
                };
            }
            if depth == 1 {
                return u64::from(moves.count_ones());
            }
            let mut leaves = 0;
            while moves != 0 {
                let square = moves.trailing_zeros();
                moves &= moves - 1;
                let flips = kernel.flips(own, opponent, square);
                let (next_own, next_opponent) = (opponent ^ flips, own ^ flips ^ (1 << square));
                leaves += node::<K, FREE>(kernel, next_own, next_opponent, region, depth - 1);
            }
            leaves
        },
    )
}
