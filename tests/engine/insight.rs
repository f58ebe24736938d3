//! Laws of explanations.

use std::sync::Arc;

use lovec::chess::notation::uci;
use lovec::chess::{Move, Position};
use lovec::insight::mark::Thresholds;
use lovec::insight::reasons::{Reasons, reasons};
use lovec::insight::study::{StudiedLine, Study, StudyRequest};
use lovec::insight::{Examiner, ExaminerStop, SearchedLine, words};
use lovec::search::{Limits, Tables};
use lovec::suite::bench::POSITIONS;
use serde_json::Value;

use crate::positions::flipped;

const NODES: u64 = 1_500;

fn examiner() -> Examiner {
    Examiner::new(1, Tables::default(), ExaminerStop::Job(Arc::default())).unwrap()
}

fn study(examiner: &mut Examiner, position: &Position, played: Option<Move>) -> Study {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let thresholds = Thresholds::default();
    Study::new(examiner, position, &StudyRequest { played, limits, thresholds, threat: true })
}

/// The studies of the best move and of two others of each position of the benchmark.
fn studies(mut visit: impl FnMut(&Study)) {
    let mut examiner = examiner();
    for fen in POSITIONS {
        let position = Position::from_fen(fen).unwrap();
        let moves = position.legal_moves();
        if moves.is_empty() {
            continue;
        }
        let others = [moves.len() / 3, 2 * moves.len() / 3].map(|index| Some(moves[index]));
        for played in [None].into_iter().chain(others) {
            visit(&study(&mut examiner, &position, played));
        }
    }
}

fn reasons_of(study: &Study) -> Reasons {
    reasons(study, &Thresholds::default())
}

#[test]
fn terms_and_residual_add_up_to_the_score() {
    let mut explained = 0;
    studies(|study| {
        for studied in [Some(&study.best), study.other.as_ref()].into_iter().flatten() {
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
    });
    assert!(explained > 200, "{explained}");
}

#[test]
fn the_best_move_has_no_fault_and_is_as_good_as_itself() {
    let mut examiner = examiner();
    for fen in POSITIONS {
        let position = Position::from_fen(fen).unwrap();
        let Some(best) = study(&mut examiner, &position, None).best.first() else { continue };
        let study = study(&mut examiner, &position, Some(best));
        assert_eq!(study.fault(&Thresholds::default()), None, "{fen}");
        assert!(study.played().is_none() && study.loss() == 0.0, "{fen}");
    }
}

#[test]
fn a_study_depends_on_nothing_studied_before() {
    let position = Position::from_fen(POSITIONS[12]).unwrap();
    let text = |examiner: &mut Examiner| {
        let study = study(examiner, &position, Some(position.legal_moves()[0]));
        words::sentences(&study, &reasons_of(&study))
    };
    let mut used = examiner();
    studies(|_| {});
    let first = text(&mut used);
    study(&mut used, &Position::startpos(), None);
    assert_eq!(first, text(&mut used));
    assert_eq!(first, text(&mut examiner()));
}

#[test]
fn colours_exchanged_give_the_same_reasons_exchanged() {
    let mut claims = 0;
    studies(|study| {
        let other = flipped_study(study);
        let (left, right) = (reasons_of(study), reasons_of(&other));
        let mut expected = serde_json::to_value(&left.claims).unwrap();
        flip(&mut expected);
        let mut found = serde_json::to_value(&right.claims).unwrap();
        for value in [&mut expected, &mut found] {
            sort_targets(value);
        }
        assert_eq!(expected, found, "{}", study.position.fen());
        assert_eq!(left.silence, right.silence);
        claims += left.claims.len();
    });
    assert!(claims > 50, "{claims}");
}

/// The study of the same lines with the colours exchanged, without the threat.
fn flipped_study(study: &Study) -> Study {
    let position = flipped(&study.position);
    let studied = |studied: &StudiedLine| {
        let moves = flipped_moves(&position, &studied.searched.moves);
        StudiedLine::new(&position, SearchedLine { moves, ..studied.searched.clone() })
    };
    let threat = study.threat.as_ref().map(|threat| {
        let mut passed = position.clone();
        passed.make_null();
        let line = flipped_moves(&passed, threat.line.moves());
        lovec::insight::threat::Threat {
            line: lovec::insight::Line::new(&passed, &line),
            position: passed,
            ..threat.clone()
        }
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
    let mut flipped = Vec::new();
    for &m in moves {
        let text = uci::format_move(m, true);
        let text: String = text.chars().map(flipped_rank).collect();
        let m = position
            .legal_moves()
            .iter()
            .copied()
            .find(|&m| uci::format_move(m, true) == text)
            .unwrap();
        position.make(m);
        flipped.push(m);
    }
    flipped
}

fn flipped_rank(c: char) -> char {
    match c {
        '1'..='8' => char::from(b'1' + b'8' - c as u8),
        c => c,
    }
}

/// Exchanges the colours in claims.
fn flip(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(flip),
        Value::Object(fields) => fields.values_mut().for_each(flip),
        Value::String(text) => {
            let is_square = text.len() == 2 && text.ends_with(|c: char| c.is_ascii_digit());
            *text = match text.as_str() {
                "white" => "black".to_owned(),
                "black" => "white".to_owned(),
                _ if is_square => text.chars().map(flipped_rank).collect(),
                _ => return,
            };
        }
        _ => {}
    }
}

/// Sorts the targets, whose order depends on the squares.
fn sort_targets(claims: &mut Value) {
    for claim in claims.as_array_mut().unwrap() {
        if let Some(targets) = claim.get_mut("targets").and_then(Value::as_array_mut) {
            targets.sort_by_key(ToString::to_string);
        }
    }
}

#[test]
fn a_lost_knight_is_told_with_its_capture() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let position = Position::from_fen(fen).unwrap();
    let played = lovec::chess::notation::san::parse(&position, "Nxe5").unwrap();
    let study = study(&mut examiner(), &position, Some(played));
    let sentences = words::sentences(&study, &reasons_of(&study));
    assert!(sentences[0].starts_with("It loses a knight"), "{sentences:?}");
    let end = ": 4...Nxe5 takes the knight on e5, and nothing can take back.";
    assert!(sentences[0].ends_with(end), "{sentences:?}");
}

#[test]
fn a_missed_mate_and_an_allowed_one_are_told() {
    let scholar = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    let position = Position::from_fen(scholar).unwrap();
    let quiet = lovec::chess::notation::san::parse(&position, "d3").unwrap();
    let missed = study(&mut examiner(), &position, Some(quiet));
    let text = words::sentences(&missed, &reasons_of(&missed));
    assert_eq!(text[0], "It misses mate in 1, 4.Qxf7#.");
    let before =
        Position::from_fen("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3")
            .unwrap();
    let allows = lovec::chess::notation::san::parse(&before, "Nf6").unwrap();
    let allowed = study(&mut examiner(), &before, Some(allows));
    let text = words::sentences(&allowed, &reasons_of(&allowed));
    assert_eq!(text[0], "It allows mate in 1, 4.Qxf7#.");
}
