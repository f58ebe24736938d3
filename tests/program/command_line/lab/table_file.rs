//! `--table-file`: tables that are kept between games.

use std::fs;

use crate::folder::folder;
use crate::program::lovec;
use crate::session::Session;

const ROW: &str = "ab:table=20000:order=tt:keep";

/// A match writes the tables, a comparison begins with them and a game goes on with them.
#[test]
fn tables_are_kept_between_games() {
    let folder = folder("lab-table-file");
    let paths = ["first.table", "second.table"].map(|name| folder.join(name));
    let [first, second] = [0, 1].map(|index| paths[index].to_str().unwrap());
    let both = format!("{first},{second}");
    let games = ["--games", "2", "--depth", "2", "--table-file", &both];
    lovec(&[&["lab", "match", ROW, "pvs:table=9999:keep"], &games[..]].concat()).succeeded();
    let written = fs::read(first).unwrap();
    assert!(written.len() > 10_000 && fs::read(second).unwrap().len() > 10_000);

    let mut session = Session::start_with(&["lab", "uci", ROW, "--table-file", first]);
    session.send("go depth 3");
    session.until("bestmove");
    drop(session);
    assert_ne!(fs::read(first).unwrap(), written);

    let nodes = |more: &[&str]| {
        let compare = ["lab", "compare", "--algo", ROW, "--depth", "3", "--json"];
        let json = lovec(&[&compare[..], more].concat()).succeeded().json();
        (json["rows"][0]["value"].clone(), json["rows"][0]["nodes"].as_u64().unwrap())
    };
    let (fresh, kept) = (nodes(&[]), nodes(&["--table-file", first]));
    assert_eq!(kept.0, fresh.0);
    assert!(kept.1 < fresh.1, "{kept:?} {fresh:?}");
}

/// Another process has written the file meanwhile.
#[test]
fn a_file_that_was_written_meanwhile_is_kept() {
    let folder = folder("lab-table-meanwhile");
    let path = folder.join("a.table");
    let name = path.to_str().unwrap();
    let session = || {
        let mut session = Session::start_with(&["lab", "uci", ROW, "--table-file", name]);
        session.send("go depth 2");
        session.until("bestmove");
        session
    };
    drop(session());
    let mut open = session();
    fs::write(&path, "mine").unwrap();
    open.send("quit");
    assert_eq!(open.wait().code(), Some(2));
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    assert!(fs::metadata(folder.join("a-2.table")).unwrap().len() > 100);
}

#[test]
fn a_table_that_cannot_be_used_is_refused() {
    let folder = folder("lab-table-refused");
    let path = folder.join("a.table");
    let name = path.to_str().unwrap();
    let play = |row: &str, more: &[&str]| {
        let games = ["lab", "match", row, "ab", "--games", "2", "--depth", "1", "--table-file"];
        lovec(&[&games[..], &[name], more].concat())
    };
    let refused = |row: &str, more: &[&str], reason: &str| {
        play(row, more).failed(reason);
    };
    refused("ab", &[], "for a row that keeps its table");
    refused(ROW, &["--concurrency", "2"], "--concurrency 1");
    assert!(!path.exists());
    play(ROW, &[]).succeeded();
    let table = fs::read(&path).unwrap();
    refused("ab:table=20000:leaf=captures:keep", &[], "other settings");
    refused(ROW, &["--eval", "material"], "another evaluation");
    let mut damaged = table.clone();
    damaged[60] ^= 1;
    for (bytes, reason) in [
        (&damaged[..], "the checksum is wrong"),
        (&table[..100], "it is truncated"),
        (&b"1. e4 e5 2. Nf3 Nc6 *"[..], "not a table of the laboratory"),
        (&b""[..], "it is truncated"),
    ] {
        fs::write(&path, bytes).unwrap();
        refused(ROW, &[], reason);
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}
