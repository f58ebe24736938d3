//! A transposition table of chess as a file, so that what one game has found serves the next.
//!
//! | bytes | what they are |
//! |---|---|
//! | 8 | the magic bytes |
//! | 4 | the version |
//! | 8 | what depends on the settings of the row, and … |
//! | 8 | … on its evaluation: a table with other values is refused |
//! | 8 | the places of the table |
//! | 8 | the entries that follow |
//! | 34 each | place, key, depth, nodes, lower and upper bound, best move or 0 |
//! | 4 | the checksum (CRC-32) of all bytes before |
//!
//! Numbers are little-endian.

use thiserror::Error;

use crate::chess::Move;
use crate::lab::game::INFINITE;
use crate::lab::table::replacement::Replacement;
use crate::lab::table::{BoundEntry, BoundTable};
use crate::util::checksum::crc32;

const MAGIC: [u8; 8] = *b"LovecLT\0";
const VERSION: u32 = 1;
const ENTRY_BYTES: usize = 4 + 8 + 4 + 8 + 4 + 4 + 2;

/// The greatest size of a file, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 31;

/// What the values of a table depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableOrigin {
    /// A number of the algorithm with its settings and switches.
    pub settings: u64,
    /// A number of the evaluation.
    pub evaluation: u64,
}

/// Why bytes are not a table that a row can use.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableFileError {
    #[error("not a table of the laboratory")]
    Foreign,
    #[error("unknown format version {0}; {VERSION} is expected")]
    Version(u32),
    #[error("damaged: it is truncated, or followed by other bytes")]
    Length,
    #[error("damaged: the checksum is wrong")]
    Checksum,
    #[error("damaged: entry {0} is invalid")]
    Entry(usize),
    #[error("made by an algorithm with other settings")]
    Settings,
    #[error("made with another evaluation")]
    Evaluation,
}

/// The bytes of a table file.
pub fn encode(table: &BoundTable, origin: TableOrigin) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(64 + ENTRY_BYTES * table.entries.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(origin.settings.to_le_bytes());
    bytes.extend(origin.evaluation.to_le_bytes());
    bytes.extend((table.numbers.len() as u64).to_le_bytes());
    bytes.extend((table.entries.len() as u64).to_le_bytes());
    for place in 0..table.numbers.len() {
        let Some(entry) = table.entry(place) else { continue };
        bytes.extend((place as u32).to_le_bytes());
        bytes.extend(entry.key.to_le_bytes());
        bytes.extend(entry.depth.to_le_bytes());
        bytes.extend(entry.nodes.to_le_bytes());
        bytes.extend(entry.low.to_le_bytes());
        bytes.extend(entry.high.to_le_bytes());
        bytes.extend(entry.best.unwrap_or(0).to_le_bytes());
    }
    bytes.extend(crc32(&bytes).to_le_bytes());
    bytes
}

/// Reads the bytes of a file into a new table of a number of places.
///
/// # Errors
///
/// [`TableFileError`] unless [`encode`] returns these bytes for a table of this origin and
/// size.
pub fn decode(
    bytes: &[u8],
    origin: TableOrigin,
    places: usize,
    replacement: Replacement,
) -> Result<BoundTable, TableFileError> {
    let mut fields = Fields(bytes.strip_prefix(&MAGIC).ok_or_else(|| no_magic(bytes))?);
    let version = u32::from_le_bytes(fields.take()?);
    if version != VERSION {
        return Err(TableFileError::Version(version));
    }
    let made = TableOrigin {
        settings: u64::from_le_bytes(fields.take()?),
        evaluation: u64::from_le_bytes(fields.take()?),
    };
    let file_places = u64::from_le_bytes(fields.take()?);
    let entries = u64::from_le_bytes(fields.take()?);
    let (payload, sum) = fields.0.split_last_chunk().ok_or(TableFileError::Length)?;
    if entries.checked_mul(ENTRY_BYTES as u64) != Some(payload.len() as u64) {
        return Err(TableFileError::Length);
    }
    if crc32(&bytes[..bytes.len() - sum.len()]) != u32::from_le_bytes(*sum) {
        return Err(TableFileError::Checksum);
    }
    if made.evaluation != origin.evaluation {
        return Err(TableFileError::Evaluation);
    }
    // The size is one of the settings: a table of another size is not even allocated.
    if made.settings != origin.settings {
        return Err(TableFileError::Settings);
    }
    let mut table = BoundTable::new(places, replacement);
    if table.numbers.len() as u64 != file_places {
        return Err(TableFileError::Settings);
    }
    let mut fields = Fields(payload);
    for number in 0..entries as usize {
        let (place, entry) = fields.entry()?;
        let is_valid = table.bucket(entry.key).contains(&place)
            && table.entry(place).is_none()
            && [entry.low, entry.high].iter().all(|it| (-INFINITE..=INFINITE).contains(it));
        if !is_valid {
            return Err(TableFileError::Entry(number));
        }
        table.write(place, entry);
    }
    Ok(table)
}

/// The bytes that are still to be read.
struct Fields<'b>(&'b [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], TableFileError> {
        let (field, rest) = self.0.split_first_chunk().ok_or(TableFileError::Length)?;
        self.0 = rest;
        Ok(*field)
    }

    /// A place and its entry.
    fn entry(&mut self) -> Result<(usize, BoundEntry), TableFileError> {
        let place = u32::from_le_bytes(self.take()?) as usize;
        let entry = BoundEntry {
            key: u64::from_le_bytes(self.take()?),
            depth: u32::from_le_bytes(self.take()?),
            nodes: u64::from_le_bytes(self.take()?),
            uses: 0,
            low: i32::from_le_bytes(self.take()?),
            high: i32::from_le_bytes(self.take()?),
            best: Move::from_bits(u16::from_le_bytes(self.take()?)).map(Move::bits),
        };
        Ok((place, entry))
    }
}

/// The error for bytes that do not begin with the magic ones.
fn no_magic(bytes: &[u8]) -> TableFileError {
    if MAGIC.starts_with(bytes) { TableFileError::Length } else { TableFileError::Foreign }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::lab::table::{TableNode, ValueBounds};

    const ORIGIN: TableOrigin = TableOrigin { settings: 3, evaluation: 4 };
    const PLACES: usize = 100;

    fn table() -> BoundTable {
        let mut table = BoundTable::new(PLACES, Replacement::default());
        let moves = Position::startpos().legal_moves();
        for number in 0..50_u64 {
            let key = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let best = moves.get(number as usize).map(|m| m.bits());
            let node = TableNode { key, depth: number as u32 % 7, ply: 2 };
            // Bounds by different paths may contradict each other.
            for (low, high) in [(-5, 9000), (9001, INFINITE)] {
                table.put(node, 1 + number, ValueBounds { low, high }, best);
            }
        }
        table
    }

    fn read(bytes: &[u8]) -> Result<BoundTable, TableFileError> {
        decode(bytes, ORIGIN, PLACES, Replacement::default())
    }

    #[test]
    fn a_table_comes_back_from_its_bytes() {
        let bytes = encode(&table(), ORIGIN);
        let back = read(&bytes).unwrap();
        assert!(table().entries.len() > 20);
        for place in 0..PLACES {
            assert_eq!(back.entry(place), table().entry(place));
        }
        assert_eq!(encode(&back, ORIGIN), bytes);
    }

    #[test]
    fn damage_is_found() {
        let bytes = encode(&table(), ORIGIN);
        for length in 0..bytes.len() {
            assert_eq!(read(&bytes[..length]).unwrap_err(), TableFileError::Length, "{length}");
        }
        assert_eq!(read(&[&bytes[..], &[0]].concat()).unwrap_err(), TableFileError::Length);
        for index in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[index] ^= 0x40;
            assert!(read(&damaged).is_err(), "byte {index}");
        }
        assert_eq!(read(b"PNG file").unwrap_err(), TableFileError::Foreign);
    }

    /// A file with a right checksum is read entry by entry.
    #[test]
    fn entries_are_checked() {
        let bytes = encode(&table(), ORIGIN);
        let first = 8 + 4 + 4 * 8;
        for (at, value) in [
            (first, &[99_u8][..]),
            (first + 4 + 7, &[0xFF_u8][..]),
            (first + 4 + 8 + 4 + 8, &i32::MIN.to_le_bytes()[..]),
        ] {
            let mut forged = bytes[..bytes.len() - 4].to_vec();
            forged[at..at + value.len()].copy_from_slice(value);
            forged.extend(crc32(&forged).to_le_bytes());
            let error = read(&forged).err();
            assert!(matches!(error, Some(TableFileError::Entry(_))), "{at}: {error:?}");
        }
    }

    #[test]
    fn a_table_of_another_row_is_refused() {
        let settings = TableOrigin { settings: 9, ..ORIGIN };
        let evaluation = TableOrigin { evaluation: 9, ..ORIGIN };
        assert_eq!(read(&encode(&table(), settings)).unwrap_err(), TableFileError::Settings);
        assert_eq!(read(&encode(&table(), evaluation)).unwrap_err(), TableFileError::Evaluation);
        let smaller = decode(&encode(&table(), ORIGIN), ORIGIN, 60, Replacement::default());
        assert_eq!(smaller.unwrap_err(), TableFileError::Settings);
    }
}
