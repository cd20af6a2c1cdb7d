use std::collections::BTreeMap;

use emilia_record::{Game, tag};
use emilia_rules::Color;
use thiserror::Error;

/// How many names are told when the one that was asked for is not there, or several are meant.
const TOLD: usize = 5;

/// Why no player is meant by a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// No game has it.
    #[error("no game has a player {wanted:?}{}", told(.nearest))]
    Unknown {
        /// What was asked for.
        wanted: String,
        /// Names of the games that come nearest, the nearest first.
        nearest: Vec<String>,
    },
    /// Several players are called like that.
    #[error("{wanted:?} may be {}: write more of the name", .names.join(", "))]
    Several {
        /// What was asked for.
        wanted: String,
        /// Whom it may mean.
        names: Vec<String>,
    },
    /// There is nothing to look for it in.
    #[error("there is no game on 8×8 with a move")]
    NoGames,
    /// No game says who played.
    #[error("no game says who played it")]
    Nameless,
}

fn told(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("; there are {}", names.join(", ")) }
}

/// The name of a side of a game, if it has one.
#[must_use]
pub fn name_of(game: &Game, side: Color) -> Option<&str> {
    let name = match side {
        Color::Black => tag::BLACK,
        Color::White => tag::WHITE,
    };
    game.tags.value(name).map(str::trim).filter(|name| !name.is_empty())
}

/// The player that somebody means: case and what stands between words do not matter, and part of the name will do if nobody else has
/// it. What comes back is how names are compared, by [`folded`].
pub fn meant(wanted: &str, games: &[Game]) -> Result<String, NameError> {
    let mut names: BTreeMap<String, &str> = BTreeMap::new();
    for name in games.iter().flat_map(|game| Color::BOTH.map(|side| name_of(game, side))).flatten() {
        names.entry(folded(name)).or_insert(name);
    }
    names.remove("");
    if names.is_empty() {
        return Err(NameError::Nameless);
    }
    let key = folded(wanted);
    if names.contains_key(&key) {
        return Ok(key);
    }
    let has_parts = |name: &String| !key.is_empty() && key.split(' ').all(|part| name.contains(part));
    let called: Vec<&String> = names.keys().filter(|name| has_parts(name)).collect();
    match called[..] {
        [one] => Ok(one.clone()),
        [] => Err(NameError::Unknown { wanted: wanted.to_owned(), nearest: nearest_names(&key, &names) }),
        _ => {
            let names = called.iter().take(TOLD).map(|name| names[*name].to_owned()).collect();
            Err(NameError::Several { wanted: wanted.to_owned(), names })
        }
    }
}

/// A name as names are compared: letters and figures in small letters, one blank for whatever stands between them.
#[must_use]
pub fn folded(name: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() { letter } else { ' ' };
    let name: String = name.chars().map(plain).collect::<String>().to_lowercase();
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn nearest_names(key: &str, names: &BTreeMap<String, &str>) -> Vec<String> {
    // A part of the name may be what was meant, so that each word counts by itself, too.
    let likeness = |name: &str| {
        let words = name.split(' ').map(|word| strsim::jaro_winkler(key, word));
        words.fold(strsim::jaro_winkler(key, name), f64::max)
    };
    let mut near: Vec<(f64, &str)> = names.iter().map(|(folded, name)| (likeness(folded), *name)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().take(TOLD).map(|(_, name)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use emilia_rules::Size;

    use super::*;

    fn games(names: &[[&str; 2]]) -> Vec<Game> {
        let game = |[black, white]: &[&str; 2]| {
            let mut game = Game::new(Size::EIGHT);
            game.tags.set(tag::BLACK, black);
            game.tags.set(tag::WHITE, white);
            game
        };
        names.iter().map(game).collect()
    }

    #[test]
    fn names_are_found_by_any_case_and_part() {
        let games = games(&[["Tastet Marc", "TAMENORI HIDESHI"], ["Marconi, G.", "tastet  marc"]]);
        for wanted in ["Tastet Marc", "tastet", "TASTET MARC", " marc tastet"] {
            assert_eq!(meant(wanted, &games), Ok("tastet marc".to_owned()), "{wanted}");
        }
        assert_eq!(meant("marconi g", &games), Ok("marconi g".to_owned()));
        let error = meant("marc", &games).unwrap_err().to_string();
        assert_eq!(error, "\"marc\" may be Marconi, G., Tastet Marc: write more of the name");
    }

    #[test]
    fn a_name_that_no_game_has_tells_the_nearest() {
        let games = games(&[["Tastet Marc", "Tamenori Hideshi"]]);
        let error = meant("Taztet", &games).unwrap_err().to_string();
        assert_eq!(error, "no game has a player \"Taztet\"; there are Tastet Marc, Tamenori Hideshi");
        assert!(matches!(meant("", &games), Err(NameError::Unknown { .. })));
        assert_eq!(meant("Taztet", &[Game::new(Size::EIGHT)]), Err(NameError::Nameless));
    }
}
