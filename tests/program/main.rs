//! The real program, through its command line and its standard streams.
// The rules for threads hold for the program, not for its tests.
#![allow(clippy::disallowed_methods)]

#[path = "../common/folder.rs"]
mod folder;
#[path = "../common/lines.rs"]
mod lines;
#[path = "../common/program.rs"]
mod program;
#[path = "../common/referee.rs"]
mod referee;
#[path = "../common/samples.rs"]
mod samples;
#[path = "../common/session.rs"]
mod session;
#[cfg(target_os = "linux")]
#[path = "../common/terminal.rs"]
mod terminal;

mod annotate;
mod annotate_engine;
mod annotate_foreign;
mod annotate_lines;
#[cfg(target_os = "linux")]
mod annotate_outputs;
mod annotate_page;
#[cfg(target_os = "linux")]
mod attacks;
mod bench_signature;
mod bench_statistics;
mod books;
mod clients;
mod command_line;
mod datagen;
mod egtb;
mod games;
mod games_in_pgn;
#[cfg(target_os = "linux")]
mod hostile_engines;
mod hostile_games;
#[cfg(unix)]
mod json;
mod label;
mod learn;
#[cfg(target_os = "linux")]
mod outputs;
#[cfg(target_os = "linux")]
mod play;
#[cfg(feature = "spsa")]
mod spsa;
mod terms;
mod tune;
mod uci_fuzz;
mod uci_session;
