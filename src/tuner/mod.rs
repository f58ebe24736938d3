//! Fitting the weights of the evaluation to games.
//!
//! A position with the result of its game is a sample ([`sample`]); what the
//! evaluation counts in it, taken from the same trace that explains it, becomes
//! a row of coefficients ([`dataset`]). The score is a function of the weights
//! whose gradient is known ([`model`]), and a fit ([`fit`]) moves the weights so
//! that the expected result, a sigmoid of the score, comes closest to what the
//! sample says (P. Österlund, "Texel's tuning method", 2014; the gradient steps
//! are those of D. Kingma and J. Ba, "Adam: a method for stochastic
//! optimization", 2015). Afterwards the weights are brought into a form that
//! people can read ([`normalise`]).
//!
//! The same samples say how scores become results: [`mod`] fits the model of
//! [`wdl`](crate::eval::wdl) to them.

pub mod dataset;
pub mod fit;
pub mod model;
pub mod normalise;
pub mod sample;
pub mod wdl;

/// Positions of real games for the tests of this folder.
#[cfg(test)]
const SAMPLES: &str = "\
r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4 | 30 | 1
rn1q1rk1/p4pb1/6pp/2Nbp3/1p6/3Q1NPP/PPP2PB1/R4RK1 b - - 2 16 | -34 | 0
1b6/p5r1/7p/3k4/1p5q/1P1B1R2/P1P1N3/5K2 w - - 10 53 | -596 | 0
8/5ppk/7p/3P4/8/6P1/5PKP/8 b - - 0 1 | 500 | 0.5
";
