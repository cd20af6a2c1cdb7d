use emilia_eval::layout::{Layout, PHASES, empties, phase};
use emilia_eval::shape::PLACES;
use emilia_eval::{Evaluator, Patterns, Score, Weights};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::Sample;

/// Fits pattern weights to samples by stochastic gradient descent on the squared error.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// Passes through the samples.
    pub epochs: usize,
    /// Share of the error that a board corrects in the first pass, spread over its places. It falls linearly to
    /// nothing in the last pass.
    pub rate: f32,
    /// Pull of every weight towards zero each time it is used, as a share of the rate.
    pub decay: f32,
    /// Seed of the order of samples.
    pub seed: u64,
}

/// How well a phase is fitted, in discs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// Samples of the phase.
    pub samples: usize,
    /// Root of the mean squared error.
    pub root_mean_square: f64,
    /// Mean absolute error.
    pub mean_absolute: f64,
}

impl Default for Fit {
    fn default() -> Fit {
        Fit { epochs: 20, rate: 0.5, decay: 0.01, seed: 1 }
    }
}

impl Fit {
    /// Weights for these samples. Phases without samples keep zero weights.
    #[must_use]
    pub fn weights(&self, samples: &[Sample]) -> Weights {
        let mut by_phase = vec![Vec::new(); PHASES];
        for sample in samples {
            by_phase[phase(empties(sample.board))].push(*sample);
        }
        let mut weights = Weights::zero();
        for (at, samples) in by_phase.iter_mut().enumerate() {
            self.fit_phase(samples, &mut weights.phases[at], &mut weights.bias);
        }
        weights
    }

    fn fit_phase(&self, samples: &mut [Sample], out: &mut [i16], bias_out: &mut [i16; 65]) {
        let layout = Layout::shared();
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut weights = vec![0f32; layout.weights()];
        let mut bias = [0f32; 65];
        for epoch in 0..self.epochs {
            for at in (1..samples.len()).rev() {
                samples.swap(at, random.random_range(0..=at));
            }
            let rate = self.rate * (1.0 - epoch as f32 / self.epochs as f32);
            let step = rate / PLACES as f32;
            for sample in samples.iter() {
                let active = layout.active(sample.board);
                let left = empties(sample.board);
                let sum: f32 = active.iter().map(|at| weights[*at as usize]).sum();
                let error = f32::from(sample.score) - sum - bias[left];
                bias[left] += step * error;
                for at in active {
                    let weight = &mut weights[at as usize];
                    *weight += step * (error - self.decay * *weight);
                }
            }
        }
        for (out, weight) in out.iter_mut().zip(&weights) {
            *out = weight.round().clamp(-8000.0, 8000.0) as i16;
        }
        for (out, bias) in bias_out.iter_mut().zip(bias).filter(|(_, bias)| *bias != 0.0) {
            *out = bias.round().clamp(-8000.0, 8000.0) as i16;
        }
    }
}

/// How far the evaluator with these weights is from the samples, per phase.
#[must_use]
pub fn mean_error(patterns: &Patterns, samples: &[Sample]) -> [Loss; PHASES] {
    let mut losses = [Loss::default(); PHASES];
    for sample in samples {
        let score = patterns.score(&patterns.features(sample.board), sample.board);
        let error = f64::from(score.0 - i32::from(sample.score)) / f64::from(Score::PER_DISC);
        let loss = &mut losses[phase(empties(sample.board))];
        loss.samples += 1;
        loss.root_mean_square += error * error;
        loss.mean_absolute += error.abs();
    }
    for loss in losses.iter_mut().filter(|loss| loss.samples > 0) {
        loss.root_mean_square = (loss.root_mean_square / loss.samples as f64).sqrt();
        loss.mean_absolute /= loss.samples as f64;
    }
    losses
}
