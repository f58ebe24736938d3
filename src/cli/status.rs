//! How a command ends, and the exit status of the process.

use std::io;
use std::process::ExitCode;

use anyhow::Result;

use crate::util::logging;

/// How a command without an error has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommandStatus {
    Passed,
    /// A check has failed.
    Failed,
    /// A signal has ended the command, which has shown its results so far.
    Interrupted {
        exit_status: u8,
    },
}

/// The exit status of the process; an error is reported.
pub(super) fn exit_code(result: Result<CommandStatus>) -> ExitCode {
    match result {
        Ok(CommandStatus::Passed) => ExitCode::SUCCESS,
        Ok(CommandStatus::Failed) => ExitCode::FAILURE,
        Ok(CommandStatus::Interrupted { exit_status }) => ExitCode::from(exit_status),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            logging::report_error(&format_args!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes() {
        let broken = io::Error::from(io::ErrorKind::BrokenPipe);
        assert_eq!(exit_code(Ok(CommandStatus::Passed)), ExitCode::SUCCESS);
        assert_eq!(exit_code(Ok(CommandStatus::Failed)), ExitCode::FAILURE);
        assert_eq!(exit_code(Err(broken.into())), ExitCode::SUCCESS);
    }
}
