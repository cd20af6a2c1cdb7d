//! Bytes to lines, without ever holding more than a line may be long.

/// Collects bytes until a line is complete.
///
/// ```
/// use emilia_protocol::{Line, Lines};
/// let mut lines = Lines::new(8);
/// let found: Vec<Line> = lines.push(b"name\r\nsomething far too long\nqu").collect();
/// assert_eq!(found, [Line::Text("name".to_owned()), Line::TooLong(22)]);
/// assert_eq!(lines.push(b"it\n").next(), Some(Line::Text("quit".to_owned())));
/// assert_eq!(lines.end(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Lines {
    longest: usize,
    kept: Vec<u8>,
    /// Bytes of the line that is being read, kept or not.
    length: usize,
}

/// A line that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Its text without the end; bytes that are no text are replaced.
    Text(String),
    /// It was too long; this many bytes of it were thrown away.
    TooLong(usize),
}

impl Lines {
    /// Keeps lines up to so many bytes.
    #[must_use]
    pub fn new(longest: usize) -> Lines {
        Lines { longest, kept: Vec::new(), length: 0 }
    }

    /// Adds bytes and gives the lines that are complete with them.
    pub fn push<'l>(&'l mut self, bytes: &'l [u8]) -> impl Iterator<Item = Line> + 'l {
        let mut rest = bytes;
        std::iter::from_fn(move || {
            let Some(at) = rest.iter().position(|byte| *byte == b'\n') else {
                self.keep(rest);
                rest = &[];
                return None;
            };
            self.keep(&rest[..at]);
            rest = &rest[at + 1..];
            Some(self.take())
        })
    }

    /// What is left when the input ends in the middle of a line.
    pub fn end(&mut self) -> Option<Line> {
        (self.length > 0).then(|| self.take())
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.length = self.length.saturating_add(bytes.len());
        if self.length <= self.longest {
            self.kept.extend_from_slice(bytes);
        }
    }

    fn take(&mut self) -> Line {
        let length = std::mem::take(&mut self.length);
        let kept = std::mem::take(&mut self.kept);
        if length > self.longest {
            return Line::TooLong(length);
        }
        let kept = kept.strip_suffix(b"\r").unwrap_or(&kept);
        Line::Text(String::from_utf8_lossy(kept).into_owned())
    }
}
