//! Looks up positions in a book file.
//!
//! A book may be larger than the memory, so it is never loaded. Opening a book reads it
//! once, through a small buffer, to check that it is complete and sorted; in books of more
//! than 64 MiB only a thousand entries are checked, spread evenly, since the client waits.
//! Positions are found by binary search: about twenty seeks for a million entries.
//!
//! Keys collide, files are damaged, and programs have bugs, so a move is returned only if
//! it is legal in the position.

use std::fmt;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use thiserror::Error;

use crate::book::book_move::BookMove;
use crate::book::entry::{BookEntry, ENTRY_BYTES};
use crate::book::key::key;
use crate::chess::Position;
use crate::chess::moves::MAX_MOVES;
use crate::util::input_file;

/// Bytes per read when a book is opened.
const BUFFER_BYTES: usize = 64 << 10;

/// Books of more entries, 64 MiB, are only sampled.
const MAX_READ_ENTRIES: u64 = (64 << 20) / ENTRY_BYTES as u64;
/// The number of samples of a larger book.
const SAMPLES: u64 = 1000;

/// Why a file cannot be used as a book.
#[derive(Debug, Error)]
pub enum BookError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("the file is empty")]
    Empty,
    #[error(
        "the size of {0} bytes is not a multiple of {ENTRY_BYTES}: truncated, or not a Polyglot book"
    )]
    Truncated(u64),
    #[error("entry {0} is out of order: damaged, or not a Polyglot book")]
    Unsorted(u64),
    #[error("all entries have the key {0:016x}: not a Polyglot book")]
    OneKey(u64),
}

/// Where a book is read from.
pub trait BookSource: Read + Seek + fmt::Debug {}

impl<T: Read + Seek + fmt::Debug> BookSource for T {}

/// A Polyglot book, open for reading: a file, or the one inside Lovec.
#[derive(Debug)]
pub struct Book<R = Box<dyn BookSource>> {
    source: R,
    /// The number of entries, at least one.
    len: u64,
}

impl Book {
    /// The name of the book inside Lovec for [`named`](Self::named). A file of that name is
    /// `./own`.
    const OWN_NAME: &str = "own";

    /// Opens a book and checks it.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Self::new(Box::new(input_file::open(path)?))
    }

    /// The book inside Lovec.
    pub fn own() -> Self {
        Self { source: Box::new(Cursor::new(OWN)), len: (OWN.len() / ENTRY_BYTES) as u64 }
    }

    /// The book inside Lovec if the name is `own`, otherwise the book of a file.
    pub fn named(name: &Path) -> Result<Self, BookError> {
        if name.as_os_str() == Self::OWN_NAME { Ok(Self::own()) } else { Self::open(name) }
    }
}

/// The book inside Lovec: the named openings, weighted by searches. `lovec book openings`
/// made it.
const OWN: &[u8] = include_bytes!("own_book.bin");

impl<R: Read + Seek> Book<R> {
    /// Opens a source as a book and checks it, or a sample of it if it is large.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is truncated or is not sorted; and if all entries have one key
    /// although they are more than a position has moves, or that key is zero, which no
    /// position has in practice.
    pub fn new(mut source: R) -> Result<Self, BookError> {
        let bytes = source.seek(SeekFrom::End(0))?;
        if bytes == 0 {
            return Err(BookError::Empty);
        }
        if bytes % ENTRY_BYTES as u64 != 0 {
            return Err(BookError::Truncated(bytes));
        }
        let len = bytes / ENTRY_BYTES as u64;
        let mut book = Self { source, len };
        // The smallest and the greatest key if the book is sorted.
        let (first, last) = (book.entry(0)?.key, book.entry(len - 1)?.key);
        if first == last && (last == 0 || len > MAX_MOVES as u64) {
            return Err(BookError::OneKey(last));
        }
        if len <= MAX_READ_ENTRIES {
            book.source.rewind()?;
            let mut buffered = BufReader::with_capacity(BUFFER_BYTES, &mut book.source);
            check_order((0..len).map(|number| Ok((number, read_entry(&mut buffered)?.key))))?;
        } else {
            // Pairs of neighbours, the last two entries among them.
            let samples = (1..=SAMPLES).flat_map(|sample| {
                let last = (u128::from(len) * u128::from(sample) / u128::from(SAMPLES)) as u64;
                [last - 2, last - 1]
            });
            check_order(samples.map(|number| Ok((number, book.entry(number)?.key))))?;
        }
        Ok(book)
    }

    /// The entries of a key in the order of the file, at most as many as a position has
    /// moves.
    pub fn entries(&mut self, key: u64) -> io::Result<Vec<BookEntry>> {
        let first = self.first_at_least(key)?;
        let mut found = Vec::new();
        for number in first..self.len.min(first + MAX_MOVES as u64) {
            let entry = self.entry(number)?;
            if entry.key != key {
                break;
            }
            found.push(entry);
        }
        Ok(found)
    }

    /// The legal book moves of a position in the order of the file; none in Chess960.
    pub fn moves(&mut self, position: &Position) -> io::Result<Vec<BookMove>> {
        let Some(key) = key(position) else { return Ok(Vec::new()) };
        let legal = |entry: BookEntry| {
            let m = entry.m.legal_in(position)?;
            Some(BookMove { m, weight: entry.weight })
        };
        Ok(self.entries(key)?.into_iter().filter_map(legal).collect())
    }

    /// The number of the first entry whose key is not below this one.
    fn first_at_least(&mut self, key: u64) -> io::Result<u64> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    fn entry(&mut self, number: u64) -> io::Result<BookEntry> {
        self.source.seek(SeekFrom::Start(number * ENTRY_BYTES as u64))?;
        read_entry(&mut self.source)
    }
}

fn read_entry(source: &mut impl Read) -> io::Result<BookEntry> {
    let mut bytes = [0; ENTRY_BYTES];
    source.read_exact(&mut bytes)?;
    Ok(BookEntry::from_bytes(bytes))
}

/// Checks that the keys of entries, given by number and key, do not decrease. Entries of
/// one position may have any order.
fn check_order(entries: impl Iterator<Item = io::Result<(u64, u64)>>) -> Result<(), BookError> {
    let mut last = 0;
    for entry in entries {
        let (number, key) = entry?;
        if key < last {
            return Err(BookError::Unsorted(number + 1));
        }
        last = key;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::book::entry::EncodedMove;
    use crate::book::named_lines;
    use crate::chess::notation::uci::{format_move, parse_move};

    fn bytes(entries: &[BookEntry]) -> Vec<u8> {
        entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    fn book(entries: &[BookEntry]) -> Result<Book<Cursor<Vec<u8>>>, BookError> {
        Book::new(Cursor::new(bytes(entries)))
    }

    fn entry(key: u64, weight: u16) -> BookEntry {
        BookEntry { key, m: EncodedMove(0), weight, learn: 0 }
    }

    /// Each move of the book inside belongs to a named line, and most names are in it.
    #[test]
    fn the_book_inside_plays_named_openings() {
        let mut book = Book::new(Cursor::new(OWN)).unwrap();
        assert_eq!(book.len, Book::own().len);
        let mut played = HashSet::new();
        let mut reached = 0;
        for mut line in named_lines() {
            let mut is_whole = true;
            while let Some(m) = line.last_move() {
                line.unmake();
                let moves = book.moves(&line).unwrap();
                let is_in = moves.iter().any(|found| found.m == m && found.weight > 0);
                is_whole &= is_in;
                if is_in {
                    played.insert((line.key(), m));
                }
            }
            reached += u32::from(is_whole);
        }
        assert_eq!(played.len() as u64, book.len);
        assert!(reached > 1000, "{reached}");
    }

    /// Binary search finds the same entries as a linear search, for keys with no, one and
    /// several entries.
    #[test]
    fn every_key_is_found() {
        let mut rng = StdRng::seed_from_u64(1);
        for len in 1..40_u16 {
            let mut entries: Vec<BookEntry> =
                (0..len).map(|weight| entry(rng.random_range(1..20), weight)).collect();
            entries.sort_by_key(|entry| entry.key);
            let mut book = book(&entries).unwrap();
            assert_eq!(book.len, u64::from(len));
            for key in 0..22 {
                let expected: Vec<BookEntry> =
                    entries.iter().filter(|entry| entry.key == key).copied().collect();
                assert_eq!(book.entries(key).unwrap(), expected, "{key} in {entries:?}");
            }
            assert_eq!(book.entries(u64::MAX).unwrap(), []);
        }
    }

    #[test]
    fn the_smallest_and_greatest_key_are_found() {
        let mut book = book(&[entry(0, 1), entry(u64::MAX, 2)]).unwrap();
        assert_eq!(book.entries(0).unwrap(), [entry(0, 1)]);
        assert_eq!(book.entries(u64::MAX).unwrap(), [entry(u64::MAX, 2)]);
    }

    #[test]
    fn other_files_are_rejected() {
        let whole = bytes(&[entry(1, 1), entry(2, 1)]);
        for cut in [1, 15, 17, 31] {
            let result = Book::new(Cursor::new(whole[..cut].to_vec()));
            assert!(matches!(result, Err(BookError::Truncated(n)) if n == cut as u64), "{cut}");
        }
        assert!(matches!(book(&[]), Err(BookError::Empty)));
        let unsorted = book(&[entry(1, 1), entry(3, 1), entry(3, 1), entry(2, 1)]);
        assert!(matches!(unsorted, Err(BookError::Unsorted(4))));
        let zeros = Book::new(Cursor::new(vec![0; 64]));
        assert!(matches!(zeros, Err(BookError::OneKey(0))));
        let letters = Book::new(Cursor::new(vec![b'a'; 16_000]));
        assert!(matches!(letters, Err(BookError::OneKey(0x6161_6161_6161_6161))));
        let folder = Book::open(Path::new(env!("CARGO_MANIFEST_DIR")));
        assert!(matches!(folder, Err(BookError::Io(_))));
        let missing = Book::open(Path::new("/no/such/book.bin"));
        assert!(matches!(missing, Err(BookError::Io(_))));
    }

    /// A book of a terabyte; `key` maps the number of an entry to its key.
    #[derive(Debug)]
    struct Vast {
        key: fn(u64) -> u64,
        place: u64,
        reads: u64,
    }

    impl Vast {
        const BYTES: u64 = 1 << 40;

        fn book(key: fn(u64) -> u64) -> Result<Book<Self>, BookError> {
            Book::new(Self { key, place: 0, reads: 0 })
        }
    }

    impl Seek for Vast {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.place = match to {
                SeekFrom::Start(place) => place,
                SeekFrom::End(back) => Self::BYTES.saturating_add_signed(back),
                SeekFrom::Current(more) => self.place.saturating_add_signed(more),
            };
            Ok(self.place)
        }
    }

    impl Read for Vast {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.reads += 1;
            let key = (self.key)(self.place / ENTRY_BYTES as u64);
            let bytes = entry(key, 1).to_bytes();
            let length = buffer.len().min(ENTRY_BYTES);
            buffer[..length].copy_from_slice(&bytes[..length]);
            self.place += length as u64;
            Ok(length)
        }
    }

    #[test]
    fn large_books_are_sampled() {
        let mut sorted = Vast::book(|number| number).unwrap();
        assert!(sorted.source.reads < 3000, "{} reads", sorted.source.reads);
        assert_eq!(sorted.entries(12_345_678_901).unwrap(), [entry(12_345_678_901, 1)]);
        let zeros = Vast::book(|_| 0);
        assert!(matches!(zeros, Err(BookError::OneKey(0))));
        let reversed = Vast::book(|number| u64::MAX - number);
        assert!(matches!(reversed, Err(BookError::Unsorted(_))));
        let text = Vast::book(|number| number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        assert!(matches!(text, Err(BookError::Unsorted(_))));
    }

    #[test]
    fn a_book_that_shrinks_after_opening_is_an_error() {
        let mut book = book(&[entry(1, 1), entry(2, 1), entry(3, 1)]).unwrap();
        book.source.get_mut().truncate(40);
        assert!(book.entries(3).is_err());
    }

    #[test]
    fn at_most_as_many_entries_as_moves_are_returned() {
        let mut book = book(&[&[entry(7, 1); 1000][..], &[entry(8, 1)]].concat()).unwrap();
        assert_eq!(book.entries(7).unwrap().len(), MAX_MOVES);
    }

    #[test]
    fn only_legal_moves_are_returned() {
        let position = Position::startpos();
        let key = key(&position).unwrap();
        let legal = EncodedMove::from(parse_move(&position, "g1f3").unwrap());
        // a1a1, e2h4, e7e5.
        let mut moves = vec![EncodedMove(0), EncodedMove(12 << 6 | 31)];
        moves.extend([EncodedMove(52 << 6 | 36), legal]);
        let entries: Vec<BookEntry> =
            moves.into_iter().map(|m| BookEntry { key, m, weight: 9, learn: 0 }).collect();
        let mut book = book(&entries).unwrap();
        let moves = book.moves(&position).unwrap();
        let texts: Vec<String> = moves.iter().map(|found| format_move(found.m, false)).collect();
        assert_eq!(texts, ["g1f3"]);
        let other = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(book.moves(&other).unwrap(), []);
    }
}
