//! Every kernel finds the sums that plain arithmetic finds.

use std::array;

use emilia_simd::{Kernel, Task, Tier};
use rand::RngExt;

use crate::cases;

struct AddRows([i16; 64], [[i8; 64]; 4]);

impl Task for AddRows {
    type Output = [i16; 64];
    fn run<K: Kernel>(self, kernel: K) -> [i16; 64] {
        kernel.add_rows(self.0, [&self.1[0], &self.1[1], &self.1[2], &self.1[3]])
    }
}

struct AddProducts([i32; 16], [u8; 32], [[[i8; 4]; 16]; 8]);

impl Task for AddProducts {
    type Output = [i32; 16];
    fn run<K: Kernel>(self, kernel: K) -> [i32; 16] {
        kernel.add_products(self.0, &self.1, &self.2)
    }
}

struct SplitSigns([i16; 16]);

impl Task for SplitSigns {
    type Output = [u8; 32];
    fn run<K: Kernel>(self, kernel: K) -> [u8; 32] {
        kernel.split_signs(self.0)
    }
}

struct Weigh([i32; 16], [[i16; 2]; 16]);

impl Task for Weigh {
    type Output = i32;
    fn run<K: Kernel>(self, kernel: K) -> i32 {
        kernel.weigh(self.0, &self.1)
    }
}

#[test]
fn rows_agree() {
    cases(|random| {
        let sums: [i16; 64] = array::from_fn(|_| random.random());
        let rows: [[i8; 64]; 4] = array::from_fn(|_| array::from_fn(|_| random.random_range(-32..=31)));
        let added = |at: usize| sums[at].wrapping_add(rows.iter().map(|row| i16::from(row[at])).sum::<i16>());
        let expected: [i16; 64] = array::from_fn(added);
        for tier in Tier::available() {
            assert_eq!(tier.run(AddRows(sums, rows)), expected, "{tier}: {sums:?} {rows:?}");
        }
    });
}

#[test]
fn products_agree() {
    cases(|random| {
        let sums: [i32; 16] = array::from_fn(|_| random.random_range(-(1 << 25)..1 << 25));
        let inputs: [u8; 32] = array::from_fn(|_| random.random_range(0..=63));
        let weights: [[[i8; 4]; 16]; 8] = random.random();
        let expected: [i32; 16] = array::from_fn(|at| {
            let product =
                |input: usize| i32::from(inputs[input]) * i32::from(weights[input / 4][at][input % 4]);
            sums[at] + (0..32).map(product).sum::<i32>()
        });
        for tier in Tier::available() {
            let found = tier.run(AddProducts(sums, inputs, weights));
            assert_eq!(found, expected, "{tier}: {sums:?} {inputs:?} {weights:?}");
        }
    });
}

#[test]
fn signs_agree() {
    cases(|random| {
        let numbers: [i16; 16] = array::from_fn(|_| match random.random() {
            true => random.random_range(-200..200),
            false => random.random(),
        });
        check_signs(numbers);
    });
    check_signs([i16::MIN; 16]);
}

fn check_signs(numbers: [i16; 16]) {
    // The lowest number has no opposite; it counts as having nothing below zero.
    let above = numbers.map(|number| i32::from(number).clamp(0, 63) as u8);
    let below =
        numbers.map(|number| if number == i16::MIN { 0 } else { (-i32::from(number)).clamp(0, 63) as u8 });
    for tier in Tier::available() {
        assert_eq!(tier.run(SplitSigns(numbers)).to_vec(), [above, below].concat(), "{tier}: {numbers:?}");
    }
}

#[test]
fn weights_agree() {
    cases(|random| {
        let numbers: [i32; 16] = array::from_fn(|_| match random.random() {
            true => random.random_range(-300..9000),
            false => random.random(),
        });
        let weights: [[i16; 2]; 16] = random.random();
        let parts = numbers.iter().zip(weights).map(|(number, weights)| {
            let number = number.div_euclid(32).clamp(0, 127);
            number * i32::from(weights[0]) + number * number / 128 * i32::from(weights[1])
        });
        let expected: i32 = parts.sum();
        for tier in Tier::available() {
            assert_eq!(tier.run(Weigh(numbers, weights)), expected, "{tier}: {numbers:?} {weights:?}");
        }
    });
}

#[test]
fn the_largest_products_do_not_overflow() {
    for weight in [i8::MIN, i8::MAX] {
        for tier in Tier::available() {
            let found = tier.run(AddProducts([0; 16], [63; 32], [[[weight; 4]; 16]; 8]));
            assert_eq!(found, [32 * 63 * i32::from(weight); 16], "{tier}");
        }
    }
}
