//! Parts of a job that run independently, perhaps on different machines.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// One of several parts of a job, written `K/N`: the `K`-th of `N`, from 1.
///
/// The parts of a list are contiguous, in order, and of equal length up to one item, so that
/// the joined results of all parts are the result of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    index: u32,
    /// At least 1.
    count: u32,
}

impl Shard {
    /// The only part of one.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Which of `length` items belong to this part.
    ///
    /// ```
    /// use lovec::util::shard::Shard;
    /// let shard: Shard = "2/3".parse().unwrap();
    /// assert_eq!(shard.range(10), 3..6);
    /// ```
    pub fn range(self, length: u64) -> Range<u64> {
        let end = |parts: u32| {
            let end = u128::from(length) * u128::from(parts) / u128::from(self.count);
            u64::try_from(end).unwrap_or(length)
        };
        end(self.index)..end(self.index + 1)
    }

    /// The items of this part.
    pub fn part<T>(self, items: &[T]) -> &[T] {
        let Range { start, end } = self.range(items.len() as u64);
        &items[start as usize..end as usize]
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "K/N with K from 1 to N is expected, as in 2/7";
        let (number, count) = text.split_once('/').ok_or(EXPECTED)?;
        let [number, count]: [u32; 2] =
            [number.parse().map_err(|_| EXPECTED)?, count.parse().map_err(|_| EXPECTED)?];
        if !(1..=count).contains(&number) {
            return Err(EXPECTED);
        }
        Ok(Self { index: number - 1, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_the_whole_in_order() {
        for length in [0, 1, 6, 7, 100, u64::MAX] {
            for count in [1, 2, 3, 7, 1000] {
                let parts = (0..count).map(|index| Shard { index, count }.range(length));
                let mut next = 0;
                for part in parts {
                    assert_eq!(part.start, next);
                    let size = part.end - part.start;
                    assert!(
                        [length / u64::from(count), length.div_ceil(count.into())].contains(&size)
                    );
                    next = part.end;
                }
                assert_eq!(next, length);
            }
        }
        assert_eq!(Shard { index: 1, count: 2 }.part(&[1, 2, 3]), [2, 3]);
    }

    #[test]
    fn shards_are_read_and_written() {
        for text in ["1/1", "2/7", "7/7", "4294967295/4294967295"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "1", "/", "0/1", "2/1", "0/0", "-1/2", "1/2/3", "1/4294967296", "a/b"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
