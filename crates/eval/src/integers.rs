//! The integers of a weights file: seven bits a byte, lowest first, the sign folded into the lowest bit.

use crate::WeightsError;

/// Appends an integer.
pub fn push(bytes: &mut Vec<u8>, value: i64) {
    let mut rest = (value << 1 ^ value >> 63) as u64;
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

/// Appends integers; a zero is followed by how many more zeros follow it.
pub fn push_runs(bytes: &mut Vec<u8>, values: &[i64]) {
    let mut at = 0;
    while at < values.len() {
        push(bytes, values[at]);
        let zeros = values[at..].iter().take_while(|value| **value == 0).count();
        if zeros > 0 {
            push(bytes, zeros as i64 - 1);
        }
        at += zeros.max(1);
    }
}

/// Bytes that are read from the front.
pub struct Input<'a> {
    /// All of them.
    pub bytes: &'a [u8],
    /// How many have been read.
    pub at: usize,
}

impl Input<'_> {
    /// The next integer.
    pub fn integer(&mut self) -> Result<i64, WeightsError> {
        let mut value = 0;
        for shift in (0..42).step_by(7) {
            let byte = *self.bytes.get(self.at).ok_or(WeightsError::Truncated(self.at))?;
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok((value >> 1) as i64 ^ -((value & 1) as i64));
            }
        }
        Err(WeightsError::TooLarge(value as i64))
    }

    /// An integer that a smaller type holds.
    pub fn small<T: TryFrom<i64>>(&mut self) -> Result<T, WeightsError> {
        let value = self.integer()?;
        T::try_from(value).map_err(|_| WeightsError::TooLarge(value))
    }

    /// An integer that can only be one number.
    pub fn expect(&mut self, what: &'static str, expected: usize) -> Result<(), WeightsError> {
        let found = self.integer()?;
        if found == expected as i64 { Ok(()) } else { Err(WeightsError::OtherSize { what, found, expected }) }
    }

    /// As many integers as there are slots, runs of zeros shortened. A run ends with the slots at the latest.
    pub fn runs<'v, T: TryFrom<i64> + Default + 'v>(
        &mut self,
        mut slots: impl Iterator<Item = &'v mut T>,
    ) -> Result<(), WeightsError> {
        while let Some(slot) = slots.next() {
            let value = self.integer()?;
            *slot = T::try_from(value).map_err(|_| WeightsError::TooLarge(value))?;
            if value == 0 {
                let zeros = usize::try_from(self.integer()?).unwrap_or(0);
                slots.by_ref().take(zeros).for_each(|slot| *slot = T::default());
            }
        }
        Ok(())
    }

    /// Nothing may be left.
    pub fn end(&self) -> Result<(), WeightsError> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(WeightsError::TooLong(self.at)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_read_as_written() {
        let values = [0, 0, 0, 5, 0, -3, 64, -65, 1 << 30, 0, 0];
        let mut bytes = Vec::new();
        push_runs(&mut bytes, &values);
        let mut read = [1i64; 11];
        let mut input = Input { bytes: &bytes, at: 0 };
        input.runs(read.iter_mut()).unwrap();
        assert_eq!(read, values);
        input.end().unwrap();
    }

    #[test]
    fn what_the_python_scripts_write_is_read() {
        // training/test_training.py has the same bytes.
        let mut read = [0i16; 5];
        let mut input = Input { bytes: &[0, 0, 2, 1, 128, 1, 216, 4], at: 0 };
        input.runs(read.iter_mut()).unwrap();
        assert_eq!(read, [0, 1, -1, 64, 300]);
    }
}
