//! Laws of explanations.

use std::sync::{Arc, LazyLock};

use lovec::chess::notation::{san, uci};
use lovec::chess::{Move, Position};
use lovec::insight::claim::Fact;
use lovec::insight::mark::PlayerLevel;
use lovec::insight::reasons::reasons;
use lovec::insight::study::{StudiedLine, Study};
use lovec::insight::threat::{self, Threat};
use lovec::insight::{Examiner, Line, SearchedLine, words};
use lovec::search::{Limits, Tables};
use lovec::suite::bench::POSITIONS;
use serde_json::Value;

use crate::positions::{flipped, position};

const NODES: u64 = 1_500;

fn examiner() -> Examiner {
    Examiner::new(1, Tables::default(), Arc::default()).unwrap()
}

fn study(examiner: &mut Examiner, position: &Position, played: Option<Move>) -> Study {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let level = PlayerLevel::Club;
    Study::new(examiner, position, played, &limits, level)
}

/// The studies of the best move and of two others of each position of the benchmark.
static STUDIES: LazyLock<Vec<Study>> = LazyLock::new(|| {
    let mut examiner = examiner();
    let mut studies = Vec::new();
    for fen in POSITIONS {
        let position = position(fen);
        let moves = position.legal_moves();
        if moves.is_empty() {
            continue;
        }
        let others = [moves.len() / 3, 2 * moves.len() / 3].map(|index| Some(moves[index]));
        for played in [None].into_iter().chain(others) {
            studies.push(study(&mut examiner, &position, played));
        }
    }
    studies
});

#[test]
fn terms_and_residual_add_up_to_the_score() {
    let mut explained = 0;
    for studied in STUDIES.iter().flat_map(|study| [Some(&study.best), study.other.as_ref()]) {
        let Some(studied) = studied else { continue };
        let Some(breakdown) = &studied.breakdown else {
            assert!(studied.searched.score.is_decisive() || studied.line.end().is_checkmate());
            continue;
        };
        let sum: i32 = breakdown.terms.iter().map(|term| term.value).sum();
        assert_eq!(sum, breakdown.static_score);
        assert_eq!(sum + breakdown.residual, breakdown.score);
        assert_eq!(breakdown.score, studied.searched.score.cp());
        explained += 1;
    }
    assert!(explained > 200, "{explained}");
}

#[test]
fn the_best_move_has_no_fault_and_is_as_good_as_itself() {
    let mut examiner = examiner();
    for fen in POSITIONS {
        let position = position(fen);
        let Some(best) = study(&mut examiner, &position, None).best.first() else { continue };
        let study = study(&mut examiner, &position, Some(best));
        assert_eq!(study.fault(), None, "{fen}");
        assert!(study.played().is_none() && study.loss() == 0.0, "{fen}");
    }
}

#[test]
fn a_study_depends_on_nothing_studied_before() {
    let position = position(POSITIONS[12]);
    let text = |examiner: &mut Examiner| {
        sentences(&study(examiner, &position, Some(position.legal_moves()[0])))
    };
    let mut used = examiner();
    let first = text(&mut used);
    study(&mut used, &Position::startpos(), None);
    assert_eq!(first, text(&mut used));
}

#[test]
fn colours_exchanged_give_the_same_reasons_exchanged() {
    let claims: usize = STUDIES.iter().map(assert_colours_do_not_matter).sum();
    assert!(claims > 50, "{claims}");
}

/// Fails unless the same lines with the colours exchanged give the same reasons. Returns the number
/// of claims.
fn assert_colours_do_not_matter(study: &Study) -> usize {
    let (left, right) = (reasons(study), reasons(&flipped_study(study)));
    let mut expected = serde_json::to_value(&left.claims).unwrap();
    flip_claims(&mut expected);
    let mut found = serde_json::to_value(&right.claims).unwrap();
    for value in [&mut expected, &mut found] {
        sort_targets(value);
    }
    assert_eq!(expected, found, "{}", study.position.fen());
    assert_eq!(left.silence, right.silence);
    left.claims.len()
}

/// The study of the same lines.
fn flipped_study(study: &Study) -> Study {
    let position = flipped(&study.position);
    let studied = |studied: &StudiedLine| {
        let moves = flipped_moves(&position, &studied.searched.moves);
        StudiedLine::new(&position, SearchedLine { moves, ..studied.searched.clone() })
    };
    let threat = study.threat.as_ref().map(|threat| {
        let passed = threat::passed(&position).unwrap();
        let moves = flipped_moves(&passed, threat.line.moves());
        Threat { line: Line::new(&passed, &moves), ..threat.clone() }
    });
    Study {
        best: studied(&study.best),
        other: study.other.as_ref().map(studied),
        threat,
        position: position.clone(),
        ..study.clone()
    }
}

fn flipped_moves(position: &Position, moves: &[Move]) -> Vec<Move> {
    let mut position = position.clone();
    let mut images = Vec::new();
    for &m in moves {
        let text: String = uci::format_move(m, true).chars().map(flipped_rank).collect();
        let moves = position.legal_moves();
        let m = moves.iter().copied().find(|&m| uci::format_move(m, true) == text).unwrap();
        position.make(m);
        images.push(m);
    }
    images
}

/// Exchanges the colours in claims.
fn flip_claims(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(flip_claims),
        Value::Object(fields) => fields.values_mut().for_each(flip_claims),
        Value::String(text) => {
            let is_square = text.len() == 2 && text.ends_with(|c: char| c.is_ascii_digit());
            *text = match text.as_str() {
                "white" => "black".to_owned(),
                "black" => "white".to_owned(),
                square if is_square => square.chars().map(flipped_rank).collect(),
                _ => return,
            };
        }
        _ => {}
    }
}

fn flipped_rank(c: char) -> char {
    match c {
        '1'..='8' => char::from(b'1' + b'8' - c as u8),
        c => c,
    }
}

/// Sorts lists of squares.
fn sort_targets(claims: &mut Value) {
    for claim in claims.as_array_mut().unwrap() {
        for squares in ["targets", "squares"] {
            if let Some(squares) = claim.get_mut(squares).and_then(Value::as_array_mut) {
                squares.sort_by_key(ToString::to_string);
            }
        }
    }
}

#[test]
fn a_lost_knight_is_told_with_its_capture() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let position = position(fen);
    let played = san::parse(&position, "Nxe5").unwrap();
    let study = study(&mut examiner(), &position, Some(played));
    let text = sentences(&study);
    assert!(text[0].starts_with("It loses a knight"), "{text:?}");
    let end = ": 4...Nxe5 takes the knight on e5, and nothing can take back.";
    assert!(text[0].ends_with(end), "{text:?}");
}

#[test]
fn a_missed_mate_and_an_allowed_one_are_told() {
    let scholar = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    let before = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    let [position, before] = [scholar, before].map(position);
    let quiet = san::parse(&position, "d3").unwrap();
    let missed = study(&mut examiner(), &position, Some(quiet));
    assert_eq!(sentences(&missed)[0], "It misses mate in 1, 4.Qxf7#.");
    let allows = san::parse(&before, "Nf6").unwrap();
    let allowed = study(&mut examiner(), &before, Some(allows));
    assert_eq!(sentences(&allowed)[0], "It allows mate in 1, 4.Qxf7#.");
}

#[test]
fn a_recapture_wins_back() {
    let mut position = position("4k3/pp6/8/8/3p4/4P3/PP3P2/3RK3 b - - 0 1");
    let taken = san::parse(&position, "dxe3").unwrap();
    position.make(taken);
    let takes_back = san::parse(&position, "fxe3").unwrap();
    let study = study(&mut examiner(), &position, Some(takes_back));
    let expected = "It wins back a pawn: 2.fxe3 takes the pawn on e3, and nothing can take back.";
    assert_eq!(sentences(&study)[0], expected);
}

#[test]
fn a_reason_is_told_once() {
    for study in STUDIES.iter() {
        let mut text = sentences(study);
        let count = text.len();
        text.sort_unstable();
        text.dedup();
        assert_eq!(text.len(), count, "{}: {text:?}", study.position.fen());
    }
}

pub fn sentences(study: &Study) -> Vec<String> {
    words::sentences(study, &reasons(study))
}

/// The ends of the lines say little to club players.
#[test]
fn groups_of_terms_are_no_reason_for_club_players() {
    let names_groups = |study: &Study| {
        reasons(study).claims.iter().any(|claim| matches!(claim.fact, Fact::Terms { .. }))
    };
    let mut to_experts = 0;
    for study in STUDIES.iter() {
        assert!(!names_groups(study), "{}", study.position.fen());
        let expert = Study { level: PlayerLevel::Expert, ..study.clone() };
        to_experts += usize::from(names_groups(&expert));
    }
    assert!(to_experts > 0);
}

/// The end of a game and the middle of it have other terms.
#[test]
fn short_best_lines_are_not_compared() {
    for study in STUDIES.iter().filter(|study| study.best.line.moves().len() < 4) {
        let compares = |fact: &Fact| matches!(fact, Fact::Terms { .. } | Fact::Feature(_));
        let claims = reasons(study).claims;
        assert!(!claims.iter().any(|claim| compares(&claim.fact)), "{}", study.position.fen());
    }
}
