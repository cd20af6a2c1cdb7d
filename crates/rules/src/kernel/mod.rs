//! The two operations everything else is made of, flips and move generation on 64-bit boards, in one spelling
//! per kind of processor; and the two that evaluators made of many small numbers live on.
//!
//! All unsafe code of this crate lives here. It is of two kinds: calls of processor intrinsics, and the step into
//! a function that was compiled for a newer processor. Both are sound because a value of [`Avx2`] or [`Avx512`]
//! exists only on a processor that has these instructions: the only way to get one is a [`Tier`], and a tier is
//! only handed out after the processor was asked.
//!
//! A feature check costs more than a flip, so a search does not choose at every board. It chooses once, at its
//! root, with [`Tier::run`], and is generic over [`Kernel`] from there on.

mod lines;
mod portable;
mod rays;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

/// Flips and move generation for one kind of processor.
///
/// Law: every kernel gives the results of [`Portable`].
pub trait Kernel: Copy + Send + Sync + 'static {
    /// The tier this kernel belongs to.
    fn tier(self) -> Tier;

    /// The empty squares where `own` closes in at least one line of `opponent` discs.
    fn moves(self, own: u64, opponent: u64) -> u64;

    /// The discs that `own` flips by placing on `square` (0…63), which must be empty; 0 if the move is illegal.
    fn flips(self, own: u64, opponent: u64, square: u32) -> u64;

    /// How many discs `own` flips by placing on `square` (0…63) if that is the last empty square of the board:
    /// every other square that is not `own` is the opponent's.
    #[inline(always)]
    fn last_flips(self, own: u64, square: u32) -> u32 {
        self.flips(own, !own & !(1u64 << (square & 63)), square).count_ones()
    }

    /// Adds a row of sixteen bytes to sixteen sums; what does not fit wraps around.
    #[inline(always)]
    fn add_row(self, sums: [i16; 16], row: &[i8; 16]) -> [i16; 16] {
        std::array::from_fn(|at| sums[at].wrapping_add(i16::from(row[at])))
    }

    /// Adds to each of sixteen sums the 32 inputs times its weights. The weights come in the order in which they are
    /// needed: four inputs at a time, for these the four weights of every sum.
    ///
    /// No input may be above 127; sums must be small enough not to overflow.
    #[inline(always)]
    fn add_products(self, sums: [i32; 16], inputs: &[u8; 32], weights: &[[[i8; 4]; 16]; 8]) -> [i32; 16] {
        let mut sums = sums;
        for (inputs, weights) in inputs.chunks_exact(4).zip(weights) {
            for (sum, weights) in sums.iter_mut().zip(weights) {
                for (input, weight) in inputs.iter().zip(weights) {
                    *sum = sum.wrapping_add(i32::from(*input) * i32::from(*weight));
                }
            }
        }
        sums
    }

    /// What sixteen numbers have above zero, and then what they have below, each cut off at 127.
    #[inline(always)]
    fn split_signs(self, numbers: [i16; 16]) -> [u8; 32] {
        let cut = |number: i16| number.clamp(0, 127) as u8;
        std::array::from_fn(|at| match numbers.get(at) {
            Some(number) => cut(*number),
            None => cut(numbers[at - 16].wrapping_neg()),
        })
    }

    /// Sixteen numbers times their weights, all added up; the numbers are divided by 64 before, rounded down, and cut off
    /// below zero and above 127. The sum must be small enough not to overflow.
    #[inline(always)]
    fn weigh(self, numbers: [i32; 16], weights: &[i32; 16]) -> i32 {
        let parts = numbers.iter().zip(weights).map(|(number, weight)| (number >> 6).clamp(0, 127) * weight);
        parts.fold(0, i32::wrapping_add)
    }

    /// Asks the processor to bring this value near, because it will be needed soon.
    #[inline(always)]
    fn prefetch<T>(self, _value: &T) {}

    /// Runs `body` compiled for this processor.
    ///
    /// What is to profit must be inlined into the body. A function that calls itself is not inlined, so a
    /// recursive search enters anew at each node: it costs no more than the call it replaces.
    fn enter<R>(self, body: impl FnOnce() -> R) -> R;

    /// Runs `body` likewise on a board, a bound and two more words, all of which stay in registers. What a closure
    /// captures goes through memory, and the search of the last empty squares is short enough to feel it.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "put together they would go through memory")]
    fn enter_with<S, R>(
        self,
        body: impl FnOnce(S, u64, u64, i32, u64, u64) -> R,
        state: S,
        own: u64,
        opponent: u64,
        alpha: i32,
        first: u64,
        second: u64,
    ) -> R {
        self.enter(
            #[inline(always)]
            || body(state, own, opponent, alpha, first, second),
        )
    }
}

/// Work to be done with the best kernel there is.
///
/// ```
/// use emilia_rules::{Board, Kernel, Task, Tier};
///
/// struct CountMoves(Board);
/// impl Task for CountMoves {
///     type Output = u32;
///     fn run<K: Kernel>(self, kernel: K) -> u32 {
///         kernel.moves(self.0.own.0, self.0.opponent.0).count_ones()
///     }
/// }
/// assert_eq!(Tier::best().run(CountMoves(Board::START)), 4);
/// ```
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does the work.
    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}

/// A kind of processor for which there is a kernel, and which this one is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tier(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Tier {
    /// The tiers this processor has, slowest first. The portable one is always there.
    pub fn available() -> impl DoubleEndedIterator<Item = Tier> {
        let portable = Some(Tier(Kind::Portable(Portable)));
        #[cfg(target_arch = "x86_64")]
        let tiers = [
            portable,
            Avx2::detect().map(|kernel| Tier(Kind::Avx2(kernel))),
            Avx512::detect().map(|kernel| Tier(Kind::Avx512(kernel))),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let tiers = [portable];
        tiers.into_iter().flatten()
    }

    /// The fastest tier of this processor.
    #[must_use]
    pub fn best() -> Tier {
        Tier::available().next_back().unwrap_or(Tier(Kind::Portable(Portable)))
    }

    /// Does the work with the kernel of this tier.
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            Kind::Portable(kernel) => task.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(kernel) => kernel.enter(|| task.run(kernel)),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(kernel) => kernel.enter(|| task.run(kernel)),
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.0 {
            Kind::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(_) => "avx512",
        })
    }
}

/// A tier that does not exist or that this processor does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("this processor has no tier {wanted:?}; it has {available}")]
pub struct TierError {
    /// What was asked for.
    pub wanted: String,
    /// What there is, separated by commas.
    pub available: String,
}

impl FromStr for Tier {
    type Err = TierError;

    fn from_str(text: &str) -> Result<Tier, TierError> {
        Tier::available().find(|tier| tier.to_string() == text).ok_or_else(|| TierError {
            wanted: text.to_owned(),
            available: Tier::available().map(|tier| tier.to_string()).collect::<Vec<_>>().join(", "),
        })
    }
}
