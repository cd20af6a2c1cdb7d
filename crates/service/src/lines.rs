//! Answers that come line by line while the work goes on.

use serde::Serialize;

use crate::answers::to_json;

/// Who is told, one JSON object a line. Whoever does not listen any more stops the work.
pub trait Lines {
    /// Takes a line.
    fn take(&self, line: String);

    /// Whether lines that may be missed are wanted now.
    fn has_room(&self) -> bool;
}

impl dyn Lines + '_ {
    /// Tells something.
    pub fn write<T: Serialize>(&self, event: &T) {
        self.take(to_json(event));
    }

    /// Tells something that may be missed.
    pub fn write_if_read<T: Serialize>(&self, event: &T) {
        if self.has_room() {
            self.write(event);
        }
    }
}

/// Somebody who listens to everything, for tests.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct Heard(std::cell::RefCell<Vec<serde_json::Value>>);

#[cfg(test)]
impl Heard {
    /// The lines since one last asked.
    pub(crate) fn lines(&self) -> Vec<serde_json::Value> {
        self.0.take()
    }
}

#[cfg(test)]
impl Lines for Heard {
    fn take(&self, line: String) {
        self.0.borrow_mut().push(serde_json::from_str(&line).unwrap());
    }

    fn has_room(&self) -> bool {
        true
    }
}
