//! Where a command reads a long text from.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;

use crate::cli::progress::{self, ProgressLine};
use crate::tuner::sample::DatasetError;
use crate::util::counted::counted;
use crate::util::{gzip, input_file};

/// Opens a regular file, or the standard input if the path is `-`, as [`decompressed`] text.
///
/// # Errors
///
/// If the file cannot be opened; the error names it.
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    open_followed(path, &progress::hidden())
}

/// As [`open`]; `bar` counts the bytes that are read of a file.
pub(super) fn open_followed(path: &Path, bar: &ProgressLine) -> Result<Box<dyn BufRead>> {
    let source = if is_standard_input(path) {
        decompressed(io::stdin())
    } else {
        input_file::open(path).and_then(|file| decompressed(bar.wrap_read(file)))
    };
    source.with_context(|| format!("cannot read {}", path.display()))
}

/// Reads a dataset. `read` gets its text and a callback for the number of lines read.
///
/// # Errors
///
/// If the file cannot be read or is not regular, and the errors of `read`; each names the
/// file.
pub(super) fn read_dataset<T>(
    path: &Path,
    read: impl FnOnce(Box<dyn BufRead>, &mut dyn FnMut(usize)) -> Result<T, DatasetError>,
) -> Result<T> {
    let name = path.display();
    let source = open(path)?;
    let bar = progress::spinner();
    read(source, &mut |lines| bar.set_message(format!("{name}: {lines} lines")))
        .with_context(|| name.to_string())
}

/// What follows the number of positions of a dataset.
pub(super) fn left_out(known_endgames: usize) -> String {
    match known_endgames {
        0 => String::new(),
        count => format!(", {} left out", counted(count, "known endgame")),
    }
}

/// Whether a path names the standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A text, which is read through gzip if it begins as gzip does.
fn decompressed(mut source: impl Read + 'static) -> io::Result<Box<dyn BufRead>> {
    let mut start = Vec::new();
    source.by_ref().take(gzip::MAGIC.len() as u64).read_to_end(&mut start)?;
    let is_compressed = start == gzip::MAGIC;
    let whole = BufReader::new(Cursor::new(start).chain(source));
    Ok(if is_compressed {
        Box::new(BufReader::new(MultiGzDecoder::new(whole)))
    } else {
        Box::new(whole)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_known_by_its_beginning() {
        let text = |bytes: Vec<u8>| {
            let mut text = String::new();
            decompressed(Cursor::new(bytes)).unwrap().read_to_string(&mut text).unwrap();
            text
        };
        for plain in ["", "a", "ab", "abc\nd"] {
            assert_eq!(text(plain.into()), plain);
            let member = gzip::compressed(plain.as_bytes()).unwrap();
            assert_eq!(text(member.repeat(2)), plain.repeat(2));
            let cut = Cursor::new(member[..member.len() - 3].to_vec());
            assert!(decompressed(cut).unwrap().read_to_string(&mut String::new()).is_err());
        }
    }
}
