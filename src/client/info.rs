//! The `info` lines of an engine.

use crate::chess::Move;
use crate::chess::notation::uci::parse_line;
use crate::chess::position::State;
use crate::client::words::after;
use crate::eval::{Score, WinDrawLoss};

/// Lines of play that are read of a search at most. Stockfish 16 allows 500.
const MAX_LINES: usize = 500;

/// A line of play that an engine reports, with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineLine {
    /// From 1, the best line.
    pub multipv: usize,
    pub depth: u32,
    /// From the side to move at the root.
    pub score: Score,
    /// Whether the score is exact, not a bound.
    pub is_exact: bool,
    /// The probabilities for that side, if the engine reports them.
    pub wdl: Option<WinDrawLoss>,
    /// Nodes of the whole search when the line was reported, 0 if the engine does not say.
    pub nodes: u64,
    /// Legal moves from the root. What follows a move that is not legal is left out.
    pub pv: Vec<Move>,
}

impl EngineLine {
    /// Reads an `info` line of a search of `root`; `None` if it has no score, or if it is of a
    /// line beyond the first 500.
    pub(super) fn parse(text: &str, root: &State) -> Option<Self> {
        let mut words = after(text, &["info"])?.split_whitespace();
        let mut line = Self {
            multipv: 1,
            depth: 0,
            score: Score::ZERO,
            is_exact: true,
            wdl: None,
            nodes: 0,
            pv: vec![],
        };
        let mut has_score = false;
        while let Some(word) = words.next() {
            match word {
                "depth" => line.depth = words.next()?.parse().ok()?,
                "nodes" => line.nodes = words.next()?.parse().ok()?,
                "multipv" => {
                    let number = words.next()?.parse().ok();
                    line.multipv = number.filter(|number| (1..=MAX_LINES).contains(number))?;
                }
                "score" => {
                    let (unit, value) = (words.next()?, words.next()?.parse().ok()?);
                    line.score = score(unit, value)?;
                    has_score = true;
                }
                "wdl" => line.wdl = probabilities(&mut words),
                "lowerbound" | "upperbound" => line.is_exact = false,
                "pv" => {
                    line.pv = parse_line(root, words);
                    break;
                }
                // The rest is text, or a line of play that is not the best.
                "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        has_score.then_some(line)
    }
}

/// The score of `cp 31` or `mate -4`. A larger number of centipawns than Lovec itself uses
/// becomes the largest score that is no mate.
fn score(unit: &str, value: i32) -> Option<Score> {
    /// A longer mate would look like an evaluation.
    const MAX_PLIES: usize = 998;
    let plies = (value.unsigned_abs() as usize).saturating_mul(2);
    match unit {
        "cp" => Some(Score::new(value).clamp_eval()),
        "mate" if value > 0 => Some(Score::mate_in((plies - 1).min(MAX_PLIES))),
        "mate" => Some(Score::mated_in(plies.min(MAX_PLIES))),
        _ => None,
    }
}

/// The next three numbers as permille; `None` unless they add up.
fn probabilities<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<WinDrawLoss> {
    let mut permille = || words.next()?.parse().ok();
    WinDrawLoss::try_from([permille()?, permille()?, permille()?]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::chess::notation::uci::format_move;

    fn parse(text: &str) -> Option<EngineLine> {
        EngineLine::parse(text, &Position::startpos())
    }

    #[test]
    fn everything_that_is_needed_is_read() {
        let line = parse(
            "info depth 12 seldepth 17 multipv 2 score cp -30 wdl 1 2 997 nodes 155 nps 1000 \
             hashfull 3 tbhits 0 time 5 pv e2e4 e7e5 e4e5 g1f3",
        )
        .unwrap();
        assert_eq!((line.depth, line.multipv, line.nodes), (12, 2, 155));
        assert_eq!((line.score, line.is_exact), (Score::new(-30), true));
        assert_eq!(line.wdl, WinDrawLoss::try_from([1, 2, 997]).ok());
        // The third move is not legal.
        let pv: Vec<String> = line.pv.iter().map(|&m| format_move(m, false)).collect();
        assert_eq!(pv, ["e2e4", "e7e5"]);
    }

    #[test]
    fn scores_are_centipawns_mates_and_bounds() {
        for (text, score) in [
            ("info score cp 15", Some((Score::new(15), true))),
            ("info depth 9 score mate 2 nodes 5", Some((Score::mate_in(3), true))),
            ("info depth 9 score mate -2 nodes 5", Some((Score::mated_in(4), true))),
            ("info depth 0 score mate 0", Some((Score::mated_in(0), true))),
            ("info depth 9 score cp 50 lowerbound nodes 5", Some((Score::new(50), false))),
            ("info depth 9 score cp 2000000000", Some((Score::new(29_999), true))),
            ("info depth 9 score mate -2147483648", Some((Score::mated_in(998), true))),
            ("info depth 9 currmove e2e4 currmovenumber 1", None),
            ("info string score cp 5", None),
            ("info score cp much", None),
            ("info score", None),
            (" info  score cp 15", Some((Score::new(15), true))),
            ("info multipv 500 score cp 15", Some((Score::new(15), true))),
            ("info multipv 501 score cp 15", None),
            ("info multipv 0 score cp 15", None),
            ("information score cp 5", None),
        ] {
            let read = parse(text).map(|line| (line.score, line.is_exact));
            assert_eq!(read, score, "{text}");
        }
    }
}
