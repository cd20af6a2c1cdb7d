use std::collections::BTreeMap;

use emilia_rules::{Color, Outcome};

use crate::{Effort, Elo, Played};

/// How a match stands, seen by the first player.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Games the first player won.
    pub wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games the second player won.
    pub losses: u32,
    /// Discs of the first and of the second player in all games.
    pub discs: [u64; 2],
    /// What both put in.
    pub effort: [Effort; 2],
    /// Half points of the first player in the games of each pair, by the number of the pair.
    pairs: BTreeMap<u32, Vec<u8>>,
}

impl Standing {
    /// Counts a game.
    pub fn add(&mut self, played: &Played) {
        let first = if played.black == 0 { Color::Black } else { Color::White };
        let half_points = match played.outcome {
            Outcome::Win(color) if color == first => {
                self.wins += 1;
                2
            }
            Outcome::Win(_) => {
                self.losses += 1;
                0
            }
            Outcome::Draw => {
                self.draws += 1;
                1
            }
        };
        self.pairs.entry(played.number / 2).or_default().push(half_points);
        for player in 0..2 {
            let color = if player == played.black { Color::Black } else { Color::White };
            self.discs[player] += u64::from(played.counts.of(color));
            self.effort[player].add(played.effort[color as usize]);
        }
    }

    /// Games counted.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points of the first player: a win is 1, a draw ½.
    #[must_use]
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Share of the points, 0 to 1; one half before the first game.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / f64::from(self.games()) }
    }

    /// The difference in strength, estimated from pairs of games: those two share an opening, so they are not
    /// independent of each other.
    #[must_use]
    pub fn elo(&self) -> Elo {
        let scores: Vec<f64> = self
            .pairs
            .values()
            .map(|games| games.iter().map(|half| f64::from(*half) / 2.0).sum::<f64>() / games.len() as f64)
            .collect();
        Elo::from_scores(&scores)
    }
}
