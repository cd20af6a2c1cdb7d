use std::collections::BTreeMap;

use crate::{Average, Effort, Elo, Pentanomial, Played};

/// How two players stand, seen by the first.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Games the first player won.
    pub wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games the second player won.
    pub losses: u32,
    /// Games that the first and the second player gave away; they count as lost.
    pub forfeits: [u32; 2],
    /// How many of these were lost on time.
    pub on_time: [u32; 2],
    /// Discs of the first and of the second player in all games.
    pub discs: [u64; 2],
    /// What both put in.
    pub effort: [Effort; 2],
    /// Games that have been played of each pair.
    pairs: BTreeMap<u32, Pair>,
}

/// What a pair of games brought the first player.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    games: u32,
    half_points: u32,
    /// Discs won by in games that were played to their end, and how many these are.
    margin: i32,
    counted: u32,
}

impl Standing {
    /// Counts a game.
    pub fn add(&mut self, played: &Played) {
        match played.half_points() {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
        let pair = self.pairs.entry(played.fixture.round).or_default();
        pair.games += 1;
        pair.half_points += u32::from(played.half_points());
        if let Some(margin) = played.margin() {
            pair.margin += margin;
            pair.counted += 1;
        }
        for player in 0..2 {
            let color = played.color_of(player);
            self.discs[player] += u64::from(played.counts.of(color));
            self.effort[player].add(played.effort[color as usize]);
            if let Some(forfeit) = played.forfeit.as_ref().filter(|forfeit| forfeit.color == color) {
                self.forfeits[player] += 1;
                self.on_time[player] += u32::from(forfeit.is_on_time());
            }
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

    /// The pairs of which both games have been played.
    #[must_use]
    pub fn pentanomial(&self) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        for pair in self.pairs.values().filter(|pair| pair.games == 2) {
            pairs.add(pair.half_points as usize);
        }
        pairs
    }

    /// The difference in strength, estimated from pairs of games: those two share an opening, so they are not
    /// independent of each other.
    #[must_use]
    pub fn elo(&self) -> Elo {
        let share = |pair: &Pair| f64::from(pair.half_points) / 2.0 / f64::from(pair.games.max(1));
        Elo::from_scores(&self.pairs.values().map(share).collect::<Vec<f64>>())
    }

    /// Discs by which the first player wins on average, empty squares going to the winner. The error is reckoned from
    /// pairs; games given away are left out.
    #[must_use]
    pub fn margin(&self) -> Average {
        Average::of(&self.pair_margins().collect::<Vec<f64>>())
    }

    /// Average margin of each pair of games, as far as its games were played to their end.
    pub fn pair_margins(&self) -> impl Iterator<Item = f64> {
        let counted = self.pairs.values().filter(|pair| pair.counted > 0);
        counted.map(|pair| f64::from(pair.margin) / f64::from(pair.counted))
    }
}
