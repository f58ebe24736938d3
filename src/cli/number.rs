//! Numbers on the command line.

use std::ops::RangeInclusive;

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

#[cfg(test)]
mod tests {
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
