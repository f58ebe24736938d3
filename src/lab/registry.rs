//! The list of the algorithms.

use crate::lab::algorithm::{self, Algorithm, AlgorithmInfo};
use crate::lab::answer::Answer;
use crate::lab::law::Law;
use crate::lab::limit::StopReason;
use crate::lab::search::Search;
use crate::lab::settings::GivenSettings;

macro_rules! algorithms {
    ($($section:literal $module:ident::{$($name:ident),+},)+) => {
        /// Any of the algorithms, with its settings.
        #[derive(Clone, Debug)]
        pub enum AnyAlgorithm {
            $($($name(algorithm::$module::$name),)+)+
        }

        /// What there is to know of each algorithm, by the section of the overview.
        pub const ALGORITHMS: &[(&str, AlgorithmInfo)] =
            &[$($(($section, algorithm::$module::$name::INFO),)+)+];

        /// The laws of all algorithms.
        pub const LAWS: &[&[Law]] = &[$(&algorithm::$module::LAWS,)+];

        impl AnyAlgorithm {
            /// The algorithm of a name with its own settings, which are valid.
            pub fn new(name: &str, given: &GivenSettings) -> Option<Self> {
                $($(if name == algorithm::$module::$name::INFO.name {
                    return Some(Self::$name(algorithm::$module::$name::new(given)));
                })+)+
                None
            }

            pub fn info(&self) -> AlgorithmInfo {
                match self {
                    $($(Self::$name(_) => algorithm::$module::$name::INFO,)+)+
                }
            }

            /// Searches as [`Algorithm::search`].
            pub fn search(&self, s: &mut Search<'_>) -> Result<Answer, StopReason> {
                match self {
                    $($(Self::$name(algorithm) => algorithm.search(s),)+)+
                }
            }
        }
    };
}

algorithms! {
    "depth-first" minimax::{Minimax},
    "depth-first" negamax::{Negamax},
    "depth-first" alpha_beta::{AlphaBeta},
    "depth-first" m_n::{MAndN},
    "depth-first" product::{Product},
    "depth-first" probability::{Probability},
    "depth-first" hybrid::{Hybrid},
    "depth-first" abc::{AlphaBetaConspiracy},
    "null window" negascout::{NegaScout, Pvs},
    "null window" mtdf::{MtdF},
    "null window" mtd::{Mtd},
    "best-first" sss::{Sss},
    "best-first" dual::{Dual},
    "growing" best_first::{BestFirst},
    "growing" conspiracy::{Conspiracy},
    "growing" b_star::{BStar},
    "growing" b_star_95::{BStar95},
    "growing" minmax_approx::{MinMaxApproximation},
    "growing" equi_potential::{EquiPotential},
    "growing" bayesian::{Bayesian},
    "growing" mcts::{Mcts},
    "proving" pn::{Pn},
    "proving" pn2::{Pn2},
    "proving" dfpn::{DfPn},
    "playing" lovec::{Lovec},
}
