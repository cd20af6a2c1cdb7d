//! Every kernel finds the sums that plain arithmetic finds.

use emilia_simd::{Kernel, Task, Tier};
use proptest::prelude::*;

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

proptest! {
    #![proptest_config(crate::cases())]

    #[test]
    fn rows_agree(
        sums in prop::collection::vec(any::<i16>(), 64),
        rows in prop::array::uniform4(prop::collection::vec(-32i8..=31, 64)),
    ) {
        let sums: [i16; 64] = sums.try_into().unwrap();
        let rows: [[i8; 64]; 4] = rows.map(|row| row.try_into().unwrap());
        let added = |at: usize| sums[at].wrapping_add(rows.iter().map(|row| i16::from(row[at])).sum());
        let expected: Vec<i16> = (0..64).map(added).collect();
        for tier in Tier::available() {
            prop_assert_eq!(tier.run(AddRows(sums, rows)).to_vec(), expected.clone(), "{}", tier);
        }
    }

    #[test]
    fn products_agree(
        sums in prop::array::uniform16(-(1i32 << 25)..1 << 25),
        inputs in prop::array::uniform32(0u8..=63),
        weights: [[[i8; 4]; 16]; 8],
    ) {
        let expected: Vec<i32> = (0..16)
            .map(|at| {
                let products = (0..32).map(|input| i32::from(inputs[input]) * i32::from(weights[input / 4][at][input % 4]));
                sums[at] + products.sum::<i32>()
            })
            .collect();
        for tier in Tier::available() {
            prop_assert_eq!(tier.run(AddProducts(sums, inputs, weights)).to_vec(), expected.clone(), "{}", tier);
        }
    }

    #[test]
    fn signs_agree(numbers in prop::array::uniform16(prop_oneof![-200i16..200, any::<i16>()])) {
        // The lowest number has no opposite; it counts as having nothing below zero.
        let above = numbers.map(|number| i32::from(number).clamp(0, 63) as u8);
        let below = numbers.map(|number| if number == i16::MIN { 0 } else { (-i32::from(number)).clamp(0, 63) as u8 });
        for tier in Tier::available() {
            prop_assert_eq!(tier.run(SplitSigns(numbers)).to_vec(), [above, below].concat(), "{}", tier);
        }
    }

    #[test]
    fn weights_agree(
        numbers in prop::array::uniform16(prop_oneof![-300i32..9000, any::<i32>()]),
        weights: [[i16; 2]; 16],
    ) {
        let parts = numbers.iter().zip(weights).map(|(number, weights)| {
            let number = number.div_euclid(32).clamp(0, 127);
            number * i32::from(weights[0]) + number * number / 128 * i32::from(weights[1])
        });
        let expected: i32 = parts.sum();
        for tier in Tier::available() {
            prop_assert_eq!(tier.run(Weigh(numbers, weights)), expected, "{}", tier);
        }
    }
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
