//! The real program, driven through its command line and its standard streams.

#[cfg(target_os = "linux")]
mod attacks;
mod bench_signature;
mod books;
mod clients;
mod command_line;
mod datagen;
mod tune;
mod uci_fuzz;
mod uci_session;
