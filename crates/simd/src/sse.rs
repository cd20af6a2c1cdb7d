//! The kernel for x86-64 processors without registers of 256 bits: small laptops and computers from before 2013.
//!
//! As in the browser, a register holds the board and the board upside down. What goes towards lower squares on the one
//! goes towards higher squares on the other, so one shift serves both ways; only the row itself is looked at by ordinary
//! words.
#![allow(unsafe_code)]

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::*;

use crate::lines::last_flips_by_products;
use crate::rays::{INNER_COLUMNS, PAIRS, flips_on_row, moves_on_row};
use crate::tier::Kind;
use crate::{Kernel, Tier};

/// Processors from about 2009 on: a line both ways at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sse4(Witness);

/// Private, so that only [`Sse4::detect`] can make a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Witness;

impl Sse4 {
    pub(crate) fn detect() -> Option<Sse4> {
        let present = is_x86_feature_detected!("sse4.2")
            && is_x86_feature_detected!("ssse3")
            && is_x86_feature_detected!("popcnt");
        present.then_some(Sse4(Witness))
    }
}

#[target_feature(enable = "sse4.2,ssse3,popcnt")]
fn with_sse4<R>(body: impl FnOnce() -> R) -> R {
    body()
}

#[target_feature(enable = "sse4.2,ssse3,popcnt")]
fn on_board_with_sse4<S, R>(
    body: impl FnOnce(S, u64, u64, i32, u64, u64) -> R,
    state: S,
    own: u64,
    opponent: u64,
    alpha: i32,
    first: u64,
    second: u64,
) -> R {
    body(state, own, opponent, alpha, first, second)
}

impl Kernel for Sse4 {
    fn tier(self) -> Tier {
        Tier(Kind::Sse4(self))
    }

    #[inline(always)]
    fn moves(self, own: u64, opponent: u64) -> u64 {
        let inner = opponent & INNER_COLUMNS;
        // SAFETY: `self` exists, so the processor has SSE4.
        let found = unsafe {
            let (both, inner_both) = (upside_down_too(own), upside_down_too(inner));
            let diagonals =
                _mm_or_si128(reached::<7, 14>(both, inner_both), reached::<9, 18>(both, inner_both));
            together(_mm_or_si128(diagonals, reached::<8, 16>(both, upside_down_too(opponent))))
        };
        (found | moves_on_row(own, inner)) & !(own | opponent)
    }

    #[inline(always)]
    fn flips(self, own: u64, opponent: u64, square: u32) -> u64 {
        let square = square & 63;
        let pairs: *const __m128i = PAIRS[square as usize].0.as_ptr().cast();
        // SAFETY: `self` exists, so the processor has SSE4; `pairs` points at three pairs of words, aligned.
        let flipped = unsafe {
            let (own, opponent) = (upside_down_too(own), upside_down_too(opponent));
            let first = closed_in(_mm_load_si128(pairs), own, opponent);
            let second = closed_in(_mm_load_si128(pairs.add(1)), own, opponent);
            let third = closed_in(_mm_load_si128(pairs.add(2)), own, opponent);
            together(_mm_or_si128(_mm_or_si128(first, second), third))
        };
        flipped | flips_on_row(own, opponent, square)
    }

    #[inline(always)]
    fn last_flips(self, own: u64, square: u32) -> u32 {
        last_flips_by_products(own, square)
    }

    #[inline(always)]
    fn edges(self, own: u64, opponent: u64) -> [u16; 4] {
        // SAFETY: `self` exists, so the processor has SSE4.
        unsafe { edges_at_once(own, opponent) }
    }

    #[inline(always)]
    fn add_rows(self, sums: [i16; 64], rows: [&[i8; 64]; 4]) -> [i16; 64] {
        // SAFETY: `self` exists, so the processor has SSE4; the arrays are as long as the registers.
        unsafe {
            let mut sums: [__m128i; 8] = std::mem::transmute(sums);
            let [a, b, c, d]: [[__m128i; 4]; 4] = std::mem::transmute(rows.map(|row| *row));
            for at in 0..4 {
                let row = _mm_add_epi8(_mm_add_epi8(a[at], b[at]), _mm_add_epi8(c[at], d[at]));
                sums[2 * at] = _mm_add_epi16(sums[2 * at], _mm_cvtepi8_epi16(row));
                let high = _mm_cvtepi8_epi16(_mm_unpackhi_epi64(row, row));
                sums[2 * at + 1] = _mm_add_epi16(sums[2 * at + 1], high);
            }
            std::mem::transmute(sums)
        }
    }

    #[inline(always)]
    fn add_products(self, sums: [i32; 16], inputs: &[u8; 32], weights: &[[[i8; 4]; 16]; 8]) -> [i32; 16] {
        // SAFETY: `self` exists, so the processor has SSE4; references to arrays are as long as what is loaded.
        unsafe {
            let mut sums: [__m128i; 4] = std::mem::transmute(sums);
            for (inputs, weights) in inputs.as_chunks::<8>().0.iter().zip(weights.as_chunks::<2>().0) {
                let first = _mm_set1_epi32(i32::from_le_bytes([inputs[0], inputs[1], inputs[2], inputs[3]]));
                let second = _mm_set1_epi32(i32::from_le_bytes([inputs[4], inputs[5], inputs[6], inputs[7]]));
                let weights: *const __m128i = weights.as_ptr().cast();
                for (at, sum) in sums.iter_mut().enumerate() {
                    let pairs = _mm_add_epi16(
                        _mm_maddubs_epi16(first, _mm_loadu_si128(weights.add(at))),
                        _mm_maddubs_epi16(second, _mm_loadu_si128(weights.add(4 + at))),
                    );
                    *sum = _mm_add_epi32(*sum, _mm_madd_epi16(pairs, _mm_set1_epi16(1)));
                }
            }
            std::mem::transmute(sums)
        }
    }

    #[inline(always)]
    fn split_signs(self, numbers: [i16; 16]) -> [u8; 32] {
        // SAFETY: `self` exists, so the processor has SSE4; the arrays are as long as the registers.
        unsafe {
            let [low, high]: [__m128i; 2] = std::mem::transmute(numbers);
            let zero = _mm_setzero_si128();
            // Packing cuts off at 127.
            let above = _mm_packs_epi16(_mm_max_epi16(low, zero), _mm_max_epi16(high, zero));
            let (low, high) = (_mm_sub_epi16(zero, low), _mm_sub_epi16(zero, high));
            let below = _mm_packs_epi16(_mm_max_epi16(low, zero), _mm_max_epi16(high, zero));
            let most = _mm_set1_epi8(63);
            std::mem::transmute([_mm_min_epu8(above, most), _mm_min_epu8(below, most)])
        }
    }

    #[inline(always)]
    fn weigh(self, numbers: [i32; 16], weights: &[[i16; 2]; 16]) -> i32 {
        // SAFETY: `self` exists, so the processor has SSE4; arrays are as long as the registers.
        unsafe {
            let numbers: [__m128i; 4] = std::mem::transmute(numbers);
            let weights: *const __m128i = weights.as_ptr().cast();
            let (none, most) = (_mm_setzero_si128(), _mm_set1_epi32(127));
            let mut four = none;
            for (at, number) in numbers.into_iter().enumerate() {
                let cut = _mm_min_epi32(_mm_max_epi32(_mm_srai_epi32::<5>(number), none), most);
                // The upper half of each word is free for the square.
                let squares = _mm_slli_epi32::<16>(_mm_srli_epi32::<7>(_mm_madd_epi16(cut, cut)));
                let both = _mm_madd_epi16(_mm_or_si128(cut, squares), _mm_loadu_si128(weights.add(at)));
                four = _mm_add_epi32(four, both);
            }
            let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
            _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
        }
    }

    #[inline(always)]
    fn prefetch<T>(self, value: &T) {
        // SAFETY: a prefetch reads nothing, it is a hint; `value` is a valid address besides.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }

    #[inline(always)]
    fn enter<R>(self, body: impl FnOnce() -> R) -> R {
        // SAFETY: `self` exists, so the processor has SSE4.
        unsafe { with_sse4(body) }
    }

    #[inline(always)]
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
        // SAFETY: `self` exists, so the processor has SSE4.
        unsafe { on_board_with_sse4(body, state, own, opponent, alpha, first, second) }
    }
}

/// What stands on the edges of the board: see [`Kernel::edges`].
///
/// # Safety
/// The processor must have SSE4.
#[inline(always)]
pub(crate) unsafe fn edges_at_once(own: u64, opponent: u64) -> [u16; 4] {
    // SAFETY: by the contract of this function.
    unsafe {
        let (own, opponent) = (_mm_cvtsi64_si128(own as i64), _mm_cvtsi64_si128(opponent as i64));
        // A row of both sides is a word here, and there the highest bits of all bytes are a column of both sides.
        let rows = _mm_unpacklo_epi8(own, opponent);
        let columns = _mm_unpacklo_epi64(own, opponent);
        [
            _mm_extract_epi16::<0>(rows) as u16,
            _mm_extract_epi16::<7>(rows) as u16,
            _mm_movemask_epi8(_mm_slli_epi64::<7>(columns)) as u16,
            _mm_movemask_epi8(columns) as u16,
        ]
    }
}

/// A board beside the same board upside down.
///
/// # Safety
/// The processor must have SSSE3.
#[inline(always)]
unsafe fn upside_down_too(board: u64) -> __m128i {
    // SAFETY: by the contract of this function.
    unsafe {
        let order = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0);
        _mm_shuffle_epi8(_mm_cvtsi64_si128(board as i64), order)
    }
}

/// What is set on the board, or on the one upside down that stands beside it.
#[inline(always)]
fn together(both: __m128i) -> u64 {
    // SAFETY: every x86-64 processor has these instructions.
    let (board, turned) =
        unsafe { (_mm_cvtsi128_si64(both), _mm_cvtsi128_si64(_mm_unpackhi_epi64(both, both))) };
    board as u64 | (turned as u64).swap_bytes()
}

/// The squares beyond the runs of `between` that begin beside `own`, in steps of so many squares upwards.
#[inline(always)]
fn reached<const STEP: i32, const TWO_STEPS: i32>(own: __m128i, between: __m128i) -> __m128i {
    // SAFETY: every x86-64 processor has these instructions.
    unsafe {
        let mut run = _mm_and_si128(_mm_slli_epi64::<STEP>(own), between);
        run = _mm_or_si128(run, _mm_and_si128(_mm_slli_epi64::<STEP>(run), between));
        let pairs = _mm_and_si128(between, _mm_slli_epi64::<STEP>(between));
        run = _mm_or_si128(run, _mm_and_si128(_mm_slli_epi64::<TWO_STEPS>(run), pairs));
        run = _mm_or_si128(run, _mm_and_si128(_mm_slli_epi64::<TWO_STEPS>(run), pairs));
        _mm_slli_epi64::<STEP>(run)
    }
}

/// The opponent's discs on a line towards higher squares that lie before the first that is ours.
///
/// # Safety
/// The processor must have SSE4.1.
#[inline(always)]
unsafe fn closed_in(line: __m128i, own: __m128i, opponent: __m128i) -> __m128i {
    // SAFETY: by the contract of this function.
    unsafe {
        // The lowest square of the line that is not the opponent's ends the run.
        let end = _mm_andnot_si128(opponent, line);
        let end = _mm_and_si128(_mm_and_si128(end, _mm_sub_epi64(_mm_setzero_si128(), end)), own);
        // What lies below it; everything, if there is none: that takes one less from nothing, and is taken away again.
        let open = _mm_cmpeq_epi64(end, _mm_setzero_si128());
        let before = _mm_add_epi64(end, _mm_set1_epi64x(-1));
        _mm_andnot_si128(open, _mm_and_si128(before, line))
    }
}
