use emilia_rules::{Size, SizeError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Format;

/// What decides every byte of a data set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Side of the board.
    pub size: u8,
    /// How many games.
    pub games: u64,
    /// Where the random numbers begin.
    pub seed: u64,
    /// Who plays: each side of each game is one of these, all equally likely.
    pub players: Vec<String>,
    /// Share of the moves that are random instead, from 0 to 1.
    pub noise: f64,
    /// Share of the positions that are kept for tests, from 0 to 1.
    pub test_share: f64,
    /// Plies to look ahead for our own value of each position; no such column if it is not said.
    pub value_depth: Option<u8>,
    /// Empty squares from which on the exact value is given; no such column if it is not said.
    pub exact_from: Option<u8>,
    /// Whether boards have a byte for each square, not two bits.
    pub cells: bool,
    /// The kind of file.
    pub format: Format,
    /// Games in a file; as many as make files of a handy size if it is not said.
    pub shard: Option<u64>,
}

/// Why there cannot be such a data set.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RecipeError {
    /// There is no such board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// There must be games, and rows keep their numbers in 32 bits.
    #[error("a data set has 1 to {MAX_GAMES} games, not {0}")]
    Games(u64),
    /// Nobody plays.
    #[error("say who plays, for instance random")]
    NoPlayers,
    /// Not a share.
    #[error("{what} is a number from 0 to 1, not {value}")]
    Share {
        /// Which one.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A search that looks no move ahead, or farther than anybody waits for.
    #[error("values are found by looking 1 to {MAX_DEPTH} plies ahead, not {0}")]
    Depth(u8),
    /// Too many empty squares to solve every position of every game.
    #[error("positions are solved from at most {MAX_EXACT} empty squares on, not {0}")]
    Exact(u8),
    /// Files without games, or too large to be made in memory.
    #[error("a file holds 1 to {most} games on this board, not {games}")]
    Shard {
        /// What was given.
        games: u64,
        /// The most.
        most: u64,
    },
}

/// Most games of a data set.
pub const MAX_GAMES: u64 = u32::MAX as u64;
/// Farthest look ahead for a value, in plies.
const MAX_DEPTH: u8 = 20;
/// Most empty squares that are solved: a position takes about a second there.
const MAX_EXACT: u8 = 24;
/// Steps of a shard, if nothing is said: 25 MB of rows on 8×8.
const USUAL_STEPS: u64 = 600_000;
/// Steps of the largest shard: it is made in memory.
const MOST_STEPS: u64 = 20_000_000;

impl Default for Recipe {
    /// A million random games on 8×8, a tenth of the positions for tests.
    fn default() -> Recipe {
        Recipe {
            size: Size::EIGHT.get(),
            games: 1_000_000,
            seed: 1,
            players: vec!["random".to_owned()],
            noise: 0.0,
            test_share: 0.1,
            value_depth: None,
            exact_from: None,
            cells: false,
            format: Format::Npy,
            shard: None,
        }
    }
}

impl Recipe {
    /// Whether there can be such a data set; the board it is played on.
    pub fn check(&self) -> Result<Size, RecipeError> {
        let size = Size::new(self.size.into())?;
        if !(1..=MAX_GAMES).contains(&self.games) {
            return Err(RecipeError::Games(self.games));
        }
        if self.players.is_empty() {
            return Err(RecipeError::NoPlayers);
        }
        for (what, value) in [("the share of random moves", self.noise), ("the test share", self.test_share)]
        {
            if !(0.0..=1.0).contains(&value) {
                return Err(RecipeError::Share { what, value });
            }
        }
        if let Some(depth) = self.value_depth.filter(|depth| !(1..=MAX_DEPTH).contains(depth)) {
            return Err(RecipeError::Depth(depth));
        }
        if let Some(empties) = self.exact_from.filter(|empties| *empties > MAX_EXACT) {
            return Err(RecipeError::Exact(empties));
        }
        let most = MOST_STEPS / steps(size);
        if let Some(games) = self.shard.filter(|games| !(1..=most).contains(games)) {
            return Err(RecipeError::Shard { games, most });
        }
        Ok(size)
    }

    /// Games in a file; the last file may have fewer.
    #[must_use]
    pub fn shard_games(&self) -> u64 {
        let usual = || Size::new(self.size.into()).map_or(1, |size| (USUAL_STEPS / steps(size)).max(1));
        self.shard.unwrap_or_else(usual).max(1)
    }

    /// How many shards there are.
    #[must_use]
    pub fn shards(&self) -> u64 {
        self.games.div_ceil(self.shard_games())
    }

    /// The numbers of the games of a shard.
    #[must_use]
    pub fn numbers(&self, shard: u64) -> std::ops::Range<u64> {
        let first = shard.saturating_mul(self.shard_games()).min(self.games);
        first..first.saturating_add(self.shard_games()).min(self.games)
    }

    /// The words on the command line that make this data set, the folder left out: every option that is not as usual.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let usual = Recipe::default();
        let mut words = vec!["dataset".to_owned()];
        let mut say = |option: &str, value: String| words.extend([format!("--{option}"), value]);
        say("size", self.size.to_string());
        say("games", self.games.to_string());
        say("seed", self.seed.to_string());
        for player in &self.players {
            say("player", player.clone());
        }
        if self.noise != usual.noise {
            say("noise", self.noise.to_string());
        }
        if self.test_share != usual.test_share {
            say("test-share", self.test_share.to_string());
        }
        if let Some(depth) = self.value_depth {
            say("value-depth", depth.to_string());
        }
        if let Some(empties) = self.exact_from {
            say("exact-from", empties.to_string());
        }
        if self.format != usual.format {
            say("format", self.format.to_string());
        }
        if let Some(games) = self.shard {
            say("shard", games.to_string());
        }
        if self.cells {
            words.push("--cells".to_owned());
        }
        words
    }
}

/// Placements of the longest game on a board of this size.
fn steps(size: Size) -> u64 {
    size.cells() as u64 - 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_is_refused_and_the_culprit_named() {
        let refused = |change: &dyn Fn(&mut Recipe)| {
            let mut recipe = Recipe::default();
            change(&mut recipe);
            recipe.check().unwrap_err().to_string()
        };
        for (change, sentence) in [
            (
                &(|recipe: &mut Recipe| recipe.games = 0) as &dyn Fn(&mut Recipe),
                "a data set has 1 to 4294967295 games, not 0",
            ),
            (&|recipe| recipe.noise = 1.5, "the share of random moves is a number from 0 to 1, not 1.5"),
            (&|recipe| recipe.test_share = f64::NAN, "the test share is a number from 0 to 1, not NaN"),
            (
                &|recipe| recipe.value_depth = Some(0),
                "values are found by looking 1 to 20 plies ahead, not 0",
            ),
            (
                &|recipe| recipe.exact_from = Some(60),
                "positions are solved from at most 24 empty squares on, not 60",
            ),
            (&|recipe| recipe.shard = Some(0), "a file holds 1 to 333333 games on this board, not 0"),
            (&|recipe| recipe.players.clear(), "say who plays, for instance random"),
        ] {
            assert_eq!(refused(change), sentence);
        }
        assert!(refused(&|recipe| recipe.size = 7).contains('7'));
    }

    #[test]
    fn shards_cover_every_game_once() {
        let recipe = Recipe { games: 25, shard: Some(10), ..Recipe::default() };
        let numbers: Vec<u64> = (0..recipe.shards()).flat_map(|shard| recipe.numbers(shard)).collect();
        assert_eq!(numbers, (0..25).collect::<Vec<u64>>());
        assert!(recipe.numbers(3).is_empty() && recipe.numbers(u64::MAX).is_empty());
        let large = Recipe { size: 26, ..Recipe::default() };
        assert_eq!((Recipe::default().shard_games(), large.shard_games()), (10_000, 892));
    }
}
