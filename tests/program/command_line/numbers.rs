//! Numbers out of range.

use crate::program::lovec;

/// The arguments before each number that is at least 1.
const POSITIVE: [&[&str]; 30] = [
    &["analyse", "startpos", "--depth"],
    &["analyse", "startpos", "--movetime"],
    &["analyse", "startpos", "--nodes"],
    &["analyse", "startpos", "--multipv"],
    &["analyse", "startpos", "--threads"],
    &["analyse", "startpos", "--hash"],
    &["bench"],
    &["bench", "--threads"],
    &["bench", "--hash"],
    &["bench", "--repeat"],
    &["compare", "a", "b", "c.epd", "--nodes"],
    &["compare", "a", "b", "c.epd", "--timeout"],
    &["epd", "a.epd", "--depth"],
    &["epd", "a.epd", "--movetime"],
    &["epd", "a.epd", "--nodes"],
    &["epd", "a.epd", "--threads"],
    &["epd", "a.epd", "--hash"],
    &["epd", "a.epd", "--min-solved"],
    &["lab", "compare", "--nodes"],
    &["lab", "compare", "--movetime"],
    &["lab", "compare", "--memory"],
    &["lab", "fit", "a.epd", "--deep"],
    &["lab", "solve", "--nodes"],
    &["lab", "solve", "--movetime"],
    &["lab", "solve", "--memory"],
    &["perft", "3", "--threads"],
    &["perft-suite", "a.epd", "--max-nodes"],
    &["speedtest", "--threads"],
    &["speedtest", "--hash"],
    &["speedtest", "--seconds"],
];

/// The arguments before each number that may be 0.
const NOT_NEGATIVE: [&[&str]; 6] = [
    &["lab", "fit", "a.epd", "--shallow"],
    &["lab", "solve", "--depth"],
    &["perft"],
    &["perft", "3", "--hash"],
    &["perft", "--hash"],
    &["perft", "--fen", "startpos"],
];

#[test]
fn numbers_out_of_range_are_errors() {
    let refuses = |arguments: &[&str], number: &str| {
        let ran = lovec(&[arguments, &[number]].concat()).refused("a whole number from");
        assert!(ran.stderr.contains(&format!("'{number}'")), "{ran:?}");
    };
    for arguments in POSITIVE.into_iter().chain(NOT_NEGATIVE) {
        for number in ["-1", "1e999", "NaN", "18446744073709551616", "1.5"] {
            refuses(arguments, number);
        }
    }
    POSITIVE.into_iter().for_each(|arguments| refuses(arguments, "0"));
}
