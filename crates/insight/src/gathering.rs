use std::collections::HashSet;

use emilia_record::Game;
use emilia_rules::{Color, Objective, Size};
use serde::Serialize;

use crate::judged::game_key;
use crate::names::{NameError, folded, meant, name_of};

/// Games as they come, from whatever files: each is kept once, and what cannot be judged is left out.
#[derive(Debug, Default)]
pub struct Gathering {
    games: Vec<Game>,
    keys: HashSet<String>,
    left_out: LeftOut,
}

/// Games that are not judged, counted by why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// On other boards than 8×8.
    pub other_sizes: usize,
    /// Where the fewest discs win.
    pub fewest: usize,
    /// Without a move.
    pub without_moves: usize,
    /// There before.
    pub twice: usize,
}

/// The games of one player.
#[derive(Debug)]
pub struct Chosen {
    /// The player, as the first game has the name.
    pub name: String,
    /// The games, and which side the player had.
    pub seats: Vec<(Game, Color)>,
}

impl Gathering {
    /// One more game.
    pub fn add(&mut self, game: Game) {
        if game.size() != Size::EIGHT {
            self.left_out.other_sizes += 1;
        } else if game.objective != Objective::Most {
            self.left_out.fewest += 1;
        } else if game.main_line().next().is_none() {
            self.left_out.without_moves += 1;
        } else if self.keys.insert(game_key(&game)) {
            self.games.push(game);
        } else {
            self.left_out.twice += 1;
        }
    }

    /// The games that can be judged.
    #[must_use]
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// How many were left out, and why.
    #[must_use]
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// What was left out, in sentences.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let counted = [
            (self.left_out.other_sizes, "on other boards than 8×8"),
            (self.left_out.fewest, "where the fewest discs win"),
            (self.left_out.without_moves, "without a move"),
            (self.left_out.twice, "that are there twice"),
        ];
        let sentence = |(count, what): (usize, &str)| match count {
            0 => None,
            1 => Some(format!("One game {what} was left out.").replace("that are", "that is")),
            _ => Some(format!("{count} games {what} were left out.")),
        };
        counted.into_iter().filter_map(sentence).collect()
    }

    /// The games of the player that somebody means.
    pub fn of(self, wanted: &str) -> Result<Chosen, NameError> {
        if self.games.is_empty() {
            return Err(NameError::NoGames);
        }
        let key = meant(wanted, &self.games)?;
        let mut chosen = Chosen { name: wanted.to_owned(), seats: Vec::new() };
        for game in self.games {
            for side in Color::BOTH {
                let name = name_of(&game, side).filter(|name| folded(name) == key).map(str::to_owned);
                if let Some(name) = name {
                    if chosen.seats.is_empty() {
                        chosen.name = name;
                    }
                    chosen.seats.push((game.clone(), side));
                }
            }
        }
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use emilia_record::{tag, transcript};

    use super::*;

    fn game(moves: &str, black: &str, white: &str) -> Game {
        let mut game = transcript::parse(moves).unwrap();
        game.tags.set(tag::BLACK, black);
        game.tags.set(tag::WHITE, white);
        game
    }

    #[test]
    fn the_same_game_counts_once_and_what_is_left_out_is_said() {
        let mut gathering = Gathering::default();
        for game in [
            game("f5d6c3", "Ann", "Bob"),
            game("F5D6C3", "ANN", " bob"),
            game("f5d6c3", "Ann", "Carl"),
            game("f5f6", "Carl", "Ann"),
            Game::new(Size::EIGHT),
            Game::new(Size::SIX),
        ] {
            gathering.add(game);
        }
        assert_eq!(
            gathering.remarks(),
            [
                "One game on other boards than 8×8 was left out.",
                "One game without a move was left out.",
                "One game that is there twice was left out."
            ]
        );
        let chosen = gathering.of("ann").unwrap();
        assert_eq!(chosen.name, "Ann");
        let sides: Vec<Color> = chosen.seats.iter().map(|(_, side)| *side).collect();
        assert_eq!(sides, [Color::Black, Color::Black, Color::White]);
        assert_eq!(Gathering::default().of("ann").unwrap_err(), NameError::NoGames);
    }
}
