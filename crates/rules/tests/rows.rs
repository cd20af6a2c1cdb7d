//! Every kernel adds rows and products as the portable one does.

use emilia_rules::{Kernel, Task, Tier};
use proptest::prelude::*;

struct AddRow([i16; 16], [i8; 16]);

impl Task for AddRow {
    type Output = [i16; 16];
    fn run<K: Kernel>(self, kernel: K) -> [i16; 16] {
        kernel.add_row(self.0, &self.1)
    }
}

struct AddProducts([i32; 16], [u8; 32], [[[i8; 4]; 16]; 8]);

impl Task for AddProducts {
    type Output = [i32; 16];
    fn run<K: Kernel>(self, kernel: K) -> [i32; 16] {
        kernel.add_products(self.0, &self.1, &self.2)
    }
}

proptest! {
    #[test]
    fn rows_agree(sums: [i16; 16], row: [i8; 16]) {
        let expected: Vec<i16> = sums.iter().zip(row).map(|(sum, value)| sum.wrapping_add(i16::from(value))).collect();
        for tier in Tier::available() {
            prop_assert_eq!(tier.run(AddRow(sums, row)).to_vec(), expected.clone(), "{}", tier);
        }
    }

    #[test]
    fn products_agree(
        sums in prop::array::uniform16(-(1i32 << 25)..1 << 25),
        inputs in prop::array::uniform32(0u8..=127),
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
}

#[test]
fn the_largest_products_do_not_overflow() {
    for weight in [i8::MIN, i8::MAX] {
        for tier in Tier::available() {
            let found = tier.run(AddProducts([0; 16], [127; 32], [[[weight; 4]; 16]; 8]));
            assert_eq!(found, [32 * 127 * i32::from(weight); 16], "{tier}");
        }
    }
}
