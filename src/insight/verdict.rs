//! How good a move is, in English.

use crate::insight::claim::LineName;
use crate::insight::mark::Fault;
use crate::insight::reasons::reasons;
use crate::insight::study::Study;
use crate::insight::words::{explanation, numbered_move, numbered_moves};

/// The expected score below which a loss is nothing.
const NOTHING: f64 = 0.005;

/// All that is said, in lines of text: the verdict, the explanation and the lines that it is about.
pub fn summary(study: &Study) -> Vec<String> {
    let reasons = reasons(study);
    let mut text = vec![verdict(study)];
    text.extend(explanation(study, &reasons));
    let is_cited = |name| reasons.claims.iter().any(|claim| claim.line == name);
    for (label, name, is_shown) in [
        ("Best", LineName::Best, true),
        ("Played", LineName::Played, study.played().is_some()),
        ("Second", LineName::Second, is_cited(LineName::Second)),
        ("Threat", LineName::Threat, is_cited(LineName::Threat)),
    ] {
        let moves = || numbered_moves(study.line(name), 0, usize::MAX);
        text.extend(is_shown.then(|| format!("{label}: {}", moves())));
    }
    text
}

/// `4.Nxe5?? is a blunder: it costs 49 points of 100.`
pub fn verdict(study: &Study) -> String {
    let best = numbered_move(&study.best.line, 0);
    if study.best.first().is_none() {
        return "The game is over.".to_owned();
    }
    let Some(played) = study.played() else {
        return format!("{best} is the best move{}.", alternative(study));
    };
    let name = numbered_move(&played.line, 0);
    let loss = study.loss();
    match study.fault() {
        Some(fault) => {
            let article = if fault == Fault::Inaccuracy { "an" } else { "a" };
            let (mark, fault) = (fault.mark(), fault.name());
            format!("{name}{mark} is {article} {fault}: it costs {} of 100.", points(loss))
        }
        None if loss < NOTHING => format!("{name} is about as good as {best}."),
        // What is no fault must not look like one when it is rounded.
        None if (100.0 * loss).round() >= 100.0 * study.level.thresholds().inaccuracy => {
            format!("{name} costs {:.1} points of 100 against {best}.", 100.0 * loss)
        }
        None => format!("{name} costs {} of 100 against {best}.", points(loss)),
    }
}

/// How the second best move compares with the best one, if scores that are no mates say so.
fn alternative(study: &Study) -> String {
    let best = &study.best.searched;
    let Some(second) = study.second() else { return String::new() };
    if best.score.is_mate() || second.searched.score.is_mate() {
        return String::new();
    }
    let name = numbered_move(&second.line, 0);
    match study.level.loss(best, &second.searched) {
        loss if loss < NOTHING => format!(", and {name} is about as good"),
        loss => format!("; {name} costs {}", points(loss)),
    }
}

/// `1 point`, `23 points`.
fn points(loss: f64) -> String {
    match (100.0 * loss).round() {
        1.0 => "1 point".to_owned(),
        points => format!("{points} points"),
    }
}
