//! Checksums.

use flate2::Crc;

/// The CRC-32 of some bytes, as gzip has it.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}
