//! What commands do to the files that they write: an input and another output are never
//! replaced, an existing file with `--force` only, and a file is old or whole at any time.
//!
//! [`OUTPUTS`] has every argument that names such a file. The list is compared with the
//! definition of the command line, so that no command can be forgotten.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use clap::CommandFactory;
use lovec::cli::Cli;
use lovec::cli::outputs::{ContinuedPath, OutputFolder, OutputPath};
use rustix::process::{Pid, Signal, kill_process};

use crate::attacks::lovec_after;
use crate::folder::{Folder, folder};
use crate::program::{
    Ran, TIMEOUT, binary, command, end, lovec_in, run, wait, wait_until, wait_until_caught,
};
use crate::samples::SAMPLES;

/// An argument that names a file to write.
struct Output {
    /// The command and the option.
    argument: &'static str,
    /// A command line that writes `OUT`; `LOVEC` is the program itself.
    line: &'static str,
    /// What to add so that it takes moments.
    quick: &'static str,
    /// What to add so that it runs longer than a test, if it can.
    long: &'static str,
}

const fn output(
    argument: &'static str,
    line: &'static str,
    quick: &'static str,
    long: &'static str,
) -> Output {
    Output { argument, line, quick, long }
}

const ENDLESS: &str = "--nodes 1000000000";
const FEW_NODES: &str = "--nodes 500 --hash 1";

#[rustfmt::skip]
const OUTPUTS: [Output; 14] = [
    output("label --output", "label d.txt -o OUT --engine LOVEC", "--nodes 50", ENDLESS),
    output("tune --output", "tune d.txt -o OUT --test d2.txt", "--epochs 1", "--epochs 1000000 --patience 1000000"),
    output("tune --svg", "tune d.txt --method hill --terms material --svg OUT", "--passes 2", "--passes 1000000000"),
    output("book openings --output", "book openings -o OUT --max-ply 1", "--nodes 1", ENDLESS),
    output("book build --output", "book build g.pgn g2.pgn -o OUT --min-games 1", "", ""),
    output("terms --html", "terms --data d.txt --html OUT", "", ""),
    output("lab compare --svg", "lab compare --epd s.epd --algo ab --eval w.rs --svg OUT", "--depth 1", "--depth 30"),
    output("eval --svg", "eval --map --svg OUT", "", ""),
    output("lab match --pgn", "lab match ab ab --games 2 --openings s.epd --pgn OUT", "--nodes 50", ENDLESS),
    output("annotate --output", "annotate g.pgn g2.pgn -o OUT", FEW_NODES, ENDLESS),
    output("annotate --json", "annotate g.pgn -o o.pgn --json OUT", FEW_NODES, ENDLESS),
    output("annotate --html", "annotate g.pgn -o o.pgn --html OUT", FEW_NODES, ENDLESS),
    output("annotate --exercises", "annotate g.pgn -o o.pgn --exercises OUT", FEW_NODES, ENDLESS),
    output("datagen --output", "datagen -o OUT --games 1 --openings s.epd", "--nodes 50", ENDLESS),
];

/// A folder with all inputs.
fn inputs(name: &str) -> Folder {
    // The queen is lost.
    let game = "1. e4 d5 2. Qg4 Nf6 3. Qxc8 Qxc8 0-1\n";
    let folder = folder(name)
        .with("d.txt", SAMPLES)
        .with("d2.txt", SAMPLES)
        .with("g.pgn", game)
        .with("g2.pgn", game)
        .with("s.epd", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\n");
    lovec_in(&folder, &["tune", "d.txt", "--epochs", "1", "-o", "w.rs"]).succeeded();
    folder
}

impl Output {
    /// The words of the command line that writes `out`.
    fn words(&self, out: &str, limits: &str, more: &[&str]) -> Vec<String> {
        let words = self.line.split(' ').chain(limits.split_whitespace());
        let named = |word: &str| match word {
            "LOVEC" => format!("'{}'", binary()),
            "OUT" => out.to_owned(),
            word => word.to_owned(),
        };
        words.chain(more.iter().copied()).map(named).collect()
    }

    fn command(&self, folder: &Path, out: &str, limits: &str, more: &[&str]) -> Command {
        let mut command = command(&[]);
        command.args(self.words(out, limits, more)).current_dir(folder);
        command
    }

    fn run(&self, folder: &Path, out: &str, more: &[&str]) -> Ran {
        run(&mut self.command(folder, out, self.quick, more), "")
    }

    fn start(&self, folder: &Path, out: &str, more: &[&str]) -> Child {
        let mut command = self.command(folder, out, self.long, more);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Removes what a run leaves besides its output.
    fn clean(&self, folder: &Path) {
        for name in ["o.pgn", "o.pgn.progress", "out", "out.progress"] {
            let _ = fs::remove_file(folder.join(name));
        }
    }

    /// Whether the command continues its own file, and refuses others.
    fn is_continued(&self) -> bool {
        defined(&[TypeId::of::<ContinuedPath>()]).contains(self.argument)
    }

    /// `--force`, unless the command continues its file.
    fn force(&self) -> &'static [&'static str] {
        if self.is_continued() { &[] } else { &["--force"] }
    }

    /// `--force`, if the command has it.
    fn any_force(&self) -> &'static [&'static str] {
        if self.argument.starts_with("annotate") { &["--force"] } else { self.force() }
    }
}

/// The arguments of a command and of its subcommands whose values are of one of the types.
fn arguments_of(
    command: &clap::Command,
    types: &[TypeId],
    path: &str,
    found: &mut BTreeSet<String>,
) {
    for argument in command.get_arguments() {
        let value = argument.get_value_parser().type_id();
        if types.iter().any(|&wanted| value == wanted) {
            found.insert(format!("{path} --{}", argument.get_id()).replace('_', "-"));
        }
    }
    for below in command.get_subcommands() {
        arguments_of(below, types, format!("{path} {}", below.get_name()).trim(), found);
    }
}

/// The arguments of all commands whose values are of one of the types.
fn defined(types: &[TypeId]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    arguments_of(&Cli::command(), types, "", &mut found);
    // Only builds for tuners have it; its own tests drive it.
    found.retain(|argument| !argument.starts_with("spsa "));
    found
}

/// The arguments that name a folder to write to.
const FOLDERS: [&str; 3] = ["egtb build --output", "man --output-dir", "tune --runs"];

/// The arguments that name a file or a folder to read. A new one of the type of these must be
/// one that is only read.
#[rustfmt::skip]
const INPUTS: [&str; 35] = [
    "analyse --egtb", "analyse --pgn", "annotate --egtb", "annotate --files", "bench --egtb",
    "book build --games", "book lines --pgn", "book show --book", "book show --pgn",
    "compare --suite", "datagen --openings", "egtb probe --dir", "egtb probe --pgn",
    "egtb verify --directory", "epd --files", "eval --pgn", "explain --egtb", "explain --pgn",
    "lab boards --pgn", "lab compare --epd", "lab fit --epd",
    "lab match --openings", "lab solve --epd", "lab table --epd", "label --dataset", "perft --pgn",
    "perft-suite --files", "play --book", "play --egtb", "play --pgn",
    "terms --data", "tune --datasets", "tune --suite", "tune --test", "wdl --datasets",
];

#[test]
fn the_list_has_every_output_of_the_command_line() {
    let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    let outputs: Vec<&str> = OUTPUTS.iter().map(|output| output.argument).collect();
    let files = [TypeId::of::<OutputPath>(), TypeId::of::<ContinuedPath>()];
    assert_eq!(set(&outputs), defined(&files));
    assert_eq!(set(&FOLDERS), defined(&[TypeId::of::<OutputFolder>()]));
    assert_eq!(set(&INPUTS), defined(&[TypeId::of::<PathBuf>()]));
}

#[test]
fn an_input_is_never_an_output() {
    let folder = inputs("input");
    for output in OUTPUTS {
        let words = output.line.split(' ');
        let inputs: Vec<&str> = words.filter(|word| folder.join(word).is_file()).collect();
        for input in inputs {
            let before = fs::read(folder.join(input)).unwrap();
            let (soft, hard) = (format!("soft-{input}"), format!("hard-{input}"));
            let _ = symlink(input, folder.join(&soft));
            let _ = fs::hard_link(folder.join(input), folder.join(&hard));
            let dotted = format!("./{input}");
            let force = output.force();
            for (path, more) in [
                (input, &[][..]),
                (input, force),
                (&*dotted, force),
                (&*soft, force),
                (&*hard, force),
            ] {
                let ran = output.run(&folder, path, more);
                ran.refused(&format!("{input} is read; choose another file to write"));
                assert!(fs::read(folder.join(input)).unwrap() == before, "{}", output.argument);
            }
        }
        output.clean(&folder);
    }
}

/// The standard output, and a file in an absent folder, before a command that takes long begins.
#[test]
fn what_cannot_be_a_file_is_refused() {
    let folder = inputs("no file");
    let before = folder.names();
    for output in OUTPUTS {
        output.run(&folder, "-", output.force()).refused("for a file of this name use ./-");
        let absent = &mut output.command(&folder, "no/such/out", output.long, &[]);
        run(absent, "").refused("cannot write no/such/out");
        assert_eq!(folder.names(), before, "{}", output.argument);
    }
    // Before anything is read.
    for line in [&["tune", "absent"][..], &["book", "build", "absent"]] {
        let line = [line, &["-o", "no/such/out"]].concat();
        lovec_in(&folder, &line).refused("cannot write no/such/out");
    }
}

#[test]
fn two_outputs_are_never_one_file() {
    let folder = inputs("two");
    let annotate = ["annotate", "g.pgn", "--nodes", "50"];
    let outputs = ["-o", "--html", "--json", "--exercises"];
    for (index, first) in outputs.iter().enumerate() {
        for second in &outputs[index + 1..] {
            let games = if *first == "-o" { &[][..] } else { &["-o", "o.pgn"] };
            let line = [&annotate[..], games, &[first, "out", second, "./out"]].concat();
            lovec_in(&folder, &line).refused("out and ./out are one file");
        }
    }
    assert!(!folder.join("out").exists() && !folder.join("o.pgn").exists());
}

#[test]
fn a_file_is_replaced_with_force_only() {
    let folder = inputs("foreign");
    let out = folder.join("out");
    for output in OUTPUTS {
        output.run(&folder, "out", &[]).succeeded();
        assert!(fs::metadata(&out).unwrap().len() > 0, "{} writes nothing", output.argument);
        output.clean(&folder);
        fs::write(&out, "precious").unwrap();
        let ran = output.run(&folder, "out", &[]).orderly();
        assert_eq!(ran.status, Some(2), "{}: {ran:?}", output.argument);
        assert_eq!(fs::read_to_string(&out).unwrap(), "precious", "{}", output.argument);
        if !output.is_continued() {
            assert!(ran.stderr.contains("out exists; choose another file, or --force"), "{ran:?}");
            output.clean(&folder);
            fs::write(&out, "precious").unwrap();
            output.run(&folder, "out", &["--force"]).succeeded();
            assert_ne!(fs::read(&out).unwrap(), b"precious", "{}", output.argument);
            // Nothing is lost with an empty file, as of `mktemp`.
            output.clean(&folder);
            fs::write(&out, "").unwrap();
            output.run(&folder, "out", &[]).succeeded();
        }
        output.clean(&folder);
        fs::write(folder.join("target"), "precious").unwrap();
        symlink("target", &out).unwrap();
        output.run(&folder, "out", output.force()).failed("symbolic link");
        assert_eq!(fs::read_to_string(folder.join("target")).unwrap(), "precious");
        output.clean(&folder);
    }
}

/// Interrupts and kills a command that would replace a file, at several moments.
#[test]
fn an_interrupted_command_with_nothing_new_leaves_the_old_file() {
    let folder = inputs("interrupted");
    let out = folder.join("out");
    let interrupted = OUTPUTS.iter().filter(|output| !output.long.is_empty());
    // These soon have something new, or refuse the old file.
    let soon = ["datagen --output", "label --output", "tune --output", "tune --svg"];
    for output in interrupted.filter(|output| !soon.contains(&output.argument)) {
        for (signal, delay) in
            [(Signal::TERM, 0), (Signal::INT, 100), (Signal::TERM, 100), (Signal::KILL, 100)]
        {
            output.clean(&folder);
            fs::write(&out, "precious").unwrap();
            let mut child = output.start(&folder, "out", output.any_force());
            if signal == Signal::INT {
                wait_until_caught(&mut child);
            }
            thread::sleep(Duration::from_millis(delay));
            kill_process(Pid::from_child(&child), signal).unwrap();
            let stdout = end(child, output.argument, TIMEOUT).stdout;
            let wrote = stdout.contains("wrote") || stdout.contains("written to out");
            assert!(!wrote, "{}: {stdout}", output.argument);
            let after = fs::read_to_string(&out).unwrap();
            assert_eq!(after, "precious", "{} after {signal:?}", output.argument);
        }
        output.clean(&folder);
    }
    assert!(!folder.names().iter().any(|name| name.starts_with(".lovec")), "{:?}", folder.names());
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = inputs("full");
    let out = folder.join("out");
    // These append to their file; the tests of datagen fill the disk meanwhile.
    let appending = ["datagen --output", "label --output"];
    for output in OUTPUTS.iter().filter(|output| !appending.contains(&output.argument)) {
        let run_after = |setup: &str, more: &[&str]| {
            let mut shell = lovec_after(setup, &[]);
            shell.args(output.words("out", output.quick, more)).current_dir(&folder);
            run(&mut shell, "").orderly()
        };
        if output.is_continued() {
            run_after("true", &[]).succeeded();
        } else {
            fs::write(&out, "precious").unwrap();
        }
        let before = fs::read(&out).unwrap();
        assert!(!before.is_empty());
        let ran = run_after("ulimit -f 0", output.any_force());
        assert_eq!(ran.status, Some(2), "{}: {ran:?}", output.argument);
        assert!(!ran.stdout.contains("wrote"), "{}: {ran:?}", output.argument);
        assert!(fs::read(&out).unwrap() == before, "{}", output.argument);
        output.clean(&folder);
    }
}

/// A second run in a folder of runs would lose the results of one of them.
#[test]
fn runs_of_methods_are_reserved() {
    let folder = inputs("runs");
    let line = ["tune", "d.txt", "--method", "hill", "--terms", "material", "--runs", "runs"];
    let mut first = command(&[&line[..], &["--passes", "1000000000"]].concat());
    first.current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null());
    let mut first = first.spawn().unwrap();
    wait_until(&mut first, |_| folder.join("runs/.lock").exists());
    let second = [&line[..], &["--passes", "2"]].concat();
    lovec_in(&folder, &second).refused("another tune learns in runs");
    kill_process(Pid::from_child(&first), Signal::INT).unwrap();
    wait(&mut first, TIMEOUT).expect("it ends");
    fs::write(folder.join("runs/adam.rs"), "precious").unwrap();
    let adam = ["tune", "d.txt", "--method", "adam", "--passes", "2", "--runs", "runs"];
    lovec_in(&folder, &adam).refused("adam.rs exists");
}

/// What a command names itself is protected as what the user names.
#[test]
fn files_that_a_command_derives_are_outputs_too() {
    let folder = inputs("derived");
    fs::create_dir(folder.join("runs")).unwrap();
    fs::copy(folder.join("d.txt"), folder.join("runs/hill.rs")).unwrap();
    symlink("runs/hill.rs", folder.join("soft")).unwrap();
    let tune = ["--method", "hill", "--terms", "material", "--passes", "2", "--runs", "runs"];
    for force in [&[][..], &["--force"]] {
        for data in ["runs/hill.rs", "./runs/../runs/hill.rs", "soft"] {
            let line = [&["tune", data], &tune[..], force].concat();
            lovec_in(&folder, &line).refused("lies in runs, where the command writes");
        }
        for svg in ["runs/hill.rs", "runs/hill.json", "runs/.lock"] {
            let line = [&["tune", "d.txt", "--svg", svg], &tune[..], force].concat();
            lovec_in(&folder, &line).refused("lies in runs, where the command writes");
        }
        for report in ["--json", "--html"] {
            let line = ["annotate", "g.pgn", "-o", "o.pgn", report, "o.pgn.progress"];
            lovec_in(&folder, &[&line[..], force].concat()).refused("are one file");
        }
    }
    assert_eq!(fs::read_to_string(folder.join("runs/hill.rs")).unwrap(), SAMPLES);
    let engine = folder.join("engine");
    fs::write(&engine, "#!/bin/sh\n").unwrap();
    for command in [&["label", "d.txt"][..], &["annotate", "g.pgn", "--force"]] {
        let line = [command, &["--engine", "./engine --fast", "-o", "engine"]].concat();
        lovec_in(&folder, &line).refused("./engine is read; choose another file to write");
    }
    assert_eq!(fs::read_to_string(engine).unwrap(), "#!/bin/sh\n");
    fs::create_dir(folder.join("tables")).unwrap();
    let table = folder.join("tables/KQvK.ltb");
    fs::write(&table, "precious").unwrap();
    let build = ["egtb", "build", "KQK", "-o", "tables"];
    lovec_in(&folder, &build).failed("not a Lovec table; choose another folder, or --force");
    assert_eq!(fs::read_to_string(&table).unwrap(), "precious");
    lovec_in(&folder, &[&build[..], &["--force"]].concat()).succeeded();
    // A damaged table of Lovec's own is built again.
    let whole = fs::read(&table).unwrap();
    fs::write(&table, &whole[..whole.len() / 2]).unwrap();
    lovec_in(&folder, &build).succeeded();
    assert!(fs::read(&table).unwrap() == whole);
}

/// `--force` is about the games of annotate, not about another program's file beside them.
#[test]
fn a_foreign_progress_file_is_kept() {
    let folder = inputs("progress");
    fs::write(folder.join("q.progress"), "precious\n").unwrap();
    for more in [&[][..], &["--force"]] {
        let line = [&["annotate", "g.pgn", "-o", "q", "--nodes", "50"], more].concat();
        lovec_in(&folder, &line).refused("was not written by annotate");
        assert_eq!(fs::read_to_string(folder.join("q.progress")).unwrap(), "precious\n");
    }
}
