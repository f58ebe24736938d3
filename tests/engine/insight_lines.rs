//! Laws of the explanations of lines that are given.

use std::sync::Arc;

use lovec::chess::Position;
use lovec::chess::notation::san;
use lovec::eval::{Score, WinDrawLoss};
use lovec::insight::mark::PlayerLevel;
use lovec::insight::reasons::reasons;
use lovec::insight::study::Study;
use lovec::insight::threat;
use lovec::insight::{Examiner, SearchedLine, words};
use lovec::search::{Limits, Tables};

use crate::insight::sentences;
use crate::positions::position;

/// A searched line with the score of the side that begins.
fn searched(position: &Position, moves: &str, score: Score, wdl: WinDrawLoss) -> SearchedLine {
    let mut end = Position::new(*position.state());
    san::play(&mut end, moves.split(' ')).unwrap();
    SearchedLine { score, wdl, moves: end.start_and_moves().1, depth: 1 }
}

/// The study of a fault that loses an even game.
pub fn study_of_fault(fen: &str, best: &str, played: &str, score: Score) -> Study {
    let position = position(fen);
    let best = searched(&position, best, Score::ZERO, WinDrawLoss::DRAWN);
    let played = searched(&position, played, score, WinDrawLoss::LOST);
    let study = Study::of_lines(position, best, Some(played), true, PlayerLevel::Club);
    Study { confirmed: Some(true), ..study }
}

#[test]
fn a_mate_after_every_move_is_not_allowed_by_one() {
    let position = position("6k1/8/8/8/8/1r6/r6P/6K1 w - - 0 1");
    let line = |moves| searched(&position, moves, Score::mated_in(2), WinDrawLoss::LOST);
    let level = PlayerLevel::Club;
    for is_played in [true, false] {
        let (best, other) = (line("h3 Rb1#"), line("Kf1 Rb1#"));
        let study = Study::of_lines(position.clone(), best, Some(other), is_played, level);
        let text = sentences(&study);
        assert!(text[0].starts_with("Black mates in 1 all the same"), "{text:?}");
    }
}

#[test]
fn a_pawn_that_promotes_is_told_without_the_exchange_before() {
    let fen = "8/6k1/6p1/5q2/8/8/K1Qp4/8 w - - 0 1";
    let study = study_of_fault(fen, "Qxd2 Kh7", "Qxf5 gxf5 Kb2 d1=Q", Score::new(-900));
    assert_eq!(sentences(&study), ["It lets the d-pawn queen (2...d1=Q)."]);
    // After the best move both sides have a queen.
    let fen = "8/7k/P7/8/8/2p5/6K1/8 w - - 0 1";
    let study = study_of_fault(fen, "a7 c2 a8=Q c1=Q", "Kf2 c2 Kg2 c1=Q", Score::new(-900));
    assert_eq!(sentences(&study)[0], "It lets a pawn queen: 2...c1=Q promotes.");
}

#[test]
fn a_promotion_far_behind_a_loss_is_not_told() {
    let played = "h3 Bxd4+ Kg2 a4 Kg3 a3 Kg2 a2 Kg3 a1=Q";
    let fen = "6k1/8/5b2/p7/3R4/8/7P/6K1 w - - 0 1";
    let text = sentences(&study_of_fault(fen, "Ra4 Bc3 Kf1 Kf7", played, Score::new(-1500)));
    assert!(text.len() == 1 && text[0].starts_with("It loses a rook: "), "{text:?}");
}

#[test]
fn a_trade_into_a_pawn_ending_is_told() {
    let fen = "8/6p1/2k4p/p1r5/3K4/1P1R1P1P/8/8 w - - 0 30";
    let best = "Ke4 g6 f4 Rc1 Rg3 Re1+ Kf3 Re6 f5 gxf5 Kf4 Rf6 Ke5 Rf8";
    let played = "Rc3 Rxc3 Kxc3 g5 Kb2 Kb5 Ka3 h5 Ka2 Kc6 Kb2";
    let text = |best| sentences(&study_of_fault(fen, best, played, Score::new(-400)));
    assert_eq!(text(best), ["It leads to a pawn ending, which is worse: 31.Kxc3."]);
    // The pawn falls after the trade.
    let fen = "8/8/5k2/6p1/r2RK1P1/5P2/8/8 b - - 0 53";
    let best = "Ra6 Rd8 Ke6 Re8+ Kf7 Re5 Kg6 Rb5 Ra4+ Kd3 Ra1";
    let played = "Rxd4+ Kxd4 Ke6 Ke4 Kf6 Kd5 Kg6 Ke5 Kf7 Kf5 Ke7 Kxg5 Kf7 Kf5";
    let lost = study_of_fault(fen, best, played, Score::new(-900));
    assert_eq!(sentences(&lost), ["It leads to a pawn ending, which is worse: 54.Kxd4."]);
    // Without pawns it is none.
    let rooks = "2kr4/8/8/8/8/3RK3/8/8 w - - 0 1";
    let rooks = study_of_fault(rooks, "Rb3 Rd7", "Rxd8+ Kxd8", Score::new(-400));
    assert!(!sentences(&rooks).join(" ").contains("pawn ending"));
    // The best move trades, too.
    let text = text("f4 Kb6 Rc3 Rxc3 Kxc3 g6").join(" ");
    assert!(!text.contains("pawn ending"), "{text}");
}

/// The first pawn that promotes is taken at once.
#[test]
fn the_pawn_that_stays_a_queen_is_told() {
    let mut missed = study_of_fault(
        "8/6kP/2P5/8/8/8/7K/8 w - - 0 1",
        "h8=Q+ Kxh8 c7 Kg7 c8=Q",
        "Kg3 Kxh7 Kf4 Kg6 Ke5 Kf7 Kd6 Ke8",
        Score::ZERO,
    );
    missed.best.searched.score = Score::new(1500);
    let told = "It misses 1.h8=Q+, which gives up a pawn, but queens a pawn: 3.c8=Q promotes.";
    assert_eq!(sentences(&missed)[0], told);
    let fen = "8/7k/P7/8/8/2p5/4P1Kp/8 w - - 0 1";
    let (best, played) = ("a7 h1=Q+ Kxh1 c2 a8=Q c1=Q+", "e3 h1=Q+ Kxh1 c2 Kg2 c1=Q");
    let text = sentences(&study_of_fault(fen, best, played, Score::new(-900)));
    assert!(text[0].starts_with("It wins a pawn, but lets a pawn queen"), "{text:?}");
    assert!(text[0].ends_with(": 3...c1=Q promotes."), "{text:?}");
}

#[test]
fn what_falls_is_told_instead_of_a_late_mate() {
    let best = "Rf8 b2 Rb8 Rc2 Kg4 d4";
    let played = "Rf6+ gxf6 g7 Kf7 g8=Q+ Kxg8 Kg6 Rf4 Kxh6 b2 Kh5 b1=Q Kh6 Rh4#";
    for fen in [
        "8/6p1/p3k1Pp/P2p3K/2r5/1p6/5R2/8 w - - 0 53",
        "8/6p1/p3k1Pp/P2p3K/2r5/qp6/5R2/Q7 w - - 0 53",
    ] {
        let text = sentences(&study_of_fault(fen, best, played, Score::mated_in(14)));
        let is_told = text[0].starts_with("It loses a rook") && text[0].contains("53...gxf6 takes");
        assert!(is_told, "{text:?}");
    }
}

/// Nothing is said of the pawn that the best move wins.
#[test]
fn a_late_mate_is_told_if_nothing_falls() {
    let played = "Kd7 Ra7+ Kd6 Rb6+ Kd5 Ra5+ Kd4 Rb4+ Kd3 Ra3+ Kd2 Rb2+ Kd1 Ra1#";
    let fen = "rr2K2k/5p2/8/8/8/8/8/8 w - - 0 1";
    let study = study_of_fault(fen, "Kxf7 Rb5 Ke6 Kg7", played, Score::mated_in(14));
    let text = sentences(&study);
    assert!(text[0].starts_with("It allows mate in 7"), "{text:?}");
}

#[test]
fn of_many_pieces_only_the_sum_is_told() {
    for (fen, played, told) in [
        (
            "r2r4/6k1/1N6/8/8/8/1P4P1/2BQ2K1 w - - 0 1",
            "g3 Rxd1+ Kg2 Rxc1 Kf2 Rb1 Nxa8 Rxb2+ Ke3",
            "It loses a queen, a bishop and a pawn for a rook: ",
        ),
        (
            "r2r4/6k1/1N6/8/N7/8/1P4P1/1NBQ2K1 w - - 0 1",
            "g3 Rxd1+ Kg2 Rxc1 Nxa8 Rxb1 Kf3 Rxb2 Nxb2",
            "It loses material worth 6 pawns: ",
        ),
    ] {
        let study = study_of_fault(fen, "Qxd8 Rxd8 Nc4 Rd4 b3", played, Score::new(-900));
        let text = sentences(&study);
        assert!(text[0].starts_with(told), "{text:?}");
    }
}

#[test]
fn a_piece_that_the_move_takes_too_is_not_missed() {
    let fen = "3q2k1/2p2ppp/3P4/8/2B5/8/5PPP/6K1 b - - 0 1";
    let of = |best, played| {
        let mut study = study_of_fault(fen, "Qxd6 h3 h6 Kh1", played, Score::new(-300));
        study.best.searched.score = Score::new(best);
        sentences(&study).join(" ")
    };
    let missed = "It misses 1...Qxd6, which wins a pawn: the queen takes the pawn on d6";
    let text = of(300, "h6 h3 Kh8 dxc7");
    assert!(text.starts_with(missed), "{text}");
    let text = of(300, "cxd6 Bxf7+ Kh8 h3");
    assert!(!text.contains("misses"), "{text}");
    // The score does not count on the pawn, but the loss may.
    let text = of(0, "h6 h3 Kh8 dxc7");
    assert!(text.starts_with(missed), "{text}");
    let text = of(-205, "h6 h3 Kh8 dxc7");
    assert!(!text.contains("misses"), "{text}");
    // The pawn that is taken en passant stands on another square.
    let fen = "6k1/2p2ppp/8/3pP3/8/2N5/5PPP/6K1 w - d6 0 1";
    let mut study = study_of_fault(fen, "Nxd5 c6 Nc3 Kf8", "exd6 cxd6 Nb5 d5", Score::new(-300));
    study.best.searched.score = Score::new(300);
    let text = sentences(&study).join(" ");
    assert!(!text.contains("misses"), "{text}");
}

/// The gain of the best line shows in the loss alone.
#[test]
fn what_is_lost_is_told_before_what_the_score_does_not_count_on() {
    let fen = "8/p5pp/3N3n/P3Pp2/1n3P1P/5PK1/8/1B2k3 b - - 4 43";
    let best = "g6 Nc8 Kd2 Nxa7 Kc1 Ba2 Nxa2 Nc6 Nc3 e6 Ng8 a6 Nb5";
    let played = "Kf1 Nxf5 Nxf5+ Bxf5 Ke2 Be4 Na6 e6 Nc7 e7 Ke3 Kg4";
    let mut study = study_of_fault(fen, best, played, Score::new(-1003));
    study.best.searched.score = Score::new(-354);
    let text = sentences(&study);
    assert!(text[0].starts_with("It loses a pawn: 44.Nxf5"), "{text:?}");
}

/// The best line takes the same rook a move later.
#[test]
fn what_both_lines_take_is_not_missed() {
    let fen = "Q1b1kbnr/1pp2ppp/3p4/8/4P3/4B3/PqP2PPP/RN2KB1R b KQk - 0 8";
    let played = "Qxa1 Qxc8+ Ke7 Bg5+ Nf6 Qxc7+ Ke6 Qc8+ Ke7 Qxb7+ Ke6 Bc4+ Ke5 Bxf6+ Kf4 Bxa1 Kg5";
    let study =
        study_of_fault(fen, "Kd8 Bd3 Qxa1 O-O Nf6 h3 Be7 Na3 Qe5", played, Score::new(-3160));
    let text = sentences(&study);
    let told = "It takes a rook, but then loses a bishop and a pawn: 9.Qxc8+ takes the bishop";
    assert!(text[0].starts_with(told), "{text:?}");
}

#[test]
fn a_side_wins_back_what_it_is_behind() {
    for (pawns, verb) in [("6p1", "wins"), ("6pp", "wins back")] {
        let fen = format!("1r4k1/{pawns}/8/8/3p4/8/5PP1/3R2K1 w - - 0 1");
        let study = study_of_fault(&fen, "Rxd4 Kf8 Rd2 Ke8", "f3 d3 Rd2 Rb3", Score::new(-300));
        let text = sentences(&study);
        let told = format!("It misses 1.Rxd4, which {verb} a pawn: ");
        assert!(text[0].starts_with(&told), "{text:?}");
    }
}

#[test]
fn perpetual_check_is_allowed_or_missed() {
    let fen = "8/2q1kp2/p1P1b3/8/r3P3/2Q4p/PP5b/2R2R1K b - - 1 31";
    let best = "Be5 Qe3 Rxa2 Rc2 Rxb2 Rxb2 Bxb2 Qg5+ f6";
    let text = |score| {
        let mut study = study_of_fault(fen, best, "Rxe4 Qf6+ Ke8 Qh8+ Ke7", score);
        study.best.searched.score = Score::new(300);
        sentences(&study).join(" ")
    };
    assert_eq!(text(Score::ZERO), "It allows perpetual check, beginning with 32.Qf6+.");
    assert!(!text(Score::new(-50)).contains("perpetual"));
    // No capture is added to the checks, which would lose.
    let fen = "8/2q1kp2/p1P5/3b4/4r3/2Q2R1p/PP5b/2R4K w - - 0 33";
    let best = "Qf6+ Kf8 Qh6+ Ke8 Qh8+ Ke7 Qf6+";
    let played = "Qc5+ Ke6 Qf8 Bf4 Qh8 Re2 Kg1 h2+ Kf1 Bxf3 Qh3+ Kd6 Rd1+ Bd5 Kxe2 Kxc6";
    let study = study_of_fault(fen, best, played, Score::new(-620));
    assert_eq!(study.best.line.moves().len(), 7);
    let text = sentences(&study);
    assert_eq!(text[0], "It misses perpetual check, beginning with 33.Qf6+.");
    assert!(text[1].starts_with("It loses a rook"), "{text:?}");
    // The rook that falls after another move is mostly won back, and the side was behind before.
    let fen = "r2k1r1r/r4n2/8/2P5/5Q2/rn6/8/RK2RR2 w EQ - 1 2";
    let best = "Rxa3 Rxa3 Qf6+ Kc8 Qe6+ Kb8 Qb6+ Kc8 Qe6+";
    let played = "Kb2 Nxa1 Rd1+ Kc8 Qf5+ Kb7 Qe4+ Kb8 Qf4+ Rc7 Rxa1 R8a4 Qxa4 Rxa4 Rxa4 Rxc5";
    for (score, is_told) in [(-697, false), (-900, true)] {
        let text = sentences(&study_of_fault(fen, best, played, Score::new(score)));
        assert!(text[0].ends_with("leads to perpetual check, beginning with 3.Qf6+."), "{text:?}");
        assert_eq!(text.iter().any(|it| it.starts_with("It loses a rook")), is_told, "{text:?}");
    }
    // That it can check for ever is shown first by a later check.
    let fen = "r1b2rk1/4bp2/ppn1p2Q/2p5/4N3/P7/1Pq3PP/R4RK1 w - - 1 25";
    let best = "Rf3 Qxe4 Rg3+ Qg6 Rxg6+ fxg6 Qxg6+ Kh8 Qh6+ Kg8";
    let study = study_of_fault(fen, best, "Rf4 Ne5 Re1 Bb7 Rf2 Qc4", Score::new(-912));
    let told = "It misses 25.Rf3, which leads to perpetual check, beginning with 27.Rxg6+.";
    assert_eq!(sentences(&study), [told]);
    // The checks begin later.
    let fen = "8/ppk5/8/1P4P1/2p2N2/1n2R1P1/3r4/1K6 b - - 1 47";
    let best = "Kb6 g6 Kxb5 Ne6 Kb4 g7 Rd1+ Kb2 Rd2+";
    let study = study_of_fault(fen, best, "a6 bxa6 bxa6 g6 Kc6 Ne6 Nc5 g7", Score::new(-220));
    let told = "It misses 47...Kb6, which leads to perpetual check, beginning with 50...Rd1+.";
    assert_eq!(sentences(&study)[0], told);
}

/// The queen falls at once, and the checks come long after.
#[test]
fn a_late_perpetual_check_hides_no_loss() {
    let fen = "4k1rB/p1p1n3/3b1Q2/1q5p/R3PP1P/1P4N1/3P1P2/5RK1 w - - 4 27";
    let best = "Bg7 a5 Rfa1 Qxb3 Rxa5 Kd7 Ra8 Rxa8 Rxa8";
    let played = "Qg5 Rxg5 hxg5 Bxf4 Bf6 Bxg3 fxg3 Qxb3 Raa1 Qxg3+ Kh1 Ng6 Rxa7 Qh3+ Kg1 Qg3+";
    let mut study = study_of_fault(fen, best, played, Score::ZERO);
    study.best.searched.score = Score::new(965);
    let text = sentences(&study);
    assert!(text[0].starts_with("It loses a queen"), "{text:?}");
    assert!(text[0].contains("27...Rxg5 takes the queen on g5"), "{text:?}");
}

/// What the best line wins is less than what the other one seems to lose.
#[test]
fn a_small_gain_hides_no_larger_loss() {
    let fen = "rn2k2r/p3p1bp/b2P2p1/2pP1p2/2p2B2/2q2N2/P3BPPP/RQ3RK1 w kq - 2 16";
    let best = "Qd1 Nd7 Qa4 Bb7 Bxc4 Qb4 Qxb4 cxb4 Rae1 Bf8 dxe7 Bxe7 d6";
    let played = "dxe7 Qxa1 Qxa1 Bxa1 Rxa1 c3 Bd1 Kxe7 Rc1 Nd7 Rxc3 h6 Ba4 g5 Re3+ Kf7 Bxd7";
    let mut study = study_of_fault(fen, best, played, Score::ZERO);
    study.best.searched.score = Score::new(295);
    let text = sentences(&study).join(" ");
    assert!(text.starts_with("It loses a rook for a bishop and a pawn"), "{text}");
}

#[test]
fn an_even_exchange_takes_nothing() {
    let fen = "2kr1r2/ppp4p/2pb2p1/7n/3PN2q/P2PB2P/1P2QPP1/2R2RK1 w - - 1 17";
    let best = "Bg5 Nf4 Qe3 Qh5 Nxd6+ cxd6 Bxf4 Qf5 Bh6 Rfe8 Qd2";
    let played = "Nxd6+ Rxd6 Rc4 Rd5 Rc5 Rfd8 Rxd5 Rxd5 Bh6 Nf4 Bxf4 Qxf4";
    let mut study = study_of_fault(fen, best, played, Score::new(60));
    study.best.searched.score = Score::new(570);
    let text = sentences(&study);
    assert!(text[0].starts_with("It misses 17.Bg5, which wins a bishop"), "{text:?}");
    // Nor does it lose.
    let fen = "rn1qkbnr/pp3ppb/4p2p/2ppPP2/3P2P1/2PB1N2/PP5P/RNBQK2R b KQkq - 0 9";
    let best = "exf5 gxf5 Qc8 dxc5 Bxf5 Na3 Be4 Nb5 Bxc5 Qa4";
    let played = "cxd4 fxe6 Bxd3 Qxd3 Ne7 exf7+ Kxf7 g5 dxc3 Nxc3";
    let mut study = study_of_fault(fen, best, played, Score::new(-164));
    study.best.searched.score = Score::new(-9);
    assert_eq!(sentences(&study), [""; 0]);
}

/// What both moves win is not missed; what is lost behind it counts.
#[test]
fn what_a_move_takes_is_told_beside_what_it_loses() {
    for (fen, best, played, told) in [
        (
            "r3kb1r/1pp1q1p1/p1npp2p/1Nn1N3/2B5/2P5/PP3PPP/R1BQR1K1 b - - 0 12",
            "Nxe5 Na3 Qf6 Be3 d5 Bd4 Ncd7",
            "axb5 Qh5+ Kd8 Nf7+ Kd7 Bxe6+ Nxe6 Nxh8 g5 Qg6 Ra4",
            ["takes a knight, but then loses a rook and a pawn for a bishop", ": 14.Nf7+ forks"],
        ),
        (
            "r4rk1/ppp3pp/3p1B2/4nn2/3p4/3P1N2/PPP2PPP/RN2R1K1 b - - 0 14",
            "Nxf3+ gxf3 Rxf6 Re4 Kf7 a4 a5 Nd2",
            "Rxf6 Nxe5 dxe5 Rxe5 Raf8 Nd2 Nh4 Ne4 Rg6 Ng3 Rgf6 Rf1 h6 Rb5",
            ["takes a bishop, but then loses a pawn", ": 16.Rxe5 takes the pawn on e5"],
        ),
        // Both moves take the rook; the best line wins a pawn more.
        (
            "1Q2n1kr/r4ppp/q7/bbB5/4p3/2P1P3/P3NPPP/RN2K2R w KQ - 8 21",
            "Qxa7 Bxe2 Qe7 h6 Qxe8+ Kh7 Qxe4+ Kg8 Bd4 Bh5 f3 Bc7 Nd2 Bd6",
            "Bxa7 Bc7 Qxb5 Qxb5 Bd4 h5 Nd2 h4 Nxe4 Rh6 h3 Rg6 a4 Qc6",
            ["takes a rook, but then loses a queen", " after 21...Bc7"],
        ),
    ] {
        let text = sentences(&study_of_fault(fen, best, played, Score::new(-300)));
        assert!(told.iter().all(|told| text[0].contains(told)), "{text:?}");
    }
}

#[test]
fn material_that_is_lost_late_is_not_told() {
    let fen = "2kr4/ppp2ppp/8/8/3B4/8/PPP2PPP/4R1K1 w - - 0 1";
    let played = "Bxa7 b6 g4 Rd4 h3 Rd2 Re7 Rxc2 Rxf7 g6 Rxh7 Rxb2 Rh6 Rxa2 Rxg6 Rxa7";
    let study = study_of_fault(fen, "Bxg7 Rd2 Rc1 Rd5 Bc3 b5 Re1 c5", played, Score::new(-300));
    assert_eq!(sentences(&study), [""; 0]);
    // A pawn that falls in the captures behind the eighth ply.
    let fen = "rnb3r1/pp2k2p/2pq4/4p3/4Ppp1/2N3P1/PPP1Q2P/R1B1K2R w KQ - 1 13";
    let best = "gxf4 exf4 Bd2 Qe5 Qf2 Rf8 Qh4+ Rf6 Qxh7+ Rf7 Qh6 Be6";
    let played = "Rf1 f3 Qf2 Nd7 Bd2 b6 O-O-O Qg6 Be3 Ba6 Rh1 Nf6";
    let study = study_of_fault(fen, best, played, Score::new(-180));
    assert_eq!(sentences(&study), ["It allows 13...f3, which attacks the queen on e2."]);
}

/// The lines are even after eight plies.
#[test]
fn what_falls_at_once_is_told_if_the_loss_is_as_large() {
    let fen = "r5k1/ppb2p2/2n2n1Q/2Pp1b2/8/1NP4P/PP2rPP1/2KR3R w - - 0 17";
    let best = "Qxf6 Bf4+ Nd2 Rxf2 Rhe1 Be4 Qh4 Ne5 Rxe4 dxe4 g3 Ng6 Qh5 Be3 Qd5 Rb8 Qxe4 Bxc5 Nc4";
    let played = "Qg5+ Bg6 Rd2 Re6 Qh4 Kg7 f3 Nh5 Nd4 Rf6 Nc2 Bf4 Re1 Na5 Ne3 Nc4";
    // A mate that no line shows costs no material.
    let [win, mate] = [Score::new(510), Score::mate_in(21)];
    for (best_score, score, is_told) in [(win, 125, true), (win, 400, false), (mate, 125, false)] {
        let mut study = study_of_fault(fen, best, played, Score::new(score));
        study.best.searched.score = best_score;
        let text = sentences(&study).join(" ");
        let told = "It misses 17.Qxf6, which wins a knight: \
                    the queen takes the knight on f6, and nothing can take back.";
        assert_eq!(text == told, is_told, "{text}");
    }
    let fen = "rn1qkb1r/pp2pppp/2p2n2/2P1N3/3P4/5Q2/PP3PPP/RNB1K2R w KQkq - 2 11";
    let best = "Qb3 Qxd4 Nxf7 Ne4 O-O Nxc5 Qf3 Rg8 Ng5 Qd5";
    let played = "Nxf7 Kxf7 Qb3+ e6 Qxb7+ Nbd7 O-O e5 Be3 Rb8";
    let mut study = study_of_fault(fen, best, played, Score::new(-59));
    study.best.searched.score = Score::new(156);
    let told = "It loses a knight for a pawn: 11...Kxf7 takes the knight on f7, and nothing can take back.";
    assert_eq!(sentences(&study), [told]);
}

/// Both lines take a pawn, or White's at once and Black's late.
#[test]
fn of_equal_gains_the_nearer_one_is_told() {
    let fen = "r2qk2r/pp3pp1/2p2n1p/1BbPp3/4P1P1/2PP4/PP5P/R1BQK2R w KQkq - 0 15";
    let best = "dxc6 O-O cxb7 Rb8 Bc4 Rxb7 b4 Be7 Qf3 a5";
    for (played, told) in [
        ("Bc4 cxd5 exd5 Qd7 a4 a6 Qe2 Qxg4 Qxg4 Nxg4", "It misses 15.dxc6, which wins a pawn"),
        ("a4 Nxg4 Bc4 Nf6 Qe2 cxd5 exd5 O-O", "It loses a pawn: 15...Nxg4"),
    ] {
        let mut study = study_of_fault(fen, best, played, Score::new(-50));
        study.best.searched.score = Score::new(190);
        let text = sentences(&study);
        assert!(text[0].starts_with(told), "{text:?}");
    }
}

/// What the ends of the lines show is little to club players.
#[test]
fn a_feature_beside_another_reason_is_told_to_experts() {
    let fen = "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/3P1N2/PPP2PPP/RNBQK2R b KQkq - 0 5";
    let best = "d6 O-O Be7 h3 b5 Bb3 Na5 Bd2 Nxb3 axb3 O-O Nc3 Bb7 Bg5 Qd7 Bxf6 Bxf6";
    let played = "Be7 Bxc6 bxc6 Nxe5 Bb7 O-O a5 Be3 d6 Ng4 c5 Nd2 Nd7 f4 O-O";
    let club = study_of_fault(fen, best, played, Score::new(-70));
    let expert = Study { level: PlayerLevel::Expert, ..club.clone() };
    for (study, is_told) in [(club, false), (expert, true)] {
        let text = sentences(&study);
        assert!(text[0].starts_with("It loses a pawn after 6.Bxc6: "), "{text:?}");
        assert_eq!(text.join(" ").contains("pawn on a5 is isolated"), is_told, "{text:?}");
    }
}

/// At the end of the line White attacks two knights.
#[test]
fn what_is_won_back_behind_a_line_is_not_lost() {
    let fen = "r3kb1r/ppp1q1p1/2npp2p/2n1p3/2B5/N1P2N2/PP3PPP/R1BQR1K1 w kq - 2 11";
    let (best, played) = ("Bb5 a6 Bxc6+ bxc6 Nc4 Qf6 Be3 Nb7", "Nb5 a6 Nbd4 Na5 Bf1 exd4 b4");
    for (score, is_lost) in [(158, false), (-100, true)] {
        let mut study = study_of_fault(fen, best, played, Score::new(score));
        study.best.searched.score = Score::new(301);
        let text = sentences(&study).join(" ");
        assert_eq!(text.contains("It loses a knight after 11...a6: "), is_lost, "{text}");
    }
}

#[test]
fn the_reply_that_wins_material_is_named() {
    let fen = "r3k2r/pp1q1ppp/8/3pb3/8/2N5/PP3PPP/R2QK2R w KQkq - 0 14";
    let played = "Qxd5 Bxc3+ bxc3 Qxd5 O-O O-O-O";
    let study = study_of_fault(fen, "O-O O-O-O Qf3 Kb8", played, Score::new(-600));
    let expected = "It loses a queen for a pawn after 14...Bxc3+: \
                    15...Qxd5 takes the queen on d5, and nothing can take back.";
    assert_eq!(sentences(&study)[0], expected);
}

/// A queen for a queen is no part of the balance.
#[test]
fn what_falls_first_and_is_won_back_is_told_beside_the_balance() {
    let fen = "r5k1/5ppp/b7/3q4/6Q1/8/5PPP/3R2K1 b - - 0 1";
    let played = "h6 Rxd5 Bc8 h3 Bxg4 hxg4";
    let study = study_of_fault(fen, "Qc6 Qg3 Re8 h3", played, Score::new(-484));
    let text = sentences(&study);
    let told = "It loses a bishop on balance: 2.Rxd5 takes the queen on d5";
    assert!(text[0].starts_with(told), "{text:?}");
    assert!(text[0].contains("; 4.hxg4 takes the bishop on g4"), "{text:?}");
}

#[test]
fn the_piece_that_falls_after_a_lure_is_named() {
    let fen = "r5r1/1p1k1p2/p3b2q/3Bb3/8/P2Q3P/1P3PP1/R4RK1 b - - 0 25";
    let played = "Qxh3 Bxe6+ Kxe6 Qxh3+ Kf6 Qf3+ Kg6";
    let study = study_of_fault(fen, "Ke7 Bxe6 fxe6 Qb3", played, Score::new(-600));
    let told = ": 26.Bxe6+ lures the king to e6; 27.Qxh3+ takes the queen on h3";
    let text = sentences(&study);
    assert!(text[0].contains(told), "{text:?}");
}

/// A lure only prepares the fork, and after a promotion the piece that falls is named.
#[test]
fn the_fork_after_a_lure_and_the_capture_after_a_promotion_are_named() {
    for (fen, best, played, score, told) in [
        (
            "rn1qkb1r/1Rp2ppp/5n2/4N3/2P5/p1B3P1/P2PPP1P/1Q3RK1 b - - 2 14",
            "Bd6 Qb5+ Kf8 Rb1 Bxe5 Bxe5 Na6 Qa5 Qe7",
            "Ke7 Rxb8 Rxb8 Nc6+ Ke8 Nxb8 Bd6 Bxf6 gxf6 Nc6 Qc8 d4 h5",
            -449,
            "It loses a knight: 15.Rxb8 lures the rook to b8; 16.Nc6+ forks the king on e7, the rook",
        ),
        (
            "r7/NpP1kpp1/8/1R1bP3/P2p4/7r/3K2p1/6R1 b - - 2 42",
            "Rh1 c8=Q Rxc8 Nxc8+ Ke6 Rbb1 Kxe5 Ke2 Be4 Rbe1 d3+ Kf2 f5",
            "Rc3 c8=Q Raxc8 Nxc8+ Ke6 Nd6 Ra3 Nxf7 Bc4 Ng5+ Kf5 Rb4 Ra2+",
            -416,
            "43.c8=Q promotes; 44.Nxc8+ takes the rook on c8",
        ),
    ] {
        let text = sentences(&study_of_fault(fen, best, played, Score::new(score)));
        assert!(text[0].contains(told), "{text:?}");
    }
}

/// Why no term is named says nothing about chess.
#[test]
fn a_player_is_told_only_that_no_reason_is_certain() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let study = study_of_fault(fen, "e4 Ke7", "Kd2 Ke7", Score::new(-300));
    let reasons = reasons(&study);
    assert!(reasons.claims.is_empty() && reasons.silence.is_some());
    let plain = words::plain_explanation(&study, &reasons);
    assert_eq!(plain, ["Lovec sees no simple reason; compare the two lines."]);
    assert!(words::explanation(&study, &reasons)[0].contains("the ends of these lines"));
}

#[test]
fn the_answer_to_taking_back_is_told() {
    let fen = "r1b1kb1r/pp1n1ppp/2p1p3/q2p2B1/2PPn3/2NBPN2/PP3PPP/R2QK2R w KQkq - 4 8";
    let played = "Qc2 Nxg5 Nd2 Bb4 h4 Ne4 Bxe4 dxe4 Ndxe4";
    let study = study_of_fault(fen, "Bxe4 dxe4 Ne5", played, Score::new(-220));
    let told = ": 8...Nxg5 takes the bishop on g5; 9.Nxg5 is answered by 9...dxc4";
    let text = sentences(&study);
    assert!(text[0].contains(told), "{text:?}");
}

#[test]
fn the_move_that_draws_a_defender_away_is_named() {
    let fen = "8/R5p1/5k1p/8/7K/1r5P/6P1/8 w - - 0 38";
    let study = study_of_fault(fen, "Kg4", "g4 g5+ Kh5 Rxh3#", Score::mated_in(4));
    let detail = ": 38...g5+ draws the king from the defence of h3, so that 39...Rxh3# works.";
    let text = sentences(&study);
    assert!(text[0].ends_with(detail), "{text:?}");
}

/// The search after a pass finds it.
#[test]
fn a_threat_is_told_with_the_move_that_meets_it() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq - 5 4";
    let mut study = study_of_fault(fen, "d5 exd5 Na5", "h6 Nxf7 Qe7 Nxh8", Score::new(-145));
    study.is_played = false;
    let mut examiner = Examiner::new(1, Tables::default(), Arc::default()).unwrap();
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    study.threat = threat::find(&mut examiner, &study, &limits);
    let text = sentences(&study).join(" ");
    assert!(text.starts_with("White threatens 5.Nxf7, which wins "), "{text}");
}
