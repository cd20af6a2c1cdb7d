use emilia_rules::{Move, Point, Size, parse_move};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::clip;

/// What is wrong with a field of a message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub(super) struct FieldError {
    pub(super) field: String,
    pub(super) message: String,
}

impl FieldError {
    pub(super) fn new(field: &str, message: impl Into<String>) -> FieldError {
        FieldError { field: field.to_owned(), message: message.into() }
    }
}

/// The fields of a message, taken out one by one, so that what nobody knows is left over.
pub(super) struct Fields(pub(super) Map<String, Value>);

type Taken<T> = Result<Option<T>, FieldError>;

impl Fields {
    /// A text of at most so many characters.
    pub(super) fn text(&mut self, name: &str, longest: usize) -> Taken<String> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.chars().count() <= longest => Ok(Some(text)),
            Some(Value::String(_)) => {
                Err(FieldError::new(name, format!("is longer than {longest} characters")))
            }
            Some(_) => Err(FieldError::new(name, "must be a text")),
        }
    }

    /// A whole number within these bounds.
    pub(super) fn number(&mut self, name: &str, low: i64, high: i64) -> Taken<i64> {
        let Some(value) = self.0.remove(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let number = value.as_i64().filter(|number| (low..=high).contains(number));
        let wrong = || FieldError::new(name, format!("must be a whole number from {low} to {high}"));
        number.map(Some).ok_or_else(wrong)
    }

    /// Seconds.
    pub(super) fn seconds(&mut self, name: &str) -> Taken<std::time::Duration> {
        /// The longest time that can be asked for: a day.
        const LONGEST: f64 = 86_400.0;
        let Some(value) = self.0.remove(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let seconds = value.as_f64().filter(|seconds| (0.0..=LONGEST).contains(seconds));
        let wrong = || FieldError::new(name, "must be a number of seconds from 0 to 86400");
        seconds.map(|seconds| Some(std::time::Duration::from_secs_f64(seconds))).ok_or_else(wrong)
    }

    /// One of these words.
    pub(super) fn word<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Taken<T> {
        let Some(value) = self.0.remove(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let found = words.iter().find(|(word, _)| value.as_str() == Some(word));
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let wrong = || FieldError::new(name, format!("must be one of {}", known.join(", ")));
        found.map(|(_, meaning)| Some(*meaning)).ok_or_else(wrong)
    }

    /// Numbers of turns.
    pub(super) fn turns(&mut self, name: &str) -> Taken<Vec<usize>> {
        let Some(value) = self.0.remove(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let turn = |value: &Value| value.as_u64().and_then(|turn| usize::try_from(turn).ok());
        let turns = value.as_array().map(|list| list.iter().map(turn).collect::<Option<Vec<usize>>>());
        turns.flatten().map(Some).ok_or_else(|| FieldError::new(name, "must be a list of whole numbers"))
    }

    /// Moves: a list of words, or one text.
    pub(super) fn moves(&mut self, name: &str, size: Size) -> Taken<Vec<Move<Point>>> {
        let words: Vec<String> = match self.0.remove(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => words(&text),
            Some(Value::Array(list)) => {
                let text = |value: Value| value.as_str().map(str::to_owned);
                let texts = list.into_iter().map(text).collect::<Option<Vec<String>>>();
                texts.ok_or_else(|| FieldError::new(name, "must be a list of moves such as \"d3\""))?
            }
            Some(_) => return Err(FieldError::new(name, "must be a text or a list of moves")),
        };
        let read =
            |word: &String| parse_move(word, size).map_err(|error| FieldError::new(name, error.to_string()));
        words.iter().map(read).collect::<Result<_, _>>().map(Some)
    }

    /// Nothing may be left that nobody knows.
    pub(super) fn finish(self) -> Result<(), FieldError> {
        match self.0.keys().next() {
            Some(name) => Err(FieldError::new(&clip(name), "is unknown")),
            None => Ok(()),
        }
    }
}

/// The moves of a text without separators, or with any: a letter and the digits after it, or a word for a pass.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for letter in text.chars() {
        let digit = letter.is_ascii_digit();
        if letter.is_whitespace() || letter == ',' {
            open = false;
            continue;
        }
        match words.last_mut() {
            // Letters after a digit begin the next move.
            Some(word) if open && (digit || !word.ends_with(|c: char| c.is_ascii_digit())) => {
                word.push(letter)
            }
            _ => words.push(letter.to_string()),
        }
        open = true;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_found_with_and_without_separators() {
        assert_eq!(words("f5d6c3"), ["f5", "d6", "c3"]);
        assert_eq!(words("k10, pass A1 --"), ["k10", "pass", "A1", "--"]);
    }
}
