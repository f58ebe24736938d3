//! Lovec: a UCI chess engine with a hand-crafted, explainable evaluation.
//!
//! The modules are layers; each imports only from those above it in this list.
//!
//! | layer | module | what it is |
//! |---|---|---|
//! | 0 | [`util`] | small tools without chess |
//! | 1 | [`chess`] | the rules: positions, moves, notation, perft |
//! | 2 | [`book`], [`tablebase`], [`page`] | opening books; endgame tables; pages in HTML, boards and charts in SVG |
//! | 3 | [`eval`] | the evaluation |
//! | 4 | [`search`], [`client`] | the search; driving other engines |
//! | 5 | [`engine`], [`suite`], [`datagen`], [`tuner`], [`spsa`], [`lab`], [`insight`] | the engine with its options; benchmarks and test suites; self-play; fitting the evaluation; tuning the search by games; classic algorithms side by side; what can be said about a move |
//! | 6 | [`annotate`], [`uci`] | annotating games; the protocol |
//! | 7 | [`cli`] | the command line |
// The documentation of modules refers to private items.
#![allow(rustdoc::private_intra_doc_links)]
// A test may start threads in any way: a panic is then a failed test.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod util;

pub mod chess;

pub mod book;
pub mod page;
pub mod tablebase;

pub mod eval;

pub mod client;
pub mod search;

pub mod datagen;
pub mod engine;
pub mod insight;
pub mod lab;
pub mod spsa;
pub mod suite;
pub mod tuner;

pub mod annotate;
pub mod cli;
pub mod uci;
