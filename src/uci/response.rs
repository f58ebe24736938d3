//! The lines that the engine prints.
//!
//! Each kind of line is a small type with a `Display`, so that printing is pure and the
//! tests need no engine. None of them ends in a line break.

use std::fmt;

use crate::chess::Move;
use crate::chess::notation::uci::format_move;
use crate::engine::options::{Kind, UciOption};
#[cfg(feature = "spsa")]
use crate::search::params::Parameter;
use crate::search::{Bound, Report};
use crate::util::speed::per_second;

/// An option in the answer to `uci`.
pub struct OptionLine<'a>(pub &'a UciOption);

impl fmt::Display for OptionLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.0.name)?;
        match self.0.kind {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin { default, min, max, .. } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Kind::Path { .. } => f.write_str("string default <empty>"),
            Kind::Button { .. } => f.write_str("button"),
        }
    }
}

/// A sentence for the user. Control characters become spaces and long texts are cut,
/// since they may quote input.
pub(super) struct InfoString<T>(pub T);

/// Characters of a sentence that are shown.
const MAX_INFO_STRING: usize = 300;

impl<T: fmt::Display> fmt::Display for InfoString<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let clean = |c: char| if c.is_control() { ' ' } else { c };
        let shown: String = text.chars().map(clean).take(MAX_INFO_STRING).collect();
        let cut = if text.chars().nth(MAX_INFO_STRING).is_some() { "…" } else { "" };
        write!(f, "info string {}{cut}", shown.trim())
    }
}

/// An error for the user.
pub(super) struct Problem<T>(pub T);

impl<T: fmt::Display> fmt::Display for Problem<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        InfoString(format_args!("error: {}", self.0)).fmt(f)
    }
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

/// The result of a search at some depth.
pub(super) struct Info<'a> {
    pub report: &'a Report<'a>,
    pub chess960: bool,
    /// Whether to show win, draw and loss probabilities.
    pub show_wdl: bool,
}

impl fmt::Display for Info<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let score = score_text(report, self.show_wdl);
        // The game is over.
        if report.depth == 0 {
            return write!(f, "info depth 0 score {score}");
        }
        write!(
            f,
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
        )?;
        if !report.pv.is_empty() {
            f.write_str(" pv")?;
        }
        report.pv.iter().try_for_each(|&m| write!(f, " {}", format_move(m, self.chess960)))
    }
}

/// The root move that is being searched.
pub(super) struct CurrentMove {
    pub depth: u8,
    pub m: Move,
    pub number: usize,
    pub chess960: bool,
}

impl fmt::Display for CurrentMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = format_move(self.m, self.chess960);
        let Self { depth, number, .. } = self;
        write!(f, "info depth {depth} currmove {name} currmovenumber {number}")
    }
}

/// A search parameter as an option.
#[cfg(feature = "spsa")]
pub(super) struct ParameterLine<'a>(pub &'a Parameter);

#[cfg(feature = "spsa")]
impl fmt::Display for ParameterLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter { name, default, min, max, .. } = self.0;
        write!(f, "option name {name} type spin default {default} min {min} max {max}")
    }
}

/// The move to play, and the reply to ponder on.
pub(super) struct BestMove {
    pub best: Option<Move>,
    pub ponder: Option<Move>,
    pub chess960: bool,
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(best) = self.best else { return f.write_str("bestmove (none)") };
        write!(f, "bestmove {}", format_move(best, self.chess960))?;
        match self.ponder {
            Some(ponder) => write!(f, " ponder {}", format_move(ponder, self.chess960)),
            None => Ok(()),
        }
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
        Info { report, chess960: false, show_wdl: false }.to_string()
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
        let text = Info { report: &report, chess960: true, show_wdl: false }.to_string();
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
        let text = |report| Info { report, chess960: false, show_wdl: true }.to_string();
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
        let text = |best, ponder| BestMove { best, ponder, chess960: false }.to_string();
        assert_eq!(text(None, None), "bestmove (none)");
        assert_eq!(text(Some(castle()), None), "bestmove e1g1");
        assert_eq!(text(Some(e2e4), Some(castle())), "bestmove e2e4 ponder e1g1");
        let current = CurrentMove { depth: 20, m: e2e4, number: 3, chess960: false };
        assert_eq!(current.to_string(), "info depth 20 currmove e2e4 currmovenumber 3");
    }

    #[test]
    fn sentences_stay_on_their_line() {
        assert_eq!(InfoString("a\nb\0c ").to_string(), "info string a b c");
        assert_eq!(Problem("no").to_string(), "info string error: no");
        let long = InfoString("x".repeat(10_000)).to_string();
        assert!(long.chars().count() < 350);
    }
}
