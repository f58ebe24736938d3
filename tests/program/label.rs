//! `lovec label` on the command line.

use std::fs;
use std::path::Path;

use crate::folder::folder;
use crate::program::{Ran, binary, lovec_in};

/// A quiet position, a mate in one, and a lost one with Black to move.
const SAMPLES: &str = "\
rn1q1rk1/p4pb1/6pp/2Nbp3/1p6/3Q1NPP/PPP2PB1/R4RK1 b - - 2 16 | -34 | 0.0
6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 | 0 | 1.0
4k3/7p/8/8/8/8/PPP5/4KQ2 b - - 0 1 | 0 | 0.5
";

fn label(folder: &Path, arguments: &[&str]) -> Ran {
    let engine = format!("'{}'", binary());
    lovec_in(folder, &[&["label", "--engine", &engine], arguments].concat())
}

#[test]
fn positions_get_the_scores_of_the_engine() {
    let folder = folder("scores").with("a.txt", SAMPLES);
    let text = label(&folder, &["a.txt", "-o", "b.txt", "--nodes", "500"]).succeeded().stdout;
    assert_eq!(text, "2 of 3 positions written to b.txt\n");
    let written = fs::read_to_string(folder.join("b.txt")).unwrap();
    let lines: Vec<Vec<&str>> = written.lines().map(|line| line.split(" | ").collect()).collect();
    let fens: Vec<&str> = SAMPLES.lines().map(|line| line.split(" | ").next().unwrap()).collect();
    assert_eq!([lines[0][0], lines[1][0]], [fens[0], fens[2]], "the mate is left out");
    assert_eq!([lines[0][2], lines[1][2]], ["0.0", "0.5"], "results stay");
    let score: i32 = lines[1][1].parse().unwrap();
    assert!(score > 500, "from White's side: {score}");
}

#[test]
fn processes_and_parts_do_not_change_the_scores() {
    let folder = folder("parts").with("a.txt", SAMPLES.repeat(50));
    let run = |output: &str, more: &[&str]| {
        let arguments = [&["a.txt", "-o", output, "--nodes", "40"], more].concat();
        label(&folder, &arguments).succeeded();
        fs::read(folder.join(output)).unwrap()
    };
    let whole = run("b.txt", &[]);
    assert_eq!(run("c.txt", &["--threads", "3"]), whole);
    let parts = ["1/2", "2/2"].map(|part| run("d.txt", &["--force", "--shard", part]));
    assert!(parts.iter().all(|part| !part.is_empty()));
    assert_eq!(parts.concat(), whole);
    run("e.txt.gz", &[]);
    let tuned = lovec_in(&folder, &["tune", "e.txt.gz", "--epochs", "0"]).succeeded().stdout;
    assert!(tuned.starts_with("e.txt.gz: 100 positions\n"), "{tuned}");
}

#[test]
fn faults_are_errors_and_leave_no_file() {
    let folder = folder("faults").with("a.txt", SAMPLES).with("bad.txt", "x | 1 | 1.0\n");
    for (arguments, complaint) in [
        (["bad.txt", "-o", "b.txt", "--nodes", "9"], "bad.txt: line 1"),
        (["a.txt", "-o", "b.txt", "--option", "Hush=1"], "there is no option \"Hush\""),
    ] {
        label(&folder, &arguments).failed(complaint);
        assert!(!folder.join("b.txt").exists());
    }
}

/// An engine that answers with 12 centipawns, and does something else at its search `number`.
#[cfg(unix)]
fn scripted_engine(folder: &Path, number: u32, act: &str) -> &'static str {
    let text = format!(
        "n=0\nwhile read -r line; do case $line in uci) echo uciok;; \
         isready) echo readyok;; quit) exit;; go*) n=$((n+1)); [ $n = {number} ] && {{ {act}; }}; \
         echo 'info depth 1 score cp 12'; echo 'bestmove g8h8';; esac; done"
    );
    crate::program::script(&folder.join("engine.sh"), &text);
    "./engine.sh"
}

/// The first two blocks of 130 positions.
#[cfg(unix)]
#[test]
fn what_was_searched_before_the_engine_failed_is_kept() {
    let (line, _) = SAMPLES.split_once('\n').unwrap();
    let folder = folder("failing").with("a.txt", format!("{line}\n").repeat(130));
    let engine = scripted_engine(&folder, 129, "exit 1");
    let ran = lovec_in(&folder, &["label", "--engine", engine, "a.txt", "-o", "b.txt"]);
    assert_eq!(ran.stdout, "128 of 128 positions written to b.txt\n");
    ran.failed("has ended (exit status: 1)");
    let labels = fs::read_to_string(folder.join("b.txt")).unwrap();
    assert_eq!(labels.lines().filter(|line| line.ends_with(" | -12 | 0.0")).count(), 128);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_what_is_left() {
    let (line, _) = SAMPLES.split_once('\n').unwrap();
    let folder = folder("interrupted").with("a.txt", format!("{line}\n").repeat(130));
    let engine = scripted_engine(&folder, 65, "kill -INT $PPID; sleep 1");
    let ran = lovec_in(&folder, &["label", "--engine", engine, "a.txt", "-o", "b.txt"]);
    let expected = "64 of 64 positions written to b.txt\n\
                    interrupted after 64 of 130 positions; label the others into another file\n";
    assert_eq!((ran.status, &ran.stdout[..]), (Some(130), expected), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn the_last_report_counts_though_it_is_a_bound() {
    let (line, _) = SAMPLES.split_once('\n').unwrap();
    let folder = folder("bound").with("a.txt", line);
    let bounds = "echo 'info depth 2 score cp 12 pv g8h8'; \
                  echo 'info depth 3 score cp 70 lowerbound pv g8h8'; echo bestmove g8h8; continue";
    let engine = scripted_engine(&folder, 1, bounds);
    lovec_in(&folder, &["label", "--engine", engine, "a.txt", "-o", "b.txt"]).succeeded();
    let labels = fs::read_to_string(folder.join("b.txt")).unwrap();
    assert_eq!(labels, line.replace("-34", "-70") + "\n");
}

#[cfg(unix)]
#[test]
fn a_file_that_comes_meanwhile_is_kept() {
    let (line, _) = SAMPLES.split_once('\n').unwrap();
    let folder = folder("meanwhile").with("a.txt", line);
    let engine = scripted_engine(&folder, 1, "echo precious >b.txt");
    lovec_in(&folder, &["label", "--engine", engine, "a.txt", "-o", "b.txt"])
        .failed("another file has come to b.txt meanwhile; the result is in b-2.txt");
    assert_eq!(fs::read_to_string(folder.join("b.txt")).unwrap(), "precious\n");
    assert_eq!(
        fs::read_to_string(folder.join("b-2.txt")).unwrap(),
        line.replace("-34", "-12") + "\n"
    );
}
