use std::collections::BTreeMap;
use std::path::PathBuf;

use super::*;
use crate::chess::Position;
use crate::chess::notation::san;
use crate::util::checksum::crc32;

/// A position, the move that allows the motif and the moves that show it; from the puzzle
/// database of lichess.org (CC0).
struct Example {
    kind: MotifKind,
    fen: &'static str,
    moves: &'static str,
    by: &'static str,
    targets: &'static [&'static str],
}

fn line(fen: &str, moves: &str) -> Line {
    let mut position = Position::from_fen(fen).unwrap();
    let start = *position.state();
    san::play(&mut position, moves.split_ascii_whitespace()).unwrap();
    Line::new(&start, &position.start_and_moves().1).suffix(1)
}

const EXAMPLES: [Example; 13] = [
    Example {
        kind: MotifKind::Fork,
        fen: "8/8/q7/P7/1K6/1N6/4k3/8 b - - 0 58",
        moves: "e2d3 b3c5 d3d4 c5a6",
        by: "c5",
        targets: &["d3", "a6"],
    },
    Example {
        kind: MotifKind::Pin,
        fen: "8/1p4k1/p1q2p2/2b5/7p/6rP/PP1BQ1P1/R3R2K w - - 1 34",
        moves: "d2c3 g3h3",
        by: "c6",
        targets: &["g2"],
    },
    Example {
        kind: MotifKind::Skewer,
        fen: "6k1/R7/5K2/1r6/5r2/p4N2/8/5R2 w - - 3 50",
        moves: "f6e7 f4f7 e7d6 f7a7",
        by: "f7",
        targets: &["e7", "a7"],
    },
    Example {
        kind: MotifKind::DiscoveredAttack,
        fen: "8/8/8/1p6/4k3/2p4P/rP2RK2/8 b - - 1 49",
        moves: "e4d4 b2c3 d4c3 e2a2",
        by: "e2",
        targets: &["a2"],
    },
    Example {
        kind: MotifKind::DiscoveredCheck,
        fen: "3QN1k1/1p3pb1/2r1p1p1/3pP3/3P3p/1B5P/PP3KP1/2r2n2 b - - 5 31",
        moves: "c6c8 e8f6",
        by: "d8",
        targets: &["g8"],
    },
    Example {
        kind: MotifKind::DoubleCheck,
        fen: "3QN1k1/1p3pb1/2r1p1p1/3pP3/3P3p/1B5P/PP3KP1/2r2n2 b - - 5 31",
        moves: "c6c8 e8f6",
        by: "f6",
        targets: &["g8"],
    },
    Example {
        kind: MotifKind::TrappedPiece,
        fen: "8/3N2p1/7p/3p4/p1p4P/2P3K1/Bk4P1/8 w - - 0 41",
        moves: "d7c5 a4a3 g3f4 b2a2",
        by: "b2",
        targets: &["a2"],
    },
    Example {
        kind: MotifKind::Deflection,
        fen: "8/R5p1/5k1p/8/7K/1r5P/6P1/8 w - - 0 38",
        moves: "g2g4 g7g5 h4h5 b3h3",
        by: "h3",
        targets: &["h5"],
    },
    Example {
        kind: MotifKind::Attraction,
        fen: "4r3/K1B4R/2kP2p1/P7/8/r5P1/7P/8 w - - 3 41",
        moves: "a5a6 a3a6 a7a6 e8a8",
        by: "a8",
        targets: &["a6"],
    },
    Example {
        kind: MotifKind::XRay,
        fen: "6k1/5qp1/2R4p/1pQ1B3/4pP2/8/4rPPP/r1R3K1 w - - 1 32",
        moves: "c6c7 e2e1 c1e1 a1e1",
        by: "e1",
        targets: &["c1"],
    },
    Example {
        kind: MotifKind::BackRankMate,
        fen: "1R6/R6p/8/2pB4/3b4/2k5/Pr1r2PP/7K w - - 3 34",
        moves: "b8b2 d2d1",
        by: "d1",
        targets: &["h1"],
    },
    Example {
        kind: MotifKind::SmotheredMate,
        fen: "5r2/pp2p1kp/3p2p1/3P4/4P3/P1N4n/1P4PP/2Q2RqK w - - 4 24",
        moves: "f1g1 h3f2",
        by: "f2",
        targets: &["h1"],
    },
    Example {
        kind: MotifKind::Promotion,
        fen: "4r3/2k3P1/2p5/R7/8/6P1/1p1rB3/4RK2 w - - 2 34",
        moves: "a5a2 d2e2 e1e2 b2b1q",
        by: "b1",
        targets: &[],
    },
];

/// Lines in which the kind is often seen by mistake.
const COUNTEREXAMPLES: [(MotifKind, &str, &str); 5] = [
    // The forking piece is undefended and attacked.
    (MotifKind::Fork, "r3k3/8/8/1N6/8/8/8/4K3 b - - 0 1", "e8d8 b5c7 d8c7"),
    // The pinned bishop is defended, and forbidden nothing.
    (MotifKind::Pin, "4k3/3p4/2b5/8/8/8/8/3BK3 b - - 0 1", "d7d6 d1a4"),
    // The rook behind the king is defended by it.
    (MotifKind::Skewer, "8/r2k4/8/6R1/8/8/8/6K1 b - - 0 1", "d7c7 g5g7 c7b6 g7a7"),
    // The king can step forward.
    (MotifKind::BackRankMate, "6k1/5p1p/8/8/8/8/8/4R1K1 b - - 0 1", "h7h6 e1e8"),
    // The king has a free square.
    (MotifKind::SmotheredMate, "6rk/6p1/8/4N3/8/8/8/6K1 b - - 0 1", "g7g6 e5f7"),
];

#[test]
fn each_motif_is_found_with_its_squares() {
    assert_eq!(EXAMPLES.map(|example| example.kind), FINDERS.map(|(kind, _)| kind));
    for Example { kind, fen, moves, by, targets } in EXAMPLES {
        let motifs = motifs(&line(fen, moves));
        let motif = motifs.iter().find(|motif| motif.kind == kind);
        let motif = motif.unwrap_or_else(|| panic!("{kind:?} in {fen}: {motifs:?}"));
        assert_eq!(motif.by.to_string(), by, "{kind:?}");
        let squares: Vec<String> = motif.targets.iter().map(ToString::to_string).collect();
        assert_eq!(squares, targets, "{kind:?}");
    }
}

#[test]
fn what_only_looks_like_a_motif_is_none() {
    for (kind, fen, moves) in COUNTEREXAMPLES {
        let motifs = motifs(&line(fen, moves));
        assert!(motifs.iter().all(|motif| motif.kind != kind), "{kind:?} in {fen}: {motifs:?}");
    }
}

/// The first motif of a kind in a line.
fn first_of(kind: MotifKind, fen: &str, moves: &str) -> Option<Motif> {
    motifs(&line(fen, moves)).into_iter().find(|motif| motif.kind == kind)
}

/// It may run, but not if another piece falls where it stood.
#[test]
fn a_forked_piece_falls_wherever_it_went() {
    let fen = "r1bq1rk1/pp1pbpp1/2n1pn1p/2p3B1/2B1P3/2NP1N1P/PPP2PP1/R2Q1RK1 w - - 0 9";
    let fork = |moves| first_of(MotifKind::Fork, fen, moves);
    let found = fork("Be3 d5 Bb5 d4 Bxh6 gxh6").unwrap();
    let targets: Vec<String> = found.targets.iter().map(ToString::to_string).collect();
    assert_eq!((found.ply, targets), (2, ["c3", "e3"].map(String::from).to_vec()));
    // The bishop on b5 is no target, and the pawn goes where one stood.
    assert_eq!(fork("Be3 d5 Bb5 d4 Bd2 a6 Ne2 axb5"), None);
    assert_eq!(fork("Be3 d5 Bb5 d4 Ne2 a6 c3 dxc3"), None);
}

#[test]
fn an_uncovered_piece_falls_after_checks() {
    let fen = "r1b1kbnr/pp3ppp/1q2p3/3pP3/3N4/3B4/PP3PPP/RNBQK2R b KQkq - 0 8";
    let found = |moves| first_of(MotifKind::DiscoveredAttack, fen, moves);
    let motif = found("Qxd4 Bb5+ Bd7 Bxd7+ Kxd7 Qxd4").unwrap();
    let squares = [motif.by, motif.targets[0]].map(|square| square.to_string());
    assert_eq!((motif.ply, squares), (0, ["d1", "d4"].map(String::from)));
    // The queen had a move to leave.
    assert_eq!(found("Qxd4 Bb5+ Bd7 Nc3 a6 Qxd4"), None);
}

/// The pawn has trapped the bishop long before.
#[test]
fn an_attack_does_not_trap_what_is_trapped() {
    let moves = "Bxa7 b6 g4 Rd4 h3 Rd2 Re7 Rxc2 Rxf7 g6 Rxh7 Rxb2 Rh6 Rxa2 Rxg6 Rxa7";
    let motifs = motifs(&line("2kr4/ppp2ppp/8/8/3B4/8/PPP2PPP/4R1K1 w - - 0 1", moves));
    assert!(motifs.iter().all(|motif| motif.kind != MotifKind::TrappedPiece), "{motifs:?}");
}

/// The themes of the puzzle database that name a kind. Most discovered checks have the theme
/// of discovered attacks.
fn themes(kind: MotifKind) -> &'static [&'static str] {
    match kind {
        MotifKind::Fork => &["fork"],
        MotifKind::Pin => &["pin"],
        MotifKind::Skewer => &["skewer"],
        MotifKind::DiscoveredAttack | MotifKind::DiscoveredCheck => {
            &["discoveredAttack", "discoveredCheck"]
        }
        MotifKind::DoubleCheck => &["doubleCheck"],
        MotifKind::TrappedPiece => &["trappedPiece"],
        MotifKind::Deflection => &["deflection"],
        MotifKind::Attraction => &["attraction"],
        MotifKind::XRay => &["xRayAttack"],
        MotifKind::BackRankMate => &["backRankMate"],
        MotifKind::SmotheredMate => &["smotheredMate"],
        MotifKind::Promotion => &["promotion"],
    }
}

/// Of the puzzles with an even and an odd CRC-32 of the id: how often the rule and the theme
/// agree, the rule alone speaks, the theme alone.
#[derive(Clone, Copy, Default)]
struct Agreement {
    both: u32,
    rule: u32,
    theme: u32,
}

impl Agreement {
    fn precision(self) -> f64 {
        f64::from(self.both) / f64::from((self.both + self.rule).max(1))
    }

    fn recall(self) -> f64 {
        f64::from(self.both) / f64::from((self.both + self.theme).max(1))
    }
}

/// Prints how often the motifs agree with the themes of a file in the form of the puzzle
/// database, `id,fen,moves,rating,themes`, which `LOVEC_PUZZLES` names. The rules were written
/// for the even half and are measured on the odd one. A puzzle whose themes do not even name
/// its result is unlabelled.
#[test]
#[ignore = "needs a file of puzzles"]
fn motifs_agree_with_labelled_puzzles() {
    let path = PathBuf::from(std::env::var_os("LOVEC_PUZZLES").expect("LOVEC_PUZZLES is not set"));
    let text = std::fs::read_to_string(path).unwrap();
    let mut table: BTreeMap<MotifKind, [Agreement; 2]> = BTreeMap::new();
    let mut disagreements = Vec::new();
    for row in text.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [id, fen, moves, _, labels] = fields[..] else { panic!("{row}") };
        let labels: Vec<&str> = labels.split(' ').collect();
        let has_any = |themes: &[&str]| themes.iter().any(|theme| labels.contains(theme));
        if !has_any(&["mate", "crushing", "advantage", "equality"]) {
            continue;
        }
        let half = crc32(id.as_bytes()) as usize % 2;
        let found = motifs(&line(fen, moves));
        for (kind, _) in FINDERS {
            let agreement = &mut table.entry(kind).or_default()[half];
            match (found.iter().any(|motif| motif.kind == kind), has_any(themes(kind))) {
                (true, true) => agreement.both += 1,
                (true, false) => {
                    agreement.rule += 1;
                    disagreements.push(format!("{kind:?} not in {id}: {fen} moves {moves}"));
                }
                (false, true) => agreement.theme += 1,
                (false, false) => {}
            }
        }
    }
    println!("{}", disagreements.join("\n"));
    println!("motif, both, rule alone, theme alone, precision, recall; even half, odd half");
    for (kind, halves) in table {
        let columns = halves.map(|agreement| {
            let Agreement { both, rule, theme } = agreement;
            let (precision, recall) = (100.0 * agreement.precision(), 100.0 * agreement.recall());
            format!("{both:4} {rule:3} {theme:3} {precision:6.1} {recall:6.1}")
        });
        println!("{:18} {}", format!("{kind:?}"), columns.join("   "));
    }
}
