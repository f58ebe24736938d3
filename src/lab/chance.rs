//! Chances to win, for the algorithms that reckon with them instead of points.

use crate::lab::SettingInfo;
use crate::lab::game::DECISIVE;

/// The setting of the algorithms.
pub const SCALE: SettingInfo = SettingInfo::number(
    "scale",
    [1, 10_000],
    200,
    "a lead of N points is a chance of 73 %, by the logistic function",
);

/// The share of a straight line in a chance, so that a greater lead always is a greater chance.
const LINEAR: f64 = 0.01;

/// The chance to win with a value: nearly the logistic function of the value over the scale.
/// Only games that are decided are certain.
pub fn chance(value: i32, scale: f64) -> f64 {
    if value.abs() >= DECISIVE {
        return f64::from(value > 0);
    }
    let logistic = 1.0 / (1.0 + (-f64::from(value) / scale).exp());
    let line = f64::midpoint(1.0, f64::from(value) / f64::from(DECISIVE));
    (1.0 - LINEAR) * logistic + LINEAR * line
}

/// The inverse of [`chance`], to the next point within the values of games that are not
/// decided.
pub fn value_of_chance(wanted: f64, scale: f64) -> i32 {
    let (mut low, mut high) = (1 - DECISIVE, DECISIVE - 1);
    while high - low > 1 {
        let middle = i32::midpoint(low, high);
        if chance(middle, scale) < wanted { low = middle } else { high = middle }
    }
    let distance = |&value: &i32| (chance(value, scale) - wanted).abs();
    if distance(&low) < distance(&high) { low } else { high }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::game::WIN;

    #[test]
    fn chances_and_values() {
        for scale in [1.0, 200.0, 10_000.0] {
            for value in [-500, -100, -1, 0, 1, 7, 35, 500].map(|it| it * scale as i32 / 200) {
                assert_eq!(value_of_chance(chance(value, scale), scale), value);
                assert!((chance(value, scale) + chance(-value, scale) - 1.0).abs() < 1e-12);
            }
        }
        assert_eq!((chance(WIN - 3, 200.0), chance(-WIN, 200.0)), (1.0, 0.0));
        assert_eq!((value_of_chance(1.0, 200.0), value_of_chance(0.0, 200.0)), (29_999, -29_999));
        assert!((chance(200, 200.0) - 0.731).abs() < 3e-3);
    }

    /// However great a lead, a greater one is better, and a win is best.
    #[test]
    fn a_greater_lead_is_a_greater_chance() {
        for scale in [1.0, 200.0, 10_000.0] {
            let chances: Vec<f64> = (-DECISIVE..=DECISIVE).map(|it| chance(it, scale)).collect();
            assert!(chances.is_sorted_by(|a, b| a < b), "{scale}");
        }
    }
}
