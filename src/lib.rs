//! Lovec: a UCI chess engine with a hand-crafted, explainable evaluation.

pub mod util;

pub mod chess;

pub mod eval;

pub mod search;
