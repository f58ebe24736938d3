//! Numbers out of range.

use crate::program::lovec;

/// Every numeric argument, after what comes before it.
const ARGUMENTS: [&[&str]; 24] = [
    &["analyse", "startpos", "--depth"],
    &["analyse", "startpos", "--movetime"],
    &["analyse", "startpos", "--nodes"],
    &["analyse", "startpos", "--multipv"],
    &["analyse", "startpos", "--threads"],
    &["analyse", "startpos", "--hash"],
    &["bench"],
    &["bench", "--threads"],
    &["bench", "--hash"],
    &["epd", "a.epd", "--depth"],
    &["epd", "a.epd", "--movetime"],
    &["epd", "a.epd", "--nodes"],
    &["epd", "a.epd", "--threads"],
    &["epd", "a.epd", "--hash"],
    &["epd", "a.epd", "--min-solved"],
    &["perft", "3", "--threads"],
    &["perft-suite", "a.epd", "--max-nodes"],
    &["speedtest", "--threads"],
    &["speedtest", "--hash"],
    &["speedtest", "--seconds"],
    // Zero is allowed here.
    &["perft"],
    &["perft", "3", "--hash"],
    &["perft", "--hash"],
    &["perft", "--fen", "startpos"],
];

#[test]
fn numbers_out_of_range_are_errors() {
    for (index, argument) in ARGUMENTS.iter().enumerate() {
        let zero = if index < 20 { &["0"][..] } else { &[] };
        for number in ["-1", "1e999", "NaN", "18446744073709551616", "1.5"].iter().chain(zero) {
            let ran = lovec(&[argument, &[*number][..]].concat()).refused("a whole number from");
            assert!(ran.stderr.contains(&format!("'{number}'")), "{ran:?}");
        }
    }
}
