//! Arguments of several commands: the limits of a search, its threads and its table,
//! numbers in a range, and options of engines.

use std::ops::RangeInclusive;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

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
    #[arg(long, default_value = DEFAULT.to_string(), value_name = "MIB", value_parser = whole::<u32>(1, MAX_MEBIBYTES))]
    pub hash: u32,
}

/// The threads of one search.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ThreadArgs {
    /// How many threads search
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = threads())]
    pub threads: u16,
}

/// The positions of a job that are searched at the same time.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ParallelArgs {
    /// Positions to search at the same time, each on a thread of its own
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u16>(1, 1024))]
    pub threads: u16,
}

/// At most one limit; by default `MS` milliseconds or, where that is 0, `NODES` nodes.
#[derive(Clone, Copy, Debug, clap::Args)]
#[group(multiple = false)]
pub(super) struct LimitArgs<const MS: u64, const NODES: u64> {
    #[arg(long, value_name = "MS", help = limit_help("Milliseconds to search each position", MS), value_parser = whole::<u64>(1, MAX_MILLISECONDS))]
    movetime: Option<u64>,
    /// Depth to search each position to
    #[arg(long, value_name = "D", value_parser = whole::<u8>(1, u64::from(MAX_DEPTH)))]
    depth: Option<u8>,
    #[arg(long, value_name = "N", help = limit_help("Nodes to search of each position", NODES), value_parser = whole::<u64>(1, u64::MAX))]
    nodes: Option<u64>,
}

/// The help of a limit, with its default unless that is 0.
fn limit_help(text: &str, default: u64) -> String {
    match default {
        0 => text.to_owned(),
        _ => format!("{text} [default: {default}, without another limit]"),
    }
}

/// A day.
pub(super) const MAX_MILLISECONDS: u64 = 24 * 60 * 60 * 1000;

impl<const MS: u64, const NODES: u64> LimitArgs<MS, NODES> {
    /// The given limit, or the default.
    pub fn limits(&self) -> Limits {
        let or_default = |given: Option<u64>, default| {
            given.or((default > 0 && !self.is_given()).then_some(default))
        };
        let movetime = or_default(self.movetime, MS).map(Duration::from_millis);
        let nodes = or_default(self.nodes, NODES);
        Limits { depth: self.depth, nodes, movetime, ..Limits::default() }
    }

    /// Whether a limit is given.
    pub fn is_given(&self) -> bool {
        self.movetime.or(self.nodes).is_some() || self.depth.is_some()
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

/// Parses a number of games, each opening of which is played twice.
pub(super) fn even_games(
    greatest: u64,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let games = whole::<u64>(2, greatest)(text)?;
        let odd = || "an opening is played twice, so the number must be even".to_owned();
        games.is_multiple_of(2).then_some(games).ok_or_else(odd)
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

/// Parses the name of one of these.
pub(super) fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|&it| name(it)))
        .try_map(move |given| all.iter().copied().find(|&it| name(it) == given).ok_or("unknown"))
}

/// A value as it is written on the command line.
pub(super) fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |it| it.get_name().to_owned())
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
        let none = LimitArgs::<1000, 0> { movetime: None, depth: None, nodes: None };
        assert_eq!(none.limits().movetime, Some(Duration::from_secs(1)));
        let depth = LimitArgs { depth: Some(5), ..none };
        assert_eq!((depth.limits().depth, depth.limits().movetime), (Some(5), None));
        let time = LimitArgs { movetime: Some(20), ..none };
        assert_eq!(time.limits().movetime, Some(Duration::from_millis(20)));
        let nodes = LimitArgs::<0, 500> { movetime: None, depth: None, nodes: None };
        assert_eq!((nodes.limits().nodes, nodes.limits().movetime), (Some(500), None));
    }

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
