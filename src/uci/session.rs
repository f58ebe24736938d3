//! One dialogue with a client: routes each command to the engine.
//!
//! Nothing here takes long. Long work is a job for the engine thread, and an answer that
//! has to follow it is queued behind it. Answers therefore come in the order of the
//! commands, and the reader waits for nothing but room for answers.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use crate::chess::Position;
use crate::chess::notation::{excerpt, san};
use crate::engine::Engine;
use crate::engine::options::Effect;
use crate::engine::request::{GoRequest, PositionError, PositionRequest};
use crate::eval;
use crate::search::Stop;
#[cfg(feature = "spsa")]
use crate::search::params::PARAMETERS;
use crate::uci::command::{COMMANDS, CommandLine, UciCommand};
use crate::uci::output::Output;
#[cfg(feature = "spsa")]
use crate::uci::response::parameter_line;
use crate::uci::response::{info_string, option_line, problem};
use crate::uci::tasks;
use crate::uci::transcript::{self, Speaker};
use crate::util::likeness::hint;
use crate::util::timeouts;

/// Illegal moves that a notice names at most.
const MAX_WORDS_NAMED: usize = 8;

const HELP: &str = "\
Commands of the UCI protocol:
  uci                          name the engine and its options
  isready                      answer readyok
  setoption name N [value V]   set an option
  ucinewgame                   clear the tables for a new game
  position startpos|fen F [moves M...]
  go [wtime T] [btime T] [winc T] [binc T] [movestogo N] [depth N] [nodes N]
     [movetime T] [mate N] [searchmoves M...] [infinite] [ponder]   (T in ms)
  stop, ponderhit              end a search, turn pondering into a search
  debug on|off                 report unknown commands
  quit                         end the program
Further commands:
  d                            show the position
  eval                         explain its evaluation
  explain [MOVE]               explain the best move, or this one
  perft N, go perft N          count the sequences of N moves by their first move
  bench [DEPTH]                measure the speed
  help                         this text
`lovec --help` shows the commands of the command line.";

pub(super) struct Session {
    name: String,
    engine: Engine,
    output: Output,
    debug: bool,
    /// Whether a user types the commands.
    interactive: bool,
}

impl Session {
    /// A session with an engine that writes to `output`. `interactive`: the commands come
    /// from a terminal.
    pub fn new(name: &str, engine: Engine, output: Output, interactive: bool) -> Self {
        Self { name: name.to_owned(), engine, output, debug: false, interactive }
    }

    /// Executes a line that has just arrived. `Break` stands for `quit`.
    pub fn handle(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let arrival = Instant::now();
        let text = String::from_utf8_lossy(bytes);
        self.output.transcript().note(Speaker::Client, &text);
        transcript::log(Speaker::Client, &text);
        let line = CommandLine::parse(&text);
        if let Some(word) = line.skipped {
            self.skipped(word, line.command.is_some());
        }
        line.notices.iter().for_each(|notice| self.reply(info_string(notice)));
        match line.command {
            Some(UciCommand::Quit) => ControlFlow::Break(()),
            Some(command) => {
                self.run(command, arrival);
                ControlFlow::Continue(())
            }
            None => ControlFlow::Continue(()),
        }
    }

    /// The input has ended: finishes the searches with a fixed limit.
    pub fn end_of_input(&self) {
        self.engine.finish();
        // The log file first: its errors go to the client.
        self.output.transcript().drain(timeouts::LAST_READING);
        self.output.drain(timeouts::LAST_READING);
    }

    /// Ends everything within a fifth of a second, even if the client no longer reads; on a
    /// busy machine within two seconds.
    pub fn quit(&self) {
        self.engine.shut_down(timeouts::QUIT_SEARCH);
        self.output.transcript().drain(timeouts::CLOSE_FILE);
        self.output.drain(timeouts::QUIT_CLIENT);
    }

    fn run(&mut self, command: UciCommand<'_>, arrival: Instant) {
        match command {
            UciCommand::Uci => self.reply(self.identification()),
            UciCommand::Debug(on) => self.debug = on,
            UciCommand::IsReady => self.reply("readyok"),
            UciCommand::SetOption { name, value } => self.set_option(&name, value),
            UciCommand::NewGame => self.engine.new_game(),
            UciCommand::Position(request) => self.set_position(request),
            UciCommand::Go(request) => self.go(&request, arrival),
            UciCommand::Perft(depth) => self.perft(depth),
            UciCommand::Stop => self.engine.stop(),
            UciCommand::PonderHit => self.engine.ponder_hit(),
            UciCommand::Display => self.describe(|position| position.to_string()),
            UciCommand::Eval => self.describe(|position| eval::describe(position)),
            UciCommand::Bench(depth) => self.run_task(tasks::bench(depth, self.output.clone())),
            UciCommand::Explain(played) => self.explain(played),
            UciCommand::Help => self.reply(HELP),
            UciCommand::Malformed(reason) => self.reply(problem(reason)),
            UciCommand::Quit | UciCommand::Ignored => {}
        }
    }

    /// The answer to `uci`.
    fn identification(&self) -> String {
        let mut lines = vec![format!("id name {}\nid author the Lovec authors", self.name)];
        lines.extend(self.engine.options().map(option_line));
        #[cfg(feature = "spsa")]
        lines.extend(PARAMETERS.iter().map(parameter_line));
        lines.push("uciok".to_owned());
        lines.join("\n")
    }

    /// Answers, in the order of the commands.
    pub fn reply(&self, text: impl ToString) {
        self.engine.answer(self.output.promise(text.to_string()));
    }

    /// An unknown word at the beginning of a line. It is reported to a user who has typed
    /// no command, and in debug mode.
    fn skipped(&self, word: &str, before_command: bool) {
        log::debug!("unknown command `{}`", word.escape_debug());
        if self.interactive && !before_command {
            let (shown, hint) = (excerpt(word), hint(word, COMMANDS));
            let shown = shown.escape_debug();
            self.reply(format_args!("unknown command `{shown}`{hint}; type help"));
        } else if self.debug {
            self.reply(info_string(format_args!("unknown command `{word}`")));
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.engine.set_option(name, value) {
            Ok(Effect::LogTo(path)) => self.log_to(&path),
            Ok(Effect::None | Effect::Change(_)) => {}
            Err(error) => self.reply(problem(error)),
        }
    }

    fn log_to(&self, path: &str) {
        let output = self.output.clone();
        let name = path.to_owned();
        let failed = move |error| {
            output.answer(problem(format_args!(
                "the log file `{name}` cannot be written and is closed: {error}"
            )));
        };
        if let Err(error) = self.output.transcript().open(path, failed) {
            self.reply(problem(format_args!("cannot write to `{path}`: {error}")));
        }
    }

    fn set_position(&mut self, request: Result<PositionRequest<'_>, PositionError>) {
        match self.engine.set_position(request) {
            Ok(warnings) => {
                for warning in warnings {
                    log::info!("{warning}");
                    self.reply(info_string(warning));
                }
            }
            Err(error) => {
                self.reply(problem(format_args!("position refused, so that none is set: {error}")))
            }
        }
    }

    /// Reports that there is nothing to search, or illegal moves to search, before the search
    /// can answer.
    fn go(&self, request: &GoRequest<'_>, arrival: Instant) {
        self.position_or_problem();
        let mut illegal = self.engine.illegal_search_moves(request);
        let consequence = match illegal.len() == request.search_moves.len() {
            true => "nothing to search",
            false => "ignored",
        };
        illegal.truncate(MAX_WORDS_NAMED);
        if !illegal.is_empty() {
            let words = illegal.join(" ");
            self.reply(info_string(format_args!(
                "go: searchmoves: no legal move: {words}; {consequence}"
            )));
        }
        if let Err(error) = self.engine.go(request, arrival) {
            self.reply(problem(error));
        }
    }

    fn perft(&self, depth: u32) {
        let Some(position) = self.position_or_problem() else { return };
        let chess960 = self.engine.settings().chess960;
        self.run_task(tasks::perft(Arc::clone(position), depth, chess960, self.output.clone()));
    }

    /// Explains the best move of the current position, or the one given in SAN or UCI notation.
    fn explain(&self, played: Option<&str>) {
        let Some(position) = self.position_or_problem() else { return };
        let played = match played.map(|text| san::parse_numbered(position, text)).transpose() {
            Ok(played) => played,
            Err(error) => return self.reply(problem(format_args!("explain: {error}"))),
        };
        self.run_task(tasks::explain(Arc::clone(position), played, self.output.clone()));
    }

    fn run_task(&self, task: impl FnOnce(&Arc<Stop>) + Send + 'static) {
        if let Err(error) = self.engine.run_task(task) {
            self.reply(problem(error));
        }
    }

    /// Prints a description of the current position.
    fn describe(&self, describe: impl FnOnce(&Position) -> String) {
        if let Some(position) = self.position_or_problem() {
            self.reply(describe(position));
        }
    }

    /// The current position; reports that there is none.
    fn position_or_problem(&self) -> Option<&Arc<Position>> {
        let position = self.engine.position();
        if position.is_none() {
            self.reply(problem("no position is set: the last `position` was refused"));
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::HELP;
    use crate::uci::command::COMMANDS;

    #[test]
    fn help_names_every_command_that_does_something() {
        let words: Vec<&str> = HELP.split(|c: char| !c.is_alphanumeric()).collect();
        for command in COMMANDS.into_iter().filter(|&command| command != "register") {
            assert!(words.contains(&command), "{command}");
        }
    }
}
