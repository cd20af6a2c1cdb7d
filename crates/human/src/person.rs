use std::str::FromStr;

use emilia_rules::{Board, Square};

use crate::chances::{Leaning, UNIT, shares};
use crate::{Moment, Rating};

/// A person who plays: how strong, and in which style.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    rating: u32,
    style: Style,
}

/// What a person likes beyond what is usual at his strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// What is usual.
    #[default]
    Usual,
    /// Many discs at once.
    Greedy,
    /// Few discs, and few moves for the opponent.
    Quiet,
    /// The edges of the board.
    Edges,
}

impl Style {
    /// Every style, with its name.
    pub const ALL: [(&'static str, Style); 4] = [
        ("usual", Style::Usual),
        ("greedy", Style::Greedy),
        ("quiet", Style::Quiet),
        ("edges", Style::Edges),
    ];

    /// How much more a move is liked, in units of a leaning (a unit makes it 2.7 times as likely).
    fn liking(self, board: Board, square: Square) -> f64 {
        let flips = f64::from(board.flips(square).0.count_ones());
        match self {
            Style::Usual => 0.0,
            Style::Greedy => 0.25 * flips,
            Style::Quiet => -0.15 * flips - 0.1 * f64::from(board.play(square).moves().0.count_ones()),
            Style::Edges => {
                let edge = matches!(square.row(), 0 | 7) || matches!(square.column(), 0 | 7);
                if edge { 1.0 } else { 0.0 }
            }
        }
    }
}

impl FromStr for Style {
    type Err = ();

    fn from_str(text: &str) -> Result<Style, ()> {
        Style::ALL.iter().find(|(name, _)| *name == text).map(|(_, style)| *style).ok_or(())
    }
}

/// How a person of some rating plays. What lies between two rows is interpolated.
#[derive(Clone, Copy, Debug)]
struct Traits {
    rating: f64,
    /// Warmth of the chances that the network gives.
    warmth: f64,
    /// Leaning that a disc costs which a look ahead finds lost, per disc, in each stage of the game.
    care: [f64; STAGES],
    /// Share of moves made without a thought, liked by how many discs they flip.
    slips: f64,
}

/// Stages of the game, of twelve discs each.
const STAGES: usize = 5;
const STAGE: f64 = 12.0;

/// Liking of a thoughtless move for each disc that it flips.
const GREED: f64 = 0.35;

/// From 1400 to 2200 the care is that at which the discs lost a move, by stage, are those of the real players around this
/// rating, by `emilia humantest --years 1980,1990,2000,2010,2020`, and each row gets 70 to 80 % of the points from the one
/// before; 2400 goes on from there. Below 1400 slips and warmth are such that each row gets a little over a fifth of the points
/// from the next, and that who has just heard of corners beats the first and loses to the second.
const TRAITS: [Traits; 9] = [
    Traits { rating: 800.0, warmth: 1.28, care: [0.0; STAGES], slips: 0.56 },
    Traits { rating: 1000.0, warmth: 1.21, care: [0.0; STAGES], slips: 0.20 },
    Traits { rating: 1200.0, warmth: 1.04, care: [0.0; STAGES], slips: 0.04 },
    Traits { rating: 1400.0, warmth: 1.0, care: [0.08, 0.01, 0.00, 0.04, 0.05], slips: 0.03 },
    Traits { rating: 1600.0, warmth: 1.0, care: [0.02, 0.02, 0.05, 0.06, 0.07], slips: 0.0 },
    Traits { rating: 1800.0, warmth: 1.0, care: [0.02, 0.075, 0.08, 0.08, 0.12], slips: 0.0 },
    Traits { rating: 2000.0, warmth: 1.0, care: [0.05, 0.13, 0.22, 0.17, 0.27], slips: 0.0 },
    Traits { rating: 2200.0, warmth: 1.0, care: [0.12, 0.28, 0.46, 0.36, 0.46], slips: 0.0 },
    Traits { rating: 2400.0, warmth: 1.0, care: [0.20, 0.40, 0.58, 0.55, 0.60], slips: 0.0 },
];

/// How many plies a person looks ahead, if at all, with at most so many empty squares. Nobody's look takes longer than the
/// network on average.
const AHEAD: [(u32, u32); 2] = [(20, 6), (60, 4)];
/// The same for those who have stood in finals: they count endings out.
const AHEAD_OF_MASTERS: [(u32, u32); 4] = [(11, 11), (16, 8), (20, 6), (60, 5)];
/// From this rating on one is a master. A look of four plies, however much it is heeded, gets two thirds of the points from
/// 2200, not three quarters.
const MASTER: u32 = 2300;
/// How a look of one ply ahead is heeded where there is nothing else to go by, per disc, by the weakest and the strongest.
const HEED: (f64, f64) = (0.02, 0.8);

impl Traits {
    fn of(rating: u32) -> Traits {
        let rating = f64::from(rating);
        let above = TRAITS.iter().position(|row| row.rating >= rating).unwrap_or(TRAITS.len() - 1).max(1);
        let (low, high) = (TRAITS[above - 1], TRAITS[above]);
        let share = ((rating - low.rating) / (high.rating - low.rating)).clamp(0.0, 1.0);
        let mix = |low: f64, high: f64| low + share * (high - low);
        Traits {
            rating,
            warmth: mix(low.warmth, high.warmth),
            care: std::array::from_fn(|stage| mix(low.care[stage], high.care[stage])),
            slips: mix(low.slips, high.slips),
        }
    }

    /// The care with so many empty squares: that of a stage in its middle, and between two middles something between.
    fn care(&self, empties: u32) -> f64 {
        let disc = f64::from(61 - empties.min(60));
        let place = ((disc - 0.5) / STAGE - 0.5).clamp(0.0, (STAGES - 1) as f64);
        let before = (place as usize).min(STAGES - 2);
        let share = place - before as f64;
        self.care[before] + share * (self.care[before + 1] - self.care[before])
    }
}

impl Person {
    /// The weakest whom the network has seen often enough.
    const SEEN: u32 = 1200;

    /// The weakest and the strongest there are.
    pub const RATINGS: std::ops::RangeInclusive<u32> = 800..=2400;

    /// A person of this strength, which is kept within what there is.
    #[must_use]
    pub fn new(rating: u32, style: Style) -> Person {
        Person { rating: rating.clamp(*Person::RATINGS.start(), *Person::RATINGS.end()), style }
    }

    /// What the network is told of the person's strength: those weaker than it knows err in ways of their own.
    #[must_use]
    pub fn seen_as(&self) -> Rating {
        Rating::new(self.rating.max(Person::SEEN))
    }

    /// How many plies the person looks ahead with so many empty squares, if at all.
    #[must_use]
    pub fn ahead(&self, empties: u32) -> Option<u32> {
        let looks: &[(u32, u32)] = if self.rating >= MASTER { &AHEAD_OF_MASTERS } else { &AHEAD };
        let look = looks.iter().find(|(most, _)| empties <= *most);
        look.filter(|_| self.care(empties) > 0.0).map(|(_, plies)| *plies)
    }

    fn care(&self, empties: u32) -> f64 {
        Traits::of(self.rating).care(empties)
    }

    /// How likely the person is to make each move. The values are what the look ahead has found, in discs, in the order
    /// of the leanings.
    #[must_use]
    pub fn chances(
        &self,
        moment: &Moment,
        leanings: &[Leaning],
        values: Option<&[f64]>,
    ) -> Vec<(Square, f64)> {
        let board = moment.board();
        let traits = Traits::of(self.rating);
        let care = self.care(board.empties().0.count_ones());
        let best = values.into_iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let considered = leanings.iter().enumerate().map(|(at, (square, leaning))| {
            let lost = values.and_then(|values| values.get(at)).map_or(0.0, |value| best - value);
            let liking =
                f64::from(*leaning) / UNIT / traits.warmth - care * lost + self.style.liking(board, *square);
            (*square, liking)
        });
        let considered = shares(considered);
        let thoughtless = leanings
            .iter()
            .map(|(square, _)| (*square, GREED * f64::from(board.flips(*square).0.count_ones())));
        let mixed = considered.into_iter().zip(shares(thoughtless));
        mixed.map(|((square, one), (_, other))| (square, one + traits.slips * (other - one))).collect()
    }

    /// How likely each move is that is known by its value alone, in discs.
    #[must_use]
    pub fn chances_by_values(&self, values: &[f64]) -> Vec<f64> {
        let (low, high) = (f64::from(*Person::RATINGS.start()), f64::from(*Person::RATINGS.end()));
        let share = (f64::from(self.rating) - low) / (high - low);
        let heed = HEED.0 + share * (HEED.1 - HEED.0);
        shares(values.iter().map(|value| ((), heed * value))).into_iter().map(|(_, chance)| chance).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chances(rating: u32, style: Style, values: Option<&[f64]>) -> Vec<(Square, f64)> {
        let moment = Moment::new(Board::START.play(Square::F5));
        let person = Person::new(rating, style);
        person.chances(&moment, &crate::Network::embedded().leanings(&moment, person.seen_as()), values)
    }

    #[test]
    fn chances_are_shares_of_a_whole_for_everybody() {
        for rating in [0, 800, 900, 1000, 1250, 1777, 2400, 9999] {
            for (_, style) in Style::ALL {
                let chances = chances(rating, style, Some(&[1.0, 0.0, -3.0]));
                assert!((chances.iter().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-9);
                assert!(chances.iter().all(|(_, chance)| (0.0..=1.0).contains(chance)));
            }
        }
    }

    #[test]
    fn who_is_strong_heeds_what_a_look_ahead_finds() {
        let usual = chances(2400, Style::Usual, Some(&[0.0; 3]));
        let warned = chances(2400, Style::Usual, Some(&[0.0, -30.0, 0.0]));
        assert!(warned[1].1 < usual[1].1 / 100.0);
        let ahead = |rating, empties| Person::new(rating, Style::Usual).ahead(empties);
        assert_eq!([ahead(800, 30), ahead(2000, 30), ahead(2000, 11)], [None, Some(4), Some(6)]);
        assert_eq!(ahead(2400, 11), Some(11), "a master counts the ending out");
    }

    #[test]
    fn care_goes_from_stage_to_stage_without_a_jump() {
        let traits = Traits::of(2200);
        assert_eq!([traits.care(60), traits.care(1)], [traits.care[0], traits.care[STAGES - 1]]);
        // The middle of the third stage lies between the discs 30 and 31.
        let middle = (traits.care(30) + traits.care(31)) / 2.0;
        assert!((middle - traits.care[2]).abs() < 0.02, "{middle}");
        for empties in 2..=60 {
            assert!((traits.care(empties) - traits.care(empties - 1)).abs() < 0.05, "{empties} empty");
        }
        // The stronger, the more careful, at every stage, among those whose games there are.
        for (low, high) in TRAITS[4..].iter().zip(&TRAITS[5..]) {
            assert!((0..STAGES).all(|stage| low.care[stage] <= high.care[stage]), "{}", high.rating);
        }
    }

    #[test]
    fn styles_like_what_they_are_called_after() {
        // On the board after f5 d6 c4 every move is no edge; one more is built where they differ.
        let board = Board {
            own: emilia_rules::Bitboard(0x0000_0010_0000_0000),
            opponent: emilia_rules::Bitboard(0x0000_000e_2810_0000),
        };
        let moment = Moment::new(board);
        let leanings: Vec<Leaning> = board.moves().into_iter().map(|square| (square, 0)).collect();
        let of = |style| Person::new(2000, style).chances(&moment, &leanings, None);
        let flips = |square: Square| board.flips(square).0.count_ones();
        let most = leanings.iter().map(|(square, _)| *square).max_by_key(|square| flips(*square)).unwrap();
        let chance = |style| of(style).into_iter().find(|(square, _)| *square == most).unwrap().1;
        assert!(leanings.len() > 1 && chance(Style::Greedy) > chance(Style::Usual));
        assert!(chance(Style::Quiet) < chance(Style::Usual));
        assert_eq!("greedy".parse(), Ok(Style::Greedy));
        assert_eq!("bold".parse::<Style>(), Err(()));
    }

    #[test]
    fn values_alone_decide_more_the_stronger_one_is() {
        let best = |rating| Person::new(rating, Style::Usual).chances_by_values(&[0.0, 4.0, -2.0])[1];
        assert!(best(800) < best(1600) && best(1600) < best(2400));
    }
}
