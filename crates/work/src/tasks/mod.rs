//! The kinds of work, one file each: how it is cut, how a unit is done, how units become the result.

mod dataset;
mod label;
mod matches;
mod proof;
mod records;
mod review;
mod selfplay;

use emilia_dataset::{Dealer, Recipe};
use emilia_engine::{Candidate, FileReader};
use emilia_query::Stop;
use serde::{Deserialize, Serialize};

use crate::error::TaskError;
use crate::{Done, WorkError};
pub use label::LabelTask;
pub use matches::MatchTask;
pub use proof::ProofTask;
pub use review::ReviewTask;
pub use selfplay::SelfPlayTask;

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Task {
    /// Games of Emilia against herself, to learn from.
    SelfPlay(SelfPlayTask),
    /// Positions to be judged.
    Label(LabelTask),
    /// Games whose moves are to be judged.
    Review(ReviewTask),
    /// Games between two players.
    Match(MatchTask),
    /// A position to be solved by solving what it leads to.
    Proof(ProofTask),
    /// Games as data for sequence models.
    Dataset(Recipe),
}

impl Task {
    /// The task made ready. All files it needs are opened by `read` now, and none later.
    pub(crate) fn job(&self, read: FileReader<'_>) -> Result<Box<dyn Job>, WorkError> {
        Ok(match self {
            Task::SelfPlay(task) => Box::new(task.job(read)?),
            Task::Label(task) => Box::new(task.job(read)?),
            Task::Review(task) => Box::new(task.job(read)?),
            Task::Match(task) => Box::new(task.job(read)?),
            Task::Proof(task) => Box::new(task.job()?),
            Task::Dataset(recipe) => Box::new(Dealer::new(recipe, read)?),
        })
    }
}

/// A task made ready.
///
/// Laws: what `run` gives depends on the number of the unit alone; what `merge` gives depends on what the units gave and
/// not on which of those that are not needed are there.
pub(crate) trait Job: Send + Sync {
    /// How many units there are.
    fn units(&self) -> u64;

    /// What a unit is about, in words.
    fn title(&self, unit: u64) -> String;

    /// Does a unit. Nothing if it was stopped.
    fn run(&self, unit: u64, stop: &Stop) -> Result<Option<Done>, WorkError>;

    /// Which units the result needs, by what those that are done have found.
    fn needed(&self, _found: &dyn Found) -> Result<Needed, WorkError> {
        Ok(Needed::All)
    }

    /// The files of the result besides those of the units, and what to say about it.
    fn merge(&self, found: &dyn Found) -> Result<Summary, WorkError>;

    /// Whether the files of the units are part of the result as they are.
    fn keeps_units(&self) -> bool {
        false
    }
}

/// Some of the units.
pub(crate) enum Needed {
    All,
    /// Those with smaller numbers.
    Below(u64),
    /// Those that are marked.
    Those(Vec<bool>),
}

impl Needed {
    pub(crate) fn contains(&self, unit: u64) -> bool {
        match self {
            Needed::All => true,
            Needed::Below(end) => unit < *end,
            Needed::Those(marked) => marked.get(unit as usize).copied().unwrap_or_default(),
        }
    }
}

/// What units have given so far.
pub(crate) trait Found {
    /// What a unit has noted, if it is done.
    fn note(&self, unit: u64) -> Result<Option<serde_json::Value>, WorkError>;

    /// The first file of a unit, which must be done.
    fn content(&self, unit: u64) -> Result<Vec<u8>, WorkError>;
}

/// What units have become.
pub(crate) struct Summary {
    /// Files of the result: name and content.
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// What to say about it.
    pub(crate) about: serde_json::Value,
}

/// The contents of all units one after the other.
fn joined(job: &dyn Job, found: &dyn Found) -> Result<Vec<u8>, WorkError> {
    require(job, found)?;
    let mut all = Vec::new();
    for unit in 0..job.units() {
        all.extend(found.content(unit)?);
    }
    Ok(all)
}

/// Fails if a unit that is needed is not done.
fn require(job: &dyn Job, found: &dyn Found) -> Result<(), WorkError> {
    let needed = job.needed(found)?;
    let (mut missing, mut first) = (0, None);
    for unit in 0..job.units() {
        if needed.contains(unit) && found.note(unit)?.is_none() {
            missing += 1;
            first.get_or_insert(unit);
        }
    }
    first.map_or(Ok(()), |first| Err(WorkError::Unfinished { missing, first, units: job.units() }))
}

/// The sums of these numbers over the notes of all units.
fn sums<const N: usize>(job: &dyn Job, found: &dyn Found, names: [&str; N]) -> Result<[u64; N], WorkError> {
    let mut sums = [0; N];
    for unit in 0..job.units() {
        let note = found.note(unit)?.unwrap_or_default();
        for (sum, name) in sums.iter_mut().zip(names) {
            *sum += note[name].as_u64().unwrap_or_default();
        }
    }
    Ok(sums)
}

/// Adds a JSON object on a line of its own.
fn put_line(text: &mut Vec<u8>, line: &impl Serialize) {
    // Numbers, texts and lists always have a JSON form.
    text.extend(serde_json::to_vec(line).unwrap_or_default());
    text.push(b'\n');
}

/// A player of ours.
fn candidate(name: &str, read: FileReader<'_>) -> Result<Candidate, WorkError> {
    let candidate = Candidate::parse(name, read)?;
    if candidate.is_outside() {
        return Err(TaskError::Outside(name.to_owned()).into());
    }
    Ok(candidate)
}

/// How many units make up so many things, and which things are in one of them.
#[derive(Clone, Copy, Debug)]
struct Cut {
    things: u64,
    each: u64,
}

impl Cut {
    /// So many things, so many in a unit.
    fn new(things: usize, each: u64, what: &'static str) -> Result<Cut, TaskError> {
        const MOST: u64 = 1 << 32;
        if !(1..=MOST).contains(&each) {
            return Err(TaskError::Range { what: "the size of a unit", least: 1, most: MOST, given: each });
        }
        if things == 0 { Err(TaskError::Nothing(what)) } else { Ok(Cut { things: things as u64, each }) }
    }

    fn units(self) -> u64 {
        self.things.div_ceil(self.each)
    }

    fn numbers(self, unit: u64) -> std::ops::Range<u64> {
        let first = unit.saturating_mul(self.each).min(self.things);
        first..first.saturating_add(self.each).min(self.things)
    }

    /// `games 20 to 29`
    fn title(self, unit: u64, what: &str) -> String {
        let numbers = self.numbers(unit);
        format!("{what} {} to {}", numbers.start, numbers.end.saturating_sub(1))
    }
}
