//! Games of the Othello Quest server, which keeps them as JSON. They are only read.
//!
//! ```
//! use emilia_record::{quest, tag};
//! let text = r#"{"players":[{"id":"a","name":"Tom"},{"id":"b","name":"Kitty"}],
//!     "position":{"moves":[{"m":"f5","t":300},{"m":"d6"}]}}"#;
//! let game = quest::parse(text).unwrap();
//! assert_eq!(game.tags.value(tag::BLACK), Some("Tom"));
//! assert_eq!(game.main_line().count(), 2);
//! ```

use emilia_rules::Size;
use serde_json::Value;

use crate::movetext::follow;
use crate::{Fault, Game, JsonError, tag};

/// Reads one game.
pub fn parse(text: &str) -> Result<Game, Fault> {
    from_value(&serde_json::from_str(text).map_err(JsonError::from)?)
}

/// Reads the game out of a JSON value: the players are the first two under `players`, the moves the members `m` of the
/// first list that has such members.
pub fn from_value(value: &Value) -> Result<Game, Fault> {
    let moves = move_list(value).ok_or(Fault::NoMoves)?;
    let mut game = Game::new(Size::EIGHT);
    game.tags.set(tag::PLACE, "Othello Quest");
    for (name, player) in [tag::BLACK, tag::WHITE].into_iter().zip(0..) {
        if let Some(player) = value["players"][player]["name"].as_str() {
            game.tags.set(name, player.trim());
        }
    }
    if let Some(date) = value["created"].as_str() {
        game.tags.set(tag::DATE, date.trim());
    }
    for word in moves.iter().filter_map(|item| item["m"].as_str()) {
        follow(&mut game, word)?;
    }
    game.to_start();
    Ok(game)
}

/// The first list with a move in it, nearest to the top. JSON nested too deep was refused before.
pub(crate) fn move_list(value: &Value) -> Option<&Vec<Value>> {
    match value {
        Value::Array(items) if items.iter().any(|item| item["m"].is_string()) => Some(items),
        Value::Array(items) => items.iter().find_map(move_list),
        Value::Object(members) => members.values().find_map(move_list),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moves_are_the_first_list_that_has_any() {
        let line = |text: &str| parse(text).map(|game| crate::transcript::write(&game));
        for text in [
            r#"[{"m":"f5"},{"m":"d6"}]"#,
            r#"{"a":[{"n":"c4"},[]],"b":[1,[{"m":"f5"},{"x":1},{"m":"d6"}]],"c":[{"m":"c4"}]}"#,
        ] {
            assert_eq!(line(text), Ok("f5d6".to_owned()), "{text}");
        }
        for text in ["{}", "[]", "7", r#"{"moves":["f5"]}"#, r#"{"m":"f5"}"#] {
            assert_eq!(line(text), Err(Fault::NoMoves), "{text}");
        }
    }

    #[test]
    fn players_and_date_are_tags() {
        let text = r#"{"players":[{"name":" Tom "},{"name":"Kitty"},{"name":"x"}],"created":" 2020-01-02","moves":[{"m":"f5"}]}"#;
        let game = parse(text).unwrap();
        let tags: Vec<(&str, &str)> = game.tags.iter().collect();
        let expected =
            [("Place", "Othello Quest"), ("Date", "2020-01-02"), ("Black", "Tom"), ("White", "Kitty")];
        assert_eq!(tags, expected);
    }
}
