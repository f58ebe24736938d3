//! Arguments of several commands: the limits of a search, its threads and its table,
//! numbers in a range, and options of engines.

use std::ops::RangeInclusive;
use std::time::Duration;

use clap::ValueEnum;

use crate::client::GoLimit;
use crate::insight::mark::PlayerLevel;
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
    // `default_value_t` keeps its text in a static, which all instances of a generic type share.
    /// Size of the transposition table of each search in MiB
    #[arg(long, default_value = DEFAULT.to_string(), value_name = "MB", allow_negative_numbers = true, value_parser = whole::<u32>(1, MAX_MEBIBYTES))]
    pub hash: u32,
}

/// Whose games they are.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LevelArg {
    Club,
    Expert,
}

impl From<LevelArg> for PlayerLevel {
    fn from(level: LevelArg) -> Self {
        match level {
            LevelArg::Club => Self::Club,
            LevelArg::Expert => Self::Expert,
        }
    }
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

/// Parses a whole number from `least` to `greatest`, both included; the error names the
/// range. Both ends must fit into `T`.
pub(super) fn whole<T: TryFrom<u64>>(
    least: u64,
    greatest: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=greatest).contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match greatest {
            u64::MAX => format!("a whole number from {least} up to 2^64 - 1 is expected"),
            _ => format!("a whole number from {least} to {greatest} is expected"),
        })
    }
}

/// Parses a finite number in a range.
pub(super) fn real(
    range: RangeInclusive<f32>,
) -> impl Fn(&str) -> Result<f32, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number: f32 = text.parse().map_err(|_| "not a number".to_owned())?;
        let (least, greatest) = (range.start(), range.end());
        let outside = || format!("not between {least} and {greatest}");
        range.contains(&number).then_some(number).ok_or_else(outside)
    }
}

/// Reads the name and the value of an option.
pub(super) fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("a name and a value are expected, as in Threads=2".to_owned()),
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

#[cfg(test)]
mod number_tests {
    use super::*;

    #[test]
    fn numbers_are_read_within_their_range() {
        let depth = whole::<u8>(1, 127);
        assert_eq!((depth("1"), depth("127")), (Ok(1), Ok(127)));
        for text in ["0", "128", "-1", "", "1e999", "NaN", "1.5", "18446744073709551616"] {
            let error = depth(text).unwrap_err();
            assert_eq!(error, "a whole number from 1 to 127 is expected", "{text}");
        }
        assert_eq!(whole::<u64>(1, u64::MAX)("18446744073709551615"), Ok(u64::MAX));
    }
}
