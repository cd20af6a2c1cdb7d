use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The way from the start of a game to one of its positions: which continuation to take at each move.
///
/// Continuation 0 is the main one, so the main line is all zeros. As text: `/` is the start, `/0/0/1` the second
/// alternative for the third move.
///
/// ```
/// use emilia_record::Path;
/// let path: Path = "/0/0/1".parse().unwrap();
/// assert_eq!(path.to_string(), "/0/0/1");
/// assert_eq!(path.parent().unwrap().to_string(), "/0/0");
/// assert_eq!(Path::START.to_string(), "/");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(Vec<u32>);

/// A text that is no path.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a path; write / for the start, or /0/0/1")]
pub struct PathError(pub String);

impl Path {
    /// The start of the game.
    pub const START: Path = Path(Vec::new());

    /// The position of the main line after so many moves.
    #[must_use]
    pub fn main(ply: usize) -> Path {
        Path(vec![0; ply])
    }

    /// The continuations to take, first move first.
    #[must_use]
    pub fn steps(&self) -> &[u32] {
        &self.0
    }

    /// How many moves lie on the way.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether this is the start of the game.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One move back, unless this is the start.
    #[must_use]
    pub fn parent(&self) -> Option<Path> {
        self.0.split_last().map(|(_, rest)| Path(rest.to_vec()))
    }

    /// One move on, by this continuation.
    #[must_use]
    pub fn child(&self, continuation: u32) -> Path {
        let mut steps = self.0.clone();
        steps.push(continuation);
        Path(steps)
    }
}

impl FromIterator<u32> for Path {
    fn from_iter<I: IntoIterator<Item = u32>>(steps: I) -> Path {
        Path(steps.into_iter().collect())
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Path, PathError> {
        let error = || PathError(text.chars().take(40).collect());
        let rest = text.trim().strip_prefix('/').ok_or_else(error)?;
        if rest.is_empty() {
            return Ok(Path::START);
        }
        rest.split('/').map(|step| step.parse().map_err(|_| error())).collect()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("/");
        }
        self.0.iter().try_for_each(|step| write!(f, "/{step}"))
    }
}
