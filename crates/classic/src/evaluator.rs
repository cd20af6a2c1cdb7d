use std::fmt;
use std::str::FromStr;

use emilia_rules::{Color, Playable, Size};
use thiserror::Error;

use crate::{
    Breakdown, Cornell, Disc, Evaluate, Genes, Ideal, IdealForm, Judge, Paper, PaperWeights, SixTerms,
    Static, View, WeightError,
};

/// An evaluator by name, with its options; good for every board.
///
/// ```
/// use emilia_classic::Evaluator;
/// use emilia_rules::{Color, GridPosition, Playable};
///
/// let paper: Evaluator = "paper".parse()?;
/// let position = GridPosition::default();
/// let breakdown = paper.breakdown(&position, Color::Black);
/// let names: Vec<&str> = breakdown.components.iter().map(|component| component.name).collect();
/// assert_eq!(names, ["parity", "mobility", "corners", "stability"]);
/// assert_eq!(breakdown.total(), paper.score(&position));
/// # Ok::<(), emilia_classic::UnknownEvaluator>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evaluator {
    /// Disc difference.
    Disc,
    /// Coin parity, mobility, corners, stability.
    Paper(PaperWeights),
    /// Kukreja's six terms with his weights.
    Kukreja,
    /// Kukreja's six terms with other weights.
    Genes(Genes),
    /// Kukreja's terms without corner closeness.
    MyJudge,
    /// Backed-up discs, corners, X-squares.
    Judge,
    /// Mobility, ideal squares, disc share.
    Ideal(IdealForm),
    /// Discs, moves, corners as 1 : 100 : 1000.
    Cornell,
    /// A value for each square.
    Static,
}

/// How many evaluators there are.
const COUNT: usize = 9;

/// Everything that is said about an evaluator besides how it judges.
#[derive(Clone, Copy)]
struct Row {
    evaluator: Evaluator,
    name: &'static str,
    summary: &'static str,
    weights: &'static [&'static str],
}

/// Every evaluator. A new one is a row here, a file in `eval/`, and a line in [`Evaluator::ready`].
const ROWS: [Row; COUNT] = {
    const fn fixed(evaluator: Evaluator, name: &'static str, summary: &'static str) -> Row {
        Row { evaluator, name, summary, weights: &[] }
    }
    [
        fixed(Evaluator::Disc, "disc", "own discs less the opponent's"),
        Row {
            evaluator: Evaluator::Paper(PaperWeights::USUAL),
            name: "paper",
            summary: "coin parity, mobility, corners and stability, each from -100 to 100",
            weights: &["parity", "mobility", "corners", "stability"],
        },
        fixed(Evaluator::Kukreja, "kukreja", "six terms with Kukreja's published weights"),
        Row {
            evaluator: Evaluator::Genes(Genes::EVOLVED),
            name: "genes",
            summary: "the same six terms with weights found by evolution",
            weights: &Genes::NAMES,
        },
        fixed(Evaluator::MyJudge, "myjudge", "Kukreja's terms without corner closeness, from the 6x6 duel"),
        fixed(
            Evaluator::Judge,
            "judge",
            "discs backed up by the border, corners, X-squares, from the 6x6 duel",
        ),
        fixed(
            Evaluator::Ideal(IdealForm::Corrected),
            "ideal",
            "mobility, border and centre squares, disc share",
        ),
        fixed(Evaluator::Cornell, "cornell", "differences of discs, moves and corners as 1 : 100 : 1000"),
        fixed(Evaluator::Static, "static", "a fixed value for every square"),
    ]
};

/// Why an evaluator cannot have these weights.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SetWeightsError {
    /// It has none.
    #[error("{0} has no weights to set, only {list} have", list = taking_weights())]
    NoWeights(&'static str),
    /// It has more or fewer.
    #[error("{count} numbers are needed ({names})", count = .0.len(), names = .0.join("/"))]
    Count(&'static [&'static str]),
    /// One of them is out of range.
    #[error(transparent)]
    Weight(#[from] WeightError),
}

/// The evaluators whose weights can be set, for a sentence.
fn taking_weights() -> String {
    let taking = ROWS.iter().filter(|row| !row.weights.is_empty()).map(|row| row.name);
    taking.collect::<Vec<_>>().join(" and ")
}

/// A name that no evaluator has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no evaluator {0:?}; there are {list}", list = Evaluator::NAMES.join(", "))]
pub struct UnknownEvaluator(pub String);

/// Longest name that an error repeats.
const LONGEST: usize = 24;

/// Work to be done with an evaluator whose type is known when compiling.
pub(crate) trait WithEvaluator<P: Playable> {
    type Output;
    fn run<E: Evaluate<P>>(self, evaluator: E) -> Self::Output;
}

impl Evaluator {
    /// Every name there is.
    pub const NAMES: [&'static str; COUNT] = {
        let mut names = [""; COUNT];
        let mut at = 0;
        while at < COUNT {
            names[at] = ROWS[at].name;
            at += 1;
        }
        names
    };

    /// Every evaluator with its default options, in the order of [`Evaluator::NAMES`].
    #[must_use]
    pub fn all() -> [Evaluator; COUNT] {
        ROWS.map(|row| row.evaluator)
    }

    fn row(&self) -> &'static Row {
        let this = std::mem::discriminant(self);
        let own = ROWS.iter().find(|row| std::mem::discriminant(&row.evaluator) == this);
        own.expect("a test finds a row for every evaluator")
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.row().name
    }

    /// What it looks at, in a line.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.row().summary
    }

    /// What each of its weights is for, if they can be set.
    #[must_use]
    pub fn weights(&self) -> &'static [&'static str] {
        self.row().weights
    }

    /// Its weights, in the order of [`Evaluator::weights`].
    ///
    /// ```
    /// use emilia_classic::Evaluator;
    /// let paper: Evaluator = "paper".parse()?;
    /// assert_eq!(paper.weight_values(), [25.0, 5.0, 30.0, 25.0]);
    /// # Ok::<(), emilia_classic::UnknownEvaluator>(())
    /// ```
    #[must_use]
    pub fn weight_values(&self) -> Vec<f64> {
        match self {
            Evaluator::Genes(genes) => genes.values().to_vec(),
            Evaluator::Paper(weights) => weights.values().to_vec(),
            _ => Vec::new(),
        }
    }

    /// The same evaluator with these weights, in the order of [`Evaluator::weights`].
    pub fn with_weights(&self, numbers: &[f64]) -> Result<Evaluator, SetWeightsError> {
        match self {
            Evaluator::Genes(_) => Ok(Evaluator::Genes(Genes::from_slice(numbers)?)),
            Evaluator::Paper(_) => {
                let [parity, mobility, corners, stability] =
                    numbers.try_into().map_err(|_| SetWeightsError::Count(self.weights()))?;
                Ok(Evaluator::Paper(PaperWeights::new(parity, mobility, corners, stability)?))
            }
            _ => Err(SetWeightsError::NoWeights(self.name())),
        }
    }

    /// The six weights of the evaluators of Kukreja's family; the usual ones for any other.
    fn genes(&self) -> Genes {
        match self {
            Evaluator::Kukreja => Genes::KUKREJA,
            Evaluator::MyJudge => Genes::MYJUDGE,
            Evaluator::Genes(genes) => *genes,
            _ => Genes::default(),
        }
    }

    /// What the position is worth to the side to move.
    #[must_use]
    pub fn score<P: Playable>(&self, position: &P) -> f64 {
        struct Score<'a, P>(&'a P);
        impl<P: Playable> WithEvaluator<P> for Score<'_, P> {
            type Output = f64;
            fn run<E: Evaluate<P>>(self, evaluator: E) -> f64 {
                evaluator.score(&View::new(self.0))
            }
        }
        self.ready(position.size(), Score(position))
    }

    /// The evaluation taken apart, as this side sees it.
    #[must_use]
    pub fn breakdown<P: Playable>(&self, position: &P, side: Color) -> Breakdown<P::Set> {
        struct TakeApart<'a, P>(&'static str, &'a P, Color);
        impl<P: Playable> WithEvaluator<P> for TakeApart<'_, P> {
            type Output = Breakdown<P::Set>;
            fn run<E: Evaluate<P>>(self, evaluator: E) -> Breakdown<P::Set> {
                Breakdown::new(self.0, &evaluator, self.1, self.2)
            }
        }
        self.ready(position.size(), TakeApart(self.name(), position, side))
    }

    /// Makes the evaluator ready for a board size and does the work with it. The choice is made here, once; the work
    /// is compiled for each evaluator.
    pub(crate) fn ready<P: Playable, W: WithEvaluator<P>>(&self, size: Size, work: W) -> W::Output {
        match self {
            Evaluator::Disc => work.run(Disc),
            Evaluator::Paper(weights) => work.run(Paper::<P>::new(size, *weights)),
            Evaluator::Kukreja | Evaluator::Genes(_) | Evaluator::MyJudge => {
                work.run(SixTerms::<P>::new(size, self.genes()))
            }
            Evaluator::Judge => work.run(Judge::<P>::new(size)),
            Evaluator::Ideal(form) => work.run(Ideal::<P>::new(size, *form)),
            Evaluator::Cornell => work.run(Cornell::<P>::new(size)),
            Evaluator::Static => work.run(Static::<P>::new(size)),
        }
    }
}

impl FromStr for Evaluator {
    type Err = UnknownEvaluator;

    /// Finds the evaluator of this name; its options are the defaults.
    fn from_str(name: &str) -> Result<Evaluator, UnknownEvaluator> {
        Evaluator::all()
            .into_iter()
            .find(|evaluator| evaluator.name() == name)
            .ok_or_else(|| UnknownEvaluator(name.chars().take(LONGEST).collect()))
    }
}

impl fmt::Display for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_evaluator_has_its_row_and_takes_the_weights_it_names() {
        for (evaluator, row) in Evaluator::all().into_iter().zip(ROWS) {
            // A new evaluator does not compile here until somebody has thought of its row.
            match evaluator {
                Evaluator::Disc | Evaluator::Paper(_) | Evaluator::Kukreja | Evaluator::Genes(_) => {}
                Evaluator::MyJudge | Evaluator::Judge | Evaluator::Ideal(_) => {}
                Evaluator::Cornell | Evaluator::Static => {}
            }
            assert_eq!(evaluator.name(), row.name);
            let numbers: Vec<f64> = (0..row.weights.len()).map(|number| number as f64).collect();
            assert_eq!(evaluator.with_weights(&numbers).is_ok(), !row.weights.is_empty());
            assert_eq!(evaluator.weight_values().len(), row.weights.len());
            assert!(evaluator.with_weights(&[1.0; 20]).is_err());
        }
        let error = Evaluator::Disc.with_weights(&[]).unwrap_err();
        assert_eq!(error.to_string(), "disc has no weights to set, only paper and genes have");
    }
}
