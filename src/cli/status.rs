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

impl CommandStatus {
    /// The status of a command for which all is well, such as that its suites are whole, or not.
    pub fn of(is_well: bool) -> Self {
        if is_well { Self::Passed } else { Self::Failed }
    }
}

/// The exit status of the process; an error is reported.
pub(super) fn exit_code(result: Result<CommandStatus>) -> ExitCode {
    match result {
        Ok(CommandStatus::Passed) => ExitCode::SUCCESS,
        Ok(CommandStatus::Failed) => ExitCode::FAILURE,
        Ok(CommandStatus::Interrupted { exit_status }) => ExitCode::from(exit_status),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            logging::report_error(&message(&error));
            ExitCode::from(2)
        }
    }
}

/// An error and its causes on one line. Many errors end with the text of their cause,
/// which is then not repeated. A line of a file is part of the place: `a.epd, line 3: …`.
pub(super) fn message(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if message.is_empty() {
            message = cause;
        } else if !message.ends_with(&cause) {
            let separator = if cause.starts_with("line ") { ", " } else { ": " };
            message = message + separator + &cause;
        }
    }
    message
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SearcherError;

    #[test]
    fn messages_name_each_cause_once() {
        let full = SearcherError::Thread(io::Error::other("the system is full"));
        let error = anyhow::Error::from(full).context("no game");
        assert_eq!(message(&error), "no game: could not start a thread: the system is full");
        let error = anyhow::Error::msg("line 3: no FEN").context("a.epd");
        assert_eq!(message(&error), "a.epd, line 3: no FEN");
    }

    #[test]
    fn exit_codes() {
        let broken = io::Error::from(io::ErrorKind::BrokenPipe);
        assert_eq!(exit_code(Ok(CommandStatus::Passed)), ExitCode::SUCCESS);
        assert_eq!(exit_code(Ok(CommandStatus::Failed)), ExitCode::FAILURE);
        assert_eq!(exit_code(Err(broken.into())), ExitCode::SUCCESS);
    }
}
