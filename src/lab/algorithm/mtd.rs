//! The other drivers of the memory-enhanced test (Plaat, Schaeffer, Pijls and de Bruin,
//! "Best-first fixed-depth minimax algorithms", 1996). They differ in the value that each
//! pass tests:
//!
//! | kind | tests | also known as |
//! |---|---|---|
//! | +inf | the upper bound | MT-SSS*: it evaluates the leaves of [SSS*](super::sss) in its order |
//! | -inf | the lower bound and one | MT-DUAL*: the same for [DUAL*](super::sss) |
//! | bi | the middle of the bounds | C* (Coplan, "A special-purpose machine for an improved search algorithm for deep chess combinations", 1982) |
//! | step | some way below the upper bound | |

use crate::lab::algorithm::mt::{self, GRAIN, PassStart};
use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::game::INFINITE;
use crate::lab::{Answer, Law, LawSample, Search, Searched, SettingInfo, ensure};

#[derive(Clone, Copy, Debug)]
pub struct Mtd {
    kind: MtdKind,
    grain: i32,
}

/// How the next value to test is chosen.
#[derive(Clone, Copy, Debug)]
enum MtdKind {
    PlusInfinity,
    MinusInfinity,
    Bisection,
    Step(i32),
}

const KIND: SettingInfo = SettingInfo::word(
    "kind",
    &["+inf", "-inf", "bi", "step"],
    "what a pass tests: +inf, the upper bound; -inf, the lower bound and one; bi, the middle \
     of them; step, a step below the upper bound",
);
const STEP: SettingInfo =
    SettingInfo::number("step", [1, 10_000], 50, "with kind=step: the size of a step")
        .with("kind=step");

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "mtd",
    summary: "the MTD family: null windows alone, from above, from below, by halves, by steps",
    settings: &[KIND, STEP, GRAIN],
    new: |given| {
        let step = MtdKind::Step(given.number(&STEP) as i32);
        let kinds = [MtdKind::PlusInfinity, MtdKind::MinusInfinity, MtdKind::Bisection, step];
        Box::new(Mtd { kind: given.choice(&KIND, &kinds), grain: given.number(&GRAIN) as i32 })
    },
    laws: &LAWS,
};

impl Algorithm for Mtd {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        mt::converge(s, self.grain, |PassStart { low, high, .. }| match self.kind {
            MtdKind::PlusInfinity => high,
            MtdKind::MinusInfinity => low + 1,
            MtdKind::Bisection => low + (high - low + 1) / 2,
            MtdKind::Step(step) => high - step,
        })
    }
}

const LAWS: [Law; 3] = [
    Law {
        name: "mtd-is-alpha-beta",
        text: "each of the MTD family has the value of minimax, its line leads to it, it proves \
               the bounds that alpha-beta proves, and visits no other leaves",
        applies: |_| true,
        check: |sample| {
            ["mtd", "mtd:kind=-inf", "mtd:kind=bi", "mtd:kind=step:step=7"]
                .into_iter()
                .try_for_each(|row| mt::is_alpha_beta(sample, row))
        },
    },
    Law {
        name: "mtd-passes",
        text: "each pass of the bisection halves the distance of the bounds of the root",
        applies: |_| true,
        check: |sample| {
            let passes = sample.run("mtd:kind=bi")?.counts.passes;
            let most = u64::from((2 * INFINITE).ilog2()) + 1;
            ensure(passes <= most, || format!("{passes} passes"))
        },
    },
    Law {
        name: "mtd-is-sss",
        text: "in a tree without transpositions MTD(+INF) evaluates the leaves of SSS* in the \
               same order, and MTD(-INF) those of DUAL*",
        applies: LawSample::is_synthetic,
        check: |sample| {
            sample.expect_same_leaves("mtd:kind=+inf", &sample.run("sss")?)?;
            sample.expect_same_leaves("mtd:kind=-inf", &sample.run("dual")?)
        },
    },
];

#[cfg(test)]
mod tests {
    use crate::lab::Proof;
    use crate::lab::test_run::solve;

    /// From above each pass lowers the bound by one, 1600 times.
    #[test]
    fn any_number_of_passes() {
        let replies = (0..40).map(|m| {
            let values: Vec<String> = (0..40).map(|n| (5000 - 40 * m - n).to_string()).collect();
            format!("0[0[{}]]", values.join(" "))
        });
        let tree = format!("explicit:[0[{}]]", replies.collect::<Vec<_>>().join(" "));
        for row in ["minimax", "mtd"] {
            let (answer, _) = solve(row, &tree, 4);
            assert_eq!((answer.value, answer.proof), (3401, Proof::Complete), "{row}");
        }
    }
}
