use super::plan::{Opposition, Plan};

/// One game of a generation: who meets whom, and which opening they share with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixture {
    pub(crate) black: Contestant,
    pub(crate) white: Contestant,
    pub(crate) opening: u64,
}

/// Somebody who plays in a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contestant {
    /// The individual at this place of the population.
    Member(usize),
    /// The opponent at this place of the fixed ones.
    Guest(usize),
}

impl Fixture {
    /// All games of a generation, always in the same order.
    pub(crate) fn all(plan: &Plan) -> Vec<Fixture> {
        let members = plan.population as usize;
        match &plan.opposition {
            Opposition::RoundRobin => {
                let pairs = (0..members).flat_map(|i| (i + 1..members).map(move |j| (i, j)));
                let pairs = pairs.map(|(i, j)| (Contestant::Member(i), Contestant::Member(j)));
                // Every pair has openings of its own: so many different games are seen.
                pairs.enumerate().flat_map(|(pair, sides)| meetings(plan.games, sides, pair)).collect()
            }
            Opposition::Fixed(guests) => {
                let pairs = (0..members).flat_map(|i| (0..guests.len()).map(move |guest| (i, guest)));
                // Everybody has the same openings against the same guest: so they are compared fairly.
                pairs
                    .flat_map(|(i, guest)| {
                        meetings(plan.games, (Contestant::Member(i), Contestant::Guest(guest)), guest)
                    })
                    .collect()
            }
        }
    }
}

/// The games of two contestants: colours alternate, and two games in a row share an opening.
fn meetings(
    games: u32,
    (one, other): (Contestant, Contestant),
    number: usize,
) -> impl Iterator<Item = Fixture> {
    let first = number as u64 * u64::from(games.div_ceil(2));
    (0..games).map(move |game| {
        let opening = first + u64::from(game / 2);
        let (black, white) = if game % 2 == 0 { (one, other) } else { (other, one) };
        Fixture { black, white, opening }
    })
}

#[cfg(test)]
mod tests {
    use emilia_classic::Genes;

    use super::Contestant::{Guest, Member};
    use super::*;

    #[test]
    fn every_pair_plays_once_and_the_first_of_it_has_black() {
        let fixtures = Fixture::all(&Plan::default());
        assert_eq!(fixtures.len(), 91);
        let mut games = [0; 14];
        for fixture in &fixtures {
            let (Member(black), Member(white)) = (fixture.black, fixture.white) else { panic!("guests") };
            assert!(black < white);
            games[black] += 1;
            games[white] += 1;
        }
        assert_eq!(games, [13; 14]);
        let openings: std::collections::HashSet<u64> =
            fixtures.iter().map(|fixture| fixture.opening).collect();
        assert_eq!(openings.len(), 91);
    }

    #[test]
    fn further_games_swap_colours_and_share_an_opening() {
        let plan = Plan { population: 2, games: 3, ..Plan::default() };
        let of = |black, white, opening| Fixture { black, white, opening };
        let expected =
            [of(Member(0), Member(1), 0), of(Member(1), Member(0), 0), of(Member(0), Member(1), 1)];
        assert_eq!(Fixture::all(&plan), expected);
    }

    #[test]
    fn everybody_meets_a_guest_in_the_same_openings() {
        let opposition = Opposition::Fixed(vec![Genes::default(), Genes::KUKREJA]);
        let plan = Plan { population: 3, games: 4, opposition, ..Plan::default() };
        let fixtures = Fixture::all(&plan);
        assert_eq!(fixtures.len() as u64, plan.games_a_generation());
        let openings_of = |member| -> Vec<u64> {
            let plays = |fixture: &&Fixture| [fixture.black, fixture.white].contains(&Member(member));
            fixtures.iter().filter(plays).map(|fixture| fixture.opening).collect()
        };
        assert_eq!(openings_of(0), [0, 0, 1, 1, 2, 2, 3, 3]);
        assert_eq!(openings_of(0), openings_of(2));
        assert!(fixtures.iter().any(|fixture| fixture.black == Guest(1)));
    }
}
