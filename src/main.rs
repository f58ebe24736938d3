//! The program: UCI without arguments, otherwise the command line.

use std::env;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::{ColorChoice, Parser};

use lovec::cli::{self, Cli, Command};
use lovec::search::STACK_BYTES;
use lovec::uci;
use lovec::util::{logging, stream, thread};

/// How long a command waits for somebody who does not read its warnings. A game does
/// not wait at all.
const PATIENCE_WITH_WARNINGS: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    report_full_files_as_errors();
    let arguments = match Cli::try_parse() {
        Ok(arguments) => arguments,
        Err(message) => return print(&message),
    };
    let patience = match arguments.command {
        Some(_) => PATIENCE_WITH_WARNINGS,
        None => Duration::ZERO,
    };
    logging::start(arguments.log_level, patience);
    let status = match arguments.command {
        Some(command) => run_command(command, arguments.color).unwrap_or_else(|error| {
            logging::report_error(&format_args!("could not start the command: {error}"));
            ExitCode::from(2)
        }),
        None => match uci::run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                logging::report_error(&error);
                ExitCode::FAILURE
            }
        },
    };
    logging::finish();
    status
}

/// Commands that search need more stack than some systems give the first
/// thread.
fn run_command(command: Command, color: ColorChoice) -> io::Result<ExitCode> {
    let thread = thread::start("command", STACK_BYTES, move || cli::run(&command, color))?;
    thread.join().map_err(|_| io::Error::other("the command did not finish"))
}

/// Prints what was asked for instead of a command, such as the help, or what is wrong
/// with the arguments.
fn print(message: &clap::Error) -> ExitCode {
    let status = ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(u8::MAX));
    if message.use_stderr() {
        // With nobody to read it, the status has to do.
        let _ = write_styled(message, io::stderr().is_terminal(), stream::stderr());
        return status;
    }
    match write_styled(message, io::stdout().is_terminal(), stream::stdout()) {
        // A reader that goes away early is no failure.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            logging::report_error(&format_args!("cannot write to the standard output: {error}"));
            ExitCode::from(2)
        }
        _ => status,
    }
}

/// Writes a message, in colour on a terminal whose user has nothing against it.
fn write_styled(message: &clap::Error, terminal: bool, mut out: impl Write) -> io::Result<()> {
    let is_set = |variable| env::var_os(variable).is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_none_or(|kind| kind == "dumb");
    let text = message.render();
    if terminal && !dumb && !is_set("NO_COLOR") {
        write!(out, "{}", text.ansi())?;
    } else {
        write!(out, "{text}")?;
    }
    out.flush()
}

/// A file that has reached the size that the system allows shall be an error like a
/// full disk, instead of a signal that ends the process.
fn report_full_files_as_errors() {
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGXFSZ;
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;
        // Handling the signal is enough: the write then fails. If the system refuses
        // that, the signal stays what it is.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}
