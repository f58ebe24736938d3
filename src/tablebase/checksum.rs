//! Verifies Syzygy files against the checksums that they contain.
//!
//! A table is a multiple of 64 bytes long, plus 16 for the checksum. Each block of
//! 16 MiB is hashed by CityHashCrc256, and the concatenated hashes by CityHashCrc128,
//! whose two words are stored, all numbers little-endian (R. de Man's `tbcheck`).

use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use crate::tablebase::city_hash::{crc128_of_hashes, crc256};
use crate::util::input_file;

/// Bytes per hashed block.
const BLOCK_BYTES: u64 = 16 << 20;
/// The length of a table without its checksum is a multiple of this many bytes.
const ALIGNMENT: u64 = 64;
const CHECKSUM_BYTES: u64 = 16;

/// The first bytes of WDL and of DTZ files.
const MAGIC: [(&str, [u8; 4]); 2] =
    [("rtbw", [0x71, 0xE8, 0x23, 0x5D]), ("rtbz", [0xD7, 0x66, 0x0C, 0xA5])];

/// Why a file is not an intact Syzygy table.
#[derive(Debug, Error)]
pub enum ChecksumError {
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("not a Syzygy table of the type that its extension names")]
    Foreign,
    #[error("truncated, or without a checksum")]
    Length,
    #[error("damaged: the checksum is wrong")]
    Checksum,
}

/// Verifies the checksum of a table, and calls `progress` with the length of each block
/// read. Returns the length of the file in bytes.
pub fn verify(path: &Path, mut progress: impl FnMut(u64)) -> Result<u64, ChecksumError> {
    let mut file = input_file::open(path)?;
    let length = file.metadata()?.len();
    let Some(mut left) = length.checked_sub(CHECKSUM_BYTES) else {
        return Err(ChecksumError::Length);
    };
    if left == 0 || left % ALIGNMENT != 0 {
        return Err(ChecksumError::Length);
    }
    let mut buffer = vec![0; left.min(BLOCK_BYTES) as usize];
    let mut hashes = Vec::new();
    while left > 0 {
        let block = &mut buffer[..left.min(BLOCK_BYTES) as usize];
        file.read_exact(block)?;
        if hashes.is_empty() && !has_magic(path, block) {
            return Err(ChecksumError::Foreign);
        }
        hashes.push(crc256(block));
        left -= block.len() as u64;
        progress(block.len() as u64);
    }
    let mut sum = [0; CHECKSUM_BYTES as usize];
    file.read_exact(&mut sum)?;
    let words = crc128_of_hashes(&hashes).map(u64::to_le_bytes);
    if words.as_flattened() == sum { Ok(length) } else { Err(ChecksumError::Checksum) }
}

/// Whether the first bytes fit the extension.
fn has_magic(path: &Path, bytes: &[u8]) -> bool {
    let extension = path.extension();
    let magic = MAGIC.iter().find(|&&(name, _)| extension.is_some_and(|found| found == name));
    magic.is_some_and(|(_, magic)| bytes.starts_with(magic))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::tablebase::syzygy::table_files;

    fn published() -> Vec<PathBuf> {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
        table_files(Path::new(directory)).unwrap()
    }

    /// Verifies a file with this name and these bytes.
    fn verify_bytes(name: &str, bytes: &[u8]) -> Result<u64, ChecksumError> {
        let name = format!("lovec-checksum-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, bytes).unwrap();
        let result = verify(&path, |_| ());
        fs::remove_file(&path).unwrap();
        result
    }

    /// Bits of the table and bits of the checksum itself.
    #[test]
    fn a_changed_bit_fails() {
        let path = published().into_iter().find(|path| path.ends_with("KQvKB.rtbw")).unwrap();
        let whole = fs::read(&path).unwrap();
        let (mut read, length) = (0, whole.len() as u64);
        assert_eq!(verify(&path, |bytes| read += bytes).unwrap(), length);
        assert_eq!(read, length - CHECKSUM_BYTES);
        for bit in (0..8 * whole.len()).step_by(8 * whole.len() / 60) {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let error = verify_bytes("a.rtbw", &bytes).unwrap_err();
            let magic = bit / 8 < 4;
            assert!(matches!(error, ChecksumError::Foreign) == magic, "bit {bit}: {error}");
            assert!(matches!(error, ChecksumError::Checksum) != magic, "bit {bit}: {error}");
        }
    }

    #[test]
    fn an_incomplete_table_fails() {
        let path = published().into_iter().find(|path| path.ends_with("KQvK.rtbz")).unwrap();
        let whole = fs::read(path).unwrap();
        let cut = |length: usize| verify_bytes("b.rtbz", &whole[..length]).unwrap_err();
        for length in [0, 1, 15, 16, 80 - 16, whole.len() - 16, whole.len() - 1] {
            assert!(matches!(cut(length), ChecksumError::Length), "{length} bytes");
        }
        assert!(matches!(cut(whole.len() - 64), ChecksumError::Checksum));
        assert!(matches!(verify_bytes("b.rtbw", &whole), Err(ChecksumError::Foreign)));
        for path in [Path::new("/nowhere/KQvK.rtbw"), &std::env::temp_dir()] {
            assert!(matches!(verify(path, |_| ()), Err(ChecksumError::Read(_))));
        }
    }
}
