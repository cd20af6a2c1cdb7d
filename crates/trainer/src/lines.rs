//! How much must I know: the fewest lines that one has to learn by heart to stay within a tolerance of the best, whatever
//! the opponent plays of what is known.
//!
//! The floor is what one wants to keep: the value of the first position for the learner, less the tolerance. A line ends
//! where knowledge ends. Where the opponent is to move, every known reply has to be answered: the lines of all of them add
//! up. Where the learner is to move, one move is enough: of those that keep the floor, the one that needs the fewest lines.
//! So the number is that of the smallest tree that proves the floor. Replies that lead to the same position are one.
//!
//! Whoever is ahead of the floor because the opponent erred may give that back; that is what a floor is for. `docs/openings.md`
//! has an example worked out by hand.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// What is known: positions, and the moves between them.
pub trait Knowledge {
    /// A position. What can be reached in two ways is equal. No move leads back.
    type Place: Clone + Eq + Hash;

    /// Whether it is the learner's turn there.
    fn is_learners(&self, place: &Self::Place) -> bool;

    /// The moves that are known there; none where knowledge ends.
    fn choices(&self, place: &Self::Place) -> Vec<Choice<Self::Place>>;
}

/// A move that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<P> {
    /// Where it leads.
    pub to: P,
    /// What it is worth for the learner, whoever makes it, in the unit of the floor.
    pub worth: i32,
}

/// How much must be known. The one with fewer open lines is less, then the one with fewer lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effort {
    /// Lines that end below the floor, because no known move keeps it.
    pub open: u64,
    /// Lines altogether.
    pub lines: u64,
}

impl Effort {
    const LINE: Effort = Effort { open: 0, lines: 1 };
    const OPEN: Effort = Effort { open: 1, lines: 1 };

    /// Both together. What cannot be counted any more stays at the greatest number.
    fn and(self, other: Effort) -> Effort {
        Effort { open: self.open.saturating_add(other.open), lines: self.lines.saturating_add(other.lines) }
    }
}

/// What has to be learned in all, for the moves that need the fewest lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repertoire {
    /// The lines.
    pub effort: Effort,
    /// Different positions in which the learner has to know a move; lines share them.
    pub decisions: usize,
    /// Plies of the longest line.
    pub longest: usize,
}

/// Counts lines, and remembers what it has counted.
pub struct Lines<'k, K: Knowledge> {
    knowledge: &'k K,
    floor: i32,
    counted: HashMap<K::Place, Effort>,
}

impl<'k, K: Knowledge> Lines<'k, K> {
    /// To keep this floor, in what is known.
    #[must_use]
    pub fn new(knowledge: &'k K, floor: i32) -> Lines<'k, K> {
        Lines { knowledge, floor, counted: HashMap::new() }
    }

    /// How much must be known from here on.
    pub fn effort(&mut self, place: &K::Place) -> Effort {
        if let Some(effort) = self.counted.get(place) {
            return *effort;
        }
        let choices = self.choices(place);
        let effort = if choices.is_empty() {
            Effort::LINE
        } else if self.knowledge.is_learners(place) {
            let floor = self.floor;
            let kept = choices.iter().filter(|choice| choice.worth >= floor);
            kept.map(|choice| self.effort_of(choice)).min().unwrap_or(Effort::OPEN)
        } else {
            let mut sum = Effort::default();
            for choice in &choices {
                sum = sum.and(self.effort_of(choice));
            }
            sum
        };
        self.counted.insert(place.clone(), effort);
        effort
    }

    /// How much must be known after this move.
    pub fn effort_of(&mut self, choice: &Choice<K::Place>) -> Effort {
        // Where nothing more is known, what the move is worth is all there is.
        let ends_below = choice.worth < self.floor && self.knowledge.choices(&choice.to).is_empty();
        if ends_below { Effort::OPEN } else { self.effort(&choice.to) }
    }

    /// The move for the learner that needs the fewest lines; of equal ones the best, then the one that is named first.
    pub fn advice(&mut self, place: &K::Place) -> Option<Choice<K::Place>> {
        let floor = self.floor;
        let mut best: Option<(Effort, Choice<K::Place>)> = None;
        for choice in self.choices(place).into_iter().filter(|choice| choice.worth >= floor) {
            let effort = self.effort_of(&choice);
            let better = |(least, held): &(Effort, Choice<K::Place>)| {
                (effort, -i64::from(choice.worth)) < (*least, -i64::from(held.worth))
            };
            if best.as_ref().is_none_or(better) {
                best = Some((effort, choice));
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// What has to be learned from here on.
    pub fn repertoire(&mut self, place: &K::Place) -> Repertoire {
        let effort = self.effort(place);
        let mut decisions = 0;
        let mut longest = 0;
        let mut seen: HashSet<K::Place> = HashSet::from([place.clone()]);
        let mut row = vec![place.clone()];
        let mut ply = 0;
        // Ply by ply; a position that can be reached after different numbers of plies counts at the first.
        while !row.is_empty() {
            longest = ply;
            ply += 1;
            let mut next = Vec::new();
            for place in row {
                let steps = if self.knowledge.is_learners(&place) {
                    let advice = self.advice(&place);
                    decisions += usize::from(advice.is_some());
                    advice.into_iter().collect()
                } else {
                    self.choices(&place)
                };
                next.extend(steps.into_iter().map(|step| step.to).filter(|to| seen.insert(to.clone())));
            }
            row = next;
        }
        Repertoire { effort, decisions, longest }
    }

    /// The known moves, those that lead to the same position once.
    fn choices(&self, place: &K::Place) -> Vec<Choice<K::Place>> {
        let mut choices = self.knowledge.choices(place);
        let mut seen = HashSet::new();
        choices.retain(|choice| seen.insert(choice.to.clone()));
        choices
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, RngExt, SeedableRng};

    use super::*;

    /// A small graph: for each place whose turn it is and where its moves lead; moves go to higher numbers only. What a
    /// place is worth is the best that can be made of it, by minimax.
    struct Graph {
        learners: Vec<bool>,
        moves: Vec<Vec<usize>>,
        worth: Vec<i32>,
    }

    impl Knowledge for Graph {
        type Place = usize;

        fn is_learners(&self, place: &usize) -> bool {
            self.learners[*place]
        }

        fn choices(&self, place: &usize) -> Vec<Choice<usize>> {
            self.moves[*place].iter().map(|to| Choice { to: *to, worth: self.worth[*to] }).collect()
        }
    }

    impl Graph {
        fn new(learners: Vec<bool>, moves: Vec<Vec<usize>>, leaves: Vec<i32>) -> Graph {
            let mut worth = leaves;
            for place in (0..moves.len()).rev() {
                let values = moves[place].iter().map(|to| worth[*to]);
                let best = if learners[place] { values.max() } else { values.min() };
                worth[place] = best.unwrap_or(worth[place]);
            }
            Graph { learners, moves, worth }
        }

        fn random(random: &mut impl Rng) -> Graph {
            let count = random.random_range(2..9);
            let moves = (0..count)
                .map(|place| {
                    let mut to: Vec<usize> = (place + 1..count).filter(|_| random.random_bool(0.5)).collect();
                    to.truncate(3);
                    to
                })
                .collect();
            let learners = (0..count).map(|_| random.random_bool(0.5)).collect();
            let leaves = (0..count).map(|_| random.random_range(-4..5)).collect();
            Graph::new(learners, moves, leaves)
        }

        /// Every tree of lines that a learner might learn from here: the leaves of each. Nothing is shared or remembered.
        fn all_plans(&self, place: usize) -> Vec<Vec<usize>> {
            let moves = &self.moves[place];
            if moves.is_empty() {
                return vec![vec![place]];
            }
            if self.learners[place] {
                return moves.iter().flat_map(|to| self.all_plans(*to)).collect();
            }
            moves.iter().fold(vec![Vec::new()], |plans, to| {
                let more = self.all_plans(*to);
                plans
                    .iter()
                    .flat_map(|plan| more.iter().map(move |also| [plan.clone(), also.clone()].concat()))
                    .collect()
            })
        }
    }

    #[test]
    fn the_count_is_that_of_the_smallest_of_all_plans() {
        let mut random = ChaCha8Rng::seed_from_u64(20);
        let mut larger = 0;
        for _ in 0..2000 {
            let graph = Graph::random(&mut random);
            for tolerance in 0..4 {
                let floor = graph.worth[0] - tolerance;
                let kept = |plan: &Vec<usize>| plan.iter().all(|leaf| graph.worth[*leaf] >= floor);
                let least = graph.all_plans(0).iter().filter(|plan| kept(plan)).map(Vec::len).min();
                let effort = Lines::new(&graph, floor).effort(&0);
                // What minimax promises can be kept, so that no line is open.
                assert_eq!(Some(effort), least.map(|lines| Effort { open: 0, lines: lines as u64 }));
                larger += u32::from(effort.lines > 2);
            }
        }
        assert!(larger > 200, "{larger}");
    }

    #[test]
    fn what_has_to_be_learned_keeps_the_floor_whatever_is_played() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        for _ in 0..500 {
            let graph = Graph::random(&mut random);
            let floor = graph.worth[0] - 1;
            let mut lines = Lines::new(&graph, floor);
            let repertoire = lines.repertoire(&0);
            let mut place = 0;
            let mut plies = 0;
            while !graph.moves[place].is_empty() {
                place = if graph.learners[place] {
                    lines.advice(&place).unwrap().to
                } else {
                    graph.moves[place][random.random_range(0..graph.moves[place].len())]
                };
                plies += 1;
            }
            assert!(graph.worth[place] >= floor && plies <= graph.moves.len());
            assert!(repertoire.decisions <= graph.moves.len());
        }
    }

    /// The example of docs/openings.md.
    fn example() -> Graph {
        let [start, a, b, b1, b2, a1, a2, a3, end] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        let mut moves = vec![Vec::new(); 9];
        (moves[start], moves[a], moves[b]) = (vec![a, b], vec![a1, a2, a3], vec![b1, b2]);
        (moves[b1], moves[b2]) = (vec![end], vec![end]);
        let learners = vec![true, false, false, true, true, true, true, true, false];
        Graph::new(learners, moves, vec![0, 0, 0, 0, 0, 0, 1, 2, -1])
    }

    #[test]
    fn a_worse_move_may_need_fewer_lines() {
        let graph = example();
        assert_eq!((graph.worth[0], graph.worth[1], graph.worth[2]), (0, 0, -1));
        let exact = Lines::new(&graph, 0).repertoire(&0);
        assert_eq!(exact, Repertoire { effort: Effort { open: 0, lines: 3 }, decisions: 1, longest: 2 });
        let loose = Lines::new(&graph, -1).repertoire(&0);
        assert_eq!(loose, Repertoire { effort: Effort { open: 0, lines: 2 }, decisions: 3, longest: 3 });
    }

    #[test]
    fn a_floor_that_nothing_keeps_leaves_open_lines() {
        let graph = example();
        assert_eq!(Lines::new(&graph, 1).effort(&0), Effort { open: 1, lines: 1 });
        let mut forced = example();
        forced.learners[0] = false;
        // Of the replies one keeps the floor of 1 in two lines of three, the other nowhere.
        assert_eq!(Lines::new(&forced, 1).effort(&1), Effort { open: 1, lines: 3 });
        assert_eq!(Lines::new(&forced, 1).effort(&0), Effort { open: 3, lines: 5 });
    }

    #[test]
    fn moves_to_one_position_are_one_line_and_large_numbers_stay() {
        let twice = Graph::new(vec![false, true], vec![vec![1, 1], vec![]], vec![0, 0]);
        assert_eq!(Lines::new(&twice, 0).effort(&0), Effort::LINE);
        // Three replies each time, seventy times: more lines than can be counted.
        let count = 70 * 4 + 1;
        let moves = (0..count).map(|at| match at % 4 {
            _ if at + 1 == count => vec![],
            0 => vec![at + 1, at + 2, at + 3],
            phase => vec![at + 4 - phase],
        });
        let learners = (0..count).map(|at| at % 4 != 0).collect();
        let graph = Graph::new(learners, moves.collect(), vec![0; count]);
        assert_eq!(Lines::new(&graph, 0).effort(&0).lines, u64::MAX);
    }
}
