use emilia_engine::{Candidate, Dice, FileReader, Player, PlayerError};
use emilia_query::{Fault, Query, Stop};
use emilia_rules::{GridPosition, IllegalMove, Move, Playable, Point, Position, Size, SquareSet};
use thiserror::Error;

use crate::labels::Labels;
use crate::packed::Packed;
use crate::shard::Writer;
use crate::{Recipe, RecipeError, Shard};

/// Plays the games of a recipe and makes rows of them.
#[derive(Debug)]
pub struct Dealer {
    recipe: Recipe,
    size: Size,
    seats: Vec<Seat>,
}

/// Who may take a side.
#[derive(Clone, Debug)]
enum Seat {
    /// Any legal move, all equally likely: the same as the player of that name, and much faster.
    Random,
    Player(Candidate),
}

/// Why there are no rows.
#[derive(Debug, Error)]
pub enum DealError {
    /// There cannot be such a data set.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// Nobody has that name.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// What another program answers cannot be promised to be the same again.
    #[error(
        "{0} is another program; a data set is made by our own players, so that anybody can make it again"
    )]
    Outside(String),
    /// A player failed.
    #[error("game {game}: {fault}")]
    Fault {
        /// Number of the game.
        game: u64,
        /// What happened.
        fault: Fault,
    },
    /// A player made a move that is none.
    #[error("game {game}: {error}")]
    Illegal {
        /// Number of the game.
        game: u64,
        /// What is wrong with it.
        error: IllegalMove<Point>,
    },
    /// A player gave no move at all.
    #[error("game {game}: {player} gave no move")]
    NoMove {
        /// Number of the game.
        game: u64,
        /// Who.
        player: String,
    },
}

/// A disc about to be placed: the position, where it may go, and where it goes.
pub(crate) struct Step<P: Playable> {
    pub(crate) position: P,
    pub(crate) legal: P::Set,
    pub(crate) square: P::Square,
}

/// A game, and the position at its end.
pub(crate) struct Dealt<P: Playable> {
    pub(crate) number: u64,
    pub(crate) steps: Vec<Step<P>>,
    pub(crate) end: P,
}

impl Dealer {
    /// A dealer for this recipe; `read` opens the files that names of players mention.
    pub fn new(recipe: &Recipe, read: FileReader<'_>) -> Result<Dealer, DealError> {
        let size = recipe.check()?;
        let seat = |name: &String| match name.trim() {
            "random" => Ok(Seat::Random),
            name => {
                let candidate = Candidate::parse(name, read)?;
                let outside = candidate.is_outside();
                if outside { Err(DealError::Outside(name.to_owned())) } else { Ok(Seat::Player(candidate)) }
            }
        };
        let seats = recipe.players.iter().map(seat).collect::<Result<_, DealError>>()?;
        Ok(Dealer { recipe: recipe.clone(), size, seats })
    }

    /// What it deals by.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The rows of a shard; a shard beyond the last is empty. Nothing if it was stopped.
    pub fn shard(&self, number: u64, stop: &Stop) -> Result<Option<Shard>, DealError> {
        let start = GridPosition::start(self.size);
        match Position::try_from(&start) {
            Ok(start) => self.rows(start, number, stop),
            Err(_) => self.rows(start, number, stop),
        }
    }

    fn rows<P: Packed>(&self, start: P, shard: u64, stop: &Stop) -> Result<Option<Shard>, DealError> {
        let mut writer = Writer::new(self.size, &self.recipe);
        let mut labels = Labels::new(&self.recipe)?;
        for number in self.recipe.numbers(shard) {
            let Some(dealt) = self.game(start, number, stop)? else { return Ok(None) };
            let labelled = match &mut labels {
                Some(labels) => {
                    labels.of(&dealt, stop).map_err(|fault| DealError::Fault { game: number, fault })?
                }
                None => Vec::new(),
            };
            // A search that was stopped has not found what it was asked for.
            if stop.is_requested() {
                return Ok(None);
            }
            writer.add(&dealt, &labelled);
        }
        Ok(Some(writer.finish()))
    }

    /// The game of this number, which depends on the recipe and the number alone. Nothing if it was stopped.
    fn game<P: Packed>(&self, start: P, number: u64, stop: &Stop) -> Result<Option<Dealt<P>>, DealError> {
        let mut dice = Dice::stream(self.recipe.seed, number);
        let mut seats = [(); 2].map(|()| {
            let seat = &self.seats[dice.below(self.seats.len() as u32) as usize];
            match seat {
                Seat::Random => None,
                Seat::Player(candidate) => Some(candidate.player(dice.seed())),
            }
        });
        let mut steps = Vec::with_capacity(self.size.cells() - 4);
        let mut position = start;
        let mut legal = position.placements();
        loop {
            if legal.is_empty() {
                position = position.passed();
                legal = position.placements();
                if legal.is_empty() {
                    return Ok(Some(Dealt { number, steps, end: position }));
                }
            }
            if stop.is_requested() {
                return Ok(None);
            }
            let seat = &mut seats[position.turn() as usize];
            let square = match seat {
                Some(player) if self.recipe.noise == 0.0 || dice.fraction() >= self.recipe.noise => {
                    match asked(player.as_mut(), &position, number, stop)? {
                        Some(square) => square,
                        None => return Ok(None),
                    }
                }
                _ => picked::<P>(legal, &mut dice),
            };
            steps.push(Step { position, legal, square });
            position = position.placed(square);
            legal = position.placements();
        }
    }
}

/// What a player places here. Nothing if it was stopped.
fn asked<P: Packed>(
    player: &mut dyn Player,
    position: &P,
    game: u64,
    stop: &Stop,
) -> Result<Option<P::Square>, DealError> {
    let query = Query::new((*position).into());
    let report = player.answer(&query, stop, &mut ()).map_err(|fault| DealError::Fault { game, fault })?;
    if stop.is_requested() {
        return Ok(None);
    }
    let no_move = || DealError::NoMove { game, player: player.name().to_owned() };
    let mv = report.best_move().ok_or_else(no_move)?;
    query.position().play(mv).map_err(|error| DealError::Illegal { game, error })?;
    let Move::Place(point) = mv else { return Err(no_move()) };
    position.square(point).map(Some).ok_or_else(no_move)
}

/// Any of these squares, all equally likely. There must be one.
fn picked<P: Packed>(legal: P::Set, dice: &mut Dice) -> P::Square {
    let chosen = legal.into_iter().nth(dice.below(legal.count()) as usize);
    chosen.expect("a number below the count of a set names a member of it")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dealer(recipe: Recipe) -> Dealer {
        Dealer::new(&recipe, &emilia_engine::no_files).unwrap()
    }

    /// The fast positions have a slow twin, and it deals the same rows.
    #[test]
    fn words_and_grids_deal_the_same_rows() {
        for size in [4, 6, 8] {
            let recipe = Recipe { size, games: 30, shard: Some(20), cells: size == 6, ..Recipe::default() };
            let dealer = dealer(recipe);
            for shard in 0..2 {
                let fast = dealer.shard(shard, &Stop::default()).unwrap();
                let slow = dealer.rows(GridPosition::start(dealer.size), shard, &Stop::default()).unwrap();
                assert!(fast.is_some() && fast == slow, "{size}, shard {shard}");
            }
        }
    }

    #[test]
    fn what_was_stopped_gives_nothing() {
        let stop = Stop::default();
        stop.request();
        assert!(dealer(Recipe::default()).shard(0, &stop).unwrap().is_none());
    }

    #[test]
    fn unknown_and_foreign_players_are_refused() {
        let refused = |name: &str| {
            let recipe = Recipe { players: vec![name.to_owned()], ..Recipe::default() };
            Dealer::new(&recipe, &emilia_engine::no_files).unwrap_err().to_string()
        };
        assert!(refused("gredy").contains("did you mean greedy"), "{}", refused("gredy"));
        assert!(refused("gtp:edax -gtp").starts_with("gtp:edax -gtp is another program"));
    }
}
