use emilia_engine::{Candidate, Player, no_files};
use emilia_query::{Aim, Fault, Limits, Query, Stop};
use emilia_rules::SquareSet;

use crate::dealer::{DealError, Dealt};
use crate::packed::Packed;
use crate::{Recipe, UNKNOWN};

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Label {
    /// As Emilia sees it, in discs.
    pub(crate) value: f32,
    /// Under best play, in discs; [`UNKNOWN`] if it was not solved.
    pub(crate) exact: i16,
}

/// Somebody who says what positions are worth.
pub(crate) struct Labels {
    judge: Box<dyn Player>,
    value_depth: Option<u32>,
    exact_from: Option<u32>,
}

/// Who judges: a table of two megabytes is enough for an endgame, and quickly cleared before each game.
const JUDGE: &str = "emilia:hash=2";

impl Labels {
    /// Whoever is needed for the columns of the recipe; nobody if there are none to fill.
    pub(crate) fn new(recipe: &Recipe) -> Result<Option<Labels>, DealError> {
        let (value_depth, exact_from) = (recipe.value_depth.map(u32::from), recipe.exact_from.map(u32::from));
        if value_depth.is_none() && exact_from.is_none() {
            return Ok(None);
        }
        let judge = Candidate::parse(JUDGE, &no_files)?.player(0);
        Ok(Some(Labels { judge, value_depth, exact_from }))
    }

    /// One for each step of a game. They are found from the end backwards, so that what was solved helps to solve more,
    /// and without anything known from other games, so that they depend on this one alone.
    pub(crate) fn of<P: Packed>(&mut self, dealt: &Dealt<P>, stop: &Stop) -> Result<Vec<Label>, Fault> {
        self.judge.forget();
        let mut exact = Vec::with_capacity(dealt.steps.len());
        for step in dealt.steps.iter().rev() {
            let solved = self.exact_from.is_some_and(|from| step.position.empties().count() <= from);
            exact.push(if solved { self.solved(&step.position, stop)? } else { UNKNOWN });
        }
        self.judge.forget();
        let mut labels = Vec::with_capacity(dealt.steps.len());
        for (step, exact) in dealt.steps.iter().zip(exact.into_iter().rev()) {
            let value = match self.value_depth {
                Some(depth) => self
                    .asked(&step.position, Limits::depth(depth), stop)?
                    .map_or(f32::NAN, |(discs, _)| discs),
                None => f32::NAN,
            };
            labels.push(Label { value, exact });
        }
        Ok(labels)
    }

    fn solved<P: Packed>(&mut self, position: &P, stop: &Stop) -> Result<i16, Fault> {
        let answer = self.asked(position, Limits::endless(), stop)?;
        Ok(answer.filter(|(_, exact)| *exact).map_or(UNKNOWN, |(discs, _)| discs as i16))
    }

    /// The value in discs, and whether it is proven.
    fn asked<P: Packed>(
        &mut self,
        position: &P,
        limits: Limits,
        stop: &Stop,
    ) -> Result<Option<(f32, bool)>, Fault> {
        let mut query = Query::new((*position).into()).within(limits);
        query.aim = Some(Aim::Score);
        let report = self.judge.answer(&query, stop, &mut ())?;
        Ok(report.discs().map(|discs| (discs as f32, report.is_exact())))
    }
}
