//! A pool of threads for rayon.
//!
//! Rayon's own pool starts at its first use with as many threads as the environment
//! requests, and ends the program if the system refuses one. This pool has at most one
//! thread for each core, fewer if the system refuses more; without any the calling
//! thread does all work.

use std::env;
use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::util::thread;

/// The stack of each thread, in bytes.
const STACK_BYTES: usize = 4 << 20;

/// Runs `work`, whose parallel iterators use all cores.
pub fn on_all_cores<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    // A thread of a pool uses that pool.
    if rayon::current_thread_index().is_some() {
        return work();
    }
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    match POOL.get_or_init(|| largest(wanted())) {
        Some(pool) => pool.install(work),
        None => alone(work),
    }
}

/// One thread for each core, or fewer if `RAYON_NUM_THREADS` requests so.
fn wanted() -> usize {
    let cores = thread::cores();
    let asked = env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok());
    asked.filter(|&number| number > 0).map_or(cores, |number: usize| number.min(cores))
}

/// A pool of `threads` threads, or of as many as the system allows.
fn largest(threads: usize) -> Option<ThreadPool> {
    let sizes = std::iter::successors(Some(threads), |size| Some(size / 2));
    let pool = sizes.take_while(|&size| size > 0).find_map(pool_of);
    let had = pool.as_ref().map_or(1, ThreadPool::current_num_threads);
    if had < threads {
        log::warn!("could not start {threads} threads; using {had}");
    }
    pool
}

fn pool_of(threads: usize) -> Option<ThreadPool> {
    let start = |thread: rayon::ThreadBuilder| {
        let name = format!("worker {}", thread.index());
        thread::start(&name, STACK_BYTES, || thread.run()).map(drop)
    };
    ThreadPoolBuilder::new().num_threads(threads).spawn_handler(start).build().ok()
}

/// Makes the calling thread a pool of its own, for as long as it lives.
fn alone<T>(work: impl FnOnce() -> T) -> T {
    if let Err(error) = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
        log::error!("could not make a pool of one thread: {error}");
    }
    work()
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    fn sum() -> u64 {
        (0..10_000u64).into_par_iter().sum()
    }

    #[test]
    fn work_is_done_with_and_without_a_pool() {
        assert_eq!(on_all_cores(|| on_all_cores(sum)), 49_995_000);
        assert_eq!(pool_of(3).unwrap().install(sum), 49_995_000);
        let alone = thread::start("alone", STACK_BYTES, || {
            let sum = alone(sum);
            (sum, rayon::current_num_threads(), on_all_cores(rayon::current_num_threads))
        });
        assert_eq!(alone.unwrap().join().unwrap(), (49_995_000, 1, 1));
    }

    #[test]
    fn no_more_threads_than_cores_are_wanted() {
        assert!((1..=thread::cores()).contains(&wanted()));
        assert!(largest(0).is_none());
    }
}
