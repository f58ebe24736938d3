//! Laws of what is told where the lines are even.

use lovec::eval::Score;

use crate::insight::sentences;
use crate::insight_lines::study_of_fault;

/// What is told of a fault, by the scores of the best move and of the move.
fn told(fen: &str, [best, played]: [&str; 2], scores: [i32; 2]) -> String {
    let mut study = study_of_fault(fen, best, played, Score::new(scores[1]));
    study.best.searched.score = Score::new(scores[0]);
    sentences(&study).join(" ")
}

/// The best line wins as much, and keeps it.
#[test]
fn a_piece_for_a_piece_behind_a_capture_is_told() {
    for (fen, lines, scores, expected) in [
        (
            "r1b1k1nr/p1p1q1pp/2pb4/3pN3/8/1P2P3/PBPP2PP/RN1QK2R b KQkq - 0 9",
            [
                "Qg5 Nf3 Qxg2 Rg1 Qh3 Rf1 Nf6 Bxf6 gxf6",
                "Bxe5 Qh5+ Kd8 Qxe5 Qxe5 Bxe5 Ne7 O-O Rg8 Bd4 Nf5 Nc3 Nxd4 exd4 Rb8",
            ],
            [67, -220],
            "It takes a knight, but then loses a bishop after 10.Qh5+: 11.Qxe5",
        ),
        (
            "r5k1/pp1q1ppp/3Nr3/n2Qp3/8/8/PPPP1PPP/R1B1R1K1 b - - 2 15",
            [
                "Nc6 Qe4 Rxd6 c3 a5 Qe2 Rd8 b3 Rg6 Qf3",
                "Qxd6 Qxa5 b6 Qc3 Rd8 d3 h6 Qa3 Qd7 Bd2 a5 Bc3 f6",
            ],
            [-4, -449],
            "It takes a knight, but then loses a knight: 16.Qxa5 takes the knight on a5",
        ),
    ] {
        let text = told(fen, lines, scores);
        assert!(text.starts_with(expected), "{text}");
    }
    // An exchange on one square is even.
    let fen = "6k1/5ppp/3p4/4n3/3P4/5N2/5PPP/6K1 w - - 0 1";
    let text = told(fen, ["dxe5 dxe5 Nxe5 f6", "Nxe5 dxe5 dxe5 Kf8"], [300, 100]);
    assert!(!text.contains("but then"), "{text}");
}

#[test]
fn what_falls_soon_is_told_although_the_lines_are_even_later() {
    let fen = "rnb1k2r/ppppqNpp/8/2b5/2B1n3/8/PPPP1PPP/RNBQK2R w KQkq - 1 6";
    let lines = [
        "O-O Bxf2+ Rxf2 Nxf2 Kxf2 O-O d4 Rxf7+ Qf3",
        "Nxh8 Nc3+ Be2 Nxd1 Kxd1 g6 Re1 Bxf2 Rf1 Qh4 c3 Nc6 d4 Nxd4 cxd4 Qxd4+ Kc2",
    ];
    let expected = "It loses a queen for a rook and a knight: 6...Nc3+ ";
    let text = told(fen, lines, [60, -372]);
    assert!(text.starts_with(expected), "{text}");
    // Of an inaccuracy it is not told.
    assert_eq!(told(fen, lines, [60, -40]), "");
}
