use std::io;

use emilia_query::Stop;

use crate::plan::VERSION;
use crate::tasks::Job;
use crate::{Inputs, Plan, WorkError};

/// Planned work made ready: units can be done, wherever this is.
pub struct Work {
    plan: Plan,
    job: Box<dyn Job>,
}

/// What a unit has given.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// Its files: name in the folder and content.
    pub files: Vec<(String, Vec<u8>)>,
    /// What others need to know of it without opening its files.
    pub note: serde_json::Value,
}

impl Work {
    /// Makes ready what was planned, with the files that the plan needs.
    pub fn new(plan: Plan, inputs: Inputs) -> Result<Work, WorkError> {
        if plan.version != VERSION {
            return Err(WorkError::Version { planned: plan.version, now: VERSION.to_owned() });
        }
        let read = |name: &str| {
            inputs
                .get(name)
                .map(|bytes| bytes.clone().into())
                .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the plan has no such file"))
        };
        let job = plan.task.job(&read)?;
        Ok(Work { plan, job })
    }

    /// What is done.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many units there are.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.job.units()
    }

    /// What a unit is about, in words.
    #[must_use]
    pub fn title(&self, unit: u64) -> String {
        self.job.title(unit)
    }

    /// Does a unit. Nothing if it was stopped.
    pub fn run(&self, unit: u64, stop: &Stop) -> Result<Option<Done>, WorkError> {
        self.check(unit)?;
        self.job.run(unit, stop)
    }

    pub(crate) fn check(&self, unit: u64) -> Result<(), WorkError> {
        let units = self.units();
        if unit < units { Ok(()) } else { Err(WorkError::NoUnit { unit, last: units.saturating_sub(1) }) }
    }

    pub(crate) fn job(&self) -> &dyn Job {
        self.job.as_ref()
    }
}
