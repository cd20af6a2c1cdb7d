//! Why a move is bad, as JSON has it: a kind that the page has a sentence for in every language, and what goes into its gaps.

use std::collections::BTreeMap;

use emilia_insight::Explanation;
use emilia_rules::{GridPosition, Playable};
use serde::Serialize;

use crate::answers;

/// Why a move is bad.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Why {
    /// The kind of reason, a row of docs/insights.md.
    kind: &'static str,
    /// The sentence in English.
    sentence: String,
    /// What was counted, by its gap in the sentence.
    facts: BTreeMap<&'static str, String>,
    /// The moves that show it, the one that was played first.
    line: Vec<String>,
    /// The board after them.
    cells: String,
    /// The squares it is about.
    squares: Vec<String>,
}

impl Why {
    /// The answer for a move in this position.
    pub fn new(before: &GridPosition, explained: &Explanation) -> Why {
        let shown = explained.shown();
        let end = shown.iter().fold(*before, |position, mv| position.played(*mv));
        Why {
            kind: explained.reason.kind().name(),
            sentence: explained.sentence(),
            facts: explained.reason.facts().into_iter().collect(),
            line: answers::moves(shown),
            cells: answers::cells(&end),
            squares: explained.squares.iter().map(ToString::to_string).collect(),
        }
    }
}
