//! The sentences that explain a mark.

use crate::annotate::annotated_game::{AnnotatedMove, MoveMark, TableVerdict, TableVerdicts};
use crate::annotate::searched_game::{Effort, SearchedGame};
use crate::insight::mark::Thresholds;
use crate::insight::reasons::reasons;
use crate::insight::study::{StudiedLine, Study};
use crate::insight::words;

/// Why the confirmed fault at a ply is one.
pub fn of_fault(searched: &SearchedGame, ply: usize, thresholds: &Thresholds) -> Vec<String> {
    let Some((best, played)) = searched.lines(ply, Effort::Confirmation) else { return Vec::new() };
    let position = searched.game.position(ply);
    let study = Study {
        best: StudiedLine::new(&position, best.clone()),
        other: Some(StudiedLine::new(&position, played)),
        is_played: true,
        threat: None,
        confirmed: Some(true),
        nodes: 0,
        position,
    };
    words::sentences(&study, &reasons(&study, thresholds))
}

/// The sentences about a move, the most important first: `reasons` explain a fault.
pub fn of_move(m: &AnnotatedMove, reasons: Vec<String>) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Some(verdicts) = m.tables {
        sentences.extend(change_of_verdict(verdicts).map(str::to_owned));
    }
    sentences.extend(reasons);
    let is_fault = m.mark.and_then(MoveMark::fault).is_some();
    let best = m.best.as_ref().and_then(|line| line.san.first());
    if let Some(best) = best.filter(|_| is_fault) {
        sentences.push(format!("Best was {best}."));
    }
    sentences
}

fn change_of_verdict(TableVerdicts { before, after }: TableVerdicts) -> Option<&'static str> {
    match (before, after) {
        (TableVerdict::Won, TableVerdict::Drawn) => Some("It draws a won ending."),
        (TableVerdict::Won, TableVerdict::Lost) => Some("It loses a won ending."),
        (TableVerdict::Drawn, TableVerdict::Lost) => Some("It loses a drawn ending."),
        _ => None,
    }
}
