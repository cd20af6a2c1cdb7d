use emilia_rules::Square;

/// How much a person is drawn to a move, in 256ths of a unit; a unit more makes a move 2.7 times as likely.
pub type Leaning = (Square, i32);

/// Leaning of a unit.
pub(crate) const UNIT: f64 = 256.0;

/// How likely each move is. A warmth of 1 is what was learnt; more makes the likely and the unlikely alike, less keeps
/// to the likely.
///
/// The chances add up to 1, within the precision of the numbers.
#[must_use]
pub fn chances(leanings: &[Leaning], warmth: f64) -> Vec<(Square, f64)> {
    let units = |leaning: i32| f64::from(leaning) / UNIT / warmth.max(1e-3);
    shares(leanings.iter().map(|(square, leaning)| (*square, units(*leaning))))
}

/// The share of each item in a whole, 2.7 times as much for each unit that it is liked more.
pub(crate) fn shares<T>(liked: impl IntoIterator<Item = (T, f64)>) -> Vec<(T, f64)> {
    let mut shares: Vec<(T, f64)> = liked.into_iter().collect();
    let most = shares.iter().map(|(_, liking)| *liking).fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for (_, share) in &mut shares {
        *share = exponential(*share - most);
        total += *share;
    }
    for (_, share) in &mut shares {
        *share /= total;
    }
    shares
}

/// The item that a number from 0 to 1, 1 excluded, falls on when each takes as much room as its chance.
#[must_use]
pub fn draw<T: Copy>(chances: &[(T, f64)], number: f64) -> Option<T> {
    let total: f64 = chances.iter().map(|(_, chance)| chance).sum();
    let mut left = number * total;
    let found = chances.iter().find(|(_, chance)| {
        left -= chance;
        left < 0.0
    });
    found.or(chances.last()).map(|(item, _)| *item)
}

/// The exponential function. That of the system's library differs in the last digit from one system to the next.
fn exponential(x: f64) -> f64 {
    let x = x.clamp(-700.0, 700.0);
    let doublings = (x / std::f64::consts::LN_2).round();
    let rest = x - doublings * std::f64::consts::LN_2;
    // |rest| is at most 0.35, so that the fourteenth term is below what the number holds.
    let series = (1..=14).rev().fold(1.0, |sum, term| 1.0 + sum * rest / f64::from(term));
    series * f64::from_bits(((1023 + doublings as i64) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_the_exponential() {
        for step in -3000..300 {
            let x = f64::from(step) / 10.0 + 0.0123;
            assert!((exponential(x) / x.exp() - 1.0).abs() < 1e-13, "{x}");
        }
        assert_eq!(exponential(0.0), 1.0);
        assert!(exponential(-1e9) >= 0.0 && exponential(1e9).is_finite());
    }

    #[test]
    fn chances_are_shares_that_warmth_levels() {
        let leanings = [(Square::A1, 512), (Square::B1, 0), (Square::C1, -9999)];
        let warm = chances(&leanings, 1.0);
        assert!((warm.iter().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((warm[0].1 / warm[1].1 - 2f64.exp()).abs() < 1e-9);
        assert!(chances(&leanings, 4.0)[1].1 > warm[1].1 && chances(&leanings, 0.1)[0].1 > 0.999_999);
        assert!(chances(&[], 1.0).is_empty());
    }

    #[test]
    fn each_item_is_drawn_as_often_as_its_chance() {
        let chances = [('a', 0.25), ('b', 0.5), ('c', 0.25)];
        let drawn: String = (0..8).filter_map(|eighth| draw(&chances, f64::from(eighth) / 8.0)).collect();
        assert_eq!(drawn, "aabbbbcc");
        assert_eq!(draw::<char>(&[], 0.5), None);
        assert_eq!(draw(&chances, 1.0), Some('c'), "rounding never leaves nobody");
    }
}
