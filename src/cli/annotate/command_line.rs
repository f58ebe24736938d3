//! The command that makes the same annotations again.

use std::path::Path;

use crate::cli::annotate::args::Args;

/// The command, with the names of files without their folders, and without options that
/// change nothing in the result.
pub(super) fn command_line(args: &Args) -> String {
    let mut words = vec!["lovec".to_owned(), "annotate".to_owned()];
    words.extend(args.files.iter().map(|path| name(path)));
    words.extend(["-o".to_owned(), name(&args.output)]);
    for (option, path) in [("--html", &args.html), ("--json", &args.json)] {
        words.extend(path.iter().flat_map(|path| [option.to_owned(), name(path)]));
    }
    words.extend(args.result_options());
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_.,/+=:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn of(words: &[&str]) -> String {
        command_line(&Line::parse_from([&["annotate"], words].concat()).args)
    }

    #[test]
    fn the_command_has_what_changes_the_result() {
        let plain = of(&["games/a.pgn", "-o", "/tmp/out.pgn", "--threads", "7", "--force"]);
        assert_eq!(plain, "lovec annotate a.pgn -o out.pgn --nodes 200000");
        let all = "--html r.html --depth 9 --confirm 5 --hash 8 --player 'O'\\''Kelly de Galway' \
                   --side black --games 3-7 --skip-book 6 --thresholds 5,10,30.5 --comments none \
                   --variations all --line 4 --keep";
        let words = "it's.pgn|-|-o|o.pgn|--html|r.html|--depth|9|--confirm|5|--hash|8|--player|\
                     O'Kelly de Galway|--side|black|--games|3-7|--skip-book|6|--thresholds|\
                     5,10,30.5|--comments|none|--variations|all|--line|4|--keep";
        let words: Vec<&str> = words.split('|').collect();
        assert_eq!(of(&words), format!("lovec annotate 'it'\\''s.pgn' - -o o.pgn {all}"));
    }
}
