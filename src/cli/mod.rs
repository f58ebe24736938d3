//! The command line.
//!
//! Each subcommand is a file or folder with its arguments and a `run` that writes to the given
//! output. The exit status is 0 for success, 1 for a failed check, 2 for an error, and
//! 128 and the number of the signal after one, 130 after Ctrl-C; a reader that closes the
//! pipe early (`lovec … | head`) is not an error.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod analyse;
mod annotate;
mod arguments;
mod bench;
mod board;
mod book;
mod columns;
mod compare;
mod completions;
mod datagen;
mod egtb;
mod epd;
mod eval;
mod explain;
mod game;
mod interrupt;
mod json;
mod lab;
mod label;
mod man;
pub mod outputs;
mod perft;
mod perft_suite;
mod play;
mod position;
mod progress;
mod score;
mod source;
#[cfg(feature = "spsa")]
mod spsa;
mod status;
mod style;
mod suite;
mod tables;
mod terms;
mod tune;
mod version;
mod wdl;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use log::LevelFilter;

use crate::cli::arguments::whole;
use crate::cli::columns::{aligned, padded};
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::NamedFiles;
use crate::cli::position::PositionArgs;
use crate::cli::status::CommandStatus;

const EXAMPLES: &str = "\
Without a command, Lovec speaks UCI on its standard input and output.

Examples:
  lovec                              play, driven by a chess program
  lovec play                         play against you, here at the prompt
  lovec analyse startpos --depth 20  find the best move
  lovec eval                         explain the evaluation of a position
  lovec bench                        measure the speed of this build
  lovec perft 6                      count positions six plies deep";

/// Above the options of all commands, which come last.
const GLOBAL: &str = "Options of all commands";

/// A UCI chess engine with a hand-crafted, explainable evaluation.
#[derive(Debug, Parser)]
#[command(name = "lovec", version = version::SHORT, long_version = version::long())]
#[command(after_help = EXAMPLES)]
pub struct Cli {
    /// What to log on the standard error: off, error, warn, info, debug or trace. The
    /// variable RUST_LOG can select levels by module
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "LEVEL")]
    pub log_level: Option<LevelFilter>,

    /// When to use colours; by default on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,

    #[command(subcommand)]
    pub command: Option<Command>,

    /// The files that the command names.
    #[arg(skip)]
    files: NamedFiles,
}

impl Cli {
    /// Reads the arguments of the process, its name first.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let matches = with_negative_numbers(Self::command()).try_get_matches_from(arguments)?;
        let mut cli = Self::from_arg_matches(&matches)?;
        cli.files = NamedFiles::of(&matches);
        Ok(cli)
    }
}

/// Lets a negative number be the value of an argument, which then says its range; otherwise it
/// would be taken for an option.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let accept = |arg: clap::Arg| {
        let takes_values = arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_values)
    };
    command.mut_args(accept).mut_subcommands(with_negative_numbers)
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Play(play::Args),
    Bench(bench::Args),
    Perft(perft::Args),
    PerftSuite(perft_suite::Args),
    Eval(eval::Args),
    Explain(explain::Args),
    Terms(terms::Args),
    Analyse(analyse::Args),
    Annotate(annotate::Args),
    Epd(epd::Args),
    Compare(compare::Args),
    Tune(tune::Args),
    Wdl(wdl::Args),
    Datagen(datagen::Args),
    Label(label::Args),
    #[cfg(feature = "spsa")]
    Spsa(spsa::Args),
    Book(book::Args),
    Lab(lab::Args),
    Egtb(egtb::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Runs the command, with or without colours on the standard output.
pub fn run(cli: &Cli) -> ExitCode {
    let Some(command) = &cli.command else { return ExitCode::SUCCESS };
    match cli.color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let mut out = style::standard_output();
    let result = cli.files.check().and_then(|()| run_command(command, &mut out));
    status::exit_code(result.and_then(|status| Ok(out.flush().map(|()| status)?)))
}

fn run_command(command: &Command, out: &mut impl Write) -> Result<CommandStatus> {
    match command {
        Command::Play(args) => play::run(args, out),
        Command::Bench(args) => bench::run(args, out),
        Command::Perft(args) => perft::run(args, out),
        Command::PerftSuite(args) => perft_suite::run(args, out),
        Command::Eval(args) => eval::run(args, out),
        Command::Explain(args) => explain::run(args, out),
        Command::Terms(args) => terms::run(args, out),
        Command::Analyse(args) => analyse::run(args, out),
        Command::Annotate(args) => annotate::run(args, out),
        Command::Epd(args) => epd::run(args, out),
        Command::Compare(args) => compare::run(args, out),
        Command::Tune(args) => tune::run(args, out),
        Command::Wdl(args) => wdl::run(args, out),
        Command::Datagen(args) => datagen::run(args, out),
        Command::Label(args) => label::run(args, out),
        #[cfg(feature = "spsa")]
        Command::Spsa(args) => spsa::run(args, out),
        Command::Book(args) => book::run(args, out),
        Command::Lab(args) => lab::run(args, out),
        Command::Egtb(args) => egtb::run(args, out),
        Command::Completions(args) => completions::run(args, Cli::command(), out),
        Command::Man(args) => man::run(args, Cli::command(), out),
    }
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;
    use std::collections::BTreeSet;

    use super::*;

    /// The words of a command line, of which some are in quotation marks.
    fn parse(line: &str) -> Result<Cli, clap::Error> {
        let pieces = line.split(['"', '\'']).enumerate();
        let words = pieces.flat_map(|(index, piece)| match index % 2 {
            0 => piece.split_whitespace().collect(),
            _ => vec![piece],
        });
        Cli::read(words.map(OsString::from))
    }

    /// The examples in the help of a command and of those below it, without what a shell does
    /// with them.
    fn examples(command: &clap::Command) -> Vec<String> {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with("lovec"));
        let end = |line: &str| ["  ", " >", " |"].iter().filter_map(|it| line.find(it)).min();
        let own = lines.map(|line| line[..end(line).unwrap_or(line.len())].to_owned());
        own.chain(command.get_subcommands().flat_map(examples)).collect()
    }

    #[test]
    fn the_declarations_are_consistent() {
        with_negative_numbers(Cli::command()).debug_assert();
    }

    #[test]
    fn the_options_of_all_commands_come_last_in_each_help() {
        fn check(command: &mut clap::Command) {
            let help = command.render_help().to_string();
            let (_, last) = help.split_once(GLOBAL).unwrap_or_else(|| panic!("{help}"));
            let options = last.lines().filter(|line| line.starts_with("      --"));
            assert_eq!(options.count(), 2, "{help}");
            assert!(!help.contains('\\'), "a mark of rustdoc: {help}");
            command.get_subcommands_mut().filter(|it| it.get_name() != "help").for_each(check);
        }
        let mut command = Cli::command();
        command.build();
        check(&mut command);
    }

    #[test]
    fn each_command_has_its_own_size_of_the_table() {
        let command = Cli::command();
        let sizes = ["play", "analyse", "explain", "epd", "annotate"].map(|name| {
            let arguments = command.find_subcommand(name).map(clap::Command::get_arguments);
            let hash = arguments.and_then(|mut all| all.find(|arg| arg.get_id() == "hash"));
            hash.unwrap().get_default_values()[0].to_str().unwrap().to_owned()
        });
        assert_eq!(sizes, ["64", "64", "64", "16", "16"]);
    }

    #[test]
    fn documented_forms_are_accepted() {
        let examples = examples(&Cli::command());
        assert!(examples.len() > 120, "{}", examples.len());
        let others = [
            "lovec --log-level debug",
            "lovec --color never eval",
            "lovec eval --color always",
            "lovec eval 8/8/8/8/8/8/8/K1k5 w - -",
            "lovec eval startpos moves e2e4 e7e5",
            "lovec eval --pgn a.pgn.gz --at start",
            "lovec analyse --fen startpos --depth 3",
            "lovec analyse - --depth 3",
            "lovec annotate - -o c.pgn --player Novak --side black --games 3-7 --force",
            "lovec annotate a.pgn -o c.pgn --comments none --variations all --line 4 --keep",
            "lovec annotate a.pgn -o c.pgn --depth 9 --skip-book 12",
            "lovec datagen --output a.txt --per-game 12 --seed 18446744073709551615",
            "lovec datagen -o a.txt --games 9 --openings b.epd --random-plies 0",
            "lovec egtb probe --fen startpos",
            "lovec perft 3 --pgn - --game 2",
        ];
        for line in examples.iter().map(String::as_str).chain(others) {
            assert!(parse(line).is_ok(), "{line}: {:?}", parse(line));
        }
    }

    /// The arguments of all commands whose values are numbers, as `tune seed`, each alone in a
    /// command.
    fn numbers(command: &clap::Command, path: &str, found: &mut Vec<(String, clap::Command)>) {
        let types = [
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<usize>(),
            TypeId::of::<f32>(),
        ];
        for argument in command.get_arguments() {
            let parser = argument.get_value_parser();
            if types.iter().any(|&number| parser.type_id() == number) {
                let alone = clap::Arg::new("number").value_parser(parser.clone());
                let name = format!("{path}{}", argument.get_id());
                found.push((name, clap::Command::new("test").arg(alone)));
            }
        }
        for below in command.get_subcommands() {
            numbers(below, &format!("{path}{} ", below.get_name()), found);
        }
    }

    /// The numbers that may be 0.
    #[rustfmt::skip]
    const WITH_ZERO: [&str; 19] = [
        "annotate skip_book", "book build min_rating", "datagen random_plies", "datagen seed",
        "lab boards depth", "lab fit shallow", "lab hidden seed", "lab match seed",
        "lab solve depth", "perft depth", "terms blend", "tune blend", "tune epochs",
        "tune game_rate", "tune lambda", "tune pull", "tune rate", "tune seed", "tune validation",
    ];

    /// Numbers that are too large.
    #[rustfmt::skip]
    const TOO_LARGE: [(&str, &str); 15] = [
        ("bench threads", "1025"), ("book build max_ply", "4294967296"),
        ("book build min_games", "4294967296"), ("datagen games", "4294967296"),
        ("datagen per_game", "4294967296"), ("datagen random_plies", "101"),
        ("egtb build pieces", "5"), ("perft depth", "33"), ("tune batch", "18446744073709551615"),
        ("tune blend", "1.1"), ("tune epochs", "18446744073709551615"),
        ("tune patience", "18446744073709551615"), ("tune pull", "2"), ("tune rate", "1e30"),
        ("tune validation", "1.5"),
    ];

    #[test]
    fn every_number_has_a_range() {
        let mut found = Vec::new();
        numbers(&Cli::command(), "", &mut found);
        // Only builds for tuners have it.
        found.retain(|(name, _)| !name.starts_with("spsa "));
        let accepts = |command: &clap::Command, number: &str| {
            command.clone().try_get_matches_from(["test", "--", number]).is_ok()
        };
        for (name, command) in &found {
            for number in ["-1", "1e999", "NaN", "inf", "18446744073709551616", "x", ""] {
                assert!(!accepts(command, number), "{name} {number}");
            }
        }
        for (name, number) in TOO_LARGE {
            let (_, command) = found.iter().find(|(argument, _)| argument == name).unwrap();
            assert!(!accepts(command, number), "{name} {number}");
        }
        let with_zero = found.iter().filter(|(_, command)| accepts(command, "0"));
        let with_zero: BTreeSet<&str> = with_zero.map(|(name, _)| name.as_str()).collect();
        assert_eq!(with_zero, BTreeSet::from(WITH_ZERO));
        // A negative number is a value, not an option.
        for line in ["lovec perft -1", "lovec tune a.txt --rate -1", "lovec tune a.txt --rate=-1"] {
            let error = parse(line).unwrap_err().to_string();
            assert!(error.contains("'-1' for '"), "{line}: {error}");
        }
    }

    /// Wrong in another way than by a number.
    const WRONG: [&str; 54] = [
        "lovec dance",
        "lovec perft",
        "lovec perft-suite",
        "lovec analyse",
        "lovec analyse startpos --depth 5 --nodes 7",
        "lovec annotate a.pgn",
        "lovec annotate -o c.pgn",
        "lovec annotate a.pgn -o c.pgn --games 7-3",
        "lovec epd a.epd --movetime 1 --depth 1",
        "lovec compare a b",
        "lovec compare a b c.epd --option Hash",
        "lovec tune",
        "lovec wdl",
        "lovec datagen",
        "lovec book",
        "lovec book build -o a.bin",
        "lovec book build a.pgn",
        "lovec book show",
        "lovec label a.txt -o b.txt",
        "lovec egtb",
        "lovec egtb build -o a",
        "lovec egtb build KQK",
        "lovec egtb build KQX -o a",
        "lovec egtb build KQRBK -o a",
        "lovec egtb probe",
        "lovec egtb verify",
        "lovec eval --color sometimes",
        "lovec analyse startpos --pgn a.pgn",
        "lovec eval --fen startpos --pgn a.pgn",
        "lovec eval --game 3",
        "lovec eval --at 17b",
        "lovec explain startpos --at 3w --game 7",
        "lovec analyse startpos --at 3w",
        "lovec eval --fen startpos --game 7",
        "lovec perft 3 startpos moves e2e4 --at 1w",
        "lovec book show a.bin startpos --game 2",
        "lovec egtb probe --fen startpos --at start",
        "lovec lab compare --epd a.epd --plot nodes",
        "lovec lab table --games 2",
        "lovec tune a.txt --epochs 3 --passes 5",
        "lovec tune a.txt -o a.rs --games 5",
        "lovec tune a.txt --ablate --runs runs",
        "lovec eval --pgn a.pgn --at 17",
        "lovec lab",
        "lovec lab compare --depth 6..1",
        "lovec lab compare startpos --game tictactoe",
        "lovec lab compare --game tictactoe --eval material",
        "lovec lab compare --game tictactoe --draws path",
        "lovec lab compare --json --csv",
        "lovec lab hidden AQT/432/KJ98 --cards 2",
        "lovec lab hidden --cards 2",
        "lovec lab uci",
        "lovec completions",
        "lovec completions tcsh",
    ];

    #[test]
    fn wrong_usage_is_an_error() {
        for line in WRONG {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }
}
