//! Table files: what is written is read back, and all other bytes are rejected.

use std::fs;
use std::sync::LazyLock;

use flate2::Crc;
use lovec::tablebase::egtb::collection::table_files;
use lovec::tablebase::egtb::file::{self, FormatError};
use lovec::tablebase::egtb::{Collection, DtmTable, DtmValue, FileError};
use proptest::prelude::*;

use crate::egtb::{TABLES, material, solve};
use crate::folder::folder;
use crate::positions::position;

/// Offsets of the fields of a file.
const VERSION: usize = 8;
const NAME: usize = 10;
const POSITIONS: usize = 18;
const LENGTH: usize = 22;
const PAYLOAD: usize = 26;

fn queen() -> &'static DtmTable {
    TABLES.table(&material("KQK")).unwrap()
}

/// The file of [`queen`].
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| file::encode(queen()));

fn error_of(bytes: &[u8]) -> Option<FormatError> {
    file::decode(bytes).err()
}

/// A changed file with the correct checksum.
fn forged(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = FILE[..FILE.len() - 4].to_vec();
    change(&mut bytes);
    let mut crc = Crc::new();
    crc.update(&bytes);
    bytes.extend(crc.sum().to_le_bytes());
    bytes
}

#[test]
fn written_tables_are_read_back() {
    let folder = folder("back");
    for name in ["KQK", "KPK", "KRKB"] {
        let table = TABLES.table(&material(name)).unwrap();
        let length = file::write(&folder, table).unwrap();
        let path = file::path_of(&folder, table.material());
        assert_eq!(fs::metadata(&path).unwrap().len(), length);
        let again = file::read(&path).unwrap();
        assert_eq!(again.material(), table.material());
        assert_eq!(again.statistics(), table.statistics());
        assert!(file::encode(&again) == file::encode(table), "{name}");
    }
    assert_eq!(folder.names(), ["KPvK.ltb", "KQvK.ltb", "KRvKB.ltb"]);
}

#[test]
fn other_lengths_are_rejected() {
    assert_eq!(error_of(&forged(|_| ())), None);
    for length in (0..100).chain((100..FILE.len()).step_by(97)).chain([FILE.len() - 1]) {
        assert_eq!(error_of(&FILE[..length]), Some(FormatError::Length), "{length} bytes");
    }
    for more in [1, 4, 1000] {
        let longer = [FILE.clone(), vec![0; more]].concat();
        assert_eq!(error_of(&longer), Some(FormatError::Length));
    }
}

#[test]
fn any_changed_bit_is_rejected() {
    let mut bytes = FILE.clone();
    for at in 0..bytes.len() {
        let bits = if at < PAYLOAD { 0..8 } else { at % 8..at % 8 + 1 };
        for bit in bits {
            bytes[at] ^= 1 << bit;
            let error = error_of(&bytes).unwrap_or_else(|| panic!("bit {bit} of byte {at}"));
            let expected = match at {
                0..VERSION => matches!(error, FormatError::Foreign),
                VERSION..NAME => matches!(error, FormatError::Version(_)),
                LENGTH..PAYLOAD => matches!(error, FormatError::Length),
                _ => error == FormatError::Checksum,
            };
            assert!(expected, "bit {bit} of byte {at}: {error:?}");
            bytes[at] ^= 1 << bit;
        }
    }
}

/// The checksums are correct here.
#[test]
fn contradictory_fields_are_rejected() {
    let name = |name: &'static [u8]| {
        error_of(&forged(|bytes| bytes[NAME..NAME + name.len()].copy_from_slice(name)))
    };
    assert_eq!(name(b"KXvK"), Some(FormatError::Material));
    assert_eq!(name(b"KQK\0"), Some(FormatError::Material), "not in canonical form");
    assert_eq!(name(b"kqvk"), Some(FormatError::Material), "not in canonical form");
    assert_eq!(name(b"\xFFQvK"), Some(FormatError::Material));
    assert_eq!(name(b"KQRvKBNP"), Some(FormatError::Material));
    assert_eq!(name(b"KQvKR"), Some(FormatError::Positions(material("KQKR"))));
    for positions in [0, 59_135, u32::MAX] {
        let forged = forged(|bytes| {
            bytes[POSITIONS..LENGTH].copy_from_slice(&positions.to_le_bytes());
        });
        assert_eq!(error_of(&forged), Some(FormatError::Positions(material("KQK"))));
    }
    // Bytes after the compressed data, invalid data, and too few codes for the ending.
    let with_payload = |payload: &[u8]| {
        forged(|bytes| {
            bytes.truncate(LENGTH);
            bytes.extend((payload.len() as u32).to_le_bytes());
            bytes.extend(payload);
        })
    };
    let payload = &FILE[PAYLOAD..FILE.len() - 4];
    assert_eq!(error_of(&with_payload(payload)), None);
    let pawn = file::encode(TABLES.table(&material("KPK")).unwrap());
    for payload in [
        &[payload, &[0]].concat(),
        &payload[..payload.len() - 1],
        &payload[..payload.len() / 2],
        &[],
        &[0; 100],
        &pawn[PAYLOAD..pawn.len() - 4],
    ] {
        assert_eq!(error_of(&with_payload(payload)), Some(FormatError::Compression));
    }
}

#[test]
fn the_file_name_must_match_the_ending() {
    let folder = folder("name");
    file::write(&folder, queen()).unwrap();
    let right = file::path_of(&folder, &material("KQK"));
    for (name, is_right) in
        [("kqk.ltb", true), ("KRvK.ltb", false), ("queen.ltb", false), (".ltb", false)]
    {
        let path = folder.join(name);
        fs::copy(&right, &path).unwrap();
        match file::read(&path) {
            Ok(_) => assert!(is_right, "{name}"),
            Err(FileError::Format { error, .. }) => {
                assert!(!is_right && error == FormatError::Name(material("KQK")), "{name}");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn damaged_files_are_reported_and_the_others_opened() {
    let folder = folder("open")
        .with("KQvKR.ltb", "LovecTB")
        .with("KBvK.ltb", "something else")
        .with("notes.txt", "not a table");
    let rook = TABLES.table(&material("KRKB")).unwrap();
    file::write(&folder, rook).unwrap();
    fs::create_dir(folder.join("KNvK.ltb")).unwrap();
    let (tables, errors) = Collection::open(&table_files(&folder).unwrap());
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(errors[0].contains("KBvK.ltb: not a Lovec table"), "{errors:?}");
    assert!(errors[1].starts_with("cannot read") && errors[1].contains("KNvK.ltb"), "{errors:?}");
    assert!(errors[2].contains("KQvKR.ltb: wrong length"), "{errors:?}");
    assert_eq!(tables.max_pieces(), 4);
    let mate = position("8/8/8/8/8/1K6/7R/k6b w - - 0 1");
    assert_eq!(tables.probe(&mate), TABLES.probe(&mate));
    assert!(matches!(tables.probe(&mate), Some(DtmValue::Win(_))));
    // The embedded tables are always included.
    assert!(tables.table(&material("KPK")).is_some());

    assert!(matches!(table_files(&folder.join("nowhere")), Err(FileError::Read { .. })));
    let (tables, errors) = Collection::open(&[]);
    assert_eq!((tables.max_pieces(), errors.len()), (3, 0));
}

/// Earlier versions built tables of a lone bishop or knight.
#[test]
fn a_table_that_is_not_needed_is_no_error() {
    let folder = folder("bishop");
    let bishop = material("KBK");
    file::write(&folder, solve(std::slice::from_ref(&bishop)).table(&bishop).unwrap()).unwrap();
    let (tables, errors) = Collection::open(&table_files(&folder).unwrap());
    assert!(errors.is_empty(), "{errors:?}");
    assert!(tables.table(&bishop).is_some());
}

proptest! {
    #[test]
    fn random_bytes_are_rejected_without_a_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..4096),
    ) {
        prop_assert!(file::decode(&bytes).is_err());
        let begun = [&b"LovecTB\0\x01\0KQvK\0\0\0\0"[..], &bytes].concat();
        prop_assert!(file::decode(&begun).is_err());
    }

    #[test]
    fn random_payloads_are_decoded_without_a_panic(
        at in PAYLOAD..10_000_usize,
        bytes in any::<[u8; 8]>(),
    ) {
        let forged = forged(|file| {
            let at = at.min(file.len() - bytes.len());
            file[at..at + bytes.len()].copy_from_slice(&bytes);
        });
        if let Ok(table) = file::decode(&forged) {
            prop_assert_eq!(table.material(), &material("KQK"));
        }
    }
}
