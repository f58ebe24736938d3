//! The program: UCI without arguments, otherwise the command line.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;

use clap::{ColorChoice, Parser};
use env_logger::Env;
use log::LevelFilter;

use lovec::cli::{self, Cli, Command};
use lovec::search::STACK_BYTES;
use lovec::uci;

fn main() -> ExitCode {
    let arguments = Cli::parse();
    start_logging(arguments.log_level);
    match arguments.command {
        Some(command) => {
            run_command(command, arguments.color).unwrap_or_else(|error| complain(&error))
        }
        None => uci::run().map_or_else(|error| complain(&error), |()| ExitCode::SUCCESS),
    }
}

/// Commands that search need more stack than some systems give the first
/// thread.
fn run_command(command: Command, color: ColorChoice) -> io::Result<ExitCode> {
    let thread =
        thread::Builder::new().stack_size(STACK_BYTES).spawn(move || cli::run(&command, color))?;
    thread.join().map_err(|_| io::Error::other("the command did not finish"))
}

fn complain(error: &impl Display) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {error}");
    ExitCode::FAILURE
}

/// Logs to the standard error, since the standard output belongs to the
/// protocol. Only problems are logged unless somebody asks for more: a client
/// that does not read them would hold the engine up.
fn start_logging(level: Option<LevelFilter>) {
    let mut logger = env_logger::Builder::from_env(Env::default().default_filter_or("warn"));
    logger.format_timestamp_millis();
    if let Some(level) = level {
        logger.filter_level(level);
    }
    logger.init();
}
