//! Searches whose results do not depend on what was searched before.

use std::sync::Arc;

use crate::chess::{Move, Position};
use crate::eval::{Score, WinDrawLoss};
use crate::search::{
    Limits, Report, Reporter, SearchOptions, SearchRequest, Searcher, SearcherError, Stop, Tables,
};

/// Searches positions one after the other, each with cleared memory.
pub struct Examiner {
    searcher: Searcher,
    stop: Arc<Stop>,
    /// Of all searches.
    pub(super) nodes: u64,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Examination {
    /// The best lines, the best first; at least one.
    pub lines: Vec<SearchedLine>,
    pub nodes: u64,
}

/// A line and its score.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchedLine {
    /// The score for the side that moves first in the line.
    pub score: Score,
    /// The probabilities for that side.
    pub wdl: WinDrawLoss,
    /// Empty if the game is over.
    pub moves: Vec<Move>,
    /// The depth of the search that found the line, in plies from its first move.
    pub depth: u8,
}

impl Examiner {
    /// An examiner with a transposition table of `hash_mib` MiB. `stop` ends its searches.
    pub fn new(hash_mib: usize, tables: Tables, stop: Arc<Stop>) -> Result<Self, SearcherError> {
        let mut searcher = Searcher::new(hash_mib)?;
        searcher.tables = tables;
        Ok(Self { searcher, stop, nodes: 0 })
    }

    /// Whether the searches were stopped. The results of a stopped search are shallow.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// The best `lines` lines of a position. A game that is drawn by rule is over.
    pub fn examine(&mut self, position: &Position, lines: usize, limits: &Limits) -> Examination {
        let mut found = self.search(position, lines, limits);
        // A stopped iteration may have failed high with another move: what follows is searched.
        if let [best, ..] = &mut found.lines[..]
            && let [m] = best.moves[..]
            && best.depth > 1
            && !self.is_stopped()
        {
            let mut next = position.clone();
            next.make(m);
            let reply = self.search(&next, 1, &Limits { search_moves: None, ..limits.clone() });
            found.nodes += reply.nodes;
            let line = SearchedLine::beginning_with(m, &reply.lines[0]);
            // The score of the search stays, unless the line mates, which it has not seen.
            if !line.score.is_mate() {
                best.moves = line.moves;
            } else if line.score > best.score {
                *best = line;
            }
        }
        found
    }

    fn search(&mut self, position: &Position, lines: usize, limits: &Limits) -> Examination {
        if let Some(line) = SearchedLine::of_finished_game(position) {
            return Examination { lines: vec![line], nodes: 0 };
        }
        self.searcher.clear();
        let options = SearchOptions { multi_pv: lines, ..SearchOptions::default() };
        let (position, limits) = (position.for_search(), limits.clone());
        let control = self.stop.control();
        let request = SearchRequest { position, limits, options, control };
        let mut best = BestLines::default();
        let found = self.searcher.search(request, &mut best);
        self.nodes += found.nodes;
        Examination { lines: best.lines, nodes: found.nodes }
    }

    /// The line that begins with a legal move.
    pub fn examine_move(&mut self, position: &Position, m: Move, limits: &Limits) -> SearchedLine {
        let mut next = position.clone();
        next.make(m);
        let reply = self.examine(&next, 1, limits);
        SearchedLine::beginning_with(m, &reply.lines[0])
    }
}

impl SearchedLine {
    /// The end of a game that is drawn by rule.
    pub fn drawn() -> Self {
        let score = Score::ZERO;
        Self { score, wdl: WinDrawLoss::DRAWN, moves: Vec::new(), depth: 0 }
    }

    /// The result of a game that is over, with no moves.
    pub fn of_finished_game(position: &Position) -> Option<Self> {
        if position.is_checkmate() {
            let (score, wdl) = (Score::mated_in(0), WinDrawLoss::LOST);
            return Some(Self { score, wdl, moves: Vec::new(), depth: 0 });
        }
        let is_over = position.is_draw(0) || position.legal_moves().is_empty();
        is_over.then(Self::drawn)
    }

    /// The line of a move and the best reply to it.
    pub fn beginning_with(m: Move, reply: &Self) -> Self {
        let mut moves = vec![m];
        moves.extend(&reply.moves);
        Self {
            score: -reply.score.after(1),
            wdl: reply.wdl.reversed(),
            moves,
            depth: reply.depth.saturating_add(1),
        }
    }
}

/// The last report of each line of a search.
#[derive(Debug, Default)]
pub struct BestLines {
    /// The best line first.
    pub lines: Vec<SearchedLine>,
}

impl BestLines {
    /// Whether a report replaces the line at its place. The last reports of a search are of all
    /// lines. A stopped iteration may have begun the best one with a window that its score
    /// missed: then the exact score of the iteration before is kept, unless the move is another.
    fn is_news(&self, report: &Report<'_>) -> bool {
        let best = self.lines.first();
        let is_other = best.is_none_or(|line| line.moves.first() != report.pv.first());
        report.is_final() || report.multipv > 1 || is_other
    }
}

impl Reporter for BestLines {
    fn report(&mut self, report: &Report<'_>) {
        if !self.is_news(report) {
            return;
        }
        let &Report { score, wdl, depth, .. } = report;
        let line = SearchedLine { score, wdl, moves: report.pv.to_vec(), depth };
        match self.lines.get_mut(report.multipv - 1) {
            Some(place) => *place = line,
            None => self.lines.push(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stopped iteration may have found a new best move, and not have searched the old one.
    #[test]
    fn the_lines_of_a_search_begin_with_different_moves() {
        let mut examiner = Examiner::new(1, Tables::default(), Arc::default()).unwrap();
        for fen in crate::suite::bench::POSITIONS.into_iter().step_by(4) {
            let position = Position::from_fen(fen).unwrap();
            for nodes in (100..1000).step_by(50) {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let lines = examiner.examine(&position, 3, &limits).lines;
                for (index, line) in lines.iter().enumerate() {
                    let above = &lines[..index];
                    let is_new = |above: &SearchedLine| above.moves[0] != line.moves[0];
                    assert!(above.iter().all(is_new), "{fen}, {nodes}: {lines:?}");
                    let is_best = |above: &SearchedLine| above.score >= line.score;
                    assert!(above.iter().all(is_best), "{fen}, {nodes}: {lines:?}");
                }
            }
        }
    }
}
