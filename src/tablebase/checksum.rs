//! The checksums of Syzygy tables, against which the files can be verified.
//!
//! The length of a table is a multiple of 64 bytes, and 16 more for the checksum. Each
//! piece of 16 MiB is hashed by CityHashCrc256, and these hashes, one after another, by
//! CityHashCrc128, of which the two words are stored, all numbers little-endian. This
//! is what the program `tbcheck` of R. de Man does.

use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use crate::tablebase::city_hash::{crc128_of_hashes, crc256};
use crate::util::input_file;

/// Bytes that are hashed at a time.
const PIECE_BYTES: u64 = 16 << 20;
/// The length of a table without its checksum is a multiple of this.
const ALIGNMENT: u64 = 64;
const CHECKSUM_BYTES: u64 = 16;

/// What the files of the winner and those of the distance begin with.
const MAGIC: [(&str, [u8; 4]); 2] =
    [("rtbw", [0x71, 0xE8, 0x23, 0x5D]), ("rtbz", [0xD7, 0x66, 0x0C, 0xA5])];

/// Why a file is not known to be a Syzygy table as it was published.
#[derive(Debug, Error)]
pub enum ChecksumError {
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("not a Syzygy table of the kind that its name says")]
    Foreign,
    #[error("cut off, or without a checksum")]
    Length,
    #[error("damaged: the checksum is wrong")]
    Checksum,
}

/// Verifies the checksum of a table, and tells `progress` the bytes of each piece that
/// was read. Returns the length of the file in bytes.
///
/// # Errors
///
/// If the file cannot be read, is not a table or is damaged.
pub fn verify(path: &Path, mut progress: impl FnMut(u64)) -> Result<u64, ChecksumError> {
    let mut file = input_file::open(path)?;
    let length = file.metadata()?.len();
    let Some(mut left) = length.checked_sub(CHECKSUM_BYTES) else {
        return Err(ChecksumError::Length);
    };
    if left == 0 || left % ALIGNMENT != 0 {
        return Err(ChecksumError::Length);
    }
    let mut buffer = vec![0; left.min(PIECE_BYTES) as usize];
    let mut hashes = Vec::new();
    while left > 0 {
        let piece = &mut buffer[..left.min(PIECE_BYTES) as usize];
        file.read_exact(piece)?;
        if hashes.is_empty() && !has_magic(path, piece) {
            return Err(ChecksumError::Foreign);
        }
        hashes.push(crc256(piece));
        left -= piece.len() as u64;
        progress(piece.len() as u64);
    }
    let mut words = [0; 2];
    for word in &mut words {
        let mut bytes = [0; 8];
        file.read_exact(&mut bytes)?;
        *word = u64::from_le_bytes(bytes);
    }
    if words == crc128_of_hashes(&hashes) { Ok(length) } else { Err(ChecksumError::Checksum) }
}

/// Whether a file begins as its name says.
fn has_magic(path: &Path, bytes: &[u8]) -> bool {
    let extension = path.extension();
    let magic = MAGIC.iter().find(|&&(name, _)| extension.is_some_and(|found| found == name));
    magic.is_some_and(|(_, magic)| bytes.starts_with(magic))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use std::fs;

    use super::*;
    use crate::tablebase::syzygy::table_files;

    fn published() -> Vec<PathBuf> {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
        table_files(Path::new(directory)).unwrap()
    }

    /// The verdict on a file with this name and these bytes.
    fn verdict(name: &str, bytes: &[u8]) -> Result<u64, ChecksumError> {
        let name = format!("lovec-checksum-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, bytes).unwrap();
        let verdict = verify(&path, |_| ());
        fs::remove_file(&path).unwrap();
        verdict
    }

    #[test]
    fn published_tables_pass() {
        let files = published();
        assert!(files.len() >= 18);
        for path in files {
            let mut read = 0;
            let length = verify(&path, |bytes| read += bytes).unwrap();
            assert_eq!(length, fs::metadata(&path).unwrap().len());
            assert_eq!(read, length - CHECKSUM_BYTES);
        }
    }

    /// Bits of the table and bits of the checksum itself.
    #[test]
    fn a_changed_bit_fails() {
        let path = published().into_iter().find(|path| path.ends_with("KQvKB.rtbw")).unwrap();
        let whole = fs::read(path).unwrap();
        for bit in (0..8 * whole.len()).step_by(8 * whole.len() / 60) {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let error = verdict("a.rtbw", &bytes).unwrap_err();
            let magic = bit / 8 < 4;
            assert!(matches!(error, ChecksumError::Foreign) == magic, "bit {bit}: {error}");
            assert!(matches!(error, ChecksumError::Checksum) != magic, "bit {bit}: {error}");
        }
    }

    #[test]
    fn what_is_no_whole_table_fails() {
        let path = published().into_iter().find(|path| path.ends_with("KQvK.rtbz")).unwrap();
        let whole = fs::read(path).unwrap();
        let cut = |length: usize| verdict("b.rtbz", &whole[..length]).unwrap_err();
        for length in [0, 1, 15, 16, 80 - 16, whole.len() - 16, whole.len() - 1] {
            assert!(matches!(cut(length), ChecksumError::Length), "{length} bytes");
        }
        assert!(matches!(cut(whole.len() - 64), ChecksumError::Checksum));
        assert!(matches!(verdict("b.rtbw", &whole), Err(ChecksumError::Foreign)));
        let nowhere = verify(Path::new("/nowhere/KQvK.rtbw"), |_| ());
        assert!(matches!(nowhere, Err(ChecksumError::Read(_))));
        assert!(matches!(verify(&std::env::temp_dir(), |_| ()), Err(ChecksumError::Read(_))));
    }
}
