//! The real program, driven through its command line and its standard streams.

#[cfg(target_os = "linux")]
mod attacks;
mod bench_signature;
mod books;
mod clients;
mod datagen;
mod games;
mod syzygy_verify;
mod tune;
mod uci_fuzz;
mod uci_session;
