//! Games are read, written and read again.

use std::io::{self, Read};

use proptest::prelude::*;

use crate::chess::color::Color;
use crate::chess::game_result::GameResult;
use crate::chess::notation::pgn::game::{Element, PgnGame};
use crate::chess::notation::pgn::line_stack::MAX_DEPTH;
use crate::chess::notation::pgn::movetext::MoveNumber;
use crate::chess::notation::pgn::problem::{MAX_PROBLEMS, ProblemKind};
use crate::chess::notation::pgn::reader::{PgnError, PgnReader};
use crate::chess::notation::pgn::tag::PgnTag;
use crate::chess::notation::san;
use crate::chess::position::Position;

fn read_bytes(text: &[u8]) -> Vec<PgnGame> {
    PgnReader::new(text).map(Result::unwrap).collect()
}

fn read(text: &str) -> Vec<PgnGame> {
    read_bytes(text.as_bytes())
}

/// The only game of a text.
fn one(text: &str) -> PgnGame {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text:?}: {games:?}");
    games.remove(0)
}

/// What a game says, without the places of its problems.
type Content = (Vec<PgnTag>, Option<String>, Vec<Element>, Option<GameResult>);

fn content(game: &PgnGame) -> Content {
    let start = game.start().map(|start| start.fen());
    (game.tags.clone(), start, game.elements().to_vec(), game.termination_marker)
}

/// Checks that what is written is read again and written in the same way.
fn check_round_trip(game: &PgnGame) {
    let written = game.to_string();
    let again = one(&written);
    assert_eq!(content(&again), content(game), "{written}");
    assert_eq!(again.to_string(), written);
}

fn problems(text: &str) -> Vec<String> {
    one(text).problems().iter().map(ToString::to_string).collect()
}

const FULL: &str = "\u{feff}[Event \"A \\\"test\\\"\"]
[White \"Žiga\"]
[Result \"1-0\"]

{ Before } 1. e4! $10 {a comment
 over lines} e5 (1... c5 2. Nf3 (2. c3 Nf6) 2... d6 ; to the end }
) ({ first } 1... e6) 2. Nf3 Nc6?! 3. Bb5 -- 4. O-O 1-0
";

#[test]
fn everything_is_kept_in_its_place() {
    let game = one(FULL);
    assert_eq!(game.problems(), []);
    assert_eq!(game.result(), Some(GameResult::Won(Color::White)));
    assert_eq!((game.tag("Event"), game.tag("White")), (Some("A \"test\""), Some("Žiga")));
    let expected = "[Event \"A \\\"test\\\"\"]
[White \"Žiga\"]
[Result \"1-0\"]

{Before} 1. e4 $1 $10 {a comment over lines} 1... e5 (1... c5 2. Nf3 (2. c3 Nf6)
2... d6 ;to the end }
) ({first} 1... e6) 2. Nf3 Nc6 $6 3. Bb5 -- 4. O-O 1-0
";
    assert_eq!(game.to_string(), expected);
    check_round_trip(&game);
}

#[test]
fn all_that_people_write_for_a_move_is_read() {
    let text = "1.e4 e5 2.Nf3! 2...Nc6 3 Bb5 a6 4. 0-0 … 4… Nf6 5. Re1+- Be7 !? 6.Bf1 x 1/2-1/2";
    let game = one(text);
    assert_eq!(game.final_position().unwrap().plies(), 11);
    assert_eq!(problems(text), ["line 1, 6...: \"x\" has no meaning"]);
    assert!(game.to_string().contains("5. Re1 $18 Be7 $5 6. Bf1 x 1/2-1/2"), "{game}");
    check_round_trip(&game);
    let text = "1.e4 e5 2.Nf3! 2...Nc6 3 Bb5 a6 4. 0-0 … 4… Nf6 5. Re1 += Be7 !? 6.Bf1 e.p. *";
    let game = one(text);
    assert_eq!(game.final_position().unwrap().plies(), 11);
    assert_eq!(game.problems(), []);
    assert!(game.to_string().contains("5. Re1 $14 Be7 $5 6. Bf1 *"), "{game}");
    check_round_trip(&game);
}

#[test]
fn words_for_glyphs_are_read_as_glyphs() {
    for (text, written) in [
        ("1. e4 N e5 *", "1. e4 $146 e5 *\n"),
        ("1. e4!N e5?!TN *", "1. e4 $1 $146 e5 $6 $146 *\n"),
        ("1. e4 !N D e5 RR *", "1. e4 $1 $146 $220 e5 $145 *\n"),
        ("1. e4+- e5-/+ *", "1. e4 $18 e5 $17 *\n"),
        ("1. e4!!! e5?=∞ *", "1. e4 $1 $3 e5 $2 $10 $13 *\n"),
        ("1. e4± (1. d4 ⩲) e5 □ *", "1. e4 $16 (1. d4 $14) 1... e5 $7 *\n"),
    ] {
        let game = one(text);
        assert_eq!((game.to_string(), game.problems()), (written.to_owned(), &[][..]), "{text}");
        check_round_trip(&game);
    }
    // The letter of a promotion is none.
    let game = one("[FEN \"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. e8=N+ *");
    assert!(game.to_string().contains("1. e8=N+ *"), "{game}");
}

#[test]
fn words_without_meaning_are_named_and_skipped() {
    for word in ["xyz", "novelty", "x", "]", "[", "\"", "mark17", "0:10:00", "Q", "hxg"] {
        let text = format!("1. e4 {word} e5 2. Nf3 *");
        let game = one(&text);
        assert_eq!(game.final_position().unwrap().plies(), 3, "{text}");
        let expected = format!("line 1, 1...: {word:?} has no meaning");
        assert_eq!(problems(&text), [expected], "{text}");
        check_round_trip(&game);
    }
    // What names a square, or begins as castling, was meant as a move, and ends the game.
    for word in ["Qh9", "Sf3", "♞f6", "e9", "Nf33", "e5e", "O-O-O-O", "0-0x"] {
        let game = one(&format!("1. e4 {word} e5 2. Nf3 *"));
        assert_eq!(game.final_position().unwrap().plies(), 1, "{word}");
        assert!(game.main_line_problem().is_some(), "{word}");
        check_round_trip(&game);
    }
}

#[test]
fn commands_outside_comments_are_read_as_comments() {
    for text in [
        "1. e4 [%clk 0:10:00] e5 *",
        "1. e4[%clk 0:10:00]e5 *",
        "1. e4 {x} [%csl Ga4,Rb2] [%cal Ga1b2] e5 *",
        "[%eval 0.2] 1. e4 e5 *",
    ] {
        let game = one(text);
        assert_eq!(game.final_position().unwrap().plies(), 2, "{text}");
        assert!(problems(text)[0].contains("stands outside a comment"), "{text}");
        check_round_trip(&game);
    }
    // What is not closed is a word.
    let game = one("1. e4 [%clk {x} e5 *");
    assert_eq!(game.final_position().unwrap().plies(), 2);
    check_round_trip(&game);
}

#[test]
fn passes_and_results_are_read_in_every_spelling() {
    for pass in ["--", "Z0", "z0", "0000", "@@@@", "null", "1...0000", "1... --!"] {
        let game = one(&format!("1. e4 {pass} 2. d4 *"));
        assert_eq!(game.final_position().unwrap().plies(), 3, "{pass}");
        check_round_trip(&game);
    }
    for (text, result) in [
        ("1/2", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("½", "1/2-1/2"),
        ("½–½", "1/2-1/2"),
        ("1–0", "1-0"),
        ("0–1", "0-1"),
    ] {
        let games = read(&format!("1. e4 {text} 1. d4 {text}"));
        assert_eq!(games.len(), 2, "{text}");
        assert_eq!(games[1].to_string(), format!("1. d4 {result}\n"));
    }
}

#[test]
fn games_follow_each_other_in_any_way() {
    for (text, count) in [
        ("", 0),
        ("\n% nothing\n\n", 0),
        ("1. e4 1-0 1. d4 0-1", 2),
        ("1. e4 1-0 { good } 1. d4 *", 2),
        ("[A \"1\"]\n[B \"2\"]\n\n*\n\n[A \"1\"]\n\n*\n", 2),
        // Without results, …
        ("[A \"1\"]\n\n1. e4\n\n[A \"2\"]\n\n1. d4\n", 2),
        // … and without moves.
        ("[A \"1\"]\n\n[A \"2\"]\n\n[A \"3\"]\n", 3),
        // An empty line among the tags.
        ("[A \"1\"]\n\n[B \"2\"]\n\n1. e4 *\n", 1),
        ("[A \"1\"] [B \"2\"] 1. e4 *\n", 1),
        // Line ends of other systems.
        ("[A \"1\"]\r\n\r\n1. e4 *\r\n\r\n[A \"2\"]\r\n\r\n1. e4 *\r\n", 2),
        ("[A \"1\"]\r\r1. e4 *\r\r[A \"2\"]\r\r1. e4 *\r", 2),
    ] {
        let games = read(text);
        assert_eq!(games.len(), count, "{text:?}");
        games.iter().for_each(check_round_trip);
        let numbers: Vec<u64> = games.iter().map(|game| game.number).collect();
        assert_eq!(numbers, (1..=count as u64).collect::<Vec<_>>());
    }
}

#[test]
fn problems_are_named_by_line_and_move() {
    for (text, expected) in [
        ("1. e4 e5\n2. Ke3 Nc6 *", "line 2, 2.: Ke3 is not legal here"),
        ("1. e4 e5 2. Qh9 *", "line 1, 2.: \"Qh9\" is not a move in algebraic notation"),
        ("1. e4 e5 (1... c5 2. c5) *", "line 1, 2. (in a variation): c5 is not legal here"),
        ("1. e4 ) *", "line 1, 1...: ')' closes nothing"),
        ("1. e4 } *", "line 1, 1...: '}' closes nothing"),
        ("(1. d4) 1. e4 *", "line 1, 1.: a variation of no move"),
        ("1. e4 $256 *", "line 1, 1...: \"$256\" has no meaning"),
        ("1. e4 e5 2. Qh5 a6 3. Qxe5 -- *", "line 1, 3...: a null move in check"),
        ("1. e4 (1. d4 *", "line 1, 1... (in a variation): a variation is not closed"),
        ("1. e4", "line 1, 1...: the result is missing"),
        ("[White \"A\"]\n\n\n", "line 1, 1.: the result is missing"),
        ("1. e4 { *", "line 1, 1...: a comment is not closed"),
        ("[Event]\n\n1. e4 *", "line 1: \"[Event]\" is not a well-formed tag"),
        ("[FEN \"8/8 w\"]\n\n1. e4 *", "line 1: tag FEN: FEN board: 2 ranks"),
        ("[Variant \"Atomic\"]\n\n1. e4 *", "line 1: the variant \"Atomic\" is not known"),
    ] {
        let found = problems(text);
        let is_named = found.iter().any(|problem| problem.starts_with(expected));
        assert!(is_named, "{text}: {found:?}");
        check_round_trip(&one(text));
    }
    let games = read("[A \"\"]\n[B \"\"]\n\n[A \"\"]\n\n*");
    assert_eq!(games[0].problems()[0].to_string(), "line 2, 1.: the result is missing");
}

#[test]
fn a_word_like_a_tag_before_the_first_move_is_a_comment() {
    for text in ["1. [e4 1. e4 e5 *", "1.[ e4 e5 *", "1. [%clk\n 1.e4 e5 *"] {
        let game = one(text);
        assert_eq!(game.final_position().unwrap().plies(), 2, "{text}");
        assert_eq!(game.problems().len(), 1, "{text}");
        assert!(matches!(game.elements()[0], Element::Comment(_)), "{text}");
        check_round_trip(&game);
    }
}

#[test]
fn after_a_mistake_all_words_are_kept() {
    let game = one("1. e4 e5 2. Ke3 { why } Nc6 (2... d6 $1 3. d4) 3. Nf3! 1-0");
    assert_eq!(game.final_position().unwrap().plies(), 2);
    assert_eq!(game.main_line_problem(), Some(&game.problems()[0]));
    assert_eq!(game.problems().len(), 1);
    assert_eq!(game.to_string(), "1. e4 e5 2. Ke3 {why} Nc6 (2... d6 $1 3. d4) 3. Nf3! 1-0\n");
    check_round_trip(&game);
    // With its number if the mistake has one.
    for (text, written) in [
        ("1. e4 e5 2.Ke3 Nc6 *", "1. e4 e5 2.Ke3 Nc6 *\n"),
        ("1. e4 Qh4 2. d4 *", "1. e4 1... Qh4 2. d4 *\n"),
        ("1. e4 (1. d5) 1... e5 *", "1. e4 (1. d5) 1... e5 *\n"),
    ] {
        assert_eq!(one(text).to_string(), written);
        check_round_trip(&one(text));
    }
    // A mistake in a variation does not end the game.
    let game = one("1. e4 (1. d5 d5) e5 2. Nf3 *");
    assert_eq!((game.final_position().unwrap().plies(), game.main_line_problem()), (3, None));
}

#[test]
fn an_open_comment_does_not_swallow_the_next_game() {
    let games = read("1. e4 { open\n\n[Event \"next\"]\n\n1. d4 1-0\n");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].tag("Event"), Some("next"));
    // Without an empty line, or as part of a sentence, a tag belongs to the comment.
    let game = one("1. e4 { see\n[Event \"x\"]\n\n[Event \"y\"] } e5 *");
    assert_eq!(game.final_position().unwrap().plies(), 2);
}

#[test]
fn games_of_chess960_are_read() {
    let text = "[Variant \"Chess960\"]\n[FEN \"1rk1r3/pppppppp/8/8/8/8/PPPPPPPP/1RK1R3 w EBeb - 0 1\"]\n\n\
        1. O-O O-O-O *\n";
    let game = one(text);
    assert_eq!(game.problems(), []);
    let fen = game.final_position().unwrap().fen();
    assert!(fen.starts_with("2krr3/"), "{fen}");
    check_round_trip(&game);
}

#[test]
fn a_line_that_is_not_utf8_is_latin1() {
    let text = b"[White \"Gl\xfcck\"]\n[Black \"\xc5\xbd\"]\n\n1. e4 *\n";
    let games = read_bytes(text);
    assert_eq!((games[0].tag("White"), games[0].tag("Black")), (Some("Glück"), Some("Ž")));
}

#[test]
fn positions_are_found_by_number() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7";
    let game = one(&format!("[FEN \"{fen}\"]\n\n7... e5 8. Nf3 (8. f4 exf4) 8... Nc6 *"));
    let after = |number, color| {
        let at = MoveNumber { number, color };
        let position = game.position_while(|next| next <= at).unwrap();
        let last = position.plies();
        (last, MoveNumber::next(&position).to_string())
    };
    assert_eq!(after(7, Color::White), (0, "7...".to_owned()));
    assert_eq!(after(7, Color::Black), (1, "8.".to_owned()));
    assert_eq!(after(8, Color::White), (2, "8...".to_owned()));
    assert_eq!(after(99, Color::White), (3, "9.".to_owned()));
}

/// A new game of these moves, the second with a comment.
fn new_game(start: &Position, texts: &[&str]) -> PgnGame {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for text in texts {
        let m = san::parse(&position, text).unwrap();
        let comment = if moves.len() == 1 { "+1.0/3  {x}" } else { "" };
        moves.push((m, comment.to_owned()));
        position.make(m);
    }
    PgnGame::new([("White", "a \"b\"".to_owned())], start, moves, None)
}

#[test]
fn a_new_game_is_written() {
    let game = new_game(&Position::startpos(), &["f3", "e5", "g4"]);
    let expected = "[White \"a \\\"b\\\"\"]\n[Result \"*\"]\n\n1. f3 e5 ;+1.0/3 {x}\n2. g4 *\n";
    assert_eq!(game.to_string(), expected);
    check_round_trip(&game);
    let start = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7").unwrap();
    let game = new_game(&start, &["Kd7", "e4", "Kc6"]);
    let text = game.to_string();
    assert!(text.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7\"]"), "{text}");
    assert!(text.ends_with("\n7... Kd7 8. e4 ;+1.0/3 {x}\n8... Kc6 *\n"), "{text}");
    check_round_trip(&game);
    let fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/R4KR1 w KQ - 0 1";
    let text = new_game(&Position::from_fen(fen).unwrap(), &["O-O"]).to_string();
    let tags = format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. O-O *\n");
    assert!(text.ends_with(&tags), "{text}");
    // Lines are filled, but not beyond their end.
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(30);
    let text = new_game(&Position::startpos(), &shuffle).to_string();
    let lines: Vec<usize> = text.lines().skip(3).map(str::len).collect();
    assert!(lines.iter().all(|&length| length < 80) && lines[1] > 70, "{lines:?}");
}

/// Brackets of any depth need no stack.
#[test]
fn deep_variations_and_long_games_are_read() {
    let depth = 1_000_000;
    let text = format!("1. e4 {} {} *", "(".repeat(depth), ")".repeat(depth));
    let game = one(&text);
    assert_eq!(game.elements().len(), 2 * depth + 1);
    check_round_trip(&game);

    // Each variation has a move, so that the next one can begin.
    let text = format!("1. e4 {} e5 *", "(1. d4 ".repeat(MAX_DEPTH + 9));
    let game = one(&text);
    let too_deep = game.problems().iter().filter(|problem| problem.kind == ProblemKind::TooDeep);
    assert_eq!(too_deep.count(), 1);
    check_round_trip(&game);

    // Each word is read once, whatever follows it on its line.
    let count = 500_000;
    let game = one(&format!("1. e4 {} *", "[%a".repeat(count)));
    assert_eq!(game.elements().len(), 1 + count);

    let game = one(&format!("{} 1/2-1/2", "Nf3 Nf6 Ng1 Ng8 ".repeat(5_000)));
    assert_eq!(game.final_position().unwrap().plies(), 20_000);
    check_round_trip(&game);
}

#[test]
fn very_many_problems_are_not_kept() {
    let text = format!("1. e4 {} Ke4 *", ") ".repeat(10_000));
    let game = one(&text);
    assert_eq!(game.problems().len(), MAX_PROBLEMS + 2);
    assert!(matches!(game.main_line_problem().unwrap().kind, ProblemKind::Move(_)));
    let text = "[\n".repeat(10_000);
    assert!(one(&text).problems().len() <= MAX_PROBLEMS + 2);
}

#[test]
fn endless_games_and_failing_sources_are_errors() {
    let zeros = io::BufReader::new(io::repeat(0));
    let mut games = PgnReader::new(zeros);
    assert!(matches!(games.next(), Some(Err(PgnError::TooLong { game: 1, line: 1 }))));
    assert!(games.next().is_none());
    let lines = b"1. e4 *\n".chain(io::BufReader::new(Lines));
    let errors: Vec<String> =
        PgnReader::new(lines).filter_map(|game| Some(game.err()?.to_string())).collect();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].starts_with("game 2 is longer than 8 MiB (line "), "{errors:?}");
    let comment = b"{\n".chain(io::BufReader::new(io::repeat(b'\n')));
    let result = PgnReader::new(comment).next();
    assert!(matches!(result, Some(Err(PgnError::TooLong { game: 1, .. }))), "{result:?}");
}

#[test]
fn a_game_of_many_tags_is_read_in_time_by_their_number() {
    let text: String = (0..100_000).map(|number| format!("[a{number} \"\"]\n\n")).collect();
    let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(game.tags.len(), 100_000);
}

/// `a b` again and again, each on a line.
struct Lines;

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len() / 4 * 4;
        buffer[..length].chunks_mut(4).for_each(|line| line.copy_from_slice(b"a b\n"));
        Ok(length)
    }
}

/// Pieces of notation, well-formed and not.
#[rustfmt::skip]
const PIECES: [&str; 56] = [
    "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O", "d4", "exd4", "Ke2", "1.", "1...", "12.",
    "12", "--", "!", "??", "!!!", "$1", "$300", "$", "(", ")", "{", "}", "{ a }", "; b }", "\n",
    "\n\n", "%", "[", "]", "[Event \"x\"]", "[Result \"0-1\"]",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]", "[Event x]", "1-0", "*", "=", "\"", "\\", "ž",
    "[%clk 0:01]", "\n[Event \"y\"]\n", "N", "!N", "+-", "xyz", "Qh9", "null", "0000", "½-½",
    "1/2", "g1f3", "e7-e5", "[%clk",
];

proptest! {
    /// Whatever the text, what is read can be written and read again.
    #[test]
    fn any_text_is_read_and_written(
        words in prop::collection::vec((prop::sample::select(&PIECES[..]), 0..8_u8), 0..60)
    ) {
        let text: String =
            words.iter().map(|(word, gap)| format!("{word}{}", if *gap == 0 { "" } else { " " })).collect();
        for game in read(&text) {
            check_round_trip(&game);
        }
    }

    /// The first plies of a game are the same whether the rest is read or not.
    #[test]
    fn the_first_plies_are_read_alike(
        words in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60),
        plies in 0..9_usize
    ) {
        let text = words.join(" ");
        let whole = read(&text);
        let first: Vec<PgnGame> =
            PgnReader::new(text.as_bytes()).first_plies(plies).map(Result::unwrap).collect();
        prop_assert_eq!(first.len(), whole.len());
        for (first, whole) in first.iter().zip(&whole) {
            let is_move = |element: &&Element| matches!(element, Element::Move(_) | Element::NullMove);
            let moves: Vec<&Element> = whole.main_line().filter(is_move).take(plies).collect();
            prop_assert_eq!(first.elements().iter().collect::<Vec<_>>(), moves);
            prop_assert_eq!((&first.tags, first.start(), first.result()), (&whole.tags, whole.start(), whole.result()));
        }
    }

    #[test]
    fn any_bytes_are_read_and_written(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for game in read_bytes(&bytes) {
            check_round_trip(&game);
        }
    }

    /// Legal games, with comments and variations by the rules, have no problems, and nothing
    /// of them is lost.
    #[test]
    fn games_by_the_rules_are_kept_whole(choices in prop::collection::vec(any::<u16>(), 0..120)) {
        let (text, moves) = random_game(&choices);
        let game = one(&text);
        prop_assert_eq!(game.problems(), []);
        let count = |wanted: &Element| game.elements().iter().filter(|&e| e == wanted).count();
        prop_assert_eq!(count(&Element::Open), text.matches('(').count());
        prop_assert_eq!(count(&Element::Comment("c d".into())), text.matches('{').count());
        prop_assert_eq!(game.final_position().unwrap().plies(), moves);
        check_round_trip(&game);
    }
}

/// A game of random moves, some with comments and variations; and its number of moves.
fn random_game(choices: &[u16]) -> (String, usize) {
    let mut position = Position::startpos();
    let mut text = String::new();
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let [m, other] = [choice / 4, choice / 7].map(|n| moves[usize::from(n) % moves.len()]);
        let other = san::format(&position, other);
        text += &format!("{} ", san::format(&position, m));
        position.make(m);
        match choice % 4 {
            0 => text += "{ c\nd } ",
            1 => text += &format!("({other} $3) "),
            _ => {}
        }
    }
    (text + "*", position.plies())
}
