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
//! people can read ([`normal`]).

pub mod dataset;
pub mod fit;
pub mod model;
pub mod normal;
pub mod sample;
