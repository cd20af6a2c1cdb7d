/// Who meets whom, and how often.
///
/// Every pairing plays each opening twice, with both colours. Pairings take turns, so that a tournament that is
/// interrupted has played about as many games of each.
///
/// ```
/// use emilia_arena::Schedule;
/// let all = Schedule::round_robin(4, 10);
/// assert_eq!((all.pairings().len(), all.games()), (6, 60));
/// let fixture = all.fixture(13).unwrap();
/// assert_eq!((fixture.players, fixture.black, fixture.round), ([0, 1], 1, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    games: u32,
}

/// A game that is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 0.
    pub number: u32,
    /// The two players.
    pub players: [usize; 2],
    /// Which of the two has Black: 0 or 1.
    pub black: usize,
    /// Number of the pair of games of these two players: the games of a pair share an opening.
    pub round: u32,
}

impl Schedule {
    /// A match of two players.
    #[must_use]
    pub fn duel(games: u32) -> Schedule {
        Schedule { pairings: vec![[0, 1]], games }
    }

    /// Everybody against everybody, so many games each.
    #[must_use]
    pub fn round_robin(players: usize, games_each: u32) -> Schedule {
        let pairings = (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect();
        Schedule::new(pairings, games_each)
    }

    /// The first player against everybody else, so many games each.
    #[must_use]
    pub fn gauntlet(players: usize, games_each: u32) -> Schedule {
        Schedule::new((1..players).map(|other| [0, other]).collect(), games_each)
    }

    /// Everybody against those at most so many places away: for a long list in order of strength, where games against
    /// the far end would say nothing.
    #[must_use]
    pub fn neighbours(players: usize, reach: usize, games_each: u32) -> Schedule {
        let near =
            |a: usize| (a + 1..players.min(a.saturating_add(reach).saturating_add(1))).map(move |b| [a, b]);
        Schedule::new((0..players).flat_map(near).collect(), games_each)
    }

    /// Games of a pairing come in pairs; an odd number is rounded up.
    fn new(pairings: Vec<[usize; 2]>, games_each: u32) -> Schedule {
        let each = games_each.saturating_add(games_each % 2);
        let games = each.saturating_mul(u32::try_from(pairings.len()).unwrap_or(u32::MAX));
        Schedule { pairings, games }
    }

    /// Who meets whom.
    #[must_use]
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// Games in all.
    #[must_use]
    pub fn games(&self) -> u32 {
        if self.pairings.is_empty() { 0 } else { self.games }
    }

    /// The game of this number.
    #[must_use]
    pub fn fixture(&self, number: u32) -> Option<Fixture> {
        if number >= self.games() {
            return None;
        }
        let (pair, black) = (number / 2, number as usize % 2);
        let pairings = u32::try_from(self.pairings.len()).ok()?;
        let players = *self.pairings.get((pair % pairings) as usize)?;
        Some(Fixture { number, players, black, round: pair / pairings })
    }
}

impl Fixture {
    /// Who has Black and who has White.
    #[must_use]
    pub fn seats(&self) -> [usize; 2] {
        let [first, second] = self.players;
        if self.black == 0 { [first, second] } else { [second, first] }
    }

    /// Number of this game among those of the two players; what happens in a game depends on it and not on who else
    /// plays in the tournament.
    #[must_use]
    pub fn encounter(&self) -> u32 {
        self.round.saturating_mul(2).saturating_add(self.black as u32)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let schedule = Schedule::round_robin(5, 7);
        let mut met: HashMap<[usize; 2], u32> = HashMap::new();
        for number in 0..schedule.games() {
            let fixture = schedule.fixture(number).unwrap();
            *met.entry(fixture.seats()).or_default() += 1;
        }
        assert_eq!(met.len(), 20);
        assert!(met.values().all(|games| *games == 4));
        assert_eq!(schedule.fixture(schedule.games()), None);
    }

    #[test]
    fn a_duel_is_numbered_as_its_encounters() {
        let duel = Schedule::duel(5);
        let encounters: Vec<u32> = (0..5).map(|number| duel.fixture(number).unwrap().encounter()).collect();
        assert_eq!(encounters, [0, 1, 2, 3, 4]);
        assert_eq!(duel.fixture(3).unwrap().seats(), [1, 0]);
    }

    #[test]
    fn neighbours_and_gauntlets_have_their_pairings() {
        assert_eq!(Schedule::neighbours(4, 2, 2).pairings(), [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(Schedule::gauntlet(3, 2).pairings(), [[0, 1], [0, 2]]);
        assert_eq!(Schedule::gauntlet(1, 2).games(), 0);
        assert_eq!(Schedule::round_robin(3, u32::MAX).games(), u32::MAX);
    }
}
