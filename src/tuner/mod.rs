//! Layer 5: fits the weights of the evaluation to games.
//!
//! A position with the result of its game is a sample ([`sample`]). The term counts of
//! its evaluation trace become a row of coefficients ([`dataset`]). The score is a
//! differentiable function of the weights ([`model`]), and a fit ([`fit`]) minimises the
//! squared difference between the expected result, a sigmoid of the score, and the
//! sample (Texel's tuning method: P. Österlund, "The texel evaluation function optimization
//! algorithm", 2014) by the gradient steps of D. Kingma and J. Ba ("Adam: a method for
//! stochastic optimization", 2015). Afterwards the weights are brought into a readable form
//! ([`normalise`]).
//!
//! [`learn`] compares this with other ways to learn the same weights. [`mod@wdl`] fits the
//! win/draw/loss model of [`eval::wdl`](crate::eval::wdl) to the same samples. [`relabel`]
//! replaces their scores by the ones of another engine.

pub mod dataset;
pub mod fit;
pub mod learn;
pub mod model;
pub mod normalise;
pub mod relabel;
pub mod sample;
pub mod wdl;

/// Positions of real games for tests.
#[cfg(test)]
const SAMPLES: &str = "\
r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4 | 30 | 1
rn1q1rk1/p4pb1/6pp/2Nbp3/1p6/3Q1NPP/PPP2PB1/R4RK1 b - - 2 16 | -34 | 0
1b6/p5r1/7p/3k4/1p5q/1P1B1R2/P1P1N3/5K2 w - - 10 53 | -596 | 0
8/5ppk/7p/3P4/8/6P1/5PKP/8 b - - 0 1 | 500 | 0.5
";
