//! `lovec label` on the command line.

use std::fs;
use std::path::Path;

use crate::folder::folder;
use crate::program::{self, Ran, binary, lovec_in, run};

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
fn the_number_of_processes_does_not_change_the_scores() {
    let folder = folder("processes").with("a.txt", SAMPLES.repeat(50));
    let run = |output: &str, more: &[&str]| {
        let arguments = [&["a.txt", "-o", output, "--nodes", "40"], more].concat();
        label(&folder, &arguments).succeeded();
        fs::read(folder.join(output)).unwrap()
    };
    let whole = run("b.txt", &[]);
    assert_eq!(run("c.txt", &["--threads", "3"]), whole);
    run("e.txt.gz", &[]);
    let tuned = lovec_in(&folder, &["tune", "e.txt.gz", "--epochs", "0"]).succeeded().stdout;
    assert!(tuned.starts_with("e.txt.gz: 100 positions\n"), "{tuned}");
}

#[test]
fn faults_are_errors_and_leave_no_file() {
    let folder = folder("faults").with("a.txt", SAMPLES).with("bad.txt", "x | 1 | 1.0\n");
    for (arguments, complaint) in [
        (["bad.txt", "-o", "b.txt", "--nodes", "9"], "bad.txt, line 1"),
        (["a.txt", "-o", "b.txt", "--option", "Hush=1"], "there is no option \"Hush\""),
    ] {
        label(&folder, &arguments).failed(complaint);
        assert!(!folder.join("b.txt").exists());
    }
}

#[test]
fn only_the_same_settings_continue_a_file() {
    let folder = folder("settings").with("a.txt", SAMPLES).with("other.txt", SAMPLES.repeat(2));
    let arguments = ["a.txt", "-o", "b.txt", "--nodes", "40"];
    let contents = || ["b.txt", "b.txt.progress"].map(|name| fs::read(folder.join(name)).unwrap());
    label(&folder, &arguments).succeeded();
    let before = contents();
    for (changed, name) in [
        (&["other.txt", "-o", "b.txt", "--nodes", "40"][..], "dataset"),
        (&["a.txt", "-o", "b.txt", "--nodes", "50"], "nodes"),
        (&[&arguments[..], &["--option", "Hash=2"]].concat(), "options"),
    ] {
        label(&folder, changed).refused(&format!("b.txt was begun with {name} "));
        assert_eq!(contents(), before);
    }
    let same = binary();
    let other = [&["label", "--engine", &same], &arguments[..]].concat();
    lovec_in(&folder, &other).refused("b.txt was begun with engine-command ");
    lovec_in(&folder, &["datagen", "-o", "b.txt", "--games", "1", "--nodes", "50"])
        .refused("b.txt was written by label, not by datagen");
    let again = [&arguments[..], &["--threads", "2", "--timeout", "9"]].concat();
    let done = "nothing to do: b.txt has its positions\n2 of 3 positions written to b.txt\n";
    assert_eq!(label(&folder, &again).succeeded().stdout, done);
    // The standard input with the same positions is the same dataset.
    let piped = ["label", "--engine", &format!("'{}'", binary()), "-", "-o", "b.txt"];
    let mut piped = program::command(&[&piped[..], &["--nodes", "40"]].concat());
    assert_eq!(run(piped.current_dir(&folder), SAMPLES).succeeded().stdout, done);
    assert_eq!(contents(), before);
}

/// An engine that answers with 12 centipawns, and does something else from its search `number`.
#[cfg(unix)]
fn scripted_engine(folder: &Path, number: u32, act: &str) -> &'static str {
    let text = format!(
        "n=0\nwhile read -r line; do case $line in uci) echo uciok;; \
         isready) echo readyok;; quit) exit;; go*) n=$((n+1)); [ $n -ge {number} ] && {{ {act}; }}; \
         echo 'info depth 1 score cp 12'; echo 'bestmove g8h8';; esac; done"
    );
    program::script(&folder.join("engine.sh"), &text);
    "./engine.sh"
}

/// Two blocks and two positions, all different, and what the engine makes of them.
#[cfg(unix)]
fn blocks() -> [String; 2] {
    let (line, _) = SAMPLES.split_once('\n').unwrap();
    let lines = (1..=130).map(|number| line.replace("2 16", &format!("2 {number}")) + "\n");
    let lines: String = lines.collect();
    [lines.replace("-34", "-12"), lines]
}

#[cfg(unix)]
#[test]
fn what_was_searched_before_the_engine_failed_is_kept() {
    let [scored, lines] = blocks();
    let folder = folder("failing").with("a.txt", lines).with("fails", "");
    let engine = scripted_engine(&folder, 129, "[ -e fails ] && exit 1");
    let arguments = ["label", "--engine", engine, "a.txt", "-o", "b.txt"];
    let ran = lovec_in(&folder, &arguments);
    let how_to_go_on = "\"; 128 positions are done, and the same command continues";
    assert!(ran.stderr.contains(how_to_go_on), "{ran:?}");
    ran.refused("has ended (exit status: 1)");
    let labels = || fs::read_to_string(folder.join("b.txt")).unwrap();
    assert!(labels().lines().eq(scored.lines().take(128)));
    fs::remove_file(folder.join("fails")).unwrap();
    let text = lovec_in(&folder, &arguments).succeeded().stdout;
    assert_eq!(text, "130 of 130 positions written to b.txt\n");
    assert_eq!(labels(), scored);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_is_continued() {
    let [scored, lines] = blocks();
    let folder = folder("interrupted").with("a.txt", lines).with("hold", "");
    let engine =
        scripted_engine(&folder, 65, "[ -e hold ] && rm hold && kill -INT $PPID && sleep 1");
    let arguments = ["label", "--engine", engine, "a.txt", "-o", "b.txt"];
    let ran = lovec_in(&folder, &arguments);
    let expected = "64 of 64 positions written to b.txt\ninterrupted; the same command continues\n";
    assert_eq!((ran.status, &ran.stdout[..]), (Some(130), expected), "{ran:?}");
    // Another program in its place does not continue.
    let path = folder.join(engine);
    let script = fs::read_to_string(&path).unwrap();
    fs::write(&path, script.replace("echo uciok", "echo id name Other 2; echo uciok")).unwrap();
    lovec_in(&folder, &arguments)
        .refused("b.txt was begun with engine \"./engine.sh\", not \"Other 2\"; use the same");
    fs::write(&path, script).unwrap();
    lovec_in(&folder, &arguments).succeeded();
    assert_eq!(fs::read_to_string(folder.join("b.txt")).unwrap(), scored);
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
