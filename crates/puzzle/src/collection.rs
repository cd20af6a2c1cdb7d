//! Many puzzles, and which of them comes next.

use std::collections::HashMap;
use std::sync::LazyLock;
#[cfg(target_family = "wasm")]
use std::sync::OnceLock;

use emilia_rules::{Playable, Size};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

#[cfg(target_family = "wasm")]
use crate::PuzzleError;
use crate::{Puzzle, PuzzleId, Theme};

/// Puzzles by name, the easiest first.
#[derive(Debug)]
pub struct Collection {
    puzzles: Vec<NamedPuzzle>,
    places: HashMap<PuzzleId, usize>,
}

/// A puzzle with its name.
#[derive(Debug)]
pub struct NamedPuzzle {
    /// Its name.
    pub id: PuzzleId,
    /// The puzzle.
    pub puzzle: Puzzle,
}

/// Which puzzles are wanted; all if nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only those of this theme.
    pub theme: Option<Theme>,
    /// Only those on this board.
    pub size: Option<Size>,
}

/// Of so many that are nearest to a rating one is drawn.
const NEAREST: usize = 24;
/// A run has so many steps, each harder than the one before.
const STEPS: usize = 60;
/// How hard the puzzle of a day is.
const DAILY: std::ops::RangeInclusive<u32> = 1500..=2100;

#[cfg(not(target_family = "wasm"))]
static SHIPPED: LazyLock<Collection> = LazyLock::new(|| Collection::new(Puzzle::shipped()));

/// In the browser the puzzles come after the program, if they are asked for.
#[cfg(target_family = "wasm")]
static SHIPPED: OnceLock<Collection> = OnceLock::new();
#[cfg(target_family = "wasm")]
static NONE: LazyLock<Collection> = LazyLock::new(|| Collection::new([]));

impl Selection {
    fn takes(&self, puzzle: &Puzzle) -> bool {
        self.theme.is_none_or(|theme| puzzle.themes.contains(&theme))
            && self.size.is_none_or(|size| puzzle.position.size() == size)
    }
}

impl Collection {
    /// The puzzles that come with the program.
    #[must_use]
    #[cfg(not(target_family = "wasm"))]
    pub fn shipped() -> &'static Collection {
        &SHIPPED
    }

    /// The puzzles that come with the program; none before somebody has brought them.
    #[must_use]
    #[cfg(target_family = "wasm")]
    pub fn shipped() -> &'static Collection {
        SHIPPED.get().unwrap_or(&NONE)
    }

    /// Makes what was packed the puzzles that come with the program, once and for all.
    #[cfg(target_family = "wasm")]
    pub fn embed(packed: &str) -> Result<(), PuzzleError> {
        let collection = Collection::unpacked(packed)?;
        SHIPPED.get_or_init(|| collection);
        Ok(())
    }

    /// A collection of these.
    #[must_use]
    pub fn new(puzzles: impl IntoIterator<Item = Puzzle>) -> Collection {
        let named = |puzzle: Puzzle| NamedPuzzle { id: PuzzleId::of(&puzzle.position), puzzle };
        let mut puzzles: Vec<NamedPuzzle> = puzzles.into_iter().map(named).collect();
        puzzles.sort_by_key(|named| (named.puzzle.rating, named.id));
        puzzles.dedup_by_key(|named| named.id);
        let places = puzzles.iter().enumerate().map(|(place, named)| (named.id, place)).collect();
        Collection { puzzles, places }
    }

    /// The puzzle of this name.
    #[must_use]
    pub fn find(&self, id: PuzzleId) -> Option<&NamedPuzzle> {
        self.places.get(&id).map(|place| &self.puzzles[*place])
    }

    /// Those that are wanted, the easiest first.
    pub fn of(&self, selection: Selection) -> impl Iterator<Item = &NamedPuzzle> {
        self.puzzles.iter().filter(move |named| selection.takes(&named.puzzle))
    }

    /// A puzzle for somebody of this rating: one of those nearest to it, drawn by the seed. `now` says how hard a puzzle is by
    /// now, where that is known better than at first. Those in `recent`, the latest first, do not come again while there
    /// are others; if there are none, the one that came longest ago does.
    #[must_use]
    pub fn next(
        &self,
        selection: Selection,
        rating: f64,
        now: impl Fn(PuzzleId) -> Option<f64>,
        recent: &[PuzzleId],
        seed: u64,
    ) -> Option<&NamedPuzzle> {
        // The latest counts of one that came several times.
        let seen: HashMap<PuzzleId, usize> =
            recent.iter().enumerate().rev().map(|(age, id)| (*id, age)).collect();
        let mut near: Vec<(f64, &NamedPuzzle)> = self
            .of(selection)
            .filter(|named| !seen.contains_key(&named.id))
            .map(|named| (now(named.id).unwrap_or(f64::from(named.puzzle.rating)), named))
            .map(|(points, named)| ((points - rating).abs(), named))
            .collect();
        if near.is_empty() {
            return self.of(selection).max_by_key(|named| seen.get(&named.id).copied());
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.id.cmp(&b.1.id)));
        near.truncate(NEAREST);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        near.get(random.random_range(0..near.len())).map(|(_, named)| *named)
    }

    /// The puzzle of a day, counted from 1970: on 8×8, neither easy nor hard, the same for everybody. All of them come before
    /// one comes again.
    #[must_use]
    pub fn daily(&self, day: u64) -> Option<&NamedPuzzle> {
        let selection = Selection { size: Some(Size::EIGHT), theme: None };
        let mut round: Vec<&NamedPuzzle> =
            self.of(selection).filter(|named| DAILY.contains(&named.puzzle.rating)).collect();
        let days = round.len() as u64;
        shuffle(&mut round, day.checked_div(days)?);
        round.get((day % days) as usize).copied()
    }

    /// A puzzle of a run, counted from 0: each is harder than the one before or as hard, none comes twice. The run of a seed
    /// is the same for everybody; it ends where there are no more.
    #[must_use]
    pub fn of_run(&self, selection: Selection, seed: u64, number: usize) -> Option<&NamedPuzzle> {
        let wanted: Vec<&NamedPuzzle> = self.of(selection).collect();
        let each = wanted.len().div_ceil(STEPS).max(1);
        let step = wanted.chunks(each).nth(number)?;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(number as u64);
        step.get(random.random_range(0..step.len())).copied()
    }
}

/// Puts a list into the random order of a seed.
fn shuffle<T>(list: &mut [T], seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for last in (1..list.len()).rev() {
        list.swap(last, random.random_range(0..=last));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const ALL: Selection = Selection { theme: None, size: None };

    fn next(rating: f64, recent: &[PuzzleId], seed: u64) -> &'static NamedPuzzle {
        Collection::shipped().next(ALL, rating, |_| None, recent, seed).unwrap()
    }

    #[test]
    fn every_puzzle_has_a_name_of_its_own() {
        let collection = Collection::shipped();
        assert_eq!(collection.puzzles.len(), Puzzle::shipped().count());
        for named in &collection.puzzles {
            assert_eq!(collection.find(named.id).unwrap().puzzle, named.puzzle);
        }
        assert!(collection.find("00000000".parse().unwrap()).is_none());
    }

    #[test]
    fn puzzles_are_as_strong_as_the_person_and_follow_the_seed() {
        for rating in [1600.0, 1800.0, 2000.0, 2300.0] {
            let puzzles: Vec<&NamedPuzzle> = (0..20).map(|seed| next(rating, &[], seed)).collect();
            assert!(puzzles.iter().all(|named| (f64::from(named.puzzle.rating) - rating).abs() < 150.0));
            assert!(puzzles.iter().map(|named| named.id).collect::<HashSet<_>>().len() > 8);
            assert_eq!(next(rating, &[], 3).id, puzzles[3].id);
        }
        // A puzzle that turned out to be harder is given to those who are stronger.
        let hard = next(1500.0, &[], 0).id;
        let now = |id: PuzzleId| (id == hard).then_some(2900.0);
        let collection = Collection::shipped();
        assert!((0..100).all(|seed| collection.next(ALL, 1500.0, now, &[], seed).unwrap().id != hard));
        assert!((0..200).any(|seed| collection.next(ALL, 2900.0, now, &[], seed).unwrap().id == hard));
    }

    #[test]
    fn what_was_seen_does_not_come_again_while_there_is_another() {
        let mut recent = Vec::new();
        for seed in 0..60 {
            let id = next(1800.0, &recent, seed).id;
            assert!(!recent.contains(&id));
            recent.insert(0, id);
        }
        let escapes = Selection { theme: Some(Theme::WipeOut), size: None };
        let collection = Collection::shipped();
        let all: Vec<PuzzleId> = collection.of(escapes).map(|named| named.id).collect();
        let again = collection.next(escapes, 1500.0, |_| None, &all, 1).unwrap();
        assert_eq!(Some(&again.id), all.last(), "the one that came longest ago");
        let none = Selection { theme: None, size: Some(Size::MIN) };
        assert!(collection.next(none, 1500.0, |_| None, &[], 0).is_none());
    }

    #[test]
    fn each_day_has_a_puzzle_of_its_own() {
        let collection = Collection::shipped();
        let ids: Vec<PuzzleId> = (20_000..20_100).map(|day| collection.daily(day).unwrap().id).collect();
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
        assert_eq!(collection.daily(20_007).unwrap().id, ids[7]);
        assert!(Collection::new([]).daily(1).is_none());
    }

    #[test]
    fn a_run_gets_harder_and_never_repeats_itself() {
        let collection = Collection::shipped();
        let run = |seed, selection| {
            (0..).map_while(move |number| collection.of_run(selection, seed, number)).collect::<Vec<_>>()
        };
        let first = run(1, ALL);
        assert!((50..=STEPS).contains(&first.len()), "{}", first.len());
        assert!(first.windows(2).all(|pair| pair[0].puzzle.rating <= pair[1].puzzle.rating));
        assert_eq!(first.iter().map(|named| named.id).collect::<HashSet<_>>().len(), first.len());
        let ids = |run: &[&NamedPuzzle]| run.iter().map(|named| named.id).collect::<Vec<_>>();
        assert_eq!(ids(&run(1, ALL)), ids(&first));
        assert_ne!(ids(&run(2, ALL)), ids(&first));
        let parity = run(1, Selection { theme: Some(Theme::Parity), size: None });
        assert!(parity.len() > 40 && parity.iter().all(|named| named.puzzle.themes.contains(&Theme::Parity)));
    }
}
