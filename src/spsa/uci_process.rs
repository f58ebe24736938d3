//! A player: a process that speaks UCI.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::spsa::error::SpsaError;

/// The centipawns of a mate.
const MATE: i32 = 30_000;

/// A process, killed when it is dropped.
pub(super) struct UciProcess {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

/// The answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MoveAnswer {
    pub best: String,
    /// The last exact score in centipawns, from the side to move.
    pub score: Option<i32>,
}

impl UciProcess {
    /// Starts a player with a transposition table of `hash` MiB.
    pub fn start(mut command: Command, hash: u32) -> Result<Self, SpsaError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        leave_signals_to_parent(&mut command);
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("it has no standard streams").into());
        };
        let mut process = Self { child, stdin, stdout: BufReader::new(stdout) };
        process.send(&format!("setoption name Hash value {hash}"))?;
        process.wait_until_ready()?;
        Ok(process)
    }

    /// Sets options and begins a new game.
    pub fn new_game(&mut self, options: &[(&str, i32)]) -> Result<(), SpsaError> {
        for (name, value) in options {
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        self.send("ucinewgame")?;
        self.wait_until_ready()
    }

    /// Waits until all options are set.
    fn wait_until_ready(&mut self) -> Result<(), SpsaError> {
        self.send("isready")?;
        // A refused option is answered by an `info string`.
        match self.read_line("isready")? {
            line if line == "readyok" => Ok(()),
            answer => Err(SpsaError::Answer { answer, command: "setoption".to_owned() }),
        }
    }

    /// Searches the position of a `position` command.
    pub fn choose_move(&mut self, position: &str, go: &str) -> Result<MoveAnswer, SpsaError> {
        self.send(position)?;
        self.send(go)?;
        let mut score = None;
        loop {
            let line = self.read_line(go)?;
            if let Some(answer) = line.strip_prefix("bestmove ") {
                let best = answer.split(' ').next().unwrap_or_default().to_owned();
                return Ok(MoveAnswer { best, score });
            }
            score = exact_score(&line).or(score);
        }
    }

    fn send(&mut self, command: &str) -> Result<(), SpsaError> {
        self.stdin.write_all(format!("{command}\n").as_bytes()).map_err(|_| self.ended(command))
    }

    /// The next line that the player writes; `command` is for the error.
    fn read_line(&mut self, command: &str) -> Result<String, SpsaError> {
        let mut line = String::new();
        match self.stdout.read_line(&mut line) {
            Ok(1..) => Ok(line.trim_end().to_owned()),
            Ok(0) | Err(_) => Err(self.ended(command)),
        }
    }

    fn ended(&mut self, command: &str) -> SpsaError {
        // A process that has ended keeps its status.
        let _ = self.child.kill();
        let status = self.child.wait().map_or_else(|error| error.to_string(), |it| it.to_string());
        SpsaError::Ended { status, command: command.to_owned() }
    }
}

impl Drop for UciProcess {
    fn drop(&mut self) {
        // Both fail only if the process has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The score of an `info` line in centipawns, unless it is a bound.
fn exact_score(line: &str) -> Option<i32> {
    let (_, score) = line.strip_prefix("info depth ")?.split_once(" score ")?;
    let mut words = score.split(' ');
    let (unit, value) = (words.next()?, words.next()?.parse::<i32>().ok()?);
    if matches!(words.next(), Some("lowerbound" | "upperbound")) {
        return None;
    }
    match unit {
        "cp" => Some(value),
        _ => Some(if value > 0 { MATE } else { -MATE }),
    }
}

/// Ctrl-C on a terminal signals its whole process group. The players get one of their own,
/// so that only the parent ends, which then ends them.
fn leave_signals_to_parent(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_unless_they_are_bounds() {
        for (line, score) in [
            ("info depth 3 seldepth 5 multipv 1 score cp -30 nodes 155", Some(-30)),
            ("info depth 9 score mate -2 nodes 155 pv a1a2", Some(-MATE)),
            ("info depth 9 score mate 2", Some(MATE)),
            ("info depth 9 score cp 50 lowerbound nodes 5", None),
            ("info depth 9 currmove e2e4 currmovenumber 1", None),
            ("info string score cp 5", None),
        ] {
            assert_eq!(exact_score(line), score, "{line}");
        }
    }

    #[test]
    fn a_program_that_is_no_player_is_an_error() {
        let missing = UciProcess::start(Command::new("/no/such/program"), 1);
        assert!(matches!(missing, Err(SpsaError::Start(_))));
        #[cfg(unix)]
        {
            let ended = UciProcess::start(Command::new("false"), 1).err().unwrap();
            assert!(matches!(ended, SpsaError::Ended { .. }), "{ended}");
            let echo = UciProcess::start(Command::new("cat"), 1).err().unwrap();
            assert!(matches!(echo, SpsaError::Answer { .. }), "{echo}");
        }
    }
}
