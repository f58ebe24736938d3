//! `lovec syzygy verify` on the command line.

use std::fs;
use std::path::Path;

use lovec::tablebase::syzygy::table_files;
use serde_json::Value;

use crate::folder::{Folder, folder};
use crate::program::{Ran, command, run};

const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

fn verify(directories: &[&Path], json: bool) -> Ran {
    let mut command = command(&["syzygy", "verify"]);
    command.args(directories).args(json.then_some("--json"));
    run(&mut command, "")
}

/// A new directory with copies of these tables.
fn directory(name: &str, tables: &[&str]) -> Folder {
    let directory = folder(name);
    for table in tables {
        fs::copy(Path::new(PUBLISHED).join(table), directory.join(table)).unwrap();
    }
    directory
}

#[test]
fn damaged_tables_fail_and_the_others_pass() {
    let tables = ["KBvK.rtbw", "KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"];
    let directory = directory("damaged", &tables);
    let change = |table: &str, change: fn(&mut Vec<u8>)| {
        let path = directory.join(table);
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(&path, bytes).unwrap();
    };
    change("KQvK.rtbw", |bytes| bytes[100] ^= 4);
    change("KQvK.rtbz", |bytes| bytes.truncate(1000));
    change("KRvK.rtbw", |bytes| bytes.clear());
    // Files with other extensions are ignored.
    fs::write(directory.join("README.txt"), "tables").unwrap();

    let ran = verify(&[&directory], false);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((ran.status, lines.len()), (Some(1), 6), "{ran:?}");
    for (line, (table, end)) in lines.iter().zip([
        ("KBvK.rtbw", "80 bytes"),
        ("KQvK.rtbw", "damaged: the checksum is wrong"),
        ("KQvK.rtbz", "truncated, or without a checksum"),
        ("KRvK.rtbw", "truncated, or without a checksum"),
        ("KRvK.rtbz", "8272 bytes"),
    ]) {
        assert!(line.ends_with(&format!("{table}: {end}")), "{line}");
    }
    assert_eq!(lines[5], "2 passed, 3 failed");
}

#[test]
fn json_describes_the_result() {
    let directory = directory("json", &["KBvK.rtbw"]);
    let path = directory.join("KQvK.rtbw");
    fs::write(&path, [0; 272]).unwrap();
    let ran = verify(&[&directory, Path::new(PUBLISHED)], true);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let value = ran.json();
    let passed = table_files(Path::new(PUBLISHED)).unwrap().len() + 1;
    assert_eq!((&value["passed"], &value["failed"]), (&passed.into(), &1.into()));
    let tables = value["tables"].as_array().unwrap();
    assert_eq!(tables.len(), passed + 1);
    assert_eq!((&tables[0]["bytes"], &tables[1]["bytes"]), (&80.into(), &Value::Null));
    assert!(tables[0]["error"].is_null());
    assert_eq!(tables[1]["file"], path.to_str().unwrap());
    assert_eq!(tables[1]["error"], "not a Syzygy table of the type that its extension names");
}

#[test]
fn folders_without_tables_are_an_error() {
    let empty = directory("empty", &[]);
    for path in [&*empty, &empty.join("missing")] {
        verify(&[Path::new(PUBLISHED), path], false).refused(path.to_str().unwrap());
    }
}
