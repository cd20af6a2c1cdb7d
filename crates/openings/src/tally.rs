use emilia_rules::Color;

use crate::Ended;

/// How games went, as the side to move in a position sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All games.
    pub games: u64,
    /// Games the side to move won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games it lost. Those that are neither have no known result.
    pub losses: u64,
    /// Games whose score is known in discs.
    pub scored: u64,
    /// Sum of those scores: own discs less the opponent's, empty squares given to the winner.
    pub discs: i64,
    /// The year of the earliest game that has one.
    pub first_year: Option<u16>,
    /// The year of the latest game that has one.
    pub last_year: Option<u16>,
}

impl Tally {
    /// One more game.
    pub(crate) fn add(&mut self, ended: Ended, year: Option<u16>, side: Color) {
        self.games += 1;
        match ended.winner() {
            Some(Some(winner)) if winner == side => self.wins += 1,
            Some(Some(_)) => self.losses += 1,
            Some(None) => self.draws += 1,
            None => {}
        }
        if let Ended::Counted(margin) = ended {
            self.scored += 1;
            self.discs += i64::from(if side == Color::Black { margin } else { -margin });
        }
        self.add_years(year, year);
    }

    /// All games of the other.
    pub(crate) fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.scored += other.scored;
        self.discs += other.discs;
        self.add_years(other.first_year, other.last_year);
    }

    fn add_years(&mut self, first: Option<u16>, last: Option<u16>) {
        self.first_year = [self.first_year, first].into_iter().flatten().min();
        self.last_year = self.last_year.max(last);
    }

    /// The same games as the other side sees them.
    #[must_use]
    pub fn reversed(self) -> Tally {
        Tally { wins: self.losses, losses: self.wins, discs: -self.discs, ..self }
    }

    /// Discs by which the side to move won on average; none without a score.
    #[must_use]
    pub fn average(&self) -> Option<f64> {
        (self.scored > 0).then(|| self.discs as f64 / self.scored as f64)
    }
}
