//! UCI as clients really speak it, and everything nasty they may say, against
//! the real binary.
//!
//! The tests are named after what they send. Ground rules that hold for every
//! dialogue are checked by [`session::Session`] itself: no blank or indented
//! line, nothing after `bestmove` until the next command, no panic, a clean end.
//! What holds of every search, whatever was asked, is checked by [`judge`].
//!
//! A test that answers a row of the table of nasty inputs, in
//! `UCI_ROBUSTNESS.md`, begins its description with the number: "Row 12." or
//! "Rows 19 and 20."

mod books;
mod clients;
mod go;
mod hash;
mod judge;
mod log_file;
mod options;
mod positions;
mod referee;
mod reports;
pub mod session;
mod streams;
mod strength;
mod syzygy;
mod terminal;
mod threads;

/// Every row of the table has a test that says so.
#[test]
fn every_row_is_answered() {
    const ROWS: u32 = 49;
    const SOURCES: [&str; 9] = [
        include_str!("clients.rs"),
        include_str!("go.rs"),
        include_str!("hash.rs"),
        include_str!("options.rs"),
        include_str!("positions.rs"),
        include_str!("reports.rs"),
        include_str!("streams.rs"),
        include_str!("terminal.rs"),
        include_str!("threads.rs"),
    ];
    let lines = SOURCES.iter().flat_map(|source| source.lines());
    let claims = lines.filter_map(|line| line.strip_prefix("/// Row"));
    // Up to the end of the first clause: "s 25 and 26.", " 38: a search that …".
    let clauses = claims.filter_map(|claim| claim.split(['.', ':']).next());
    let answered: Vec<u32> = clauses
        .flat_map(|clause| clause.split(|c: char| !c.is_ascii_digit()))
        .filter_map(|number| number.parse().ok())
        .collect();
    let missing: Vec<u32> = (1..=ROWS).filter(|row| !answered.contains(row)).collect();
    assert!(missing.is_empty(), "rows without a test: {missing:?}");
}
