//! Table files: what is written is read back, and all other bytes are rejected.

use std::fs;
use std::sync::LazyLock;

use lovec::tablebase::egtb::collection::table_files;
use lovec::tablebase::egtb::file::{self, FormatError};
use lovec::tablebase::egtb::{Collection, DtmTable, DtmValue, FileError};
use proptest::prelude::*;

use crate::egtb::{TABLES, material, solve};
use crate::folder::folder;
use crate::positions::position;

fn queen() -> &'static DtmTable {
    TABLES.table(&material("KQK")).unwrap()
}

/// The file of [`queen`].
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| file::encode(queen()));

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
fn other_bytes_are_rejected() {
    let error_of = |bytes: &[u8]| file::decode(bytes).err().unwrap();
    for length in (0..FILE.len()).step_by(97).chain([FILE.len() - 1]) {
        assert_eq!(error_of(&FILE[..length]), FormatError::Damaged, "{length} bytes");
    }
    assert_eq!(error_of(&[FILE.clone(), vec![0; 4]].concat()), FormatError::Damaged);
    let mut bytes = FILE.clone();
    for at in 0..bytes.len() {
        bytes[at] ^= 1 << (at % 8);
        let error = error_of(&bytes);
        let expected = match at {
            0..8 => error == FormatError::Foreign,
            8..10 => matches!(error, FormatError::Version(_)),
            _ => error == FormatError::Damaged,
        };
        assert!(expected, "byte {at}: {error:?}");
        bytes[at] ^= 1 << (at % 8);
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
        .with("KQvKR.ltb", "LovecTB\0\x01\0")
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
    assert!(errors[2].contains("KQvKR.ltb: truncated or damaged"), "{errors:?}");
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
}
