use std::fmt;
use std::str::FromStr;

use emilia_rules::{Color, Playable, Size};
use thiserror::Error;

use crate::{
    Breakdown, Cornell, Disc, Evaluate, Genes, Ideal, IdealForm, Judge, Paper, PaperWeights, SixTerms,
    Static, View,
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
    pub const NAMES: [&'static str; 9] =
        ["disc", "paper", "kukreja", "genes", "myjudge", "judge", "ideal", "cornell", "static"];

    /// Every evaluator with its default options, in the order of [`Evaluator::NAMES`].
    #[must_use]
    pub fn all() -> [Evaluator; 9] {
        [
            Evaluator::Disc,
            Evaluator::Paper(PaperWeights::default()),
            Evaluator::Kukreja,
            Evaluator::Genes(Genes::default()),
            Evaluator::MyJudge,
            Evaluator::Judge,
            Evaluator::Ideal(IdealForm::default()),
            Evaluator::Cornell,
            Evaluator::Static,
        ]
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Evaluator::Disc => "disc",
            Evaluator::Paper(_) => "paper",
            Evaluator::Kukreja => "kukreja",
            Evaluator::Genes(_) => "genes",
            Evaluator::MyJudge => "myjudge",
            Evaluator::Judge => "judge",
            Evaluator::Ideal(_) => "ideal",
            Evaluator::Cornell => "cornell",
            Evaluator::Static => "static",
        }
    }

    /// What it looks at, in a line.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        match self {
            Evaluator::Disc => "own discs less the opponent's",
            Evaluator::Paper(_) => "coin parity, mobility, corners and stability, each from -100 to 100",
            Evaluator::Kukreja => "six terms with Kukreja's published weights",
            Evaluator::Genes(_) => "the same six terms with weights found by evolution",
            Evaluator::MyJudge => "Kukreja's terms without corner closeness, from the 6x6 duel",
            Evaluator::Judge => "discs backed up by the border, corners, X-squares, from the 6x6 duel",
            Evaluator::Ideal(_) => "mobility, border and centre squares, disc share",
            Evaluator::Cornell => "differences of discs, moves and corners as 1 : 100 : 1000",
            Evaluator::Static => "a fixed value for every square",
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
