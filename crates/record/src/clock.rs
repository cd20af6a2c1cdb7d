use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use emilia_rules::Color;
use thiserror::Error;

use crate::number::seconds;

/// The time one side has: a main time, what each move adds, and a grace period after the flag has fallen.
///
/// As text it is what Othello servers write, `main/increment/grace`, each `[[[days.]hours:]minutes:]seconds`:
///
/// ```
/// use emilia_record::Clock;
/// let clock: Clock = "05:00//02:00".parse().unwrap();
/// assert_eq!(clock.main.as_secs(), 300);
/// assert_eq!(clock.grace.as_secs(), 120);
/// assert_eq!(clock.to_string(), "05:00/00:00/02:00");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Clock {
    /// For the whole game.
    pub main: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// After the main time is used up: the game can no longer be won by more than the smallest margin.
    pub grace: Duration,
}

/// The clocks of both sides, where they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Clocks {
    /// Black's clock.
    pub black: Option<Clock>,
    /// White's clock.
    pub white: Option<Clock>,
}

/// A text that is no clock.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a clock; write main/increment/grace such as 05:00/00:00/02:00")]
pub struct ClockError(pub String);

/// The longest span that is believed; written out, it is still one that can be read.
const LONGEST: Duration = Duration::from_secs(99_999 * 86_400);

/// Othello servers grant this much when a clock does not speak of grace.
const USUAL_GRACE: Duration = Duration::from_secs(120);

impl Clocks {
    /// The same clock for both.
    #[must_use]
    pub fn both(clock: Clock) -> Clocks {
        Clocks { black: Some(clock), white: Some(clock) }
    }

    /// The clock of this side.
    #[must_use]
    pub fn of(&self, color: Color) -> Option<Clock> {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }
}

impl FromStr for Clock {
    type Err = ClockError;

    fn from_str(text: &str) -> Result<Clock, ClockError> {
        let error = || ClockError(text.chars().take(40).collect());
        let mut parts = text.trim().split('/');
        let mut part = |missing| match parts.next() {
            None => Some(missing),
            Some("") => Some(Duration::ZERO),
            Some(text) => span(text),
        };
        let main = part(Duration::ZERO).ok_or_else(error)?;
        let increment = part(Duration::ZERO).ok_or_else(error)?;
        let grace = part(USUAL_GRACE).ok_or_else(error)?;
        if parts.next().is_some() {
            return Err(error());
        }
        Ok(Clock { main, increment, grace })
    }
}

/// Reads `[[[days.]hours:]minutes:]seconds`.
pub(crate) fn span(text: &str) -> Option<Duration> {
    let mut fields = text.trim().rsplit(':');
    let last = seconds(fields.next()?)?;
    let minutes = fields.next().map_or(Some(0), whole)?;
    let (days, hours) = match fields.next() {
        None => (0, 0),
        Some(field) => match field.split_once('.') {
            Some((days, hours)) => (whole(days)?, whole(hours)?),
            None => (0, whole(field)?),
        },
    };
    if fields.next().is_some() {
        return None;
    }
    let total = last + Duration::from_secs(((days * 24 + hours) * 60 + minutes) * 60);
    (total <= LONGEST).then_some(total)
}

/// A whole number small enough that no sum of spans can overflow.
fn whole(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// Writes a span as [`span`] reads it.
fn write_span(f: &mut fmt::Formatter<'_>, span: Duration) -> fmt::Result {
    let total = span.as_secs();
    let (minutes, seconds) = (total / 60, total % 60);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let (days, hours) = (hours / 24, hours % 24);
    if days > 0 {
        write!(f, "{days}.")?;
    }
    if days > 0 || hours > 0 {
        write!(f, "{hours:02}:")?;
    }
    write!(f, "{minutes:02}:{seconds:02}")?;
    match span.subsec_millis() {
        0 => Ok(()),
        millis => f.write_str(format!(".{millis:03}").trim_end_matches('0')),
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_span(f, self.main)?;
        f.write_str("/")?;
        write_span(f, self.increment)?;
        f.write_str("/")?;
        write_span(f, self.grace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_as_they_are_written() {
        for (text, seconds) in [("7", 7), ("02:03", 123), ("1:00:00", 3600), ("2.01:00:09", 176_409)] {
            assert_eq!(span(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", ":", "1:", "x", "1:2:3:4", "-1", "1.2.3:4:5", "9999999:00"] {
            assert_eq!(span(text), None, "{text}");
        }
    }

    #[test]
    fn clocks_read_as_they_are_written() {
        for text in ["05:00/00:00/02:00", "1.00:00:00/00:05/00:00", "00:00.25/00:00.001/12:00:00"] {
            assert_eq!(text.parse::<Clock>().unwrap().to_string(), text);
        }
        assert_eq!("15".parse::<Clock>().unwrap().grace, USUAL_GRACE);
        assert!("1/2/3/4".parse::<Clock>().is_err());
    }
}
