//! Reading datasets of labelled positions.

use std::io::BufRead;
use std::path::Path;

use anyhow::{Context, Result};

use crate::cli::{progress, source};
use crate::tuner::sample::DatasetError;

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
    let source = source::open(path)?;
    let bar = progress::spinner();
    let data = read(source, &mut |lines| bar.set_message(format!("{name}: {lines} lines")));
    bar.finish_and_clear();
    data.with_context(|| name.to_string())
}
