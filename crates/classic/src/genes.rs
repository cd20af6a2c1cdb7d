use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::SetWeightsError;
use crate::weight::{Weight, WeightError};

/// Six weights, in the order in which the genetic algorithm keeps them: squares (d), parity (p), frontier (f),
/// corners (c), corner closeness (l), mobility (m).
///
/// As text: six numbers, one on a line, with comments after `#`.
///
/// ```
/// use emilia_classic::Genes;
/// let genes: Genes = "# found by evolution\n10\n20\n97\n832\n289\n93  # mobility\n".parse().unwrap();
/// assert_eq!(genes, Genes::default());
/// assert_eq!(genes.to_string(), "10\n20\n97\n832\n289\n93\n");
/// let error = "10\n20\nmany\n".parse::<Genes>().unwrap_err();
/// assert_eq!(error.to_string(), "line 3: \"many\" is not a number");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Genes([Weight; Genes::COUNT]);

/// Why a text holds no six weights.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GenesError {
    /// A line holds something else.
    #[error("line {line}: {text:?} is not a number")]
    NotANumber {
        /// Its number, from 1.
        line: usize,
        /// How it begins.
        text: String,
    },
    /// A number is too large, or not finite.
    #[error("line {line}: {source}")]
    OutOfRange {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        source: WeightError,
    },
    /// There are fewer than six numbers.
    #[error("six weights are needed (d, p, f, c, l, m), one on a line; there are {0}")]
    TooFew(usize),
    /// There are more than six numbers.
    #[error("line {0}: six weights are enough (d, p, f, c, l, m), this is one more")]
    TooMany(usize),
}

/// Longest piece of a line that an error repeats.
const LONGEST: usize = 24;

impl Genes {
    /// How many there are.
    pub const COUNT: usize = 6;

    /// Their letters, in order.
    pub const LETTERS: [char; Genes::COUNT] = ['d', 'p', 'f', 'c', 'l', 'm'];

    /// The weights in Kukreja's program.
    pub const KUKREJA: Genes = Genes([
        Weight::whole(10),
        Weight::whole(10),
        Weight::thousandths(74_396),
        Weight::thousandths(801_724),
        Weight::thousandths(382_026),
        Weight::thousandths(78_922),
    ]);

    /// The weights that a published genetic algorithm arrived at.
    pub const EVOLVED: Genes = Genes([
        Weight::whole(10),
        Weight::whole(20),
        Weight::whole(97),
        Weight::whole(832),
        Weight::whole(289),
        Weight::whole(93),
    ]);

    /// Kukreja's without corner closeness: the evaluator that won the 6×6 duel.
    pub const MYJUDGE: Genes = {
        let mut genes = Genes::KUKREJA;
        genes.0[4] = Weight::whole(0);
        genes
    };

    /// What they are for, in order.
    pub const NAMES: [&'static str; Genes::COUNT] =
        ["squares", "parity", "frontier", "corners", "closeness", "mobility"];

    /// Checks six weights, if it is six: d, p, f, c, l, m.
    pub fn from_slice(values: &[f64]) -> Result<Genes, SetWeightsError> {
        Ok(Genes::new(values.try_into().map_err(|_| SetWeightsError::Count(&Genes::NAMES))?)?)
    }

    /// Checks six weights: d, p, f, c, l, m.
    pub fn new(values: [f64; Genes::COUNT]) -> Result<Genes, WeightError> {
        let mut genes = Genes::default();
        for (gene, value) in genes.0.iter_mut().zip(values) {
            *gene = Weight::new(value)?;
        }
        Ok(genes)
    }

    /// The six weights: d, p, f, c, l, m.
    #[must_use]
    #[inline(always)]
    pub fn values(&self) -> [f64; Genes::COUNT] {
        self.0.map(Weight::get)
    }

    /// The weights of this name: `default` or `kukreja`.
    #[must_use]
    pub fn named(name: &str) -> Option<Genes> {
        match name {
            "default" => Some(Genes::default()),
            "kukreja" => Some(Genes::KUKREJA),
            _ => None,
        }
    }

    /// The weights with slashes between, as the names of players take them.
    #[must_use]
    pub fn on_one_line(&self) -> String {
        self.values().map(|value| value.to_string()).join("/")
    }
}

impl Default for Genes {
    /// Those that evolved.
    fn default() -> Genes {
        Genes::EVOLVED
    }
}

impl FromStr for Genes {
    type Err = GenesError;

    fn from_str(text: &str) -> Result<Genes, GenesError> {
        let mut genes = Genes::default();
        let mut found = 0;
        for (number, line) in text.lines().enumerate() {
            let line_number = number + 1;
            let value = line.split('#').next().unwrap_or_default().trim();
            if value.is_empty() {
                continue;
            }
            let value: f64 = value.parse().map_err(|_| GenesError::NotANumber {
                line: line_number,
                text: value.chars().take(LONGEST).collect(),
            })?;
            let slot = genes.0.get_mut(found).ok_or(GenesError::TooMany(line_number))?;
            *slot =
                Weight::new(value).map_err(|source| GenesError::OutOfRange { line: line_number, source })?;
            found += 1;
        }
        if found == Genes::COUNT { Ok(genes) } else { Err(GenesError::TooFew(found)) }
    }
}

impl fmt::Display for Genes {
    /// One number on a line, as [`FromStr`] reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values().iter().try_for_each(|value| writeln!(f, "{value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        for genes in [Genes::KUKREJA, Genes::MYJUDGE, Genes::default()] {
            assert_eq!(genes.to_string().parse(), Ok(genes));
        }
        assert_eq!(Genes::KUKREJA.values(), [10.0, 10.0, 74.396, 801.724, 382.026, 78.922]);
    }

    #[test]
    fn bad_texts_name_the_culprit() {
        let error = |text: &str| text.parse::<Genes>().unwrap_err();
        assert_eq!(error(""), GenesError::TooFew(0));
        assert_eq!(error("1\n2\n3\n\n4\n5"), GenesError::TooFew(5));
        assert_eq!(error("1\n2\n3\n4\n5\n6\n7"), GenesError::TooMany(7));
        assert_eq!(error("1\n1e300"), GenesError::OutOfRange { line: 2, source: WeightError(1e300) });
        assert!(matches!(error("1\ninf"), GenesError::OutOfRange { line: 2, .. }));
        assert!(matches!(error("1\nNaN"), GenesError::OutOfRange { line: 2, .. }));
        assert!(matches!(error("1 2 3 4 5 6"), GenesError::NotANumber { line: 1, .. }));
        assert!(matches!(error(&"ü".repeat(1000)), GenesError::NotANumber { text, .. } if text.len() == 48));
    }
}
