//! The kernel for ARM processors of 64 bits: telephones, Apple's computers, small boards, many servers. Their vectors of 128
//! bits (NEON) are part of every one of them, so there is nothing to ask at run time.
//!
//! A register holds the board and the board turned by half a circle, which one instruction makes. What goes towards lower
//! squares on the one goes towards higher squares on the other, so one shift or one carry serves both ways. Ordinary words
//! can shift on the way to another operation, so part of the moves is found by them at the same time.
#![allow(unsafe_code)]

use std::arch::aarch64::*;
use std::arch::asm;

use crate::lines::last_flips_by_products;
use crate::rays::{INNER_COLUMNS, RAYS};
use crate::tier::Kind;
use crate::{Kernel, Tier};

/// Every ARM processor of 64 bits: a line both ways at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neon;

/// The four lines from a square towards higher squares, each beside the same line from the square's place on the turned board.
#[repr(C, align(64))]
struct Turned([[u64; 2]; 4]);

static TURNED: [Turned; 64] = {
    let mut turned = [const { Turned([[0; 2]; 4]) }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            turned[square].0[line] = [RAYS[square].0[line], RAYS[63 - square].0[line]];
            line += 1;
        }
        square += 1;
    }
    turned
};

impl Kernel for Neon {
    fn tier(self) -> Tier {
        Tier(Kind::Neon(self))
    }

    #[inline(always)]
    fn moves(self, own: u64, opponent: u64) -> u64 {
        let (own_turned, opponent_turned) = (own.reverse_bits(), opponent.reverse_bits());
        let (inner, inner_turned) = (opponent & INNER_COLUMNS, opponent_turned & INNER_COLUMNS);
        let (own_both, inner_both) = (both(own, own_turned), both(inner, inner_turned));
        // SAFETY: every aarch64 processor has these instructions.
        let diagonals = unsafe {
            vorrq_u64(reached::<7, 14>(own_both, inner_both), reached::<9, 18>(own_both, inner_both))
        };
        let [found, found_turned] = lanes(diagonals);
        let found = found | beyond_on_row(own, inner) | beyond_on_column(own, opponent);
        let found_turned = found_turned
            | beyond_on_row(own_turned, inner_turned)
            | beyond_on_column(own_turned, opponent_turned);
        (found | found_turned.reverse_bits()) & !(own | opponent)
    }

    #[inline(always)]
    fn flips(self, own: u64, opponent: u64, square: u32) -> u64 {
        let (own, opponent) = (both(own, own.reverse_bits()), both(opponent, opponent.reverse_bits()));
        // SAFETY: every aarch64 processor has these instructions; the lines are as long as the registers.
        let flipped = unsafe {
            let [a, b, c, d]: [uint64x2_t; 4] = std::mem::transmute(TURNED[(square & 63) as usize].0);
            let one = vorrq_u64(closed_in(a, own, opponent), closed_in(b, own, opponent));
            vorrq_u64(one, vorrq_u64(closed_in(c, own, opponent), closed_in(d, own, opponent)))
        };
        let [flipped, turned] = lanes(flipped);
        flipped | turned.reverse_bits()
    }

    #[inline(always)]
    fn last_flips(self, own: u64, square: u32) -> u32 {
        last_flips_by_products(own, square)
    }

    #[inline(always)]
    fn add_rows(self, sums: [i16; 64], rows: [&[i8; 64]; 4]) -> [i16; 64] {
        // SAFETY: every aarch64 processor has these instructions; the arrays are as long as the registers.
        unsafe {
            let mut sums: [[int16x8_t; 4]; 2] = std::mem::transmute(sums);
            let [a, b, c, d]: [[[int8x16_t; 2]; 2]; 4] = std::mem::transmute(rows.map(|row| *row));
            for (at, sums) in sums.iter_mut().enumerate() {
                let (a, b, c, d) = (a[at], b[at], c[at], d[at]);
                let low = vaddq_s8(vaddq_s8(a[0], b[0]), vaddq_s8(c[0], d[0]));
                let high = vaddq_s8(vaddq_s8(a[1], b[1]), vaddq_s8(c[1], d[1]));
                // Otherwise the compiler goes through all rows again for each part of them, and spills their addresses.
                let (low, high) = opaque(low, high);
                sums[0] = vaddw_s8(sums[0], vget_low_s8(low));
                sums[1] = vaddw_high_s8(sums[1], low);
                sums[2] = vaddw_s8(sums[2], vget_low_s8(high));
                sums[3] = vaddw_high_s8(sums[3], high);
            }
            std::mem::transmute(sums)
        }
    }

    #[inline(always)]
    fn add_products(self, sums: [i32; 16], inputs: &[u8; 32], weights: &[[[i8; 4]; 16]; 8]) -> [i32; 16] {
        // SAFETY: every aarch64 processor has these instructions; references to arrays are as long as what is loaded.
        unsafe {
            // Two partial sums for each neuron: of the inputs 0 and 1 of each four, and of 2 and 3.
            let mut parts = [[vdupq_n_s32(0); 2]; 4];
            // No input is above 63, so it is the same number with a sign. The compiler must not know: it would widen inputs
            // without one, and nothing multiplies these by numbers with a sign at once.
            let [first, second]: [int8x16_t; 2] = std::mem::transmute(*inputs);
            let (first, second) = opaque(first, second);
            for (inputs, weights) in [first, second].into_iter().zip(weights.as_chunks::<4>().0) {
                let inputs = vreinterpretq_s32_s8(inputs);
                let fours = [
                    vreinterpretq_s8_s32(vdupq_laneq_s32::<0>(inputs)),
                    vreinterpretq_s8_s32(vdupq_laneq_s32::<1>(inputs)),
                    vreinterpretq_s8_s32(vdupq_laneq_s32::<2>(inputs)),
                    vreinterpretq_s8_s32(vdupq_laneq_s32::<3>(inputs)),
                ];
                let weights: *const i8 = weights.as_ptr().cast();
                for (at, [low, high]) in parts.iter_mut().enumerate() {
                    // Four products of −128 times 63 fit 16 bits.
                    let (mut first, mut second) = (vdupq_n_s16(0), vdupq_n_s16(0));
                    for (four, inputs) in fours.into_iter().enumerate() {
                        let weights = vld1q_s8(weights.add(64 * four + 16 * at));
                        first = vmlal_s8(first, vget_low_s8(inputs), vget_low_s8(weights));
                        second = vmlal_high_s8(second, inputs, weights);
                    }
                    (*low, *high) = (vpadalq_s16(*low, first), vpadalq_s16(*high, second));
                }
            }
            let mut sums: [int32x4_t; 4] = std::mem::transmute(sums);
            for (sum, [low, high]) in sums.iter_mut().zip(parts) {
                *sum = vaddq_s32(*sum, vpaddq_s32(low, high));
            }
            std::mem::transmute(sums)
        }
    }

    #[inline(always)]
    fn split_signs(self, numbers: [i16; 16]) -> [u8; 32] {
        // SAFETY: every aarch64 processor has these instructions; the arrays are as long as the registers.
        unsafe {
            let [low, high]: [int16x8_t; 2] = std::mem::transmute(numbers);
            // Narrowing cuts off at 0 and 255.
            let above = vqmovun_high_s16(vqmovun_s16(low), high);
            let below = vqmovun_high_s16(vqmovun_s16(vnegq_s16(low)), vnegq_s16(high));
            let most = vdupq_n_u8(63);
            std::mem::transmute([vminq_u8(above, most), vminq_u8(below, most)])
        }
    }

    #[inline(always)]
    fn weigh(self, numbers: [i32; 16], weights: &[[i16; 2]; 16]) -> i32 {
        // SAFETY: every aarch64 processor has these instructions; references to arrays are as long as what is loaded.
        unsafe {
            let numbers: [[int32x4_t; 2]; 2] = std::mem::transmute(numbers);
            let weights: *const i16 = weights.as_ptr().cast();
            let mut four = vdupq_n_s32(0);
            for (at, [low, high]) in numbers.into_iter().enumerate() {
                // Shifting and narrowing at once cuts off at 0 and 65535.
                let cut = vqshrun_high_n_s32::<5>(vqshrun_n_s32::<5>(low), high);
                let cut = vminq_u16(cut, vdupq_n_u16(127));
                let squares = vreinterpretq_s16_u16(vshrq_n_u16::<7>(vmulq_u16(cut, cut)));
                let cut = vreinterpretq_s16_u16(cut);
                let int16x8x2_t(plain, of_squares) = vld2q_s16(weights.add(16 * at));
                four = vmlal_s16(four, vget_low_s16(cut), vget_low_s16(plain));
                four = vmlal_high_s16(four, cut, plain);
                four = vmlal_s16(four, vget_low_s16(squares), vget_low_s16(of_squares));
                four = vmlal_high_s16(four, squares, of_squares);
            }
            vaddvq_s32(four)
        }
    }

    #[inline(always)]
    fn prefetch<T>(self, value: &T) {
        // SAFETY: a prefetch reads nothing, it is a hint; `value` is a valid address besides.
        unsafe {
            let address = std::ptr::from_ref(value).addr();
            asm!("prfm pldl1keep, [{}]", in(reg) address, options(nomem, nostack, preserves_flags));
        }
    }

    #[inline(always)]
    fn enter<R>(self, body: impl FnOnce() -> R) -> R {
        body()
    }
}

/// A board beside the same board turned.
#[inline(always)]
fn both(board: u64, turned: u64) -> uint64x2_t {
    // SAFETY: both are two words.
    unsafe { std::mem::transmute([board, turned]) }
}

/// What is set on the board, and on the turned one beside it.
#[inline(always)]
fn lanes(both: uint64x2_t) -> [u64; 2] {
    // SAFETY: both are two words.
    unsafe { std::mem::transmute(both) }
}

/// The same numbers, which are both there from here on, and of which the compiler knows nothing any more. It costs no
/// instruction.
#[inline(always)]
fn opaque(mut first: int8x16_t, mut second: int8x16_t) -> (int8x16_t, int8x16_t) {
    // SAFETY: nothing is executed.
    unsafe {
        asm!("/* {0:v} {1:v} */", inout(vreg) first, inout(vreg) second, options(pure, nomem, nostack, preserves_flags));
    }
    (first, second)
}

/// The squares beyond the runs of `between` that begin beside `own`, in steps of so many squares upwards.
#[inline(always)]
fn reached<const STEP: i32, const TWO_STEPS: i32>(own: uint64x2_t, between: uint64x2_t) -> uint64x2_t {
    // SAFETY: every aarch64 processor has these instructions.
    unsafe {
        let mut run = vandq_u64(vshlq_n_u64::<STEP>(own), between);
        run = vorrq_u64(run, vandq_u64(vshlq_n_u64::<STEP>(run), between));
        let pairs = vandq_u64(between, vshlq_n_u64::<STEP>(between));
        run = vorrq_u64(run, vandq_u64(vshlq_n_u64::<TWO_STEPS>(run), pairs));
        run = vorrq_u64(run, vandq_u64(vshlq_n_u64::<TWO_STEPS>(run), pairs));
        vshlq_n_u64::<STEP>(run)
    }
}

/// The squares east of the runs of `inner` that begin beside `own`, and some of `inner`: a disc added to the first of a run is
/// carried to its end.
#[inline(always)]
fn beyond_on_row(own: u64, inner: u64) -> u64 {
    inner + (own << 1 & inner)
}

/// The squares south of the runs of `opponent` that begin beside `own`.
#[inline(always)]
fn beyond_on_column(own: u64, opponent: u64) -> u64 {
    let mut run = own << 8 & opponent;
    run |= run << 8 & opponent;
    let pairs = opponent & opponent << 8;
    run |= run << 16 & pairs;
    run |= run << 16 & pairs;
    run << 8
}

/// The opponent's discs on a line towards higher squares that lie before the first that is ours.
#[inline(always)]
fn closed_in(line: uint64x2_t, own: uint64x2_t, opponent: uint64x2_t) -> uint64x2_t {
    // SAFETY: every aarch64 processor has these instructions.
    unsafe {
        let one = vdupq_n_u64(1);
        // One is carried over the opponent's discs, and over all that is not of the line, to the square that ends the run.
        let carried = vaddq_u64(vornq_u64(opponent, line), one);
        let end = vandq_u64(carried, vandq_u64(own, line));
        // What lies below it. One less than nothing stays nothing.
        vandq_u64(vqsubq_u64(end, one), line)
    }
}
