//! How far a mean may be from the truth.

/// Half of the 95 % confidence interval of the mean of `count` values, from their sum and the
/// sum of their squares, by Student's t. `None` for fewer than two values.
pub fn error_of_mean(sum: f64, squares: f64, count: u64) -> Option<f64> {
    let n = count as f64;
    let variance = (squares - sum.powi(2) / n).max(0.0) / (n - 1.0);
    (count > 1).then(|| errors_of_95_percent(n - 1.0) * (variance / n).sqrt())
}

/// Standard errors on either side of 95 % of Student's distribution with these degrees of
/// freedom (Abramowitz and Stegun, "Handbook of mathematical functions", 26.7.5): 11.3 of 12.7
/// for one degree, right to a percent from two on.
fn errors_of_95_percent(degrees: f64) -> f64 {
    [1.5895, 2.5558, 2.8225, 2.3723, 1.96].iter().fold(0.0, |sum, term| sum / degrees + term)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of Student's distribution, 97.5 %.
    #[test]
    fn few_values_have_wide_intervals() {
        for (degrees, tabulated) in
            [(2.0, 4.303), (3.0, 3.182), (4.0, 2.776), (9.0, 2.262), (30.0, 2.042), (1e9, 1.96)]
        {
            let errors = errors_of_95_percent(degrees);
            assert!((errors / tabulated - 1.0).abs() < 0.01, "{degrees}: {errors}");
        }
    }

    #[test]
    fn errors_of_means() {
        assert_eq!((error_of_mean(0.0, 0.0, 0), error_of_mean(3.0, 9.0, 1)), (None, None));
        assert_eq!(error_of_mean(21.0, 63.0, 7), Some(0.0));
        // Five times 0 and five times 1: a variance of 2.5 / 9.
        let error = error_of_mean(5.0, 5.0, 10).unwrap();
        assert!((error - 0.377).abs() < 1e-3, "{error}");
    }
}
