//! Random commands.

use std::iter;
use std::ops::Range;

use lovec::chess::Position;
use lovec::chess::notation::uci::format_move;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;
use proptest::strategy::Union;

use crate::uci_fuzz::stream::{EngineOption, LOG_FILES, Piece, Stream, book_files, engine_options};

/// Positions of all kinds, most of them valid.
const FENS: [&str; 40] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    // Chess960, and castling rights that are nearly standard.
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rk1r3/8/8/8/8/8/8/RK4R1 w GAeb - 0 1",
    "rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 1",
    "rnkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/BRQKRNNB w EBga - 0 1",
    "4k3/8/8/8/8/8/8/RK5R w HA - 0 1",
    // Games that are over, or nearly.
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/7k/5q2/8/7K w - - 0 1",
    "4k3/8/4K3/8/8/8/8/7R w - - 0 1",
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "8/8/4k3/8/8/3K4/3N4/8 w - - 0 1",
    "8/5k2/8/8/8/3K4/4Q3/8 w - - 99 150",
    "8/5k2/8/8/8/3K4/4Q3/8 b - - 100 150",
    "8/5k2/8/8/8/3K4/4Q3/8 w - - 150 200",
    "8/8/8/8/8/5k2/4p3/4K3 w - - 0 1",
    "8/P7/8/8/8/5k2/8/4K3 w - - 0 1",
    "K7/8/8/8/8/8/4kbn1/8 b - - 0 1",
    // More pieces than a game can have.
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/8/k1K5 w - - 0 1",
    "qqqqqqqk/qqqqqqqq/8/8/8/8/8/K7 b - - 0 1",
    "nnnnknnn/nnnnnnnn/8/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1",
    // Fields that are missing, wrong or dropped.
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6",
    "4k3/8/8/8/8/8/8/4K3 w KQkq e3 -5 0",
    "4k3/8/8/8/8/8/4P3/4K3 w",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 99999999999 99999999999",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/8 w - - 0 1",
    "4kk2/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/4K3/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1",
    "P3k3/8/8/8/8/8/8/p3K3 w - - 0 1",
    "4k3/9/8/8/8/8/8/4K3 w - - 0 1",
    "blah",
];

/// Numbers at the ends of ranges and beyond, and text that is not a number.
const EXTREMES: &str = "-1, 0, 1, 127, 128, 255, 256, 65536, 2147483647, 2147483648, \
                        -2147483648, 4294967296, 9223372036854775807, 9223372036854775808, \
                        -9223372036854775808, 18446744073709551615, 18446744073709551616, \
                        999999999999999999999999999999999999999999, 1e6, 1.5, 0x10, +5, 007, \
                        --1, \u{663}, abc";

const MOVES: &str = "e2e4, d2d4, g1f3, e7e5, e1g1, e1h1, e8c8, a7a8q, a7a8, 0000, e2e9, (none), \
                     e2e4e, \u{e9}2e4";

/// The items of a list, separated by commas.
fn list(text: &'static str) -> Vec<&'static str> {
    text.split(", ").collect()
}

/// An item of [`EXTREMES`].
pub fn extreme() -> impl Strategy<Value = String> {
    select(list(EXTREMES)).prop_map(str::to_owned)
}

type Text = proptest::strategy::BoxedStrategy<String>;

fn number(usual: Range<i64>) -> Text {
    prop_oneof![
        8 => usual.prop_map(|number| number.to_string()),
        1 => extreme(),
    ]
    .boxed()
}

/// A legal move for each choice, until the game ends.
fn game(fen: &str, choices: &[u16], chess960: bool) -> Vec<String> {
    let Ok(mut position) = Position::from_fen(fen) else { return Vec::new() };
    let mut moves = Vec::new();
    for &choice in choices {
        let legal: Vec<_> = position.legal_moves().into_iter().collect();
        let Some(&m) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
        moves.push(format_move(m, chess960));
        position.make(m);
    }
    moves
}

/// Moves after a FEN: none, a game, or illegal moves.
fn moves(fen: &'static str) -> Text {
    let played = |most: usize| {
        (vec(any::<u16>(), 0..most), any::<bool>())
            .prop_map(move |(choices, chess960)| game(fen, &choices, chess960))
    };
    // A long game of shuffling.
    let shuffled = (1..400_usize).prop_map(|count| ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(count));
    let words = vec(select(list(MOVES)).prop_map(str::to_owned), 0..4);
    let spoilt =
        (played(20), 0..20_usize, select(list(MOVES))).prop_map(|(mut moves, place, m)| {
            moves.insert(place.min(moves.len()), m.to_owned());
            moves
        });
    prop_oneof![
        4 => Just(String::new()),
        8 => played(12).prop_map(|moves| format!(" moves {}", moves.join(" "))),
        1 => played(250).prop_map(|moves| format!(" moves {}", moves.join(" "))),
        1 => shuffled.prop_map(|moves| format!(" moves {}", moves.join(" "))),
        2 => spoilt.prop_map(|moves| format!(" moves {}", moves.join(" "))),
        1 => words.prop_map(|moves| format!(" moves {}", moves.join(" "))),
    ]
    .boxed()
}

fn position() -> Text {
    let known = Union::new(
        FENS.iter().map(|&fen| moves(fen).prop_map(move |moves| format!("fen {fen}{moves}"))),
    );
    let start = moves(FENS[0]).prop_map(|moves| format!("startpos{moves}"));
    let board = vec(select(&b"pnbrqkPNBRQK12345678/// "[..]), 0..50);
    let random = (board, select(&["w", "b", "-", ""][..]), select(&["KQkq", "-", "HAha", "x"][..]))
        .prop_map(|(board, side, rights)| {
            format!("fen {} {side} {rights} - 0 1", String::from_utf8_lossy(&board))
        });
    // A few pieces anywhere: often a position that no game reaches.
    let scattered =
        (vec((0..64_usize, select(&b"pnbrqPNBRQ"[..])), 0..12), 0..64_usize, 0..64_usize)
            .prop_flat_map(|(pieces, white, black)| {
                let mut board = [b'1'; 64];
                pieces.into_iter().for_each(|(square, piece)| board[square] = piece);
                (board[white], board[black]) = (b'K', b'k');
                let ranks: Vec<_> = board
                    .chunks(8)
                    .map(|rank| String::from_utf8_lossy(rank).into_owned())
                    .collect();
                (Just(ranks.join("/")), select(&["w", "b"][..]), 0..120_u32)
            })
            .prop_map(|(board, side, clock)| format!("fen {board} {side} - - {clock} 80"));
    let broken = select(&["", "fen", "moves e2e4", "startpos e2e4", "startpos moves", "e2e4"][..]);
    prop_oneof![
        3 => start,
        6 => known,
        1 => random,
        2 => scattered,
        1 => broken.prop_map(str::to_owned),
    ]
    .prop_map(|arguments| format!("position {arguments}"))
    .boxed()
}

fn parameter(name: &'static str, usual: Range<i64>) -> Text {
    prop_oneof![
        12 => number(usual).prop_map(move |number| format!("{name} {number}")),
        1 => Just(name.to_owned()),
    ]
    .boxed()
}

/// A `go` with any parameters. Most searches are short.
fn go() -> Text {
    let short = prop_oneof![
        6 => parameter("nodes", 0..2000),
        2 => parameter("depth", 0..5),
        1 => parameter("movetime", 0..5),
        1 => Just("wtime 5 btime 5".to_owned()),
    ];
    let search_moves = vec(select(list(MOVES)), 0..4)
        .prop_map(|moves| iter::once("searchmoves").chain(moves).collect::<Vec<_>>().join(" "));
    let any_parameter = prop_oneof![
        parameter("wtime", -100..200),
        parameter("btime", -100..200),
        parameter("winc", 0..10),
        parameter("binc", 0..10),
        parameter("movestogo", -2..50),
        parameter("depth", -5..130),
        parameter("nodes", 0..5000),
        parameter("mate", 0..10),
        parameter("movetime", -1..10),
        parameter("perft", 0..3),
        search_moves,
        Just("infinite".to_owned()),
        Just("ponder".to_owned()),
        extreme(),
    ]
    .boxed();
    let others = vec(any_parameter.clone(), 0..3);
    let short_search = (short, others, any::<bool>()).prop_map(|(short, mut others, first)| {
        others.insert(if first { 0 } else { others.len() }, short);
        others
    });
    prop_oneof![
        12 => short_search,
        3 => vec(any_parameter, 0..6),
        1 => Just(vec!["infinite".to_owned()]),
        1 => Just(vec!["ponder".to_owned(), "wtime 20".to_owned(), "btime 20".to_owned()]),
    ]
    .prop_map(|parameters| format!("go {}", parameters.join(" ")))
    .boxed()
}

/// Directories with endgame tables and without.
const SYZYGY_PATHS: [&str; 5] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy"),
    concat!("/no/such/place:", env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"),
    "<empty>",
    ":;:",
];

/// A value for an option: usual, at the ends of its range, or invalid.
fn value(option: &EngineOption) -> Text {
    let garbage = extreme();
    let usual = match (option.name.as_str(), option.kind.as_str(), option.bounds) {
        ("Hash", ..) => prop_oneof![
            12 => 1..5_i64,
            1 => 5..40_i64,
            1 => Just(1_048_577),
        ]
        .prop_map(|mib| mib.to_string())
        .boxed(),
        ("Threads", ..) => (0..5_i64).prop_map(|threads| threads.to_string()).boxed(),
        // Few lines most of the time: with hundreds the search is slow.
        ("MultiPV", ..) => prop_oneof![
            8 => 1..4_i64,
            1 => 0..258_i64,
        ]
        .prop_map(|lines| lines.to_string())
        .boxed(),
        ("Debug Log File", ..) => select(&LOG_FILES[..]).prop_map(str::to_owned).boxed(),
        ("SyzygyPath", ..) => select(&SYZYGY_PATHS[..]).prop_map(str::to_owned).boxed(),
        ("BookFile", ..) => select(book_files()).boxed(),
        (_, "spin", Some((min, max))) => prop_oneof![
            4 => min..=max,
            1 => select(vec![min, max, min.saturating_sub(1), max.saturating_add(1)]),
        ]
        .prop_map(|number| number.to_string())
        .boxed(),
        (_, "check", _) => {
            select(&["true", "false", "True", "FALSE"][..]).prop_map(str::to_owned).boxed()
        }
        _ => select(&["", "<empty>", "some words", "/a/path with/spaces"][..])
            .prop_map(str::to_owned)
            .boxed(),
    };
    let given = prop_oneof![6 => usual, 1 => garbage].prop_map(|value| format!(" value {value}"));
    let rarely = if option.kind == "button" { 8 } else { 1 };
    prop_oneof![
        8 => given,
        rarely => Just(String::new()),
        1 => Just(" value".to_owned()),
    ]
    .boxed()
}

fn set_option() -> Text {
    let known = Union::new(engine_options().iter().map(|option| {
        let name = option.name.clone();
        let other_case = prop_oneof![
            8 => Just(name.clone()),
            1 => Just(name.to_lowercase()),
            1 => Just(name.to_uppercase()),
        ];
        (other_case, value(option)).prop_map(|(name, value)| format!("name {name}{value}"))
    }));
    let broken = select(
        &["", "name", "value 3", "name value 3", "Hash 16", "name No Such Option value 1"][..],
    );
    prop_oneof![12 => known, 1 => broken.prop_map(str::to_owned)]
        .prop_map(|arguments| format!("setoption {arguments}"))
        .boxed()
}

fn command() -> Text {
    const PLAIN: &str = "uci, isready, isready, ucinewgame, stop, stop, ponderhit, debug on, \
                         debug off, debug, register later, help, d, eval, xboard, #comment, ?";
    prop_oneof![
        10 => go(),
        8 => position(),
        4 => set_option(),
        8 => select(list(PLAIN)).prop_map(str::to_owned),
        1 => number(0..3).prop_map(|depth| format!("perft {depth}")),
        1 => "[ -~]{0,40}".prop_map(|text| text),
        1 => ".{0,20}".prop_map(|text| text),
    ]
    .boxed()
}

fn piece() -> impl Strategy<Value = Piece> {
    let prefix =
        select(&["", "", "", "", "", "", "", "", " ", "\t", "joho ", "\u{feff}", "\0"][..]);
    let end =
        select(&["\n", "\n", "\n", "\n", "\n", "\n", "\n", "\n", "\r\n", "\n\n", " \t\n", " "][..]);
    (prefix, command(), end, 0..4_u8).prop_map(|(prefix, command, end, pause)| Piece {
        bytes: format!("{prefix}{command}{end}").into_bytes(),
        pause: pause == 0,
    })
}

/// Up to a dozen lines; one stream in a hundred ends with `quit`.
pub fn stream() -> impl Strategy<Value = Stream> {
    (vec(piece(), 1..12), 0..100_u8).prop_map(|(mut pieces, quit)| {
        if quit == 99 {
            pieces.push(Piece { bytes: b"quit\n".to_vec(), pause: false });
        }
        Stream::new(pieces)
    })
}
