//! The program: UCI without arguments, otherwise the command line.

use std::env;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use lovec::cli::{self, Cli};
use lovec::search::STACK_BYTES;
use lovec::uci;
use lovec::util::foreign_text::VisibleWriter;
use lovec::util::{logging, stream, thread, timeouts, unsafe_ops};

fn main() -> ExitCode {
    unsafe_ops::share_one_heap();
    report_full_files_as_errors();
    let arguments = match Cli::read(env::args_os()) {
        Ok(arguments) => arguments,
        Err(message) => return print(&message),
    };
    let timeout = match arguments.command {
        Some(_) => timeouts::BUSY,
        None => Duration::ZERO,
    };
    logging::start(arguments.log_level, timeout);
    let status = match arguments.command {
        Some(_) => run_command(arguments).unwrap_or_else(|error| {
            logging::report_error(&format_args!("could not start the command: {error}"));
            ExitCode::from(2)
        }),
        None => match uci::run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                logging::report_error(&error);
                ExitCode::from(2)
            }
        },
    };
    logging::finish();
    status
}

/// Runs a command on a thread of its own: a search needs more stack than some systems
/// give the first thread.
fn run_command(arguments: Cli) -> io::Result<ExitCode> {
    let thread = thread::start("command", STACK_BYTES, move || cli::run(&arguments))?;
    thread.join().map_err(|_| io::Error::other("the command did not finish"))
}

/// Prints the help, the version or an error in the arguments.
fn print(message: &clap::Error) -> ExitCode {
    let status = ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(u8::MAX));
    if message.use_stderr() {
        // If the message cannot be written, the exit status remains.
        let _ = write_styled(message, io::stderr().is_terminal(), stream::stderr());
        return status;
    }
    match write_styled(message, io::stdout().is_terminal(), stream::stdout()) {
        // A reader that closes the pipe early is not an error.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            logging::report_error(&format_args!("cannot write to the standard output: {error}"));
            ExitCode::from(2)
        }
        _ => status,
    }
}

/// Writes a message, in colour on a terminal unless `NO_COLOR` is set.
fn write_styled(message: &clap::Error, terminal: bool, out: impl Write) -> io::Result<()> {
    let mut out = VisibleWriter(out);
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

/// Makes a file that reaches the system's size limit an error, as a full disk is, instead
/// of a signal that ends the process.
fn report_full_files_as_errors() {
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGXFSZ;
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;
        // If the signal is handled, the write fails instead. If the system refuses the
        // handler, the signal ends the process as before.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}
