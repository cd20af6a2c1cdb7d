/// CRC-16 with the polynomial x¹⁶ + x¹² + x⁵ + 1, begun with all ones, so that a tail of zeros is no valid game.
pub(super) fn checksum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |sum, byte| {
        (0..8).fold(
            sum ^ u16::from(*byte) << 8,
            |sum, _| {
                if sum & 0x8000 == 0 { sum << 1 } else { sum << 1 ^ 0x1021 }
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn the_published_check_value_comes_out() {
        assert_eq!(checksum(b"123456789"), 0x29b1);
        assert_ne!(checksum(&[0; 17]), 0);
    }
}
