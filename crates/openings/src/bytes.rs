//! Numbers in files, the lowest byte first; short numbers take fewer bytes.

/// Reads one thing after the other; `None` where there is not enough.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        Some(self.array::<1>()?[0])
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Seven bits a byte, the highest bit says whether more follow.
    pub(crate) fn short(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number with a sign.
    pub(crate) fn short_signed(&mut self) -> Option<i64> {
        let number = self.short()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let length = usize::try_from(self.short()?).ok()?;
        std::str::from_utf8(self.take(length)?).ok()
    }
}

pub(crate) fn put_short(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(crate) fn put_short_signed(out: &mut Vec<u8>, number: i64) {
    put_short(out, (number << 1 ^ number >> 63) as u64);
}

pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_short(out, text.len() as u64);
    out.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_cut_off_ones_do_not() {
        let mut bytes = Vec::new();
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let signed = [0, -1, 1, -64, 64, i64::MIN, i64::MAX];
        numbers.iter().for_each(|number| put_short(&mut bytes, *number));
        signed.iter().for_each(|number| put_short_signed(&mut bytes, *number));
        put_text(&mut bytes, "Tamenori Hideshi");
        let mut reader = Reader(&bytes);
        assert!(numbers.iter().all(|number| reader.short() == Some(*number)));
        assert!(signed.iter().all(|number| reader.short_signed() == Some(*number)));
        assert_eq!((reader.text(), reader.u8()), (Some("Tamenori Hideshi"), None));
        assert_eq!(Reader(&[0x80]).short(), None);
        assert_eq!(Reader(&[0xff; 11]).short(), None);
        assert_eq!(Reader(&[200, 1, b'x']).text(), None);
    }
}
