//! How the value of a deep search depends on the value of a shallow one: a straight line by
//! least squares. [ProbCut](crate::lab::search::probcut) prunes by it.

use serde::Serialize;

/// A line through pairs of values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fit {
    #[serde(skip)]
    pub pairs: usize,
    /// What the deep value changes by for a change of 1 of the shallow one.
    pub slope: f64,
    /// The deep value at a shallow value of 0.
    pub shift: f64,
    /// The correlation of both values, from -1 to 1.
    pub correlation: f64,
    /// The standard deviation of the deep values from the line.
    pub error: f64,
}

impl Fit {
    /// The line through pairs of a shallow and a deep value; `None` if there are fewer than
    /// three, or all shallow or all deep values are equal.
    pub fn new(pairs: &[(f64, f64)]) -> Option<Self> {
        let count = pairs.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            pairs.iter().map(|pair| of(pair.0 - x, pair.1 - y)).sum()
        };
        let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
        if pairs.len() < 3 || xx <= 0.0 || yy <= 0.0 {
            return None;
        }
        let slope = xy / xx;
        // Two of the pairs are used up by the slope and the shift.
        let rest = (yy - slope * xy).max(0.0) / (count - 2.0);
        Some(Self {
            pairs: pairs.len(),
            slope,
            shift: y - slope * x,
            correlation: xy / (xx * yy).sqrt(),
            error: rest.sqrt(),
        })
    }

    /// The settings of a row that prunes by the line.
    pub fn settings(&self, shallow: u32, deep: u32) -> String {
        let Self { slope, shift, error, .. } = self;
        format!(
            "probcut={deep}:probcutshallow={shallow}:probcutslope={:.0}:probcutshift={shift:.0}:\
             probcuterror={error:.0}",
            100.0 * slope
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found() {
        let pairs: Vec<(f64, f64)> =
            (0..10).map(|x| (f64::from(x), 2.0 * f64::from(x) - 7.0)).collect();
        let fit = Fit::new(&pairs).unwrap();
        assert!((fit.slope - 2.0).abs() < 1e-9 && (fit.shift + 7.0).abs() < 1e-9, "{fit:?}");
        assert!((fit.correlation - 1.0).abs() < 1e-9 && fit.error < 1e-6, "{fit:?}");
    }

    /// Values that are 3 above or below the line on either side of each point.
    #[test]
    fn errors_are_measured() {
        let points = (0..50).flat_map(|x| [-3.0, 3.0].map(|error| (f64::from(x), error)));
        let pairs: Vec<(f64, f64)> = points.map(|(x, error)| (x, x - 10.0 + error)).collect();
        let fit = Fit::new(&pairs).unwrap();
        assert!((fit.slope - 1.0).abs() < 1e-9 && (fit.shift + 10.0).abs() < 1e-9, "{fit:?}");
        assert!((3.0..3.1).contains(&fit.error) && fit.correlation < 1.0, "{fit:?}");
        let settings =
            "probcut=4:probcutshallow=2:probcutslope=100:probcutshift=-10:probcuterror=3";
        assert_eq!(fit.settings(2, 4), settings);
    }

    #[test]
    fn no_line_goes_through_too_few_points() {
        for pairs in [
            &[][..],
            &[(1.0, 1.0), (2.0, 3.0)],
            &[(1.0, 1.0); 3],
            &[(1.0, 2.0), (1.0, 5.0), (1.0, 3.0)],
        ] {
            assert_eq!(Fit::new(pairs), None);
        }
    }
}
