//! The benchmark: a fixed list of positions, searched to a fixed depth.
//!
//! The nodes per second measure the speed of this build on this machine. The number of
//! nodes is a signature of the search: with one thread it is the same in every run and
//! on every machine, and a change that does not alter the search does not alter it.

use std::fmt;
use std::time::{Duration, Instant};

use crate::chess::Position;
use crate::search::statistics::SearchStatistics;
use crate::search::{Limits, SearchRequest, Searcher, SearcherError, Stop, Tables};
use crate::util::speed::per_second;

/// The default depth, which takes a few seconds.
pub const DEPTH: u8 = 13;
/// The size of the transposition table for the signature, in MiB.
pub const HASH_MIB: u32 = 16;
/// The nodes that the benchmark is recorded to search.
pub const RECORDED_NODES: &str = include_str!("../../tests/data/bench.txt").trim_ascii();

/// Openings, middlegames and endings of every sort, quiet and tactical; some
/// with mates in them, some of Chess960, some nearly drawn. Gathered from opening
/// books, test suites and games between engines.
#[rustfmt::skip]
pub const POSITIONS: [&str; 50] = [
    // Openings.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/ppp1p1pp/2n2p2/3p4/8/1P1P2P1/P1P1PP1P/RNBQKBNR w KQkq - 0 4",
    "rnbqk1nr/p1pp1ppp/1p2p3/8/5P2/b3P3/PPPP2PP/R1BQKBNR w KQkq - 0 4",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPPQPPP/RNB1KB1R w KQkq - 0 4",
    "r1bq1rk1/2pnppbp/p2p1np1/1p6/3PP3/P4N2/BPPN1PPP/R1BQ1RK1 w - - 2 9",
    "r2qk2r/ppp1bppp/2np1n2/3bp3/4P3/3P2PP/PPP1NPB1/R1BQK2R w KQkq - 0 9",
    "rnbq1rk1/pp2ppbp/2p3p1/3pP3/3Pn3/2N1BN1P/PPPQ1PP1/R3KB1R w KQ - 1 9",
    "rn1q1rk1/pp2pp1p/3p1npb/2pP1b2/2P5/2N2N2/PP1QPPPP/R3KB1R w KQ - 0 9",
    "rnbq1rk1/p1p1bppp/1p2pn2/2Pp4/3P1B2/2NBPN2/PP3PPP/R2QK2R w KQ - 0 9",
    "r1b1kb1r/4pppp/p1np4/8/N3nB2/q1P2N2/P4PPP/R2QKB1R w KQkq - 0 8",
    // Middlegames.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1b2rk1/pp1qpp1p/3p2pB/8/2BbP3/2N2P1P/PPP2P2/R3R1K1 w - - 2 7",
    "r4rk1/3n2b1/pqb1p2p/2p1P1p1/8/2P2PP1/1PQ3P1/2KR1BNR w - - 0 20",
    "r4bn1/pq4p1/2pn1k2/4p1pr/4B1bp/2N1Q2N/1PP1PP1P/R4RK1 w - - 2 19",
    "r1bqk2r/3nbpp1/2p5/p1Ppp2p/Pp5P/3BPNP1/1PQ2PN1/R1B1K2R b KQkq - 0 12",
    "r1bqk2r/p3p1bp/1p3ppn/2p5/Pn1pPP2/1PN2Q1P/1BPP2P1/2KR1BNR w kq - 0 11",
    "2r3k1/pbr1q2p/1p2pnp1/3p4/3P1P2/1P1BR3/PB1Q2PP/5RK1 w - - 0 1",
    "1rbq1rk1/p1p1bppp/2p2n2/8/Q1BP4/2N5/PP3PPP/R1B2RK1 b - - 0 1",
    "2r3k1/5p1p/8/nPqb2P1/P1n1p1P1/4P3/4BP2/1QR2RK1 b - - 0 33",
    "6rr/1p2k3/3pp3/p1p5/P3PP2/2PP1K1p/1P2R3/7R b - - 2 38",
    // Tactics and mates.
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "r1bqrk2/pp1n1n1p/3p1p2/P1pP1P1Q/2PpP1NP/6R1/2PB4/4RBK1 w - - 0 1",
    "r4rk1/1b1nqp1p/p5p1/1p2PQ2/2p5/5N2/PP3PPP/R1BR2K1 w - - 0 1",
    "6k1/2pb1r1p/3p1PpQ/p1nPp3/1q2P3/2N2P2/PrB5/2K3RR w - - 0 1",
    "5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - - 0 1",
    "5r1k/p5pp/8/1P1pq3/P1p2nR1/Q7/5BPP/6K1 b - - 0 1",
    "7k/p4q1p/1pb5/2p5/4B2Q/2P1B3/P6P/7K b - - 0 1",
    "4r1k1/p1qr1p2/2pb1Bp1/1p5p/3P1n1R/3B1P2/PP3PK1/2Q4R w - - 0 1",
    "3r2k1/p2r2p1/1p1B2Pp/4PQ1P/2b1p3/P3P3/7K/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 0 1",
    // Endings.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/7p/1p3pp1/p2K4/Pk3PPP/8/1P6/8 b - - 0 1",
    "8/8/7p/p2N3P/1p1k4/8/2K5/8 w - - 0 62",
    "8/5p2/3pn1k1/3B1p2/3p3p/3P2PP/4KP2/8 w - - 0 48",
    "4b1k1/1p3p2/4pPp1/p2pP1P1/P2P4/1P1B4/8/2K5 w - - 0 1",
    "8/3k1p2/n3pP2/1p2P2p/5K2/1PB5/7P/8 b - - 0 1",
    "R7/4kp2/P3p1p1/3pP1P1/3P1P2/p6r/3K4/8 w - - 0 1",
    "8/p2k1p1p/1p2pP2/4P2p/P1PP3P/6r1/2K5/7R w - - 15 61",
    "8/5p2/6k1/2R4p/7P/1r4P1/3B1PK1/8 b - - 8 49",
    "5n2/pRrk2p1/P4p1p/4p3/3N4/5P2/6PP/6K1 w - - 0 1",
    "8/p7/4qpkp/1b4p1/8/QnB2P1P/6P1/7K b - - 1 49",
    "5q1k/5P1p/Q7/5n1p/6P1/7K/8/8 w - - 0 1",
    "8/8/8/8/2k2p2/4p1pP/3r2P1/1R3K2 b - - 11 55",
    "8/3K4/7r/8/2k5/8/8/8 w - - 6 89",
    // Close to the fifty-move rule, and zugzwang.
    "8/1r6/1P4RP/p5p1/k4p2/5K2/5P2/8 b - - 92 142",
    "8/3p1p2/5Ppp/K2R2bk/4pPrr/6Pp/4B2P/3N4 w - - 0 1",
    // Chess960.
    "qrknrbbn/pppppppp/8/8/8/8/PPPPPPPP/QRKNRBBN w KQkq - 0 1",
    "bqr1krnb/ppppppp1/7p/3n4/1P4P1/P4N2/2PPPP1P/BQNRKR1B w FDf - 3 9",
    "nqrbbrkn/1p1pppp1/8/p1p4p/4P2P/1N4P1/PPPP1P2/1QRBBKRN w GC - 0 9",
    "brkqnnrb/1ppppppp/8/8/p3P3/5N2/PPPP1PPP/BRKQ1NRB w GBgb - 3 9",
];

#[derive(Clone)]
pub struct BenchConfig {
    pub depth: u8,
    pub threads: usize,
    pub hash_mib: usize,
    /// Endgame tables. The signature uses the embedded ones only.
    pub tables: Tables,
}

impl Default for BenchConfig {
    fn default() -> Self {
        Self { depth: DEPTH, threads: 1, hash_mib: HASH_MIB as usize, tables: Tables::default() }
    }
}

/// What a benchmark has measured.
#[derive(Debug, Default)]
pub struct BenchResult {
    /// The number of positions that were searched.
    pub positions: usize,
    pub nodes: u64,
    pub elapsed: Duration,
    /// Of the main thread, in a build that counts; empty if the run was stopped.
    pub statistics: SearchStatistics,
}

impl BenchResult {
    /// Whether the run was not stopped.
    pub fn is_whole(&self) -> bool {
        self.positions == POSITIONS.len()
    }

    pub fn nodes_per_second(&self) -> u64 {
        per_second(self.nodes, self.elapsed) as u64
    }
}

/// The line that OpenBench looks for.
impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nodes_per_second())
    }
}

/// Searches every position, each with a cleared table so that they do not depend on
/// each other. `progress` is called after each. A stop ends it with the positions so far.
pub fn run(
    config: &BenchConfig,
    stop: &Stop,
    progress: impl Fn(),
) -> Result<BenchResult, SearcherError> {
    let limits = Limits { depth: Some(config.depth), ..Limits::default() };
    let mut searcher = Searcher::new(config.hash_mib)?;
    searcher.set_threads(config.threads)?;
    searcher.tables = config.tables.clone();
    let mut result = BenchResult::default();
    for position in POSITIONS.iter().filter_map(|fen| Position::from_fen(fen).ok()) {
        searcher.clear();
        let start = Instant::now();
        let request = SearchRequest::new(position, limits.clone()).of_job(stop);
        let outcome = searcher.search(request, &mut ());
        if stop.is_stopped() {
            return Ok(result);
        }
        result.positions += 1;
        result.nodes += outcome.nodes;
        result.elapsed += start.elapsed();
        progress();
    }
    result.statistics = searcher.statistics().clone();
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_valid_and_has_moves() {
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(!position.legal_moves().is_empty(), "{fen}");
        }
    }

    #[test]
    fn the_last_line_is_plain() {
        for (nodes, milliseconds, line) in
            [(3_000_000, 1500, "3000000 nodes 2000000 nps"), (0, 0, "0 nodes 0 nps")]
        {
            let elapsed = Duration::from_millis(milliseconds);
            let result = BenchResult { nodes, elapsed, ..BenchResult::default() };
            assert_eq!(result.to_string(), line);
        }
    }
}
