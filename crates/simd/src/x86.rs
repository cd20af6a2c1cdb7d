//! Kernels for x86-64 processors with wide registers: four lines of the board in one register.
#![allow(unsafe_code)]

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::*;

use crate::lines::{LINES, last_flips_by_products};
use crate::rays::RAYS;
use crate::sse::edges_at_once;
use crate::tier::Kind;
use crate::{Kernel, Tier};

/// Processors from about 2013 on: four lines at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(Witness);

/// Processors with AVX-512: as [`Avx2`], and leading zeros are counted for four lines at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512(Witness);

/// Private, so that only the `detect` functions below can make a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Witness;

impl Avx2 {
    pub(crate) fn detect() -> Option<Avx2> {
        let present = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        present.then_some(Avx2(Witness))
    }
}

impl Avx512 {
    pub(crate) fn detect() -> Option<Avx512> {
        let present = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq");
        (present && Avx2::detect().is_some()).then_some(Avx512(Witness))
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2<R>(body: impl FnOnce() -> R) -> R {
    body()
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512cd,avx512bw,avx512dq")]
fn with_avx512<R>(body: impl FnOnce() -> R) -> R {
    body()
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn on_board_with_avx2<S, R>(
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

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512cd,avx512bw,avx512dq")]
fn on_board_with_avx512<S, R>(
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

impl Kernel for Avx2 {
    fn tier(self) -> Tier {
        Tier(Kind::Avx2(self))
    }

    #[inline(always)]
    fn moves(self, own: u64, opponent: u64) -> u64 {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { moves_by_four(own, opponent) }
    }

    #[inline(always)]
    fn flips(self, own: u64, opponent: u64, square: u32) -> u64 {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe {
            let (up, down) = rays_from(square);
            let own = _mm256_set1_epi64x(own as i64);
            let opponent = _mm256_set1_epi64x(opponent as i64);
            // Towards higher squares: the lowest square of the line that is not the opponent's ends the run.
            let end = _mm256_andnot_si256(opponent, up);
            let end = _mm256_and_si256(end, _mm256_sub_epi64(_mm256_setzero_si256(), end));
            let end = _mm256_and_si256(end, own);
            let open = _mm256_cmpeq_epi64(end, _mm256_setzero_si256());
            let before = _mm256_add_epi64(end, _mm256_set1_epi64x(-1));
            let flips_up = _mm256_andnot_si256(open, _mm256_and_si256(before, up));
            // Towards lower squares: spread every such square along the rest of its line; what stays clear is the
            // run, and the highest square reached is its end.
            let step = _mm256_setr_epi64x(1, 7, 8, 9);
            let mut beyond = _mm256_andnot_si256(opponent, down);
            beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step));
            beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, _mm256_slli_epi64::<1>(step)));
            beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, _mm256_slli_epi64::<2>(step)));
            beyond = _mm256_and_si256(beyond, down);
            let end = _mm256_andnot_si256(_mm256_srlv_epi64(beyond, step), beyond);
            let end = _mm256_and_si256(end, own);
            let open = _mm256_cmpeq_epi64(end, _mm256_setzero_si256());
            let flips_down = _mm256_andnot_si256(_mm256_or_si256(open, beyond), down);
            any_lane(_mm256_or_si256(flips_up, flips_down))
        }
    }

    /// Not by the instruction that gathers bits: some processors of this kind take dozens of steps for it.
    #[inline(always)]
    fn last_flips(self, own: u64, square: u32) -> u32 {
        last_flips_by_products(own, square)
    }

    #[inline(always)]
    fn edges(self, own: u64, opponent: u64) -> [u16; 4] {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { edges_at_once(own, opponent) }
    }

    #[inline(always)]
    fn add_rows(self, sums: [i16; 64], rows: [&[i8; 64]; 4]) -> [i16; 64] {
        // SAFETY: `self` exists, so the processor has AVX2; the arrays are as long as the registers.
        unsafe {
            let [a, b, c, d]: [__m256i; 4] = std::mem::transmute(sums);
            let (low, high) = (add_bytes::<0>(rows), add_bytes::<32>(rows));
            std::mem::transmute([
                _mm256_add_epi16(a, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(low))),
                _mm256_add_epi16(b, _mm256_cvtepi8_epi16(_mm256_extracti128_si256::<1>(low))),
                _mm256_add_epi16(c, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(high))),
                _mm256_add_epi16(d, _mm256_cvtepi8_epi16(_mm256_extracti128_si256::<1>(high))),
            ])
        }
    }

    #[inline(always)]
    fn add_products(self, sums: [i32; 16], inputs: &[u8; 32], weights: &[[[i8; 4]; 16]; 8]) -> [i32; 16] {
        // SAFETY: `self` exists, so the processor has AVX2; references to arrays are as long as what is loaded.
        unsafe {
            let [mut low, mut high]: [__m256i; 2] = std::mem::transmute(sums);
            let one = _mm256_set1_epi16(1);
            for (inputs, weights) in inputs.as_chunks::<8>().0.iter().zip(weights.as_chunks::<2>().0) {
                let first =
                    _mm256_set1_epi32(i32::from_le_bytes([inputs[0], inputs[1], inputs[2], inputs[3]]));
                let second =
                    _mm256_set1_epi32(i32::from_le_bytes([inputs[4], inputs[5], inputs[6], inputs[7]]));
                let weights: *const __m256i = weights.as_ptr().cast();
                let pairs = _mm256_add_epi16(
                    _mm256_maddubs_epi16(first, _mm256_loadu_si256(weights)),
                    _mm256_maddubs_epi16(second, _mm256_loadu_si256(weights.add(2))),
                );
                low = _mm256_add_epi32(low, _mm256_madd_epi16(pairs, one));
                let pairs = _mm256_add_epi16(
                    _mm256_maddubs_epi16(first, _mm256_loadu_si256(weights.add(1))),
                    _mm256_maddubs_epi16(second, _mm256_loadu_si256(weights.add(3))),
                );
                high = _mm256_add_epi32(high, _mm256_madd_epi16(pairs, one));
            }
            std::mem::transmute([low, high])
        }
    }

    #[inline(always)]
    fn split_signs(self, numbers: [i16; 16]) -> [u8; 32] {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { split_signs_at_once(numbers) }
    }

    #[inline(always)]
    fn weigh(self, numbers: [i32; 16], weights: &[[i16; 2]; 16]) -> i32 {
        // SAFETY: `self` exists, so the processor has AVX2; arrays are as long as the registers.
        unsafe {
            let [low, high]: [__m256i; 2] = std::mem::transmute(numbers);
            let weights: *const __m256i = weights.as_ptr().cast();
            let low = weigh_eight(low, _mm256_loadu_si256(weights));
            total(_mm256_add_epi32(low, weigh_eight(high, _mm256_loadu_si256(weights.add(1)))))
        }
    }

    #[inline(always)]
    fn prefetch<T>(self, value: &T) {
        // SAFETY: a prefetch reads nothing, it is a hint; `value` is a valid address besides.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }

    #[inline(always)]
    fn enter<R>(self, body: impl FnOnce() -> R) -> R {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { with_avx2(body) }
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
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { on_board_with_avx2(body, state, own, opponent, alpha, first, second) }
    }
}

impl Kernel for Avx512 {
    fn tier(self) -> Tier {
        Tier(Kind::Avx512(self))
    }

    #[inline(always)]
    fn moves(self, own: u64, opponent: u64) -> u64 {
        // SAFETY: `self` exists, so the processor has AVX2 and AVX-512.
        unsafe { moves_by_four(own, opponent) }
    }

    #[inline(always)]
    fn flips(self, own: u64, opponent: u64, square: u32) -> u64 {
        // SAFETY: `self` exists, so the processor has AVX2 and AVX-512.
        unsafe {
            let (up, down) = rays_from(square);
            let own = _mm256_set1_epi64x(own as i64);
            let opponent = _mm256_set1_epi64x(opponent as i64);
            // Towards higher squares: the lowest square of the line that is not the opponent's ends the run.
            let end = _mm256_andnot_si256(opponent, up);
            let end = _mm256_and_si256(end, _mm256_sub_epi64(_mm256_setzero_si256(), end));
            let closed = _mm256_test_epi64_mask(end, own);
            let before = _mm256_add_epi64(end, _mm256_set1_epi64x(-1));
            let flips_up = _mm256_maskz_and_epi64(closed, before, up);
            // Towards lower squares: the highest such square, found by counting leading zeros.
            let end = _mm256_andnot_si256(opponent, down);
            let end = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(end));
            let end = _mm256_and_si256(end, own);
            let after = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(end, end));
            let flips_down = _mm256_and_si256(after, down);
            any_lane(_mm256_or_si256(flips_up, flips_down))
        }
    }

    #[inline(always)]
    fn last_flips(self, own: u64, square: u32) -> u32 {
        let lines = &LINES[(square & 63) as usize];
        let count = |line: usize, discs: u64| u32::from(lines.flips[line][(discs & 0xff) as usize]);
        // SAFETY: `self` exists, so the processor has BMI2.
        let discs = lines.masks.map(|mask| unsafe { _pext_u64(own, mask) });
        count(0, own >> (square & 56)) + count(1, discs[0]) + count(2, discs[1]) + count(3, discs[2])
    }

    #[inline(always)]
    fn edges(self, own: u64, opponent: u64) -> [u16; 4] {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { edges_at_once(own, opponent) }
    }

    #[inline(always)]
    fn add_rows(self, sums: [i16; 64], rows: [&[i8; 64]; 4]) -> [i16; 64] {
        // SAFETY: `self` exists, so the processor has AVX-512; the arrays are as long as the registers.
        unsafe {
            let [low, high]: [__m512i; 2] = std::mem::transmute(sums);
            let [a, b, c, d] = rows;
            let one =
                _mm512_add_epi8(_mm512_loadu_si512(a.as_ptr().cast()), _mm512_loadu_si512(b.as_ptr().cast()));
            let other =
                _mm512_add_epi8(_mm512_loadu_si512(c.as_ptr().cast()), _mm512_loadu_si512(d.as_ptr().cast()));
            let row = _mm512_add_epi8(one, other);
            std::mem::transmute([
                _mm512_add_epi16(low, _mm512_cvtepi8_epi16(_mm512_castsi512_si256(row))),
                _mm512_add_epi16(high, _mm512_cvtepi8_epi16(_mm512_extracti64x4_epi64::<1>(row))),
            ])
        }
    }

    #[inline(always)]
    fn add_products(self, sums: [i32; 16], inputs: &[u8; 32], weights: &[[[i8; 4]; 16]; 8]) -> [i32; 16] {
        // SAFETY: `self` exists, so the processor has AVX-512; references to arrays are as long as what is loaded.
        unsafe {
            let mut sums: __m512i = std::mem::transmute(sums);
            for (inputs, weights) in inputs.as_chunks::<8>().0.iter().zip(weights.as_chunks::<2>().0) {
                let first =
                    _mm512_set1_epi32(i32::from_le_bytes([inputs[0], inputs[1], inputs[2], inputs[3]]));
                let second =
                    _mm512_set1_epi32(i32::from_le_bytes([inputs[4], inputs[5], inputs[6], inputs[7]]));
                let pairs = _mm512_add_epi16(
                    _mm512_maddubs_epi16(first, _mm512_loadu_si512(weights[0].as_ptr().cast())),
                    _mm512_maddubs_epi16(second, _mm512_loadu_si512(weights[1].as_ptr().cast())),
                );
                sums = _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
            }
            std::mem::transmute(sums)
        }
    }

    #[inline(always)]
    fn split_signs(self, numbers: [i16; 16]) -> [u8; 32] {
        // SAFETY: `self` exists, so the processor has AVX2.
        unsafe { split_signs_at_once(numbers) }
    }

    #[inline(always)]
    fn weigh(self, numbers: [i32; 16], weights: &[[i16; 2]; 16]) -> i32 {
        // SAFETY: `self` exists, so the processor has AVX-512; arrays are as long as the registers.
        unsafe {
            let cut = _mm512_srai_epi32::<5>(std::mem::transmute::<[i32; 16], __m512i>(numbers));
            let cut = _mm512_min_epi32(_mm512_max_epi32(cut, _mm512_setzero_si512()), _mm512_set1_epi32(127));
            // The upper half of each word is free for the square.
            let squares = _mm512_slli_epi32::<16>(_mm512_srli_epi32::<7>(_mm512_madd_epi16(cut, cut)));
            let products =
                _mm512_madd_epi16(_mm512_or_si512(cut, squares), _mm512_loadu_si512(weights.as_ptr().cast()));
            let (low, high) = (_mm512_castsi512_si256(products), _mm512_extracti64x4_epi64::<1>(products));
            total(_mm256_add_epi32(low, high))
        }
    }

    #[inline(always)]
    fn prefetch<T>(self, value: &T) {
        // SAFETY: a prefetch reads nothing, it is a hint; `value` is a valid address besides.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }

    #[inline(always)]
    fn enter<R>(self, body: impl FnOnce() -> R) -> R {
        // SAFETY: `self` exists, so the processor has AVX2 and AVX-512.
        unsafe { with_avx512(body) }
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
        // SAFETY: `self` exists, so the processor has AVX2 and AVX-512.
        unsafe { on_board_with_avx512(body, state, own, opponent, alpha, first, second) }
    }
}

/// The lines from a square towards higher and towards lower squares.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn rays_from(square: u32) -> (__m256i, __m256i) {
    let rays: *const __m256i = RAYS[(square & 63) as usize].0.as_ptr().cast();
    // SAFETY: `rays` points at eight words aligned to 64 bytes, that is at two registers.
    unsafe { (_mm256_load_si256(rays), _mm256_load_si256(rays.add(1))) }
}

/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn moves_by_four(own: u64, opponent: u64) -> u64 {
    // SAFETY: by the contract of this function.
    unsafe {
        const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
        let step = _mm256_setr_epi64x(1, 7, 8, 9);
        let two_steps = _mm256_slli_epi64::<1>(step);
        let inner = _mm256_setr_epi64x(INNER, INNER, -1, INNER);
        let own_lanes = _mm256_set1_epi64x(own as i64);
        let between = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), inner);
        let mut up = _mm256_and_si256(_mm256_sllv_epi64(own_lanes, step), between);
        let mut down = _mm256_and_si256(_mm256_srlv_epi64(own_lanes, step), between);
        up = _mm256_or_si256(up, _mm256_and_si256(_mm256_sllv_epi64(up, step), between));
        down = _mm256_or_si256(down, _mm256_and_si256(_mm256_srlv_epi64(down, step), between));
        let up_pairs = _mm256_and_si256(between, _mm256_sllv_epi64(between, step));
        let down_pairs = _mm256_srlv_epi64(up_pairs, step);
        up = _mm256_or_si256(up, _mm256_and_si256(_mm256_sllv_epi64(up, two_steps), up_pairs));
        down = _mm256_or_si256(down, _mm256_and_si256(_mm256_srlv_epi64(down, two_steps), down_pairs));
        up = _mm256_or_si256(up, _mm256_and_si256(_mm256_sllv_epi64(up, two_steps), up_pairs));
        down = _mm256_or_si256(down, _mm256_and_si256(_mm256_srlv_epi64(down, two_steps), down_pairs));
        let found = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
        any_lane(found) & !(own | opponent)
    }
}

/// The bits set in any of the four lanes.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn any_lane(lanes: __m256i) -> u64 {
    // SAFETY: by the contract of this function.
    unsafe {
        let pair = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
        _mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))) as u64
    }
}

/// The sums of 32 bytes of four rows, from this byte on.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn add_bytes<const FROM: usize>(rows: [&[i8; 64]; 4]) -> __m256i {
    const { assert!(FROM <= 32) };
    // SAFETY: by the contract of this function; 32 bytes from any of the first 33 on are within a row.
    unsafe {
        let [a, b, c, d] = rows;
        let one = _mm256_add_epi8(
            _mm256_loadu_si256(a.as_ptr().add(FROM).cast()),
            _mm256_loadu_si256(b.as_ptr().add(FROM).cast()),
        );
        let other = _mm256_add_epi8(
            _mm256_loadu_si256(c.as_ptr().add(FROM).cast()),
            _mm256_loadu_si256(d.as_ptr().add(FROM).cast()),
        );
        _mm256_add_epi8(one, other)
    }
}

/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn split_signs_at_once(numbers: [i16; 16]) -> [u8; 32] {
    // SAFETY: by the contract of this function; the arrays are as long as the registers.
    unsafe {
        let numbers: __m256i = std::mem::transmute(numbers);
        let zero = _mm256_setzero_si256();
        let above = _mm256_max_epi16(numbers, zero);
        let below = _mm256_max_epi16(_mm256_sub_epi16(zero, numbers), zero);
        // Packing cuts off at 127. It works on each half of a register, so the quarters come out of order.
        let packed = _mm256_min_epu8(_mm256_packs_epi16(above, below), _mm256_set1_epi8(63));
        std::mem::transmute(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed))
    }
}

/// Eight numbers and their squares times their weights, as sums of both.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn weigh_eight(numbers: __m256i, weights: __m256i) -> __m256i {
    // SAFETY: by the contract of this function.
    unsafe {
        let cut = _mm256_max_epi32(_mm256_srai_epi32::<5>(numbers), _mm256_setzero_si256());
        let cut = _mm256_min_epi32(cut, _mm256_set1_epi32(127));
        // The upper half of each word is free for the square.
        let squares = _mm256_slli_epi32::<16>(_mm256_srli_epi32::<7>(_mm256_madd_epi16(cut, cut)));
        _mm256_madd_epi16(_mm256_or_si256(cut, squares), weights)
    }
}

/// The sum of eight numbers.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn total(numbers: __m256i) -> i32 {
    // SAFETY: by the contract of this function.
    unsafe {
        let four = _mm_add_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256::<1>(numbers));
        let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
    }
}
