//! Files of weights: a magic word of eight bytes, one byte version, three zero bytes, the CRC-32 of the rest, and the rest.

use emilia_eval::WeightsError;

const HEADER: usize = 16;

/// The file with this content.
pub(crate) fn seal(magic: &[u8; 8], version: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.extend([version, 0, 0, 0]);
    bytes.extend(crc32fast::hash(body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// The content of a file that is whole.
pub(crate) fn open<'b>(magic: &[u8; 8], version: u8, bytes: &'b [u8]) -> Result<&'b [u8], WeightsError> {
    if !bytes.starts_with(magic) {
        return Err(WeightsError::Foreign);
    }
    let (Some(header), Some(body)) = (bytes.get(..HEADER), bytes.get(HEADER..)) else {
        return Err(WeightsError::Truncated(bytes.len()));
    };
    if header[8] != version {
        return Err(WeightsError::Version { found: header[8], expected: version });
    }
    if header[12..] != crc32fast::hash(body).to_le_bytes() {
        return Err(WeightsError::Damaged);
    }
    Ok(body)
}
