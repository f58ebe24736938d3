//! FEN: dialects, tolerated errors and every rejected error.

use lovec::chess::notation::epd::{self, Epd, PerftEntry};
use lovec::chess::notation::fen::{FenError, FenWarning};
use lovec::chess::notation::{san, uci};
use lovec::chess::position::setup::{Setup, SetupError, SetupWarning};
use lovec::chess::{CastlingSide, Color, File, Position, Rank, Square};
use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode};

use crate::notation::{CHESS960, KIWIPETE, STANDARD, WAC, fens, position, random_games};

#[test]
fn every_suite_position_survives_a_round_trip() {
    let wac = epd::lines(WAC).map(|(_, line)| line.split(" bm ").next().unwrap());
    for text in fens(STANDARD).chain(fens(CHESS960)).chain(wac) {
        let (first, warnings) = Position::from_fen_with_warnings(text).unwrap();
        assert!(warnings.is_empty(), "{text}: {warnings:?}");
        first.assert_consistent();
        let written = first.fen();
        assert_eq!(position(&written), first, "{text} written as {written}");
    }
}

/// The FEN that shakmaty writes of a position that it has read.
fn written_by_shakmaty(fen: &str) -> String {
    let fen: Fen = fen.parse().unwrap();
    let theirs: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
    Fen::from_position(&theirs, EnPassantMode::Legal).to_string()
}

#[test]
fn shredder_fen_is_read_as_shakmaty_reads_it() {
    for text in fens(CHESS960) {
        assert_eq!(position(text).fen(), written_by_shakmaty(text));
    }
}

#[test]
fn positions_of_random_games_are_written_as_shakmaty_writes_them() {
    let starts: Vec<&str> = fens(STANDARD).take(6).chain(fens(CHESS960).step_by(40)).collect();
    random_games(&starts, 1, |game| {
        assert_eq!(game.fen(), written_by_shakmaty(&game.fen()));
    });
}

#[test]
fn missing_fields_have_defaults() {
    let board = "4k3/8/8/8/8/8/8/4K2R";
    for (given, meant) in [
        ("w", "w - - 0 1"),
        ("b K", "b K - 0 1"),
        ("w K -", "w K - 0 1"),
        ("w K - 7", "w K - 7 1"),
        ("w K - 7 9", "w K - 7 9"),
        ("w K - 100 0", "w K - 100 1"),
    ] {
        let (read, warnings) =
            Position::from_fen_with_warnings(&format!("{board} {given}")).unwrap();
        assert_eq!(read.fen(), format!("{board} {meant}"));
        assert!(warnings.is_empty());
    }
    assert_eq!(position(&format!("  {board}\t\tw  K\r\n")).fen(), format!("{board} w K - 0 1"));
}

#[test]
fn counters_are_clamped_with_a_warning() {
    let board = "4k3/8/8/8/8/8/8/4K3 w - -";
    for (given, meant, count) in [
        ("-3 5", "0 5", 1),
        ("x y", "0 1", 2),
        ("99999999999999999999 99999999999999999999", "10000 65535", 2),
        ("20000 65535", "10000 65535", 1),
    ] {
        let (read, warnings) =
            Position::from_fen_with_warnings(&format!("{board} {given}")).unwrap();
        assert_eq!(read.fen(), format!("{board} {meant}"));
        assert_eq!(warnings.len(), count, "{warnings:?}");
    }
    let (_, warnings) = Position::from_fen_with_warnings(&format!("{board} x y")).unwrap();
    assert!(matches!(
        warnings[..],
        [FenWarning::HalfmoveClock { value: 0, .. }, FenWarning::FullmoveNumber { value: 1, .. }]
    ));
}

#[test]
fn a_castling_letter_means_the_outermost_rook_or_the_named_one() {
    let rook = |fen: &str, side| position(fen).castling().rook(Color::White, side);
    let board = "4k3/8/8/8/8/8/8/1R1RK1RR";
    for (field, side, file, written) in [
        ("K", CastlingSide::King, File::H, "K"),
        ("H", CastlingSide::King, File::H, "K"),
        ("G", CastlingSide::King, File::G, "G"),
        ("Q", CastlingSide::Queen, File::B, "Q"),
        ("B", CastlingSide::Queen, File::B, "Q"),
        ("D", CastlingSide::Queen, File::D, "D"),
    ] {
        let fen = format!("{board} w {field} - 0 1");
        assert_eq!(rook(&fen, side), Some(file), "{fen}");
        assert_eq!(position(&fen).fen(), format!("{board} w {written} - 0 1"));
    }
}

#[test]
fn rights_without_king_or_rook_are_dropped_with_a_warning() {
    let fen = "r3k3/8/8/8/8/8/4K3/R6R w KQkq - 0 1";
    let (read, warnings) = Position::from_fen_with_warnings(fen).unwrap();
    assert_eq!(read.fen(), "r3k3/8/8/8/8/8/4K3/R6R w q - 0 1");
    assert_eq!(
        warnings,
        [
            SetupWarning::CastlingWithoutKing { color: Color::White, side: CastlingSide::King },
            SetupWarning::CastlingWithoutKing { color: Color::White, side: CastlingSide::Queen },
            SetupWarning::CastlingWithoutRook {
                color: Color::Black,
                side: CastlingSide::King,
                rook: Square::H8
            },
        ]
        .map(FenWarning::Setup)
    );
    assert_eq!(warnings[2].to_string(), "Black may not castle kingside: it has no rook on h8");
}

#[test]
fn chess960_is_recognised_by_its_castling_rights() {
    for (fen, chess960) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
        ("8/8/8/8/8/8/8/K1k5 b - - 0 1", false),
        ("1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1", true),
        ("r2k3r/8/8/8/8/8/8/R2K3R w HAha - 0 1", true),
    ] {
        assert_eq!(position(fen).is_chess960(), chess960, "{fen}");
    }
}

#[test]
fn an_en_passant_square_stays_only_where_a_capture_is_legal() {
    for (fen, kept, warned) in [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", true, false),
        // Nothing can capture.
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", false, false),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", false, false),
        // The capture would expose the king, or the pawn is pinned.
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", false, false),
        ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", false, false),
        // No pawn can just have made a double push.
        ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", false, true),
        ("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", false, true),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1", false, true),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", false, true),
    ] {
        let (read, warnings) = Position::from_fen_with_warnings(fen).unwrap();
        assert_eq!(read.en_passant().is_some(), kept, "{fen}");
        assert_eq!(!warnings.is_empty(), warned, "{fen}: {warnings:?}");
    }
}

#[test]
fn every_malformed_field_is_named() {
    use FenError as E;
    let board = "4k3/8/8/8/8/8/8/4K2R";
    let with = |rest: &str| format!("{board} {rest}");
    for (text, error) in [
        (String::new(), E::Empty),
        (" \t\r\n".to_owned(), E::Empty),
        ("x".repeat(10_000), E::TooLong { length: 10_000 }),
        (with("w K - 0 1 extra word"), E::TooManyFields { count: 8 }),
        ("blah".to_owned(), E::RankCount { count: 1 }),
        ("4k3/8/8/8/8/8/4K3 w".to_owned(), E::RankCount { count: 7 }),
        ("4k3/8/8/8/8/8/8/4K3/8 w".to_owned(), E::RankCount { count: 9 }),
        ("4k3/8/8/7/8/8/8/4K3 w".to_owned(), E::RankLength { rank: Rank::Fifth, files: 7 }),
        (
            "4k3/pppppppppp/8/8/8/8/8/4K3 w".to_owned(),
            E::RankLength { rank: Rank::Seventh, files: 10 },
        ),
        (
            "4k3/8/2x5/8/8/8/8/4K3 w".to_owned(),
            E::BoardCharacter { character: 'x', square: "c6".parse().unwrap() },
        ),
        (
            "4k3/9/8/8/8/8/8/4K3 w".to_owned(),
            E::BoardCharacter { character: '9', square: "a7".parse().unwrap() },
        ),
        (board.to_owned(), E::SideMissing),
        (with("W"), E::Side("W".to_owned())),
        (with("w KX"), E::CastlingCharacter { character: 'X', place: 2 }),
        (with("w K-"), E::CastlingCharacter { character: '-', place: 2 }),
        (with("w KK"), E::CastlingRepeated { character: 'K', place: 2 }),
        (with("w KH"), E::CastlingRepeated { character: 'H', place: 2 }),
        (with("w K e9"), E::EnPassant("e9".to_owned())),
    ] {
        assert_eq!(Position::from_fen(&text).unwrap_err(), error, "{text}");
    }
}

#[test]
fn every_impossible_position_is_an_error() {
    use SetupError as E;
    let square = |name: &str| -> Square { name.parse().unwrap() };
    let (white, black) = (Color::White, Color::Black);
    for (text, error) in [
        ("8/8/8/8/8/8/8/8 w - -", E::NoKing(white)),
        ("8/8/8/8/8/8/8/4K3 w - -", E::NoKing(black)),
        (
            "4k3/8/8/8/8/8/8/K3K3 w - -",
            E::TooManyKings { color: white, count: 2, second: Square::E1 },
        ),
        ("4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/4K3 b - -", E::TooManyPieces { color: white, count: 17 }),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 b - -", E::TooManyPawns { color: black, count: 9 }),
        (
            "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 b - -",
            E::TooManyPromoted { color: white, promoted: 1, missing: 0 },
        ),
        (
            "4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - -",
            E::TooManyPromoted { color: white, promoted: 1, missing: 0 },
        ),
        ("4k2P/8/8/8/8/8/8/4K3 w - -", E::PawnOnBackRank(Square::H8)),
        ("4k3/8/8/8/8/8/8/4K2p w - -", E::PawnOnBackRank(Square::H1)),
        ("8/8/8/8/8/8/4k3/4K3 w - -", E::AdjacentKings { white: Square::E1, black: square("e2") }),
        (
            "4k3/8/8/8/8/8/8/4RK2 w - -",
            E::OpponentInCheck { side_to_move: white, king: Square::E8, attacker: Square::E1 },
        ),
        ("4k3/8/3N1N2/8/8/8/8/4RK2 b - -", E::TooManyCheckers { king: Square::E8, count: 3 }),
    ] {
        assert_eq!(Position::from_fen(text).unwrap_err(), FenError::Setup(error), "{text}");
    }
}

#[test]
fn a_setup_taken_from_a_position_gives_the_position() {
    random_games(&[KIWIPETE, fens(CHESS960).next().unwrap()], 2, |game| {
        let (state, warnings) = Setup::from(game.state()).validate().unwrap();
        assert!(warnings.is_empty());
        assert_eq!(state.key(), game.key());
        assert_eq!(state.fen(), game.fen());
    });
}

/// A FEN with some characters replaced, inserted or removed.
fn mutated_fen() -> impl Strategy<Value = String> {
    let all: Vec<&str> = fens(STANDARD).chain(fens(CHESS960)).collect();
    let letters: Vec<char> = "pnbrqkPNBRQK12345678/ wb-KQkqAHah36".chars().collect();
    let edit = (any::<prop::sample::Index>(), prop::sample::select(letters), 0..3);
    let edits = prop::collection::vec(edit, 0..4);
    (prop::sample::select(all), edits).prop_map(|(fen, edits)| {
        let mut characters: Vec<char> = fen.chars().collect();
        for (place, letter, action) in edits {
            let place = place.index(characters.len());
            match action {
                0 => characters[place] = letter,
                1 => characters.insert(place, letter),
                _ => drop(characters.remove(place)),
            }
        }
        characters.into_iter().collect()
    })
}

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic(text in prop_oneof![any::<String>(), Just(String::new()),
        "[a-hKQRBNO0=+#x@1-8 ;\"-]{0,12}", "[1-8pnbrqkPNBRQK/]{0,80} [wb] [KQkqA-Ha-h-]{0,5} .*"]) {
        let start = Position::startpos();
        let _ = Position::from_fen(&text).map(|read| read.assert_consistent());
        let _ = san::parse(&start, &text);
        let _ = uci::parse_move(&start, &text);
        let _ = text.parse::<Epd>().map(|epd| (epd.best_moves(), epd.points()));
        let _ = text.parse::<PerftEntry>();
    }

    #[test]
    fn a_mutated_fen_gives_a_sound_position(text in mutated_fen()) {
        if let Ok(read) = Position::from_fen(&text) {
            read.assert_consistent();
            for m in read.legal_moves() {
                assert!(read.is_legal(m));
                let mut child = read.clone();
                child.make(m);
                child.assert_consistent();
            }
            assert_eq!(position(&read.fen()), read);
        }
    }
}
