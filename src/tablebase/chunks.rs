//! Files that are read where they are asked, and kept.
//!
//! A probe reads a few bytes in several places of a file, and a system call for
//! each takes longer than all else that it does. Mapping the file into memory
//! would avoid that, but a file that shrinks or cannot be read then ends the
//! process. So pieces of it are kept as they are first needed, up to a bound for all
//! files together; beyond that each read goes to the file.
//!
//! What is kept stands in one hash table for all files, of a fixed size: how large
//! the files are, and how many, does not matter. All tables of seven pieces are
//! 17 TiB.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

/// Bytes that are read at a time.
const CHUNK_BYTES: usize = 16 << 10;
/// Chunks of all files that are kept: 256 MiB, all that the tables of five pieces need
/// in a game.
const MAX_CHUNKS: usize = (256 << 20) / CHUNK_BYTES;

/// The most bytes of a file for so many pieces, several times as many as the largest
/// has: some 20 MiB for five, 3 GiB for six and 60 GiB for seven.
const MAX_FILE_BYTES: [(usize, u64); 3] = [(5, 1 << 30), (6, 64 << 30), (7, 1 << 40)];

/// Reads that one probe may take. The longest, for a distance of four men, take 16 000;
/// one that goes on and on follows a damaged table in circles, and is to fail before it
/// runs out of stack, which takes a million.
const MAX_READS: u32 = 150_000;

thread_local! {
    /// How many more reads the probe of this thread may take.
    static READS: Cell<u32> = const { Cell::new(MAX_READS) };
}

/// A probe begins on this thread.
pub(super) fn begin_probe() {
    READS.set(MAX_READS);
}

/// Opens files of which the parts that were read are kept.
pub(super) struct Chunks {
    files: OsFilesystem,
    kept: Arc<Kept>,
    /// How many files were opened.
    opened: AtomicU64,
}

impl Chunks {
    pub fn new() -> Self {
        Self::with_room(MAX_CHUNKS)
    }

    fn with_room(chunks: usize) -> Self {
        let kept = Arc::new(Kept::with_room(chunks));
        Self { files: OsFilesystem::new(), kept, opened: AtomicU64::new(0) }
    }
}

impl Filesystem for Chunks {
    /// The size of a regular file, unless it is larger than a table can be.
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        let size = self.files.regular_file_size(path)?;
        let max_size = max_size(path);
        if size > max_size {
            let text = format!("it has {size} bytes, and no such table more than {max_size}");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        Ok(size)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.files.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let chunks = self.regular_file_size(path)?.div_ceil(CHUNK_BYTES as u64);
        let file = self.files.open(path)?;
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(File { file, chunks, number, kept: Arc::clone(&self.kept) }))
    }
}

/// The most bytes that a file may have, by the pieces that its name tells.
fn max_size(path: &Path) -> u64 {
    let stem = path.file_stem().unwrap_or_default().as_encoded_bytes();
    let pieces = stem.iter().filter(|&&letter| letter != b'v').count();
    let bounds = MAX_FILE_BYTES.iter().find(|(most, _)| pieces <= *most);
    bounds.or(MAX_FILE_BYTES.last()).map_or(0, |&(_, bytes)| bytes)
}

/// The chunks of all files that are kept. None is ever given up again, so that they
/// are found without a lock.
struct Kept {
    /// A hash table of which at least half is empty: a chunk stands in the first slot
    /// that was free, beginning with the one that its hash names.
    slots: Box<[OnceLock<Chunk>]>,
    /// How many more chunks may be kept.
    room: AtomicUsize,
}

/// A part of a file.
struct Chunk {
    key: u64,
    bytes: Box<[u8]>,
}

impl Kept {
    fn with_room(chunks: usize) -> Self {
        let slots = (2 * chunks).max(2).next_power_of_two();
        let slots = (0..slots).map(|_| OnceLock::new()).collect();
        Self { slots, room: AtomicUsize::new(chunks) }
    }

    /// The slots in the order in which a chunk may stand in them, by Fibonacci hashing
    /// (D. Knuth, "The Art of Computer Programming", volume 3, section 6.4).
    fn slots_of(&self, key: u64) -> impl Iterator<Item = &OnceLock<Chunk>> {
        let first = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.slots.len().ilog2());
        let (before, from) = self.slots.split_at(first as usize);
        from.iter().chain(before)
    }

    fn get(&self, key: u64) -> Option<&[u8]> {
        let mut filled = self.slots_of(key).map_while(OnceLock::get);
        filled.find(|chunk| chunk.key == key).map(|chunk| &*chunk.bytes)
    }

    /// The bytes of a chunk, which `read` fetches if it is not kept yet; `None` if there
    /// is no room to keep it.
    fn get_or_read(
        &self,
        key: u64,
        read: impl FnOnce() -> io::Result<Box<[u8]>>,
    ) -> io::Result<Option<&[u8]>> {
        if let Some(bytes) = self.get(key) {
            return Ok(Some(bytes));
        }
        let one_less = |room: usize| room.checked_sub(1);
        if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_err() {
            return Ok(None);
        }
        let give_back = || {
            self.room.fetch_add(1, Ordering::Relaxed);
        };
        let bytes = read().inspect_err(|_| give_back())?;
        let mut chunk = Chunk { key, bytes };
        for slot in self.slots_of(key) {
            match slot.set(chunk) {
                Ok(()) => break,
                // Another thread may have been faster; its chunk is the same.
                Err(_) if slot.get().is_some_and(|other| other.key == key) => {
                    give_back();
                    break;
                }
                Err(unplaced) => chunk = unplaced,
            }
        }
        Ok(self.get(key))
    }
}

struct File {
    file: Box<dyn RandomAccessFile>,
    /// How many chunks there are.
    chunks: u64,
    /// Tells the file apart from all others.
    number: u64,
    kept: Arc<Kept>,
}

impl File {
    /// A part of the file, read now if it was not before; `None` if there is no room
    /// to keep it.
    fn chunk(&self, index: u64) -> io::Result<Option<&[u8]>> {
        // No file has as many chunks as half a word can count.
        self.kept.get_or_read(self.number << 32 | index, || self.read_chunk(index))
    }

    /// Reads a part to its end, or to that of the file.
    fn read_chunk(&self, index: u64) -> io::Result<Box<[u8]>> {
        let offset = index * CHUNK_BYTES as u64;
        let mut bytes = vec![0; CHUNK_BYTES];
        let mut length = 0;
        while length < CHUNK_BYTES {
            match self.file.read_at(&mut bytes[length..], offset + length as u64, ReadHint::Data) {
                Ok(0) => break,
                Ok(read) => length += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        bytes.truncate(length);
        Ok(bytes.into_boxed_slice())
    }
}

impl RandomAccessFile for File {
    fn read_at(&self, buffer: &mut [u8], offset: u64, hint: ReadHint) -> io::Result<usize> {
        let left = READS.get().checked_sub(1);
        READS.set(left.ok_or_else(|| io::Error::other("a table that goes in circles"))?);
        let (index, within) = (offset / CHUNK_BYTES as u64, offset % CHUNK_BYTES as u64);
        // An offset beyond the end reads nothing, as everywhere.
        if index >= self.chunks {
            return Ok(0);
        }
        let Some(chunk) = self.chunk(index)? else {
            return self.file.read_at(buffer, offset, hint);
        };
        let rest = chunk.get(within as usize..).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn reads_are_those_of_the_file_with_room_and_without() {
        let mut random = StdRng::seed_from_u64(1);
        let bytes: Vec<u8> = (0..5 * CHUNK_BYTES + 777).map(|_| random.random()).collect();
        let path = std::env::temp_dir().join(format!("lovec-chunks-{}", std::process::id()));
        fs::write(&path, &bytes).unwrap();
        for room in [0, 2, MAX_CHUNKS] {
            let chunks = Chunks::with_room(room);
            let file = chunks.open(&path).unwrap();
            for _ in 0..2_000 {
                begin_probe();
                let start = random.random_range(0..bytes.len() + 100);
                let length = random.random_range(0..3 * CHUNK_BYTES);
                let mut buffer = vec![0; length];
                let read = file.read_exact_at(&mut buffer, start as u64, ReadHint::Data);
                match bytes.get(start..start + length) {
                    Some(part) => assert!(read.is_ok() && buffer == part, "{start} {length}"),
                    None => assert!(read.is_err() || length == 0),
                }
            }
            assert_eq!(file.read_at(&mut [0; 4], u64::MAX, ReadHint::Data).unwrap(), 0);
            let kept = room - chunks.kept.room.load(Ordering::Relaxed);
            assert_eq!(kept, room.min(6), "what is kept is counted");
        }
        let file = Chunks::new().open(&path).unwrap();
        begin_probe();
        let reads = (0..).take_while(|_| file.read_at(&mut [0], 0, ReadHint::Data).is_ok());
        assert_eq!(reads.count(), MAX_READS as usize, "nobody reads for ever");
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn chunks_are_found_again_whatever_their_keys() {
        let kept = Kept::with_room(1000);
        let bytes_of = |key: u64| key.to_le_bytes().to_vec().into_boxed_slice();
        let keys = |number: u64| (0..500).map(move |index| number << 32 | index);
        for key in keys(0).chain(keys(u64::from(u32::MAX))) {
            let bytes = kept.get_or_read(key, || Ok(bytes_of(key))).unwrap().unwrap();
            assert_eq!(bytes, &*bytes_of(key));
        }
        for key in keys(0).chain(keys(u64::from(u32::MAX))) {
            assert_eq!(kept.get(key), Some(&*bytes_of(key)));
        }
        assert_eq!(kept.get_or_read(1 << 32, || Ok(bytes_of(0))).unwrap(), None, "no room");
    }

    #[test]
    fn a_failed_read_takes_no_room() {
        let kept = Kept::with_room(1);
        assert!(kept.get_or_read(1, || Err(io::Error::other("damaged"))).is_err());
        assert!(kept.get_or_read(1, || Ok(Box::new([7]))).unwrap().is_some());
    }

    #[test]
    fn a_file_is_no_larger_than_a_table_can_be() {
        for (name, bytes) in
            [("KQvK", 1 << 30), ("KQRvKR", 1 << 30), ("KQRBvKR", 64 << 30), ("KQRBNvKR", 1 << 40)]
        {
            assert_eq!(max_size(Path::new(&format!("a/v/{name}.rtbw"))), bytes, "{name}");
        }
    }
}
