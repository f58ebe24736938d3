//! Compression of text. A file is written through gzip if its name ends in `.gz`.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

/// How a gzip member begins.
pub const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Whether the file of this name is written through gzip.
pub fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// The bytes as one gzip member. Members joined are a file too.
///
/// # Errors
///
/// The errors of the encoder; writing to memory does not fail.
pub fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut member = GzEncoder::new(Vec::new(), Compression::best());
    member.write_all(bytes)?;
    member.finish()
}
