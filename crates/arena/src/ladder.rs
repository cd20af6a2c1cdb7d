//! Opponents of known strength, and finding out where somebody stands among them.

use std::fmt;
use std::ops::ControlFlow;

use emilia_engine::Candidate;
use emilia_query::Stop;
use thiserror::Error;

use crate::{Elo, ForfeitReason, Played, Rating, Schedule, Series, Terms, rate};

/// An opponent of known strength.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// The player, as it is named everywhere. It thinks to a fixed depth or number of positions, so that it is as strong
    /// on every machine.
    pub player: String,
    /// Its strength, where random play is 0.
    pub rating: Rating,
    /// Games that the rating was reckoned from.
    pub games: u32,
}

/// Opponents from random to the strongest, weakest first.
///
/// ```
/// use emilia_arena::Ladder;
/// let ladder = Ladder::embedded();
/// assert_eq!((ladder.rungs()[0].player.as_str(), ladder.rungs()[0].rating.elo), ("random", 0.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    rungs: Vec<Rung>,
}

/// Why a text is no ladder.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LadderError {
    /// A line does not have a player, a rating, its error and a number of games.
    #[error(
        "line {line}: {text:?} is not a player, its Elo, its error and a number of games, separated by tabs"
    )]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// Fewer than two opponents.
    #[error("a ladder needs at least two rungs")]
    TooShort,
}

impl Ladder {
    /// The ladder that comes with the program; docs/arena.md says how it was made.
    #[must_use]
    pub fn embedded() -> Ladder {
        emilia_data::LADDER.parse().unwrap_or(Ladder { rungs: Vec::new() })
    }

    /// A ladder of these, whose order is that of their ratings.
    pub fn new(mut rungs: Vec<Rung>) -> Result<Ladder, LadderError> {
        rungs.sort_by(|a, b| a.rating.elo.total_cmp(&b.rating.elo));
        if rungs.len() < 2 { Err(LadderError::TooShort) } else { Ok(Ladder { rungs }) }
    }

    /// The opponents, weakest first.
    #[must_use]
    pub fn rungs(&self) -> &[Rung] {
        &self.rungs
    }
}

impl std::str::FromStr for Ladder {
    type Err = LadderError;

    fn from_str(text: &str) -> Result<Ladder, LadderError> {
        let mut rungs = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let rung = rung(line).ok_or_else(|| LadderError::Line {
                line: index + 1,
                text: line.chars().take(80).collect(),
            })?;
            rungs.push(rung);
        }
        Ladder::new(rungs)
    }
}

fn rung(line: &str) -> Option<Rung> {
    let mut fields = line.split('\t');
    let player = fields.next()?.trim().to_owned();
    let mut number = || fields.next()?.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let (elo, error, games) = (number()?, number()?, number()?);
    let sound = !player.is_empty() && error >= 0.0 && games >= 0.0 && fields.next().is_none();
    sound.then_some(Rung { player, rating: Rating { elo, error }, games: games as u32 })
}

impl fmt::Display for Ladder {
    /// The text that can be read again: a heading, then a line with tabs for each rung.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("# player\tElo (random = 0)\t95 % error\tgames\n")?;
        for Rung { player, rating, games } in &self.rungs {
            writeln!(f, "{player}\t{:.0}\t{:.0}\t{games}", rating.elo + 0.0, rating.error)?;
        }
        Ok(())
    }
}

/// Somebody on the way up (or down) a ladder.
#[derive(Clone, Debug)]
pub struct Climb<'l> {
    ladder: &'l Ladder,
    /// Points and games against each rung.
    results: Vec<(f64, f64)>,
}

impl<'l> Climb<'l> {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(ladder: &'l Ladder) -> Climb<'l> {
        Climb { ladder, results: vec![(0.0, 0.0); ladder.rungs.len()] }
    }

    /// Whom to play next: of the rungs that would tell most, the one that was played least. It begins in the middle.
    #[must_use]
    pub fn next(&self) -> usize {
        /// Rungs that share the games, so that a single odd opponent does not decide.
        const SHARED: usize = 3;
        if self.games() == 0 {
            return self.ladder.rungs.len() / 2;
        }
        let elo = self.rating().elo;
        let telling = |rung: usize| {
            let expected = Elo::expected(elo - self.ladder.rungs[rung].rating.elo);
            expected * (1.0 - expected)
        };
        let mut order: Vec<usize> = (0..self.ladder.rungs.len()).collect();
        order.sort_by(|a, b| telling(*b).total_cmp(&telling(*a)));
        let near = order.into_iter().take(SHARED);
        near.min_by(|a, b| self.results[*a].1.total_cmp(&self.results[*b].1)).unwrap_or(0)
    }

    /// Counts a game against a rung.
    pub fn add(&mut self, rung: usize, half_points: u8) {
        if let Some((points, games)) = self.results.get_mut(rung) {
            *points += f64::from(half_points) / 2.0;
            *games += 1.0;
        }
    }

    /// Games played.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.results.iter().map(|(_, games)| *games as u32).sum()
    }

    /// Points and games against each rung, weakest first.
    #[must_use]
    pub fn results(&self) -> &[(f64, f64)] {
        &self.results
    }

    /// Where the games so far put it. The ratings of the rungs are the scale and count as exact.
    #[must_use]
    pub fn rating(&self) -> Rating {
        let known = |rung: &Rung| Rating { elo: rung.rating.elo, error: 0.0 };
        let met = self.ladder.rungs.iter().zip(&self.results).filter(|(_, (_, games))| *games > 0.0);
        let results: Vec<(Rating, f64, f64)> =
            met.map(|(rung, (points, games))| (known(rung), *points, *games)).collect();
        rate(&results)
    }

    /// Whether it took every point, or none: then it stands above or below everybody it met, nobody knows how far.
    #[must_use]
    pub fn is_one_sided(&self) -> bool {
        let points: f64 = self.results.iter().map(|(points, _)| points).sum();
        points == 0.0 || points == f64::from(self.games())
    }
}

/// How a player is to be measured.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// What the games have in common.
    pub terms: Terms,
    /// Games played at a time.
    pub threads: usize,
    /// Most games.
    pub games: u32,
    /// The rating is known well enough with this error, in Elo.
    pub error: f64,
}

/// A player that plays no game to its end cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("gave away all of its first {games} games: {reason}")]
pub struct GivesAway {
    /// Games so far.
    pub games: u32,
    /// Why it lost the last of them.
    pub reason: ForfeitReason,
}

impl Measurement {
    /// Games against one opponent before the next is chosen: two for each of four openings.
    pub const BATCH: u32 = 8;

    /// Sends the player against the rungs that tell most until its rating is known well enough. `players` are those of
    /// the ladder's rungs. `each` hears of every game, and may end it all.
    pub fn run<'l>(
        &self,
        player: &Candidate,
        ladder: &'l Ladder,
        players: &[Candidate],
        stop: &Stop,
        mut each: impl FnMut(&Climb<'l>, &Played) -> ControlFlow<()>,
    ) -> Result<Climb<'l>, GivesAway> {
        let mut climb = Climb::new(ladder);
        let (mut forfeits, mut last, mut flow) = (0, None, ControlFlow::Continue(()));
        while !self.is_enough(&climb) {
            let rung = climb.next();
            let Some(opponent) = players.get(rung) else { break };
            let numbers = climb.games()..(climb.games() + Self::BATCH).min(self.games);
            let wanted = numbers.end;
            let schedule = Schedule::duel(wanted);
            let series = Series { terms: self.terms.clone(), schedule, threads: self.threads };
            series.run(&[player.clone(), opponent.clone()], numbers, stop, |played| {
                climb.add(rung, played.half_points());
                let own = played.forfeit.as_ref().filter(|forfeit| forfeit.color == played.color_of(0));
                if let Some(forfeit) = own {
                    forfeits += 1;
                    last = Some(forfeit.reason.clone());
                }
                flow = each(&climb, &played);
                flow
            });
            if let Some(reason) = last.take_if(|_| forfeits == climb.games() && forfeits >= Self::BATCH) {
                return Err(GivesAway { games: forfeits, reason });
            }
            if flow.is_break() || climb.games() < wanted {
                break;
            }
        }
        Ok(climb)
    }

    fn is_enough(&self, climb: &Climb<'_>) -> bool {
        climb.games() >= self.games || climb.games() >= 2 * Self::BATCH && climb.rating().error <= self.error
    }
}

#[cfg(test)]
mod tests {
    use emilia_engine::{Dice, no_files};
    use emilia_rules::Size;

    use super::*;
    use crate::Openings;

    fn even_ladder() -> Ladder {
        let rung = |step: u32| Rung {
            player: format!("emilia:depth={}", step + 1),
            rating: Rating { elo: f64::from(step) * 150.0, error: 20.0 },
            games: 100,
        };
        Ladder::new((0..20).map(rung).collect()).unwrap()
    }

    #[test]
    fn the_ladder_that_ships_has_about_twenty_players_that_can_be_made() {
        let ladder = Ladder::embedded();
        assert!((16..=26).contains(&ladder.rungs().len()), "{}", ladder.rungs().len());
        for Rung { player, .. } in ladder.rungs() {
            Candidate::parse(player, &no_files).unwrap();
            // No clock: the same strength on every machine.
            assert!(!player.contains("time=") && !player.contains("game="), "{player}");
        }
        assert_eq!(ladder.to_string().parse::<Ladder>().unwrap(), ladder);
    }

    #[test]
    fn lines_that_are_no_rungs_are_named() {
        let error = "random\t0\t0\t10\ngreedy\tstrong\t0\t0\n".parse::<Ladder>().unwrap_err();
        assert!(error.to_string().starts_with("line 2: \"greedy\\tstrong\\t0\\t0\" is not"), "{error}");
        assert_eq!("random\t0\t0\t10".parse::<Ladder>().unwrap_err(), LadderError::TooShort);
    }

    /// A player of known strength, whose games are thrown by dice, is found within the error that is stated, about as
    /// often as stated.
    #[test]
    fn climbing_finds_the_strength_within_its_error() {
        let ladder = even_ladder();
        for strength in [-100.0, 700.0, 1460.0, 2700.0] {
            let mut inside = 0;
            for seed in 0..40 {
                let (mut climb, mut dice) = (Climb::new(&ladder), Dice::new(seed));
                while climb.games() < 300 {
                    let rung = climb.next();
                    let expected = Elo::expected(strength - ladder.rungs()[rung].rating.elo);
                    for _ in 0..8 {
                        let won = f64::from(dice.below(1_000_000)) < expected * 1e6;
                        climb.add(rung, if won { 2 } else { 0 });
                    }
                }
                let rating = climb.rating();
                assert!(rating.error < 60.0, "{rating:?}");
                inside += u32::from((rating.elo - strength).abs() <= rating.error);
            }
            assert!(inside >= 34, "{strength}: {inside} of 40");
        }
    }

    #[test]
    fn who_wins_everything_climbs_to_the_top() {
        let ladder = even_ladder();
        let mut climb = Climb::new(&ladder);
        for _ in 0..20 {
            let rung = climb.next();
            (0..8).for_each(|_| climb.add(rung, 2));
        }
        assert!(climb.is_one_sided() && climb.results()[19].1 > 0.0);
    }

    fn measured(
        name: &str,
        games: u32,
        each: impl FnMut(&Climb<'_>, &Played) -> ControlFlow<()>,
    ) -> Result<u32, GivesAway> {
        let ladder = "random\t0\t0\t10\ngreedy\t100\t0\t10\n".parse::<Ladder>().unwrap();
        let candidate = |name: &str| Candidate::parse(name, &no_files).unwrap();
        let players: Vec<Candidate> = ladder.rungs().iter().map(|rung| candidate(&rung.player)).collect();
        let openings = Openings::Random { plies: 4, seed: 1 };
        let terms = Terms { size: Size::MIN, openings, ..Terms::default() };
        let measurement = Measurement { terms, threads: 1, games, error: 200.0 };
        let climb = measurement.run(&candidate(name), &ladder, &players, &Stop::default(), each)?;
        Ok(climb.games())
    }

    #[test]
    fn a_measurement_ends_when_the_rating_is_known_or_there_were_enough_games_or_nobody_wants_more() {
        let go_on = |_: &Climb<'_>, _: &Played| ControlFlow::Continue(());
        let games = measured("greedy", 1000, go_on).unwrap();
        assert!(
            (2 * Measurement::BATCH..1000).contains(&games) && games % Measurement::BATCH == 0,
            "{games}"
        );
        assert_eq!(measured("greedy", 11, go_on), Ok(11));
        let after_five = |climb: &Climb<'_>, _: &Played| match climb.games() {
            5 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        assert_eq!(measured("greedy", 1000, after_five), Ok(5));
    }

    #[test]
    fn a_player_that_plays_no_game_is_not_measured() {
        let error = measured("gtp:/no/such/program", 1000, |_, _| ControlFlow::Continue(())).unwrap_err();
        assert_eq!(error.games, Measurement::BATCH);
        assert!(error.to_string().starts_with("gave away all of its first 8 games: "), "{error}");
    }
}
