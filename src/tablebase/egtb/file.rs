//! A table in a file.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `LovecTB` and a zero |
//! | 2 | the version, 1 |
//! | 8 | the ending, such as `KRvKP`, filled up with zeros |
//! | 4 | how many positions are numbered, which follows from the ending |
//! | 4 | how many bytes follow, the last four aside |
//! | … | a byte for each number, compressed (zlib, RFC 1950) |
//! | 4 | the CRC-32 of everything before it |
//!
//! The bytes are those of the table in memory: 0 is a draw, 255 no position, and any
//! other a ply more than the distance to the mate; see `index` for the numbering. What
//! does not hold together is refused before anything is made room for.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use thiserror::Error;

use crate::tablebase::egtb::index::Layout;
use crate::tablebase::egtb::material::Material;
use crate::tablebase::egtb::table::DtmTable;
use crate::util::input_file;
use crate::util::output_file::OutputFile;

/// What the names of table files end in.
pub const EXTENSION: &str = "ltb";

const MAGIC: [u8; 8] = *b"LovecTB\0";
const VERSION: u16 = 1;
const NAME_BYTES: usize = 8;
const HEADER_BYTES: usize = MAGIC.len() + 2 + NAME_BYTES + 4 + 4;
const CHECKSUM_BYTES: usize = 4;
/// More than any table takes, compressed or not. No larger file is read.
const MAX_FILE_BYTES: u64 = 1 << 26;

/// Why a file, or a folder of them, is of no use.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("cannot read {}: {error}", .path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("cannot write {}: {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("{}: {error}", .path.display())]
    Format { path: PathBuf, error: FormatError },
}

/// What is wrong with the bytes of a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormatError {
    #[error("not a table of Lovec's")]
    Foreign,
    #[error("version {0} of the format is not known")]
    Version(u16),
    #[error("cut off, or with something after its end")]
    Length,
    #[error("damaged: the checksum is wrong")]
    Checksum,
    #[error("its ending is not one")]
    Material,
    #[error("the number of its positions is not that of {0}")]
    Positions(Material),
    #[error("what it holds cannot be decompressed")]
    Compression,
    #[error("by its name not the table of {0} that it is")]
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

/// The file of an ending in a folder: `KRvKP.ltb`.
pub fn path_of(directory: &Path, material: &Material) -> PathBuf {
    directory.join(format!("{material}.{EXTENSION}"))
}

/// Finds out whether the table of an ending can be written to a folder, which is to be
/// known before it is built.
///
/// # Errors
///
/// [`FileError::Write`] if something that is not a regular file has its name, or if no
/// file can be created.
pub fn prepare(directory: &Path, material: &Material) -> Result<OutputFile, FileError> {
    let path = path_of(directory, material);
    OutputFile::prepare(&path).map_err(|error| FileError::write(&path, error))
}

/// Writes a table to its file in a folder. The file appears whole or not at all, in
/// place of an old one. Returns its length in bytes.
///
/// # Errors
///
/// [`FileError::Write`], with nothing left behind.
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
/// [`FileError::Read`], also for what is not a regular file or is larger than any table;
/// [`FileError::Format`] if the bytes are not those of a whole
/// table or the file is named after another ending.
pub fn read(path: &Path) -> Result<DtmTable, FileError> {
    let bytes =
        input_file::read(path, MAX_FILE_BYTES).map_err(|error| FileError::read(path, error))?;
    let refused = |error| FileError::Format { path: path.to_owned(), error };
    let table = decode(&bytes).map_err(refused)?;
    let name = path.file_stem().and_then(|name| name.to_str());
    match name.map(str::parse::<Material>) {
        Some(Ok(material)) if material == *table.material() => Ok(table),
        _ => Err(refused(FormatError::Name(table.material().clone()))),
    }
}

/// A table as the bytes of a file.
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
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

fn compressed(codes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail; a file cut short is refused by every reader.
    let _ = encoder.write_all(codes);
    encoder.finish().unwrap_or_default()
}

/// The table in the bytes of a file.
///
/// # Errors
///
/// When the bytes are not exactly those that [`encode`] makes of some table; see
/// [`FormatError`].
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
    if checksum(&bytes[..bytes.len() - CHECKSUM_BYTES]) != u32::from_le_bytes(*sum) {
        return Err(FormatError::Checksum);
    }
    let material = material_of(name).ok_or(FormatError::Material)?;
    let positions = u32::from_le_bytes(*positions) as usize;
    if Layout::new(&material).len() != positions {
        return Err(FormatError::Positions(material));
    }
    let codes = decompressed(payload, positions).ok_or(FormatError::Compression)?;
    DtmTable::new(material, codes).ok_or(FormatError::Compression)
}

/// The beginning of a table has been cut off, or it never was one.
fn no_magic(bytes: &[u8]) -> FormatError {
    if MAGIC.starts_with(bytes) { FormatError::Length } else { FormatError::Foreign }
}

fn material_of(name: &[u8; NAME_BYTES]) -> Option<Material> {
    let text = std::str::from_utf8(name).ok()?.trim_end_matches('\0');
    let material: Material = text.parse().ok()?;
    (material.to_string() == text).then_some(material)
}

/// Exactly so many bytes.
fn decompressed(payload: &[u8], length: usize) -> Option<Box<[u8]>> {
    let mut decoder = ZlibDecoder::new(payload);
    let mut codes = vec![0; length];
    decoder.read_exact(&mut codes).ok()?;
    // The end of the stream has a checksum of its own, and nothing follows it.
    let at_end = matches!(decoder.read(&mut [0]), Ok(0));
    (at_end && decoder.total_in() == payload.len() as u64).then(|| codes.into_boxed_slice())
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}
