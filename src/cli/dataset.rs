//! Files of labelled positions, as the commands that learn from them read them.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;

use crate::cli::progress;
use crate::tuner::sample::DatasetError;

/// Reads a file, from gzip if its name says so. `read` is given the text and whom
/// to tell how many lines it has seen.
pub(super) fn read<T>(
    path: &Path,
    read: impl FnOnce(Box<dyn BufRead>, &mut dyn FnMut(usize)) -> Result<T, DatasetError>,
) -> Result<T> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let source: Box<dyn BufRead> = if path.extension().is_some_and(|extension| extension == "gz") {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else {
        Box::new(BufReader::new(file))
    };
    let bar = progress::spinner();
    let data = read(source, &mut |lines| bar.set_message(format!("{name}: {lines} lines")));
    bar.finish_and_clear();
    data.with_context(|| name.to_string())
}
