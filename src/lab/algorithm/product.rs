//! Backing up chances (Pearl, "Heuristics", 1984; Nau, "Pathology on game trees revisited,
//! and an alternative to minimaxing", Artificial Intelligence 21, 1983). If the chances of
//! the children were independent, MAX would win a node of his own unless all children are
//! lost, and a node of MIN if all are won. Then a node with many good moves is better than
//! one with a single best move.
//!
//! Children are not independent, and minimax errs to the other side: `average` takes the mean
//! of both rules (Nau, Purdom and Tzeng, "Experiments on alternatives to minimax",
//! International Journal of Parallel Programming 15, 1986).

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::backup::{Backup, back_up};
use crate::lab::chance::{chance, value_of_chance};
use crate::lab::{Answer, Law, LawSample, Proof, Search, Searched, SettingInfo, ensure};

#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// As in [`chance`]; 0 if leaves are won or lost.
    scale: f64,
    averages: bool,
}

const SCALE: SettingInfo = SettingInfo::number(
    "scale",
    [0, 10_000],
    200,
    "a lead of N points is a chance of 73 %; with 0 MAX wins any leaf above 0 and loses others",
);
const AVERAGE: SettingInfo = SettingInfo::flag("average", "the mean of the rule and minimax");

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "product",
    summary: "backs up chances as if the moves of a node were independent",
    settings: &[SCALE, AVERAGE],
    new: |given| {
        Box::new(Product { scale: given.number(&SCALE) as f64, averages: given.has(&AVERAGE) })
    },
    laws: &LAWS,
};

impl Algorithm for Product {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let max_to_move = s.game.max_to_move();
        let chance = back_up(self, s, s.depth)?;
        let value = value_of_chance(chance, self.scale.max(1.0));
        let value = if max_to_move { value } else { -value };
        Ok(Answer { proof: Proof::Chance, ..s.complete(value) })
    }
}

impl Backup for Product {
    fn leaf(&self, value: i32) -> f64 {
        if self.scale > 0.0 { chance(value, self.scale) } else { f64::from(value > 0) }
    }

    fn combine(&self, max_to_move: bool, children: &mut [f64]) -> f64 {
        let (product, best) = if max_to_move {
            let lost: f64 = children.iter().map(|chance| 1.0 - chance).product();
            (1.0 - lost, children.iter().copied().fold(0.0, f64::max))
        } else {
            (children.iter().product(), children.iter().copied().fold(1.0, f64::min))
        };
        if self.averages { f64::midpoint(product, best) } else { product }
    }
}

const LAWS: [Law; 2] = [
    Law {
        name: "certain-products-are-minimax",
        text: "if every leaf is won or lost, products of chances win where minimax does, on \
               their own and averaged",
        applies: |_| true,
        check: certain_is_minimax,
    },
    Law {
        name: "products-favour-choice",
        text: "MAX, to move a ply before the leaves, has at least the value of minimax by \
               products of chances, and averaged no more than that",
        applies: |sample| sample.is_synthetic() && sample.depth == 1,
        check: |sample| {
            let values =
                [sample.minimax()?, sample.run("product:average")?, sample.run("product")?];
            let values = values.map(|run| run.value);
            ensure(values.is_sorted(), || format!("{values:?}"))
        },
    },
];

fn certain_is_minimax(sample: &LawSample) -> Result<(), String> {
    // The value is for the side to move; MAX wins above 0.
    let max_to_move = sample.game.clone().tree().max_to_move();
    let max_wins = |value: i32| if max_to_move { value > 0 } else { value < 0 };
    let expected = max_wins(sample.minimax()?.value);
    for row in ["product:scale=0", "product:scale=0:average"] {
        let value = sample.run(row)?.value;
        ensure(max_wins(value) == expected && value != 0, || format!("{row}: {value}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Product;
    use crate::lab::backup::Backup;

    #[test]
    fn chances_are_combined() {
        let product = Product { scale: 200.0, averages: false };
        let average = Product { averages: true, ..product };
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(close(product.combine(true, &mut [0.5, 0.2]), 0.6));
        assert!(close(product.combine(false, &mut [0.5, 0.2]), 0.1));
        assert!(close(average.combine(true, &mut [0.5, 0.2]), 0.55));
        assert!(close(average.combine(false, &mut [0.5, 0.2]), 0.15));
    }
}
