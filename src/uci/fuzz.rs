//! Laws of reading, for lines of any kind: bytes, words in any order, commands
//! with something wrong about them.
//!
//! The real program is given whole dialogues of such lines by
//! `tests/uci_fuzz`; without a process a line takes microseconds.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::chess::{Color, Position};
use crate::engine::options::{self, Kind, OPTIONS, Settings};
use crate::engine::request::{GoRequest, has_fixed_limit};
use crate::uci::command::{CommandLine, UciCommand};
use crate::uci::go::KEYWORDS;
use crate::uci::response::{InfoString, Problem};

/// What separates words.
const WHITE_SPACE: &[char] = &[' ', '\t', '\r', '\0', '\u{b}', '\u{c}'];

/// Words of the protocol besides the parameters of `go`, and some that are nearly words of it.
const WORDS: [&str; 59] = [
    "uci",
    "debug",
    "on",
    "off",
    "isready",
    "setoption",
    "name",
    "value",
    "register",
    "later",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "bench",
    "help",
    "xboard",
    "#",
    "?",
    "GO",
    "Go",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "8/8/4k3/8/8/3K4/8/8",
    "w",
    "b",
    "KQkq",
    "HAha",
    "-",
    "e3",
    "e2e4",
    "e7e5",
    "e1g1",
    "e1h1",
    "a7a8q",
    "0000",
    "0",
    "1",
    "3",
    "-1",
    "127",
    "128",
    "2147483648",
    "-9223372036854775808",
    "99999999999999999999",
    "1e6",
    "true",
    "false",
    "<empty>",
    "\u{feff}",
    "\u{e9}",
    "\u{fffd}",
    "Hash",
];

/// How a command may begin and be right so far.
const BEGINNINGS: [&str; 10] = [
    "",
    "go ",
    "go depth 3 ",
    "go searchmoves ",
    "position startpos moves ",
    "position fen ",
    "position fen 4k3/8/8/8/8/8/4P3/4K3 w ",
    "setoption name ",
    "setoption name MultiPV value ",
    "perft ",
];

fn words() -> impl Strategy<Value = Vec<String>> {
    let number = any::<i128>().prop_map(|number| number.to_string());
    let option = (0..OPTIONS.len()).prop_map(|index| OPTIONS[index].name.to_owned());
    let word = prop_oneof![
        15 => select(&WORDS[..]).prop_map(str::to_owned),
        5 => select(&KEYWORDS[..]).prop_map(str::to_owned),
        2 => number,
        2 => option,
        1 => "[!-~]{1,12}",
        1 => "[pnbrqkPNBRQK1-8/]{1,70}",
    ];
    (select(&BEGINNINGS[..]), vec(word, 0..12)).prop_map(|(beginning, words)| {
        let beginning = beginning.split_whitespace().map(str::to_owned);
        beginning.chain(words).collect()
    })
}

/// Lines of words with bytes put into them, and lines of nothing but bytes.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let flaws = vec((any::<Index>(), any::<u8>()), 0..4);
    let flawed = (words(), flaws).prop_map(|(words, flaws)| {
        let mut line = words.join(" ").into_bytes();
        for (place, byte) in flaws {
            line.insert(place.index(line.len() + 1), byte);
        }
        line
    });
    prop_oneof![4 => flawed, 1 => vec(any::<u8>(), 0..200)]
}

/// Whatever is said about a line is one line, short enough to be read.
fn check_sentence(sentence: &str) {
    assert!(sentence.starts_with("info string ") && sentence.len() < 2000, "{sentence}");
    assert!(!sentence.chars().any(char::is_control) && sentence.trim() == sentence, "{sentence:?}");
}

/// A search that was given a limit has one, and a limit is within its range.
fn check_go(request: &GoRequest<'_>, position: &Position) {
    for mover in Color::ALL {
        let limits = request.limits(mover);
        let asked_to_wait = request.infinite || !request.limited;
        assert_eq!(limits.infinite, asked_to_wait);
        assert!(asked_to_wait || limits.clock.is_some() || has_fixed_limit(&limits));
        assert!(limits.depth != Some(0) && limits.nodes != Some(0) && limits.mate != Some(0));
    }
    let (legal, illegal) = request.legal_search_moves(position);
    assert_eq!(legal.is_none(), request.search_moves.is_empty());
    let legal = legal.unwrap_or_default();
    assert!(legal.len() + illegal.len() <= request.search_moves.len());
    assert!(legal.into_iter().all(|m| position.is_legal(m)));
}

/// Setting an option changes what it is about, within its bounds, or nothing.
fn check_option(name: &str, value: Option<&str>) {
    let mut settings = Settings::defaults();
    if let Err(error) = options::apply(&mut settings, name, value) {
        check_sentence(&Problem(error).to_string());
        assert_eq!(settings, Settings::defaults());
        return;
    }
    for option in &OPTIONS {
        if let (Kind::Spin { min, max, .. }, true) =
            (&option.kind, option.name.eq_ignore_ascii_case(name))
        {
            let number: i64 = value.unwrap_or_default().parse().unwrap();
            assert!((*min..=*max).contains(&number), "{name} {number}");
        }
    }
}

/// Follows a command as far as it can be followed without a search.
fn check(text: &str) {
    let line = CommandLine::parse(text);
    line.notices.iter().for_each(|notice| check_sentence(&InfoString(notice).to_string()));
    match line.command {
        Some(UciCommand::Go(request)) => check_go(&request, &Position::startpos()),
        Some(UciCommand::SetOption { name, value }) => check_option(&name, value),
        Some(UciCommand::Malformed(reason)) => check_sentence(&Problem(reason).to_string()),
        Some(UciCommand::Position(request)) => match request.and_then(|request| request.build()) {
            Ok((position, warnings)) => {
                for warning in warnings {
                    check_sentence(&InfoString(warning).to_string());
                }
                let again = Position::from_fen(&position.fen()).unwrap();
                assert_eq!(again.fen(), position.fen());
            }
            Err(error) => check_sentence(&Problem(error).to_string()),
        },
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_line_can_be_read(line in bytes()) {
        check(&String::from_utf8_lossy(&line));
    }

    /// White space of any kind and amount is the same as a space, and unknown
    /// words before a command are as good as none.
    #[test]
    fn separators_and_unknown_words_change_nothing(
        words in words(),
        separators in vec(vec(select(WHITE_SPACE), 1..=3), 12),
    ) {
        let plain = words.join(" ");
        let first = words.first().map_or("", String::as_str);
        prop_assume!(!first.starts_with(['#', '\u{feff}']));
        let mut odd = String::from(" joho\t");
        for (word, separator) in words.iter().zip(separators.iter().cycle()) {
            odd.push_str(word);
            odd.extend(separator);
        }
        let read = |text| match CommandLine::parse(text).command {
            // A value is taken as it is written.
            Some(UciCommand::SetOption { name, .. }) => format!("option {name}"),
            command => format!("{command:?}"),
        };
        prop_assert_eq!(read(&plain), read(&odd));
    }
}
