//! A cache for the parts of Syzygy files that were read.
//!
//! A probe reads a few bytes in several places of a file; a system call for each would
//! take most of its time. Memory mapping would avoid that, but a mapped file that
//! shrinks or cannot be read ends the process. So chunks of the files are cached when
//! they are first read, up to a bound for all files together; beyond it each read goes
//! to the file.
//!
//! One hash table of fixed size holds the chunks of all files, so neither their size
//! nor their number matters: the tables of seven pieces have 17 TiB.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

/// Bytes per read.
const CHUNK_BYTES: usize = 16 << 10;
/// Cached chunks of all files: 256 MiB, enough for the tables of five pieces in a game.
const MAX_CHUNKS: usize = (256 << 20) / CHUNK_BYTES;

/// Upper bounds of the file size in bytes by number of pieces, several times the largest
/// file: about 20 MiB for five pieces, 3 GiB for six and 60 GiB for seven.
const MAX_FILE_BYTES: [(usize, u64); 3] = [(5, 1 << 30), (6, 64 << 30), (7, 1 << 40)];

/// Maximum number of reads per probe. The longest DTZ probe of four pieces takes 16 000.
/// In a damaged table a probe can recurse without end; it must fail before the stack
/// overflows, after about a million reads.
const MAX_READS: u32 = 150_000;

thread_local! {
    /// Reads left to the current probe of this thread.
    static READS: Cell<u32> = const { Cell::new(MAX_READS) };
}

/// Resets the number of reads left; called before each probe.
pub(super) fn begin_probe() {
    READS.set(MAX_READS);
}

/// A file system whose reads are cached.
pub(super) struct Chunks {
    files: OsFilesystem,
    cache: Arc<ChunkCache>,
    /// Number of files opened so far, the next file's number.
    opened: AtomicU64,
}

impl Chunks {
    pub fn new() -> Self {
        Self::with_capacity(MAX_CHUNKS)
    }

    fn with_capacity(chunks: usize) -> Self {
        let cache = Arc::new(ChunkCache::with_capacity(chunks));
        Self { files: OsFilesystem::new(), cache, opened: AtomicU64::new(0) }
    }
}

impl Filesystem for Chunks {
    /// The size of a regular file; an error if it is larger than a table can be.
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        let size = self.files.regular_file_size(path)?;
        let max_size = max_size(path);
        if size > max_size {
            let text = format!("it has {size} bytes; a table of this name has at most {max_size}");
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
        Ok(Box::new(File { file, chunks, number, cache: Arc::clone(&self.cache) }))
    }
}

/// The maximum size of a file in bytes, by the number of pieces in its name.
fn max_size(path: &Path) -> u64 {
    let stem = path.file_stem().unwrap_or_default().as_encoded_bytes();
    let pieces = stem.iter().filter(|&&letter| letter != b'v').count();
    let bounds = MAX_FILE_BYTES.iter().find(|(most, _)| pieces <= *most);
    bounds.or(MAX_FILE_BYTES.last()).map_or(0, |&(_, bytes)| bytes)
}

/// The cached chunks of all files. None is ever removed, so that no lock is needed.
struct ChunkCache {
    /// A hash table with linear probing, at least half empty.
    slots: Box<[OnceLock<Chunk>]>,
    /// Number of chunks that may still be added.
    room: AtomicUsize,
}

/// A part of a file.
struct Chunk {
    key: u64,
    bytes: Box<[u8]>,
}

impl ChunkCache {
    fn with_capacity(chunks: usize) -> Self {
        let slots = (2 * chunks).max(2).next_power_of_two();
        let slots = (0..slots).map(|_| OnceLock::new()).collect();
        Self { slots, room: AtomicUsize::new(chunks) }
    }

    /// The slots in probing order for a key, by Fibonacci hashing (D. Knuth, "The Art of
    /// Computer Programming", volume 3, section 6.4).
    fn slots_of(&self, key: u64) -> impl Iterator<Item = &OnceLock<Chunk>> {
        let first = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.slots.len().ilog2());
        let (before, from) = self.slots.split_at(first as usize);
        from.iter().chain(before)
    }

    fn get(&self, key: u64) -> Option<&[u8]> {
        let mut filled = self.slots_of(key).map_while(OnceLock::get);
        filled.find(|chunk| chunk.key == key).map(|chunk| &*chunk.bytes)
    }

    /// The bytes of a chunk, read by `read` if it is not cached yet; `None` if the cache is
    /// full.
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
                // Another thread has inserted the same chunk.
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
    /// Number of chunks in the file.
    chunks: u64,
    /// Unique for each open file.
    number: u64,
    cache: Arc<ChunkCache>,
}

impl File {
    /// A chunk of the file, cached or read now; `None` if the cache is full.
    fn chunk(&self, index: u64) -> io::Result<Option<&[u8]>> {
        // No file has 2^32 chunks.
        self.cache.get_or_read(self.number << 32 | index, || self.read_chunk(index))
    }

    /// Reads a chunk, up to the end of the file.
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
        READS.set(left.ok_or_else(|| {
            io::Error::other("the table is damaged: it makes a probe recurse without end")
        })?);
        let (index, within) = (offset / CHUNK_BYTES as u64, offset % CHUNK_BYTES as u64);
        // As in other files, a read beyond the end returns no bytes.
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
    fn cached_and_direct_reads_equal_the_file() {
        let mut random = StdRng::seed_from_u64(1);
        let bytes: Vec<u8> = (0..5 * CHUNK_BYTES + 777).map(|_| random.random::<u8>()).collect();
        let path = std::env::temp_dir().join(format!("lovec-chunks-{}", std::process::id()));
        fs::write(&path, &bytes).unwrap();
        for room in [0, 2, MAX_CHUNKS] {
            let chunks = Chunks::with_capacity(room);
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
            let cached = room - chunks.cache.room.load(Ordering::Relaxed);
            assert_eq!(cached, room.min(6));
        }
        let file = Chunks::new().open(&path).unwrap();
        begin_probe();
        let reads = (0..).take_while(|_| file.read_at(&mut [0], 0, ReadHint::Data).is_ok());
        assert_eq!(reads.count(), MAX_READS as usize);
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn cached_chunks_are_found_by_their_keys() {
        let cache = ChunkCache::with_capacity(1000);
        let bytes_of = |key: u64| key.to_le_bytes().to_vec().into_boxed_slice();
        let keys = |number: u64| (0..500).map(move |index| number << 32 | index);
        for key in keys(0).chain(keys(u64::from(u32::MAX))) {
            let bytes = cache.get_or_read(key, || Ok(bytes_of(key))).unwrap().unwrap();
            assert_eq!(bytes, &*bytes_of(key));
        }
        for key in keys(0).chain(keys(u64::from(u32::MAX))) {
            assert_eq!(cache.get(key), Some(&*bytes_of(key)));
        }
        assert_eq!(cache.get_or_read(1 << 32, || Ok(bytes_of(0))).unwrap(), None, "it is full");
    }

    #[test]
    fn a_failed_read_uses_no_capacity() {
        let cache = ChunkCache::with_capacity(1);
        assert!(cache.get_or_read(1, || Err(io::Error::other("damaged"))).is_err());
        assert!(cache.get_or_read(1, || Ok(Box::new([7]))).unwrap().is_some());
    }

    #[test]
    fn file_sizes_are_bounded_by_the_number_of_pieces() {
        for (name, bytes) in
            [("KQvK", 1 << 30), ("KQRvKR", 1 << 30), ("KQRBvKR", 64 << 30), ("KQRBNvKR", 1 << 40)]
        {
            assert_eq!(max_size(Path::new(&format!("a/v/{name}.rtbw"))), bytes, "{name}");
        }
    }
}
