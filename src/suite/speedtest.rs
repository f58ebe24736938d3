//! How the speed grows with the number of threads.
//!
//! Every number of threads searches the same positions for the same time. They are
//! measured upwards and then downwards, so that a machine that slows down as it warms
//! up favours neither end.

use std::time::{Duration, Instant};

use crate::chess::Position;
use crate::search::{Limits, SearchOptions, SearchRequest, Searcher, SearcherError, Stop};
use crate::suite::bench::POSITIONS;
use crate::util::speed::per_second;

/// The openings and middlegames of the benchmark come first; endings are too small for
/// many threads.
const RICH: usize = 20;

#[derive(Clone, Debug)]
pub struct SpeedtestConfig {
    /// Numbers of threads, smallest first.
    pub threads: Vec<usize>,
    pub hash_mib: usize,
    /// For each number of threads.
    pub time: Duration,
}

impl SpeedtestConfig {
    /// The number of searches.
    pub fn searches(&self) -> usize {
        2 * self.threads.len() * RICH
    }
}

/// The speed of one number of threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedtestRow {
    pub threads: usize,
    pub nodes: u64,
    pub elapsed: Duration,
    /// The share of the table in use at the end, in permille.
    pub hashfull: u32,
}

impl SpeedtestRow {
    pub fn nodes_per_second(&self) -> f64 {
        per_second(self.nodes, self.elapsed)
    }

    /// The speed as a multiple of another.
    pub fn scaling(&self, base: &Self) -> f64 {
        self.nodes_per_second() / base.nodes_per_second().max(1.0)
    }

    /// The speed per thread relative to `base`; 1 if threads do not slow each other down.
    pub fn efficiency(&self, base: &Self) -> f64 {
        self.scaling(base) * base.threads as f64 / self.threads as f64
    }
}

/// 1, 2, 4 … and `most` itself.
pub fn doubling(most: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |threads| Some(2 * threads));
    powers.take_while(|&threads| threads < most).chain([most]).collect()
}

/// Measures each number of threads. `progress` is called with the number of searches
/// done. A stop ends it with the rows measured so far.
pub fn run(
    config: &SpeedtestConfig,
    stop: &Stop,
    mut progress: impl FnMut(usize),
) -> Result<Vec<SpeedtestRow>, SearcherError> {
    let positions: Vec<Position> =
        POSITIONS[..RICH].iter().filter_map(|fen| Position::from_fen(fen).ok()).collect();
    let limits =
        Limits { movetime: Some(config.time / (2 * positions.len() as u32)), ..Limits::default() };
    let options = SearchOptions { move_overhead: Duration::ZERO, ..SearchOptions::default() };
    let mut searcher = Searcher::new(config.hash_mib)?;
    let mut rows: Vec<SpeedtestRow> = config
        .threads
        .iter()
        .map(|&threads| SpeedtestRow { threads, nodes: 0, elapsed: Duration::ZERO, hashfull: 0 })
        .collect();
    let upwards = 0..rows.len();
    let mut done = 0;
    'measuring: for index in upwards.clone().chain(upwards.rev()) {
        let row = &mut rows[index];
        searcher.set_threads(row.threads)?;
        searcher.clear();
        for position in &positions {
            let start = Instant::now();
            let request = SearchRequest::new(position.clone(), limits.clone()).of_job(stop);
            let request = SearchRequest { options, ..request };
            let outcome = searcher.search(request, &mut ());
            row.elapsed += start.elapsed();
            row.nodes += outcome.nodes;
            row.hashfull = searcher.hash_occupied();
            done += 1;
            progress(done);
            if stop.is_stopped() {
                break 'measuring;
            }
        }
    }
    rows.retain(|row| row.nodes > 0);
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_threads_double_up_to_the_last() {
        assert_eq!(doubling(1), [1]);
        assert_eq!(doubling(2), [1, 2]);
        assert_eq!(doubling(8), [1, 2, 4, 8]);
        assert_eq!(doubling(12), [1, 2, 4, 8, 12]);
    }

    #[test]
    fn scaling_is_a_ratio_of_speeds() {
        let row = |threads, nodes, seconds| SpeedtestRow {
            threads,
            nodes,
            elapsed: Duration::from_secs(seconds),
            hashfull: 0,
        };
        let (one, four) = (row(1, 1_000, 2), row(4, 6_000, 4));
        assert!((four.scaling(&one) - 3.0).abs() < 1e-9);
        assert!((four.efficiency(&one) - 0.75).abs() < 1e-9);
    }

    #[test]
    fn every_number_of_threads_is_measured_twice() {
        let config =
            SpeedtestConfig { threads: doubling(2), hash_mib: 1, time: Duration::from_millis(40) };
        let mut done = 0;
        let rows = run(&config, &Stop::default(), |searches| done = searches).unwrap();
        assert_eq!(done, config.searches());
        assert_eq!(rows.iter().map(|row| row.threads).collect::<Vec<_>>(), [1, 2]);
        assert!(rows.iter().all(|row| row.nodes > 0 && row.elapsed > Duration::ZERO));
    }

    #[test]
    fn a_stop_ends_it_with_the_rows_so_far() {
        let config =
            SpeedtestConfig { threads: doubling(2), hash_mib: 1, time: Duration::from_millis(40) };
        let stop = Stop::default();
        let rows = run(&config, &stop, |_| stop.stop()).unwrap();
        assert_eq!(rows.iter().map(|row| row.threads).collect::<Vec<_>>(), [1]);
    }
}
