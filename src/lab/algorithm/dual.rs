//! DUAL* (Kumar and Kanal, "A general branch and bound formulation for understanding and
//! synthesizing AND/OR tree search procedures", 1983; Marsland, Reinefeld and Schaeffer, "Low
//! overhead alternatives to SSS*", 1987): [SSS*](super::sss) with the sides exchanged. It
//! searches for the best strategy of the opponent, so that all moves of the root are settled
//! one after the other, as in alpha-beta, and OPEN is often shorter at odd depths.

use crate::lab::algorithm::sss::{self, RootSide};
use crate::lab::algorithm::{Algorithm, AlgorithmInfo, Drivers};
use crate::lab::{Answer, Law, Search, Searched};

#[derive(Clone, Copy, Debug)]
pub struct Dual;

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "dual",
    summary: "DUAL*: SSS* for the best strategy of the side not to move",
    settings: &[],
    drivers: Drivers::Depth,
    new: |_| Box::new(Dual),
    laws: &LAWS,
};

impl Algorithm for Dual {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        sss::solve(s, RootSide::Min)
    }
}

const LAWS: [Law; 2] = [
    Law {
        name: "dual-dominates-alpha-beta",
        text: "DUAL* has the value of minimax, its line leads to it, and it evaluates no leaf \
               twice and none that alpha-beta skips",
        applies: |_| true,
        check: |sample| sss::dominates_alpha_beta(sample, "dual"),
    },
    Law {
        name: "dual-list",
        text: "in a uniform tree the list of DUAL* grows to the leaves of a strategy of MIN, \
               w^floor(d/2), and no further",
        applies: |sample| sample.uniform().is_some(),
        check: |sample| sss::expect_peak(sample, "dual", |width, depth| width.pow(depth / 2)),
    },
];
