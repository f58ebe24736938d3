use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::chess::notation::excerpt;
use crate::chess::notation::uci::ParseMoveError;

/// What an engine did wrong.
#[derive(Debug, Error)]
#[error("{engine}: {fault}")]
pub struct ClientError {
    /// The name of the engine; the path of its program until the name is known.
    pub engine: String,
    pub fault: EngineFault,
}

impl ClientError {
    /// Whether the engine has done nothing wrong: the caller asked to stop.
    pub fn is_interrupt(&self) -> bool {
        matches!(self.fault, EngineFault::Interrupted)
    }
}

#[derive(Debug, Error)]
pub enum EngineFault {
    #[error("cannot start: {0}")]
    Start(#[from] io::Error),
    /// The process has ended, or has closed its output.
    #[error("has ended ({status}) after {command:?}")]
    Ended { status: String, command: String },
    #[error("no answer to {command:?} within {} s{}", .timeout.as_secs_f64(), last_line(.last))]
    Silent {
        command: String,
        timeout: Duration,
        /// The last line that the engine wrote instead.
        last: Option<String>,
    },
    #[error("a line is longer than {0} bytes")]
    LongLine(usize),
    #[error("the output of {command:?} is longer than {bytes} bytes")]
    LongOutput { command: String, bytes: usize },
    #[error("there is no option {0:?}")]
    NoSuchOption(String),
    #[error("the option {name:?} does not take {value:?}: {expected} is expected")]
    OptionValue { name: String, value: String, expected: String },
    #[error("the answer to {command:?} is not a move: {error}; the position is {fen}")]
    BestMove { command: String, error: ParseMoveError, fen: String },
    /// The caller asked to stop, or the engine has.
    #[error("interrupted")]
    Interrupted,
}

fn last_line(line: &Option<String>) -> String {
    line.as_ref().map_or_else(String::new, |line| format!("; its last line is {:?}", excerpt(line)))
}
