use emilia_rules::{Playable, Size};

use super::percentage;
use crate::weight::{Weight, WeightError};
use crate::{Component, Evaluate, Stability, View, regions};

/// Coin parity, mobility, corners and stability, each from −100 to 100: "An Analysis of Heuristics in Othello" by
/// Sannidhanam and Annamalai.
///
/// Stability compares stable less unstable discs. The published quotient divides by a sum that can be 0 or negative;
/// here it is divided by the sum of the magnitudes, so that the better side is always the one with the positive value.
#[derive(Clone, Debug)]
pub struct Paper<P: Playable> {
    weights: PaperWeights,
    corners: P::Set,
}

/// How much each of the four heuristics counts.
///
/// ```
/// use emilia_classic::PaperWeights;
/// assert_eq!(PaperWeights::default(), PaperWeights::new(25.0, 5.0, 30.0, 25.0)?);
/// assert_eq!(PaperWeights::new(f64::NAN, 5.0, 30.0, 25.0).unwrap_err().to_string(),
///            "a weight is a number from -100000 to 100000, not NaN");
/// # Ok::<(), emilia_classic::WeightError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperWeights {
    parity: Weight,
    mobility: Weight,
    corners: Weight,
    stability: Weight,
}

impl PaperWeights {
    /// The weights that programs citing the paper use.
    pub const USUAL: PaperWeights = PaperWeights {
        parity: Weight::whole(25),
        mobility: Weight::whole(5),
        corners: Weight::whole(30),
        stability: Weight::whole(25),
    };

    /// Checks the four weights.
    pub fn new(
        parity: f64,
        mobility: f64,
        corners: f64,
        stability: f64,
    ) -> Result<PaperWeights, WeightError> {
        Ok(PaperWeights {
            parity: Weight::new(parity)?,
            mobility: Weight::new(mobility)?,
            corners: Weight::new(corners)?,
            stability: Weight::new(stability)?,
        })
    }

    /// Parity, mobility, corners, stability.
    #[must_use]
    pub fn values(&self) -> [f64; 4] {
        [self.parity, self.mobility, self.corners, self.stability].map(Weight::get)
    }
}

impl Default for PaperWeights {
    /// The usual ones.
    fn default() -> PaperWeights {
        PaperWeights::USUAL
    }
}

impl<P: Playable> Paper<P> {
    /// For boards of this size.
    #[must_use]
    pub fn new(size: Size, weights: PaperWeights) -> Paper<P> {
        Paper { weights, corners: regions::corners::<P>(size) }
    }
}

impl<P: Playable> Evaluate<P> for Paper<P> {
    #[inline(always)]
    fn weigh(&self, view: &View<'_, P>, each: &mut impl FnMut(Component)) {
        let [parity, mobility, corners, stability] = self.weights.values();
        each(Component::of("parity", view.discs(), percentage, parity));
        each(Component::of("mobility", view.mobility(), percentage, mobility));
        each(Component::of("corners", view.count_on(self.corners), percentage, corners));
        let (own, opponent) = Stability::both(view);
        each(Component::of("stability", (own.balance(), opponent.balance()), percentage, stability));
    }
}
