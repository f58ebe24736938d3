//! The M & N procedure (Slagle and Dixon, "Experiments with the M & N tree-searching
//! program", Communications of the ACM 13, 1970). Values are uncertain, so a node with
//! several good moves is better than its best move says. A node of MAX gets a function of its
//! M greatest children, one of MIN of its N least; here the function is the mean.

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::backup::{Backup, back_up};
use crate::lab::{Answer, Law, LawSample, Proof, Search, Searched, SettingInfo, ensure};

#[derive(Clone, Copy, Debug)]
pub struct MAndN {
    /// How many children count at a node of MAX.
    max: usize,
    /// How many children count at a node of MIN.
    min: usize,
}

const M: SettingInfo =
    SettingInfo::number("m", [1, 1000], 2, "the number of the best moves that count for MAX");
const N: SettingInfo =
    SettingInfo::number("n", [1, 1000], 2, "the number of the best moves that count for MIN");

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "m-n",
    summary: "M & N: a function, here the mean, of MAX's M best moves, and of MIN's N best",
    settings: &[M, N],
    new: |given| Box::new(MAndN { max: given.number(&M) as usize, min: given.number(&N) as usize }),
    laws: &LAWS,
};

impl Algorithm for MAndN {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let sign = if s.game.max_to_move() { 1.0 } else { -1.0 };
        let value = sign * back_up(self, s, s.depth)?;
        Ok(Answer { proof: Proof::Mean, ..s.complete(value.round() as i32) })
    }
}

impl Backup for MAndN {
    fn leaf(&self, value: i32) -> f64 {
        value.into()
    }

    fn combine(&self, max_to_move: bool, children: &mut [f64]) -> f64 {
        children.sort_by(f64::total_cmp);
        let counted = if max_to_move {
            &children[children.len().saturating_sub(self.max)..]
        } else {
            &children[..self.min.min(children.len())]
        };
        counted.iter().sum::<f64>() / counted.len() as f64
    }
}

const LAWS: [Law; 2] = [
    Law {
        name: "one-and-one-is-minimax",
        text: "M & N with one move each has the value of minimax and visits the same leaves in \
               the same order",
        applies: |_| true,
        check: |sample| {
            let minimax = sample.minimax()?;
            let own = sample.expect_line("m-n:m=1:n=1", minimax.value)?;
            ensure(own.leaves == minimax.leaves, || "leaves".into())
        },
    },
    Law {
        name: "more-moves-count-less",
        text: "the more moves of a side count in M & N, the less the side has",
        applies: |sample| sample.is_synthetic(),
        check: more_moves_count_less,
    },
];

/// Compares the values for MAX, who moves at the root of a synthetic tree.
fn more_moves_count_less(sample: &LawSample) -> Result<(), String> {
    for settings in [["m=1:n=2", "m=2:n=2", "m=4:n=2"], ["m=2:n=4", "m=2:n=2", "m=2:n=1"]] {
        let mut last = i32::MAX;
        for setting in settings {
            let value = sample.run(&format!("m-n:{setting}"))?.value;
            ensure(value <= last, || format!("{setting}: {value}, before it {last}"))?;
            last = value;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::lab::test_run::solve;

    /// The first move has two good leaves, the second only one.
    #[test]
    fn several_good_moves_count() {
        let run = |row: &str| {
            let tree = "explicit:[[[9 8] [20 30]] [[10 0] [20 30]]]";
            let (answer, _) = solve(row, tree, 3);
            (answer.value, answer.line[0])
        };
        assert_eq!(run("m-n:m=1:n=1"), (10, 1));
        assert_eq!(run("m-n:m=2:n=1"), (7, 0));
        assert_eq!(run("m-n:m=2:n=2"), (16, 0));
    }
}
