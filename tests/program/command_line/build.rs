//! The version, the completions and the manual.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use lovec::cli::Cli;
use lovec::engine::options::OPTIONS;

use crate::command_line::lovec_with_input;
use crate::folder::folder;
use crate::program::lovec;

/// The names of the commands, with their own commands behind them: `book build`.
fn commands() -> Vec<String> {
    fn add(command: &clap::Command, path: &str, names: &mut Vec<String>) {
        for below in command.get_subcommands() {
            let path = format!("{path} {}", below.get_name()).trim().to_owned();
            add(below, &path, names);
            names.push(path);
        }
    }
    let mut names = Vec::new();
    add(&Cli::command(), "", &mut names);
    assert!(names.len() > 30, "{names:?}");
    names
}

#[test]
fn the_long_version_describes_the_build() {
    let short = lovec(&["-V"]).succeeded().stdout;
    assert_eq!(short, format!("lovec {}\n", env!("CARGO_PKG_VERSION")));
    let long = lovec(&["--version"]).succeeded().stdout;
    assert!(long.starts_with(&short), "{long}");
    let fact = |name: &str| {
        let line = long.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.unwrap_or_else(|| panic!("no {name} in {long}")).trim().to_owned()
    };
    let commit = fact("commit");
    let hash = commit.trim_end_matches("-dirty");
    assert!(hash == "unknown" || hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{commit}");
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bench.txt");
    let bench = fact("bench");
    assert_eq!(bench, fs::read_to_string(recorded).unwrap().trim());
    assert!(bench.parse::<u64>().is_ok(), "{bench}");
    for name in ["target", "processor", "features", "rustc", "profile"] {
        assert!(!fact(name).is_empty() && fact(name) != "unknown", "{long}");
    }
}

#[test]
fn the_citation_names_the_version() {
    let citation = Path::new(env!("CARGO_MANIFEST_DIR")).join("CITATION.cff");
    let version = format!("version: {}", env!("CARGO_PKG_VERSION"));
    assert!(fs::read_to_string(citation).unwrap().lines().any(|line| line == version));
}

#[test]
fn the_name_of_the_engine_stays_short() {
    let answer = lovec_with_input(&[], "uci\nquit\n").succeeded().stdout;
    let name = format!("id name Lovec {}", env!("CARGO_PKG_VERSION"));
    assert!(answer.lines().any(|line| line == name), "{answer}");
}

#[test]
fn completions_have_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = lovec(&["completions", shell]).succeeded().stdout;
        for command in commands() {
            let name = command.rsplit(' ').next().unwrap();
            assert!(script.contains(name), "{shell}: {command}");
        }
        assert!(script.contains("movetime"), "{shell}");
    }
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let folder = folder("manual");
    let folder = folder.join("man1");
    lovec(&["man", "--output-dir", folder.to_str().unwrap()]).succeeded();
    let whole = lovec(&["man"]).succeeded().stdout;
    assert!(!whole.contains(".TH LOVEC-HELP"));
    let names =
        commands().into_iter().map(|command| format!("lovec-{}", command.replace(' ', "-")));
    for name in names.chain(["lovec".to_owned()]) {
        let page = fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
        assert!(page.starts_with(".ie") || page.starts_with(".TH"), "{name}: {page}");
        assert!(page.contains(&format!(".TH {} 1", name.to_uppercase())), "{name}: {page}");
        assert!(whole.contains(&page), "the whole manual lacks {name}");
        assert!(!page.contains("EXTRA") && !page.contains("Examples:"), "{name}: {page}");
        // Each example stays one line.
        let examples = page.contains("\n.SH EXAMPLES\n.nf\n");
        assert!(examples == page.contains("\n  lovec"), "{name}: {page}");
        let footer = concat!(" \"lovec ", env!("CARGO_PKG_VERSION"), "\"");
        assert!(
            page.lines().any(|line| line.starts_with(".TH ") && line.contains(footer)),
            "{page}"
        );
        assert!(page.is_ascii(), "{name}: {page}");
    }
    let page = fs::read_to_string(folder.join("lovec.1")).unwrap();
    let (_, page) = page.split_once("\n.SH UCI OPTIONS\n").unwrap();
    for option in &OPTIONS {
        assert!(page.contains(&format!("\noption name {} type ", option.name)), "{page}");
    }
    assert!(page.contains("\n.SH EXIT STATUS\n") && page.contains("\n.SH ENVIRONMENT\n"), "{page}");
}
