//! Eigenvalues of small symmetric matrices.

/// A square matrix, row by row.
pub(crate) type Matrix = Vec<Vec<f64>>;

/// A symmetric matrix taken apart: `vectors[row][k]` is the component in this row of the eigenvector of `values[k]`.
#[derive(Clone, Debug)]
pub(crate) struct Eigen {
    pub(crate) values: Vec<f64>,
    pub(crate) vectors: Matrix,
}

/// Sweeps after which a small matrix is long diagonal; convergence is quadratic.
const SWEEPS: usize = 60;

impl Eigen {
    /// Takes a symmetric matrix apart by Jacobi's rotations.
    pub(crate) fn of(matrix: &[Vec<f64>]) -> Eigen {
        let size = matrix.len();
        let mut a = matrix.to_vec();
        let mut vectors = identity(size);
        for _ in 0..SWEEPS {
            let beside: f64 =
                (0..size).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j].abs()).sum();
            if beside == 0.0 {
                break;
            }
            for p in 0..size {
                for q in p + 1..size {
                    rotate(&mut a, &mut vectors, p, q);
                }
            }
        }
        Eigen { values: (0..size).map(|i| a[i][i]).collect(), vectors }
    }

    /// The vectors times a function of the values, times this vector: `B · f(D) · x`.
    pub(crate) fn stretched(&self, vector: &[f64], stretch: impl Fn(f64) -> f64) -> Vec<f64> {
        let weighted: Vec<f64> =
            self.values.iter().zip(vector).map(|(value, x)| stretch(*value) * x).collect();
        self.vectors.iter().map(|row| dot(row, &weighted)).collect()
    }

    /// This vector in the coordinates of the eigenvectors: `Bᵀ · x`.
    pub(crate) fn coordinates(&self, vector: &[f64]) -> Vec<f64> {
        (0..vector.len()).map(|k| self.vectors.iter().zip(vector).map(|(row, x)| row[k] * x).sum()).collect()
    }
}

/// Ones on the diagonal.
pub(crate) fn identity(size: usize) -> Matrix {
    (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect()
}

pub(crate) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

/// Turns the plane of two axes so that the element that connects them vanishes.
fn rotate(a: &mut Matrix, vectors: &mut Matrix, p: usize, q: usize) {
    let connection = a[p][q];
    // An element that cannot change the diagonal any more is as good as 0.
    if connection.abs() <= f64::EPSILON * f64::EPSILON * (a[p][p].abs() + a[q][q].abs()) {
        (a[p][q], a[q][p]) = (0.0, 0.0);
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * connection);
    let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    for row in a.iter_mut().chain(vectors.iter_mut()) {
        let (x, y) = (row[p], row[q]);
        (row[p], row[q]) = (cosine * x - sine * y, sine * x + cosine * y);
    }
    // The other side of the product; p comes before q.
    let (above, below) = a.split_at_mut(q);
    for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
    (a[p][q], a[q][p]) = (0.0, 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_with_known_eigenvalues() {
        // 2 on the diagonal and -1 beside it: the values are 2 - 2·cos(kπ / 7).
        let size = 6;
        let matrix: Matrix = (0..size)
            .map(|i: usize| (0..size).map(|j| [2.0, -1.0, 0.0][i.abs_diff(j).min(2)]).collect())
            .collect();
        let eigen = Eigen::of(&matrix);
        let mut values = eigen.values.clone();
        values.sort_by(f64::total_cmp);
        for (k, value) in values.iter().enumerate() {
            let exact = 2.0 - 2.0 * ((k + 1) as f64 * std::f64::consts::PI / 7.0).cos();
            assert!((value - exact).abs() < 1e-12, "{value} instead of {exact}");
        }
        for (i, row) in matrix.iter().enumerate() {
            for (j, element) in row.iter().enumerate() {
                let rebuilt: f64 =
                    (0..size).map(|k| eigen.vectors[i][k] * eigen.values[k] * eigen.vectors[j][k]).sum();
                assert!((rebuilt - element).abs() < 1e-12);
            }
        }
        let vector = [1.0, -2.0, 3.0, 0.5, 0.0, 9.0];
        let back = eigen.stretched(&eigen.coordinates(&vector), |_| 1.0);
        assert!(back.iter().zip(vector).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn a_diagonal_matrix_is_left_alone() {
        let eigen = Eigen::of(&[vec![3.0, 0.0], vec![0.0, -1.0]]);
        assert_eq!((eigen.values, eigen.vectors), (vec![3.0, -1.0], identity(2)));
        let equal = Eigen::of(&[vec![1.0, 0.5], vec![0.5, 1.0]]);
        assert!((equal.values[0] + equal.values[1] - 2.0).abs() < 1e-15);
    }
}
