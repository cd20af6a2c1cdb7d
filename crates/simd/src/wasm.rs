//! The kernel for WebAssembly with vectors of 128 bits, compiled only into modules that use them: a browser that lacks them
//! refuses the whole module, so there is nothing to ask at run time.
//!
//! A register holds the board and the board upside down. What goes towards lower squares on the one goes towards higher
//! squares on the other, so one shift serves both ways; only the row itself is looked at by ordinary words.
#![allow(unsafe_code)]

use std::arch::wasm32::*;

use crate::lines::last_flips_by_products;
use crate::rays::{INNER_COLUMNS, PAIRS, flips_on_row, moves_on_row};
use crate::tier::Kind;
use crate::{Kernel, Tier};

/// Browsers and other hosts with vectors of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simd128;

impl Kernel for Simd128 {
    fn tier(self) -> Tier {
        Tier(Kind::Simd128(self))
    }

    #[inline(always)]
    fn moves(self, own: u64, opponent: u64) -> u64 {
        let inner = opponent & INNER_COLUMNS;
        let (both, inner_both) = (upside_down_too(own), upside_down_too(inner));
        let found = v128_or(
            v128_or(reached::<7>(both, inner_both), reached::<9>(both, inner_both)),
            reached::<8>(both, upside_down_too(opponent)),
        );
        (together(found) | moves_on_row(own, inner)) & !(own | opponent)
    }

    #[inline(always)]
    fn flips(self, own: u64, opponent: u64, square: u32) -> u64 {
        let square = square & 63;
        let (own_both, opponent_both) = (upside_down_too(own), upside_down_too(opponent));
        let [first, second, third] = PAIRS[square as usize].0.map(|[up, down]| u64x2(up, down));
        let flipped = v128_or(
            v128_or(closed_in(first, own_both, opponent_both), closed_in(second, own_both, opponent_both)),
            closed_in(third, own_both, opponent_both),
        );
        together(flipped) | flips_on_row(own, opponent, square)
    }

    #[inline(always)]
    fn last_flips(self, own: u64, square: u32) -> u32 {
        last_flips_by_products(own, square)
    }

    #[inline(always)]
    fn add_rows(self, sums: [i16; 64], rows: [&[i8; 64]; 4]) -> [i16; 64] {
        // SAFETY: the arrays are as long as the registers.
        unsafe {
            let mut sums: [v128; 8] = std::mem::transmute(sums);
            let [a, b, c, d]: [[v128; 4]; 4] = std::mem::transmute(rows.map(|row| *row));
            for at in 0..4 {
                let row = i8x16_add(i8x16_add(a[at], b[at]), i8x16_add(c[at], d[at]));
                sums[2 * at] = i16x8_add(sums[2 * at], i16x8_extend_low_i8x16(row));
                sums[2 * at + 1] = i16x8_add(sums[2 * at + 1], i16x8_extend_high_i8x16(row));
            }
            std::mem::transmute(sums)
        }
    }

    #[inline(always)]
    fn add_products(self, sums: [i32; 16], inputs: &[u8; 32], weights: &[[[i8; 4]; 16]; 8]) -> [i32; 16] {
        // Two partial sums for each neuron: of the inputs 0 and 1 of each four, and of 2 and 3.
        let mut parts = [i32x4_splat(0); 8];
        for (inputs, weights) in inputs.as_chunks::<4>().0.iter().zip(weights) {
            let inputs = u16x8_extend_low_u8x16(u32x4_splat(u32::from_le_bytes(*inputs)));
            let weights: *const i8 = weights.as_flattened().as_ptr();
            for (at, part) in parts.iter_mut().enumerate() {
                // SAFETY: `weights` points at 64 bytes, of which eight are loaded at a time.
                let eight = unsafe { i16x8_load_extend_i8x8(weights.add(8 * at)) };
                *part = i32x4_add(*part, i32x4_dot_i16x8(inputs, eight));
            }
        }
        // SAFETY: the arrays are as long as the registers.
        unsafe {
            let sums: [v128; 4] = std::mem::transmute(sums);
            let sums: [v128; 4] = std::array::from_fn(|four| {
                let (low, high) = (parts[2 * four], parts[2 * four + 1]);
                let even = i32x4_shuffle::<0, 2, 4, 6>(low, high);
                let odd = i32x4_shuffle::<1, 3, 5, 7>(low, high);
                i32x4_add(sums[four], i32x4_add(even, odd))
            });
            std::mem::transmute(sums)
        }
    }

    #[inline(always)]
    fn split_signs(self, numbers: [i16; 16]) -> [u8; 32] {
        // SAFETY: the arrays are as long as the registers.
        unsafe {
            let [low, high]: [v128; 2] = std::mem::transmute(numbers);
            let zero = i16x8_splat(0);
            // Narrowing cuts off at 127.
            let above = i8x16_narrow_i16x8(i16x8_max(low, zero), i16x8_max(high, zero));
            let below = i8x16_narrow_i16x8(i16x8_max(i16x8_neg(low), zero), i16x8_max(i16x8_neg(high), zero));
            let most = u8x16_splat(63);
            std::mem::transmute([u8x16_min(above, most), u8x16_min(below, most)])
        }
    }

    #[inline(always)]
    fn weigh(self, numbers: [i32; 16], weights: &[[i16; 2]; 16]) -> i32 {
        // SAFETY: the arrays are as long as the registers.
        let (numbers, weights) = unsafe {
            (
                std::mem::transmute::<[i32; 16], [v128; 4]>(numbers),
                std::mem::transmute::<[[i16; 2]; 16], [v128; 4]>(*weights),
            )
        };
        let parts: [v128; 4] = std::array::from_fn(|four| {
            let cut = i32x4_max(i32x4_shr(numbers[four], 5), i32x4_splat(0));
            let cut = i32x4_min(cut, i32x4_splat(127));
            // The upper half of each word is free for the square.
            let squares = i32x4_shl(u32x4_shr(i32x4_dot_i16x8(cut, cut), 7), 16);
            i32x4_dot_i16x8(v128_or(cut, squares), weights[four])
        });
        let four = i32x4_add(i32x4_add(parts[0], parts[1]), i32x4_add(parts[2], parts[3]));
        let two = i32x4_add(four, i32x4_shuffle::<2, 3, 0, 1>(four, four));
        i32x4_extract_lane::<0>(two).wrapping_add(i32x4_extract_lane::<1>(two))
    }

    /// There is no such hint, but a load that nobody waits for does the same.
    #[inline(always)]
    fn prefetch<T>(self, value: &T) {
        // SAFETY: `value` is a valid address. What is read is thrown away, so it does not matter if somebody writes there.
        unsafe { std::ptr::from_ref(value).cast::<u8>().read_volatile() };
    }

    #[inline(always)]
    fn enter<R>(self, body: impl FnOnce() -> R) -> R {
        body()
    }
}

/// A board beside the same board upside down.
#[inline(always)]
fn upside_down_too(board: u64) -> v128 {
    let board = u64x2_splat(board);
    i8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8>(board, board)
}

/// What is set on the board, or on the one upside down that stands beside it.
#[inline(always)]
fn together(both: v128) -> u64 {
    let turned = i8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(both, both);
    u64x2_extract_lane::<0>(v128_or(both, turned))
}

/// The squares beyond the runs of `between` that begin beside `own`, in steps of so many squares upwards.
#[inline(always)]
fn reached<const STEP: u32>(own: v128, between: v128) -> v128 {
    let mut run = v128_and(u64x2_shl(own, STEP), between);
    run = v128_or(run, v128_and(u64x2_shl(run, STEP), between));
    let pairs = v128_and(between, u64x2_shl(between, STEP));
    run = v128_or(run, v128_and(u64x2_shl(run, 2 * STEP), pairs));
    run = v128_or(run, v128_and(u64x2_shl(run, 2 * STEP), pairs));
    u64x2_shl(run, STEP)
}

/// The opponent's discs on a line towards higher squares that lie before the first that is ours.
#[inline(always)]
fn closed_in(line: v128, own: v128, opponent: v128) -> v128 {
    // The lowest square of the line that is not the opponent's ends the run.
    let end = v128_andnot(line, opponent);
    let end = v128_and(v128_and(end, i64x2_neg(end)), own);
    // What lies below it; everything, if there is none: that takes one less from nothing, and is taken away again.
    let open = i64x2_eq(end, i64x2_splat(0));
    let before = i64x2_add(end, i64x2_splat(-1));
    v128_andnot(v128_and(before, line), open)
}
