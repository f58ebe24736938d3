//! The limits of a search, its threads and its table: options of all commands that
//! search.

use std::time::Duration;

use crate::cli::number::whole;
use crate::client::GoLimit;
use crate::search::{Limits, MAX_DEPTH, MAX_THREADS};

/// Reads a number of search threads.
pub(super) fn threads() -> impl Fn(&str) -> Result<u16, String> + Clone + Send + Sync + 'static {
    whole(1, MAX_THREADS as u64)
}

/// The largest table, in MiB: a tebibyte.
pub(super) const MAX_MEBIBYTES: u64 = 1 << 20;

/// The table, of `DEFAULT` MiB without the option.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct HashArgs<const DEFAULT: u32> {
    /// Size of the transposition table of each search in MiB
    #[arg(long, default_value_t = DEFAULT, value_name = "MB", allow_negative_numbers = true, value_parser = whole::<u32>(1, MAX_MEBIBYTES))]
    pub hash: u32,
}

/// The threads of one search.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ThreadArgs {
    /// How many threads search
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true, value_parser = threads())]
    pub threads: u16,
}

/// The positions of a job that are searched at the same time.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ParallelArgs {
    /// Positions to search at the same time, each on a thread of its own
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1, 1024))]
    pub threads: u16,
}

/// At most one limit.
#[derive(Clone, Copy, Debug, clap::Args)]
#[group(multiple = false)]
pub(super) struct LimitArgs {
    /// Milliseconds to search each position
    #[arg(long, value_name = "MS", allow_negative_numbers = true, value_parser = whole::<u64>(1, MAX_MILLISECONDS))]
    movetime: Option<u64>,
    /// Depth to search each position to
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = whole::<u8>(1, u64::from(MAX_DEPTH)))]
    depth: Option<u8>,
    /// Nodes to search of each position
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    nodes: Option<u64>,
}

/// A day.
const MAX_MILLISECONDS: u64 = 24 * 60 * 60 * 1000;

impl LimitArgs {
    /// The given limit, or `default` as the time.
    pub fn limits(&self, default: Duration) -> Limits {
        let asked = self.movetime.map(Duration::from_millis);
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        let movetime = asked.or(unlimited.then_some(default));
        Limits { depth: self.depth, nodes: self.nodes, movetime, ..Limits::default() }
    }

    /// The limit for another engine: the given one, or `default` as the nodes.
    pub fn go_limit(&self, default: u64) -> GoLimit {
        match (self.movetime, self.depth) {
            (Some(milliseconds), _) => GoLimit::MoveTime(Duration::from_millis(milliseconds)),
            (None, Some(depth)) => GoLimit::Depth(depth),
            (None, None) => GoLimit::Nodes(self.nodes.unwrap_or(default)),
        }
    }

    /// The given limit, or `default` as the nodes.
    pub fn limits_or_nodes(&self, default: u64) -> Limits {
        let movetime = self.movetime.map(Duration::from_millis);
        let unlimited = self.depth.is_none() && movetime.is_none();
        let nodes = self.nodes.or(unlimited.then_some(default));
        Limits { depth: self.depth, nodes, movetime, ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_applies_only_without_a_limit() {
        let second = Duration::from_secs(1);
        let none = LimitArgs { movetime: None, depth: None, nodes: None };
        assert_eq!(none.limits(second).movetime, Some(second));
        let depth = LimitArgs { depth: Some(5), ..none };
        assert_eq!((depth.limits(second).depth, depth.limits(second).movetime), (Some(5), None));
        let time = LimitArgs { movetime: Some(20), ..none };
        assert_eq!(time.limits(second).movetime, Some(Duration::from_millis(20)));
    }
}
