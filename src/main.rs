//! The program: UCI without arguments, otherwise the command line.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use env_logger::Env;
use log::LevelFilter;

use lovec::cli::{self, Cli};
use lovec::uci;

fn main() -> ExitCode {
    let arguments = Cli::parse();
    start_logging(arguments.log_level);
    match arguments.command {
        Some(command) => cli::run(&command),
        None => match uci::run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                let _ = writeln!(io::stderr(), "error: {error}");
                ExitCode::FAILURE
            }
        },
    }
}

/// Logs to the standard error, since the standard output belongs to the
/// protocol. Only problems are logged unless somebody asks for more: a client
/// that does not read them would hold the engine up.
fn start_logging(level: Option<LevelFilter>) {
    let mut logger = env_logger::Builder::from_env(Env::default().default_filter_or("warn"));
    if let Some(level) = level {
        logger.filter_level(level);
    }
    logger.init();
}
