//! `lovec egtb` on the command line.

use std::fs;
use std::path::Path;

use crate::folder::folder;
use crate::program::{Ran, lovec_in};

fn egtb(folder: &Path, arguments: &[&str]) -> Ran {
    lovec_in(folder, &[&["egtb"], arguments].concat())
}

/// The output of a command that succeeds.
fn text(ran: Ran) -> String {
    ran.succeeded().stdout
}

#[test]
fn an_ending_is_built_with_its_conversions() {
    let folder = folder("build");
    let first = text(egtb(&folder, &["build", "kpk", "KPvK", "-o", "a/b"]));
    let rows: Vec<&str> = first.lines().skip(1).collect();
    assert_eq!(rows.len(), 3, "{first}");
    for (row, (name, mate)) in rows.iter().zip([("KQvK", "10"), ("KRvK", "16"), ("KPvK", "28")]) {
        let columns: Vec<&str> = row.split_whitespace().collect();
        assert_eq!((columns[0], columns[5], columns[6]), (name, mate, "-"), "{row}");
        let [positions, won, drawn, lost] =
            [1, 2, 3, 4].map(|n| columns[n].parse::<u64>().unwrap());
        assert_eq!(positions, won + drawn + lost, "{row}");
        let bytes = fs::metadata(folder.join(format!("a/b/{name}.ltb"))).unwrap().len();
        assert_eq!(columns[7], bytes.to_string());
    }
    assert!(!first.contains("kept"));

    // Intact tables are kept, damaged ones rebuilt, and with --force all of them.
    let path = folder.join("a/b/KRvK.ltb");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let again = text(egtb(&folder, &["build", "KPK", "-o", "a/b"]));
    assert_eq!(again.matches("kept").count(), 2, "{again}");
    assert_eq!(fs::read(&path).unwrap(), whole);
    let forced = text(egtb(&folder, &["build", "KPK", "-o", "a/b", "--force"]));
    assert!(!forced.contains("kept"));
    assert_eq!(fs::read_dir(folder.join("a/b")).unwrap().count(), 3);
}

#[test]
fn json_describes_the_built_tables() {
    let folder = folder("json");
    let value = egtb(&folder, &["build", "--pieces", "3", "-o", ".", "--json"]).succeeded().json();
    let tables = value["tables"].as_array().unwrap();
    let names: Vec<&str> = tables.iter().map(|table| table["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["KQvK", "KRvK", "KPvK"]);
    let rook = tables.iter().find(|table| table["name"] == "KRvK").unwrap();
    assert_eq!((&rook["positions"], &rook["longest_win"]["plies"]), (&50_015.into(), &31.into()));
    assert!(rook["milliseconds"].is_u64() && rook["losses"] == 0, "{rook}");
    assert!(rook["longest_loss"].is_null());
    // The longest mate is that long.
    let fen = rook["longest_win"]["fen"].as_str().unwrap();
    let probe = egtb(&folder, &["probe", fen, "--dir", ".", "--json"]).succeeded().json();
    assert_eq!((&probe["outcome"], &probe["plies"]), (&"win".into(), &31.into()));
    assert_eq!(probe["moves"][0]["plies"], 31);
}

#[test]
fn moves_are_listed_best_first() {
    let folder = folder("probe");
    let output = text(egtb(&folder, &["probe", "8/8/8/4k3/8/8/4P3/4K3", "w", "-", "-"]));
    assert!(output.contains("\noutcome: draw\n"), "{output}");
    let output = text(egtb(&folder, &["probe", "6k1/8/6K1/6P1/8/8/8/8 w - - 0 1"]));
    let moves: Vec<&str> = output.lines().skip_while(|line| !line.starts_with("outcome")).collect();
    assert!(moves[0].starts_with("outcome: win, mate in "), "{output}");
    assert!(moves[1].contains("win, mate in ") && moves.last().unwrap().ends_with("draw"));
    // A capture that leaves bare kings needs no table.
    for (fen, expected) in [
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "outcome: win, mate in 1\n     Rh8#  win, mate in 1\n"),
        ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", "outcome: checkmate\n"),
    ] {
        let output = text(egtb(&folder, &["probe", fen]));
        assert!(output.contains(expected), "{output}");
    }
    let json = egtb(&folder, &["probe", "8/k1P5/2K5/8/8/8/8/8 w - - 0 1", "--json"]);
    let json = json.succeeded().json();
    assert_eq!((&json["outcome"], &json["moves"][0]["uci"]), (&"win".into(), &"c7c8r".into()));
    assert_eq!(json["moves"][0]["plies"], json["plies"]);
    let output = text(egtb(&folder, &["probe", "8/8/8/8/8/8/1k6/Q6K b - - 0 1"]));
    assert!(output.contains("Kxa1  draw"), "{output}");
}

#[test]
fn a_table_of_another_version_is_kept() {
    let folder = folder("version");
    text(egtb(&folder, &["build", "KQK", "-o", "."]));
    let path = folder.join("KQvK.ltb");
    let mut newer = fs::read(&path).unwrap();
    newer[8] += 1;
    fs::write(&path, &newer).unwrap();
    let ran = egtb(&folder, &["build", "KQK", "-o", "."]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("unknown format version 2"), "{ran:?}");
    assert_eq!(fs::read(&path).unwrap(), newer);
    text(egtb(&folder, &["build", "KQK", "-o", ".", "--force"]));
    assert_ne!(fs::read(&path).unwrap(), newer);
}

/// Nothing is built before all files that exist are known to be Lovec's.
#[test]
fn a_foreign_file_is_refused_at_once() {
    let folder = folder("foreign").with("KQvKR.ltb", "hello\n");
    let refused = "KQvKR.ltb: not a Lovec table; choose another folder, or --force";
    egtb(&folder, &["build", "KQKR", "-o", "."]).refused(refused);
    assert_eq!(folder.names(), ["KQvKR.ltb"]);
}

#[test]
fn verify_finds_damage() {
    let folder = folder("verify");
    text(egtb(&folder, &["build", "KPK", "-o", "."]));
    let output = text(egtb(&folder, &["verify", "."]));
    assert!(output.ends_with("\n3 passed, 0 failed\n"), "{output}");
    fs::remove_file(folder.join("KRvK.ltb")).unwrap();
    let mut bytes = fs::read(folder.join("KQvK.ltb")).unwrap();
    bytes[1000] ^= 1;
    fs::write(folder.join("KQvK.ltb"), bytes).unwrap();
    let ran = egtb(&folder, &["verify", "."]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let named = format!(
        "{}: truncated or damaged: the checksum is wrong\n",
        Path::new(".").join("KQvK.ltb").display()
    );
    assert!(ran.stdout.contains(&named), "{ran:?}");
    assert!(ran.stdout.ends_with("\n1 passed, 1 failed\n"), "{ran:?}");
    assert_eq!(ran.stderr, "", "each failure is named once");
}

#[test]
fn errors_exit_with_status_2() {
    let folder = folder("errors").with("file", "");
    for (arguments, expected) in [
        (&["build", "KK", "-o", "."][..], "bare kings have no table"),
        (&["build", "KNK", "-o", "."], "a lone bishop or knight cannot mate and has no table"),
        (&["build", "KQRKB", "-o", "."], "at most four pieces"),
        (&["build", "--pieces", "2", "-o", "."], "'2' for '--pieces"),
        (&["build", "KQK", "-o", "file"], "cannot create the folder file"),
        (&["probe", "nonsense"], "is not a position"),
        (&["probe", "8/8/8/8/8/4k3/4p3/4K1R1 w - - 0 1"], "no table for KRvKP; build it with"),
        (&["probe", "startpos"], "no table has"),
        (&["probe", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"], "without castling"),
        (&["probe", "8/8/2qkq3/8/8/8/8/4K2R w - - 0 1"], "up to 4 pieces, not 5"),
        // The table of the ending after the capture is needed as well.
        (&["probe", "8/8/8/8/k1pP4/8/8/4K3 b - d3 0 1"], "no table for KPvKP"),
        (&["probe", "8/8/8/8/8/4k3/8/4K1R1 w - - 0 1", "--dir", "nowhere"], "cannot read nowhere"),
        (&["verify", "nowhere"], "cannot read nowhere"),
        (&["verify", "."], "there are no tables in ."),
    ] {
        egtb(&folder, arguments).refused(expected);
    }
}
