//! Learning by heart: cards that ask for a move, when each of them is due, and how many lines an opening asks for.
//!
//! A [`Card`] asks a [`Prompt`]: a position, and the moves that are right there. Its [`Schedule`] says when it is due and
//! moves on with every [`Grade`], by FSRS. A [`ProfileFile`] is all that a learner has, as one file. A [`Rating`] is how
//! strong somebody is, or how hard a puzzle is, by Glicko-2. What must be known to
//! stay within a tolerance of the best is counted by [`lines`], and by [`BookLines`] for a book.
//!
//! ```
//! use emilia_trainer::{Grade, Prompt, Schedule};
//!
//! let tiger = Prompt::new(None, "f5d6c3d3", &["c4"], "Tiger")?;
//! assert_eq!(tiger.answers()[0].to_string(), "c4");
//! let first = Schedule::new(0).answered(Grade::Good, 0);
//! assert_eq!(first.due, 10 * 60_000);
//! let learned = first.answered(Grade::Good, first.due);
//! assert_eq!((learned.due - first.due) / 86_400_000, 4);
//! # Ok::<(), emilia_trainer::PromptError>(())
//! ```

#![forbid(unsafe_code)]

mod attempt;
mod book_lines;
mod card;
mod course;
mod file;
mod grade;
pub mod lines;
mod prompt;
mod rating;
mod schedule;

pub use attempt::{AttemptError, FiledAttempt, FiledRun, RunKind, UnknownRun};
pub use book_lines::{BookLines, BookLinesError, Survey, SurveyedMove};
pub use card::{Card, Kind, UnknownKind};
pub use course::{Course, CourseError, draw};
pub use file::{FiledAnswer, FiledCard, ProfileFile, ProfileFileError};
pub use grade::{Grade, UnknownGrade};
pub use prompt::{Prompt, PromptError};
pub use rating::{Rating, RatingError};
pub use schedule::{Memory, MemoryError, Schedule, Stage, UnknownStage};
