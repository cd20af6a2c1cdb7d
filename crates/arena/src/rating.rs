use crate::Elo;
use crate::elo::DEVIATIONS;

/// Points that players took from each other: a win is 1, a draw ½.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    players: usize,
    points: Vec<f64>,
}

impl Points {
    /// Nobody has played yet.
    #[must_use]
    pub fn new(players: usize) -> Points {
        Points { players, points: vec![0.0; players * players] }
    }

    /// Players there are.
    #[must_use]
    pub fn players(&self) -> usize {
        self.players
    }

    /// Counts points of one player against another. Whoever is not among the players, or plays himself, is ignored.
    pub fn add(&mut self, player: usize, opponent: usize, points: f64) {
        if player < self.players && opponent < self.players && player != opponent {
            self.points[player * self.players + opponent] += points;
        }
    }

    /// What one player took from another.
    #[must_use]
    pub fn of(&self, player: usize, opponent: usize) -> f64 {
        self.points.get(player * self.players + opponent).copied().unwrap_or(0.0)
    }

    /// Games between the two.
    #[must_use]
    pub fn games(&self, player: usize, opponent: usize) -> f64 {
        self.of(player, opponent) + self.of(opponent, player)
    }

    /// What a player took from everybody.
    #[must_use]
    pub fn total(&self, player: usize) -> f64 {
        (0..self.players).map(|opponent| self.of(player, opponent)).sum()
    }

    /// All games of a player.
    #[must_use]
    pub fn all_games(&self, player: usize) -> f64 {
        (0..self.players).map(|opponent| self.games(player, opponent)).sum()
    }
}

/// The strength of a player on the scale of its tournament.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The estimate.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// What a list of ratings is measured from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The average of all players is 0.
    Average,
    /// This player is 0.
    Player(usize),
}

/// Ratings of all players at once, after Bradley and Terry: the likelihood of all results is greatest if each pair of
/// players shares its points as their ratings predict.
///
/// ```
/// use emilia_arena::{Anchor, Points, Ratings};
/// let mut points = Points::new(2);
/// points.add(0, 1, 75.0);
/// points.add(1, 0, 25.0);
/// let list = Ratings::fit(&points, 0.0).list(Anchor::Player(1));
/// assert_eq!((list[0].elo.round(), list[0].error.round()), (191.0, 79.0));
/// ```
#[derive(Clone, Debug)]
pub struct Ratings {
    /// Strengths in natural units, average 0.
    strengths: Vec<f64>,
    /// Their covariance.
    covariance: Matrix,
}

/// Elo points of a natural unit of strength: ten to one is 400 points.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;
/// Games, drawn in mind between two players that met, which keep the rating of somebody who won or lost every game
/// finite. Small beside any match worth playing.
pub const IMAGINED_DRAWS: f64 = 0.5;
/// Information that every player brings along, so that those who have not met yet still get a rating, with an error
/// beyond all use.
const LEAST_INFORMATION: f64 = 1e-6;
/// Steps after which the fit is as good as numbers can tell; a dozen is usual.
const MOST_STEPS: usize = 200;
/// Largest step in natural units: further away the slope says little.
const LARGEST_STEP: f64 = 2.0;

impl Ratings {
    /// The ratings that fit best. `imagined_draws` is how many games each pair that met is taken to have drawn besides;
    /// [`IMAGINED_DRAWS`] unless there is a reason.
    #[must_use]
    pub fn fit(points: &Points, imagined_draws: f64) -> Ratings {
        let players = points.players();
        let mut strengths = vec![0.0; players];
        let mut inverse = Matrix::zero(players);
        for _ in 0..MOST_STEPS {
            let (slope, information) = slope(points, imagined_draws, &strengths);
            inverse = information.inverse();
            let step = inverse.times(&slope);
            let largest = step.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
            let scale = if largest > LARGEST_STEP { LARGEST_STEP / largest } else { 1.0 };
            strengths.iter_mut().zip(&step).for_each(|(strength, step)| *strength += scale * step);
            let mean = strengths.iter().sum::<f64>() / players.max(1) as f64;
            strengths.iter_mut().for_each(|strength| *strength -= mean);
            if largest < 1e-12 {
                break;
            }
        }
        // The inverse holds the constant that made it possible; without it this is the covariance at average 0.
        let constant = 1.0 / players.max(1) as f64;
        inverse.cells.iter_mut().for_each(|cell| *cell -= constant);
        Ratings { strengths, covariance: inverse }
    }

    /// The ratings, measured from somewhere. The anchor itself has no error: it is where the scale begins.
    #[must_use]
    pub fn list(&self, anchor: Anchor) -> Vec<Rating> {
        let covariance = |a: usize, b: usize| self.covariance.at(a, b);
        (0..self.strengths.len())
            .map(|player| {
                let (zero, variance) = match anchor {
                    Anchor::Player(zero) if zero < self.strengths.len() => (
                        self.strengths[zero],
                        covariance(player, player) + covariance(zero, zero) - 2.0 * covariance(player, zero),
                    ),
                    _ => (0.0, covariance(player, player)),
                };
                Rating {
                    elo: (self.strengths[player] - zero) * ELO_PER_UNIT,
                    error: DEVIATIONS * variance.max(0.0).sqrt() * ELO_PER_UNIT,
                }
            })
            .collect()
    }

    /// Points that a player should take from another in so many games.
    #[must_use]
    pub fn expected(&self, player: usize, opponent: usize, games: f64) -> f64 {
        let difference = self.strengths.get(player).zip(self.strengths.get(opponent)).map(|(a, b)| a - b);
        games * Elo::expected(difference.unwrap_or(0.0) * ELO_PER_UNIT)
    }
}

/// The slope of the log-likelihood and the information (its curvature), which is made invertible by a constant: only
/// differences of strengths are known.
fn slope(points: &Points, imagined_draws: f64, strengths: &[f64]) -> (Vec<f64>, Matrix) {
    let players = points.players();
    let mut slope = vec![0.0; players];
    let mut information = Matrix::zero(players);
    information.cells.iter_mut().for_each(|cell| *cell = 1.0 / players as f64);
    for a in 0..players {
        *information.at_mut(a, a) += LEAST_INFORMATION;
        for b in a + 1..players {
            let played = points.games(a, b);
            if played == 0.0 {
                continue;
            }
            let games = played + imagined_draws;
            let expected = 1.0 / (1.0 + (strengths[b] - strengths[a]).exp());
            let surplus = points.of(a, b) + imagined_draws / 2.0 - games * expected;
            slope[a] += surplus;
            slope[b] -= surplus;
            let known = games * expected * (1.0 - expected);
            *information.at_mut(a, a) += known;
            *information.at_mut(b, b) += known;
            *information.at_mut(a, b) -= known;
            *information.at_mut(b, a) -= known;
        }
    }
    (slope, information)
}

/// The strength of one player, from games against others whose ratings are known.
///
/// ```
/// use emilia_arena::{Rating, rate};
/// let even = rate(&[(Rating { elo: 1000.0, error: 0.0 }, 10.0, 20.0)]);
/// assert_eq!((even.elo.round(), even.error.round()), (1000.0, 150.0));
/// ```
#[must_use]
pub fn rate(results: &[(Rating, f64, f64)]) -> Rating {
    let imagined = |games: f64| if games > 0.0 { IMAGINED_DRAWS } else { 0.0 };
    let surplus = |elo: f64| -> f64 {
        results
            .iter()
            .map(|(opponent, points, games)| {
                let drawn = imagined(*games);
                points + drawn / 2.0 - (games + drawn) * Elo::expected(elo - opponent.elo)
            })
            .sum()
    };
    // Somewhere between these the points are as expected; further out there is nothing on this scale.
    let ends = results.iter().map(|(opponent, ..)| opponent.elo);
    let (mut low, mut high) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), elo| (low.min(elo), high.max(elo)));
    if low > high {
        return Rating { elo: 0.0, error: f64::INFINITY };
    }
    (low, high) = (low - 4000.0, high + 4000.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if surplus(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let elo = (low + high) / 2.0;
    // The opponents' own errors add to ours in proportion to what each has to say.
    let (mut information, mut doubt) = (0.0, 0.0);
    for (opponent, _, games) in results {
        let expected = Elo::expected(elo - opponent.elo);
        let known = (games + imagined(*games)) * expected * (1.0 - expected);
        information += known;
        doubt += known * (opponent.error / DEVIATIONS).powi(2);
    }
    let own = ELO_PER_UNIT.powi(2) / information;
    Rating { elo, error: DEVIATIONS * (own + doubt / information).sqrt() }
}

/// A small square matrix.
#[derive(Clone, Debug)]
struct Matrix {
    side: usize,
    cells: Vec<f64>,
}

impl Matrix {
    fn zero(side: usize) -> Matrix {
        Matrix { side, cells: vec![0.0; side * side] }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.side + column]
    }

    fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.cells[row * self.side + column]
    }

    fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.side)
            .map(|row| vector.iter().enumerate().map(|(column, value)| self.at(row, column) * value).sum())
            .collect()
    }

    /// By elimination after Gauss and Jordan. The matrices here are positive definite, so no pivot is zero.
    fn inverse(&self) -> Matrix {
        let (mut left, mut right) = (self.clone(), Matrix::zero(self.side));
        (0..self.side).for_each(|index| *right.at_mut(index, index) = 1.0);
        for pivot in 0..self.side {
            let scale = 1.0 / left.at(pivot, pivot);
            for column in 0..self.side {
                *left.at_mut(pivot, column) *= scale;
                *right.at_mut(pivot, column) *= scale;
            }
            for row in (0..self.side).filter(|row| *row != pivot) {
                let factor = left.at(row, pivot);
                if factor == 0.0 {
                    continue;
                }
                for column in 0..self.side {
                    *left.at_mut(row, column) -= factor * left.at(pivot, column);
                    *right.at_mut(row, column) -= factor * right.at(pivot, column);
                }
            }
        }
        right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Baseball, American League East, 1987: wins of each team (row) over each other. From Agresti, Categorical Data
    /// Analysis, where strengths in natural units and standard errors are given relative to Baltimore; R's
    /// BradleyTerry2 prints the same.
    const WINS: [[u8; 7]; 7] = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];
    const STRENGTHS: [(f64, f64); 7] = [
        (1.5814, 0.3433),
        (1.4364, 0.3396),
        (1.2945, 0.3367),
        (1.2476, 0.3359),
        (1.1077, 0.3339),
        (0.6839, 0.3319),
        (0.0, 0.0),
    ];

    #[test]
    fn the_textbook_example_comes_out_as_printed() {
        let mut points = Points::new(7);
        for (team, row) in WINS.iter().enumerate() {
            row.iter().enumerate().for_each(|(other, wins)| points.add(team, other, f64::from(*wins)));
        }
        let list = Ratings::fit(&points, 0.0).list(Anchor::Player(6));
        for (rating, (strength, error)) in list.iter().zip(STRENGTHS) {
            assert!((rating.elo / ELO_PER_UNIT - strength).abs() < 1e-4, "{rating:?}");
            assert!((rating.error / DEVIATIONS / ELO_PER_UNIT - error).abs() < 1e-4, "{rating:?}");
        }
        let average = Ratings::fit(&points, 0.0).list(Anchor::Average);
        assert!(average.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
    }

    #[test]
    fn points_are_as_the_ratings_expect() {
        let mut points = Points::new(3);
        for (a, b, of_a, of_b) in [(0, 1, 30.0, 10.0), (1, 2, 25.0, 15.0), (0, 2, 38.0, 2.0)] {
            points.add(a, b, of_a);
            points.add(b, a, of_b);
        }
        let ratings = Ratings::fit(&points, 0.0);
        for player in 0..3 {
            let expected: f64 = (0..3)
                .filter(|other| *other != player)
                .map(|other| ratings.expected(player, other, points.games(player, other)))
                .sum();
            assert!((expected - points.total(player)).abs() < 1e-6);
        }
    }

    #[test]
    fn winning_every_game_and_playing_none_give_numbers() {
        let mut points = Points::new(4);
        points.add(0, 1, 1000.0);
        points.add(1, 2, 1.0);
        let list = Ratings::fit(&points, IMAGINED_DRAWS).list(Anchor::Average);
        assert!(list.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
        assert!(list[0].elo > list[1].elo + 1000.0 && list[1].elo > list[2].elo);
        assert!(list[3].error > 10_000.0);
    }

    #[test]
    fn a_single_player_is_rated_as_the_list_would_rate_him() {
        let mut points = Points::new(2);
        points.add(0, 1, 140.0);
        points.add(1, 0, 60.0);
        let list = Ratings::fit(&points, IMAGINED_DRAWS).list(Anchor::Player(1));
        let alone = rate(&[(Rating { elo: 0.0, error: 0.0 }, 140.0, 200.0)]);
        assert!((list[0].elo - alone.elo).abs() < 1e-3 && (list[0].error - alone.error).abs() < 1e-2);
        assert!(rate(&[]).error.is_infinite());
        let perfect = rate(&[(Rating { elo: 500.0, error: 0.0 }, 20.0, 20.0)]);
        assert!(perfect.elo > 1000.0 && perfect.elo < 1500.0, "{perfect:?}");
    }
}
