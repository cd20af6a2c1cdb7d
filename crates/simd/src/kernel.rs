use crate::Tier;

/// Flips and move generation for one kind of processor.
///
/// Law: every kernel gives the results of [`Portable`](crate::Portable).
pub trait Kernel: Copy + Send + Sync + 'static {
    /// The tier this kernel belongs to.
    fn tier(self) -> Tier;

    /// The empty squares where `own` closes in at least one line of `opponent` discs.
    fn moves(self, own: u64, opponent: u64) -> u64;

    /// The discs that `own` flips by placing on `square` (0…63), which must be empty; 0 if the move is illegal.
    fn flips(self, own: u64, opponent: u64, square: u32) -> u64;

    /// How many discs `own` flips by placing on `square` (0…63) if that is the last empty square of the board:
    /// every other square that is not `own` is the opponent's.
    #[inline(always)]
    fn last_flips(self, own: u64, square: u32) -> u32 {
        self.flips(own, !own & !(1u64 << (square & 63)), square).count_ones()
    }

    /// What stands on the edges of the board, on rows 1 and 8 and on columns a and h: own discs in the lower byte, the
    /// opponent's in the higher one, in each of them the square nearest to a1 in the lowest bit.
    #[inline(always)]
    fn edges(self, own: u64, opponent: u64) -> [u16; 4] {
        const COLUMN_A: u64 = 0x0101_0101_0101_0101;
        // The multiplication gathers a column in the highest byte.
        let gather = |column: u64| (column & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let both = |own: u64, opponent: u64| own as u16 | (opponent as u16) << 8;
        [
            both(own & 0xff, opponent),
            both(own >> 56, opponent >> 56),
            both(gather(own), gather(opponent)),
            both(gather(own >> 7), gather(opponent >> 7)),
        ]
    }

    /// Adds four rows of 64 bytes to 64 sums; what does not fit wraps around. No byte may be above 31 or below −32: four of
    /// them are added in one.
    #[inline(always)]
    fn add_rows(self, mut sums: [i16; 64], rows: [&[i8; 64]; 4]) -> [i16; 64] {
        for (at, sum) in sums.iter_mut().enumerate() {
            let four = rows.iter().fold(0i8, |four, row| four.wrapping_add(row[at]));
            *sum = sum.wrapping_add(i16::from(four));
        }
        sums
    }

    /// Adds to each of sixteen sums the 32 inputs times its weights. The weights come in the order in which they are
    /// needed: four inputs at a time, for these the four weights of every sum.
    ///
    /// No input may be above 63, so that the products of two times two inputs fit 16 bits; sums must be small enough not to
    /// overflow.
    #[inline(always)]
    fn add_products(self, sums: [i32; 16], inputs: &[u8; 32], weights: &[[[i8; 4]; 16]; 8]) -> [i32; 16] {
        let mut sums = sums;
        for (inputs, weights) in inputs.chunks_exact(4).zip(weights) {
            for (sum, weights) in sums.iter_mut().zip(weights) {
                for (input, weight) in inputs.iter().zip(weights) {
                    *sum = sum.wrapping_add(i32::from(*input) * i32::from(*weight));
                }
            }
        }
        sums
    }

    /// What sixteen numbers have above zero, and then what they have below, each cut off at 63.
    #[inline(always)]
    fn split_signs(self, numbers: [i16; 16]) -> [u8; 32] {
        let cut = |number: i16| number.clamp(0, 63) as u8;
        std::array::from_fn(|at| match numbers.get(at) {
            Some(number) => cut(*number),
            None => cut(numbers[at - 16].wrapping_neg()),
        })
    }

    /// Sixteen numbers and their squares times their weights, all added up; the numbers are divided by 32 before, rounded
    /// down, and cut off below zero and above 127, the squares of that divided by 128, rounded down. The sum must be small
    /// enough not to overflow.
    #[inline(always)]
    fn weigh(self, numbers: [i32; 16], weights: &[[i16; 2]; 16]) -> i32 {
        let parts = numbers.iter().zip(weights).map(|(number, [weight, of_square])| {
            let number = (number >> 5).clamp(0, 127);
            number * i32::from(*weight) + ((number * number) >> 7) * i32::from(*of_square)
        });
        parts.fold(0, i32::wrapping_add)
    }

    /// Asks the processor to bring this value near, because it will be needed soon.
    #[inline(always)]
    fn prefetch<T>(self, _value: &T) {}

    /// Runs `body` compiled for this processor.
    ///
    /// What is to profit must be inlined into the body. A function that calls itself is not inlined, so a
    /// recursive search enters anew at each node: it costs no more than the call it replaces.
    fn enter<R>(self, body: impl FnOnce() -> R) -> R;

    /// Runs `body` likewise on a board, a bound and two more words, all of which stay in registers. What a closure
    /// captures goes through memory, and the search of the last empty squares is short enough to feel it.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "put together they would go through memory")]
    fn enter_with<S, R>(
        self,
        body: impl FnOnce(S, u64, u64, i32, u64, u64) -> R,
        state: S,
        own: u64,
        opponent: u64,
        alpha: i32,
        first: u64,
        second: u64,
    ) -> R {
        self.enter(
            #[inline(always)]
            || body(state, own, opponent, alpha, first, second),
        )
    }
}
