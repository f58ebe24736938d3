//! Table files.
//!
//! All numbers are little-endian.
//!
//! | bytes | contents |
//! |---|---|
//! | 8 | `LovecTB` and a zero |
//! | 2 | the version, 1 |
//! | 8 | the ending, such as `KRvKP`, padded with zeros |
//! | 4 | the number of codes, which follows from the ending; not read |
//! | 4 | the length of the compressed codes in bytes; not read |
//! | … | the codes, a byte each, compressed (zlib, RFC 1950) |
//! | 4 | the CRC-32 of everything before it |
//!
//! A code is 0 for a draw, 255 for no position, and otherwise the distance to mate in
//! plies plus one; see `index` for the numbering.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use thiserror::Error;

use crate::tablebase::egtb::index::Layout;
use crate::tablebase::egtb::material::Material;
use crate::tablebase::egtb::table::DtmTable;
use crate::util::checksum::crc32;
use crate::util::input_file;
use crate::util::output_file::OutputFile;

/// The extension of table files.
pub const EXTENSION: &str = "ltb";

const MAGIC: [u8; 8] = *b"LovecTB\0";
const VERSION: u16 = 1;
const NAME_BYTES: usize = 8;
/// The place of the name.
const NAME: usize = MAGIC.len() + 2;
const HEADER_BYTES: usize = NAME + NAME_BYTES + 4 + 4;
/// The maximum size of a file, larger than any table, compressed or not.
const MAX_FILE_BYTES: u64 = 1 << 26;

/// Why a file or folder cannot be used.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("cannot read {}: {error}", .path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("cannot write {}: {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("{}: {error}", .path.display())]
    Format { path: PathBuf, error: FormatError },
}

/// Why bytes are not a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormatError {
    #[error("not a Lovec table")]
    Foreign,
    #[error("unknown format version {0}")]
    Version(u16),
    #[error("truncated or damaged: the checksum is wrong")]
    Damaged,
    #[error("contains the table of {0}, which does not match the file name")]
    Name(Material),
}

impl FileError {
    pub(super) fn read(path: &Path, error: io::Error) -> Self {
        Self::Read { path: path.to_owned(), error }
    }

    fn write(path: &Path, error: io::Error) -> Self {
        Self::Write { path: path.to_owned(), error }
    }
}

/// The path of an ending's file in a folder: `KRvKP.ltb`.
pub fn path_of(directory: &Path, material: &Material) -> PathBuf {
    directory.join(format!("{material}.{EXTENSION}"))
}

/// Checks that the table of an ending can be written to a folder, before it is built.
pub fn prepare(directory: &Path, material: &Material) -> Result<OutputFile, FileError> {
    let path = path_of(directory, material);
    OutputFile::prepare(&path).map_err(|error| FileError::write(&path, error))
}

/// Writes a table to its file in a folder, replacing an old one atomically. Returns its
/// length in bytes.
///
/// # Errors
///
/// [`FileError::Write`]; the folder is then unchanged.
pub fn write(directory: &Path, table: &DtmTable) -> Result<u64, FileError> {
    let output = prepare(directory, table.material())?;
    let bytes = encode(table);
    let failed = |error| FileError::write(&path_of(directory, table.material()), error);
    output.write(&bytes).map_err(failed)?;
    Ok(bytes.len() as u64)
}

/// Reads a table file and checks it.
///
/// # Errors
///
/// [`FileError::Read`], also if it is not a regular file or larger than any table;
/// [`FileError::Format`] if the bytes are not a complete table or the file is named after
/// another ending.
pub fn read(path: &Path) -> Result<DtmTable, FileError> {
    let bytes =
        input_file::read(path, MAX_FILE_BYTES).map_err(|error| FileError::read(path, error))?;
    let invalid = |error| FileError::Format { path: path.to_owned(), error };
    let table = decode(&bytes).map_err(invalid)?;
    let name = path.file_stem().and_then(|name| name.to_str());
    match name.map(str::parse::<Material>) {
        Some(Ok(material)) if material == *table.material() => Ok(table),
        _ => Err(invalid(FormatError::Name(table.material().clone()))),
    }
}

/// The bytes of a table file.
pub fn encode(table: &DtmTable) -> Vec<u8> {
    let payload = compressed(table.codes());
    let mut name = table.material().to_string().into_bytes();
    name.resize(NAME_BYTES, 0);
    let mut bytes = Vec::with_capacity(HEADER_BYTES + payload.len() + 4);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(name);
    bytes.extend((table.len() as u32).to_le_bytes());
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.extend(payload);
    bytes.extend(crc32(&bytes).to_le_bytes());
    bytes
}

fn compressed(codes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail; if it did, readers would reject the file.
    let _ = encoder.write_all(codes);
    encoder.finish().unwrap_or_default()
}

/// Decodes the bytes of a table file.
///
/// # Errors
///
/// [`FormatError`] unless the checksum is right and the codes of an ending can be read.
pub fn decode(bytes: &[u8]) -> Result<DtmTable, FormatError> {
    if MAGIC.starts_with(bytes) {
        return Err(FormatError::Damaged);
    }
    let rest = bytes.strip_prefix(&MAGIC).ok_or(FormatError::Foreign)?;
    let version = rest.first_chunk().ok_or(FormatError::Damaged)?;
    match u16::from_le_bytes(*version) {
        VERSION => table_of(bytes).ok_or(FormatError::Damaged),
        version => Err(FormatError::Version(version)),
    }
}

/// The table of the bytes of a file of this version; `None` if they are damaged.
fn table_of(bytes: &[u8]) -> Option<DtmTable> {
    let (contents, sum) = bytes.split_last_chunk()?;
    if crc32(contents) != u32::from_le_bytes(*sum) {
        return None;
    }
    let name = contents.get(NAME..NAME + NAME_BYTES)?;
    let material: Material = str::from_utf8(name).ok()?.trim_end_matches('\0').parse().ok()?;
    let mut codes = vec![0; Layout::new(&material).len()];
    ZlibDecoder::new(contents.get(HEADER_BYTES..)?).read_exact(&mut codes).ok()?;
    Some(DtmTable::new(material, codes.into()))
}
