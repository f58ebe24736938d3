//! Files that are read where they are asked, and kept.
//!
//! A probe reads a few bytes in several places of a file, and a system call for
//! each takes longer than all else that it does. Mapping the file into memory
//! would avoid that, but a file that shrinks or cannot be read then ends the
//! process. So pieces of it are kept as they are first needed, up to a bound for all
//! files together; beyond that each read goes to the file.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

/// Bytes that are read at a time.
const CHUNK_BYTES: usize = 16 << 10;
/// Chunks of all files that are kept: 256 MiB, all that the tables of five men need
/// in a game.
const MAX_CHUNKS: usize = (256 << 20) / CHUNK_BYTES;

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
    /// How many more chunks may be kept.
    room: Arc<AtomicUsize>,
}

impl Chunks {
    pub fn new() -> Self {
        Self::with_room(MAX_CHUNKS)
    }

    fn with_room(chunks: usize) -> Self {
        Self { files: OsFilesystem::new(), room: Arc::new(AtomicUsize::new(chunks)) }
    }
}

impl Filesystem for Chunks {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.files.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.files.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let length = usize::try_from(self.regular_file_size(path)?).map_err(io::Error::other)?;
        let chunks = (0..length.div_ceil(CHUNK_BYTES)).map(|_| OnceLock::new()).collect();
        Ok(Box::new(File { file: self.files.open(path)?, chunks, room: Arc::clone(&self.room) }))
    }
}

struct File {
    file: Box<dyn RandomAccessFile>,
    chunks: Box<[OnceLock<Box<[u8]>>]>,
    room: Arc<AtomicUsize>,
}

impl File {
    /// A part of the file, read now if it was not before; `None` if there is no room
    /// to keep it.
    fn chunk(&self, index: usize) -> io::Result<Option<&[u8]>> {
        let cell = &self.chunks[index];
        if let Some(chunk) = cell.get() {
            return Ok(Some(chunk));
        }
        let one_less = |room: usize| room.checked_sub(1);
        if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_err() {
            return Ok(None);
        }
        let chunk = self.read_chunk(index)?;
        // Another thread may have been faster; its chunk is the same.
        Ok(Some(cell.get_or_init(|| chunk)))
    }

    /// Reads a part to its end, or to that of the file.
    fn read_chunk(&self, index: usize) -> io::Result<Box<[u8]>> {
        let offset = (index * CHUNK_BYTES) as u64;
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
        // An offset beyond the end reads nothing, as everywhere.
        let Ok(start) = usize::try_from(offset) else { return Ok(0) };
        let (index, within) = (start / CHUNK_BYTES, start % CHUNK_BYTES);
        if index >= self.chunks.len() {
            return Ok(0);
        }
        let Some(chunk) = self.chunk(index)? else {
            return self.file.read_at(buffer, offset, hint);
        };
        let rest = chunk.get(within..).unwrap_or_default();
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
            let kept = room - chunks.room.load(Ordering::Relaxed);
            assert_eq!(kept, room.min(6), "what is kept is counted");
        }
        let file = Chunks::new().open(&path).unwrap();
        begin_probe();
        let reads = (0..).take_while(|_| file.read_at(&mut [0], 0, ReadHint::Data).is_ok());
        assert_eq!(reads.count(), MAX_READS as usize, "nobody reads for ever");
        fs::remove_file(path).unwrap();
    }
}
