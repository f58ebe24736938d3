//! The lines that the engine prints.
//!
//! Each kind of line is a function of what it says, so that the tests need no engine. None
//! of them ends in a line break.

use std::fmt::Display;

use crate::chess::Move;
use crate::chess::notation::uci::format_move;
use crate::engine::options::{Kind, UciOption};
#[cfg(feature = "spsa")]
use crate::search::params::Parameter;
use crate::search::{Bound, Report};
use crate::util::speed::per_second;

/// An option in the answer to `uci`.
pub fn option_line(option: &UciOption) -> String {
    let kind = match option.kind {
        Kind::Check { default, .. } => format!("check default {default}"),
        Kind::Spin { default, min, max, .. } => {
            format!("spin default {default} min {min} max {max}")
        }
        Kind::Path { .. } => "string default <empty>".to_owned(),
        Kind::Button { .. } => "button".to_owned(),
    };
    format!("option name {} type {kind}", option.name)
}

/// A search parameter as an option.
#[cfg(feature = "spsa")]
pub(super) fn parameter_line(parameter: &Parameter) -> String {
    let Parameter { name, default, min, max, .. } = parameter;
    format!("option name {name} type spin default {default} min {min} max {max}")
}

/// Characters of a sentence that are shown.
const MAX_INFO_STRING: usize = 300;

/// A sentence for the user. Control characters become spaces and long texts are cut,
/// since they may quote input.
pub(super) fn info_string(text: impl Display) -> String {
    let text = text.to_string();
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let shown: String = text.chars().map(clean).take(MAX_INFO_STRING).collect();
    let cut = if text.chars().nth(MAX_INFO_STRING).is_some() { "…" } else { "" };
    format!("info string {}{cut}", shown.trim())
}

/// An error for the user.
pub(super) fn problem(text: impl Display) -> String {
    info_string(format_args!("error: {text}"))
}

/// `cp 31`, `mate -4`, with a bound if the score is not exact, and with win, draw and
/// loss probabilities if they are shown.
fn score_text(report: &Report<'_>, show_wdl: bool) -> String {
    let score = match report.score.mate_distance_moves() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", report.score.cp()),
    };
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let wdl = if show_wdl { format!(" wdl {}", report.wdl) } else { String::new() };
    score + bound + &wdl
}

/// The result of a search at some depth, with win, draw and loss probabilities if they are shown.
pub(super) fn info(report: &Report<'_>, chess960: bool, show_wdl: bool) -> String {
    let score = score_text(report, show_wdl);
    // The game is over.
    if report.depth == 0 {
        return format!("info depth 0 score {score}");
    }
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {score} nodes {} nps {} hashfull {} tbhits {} \
         time {}",
        report.depth,
        report.seldepth,
        report.multipv,
        report.nodes,
        per_second(report.nodes, report.elapsed) as u64,
        report.hashfull,
        report.table_hits,
        report.elapsed.as_millis(),
    );
    if !report.pv.is_empty() {
        text += " pv";
    }
    for &m in report.pv {
        text = text + " " + &format_move(m, chess960);
    }
    text
}

/// The root move that is being searched.
pub(super) fn current_move(depth: u8, m: Move, number: usize, chess960: bool) -> String {
    let name = format_move(m, chess960);
    format!("info depth {depth} currmove {name} currmovenumber {number}")
}

/// The move to play, and the reply to ponder on.
pub(super) fn best_move(best: Option<Move>, ponder: Option<Move>, chess960: bool) -> String {
    let Some(best) = best else { return "bestmove (none)".to_owned() };
    let best = format_move(best, chess960);
    match ponder {
        Some(ponder) => format!("bestmove {best} ponder {}", format_move(ponder, chess960)),
        None => format!("bestmove {best}"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::chess::{MoveKind, Square};
    use crate::eval::{Score, WinDrawLoss};

    fn castle() -> Move {
        Move::new(Square::E1, Square::H1, MoveKind::Castle)
    }

    fn report(score: Score, pv: &[Move]) -> Report<'_> {
        Report {
            depth: 9,
            seldepth: 14,
            multipv: 1,
            score,
            wdl: WinDrawLoss::DRAWN,
            bound: Bound::Exact,
            nodes: 5000,
            table_hits: 3,
            elapsed: Duration::from_micros(2500),
            hashfull: 12,
            pv,
        }
    }

    /// The line without win, draw and loss probabilities.
    fn line(report: &Report<'_>) -> String {
        info(report, false, false)
    }

    #[test]
    fn info_lines() {
        let pv = [castle()];
        let text = line(&report(Score::new(-7), &pv));
        assert_eq!(
            text,
            "info depth 9 seldepth 14 multipv 1 score cp -7 nodes 5000 nps 2000000 hashfull 12 tbhits 3 \
             time 2 pv e1g1"
        );
        let report = report(Score::mate_in(1), &pv);
        let text = info(&report, true, false);
        assert!(text.contains(" score mate 1 nodes ") && text.ends_with(" pv e1h1"), "{text}");
    }

    #[test]
    fn a_search_of_no_time() {
        let report = Report { elapsed: Duration::ZERO, ..report(Score::ZERO, &[]) };
        let text = line(&report);
        assert!(text.ends_with(" time 0"), "{text}");
    }

    #[test]
    fn bounds_are_named() {
        let report = Report { bound: Bound::Lower, ..report(Score::new(40), &[]) };
        let text = line(&report);
        assert!(text.contains(" score cp 40 lowerbound nodes "), "{text}");
    }

    #[test]
    fn probabilities_follow_the_score_and_its_bound() {
        let text = |report: &Report<'_>| info(report, false, true);
        let exact = report(Score::ZERO, &[]);
        assert!(text(&exact).contains(" score cp 0 wdl 0 1000 0 nodes "), "{}", text(&exact));
        let lower = Report { bound: Bound::Lower, ..exact };
        assert!(text(&lower).contains(" score cp 0 lowerbound wdl 0 1000 0 nodes "));
        let mated = Report { depth: 0, wdl: WinDrawLoss::LOST, ..report(Score::mated_in(0), &[]) };
        assert_eq!(text(&mated), "info depth 0 score mate 0 wdl 0 0 1000");
    }

    #[test]
    fn a_game_that_is_over() {
        let mated = Report { depth: 0, ..report(Score::mated_in(0), &[]) };
        let text = line(&mated);
        assert_eq!(text, "info depth 0 score mate 0");
        let stalemate = Report { depth: 0, ..report(Score::DRAW, &[]) };
        let text = line(&stalemate);
        assert_eq!(text, "info depth 0 score cp 0");
    }

    #[test]
    fn best_moves() {
        let e2e4 = Move::new(Square::new(12), Square::new(28), MoveKind::DoublePush);
        let text = |best, ponder| best_move(best, ponder, false);
        assert_eq!(text(None, None), "bestmove (none)");
        assert_eq!(text(Some(castle()), None), "bestmove e1g1");
        assert_eq!(text(Some(e2e4), Some(castle())), "bestmove e2e4 ponder e1g1");
        let current = current_move(20, e2e4, 3, false);
        assert_eq!(current, "info depth 20 currmove e2e4 currmovenumber 3");
    }

    #[test]
    fn sentences_stay_on_their_line() {
        assert_eq!(info_string("a\nb\0c "), "info string a b c");
        assert_eq!(problem("no"), "info string error: no");
        let long = info_string("x".repeat(10_000));
        assert!(long.chars().count() < 350);
    }
}
