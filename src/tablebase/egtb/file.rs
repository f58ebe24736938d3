//! Table files.
//!
//! All numbers are little-endian.
//!
//! | bytes | contents |
//! |---|---|
//! | 8 | `LovecTB` and a zero |
//! | 2 | the version, 1 |
//! | 8 | the ending, such as `KRvKP`, padded with zeros |
//! | 4 | the number of codes, which follows from the ending |
//! | 4 | the length of the compressed codes in bytes |
//! | … | the codes, a byte each, compressed (zlib, RFC 1950) |
//! | 4 | the CRC-32 of everything before it |
//!
//! A code is 0 for a draw, 255 for no position, and otherwise the distance to mate in
//! plies plus one; see `index` for the numbering. All fields are checked before memory is
//! allocated for the codes.

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
const HEADER_BYTES: usize = MAGIC.len() + 2 + NAME_BYTES + 4 + 4;
const CHECKSUM_BYTES: usize = 4;
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
    #[error("wrong length: truncated, or followed by other bytes")]
    Length,
    #[error("damaged: the checksum is wrong")]
    Checksum,
    #[error("invalid ending")]
    Material,
    #[error("wrong number of positions for {0}")]
    Positions(Material),
    #[error("its contents cannot be decompressed")]
    Compression,
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
    let mut bytes = Vec::with_capacity(HEADER_BYTES + payload.len() + CHECKSUM_BYTES);
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
/// [`FormatError`] unless [`encode`] returns exactly these bytes for some table.
pub fn decode(bytes: &[u8]) -> Result<DtmTable, FormatError> {
    let rest = bytes.strip_prefix(&MAGIC).ok_or_else(|| no_magic(bytes))?;
    let (version, rest) = rest.split_first_chunk().ok_or(FormatError::Length)?;
    let version = u16::from_le_bytes(*version);
    if version != VERSION {
        return Err(FormatError::Version(version));
    }
    let (name, rest) = rest.split_first_chunk::<NAME_BYTES>().ok_or(FormatError::Length)?;
    let (positions, rest) = rest.split_first_chunk().ok_or(FormatError::Length)?;
    let (length, rest) = rest.split_first_chunk().ok_or(FormatError::Length)?;
    let (payload, sum) = rest.split_last_chunk().ok_or(FormatError::Length)?;
    if payload.len() as u64 != u64::from(u32::from_le_bytes(*length)) {
        return Err(FormatError::Length);
    }
    if crc32(&bytes[..bytes.len() - CHECKSUM_BYTES]) != u32::from_le_bytes(*sum) {
        return Err(FormatError::Checksum);
    }
    let material = material_of(name).ok_or(FormatError::Material)?;
    let positions = u32::from_le_bytes(*positions) as usize;
    if Layout::new(&material).len() != positions {
        return Err(FormatError::Positions(material));
    }
    let codes = decompressed(payload, positions).ok_or(FormatError::Compression)?;
    Ok(DtmTable::new(material, codes))
}

/// The error for bytes that do not begin with the magic ones.
fn no_magic(bytes: &[u8]) -> FormatError {
    if MAGIC.starts_with(bytes) { FormatError::Length } else { FormatError::Foreign }
}

fn material_of(name: &[u8; NAME_BYTES]) -> Option<Material> {
    let text = std::str::from_utf8(name).ok()?.trim_end_matches('\0');
    let material: Material = text.parse().ok()?;
    (material.to_string() == text).then_some(material)
}

/// The decompressed payload, which must have exactly `length` bytes.
fn decompressed(payload: &[u8], length: usize) -> Option<Box<[u8]>> {
    let mut decoder = ZlibDecoder::new(payload);
    let mut codes = vec![0; length];
    decoder.read_exact(&mut codes).ok()?;
    // Reading to the end of the stream verifies its checksum; nothing may follow it.
    let at_end = matches!(decoder.read(&mut [0]), Ok(0));
    (at_end && decoder.total_in() == payload.len() as u64).then(|| codes.into_boxed_slice())
}
