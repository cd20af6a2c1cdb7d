use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use emilia_eval::layout::Layout;
use emilia_eval::shape::PLACES;

use super::set::trust;
use crate::data::Labelled;

/// The equations that the weights of a phase fulfil when their squared error is least.
///
/// Unknowns are the weights of the phase, then 65 constants by number of empty squares. Both in 128ths of a disc.
pub(super) struct Equations<'a> {
    positions: &'a [Labelled],
    threads: usize,
}

/// Positions are summed up in parts whose number does not depend on the number of threads, so nor does the result: at
/// most so many, of at least so many positions.
const PARTS: usize = 32;
const SMALLEST_PART: usize = 5000;

/// One row of the problem: which unknowns a position adds up, and how much it counts.
struct Row {
    active: [u32; PLACES],
    bias: usize,
    trust: f64,
}

impl Row {
    fn new(layout: &Layout, labelled: &Labelled) -> Row {
        Row {
            active: layout.active(labelled.board),
            bias: layout.weights() + usize::from(labelled.empties()),
            trust: trust(labelled.origin),
        }
    }

    fn sum(&self, values: &[f32]) -> f64 {
        let patterns: f32 = self.active.iter().map(|at| values[*at as usize]).sum();
        f64::from(patterns + values[self.bias])
    }

    fn add(&self, out: &mut [f64], value: f64) {
        for at in self.active {
            out[at as usize] += value;
        }
        out[self.bias] += value;
    }
}

/// Number of unknowns.
#[must_use]
pub(super) fn unknowns() -> usize {
    Layout::shared().weights() + 65
}

/// Where a solution begins: how far it is off.
pub(super) struct Beginning {
    /// Per unknown the sum of the errors of its positions, score less sum.
    pub(super) pull: Vec<f64>,
    /// Per unknown the sum of what its positions count.
    pub(super) weight: Vec<f64>,
    /// The sum of squared errors, and of what the positions count.
    pub(super) squares: f64,
    pub(super) total: f64,
}

impl<'a> Equations<'a> {
    pub(super) fn new(positions: &'a [Labelled], threads: usize) -> Equations<'a> {
        Equations { positions, threads: threads.max(1) }
    }

    /// How far these weights are off.
    pub(super) fn begin(&self, values: &[f64]) -> Beginning {
        let values = narrow(values);
        let parts = self.each_part(|part| {
            let layout = Layout::shared();
            let (mut pull, mut weight) = (vec![0.0; values.len()], vec![0.0; values.len()]);
            let (mut squares, mut total) = (0.0, 0.0);
            for labelled in part {
                let row = Row::new(layout, labelled);
                let error = f64::from(labelled.score) - row.sum(&values);
                row.add(&mut pull, row.trust * error);
                row.add(&mut weight, row.trust);
                squares += row.trust * error * error;
                total += row.trust;
            }
            Beginning { pull, weight, squares, total }
        });
        let zero = vec![0.0; values.len()];
        let empty = Beginning { pull: zero.clone(), weight: zero, squares: 0.0, total: 0.0 };
        parts.into_iter().fold(empty, |mut sum, part| {
            add(&mut sum.pull, &part.pull);
            add(&mut sum.weight, &part.weight);
            sum.squares += part.squares;
            sum.total += part.total;
            sum
        })
    }

    /// What the left side of the equations makes of these values.
    pub(super) fn apply(&self, values: &[f64]) -> Vec<f64> {
        let values = narrow(values);
        let parts = self.each_part(|part| {
            let layout = Layout::shared();
            let mut out = vec![0.0; values.len()];
            for labelled in part {
                let row = Row::new(layout, labelled);
                row.add(&mut out, row.trust * row.sum(&values));
            }
            out
        });
        parts.into_iter().fold(vec![0.0; values.len()], |mut sum, part| {
            add(&mut sum, &part);
            sum
        })
    }

    /// Works on all parts of the positions and returns the results in order.
    fn each_part<T: Send>(&self, work: impl Fn(&[Labelled]) -> T + Sync) -> Vec<T> {
        let size = self.positions.len().div_ceil(PARTS).max(SMALLEST_PART);
        let parts: Vec<&[Labelled]> = self.positions.chunks(size).collect();
        let done: Vec<Mutex<Option<T>>> = parts.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.threads.min(parts.len()) {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(part) = parts.get(at) else { break };
                        let result = work(part);
                        if let Ok(mut slot) = done[at].lock() {
                            *slot = Some(result);
                        }
                    }
                });
            }
        });
        done.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()).collect()
    }
}

fn add(sum: &mut [f64], part: &[f64]) {
    for (sum, part) in sum.iter_mut().zip(part) {
        *sum += part;
    }
}

/// Tables of single precision fit into a cache; sums are still kept in double.
fn narrow(values: &[f64]) -> Vec<f32> {
    values.iter().map(|value| *value as f32).collect()
}
