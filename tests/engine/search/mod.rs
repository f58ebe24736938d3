//! Laws of the search that do not depend on its strength: the score of a full-width search,
//! the distance to mate, the score of a draw, determinism. The tests compute the
//! expected values themselves, by trying every move.

mod determinism;
mod draws;
mod lines;
mod mates;
mod plain;
mod solved;
mod technique;
mod threads;
mod time;

use lovec::chess::notation::uci::parse_move;
use lovec::chess::{Move, Position};
use lovec::eval::Score;
use lovec::search::{
    Bound, Limits, Report, Reporter, SearchOptions, SearchRequest, SearchResult, Searcher,
};

use crate::positions::position;

/// The reports of a search.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reports {
    pub lines: Vec<Entry>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    depth: u8,
    multipv: usize,
    pub score: Score,
    bound: Bound,
    nodes: u64,
    pub table_hits: u64,
    pub pv: Vec<Move>,
}

impl Reporter for Reports {
    fn report(&mut self, report: &Report<'_>) {
        let Report { depth, multipv, score, bound, nodes, table_hits, .. } = *report;
        let pv = report.pv.to_vec();
        self.lines.push(Entry { depth, multipv, score, bound, nodes, table_hits, pv });
    }
}

impl Reports {
    fn last(&self) -> &Entry {
        self.lines.last().expect("a report")
    }
}

/// The position after moves in UCI notation, with its game.
pub fn after(fen: &str, moves: &str) -> Position {
    let mut position = position(fen);
    for text in moves.split_whitespace() {
        let m = parse_move(&position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.make(m);
    }
    position
}

/// Searches with a searcher that may have searched before.
pub fn search_again(
    searcher: &mut Searcher,
    position: &Position,
    limits: &Limits,
    options: &SearchOptions,
) -> (SearchResult, Reports) {
    let request =
        SearchRequest { options: *options, ..SearchRequest::new(position.clone(), limits.clone()) };
    let mut reports = Reports::default();
    let result = searcher.search(request, &mut reports);
    (result, reports)
}

fn searcher() -> Searcher {
    Searcher::new(4).expect("four MiB")
}

fn search_with(position: &Position, limits: &Limits, multi_pv: usize) -> (SearchResult, Reports) {
    let options = SearchOptions { multi_pv, ..SearchOptions::default() };
    search_again(&mut searcher(), position, limits, &options)
}

pub fn to_nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

pub fn to_depth(depth: u8) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

const MIDDLEGAMES: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];
