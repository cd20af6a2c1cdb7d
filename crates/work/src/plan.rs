use std::cell::RefCell;
use std::collections::BTreeMap;

use emilia_engine::FileReader;
use serde::{Deserialize, Serialize};

use crate::{FileSum, Task, WorkError};

/// What is to be done, and with what. Equal plans give equal results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Who made it: another version may find something else.
    pub version: String,
    /// What is to be done.
    pub task: Task,
    /// The files it needs.
    pub inputs: Vec<Input>,
}

/// A file that a plan needs, kept with it so that it is the same on every machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// As the plan calls it.
    pub name: String,
    /// Where it is in the folder, and what is in it.
    pub file: FileSum,
}

/// The files that a plan needs, by the names the plan has for them.
pub type Inputs = BTreeMap<String, Vec<u8>>;

/// The version of the program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Plan {
    /// A plan for this task, and all files it needs, which `read` opens.
    pub fn new(task: Task, read: FileReader<'_>) -> Result<(Plan, Inputs), WorkError> {
        let inputs = RefCell::new(Inputs::new());
        // Whatever the work opens when it is made ready is what it needs.
        task.job(&|name| {
            let content = read(name)?;
            inputs.borrow_mut().insert(name.to_owned(), content.to_vec());
            Ok(content)
        })?;
        let inputs = inputs.into_inner();
        let kept = |(number, (name, content)): (usize, (&String, &Vec<u8>))| Input {
            name: name.clone(),
            file: FileSum::of(&format!("inputs/{number:03}"), content),
        };
        let listed = inputs.iter().enumerate().map(kept).collect();
        Ok((Plan { version: VERSION.to_owned(), task, inputs: listed }, inputs))
    }

    /// The text of the file that keeps it.
    #[must_use]
    pub fn text(&self) -> String {
        // Numbers, texts and lists always have a JSON form.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
