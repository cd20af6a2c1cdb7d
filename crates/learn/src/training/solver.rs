use super::equations::{Beginning, Equations};

/// Conjugate gradients on the equations of one phase: after each step the weights are the best that can be found in the
/// directions looked at so far.
///
/// The equations are helped by dividing each by what its unknown counts, so that weights of rare fillings move as
/// quickly as those of common ones.
#[derive(Debug)]
pub(super) struct Solver {
    /// The solution so far.
    pub(super) values: Vec<f64>,
    residue: Vec<f64>,
    direction: Vec<f64>,
    scale: Vec<f64>,
    /// Residue times scaled residue.
    height: f64,
    ridge: f64,
    squares: f64,
    total: f64,
}

impl Solver {
    /// Begins with these values, drawn with the strength of `ridge` positions towards `home`.
    pub(super) fn new(equations: &Equations<'_>, values: Vec<f64>, home: &[f64], ridge: f64) -> Solver {
        let Beginning { pull, weight, squares, total } = equations.begin(&values);
        let drawn = values.iter().zip(home).map(|(value, home)| ridge * (home - value));
        let residue: Vec<f64> = pull.iter().zip(drawn).map(|(pull, drawn)| pull + drawn).collect();
        let far: f64 = values.iter().zip(home).map(|(value, home)| (home - value).powi(2)).sum();
        // A position adds 47 unknowns at once, so each is moved with less force than alone.
        let scale: Vec<f64> = weight.iter().map(|weight| 1.0 / (weight + ridge)).collect();
        let direction: Vec<f64> =
            residue.iter().zip(&scale).map(|(residue, scale)| residue * scale).collect();
        let height = dot(&residue, &direction);
        Solver { values, residue, direction, scale, height, ridge, squares: squares + ridge * far, total }
    }

    /// One step: one pass through the positions. Returns whether there is anything left to gain.
    pub(super) fn step(&mut self, equations: &Equations<'_>) -> bool {
        if self.height <= 0.0 || !self.height.is_finite() {
            return false;
        }
        let mut image = equations.apply(&self.direction);
        for (image, direction) in image.iter_mut().zip(&self.direction) {
            *image += self.ridge * direction;
        }
        let steepness = dot(&self.direction, &image);
        if steepness <= 0.0 || !steepness.is_finite() {
            return false;
        }
        let length = self.height / steepness;
        self.squares -= length * self.height;
        for (value, direction) in self.values.iter_mut().zip(&self.direction) {
            *value += length * direction;
        }
        for (residue, image) in self.residue.iter_mut().zip(&image) {
            *residue -= length * image;
        }
        let scaled: Vec<f64> =
            self.residue.iter().zip(&self.scale).map(|(residue, scale)| residue * scale).collect();
        let height = dot(&self.residue, &scaled);
        let keep = height / self.height;
        for (direction, scaled) in self.direction.iter_mut().zip(&scaled) {
            *direction = scaled + keep * *direction;
        }
        self.height = height;
        true
    }

    /// The root of the mean squared error, in 128ths of a disc; what draws the weights home counted in.
    pub(super) fn root_mean_square(&self) -> f64 {
        if self.total > 0.0 { (self.squares.max(0.0) / self.total).sqrt() } else { 0.0 }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Labelled, Origin};
    use crate::training::equations::unknowns;
    use emilia_eval::layout::Layout;
    use emilia_eval::shape::PLACES;
    use emilia_rules::{Board, SquareSet};

    fn positions() -> Vec<Labelled> {
        let mut positions = Vec::new();
        for seed in 0..120usize {
            let mut board = Board::START;
            for ply in 0..30 {
                let moves = board.moves();
                if moves.is_empty() {
                    break;
                }
                let pick = (seed * 7 + ply * ply * 3) % moves.into_iter().count();
                board = board.play(moves.into_iter().nth(pick).unwrap());
            }
            // The truth is a sum over places, so it can be found.
            let active: [u32; PLACES] = Layout::shared().active(board);
            let score = active.iter().map(|at| (*at as i32 * 37 % 101) - 50).sum::<i32>() as i16;
            positions.push(Labelled { board, score, origin: Origin::Exact, game: seed as u32 });
        }
        positions
    }

    #[test]
    fn a_sum_over_places_is_found() {
        let positions = positions();
        let equations = Equations::new(&positions, 2);
        let home = vec![0.0; unknowns()];
        let mut solver = Solver::new(&equations, home.clone(), &home, 1e-3);
        let first = solver.root_mean_square();
        let mut last = first;
        for _ in 0..40 {
            if !solver.step(&equations) {
                break;
            }
            assert!(solver.root_mean_square() <= last + 1e-6);
            last = solver.root_mean_square();
        }
        assert!(last < first / 100.0, "{first} {last}");
        let again = Solver::new(&equations, solver.values.clone(), &home, 1e-3);
        assert!((again.root_mean_square() - last).abs() < 0.01, "the error is known without looking");
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let positions = positions();
        let solved = |threads| {
            let many = positions.repeat(100);
            let equations = Equations::new(&many, threads);
            let home = vec![0.0; unknowns()];
            let mut solver = Solver::new(&equations, home.clone(), &home, 1.0);
            (0..2).for_each(|_| assert!(solver.step(&equations)));
            solver.values
        };
        assert!(solved(1) == solved(3));
    }

    #[test]
    fn a_strong_ridge_keeps_the_weights_at_home() {
        let positions = positions();
        let equations = Equations::new(&positions, 1);
        let home = vec![7.0; unknowns()];
        let mut solver = Solver::new(&equations, vec![0.0; unknowns()], &home, 1e9);
        for _ in 0..20 {
            solver.step(&equations);
        }
        assert!(solver.values.iter().all(|value| (value - 7.0).abs() < 0.01));
    }
}
