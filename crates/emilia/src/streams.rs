use std::io::{self, BufRead, Write};

use serde::Serialize;

/// Where a command reads and prints, and what it may assume about the reader.
pub struct Streams<'a> {
    /// What the user types or another program sends.
    pub input: &'a mut (dyn BufRead + Send),
    /// Results.
    pub out: &'a mut dyn Write,
    /// Progress and complaints.
    pub err: &'a mut dyn Write,
    /// Whether colours are welcome in `out`.
    pub color: bool,
    /// Whether a person sits at both ends.
    pub interactive: bool,
}

impl<'a> Streams<'a> {
    /// Streams for a program at the other end: no colours, no progress bars.
    pub fn plain(
        input: &'a mut (dyn BufRead + Send),
        out: &'a mut dyn Write,
        err: &'a mut dyn Write,
    ) -> Streams<'a> {
        Streams { input, out, err, color: false, interactive: false }
    }

    /// The next line without its end, or `None` at the end of the input. What was printed is shown first.
    pub fn read_line(&mut self) -> io::Result<Option<String>> {
        self.out.flush()?;
        let mut bytes = Vec::new();
        // No answer to any question is longer; the rest of a longer line would be the next answer.
        io::Read::take(&mut self.input, LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned()))
    }

    /// What to print before and after words that should stand out; nothing where colours are not welcome.
    pub(crate) fn bold(&self) -> (&'static str, &'static str) {
        if self.color { ("\x1b[1m", "\x1b[0m") } else { ("", "") }
    }

    /// Prints one JSON object on a line of its own.
    pub(crate) fn write_json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_string(value).map_err(io::Error::other)?;
        writeln!(self.out, "{line}")
    }
}

/// Bytes of a typed line that are looked at.
const LONGEST_LINE: u64 = 1 << 16;
