use emilia_rules::{Move, Point, Size, parse_move};
use serde_json::{Map, Value};

use super::field_error::{FieldError, FieldFault};
use crate::clip;

/// The fields of a message, taken out one by one, so that what nobody knows is left over.
pub(super) struct Fields(pub(super) Map<String, Value>);

type Taken<T> = Result<Option<T>, FieldError>;

impl Fields {
    /// A text of at most so many characters.
    pub(super) fn text(&mut self, name: &str, longest: usize) -> Taken<String> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.chars().count() <= longest => Ok(Some(text)),
            Some(Value::String(_)) => Err(FieldFault::LongText { longest }.of(name)),
            Some(_) => Err(FieldFault::NotAText.of(name)),
        }
    }

    /// A whole number within these bounds.
    pub(super) fn number(&mut self, name: &str, low: i64, high: i64) -> Taken<i64> {
        let Some(value) = self.0.remove(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let number = value.as_i64().filter(|number| (low..=high).contains(number));
        number.map(Some).ok_or_else(|| FieldFault::NotANumber { low, high }.of(name))
    }

    /// Seconds.
    pub(super) fn seconds(&mut self, name: &str) -> Taken<std::time::Duration> {
        /// The longest time that can be asked for: a day.
        const LONGEST: u32 = 86_400;
        let Some(value) = self.0.remove(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let seconds = value.as_f64().filter(|seconds| (0.0..=f64::from(LONGEST)).contains(seconds));
        let wrong = || FieldFault::NotSeconds { longest: LONGEST }.of(name);
        seconds.map(|seconds| Some(std::time::Duration::from_secs_f64(seconds))).ok_or_else(wrong)
    }

    /// One of these words.
    pub(super) fn word<T: Copy>(&mut self, name: &str, words: &[(&'static str, T)]) -> Taken<T> {
        let Some(value) = self.0.remove(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let found = words.iter().find(|(word, _)| value.as_str() == Some(word));
        let wrong =
            || FieldFault::OtherWord { known: words.iter().map(|(word, _)| *word).collect() }.of(name);
        found.map(|(_, meaning)| Some(*meaning)).ok_or_else(wrong)
    }

    /// Numbers of turns.
    pub(super) fn turns(&mut self, name: &str) -> Taken<Vec<usize>> {
        let Some(value) = self.0.remove(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let turn = |value: &Value| value.as_u64().and_then(|turn| usize::try_from(turn).ok());
        let turns = value.as_array().map(|list| list.iter().map(turn).collect::<Option<Vec<usize>>>());
        turns.flatten().map(Some).ok_or_else(|| FieldFault::NotTurns.of(name))
    }

    /// Moves: a list of words, or one text.
    pub(super) fn moves(&mut self, name: &str, size: Size) -> Taken<Vec<Move<Point>>> {
        let words: Vec<String> = match self.0.remove(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => words(&text),
            Some(Value::Array(list)) => {
                let text = |value: Value| value.as_str().map(str::to_owned);
                let texts = list.into_iter().map(text).collect::<Option<Vec<String>>>();
                texts.ok_or_else(|| FieldFault::NotMoves.of(name))?
            }
            Some(_) => return Err(FieldFault::NeitherTextNorMoves.of(name)),
        };
        let read = |word: &String| parse_move(word, size).map_err(|error| FieldFault::from(error).of(name));
        words.iter().map(read).collect::<Result<_, _>>().map(Some)
    }

    /// Nothing may be left that nobody knows.
    pub(super) fn finish(self) -> Result<(), FieldError> {
        match self.0.keys().next() {
            Some(name) => Err(FieldFault::Unknown.of(&clip(name))),
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
