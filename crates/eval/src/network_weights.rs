use crate::WeightsError;
use crate::file::{Kind, open};
use crate::integers::Input;
use crate::layout::Layout;

/// Numbers in a row.
pub(crate) const WIDTH: usize = 64;
/// Neurons.
pub(crate) const HIDDEN: usize = 16;
/// Sets of layers.
pub(crate) const STACKS: usize = 16;
/// Rows for the number of moves of one side; so many moves or more share the last.
pub(crate) const MOBILITIES: usize = 32;
/// Rows of a bucket beside those of the shapes: for the moves of either side and for the empty squares.
pub(crate) const EXTRA: usize = 2 * MOBILITIES + EMPTIES;
/// Numbers of empty squares.
pub(crate) const EMPTIES: usize = 65;
/// The most empty squares of each bucket of rows but the last.
const BUCKET_ENDS: [usize; BUCKETS - 1] = [15, 27, 39];
/// Sets of rows.
pub(crate) const BUCKETS: usize = 4;

/// The largest number in a row: four of them fit a byte.
const LARGEST: u8 = 31;

/// A row: what one filling of one place adds to the sum. It is a line of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Row(pub(crate) [i8; WIDTH]);

impl Row {
    pub(crate) const ZERO: Row = Row([0; WIDTH]);
}

/// The integers of a [`Network`](crate::Network), as they stand in its file.
///
/// The body of the file, after the header that all kinds of weights have, is made of variable-length integers: the
/// sizes; the rows of the shapes and the other rows that all buckets share, both column by column and without rows tied to
/// another by symmetry; for each bucket what it adds to these, in the same order; then weights and constants of the
/// neurons, of the output, and the shares of the plain sum.
/// A zero is followed by how many more zeros follow it, anew for each of these parts.
#[derive(Clone, Debug)]
pub struct NetworkWeights {
    /// Per bucket the rows of the shapes' fillings, without those tied to another by symmetry.
    pub(crate) rows: Vec<Vec<Row>>,
    /// Per bucket the other rows: own moves, the opponent's, empty squares.
    pub(crate) extra: Vec<[Row; EXTRA]>,
    /// The layers for every four empty squares.
    pub(crate) stacks: Vec<Stack>,
}

/// The layers after the sum.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    /// Weights of each neuron: of the positive numbers of the sum, then of the negative ones.
    pub(crate) first: [[i8; 2 * WIDTH]; HIDDEN],
    pub(crate) first_bias: [i32; HIDDEN],
    /// What the neurons count, then their squares.
    pub(crate) out: [i16; 2 * HIDDEN],
    pub(crate) out_bias: i32,
    /// What the first number of the sum counts by itself.
    pub(crate) plain: i16,
}

impl Stack {
    const ZERO: Stack = Stack {
        first: [[0; 2 * WIDTH]; HIDDEN],
        first_bias: [0; HIDDEN],
        out: [0; 2 * HIDDEN],
        out_bias: 0,
        plain: 0,
    };
}

/// The bucket of a board with so many empty squares.
#[inline(always)]
pub(crate) const fn bucket(empties: usize) -> usize {
    (empties > BUCKET_ENDS[0]) as usize
        + (empties > BUCKET_ENDS[1]) as usize
        + (empties > BUCKET_ENDS[2]) as usize
}

/// The layers of a board with so many empty squares.
#[inline(always)]
pub(crate) const fn stack(empties: usize) -> usize {
    let stack = empties / 4;
    if stack < STACKS { stack } else { STACKS - 1 }
}

impl NetworkWeights {
    /// The largest constants: with them no sum of a score can overflow.
    const LARGEST_BIAS: i32 = 1 << 25;

    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<NetworkWeights, WeightsError> {
        let layout = Layout::shared();
        let mut input = Input { bytes: open(bytes, Kind::Network)?, at: 0 };
        let sizes = [
            ("rows of shapes", layout.weights()),
            ("numbers in a row", WIDTH),
            ("neurons", HIDDEN),
            ("sets of layers", STACKS),
            ("other rows", EXTRA),
            ("buckets", BUCKETS),
            ("empty squares in the first bucket", BUCKET_ENDS[0]),
            ("empty squares in the second bucket", BUCKET_ENDS[1]),
            ("empty squares in the third bucket", BUCKET_ENDS[2]),
        ];
        for (what, expected) in sizes {
            input.expect(what, expected)?;
        }
        let mut weights = NetworkWeights {
            rows: Vec::with_capacity(BUCKETS),
            extra: Vec::with_capacity(BUCKETS),
            stacks: vec![Stack::ZERO; STACKS],
        };
        let own = layout.own_weights();
        let shared = Columns::read(&mut input, own)?;
        for _ in 0..BUCKETS {
            let bucket = Columns::read(&mut input, own)?.plus(&shared)?;
            weights.rows.push(rows(&bucket.shapes));
            let extra = rows(&bucket.extra).try_into();
            weights.extra.push(extra.expect("so many columns of this length were read"));
        }
        let stacks = &mut weights.stacks;
        input.runs(stacks.iter_mut().flat_map(|stack| stack.first.iter_mut().flatten()))?;
        input.runs(stacks.iter_mut().flat_map(|stack| &mut stack.first_bias))?;
        input.runs(stacks.iter_mut().flat_map(|stack| &mut stack.out))?;
        input.runs(stacks.iter_mut().map(|stack| &mut stack.out_bias))?;
        input.runs(stacks.iter_mut().map(|stack| &mut stack.plain))?;
        input.end()?;
        for stack in stacks {
            for bias in stack.first_bias.iter().chain([&stack.out_bias]) {
                if bias.unsigned_abs() > Self::LARGEST_BIAS as u32 {
                    return Err(WeightsError::TooLarge(i64::from(*bias)));
                }
            }
        }
        Ok(weights)
    }
}

/// How many rows are put together from their columns at a time.
const ROWS_AT_A_TIME: usize = 256;

/// Rows as a file has them, column by column: those that all buckets share, or what one of these adds.
struct Columns {
    shapes: Vec<i8>,
    extra: Vec<i8>,
}

impl Columns {
    /// The columns of so many rows of shapes, and of the others.
    fn read(input: &mut Input, own: usize) -> Result<Columns, WeightsError> {
        let mut columns = Columns { shapes: vec![0; own * WIDTH], extra: vec![0; EXTRA * WIDTH] };
        input.runs(columns.shapes.iter_mut())?;
        input.runs(columns.extra.iter_mut())?;
        Ok(columns)
    }

    /// The sum of both, if four such sums fit a byte.
    fn plus(mut self, other: &Columns) -> Result<Columns, WeightsError> {
        for (sum, other) in [(&mut self.shapes, &other.shapes), (&mut self.extra, &other.extra)] {
            sum.iter_mut().zip(other).for_each(|(sum, other)| *sum = sum.saturating_add(*other));
            // All of them, rather than the first that is too large: so the compiler compares many at a time.
            let largest = sum.iter().fold(0, |largest, number| number.unsigned_abs().max(largest));
            if largest > LARGEST {
                return Err(WeightsError::TooLarge(largest.into()));
            }
        }
        Ok(self)
    }
}

/// The rows with these columns.
fn rows(columns: &[i8]) -> Vec<Row> {
    let count = columns.len() / WIDTH;
    let mut rows = vec![Row::ZERO; count];
    // Few rows at a time, so that these stay in the cache for all columns.
    for (block, some) in rows.chunks_mut(ROWS_AT_A_TIME).enumerate() {
        for (column, values) in columns.chunks_exact(count).enumerate() {
            for (row, value) in some.iter_mut().zip(&values[block * ROWS_AT_A_TIME..]) {
                row.0[column] = *value;
            }
        }
    }
    rows
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::file::seal;
    use crate::integers::{push, push_runs};

    /// A file of weights that nobody trained, with values of every size.
    pub(crate) fn sample() -> Vec<u8> {
        let own = Layout::shared().own_weights();
        let mut random = 1u64;
        let mut values = |count: usize, most: i64| -> Vec<i64> {
            let next = |_| {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(7);
                let value = (random >> 33) as i64 % (2 * most + 1) - most;
                // Runs of zeros, as in trained weights.
                if random >> 62 == 0 { 0 } else { value }
            };
            (0..count).map(next).collect()
        };
        let mut body = Vec::new();
        let sizes = [Layout::shared().weights(), WIDTH, HIDDEN, STACKS, EXTRA, BUCKETS, 15, 27, 39];
        sizes.iter().for_each(|size| push(&mut body, *size as i64));
        for most in [20, 11, 11, 11, 11] {
            push_runs(&mut body, &values(own * WIDTH, most));
            push_runs(&mut body, &values(EXTRA * WIDTH, most));
        }
        push_runs(&mut body, &values(STACKS * HIDDEN * 2 * WIDTH, 127));
        push_runs(&mut body, &values(STACKS * HIDDEN, 4096));
        push_runs(&mut body, &values(STACKS * 2 * HIDDEN, 500));
        push_runs(&mut body, &values(STACKS, 30_000));
        push_runs(&mut body, &values(STACKS, 1500));
        seal(Kind::Network, &body)
    }

    #[test]
    fn every_row_stands_where_its_columns_say() {
        let weights = NetworkWeights::read(&sample()).unwrap();
        let columns: Vec<i8> = (0..WIDTH as i8).flat_map(|column| [column, -column]).collect();
        let ascending = Row(std::array::from_fn(|column| column as i8));
        assert_eq!(rows(&columns), [ascending, Row(ascending.0.map(|number| -number))]);
        for rows in &weights.rows {
            assert_eq!(rows.len(), Layout::shared().own_weights());
            assert_ne!(rows[0], rows[1]);
        }
        assert_ne!(weights.extra[0][0], weights.extra[0][EXTRA - 1]);
        assert_ne!(weights.stacks[0].first, weights.stacks[15].first);
    }

    #[test]
    fn every_empty_square_counts_once() {
        assert_eq!([0, 15, 16, 27, 28, 39, 40, 64].map(bucket), [0, 0, 1, 1, 2, 2, 3, 3]);
        assert_eq!([0, 3, 4, 60, 64].map(stack), [0, 0, 1, 15, 15]);
    }

    #[test]
    fn bad_networks_are_refused() {
        let sealed = |numbers: &[i64]| {
            let mut body = Vec::new();
            numbers.iter().for_each(|number| push(&mut body, *number));
            NetworkWeights::read(&seal(Kind::Network, &body)).map(drop)
        };
        let rows = Layout::shared().weights() as i64;
        assert!(matches!(sealed(&[rows, 8]), Err(WeightsError::OtherSize { found: 8, .. })));
        let mut numbers = vec![rows, WIDTH as i64, 16, 16, 129, 4, 15, 27, 39, 128];
        assert_eq!(sealed(&numbers), Err(WeightsError::TooLarge(128)));
        numbers.pop();
        // Every part one run of zeros; a run may say more than there is room for.
        numbers.extend([0, i64::from(i32::MAX)].repeat(2 * 5 + 5));
        assert_eq!(sealed(&numbers), Ok(()));
        *numbers.last_mut().unwrap() = 2;
        assert!(matches!(sealed(&numbers), Err(WeightsError::Truncated(_))));
        // A row that the buckets share and what the first of them adds: four such sums must fit a byte.
        for (added, expected) in [(11, Ok(())), (12, Err(WeightsError::TooLarge(32)))] {
            let mut numbers = vec![rows, WIDTH as i64, 16, 16, 129, 4, 15, 27, 39];
            let zeros = [0, i64::from(i32::MAX)];
            numbers.extend([&[20][..], &zeros, &zeros, &[added], &zeros, &zeros].concat());
            numbers.extend(zeros.repeat(2 * 3 + 5));
            assert_eq!(sealed(&numbers), expected, "{added}");
        }
        assert!(matches!(crate::Weights::read(&sample()), Err(WeightsError::OtherKind { .. })));
    }
}
