//! Reading datasets of labelled positions.

use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;

use crate::cli::progress;
use crate::tuner::sample::DatasetError;
use crate::util::input_file;

/// The name of the standard input.
const STANDARD_INPUT: &str = "-";

/// Reads a file, through gzip if its name ends in `.gz`, or the standard input if it is
/// `-`. `read` gets the text and a callback for the number of lines read.
///
/// # Errors
///
/// If the file cannot be read or is not regular, and the errors of `read`; each names the
/// file.
pub(super) fn read<T>(
    path: &Path,
    read: impl FnOnce(Box<dyn BufRead>, &mut dyn FnMut(usize)) -> Result<T, DatasetError>,
) -> Result<T> {
    let name = path.display();
    let source: Box<dyn BufRead> = if path.as_os_str() == STANDARD_INPUT {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let file = input_file::open(path).with_context(|| format!("cannot read {name}"))?;
        if path.extension().is_some_and(|extension| extension == "gz") {
            Box::new(BufReader::new(MultiGzDecoder::new(BufReader::new(file))))
        } else {
            Box::new(BufReader::new(file))
        }
    };
    let bar = progress::spinner();
    let data = read(source, &mut |lines| bar.set_message(format!("{name}: {lines} lines")));
    bar.finish_and_clear();
    data.with_context(|| name.to_string())
}
