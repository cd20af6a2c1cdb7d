//! The evaluators, one in each file.

mod cornell;
mod disc;
mod fixed;
mod ideal;
mod judge;
mod paper;
mod six_terms;

pub use cornell::Cornell;
pub use disc::Disc;
pub use fixed::Static;
pub use ideal::{Ideal, IdealForm};
pub use judge::Judge;
pub use paper::{Paper, PaperWeights};
pub use six_terms::SixTerms;

/// Own count less the opponent's.
#[inline(always)]
fn difference(own: i32, opponent: i32) -> f64 {
    f64::from(own - opponent)
}

/// The difference as a percentage of the sum of the magnitudes, −100…100; 0 if there is nothing to compare.
#[inline(always)]
fn percentage(own: i32, opponent: i32) -> f64 {
    let sum = own.abs() + opponent.abs();
    if sum == 0 { 0.0 } else { f64::from(100 * (own - opponent)) / f64::from(sum) }
}

/// The share of the larger count in percent, with the sign of the side that has it; 0 if both are equal.
///
/// Unlike [`percentage`] it jumps: the smallest lead is already worth more than 50.
#[inline(always)]
fn share_of_larger(own: i32, opponent: i32) -> f64 {
    let sum = f64::from(own + opponent);
    match own.cmp(&opponent) {
        std::cmp::Ordering::Greater => f64::from(100 * own) / sum,
        std::cmp::Ordering::Less => -f64::from(100 * opponent) / sum,
        std::cmp::Ordering::Equal => 0.0,
    }
}
