//! Where a command reads a long text from.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;

use crate::cli::progress;
use crate::tuner::sample::DatasetError;
use crate::util::{gzip, input_file};

/// The name of the standard input.
const STANDARD_INPUT: &str = "-";

/// Opens a regular file, or the standard input if the path is `-`. A file whose name ends in
/// `.gz` is read through gzip.
///
/// # Errors
///
/// If the file cannot be opened; the error names it.
pub(super) fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    if is_standard_input(path) {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = input_file::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(decompressed(path, file))
}

/// Reads a file, through gzip if its name ends in `.gz`, or the standard input if it is
/// `-`. `read` gets the text and a callback for the number of lines read.
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
    let data = read(source, &mut |lines| bar.set_message(format!("{name}: {lines} lines")));
    bar.finish_and_clear();
    data.with_context(|| name.to_string())
}

/// What follows the number of positions of a dataset.
pub(super) fn left_out(known_endgames: usize) -> String {
    match known_endgames {
        0 => String::new(),
        1 => ", 1 known endgame left out".to_owned(),
        count => format!(", {count} known endgames left out"),
    }
}

/// Whether a path names the standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT
}

/// The text of an open file, which is read through gzip if the name of the path ends in
/// `.gz`.
pub(super) fn decompressed(path: &Path, file: impl Read + 'static) -> Box<dyn BufRead> {
    if gzip::is_compressed(path) {
        Box::new(BufReader::new(MultiGzDecoder::new(BufReader::new(file))))
    } else {
        Box::new(BufReader::new(file))
    }
}
