//! Compression of text for files whose names end in `.gz`.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

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
