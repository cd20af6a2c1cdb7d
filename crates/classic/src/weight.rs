use thiserror::Error;

/// How much one component of an evaluation counts: a number of moderate size.
///
/// The limit keeps every evaluation, on every board, below the worth of a won game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weight(f64);

/// A number that cannot be a weight.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("a weight is a number from -{limit} to {limit}, not {0}", limit = Weight::LIMIT)]
pub struct WeightError(pub f64);

impl Weight {
    /// The largest magnitude.
    pub(crate) const LIMIT: f64 = 100_000.0;

    /// Checks the range.
    pub(crate) fn new(value: f64) -> Result<Weight, WeightError> {
        // NaN is in no range.
        if (-Weight::LIMIT..=Weight::LIMIT).contains(&value) {
            Ok(Weight(value))
        } else {
            Err(WeightError(value))
        }
    }

    /// A small whole number.
    pub(crate) const fn whole(value: i16) -> Weight {
        Weight(value as f64)
    }

    /// A number written in thousandths.
    pub(crate) const fn thousandths(value: i32) -> Weight {
        Weight(value as f64 / 1000.0)
    }

    /// The number.
    #[inline(always)]
    pub(crate) const fn get(self) -> f64 {
        self.0
    }
}
