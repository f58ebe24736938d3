//! `lovec tune` and `lovec wdl` on the command line.

use std::fs;
use std::path::Path;

use crate::folder::folder;
use crate::program::{Ran, lovec_in};
use crate::samples::SAMPLES;

fn tune(folder: &Path, arguments: &[&str]) -> Ran {
    lovec_in(folder, &[&["tune"], arguments].concat())
}

fn wdl(folder: &Path, arguments: &[&str]) -> Ran {
    lovec_in(folder, &[&["wdl"], arguments].concat())
}

/// The loss in the line of the output that begins with `what`.
fn loss(ran: &Ran, what: &str) -> f64 {
    let text = &ran.stdout;
    let line = text.lines().find(|line| line.starts_with(what)).unwrap_or_else(|| panic!("{text}"));
    let number = line.strip_prefix(what).unwrap().trim_start_matches(": loss ");
    number.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn a_fit_lowers_the_loss_and_writes_every_term() {
    let folder = folder("fit").with("train.txt", SAMPLES);
    let arguments =
        ["train.txt", "-o", "weights.rs", "--force", "--epochs", "20", "--validation", "0"];
    let output = tune(&folder, &arguments).succeeded();
    assert!(loss(&output, "fitted") < loss(&output, "before"));
    let written = fs::read_to_string(folder.join("weights.rs")).unwrap();
    for table in lovec::eval::WEIGHTS.tables() {
        assert!(written.contains(&format!("    {}: ", table.name)), "{}", table.name);
    }
}

#[test]
fn the_start_is_kept_if_no_epoch_is_better() {
    let known = "8/8/8/8/8/8/8/K1k5 w - - 0 1 | 0 | 0.5\n";
    let folder = folder("start").with("train.txt", SAMPLES.to_owned() + known);
    let steps = "train.txt -o weights.rs --force --epochs 2 --rate 1000 --validation 0";
    let steps: Vec<&str> = steps.split(' ').collect();
    let output = tune(&folder, &steps).succeeded();
    let text = &output.stdout;
    assert!(text.starts_with("train.txt: 5 positions, 1 known endgame left out\n"), "{text}");
    assert!(
        text.contains("\nepoch   0  training 0.05") && text.contains("  validation -\n"),
        "{text}"
    );
    assert_eq!(loss(&output, "fitted"), loss(&output, "before"));
    let written = fs::read_to_string(folder.join("weights.rs")).unwrap();
    assert_eq!(written, lovec::eval::writer::source(&lovec::eval::WEIGHTS));
    assert!(output.stderr.contains("no epoch has lowered the loss"), "{output:?}");
    let json = tune(&folder, &[&steps[..], &["--json"]].concat()).succeeded().json();
    assert!(json["epochs"][2]["validation"].is_null(), "{json}");
    assert_eq!(json["datasets"][0]["known_endgames"], 1);
}

#[test]
fn zero_epochs_leave_the_weights_unchanged() {
    let folder = folder("measure").with("train.txt", SAMPLES);
    let output =
        tune(&folder, &["train.txt", "-o", "weights.rs", "--force", "--epochs", "0", "--ablate"])
            .succeeded();
    let written = fs::read_to_string(folder.join("weights.rs")).unwrap();
    assert_eq!(written, lovec::eval::writer::source(&lovec::eval::WEIGHTS));
    let text = &output.stdout;
    for group in ["Material", "King", "Mobility"] {
        assert!(text.contains(&format!("without {group}")), "{text}");
    }
}

#[test]
fn losses_of_the_test_positions_are_named_with_their_scales() {
    let folder = folder("test").with("train.txt", SAMPLES).with("test.txt", SAMPLES.repeat(2));
    let test = ["train.txt", "--test", "test.txt", "--epochs", "1", "--ablate"];
    let text = tune(&folder, &test).succeeded().stdout;
    for name in ["before:", "fitted:", "rounded:", "without Material"] {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(line.contains(" test loss 0."), "{text}");
    }
    let json = tune(&folder, &[&test[..], &["--json"]].concat()).succeeded().json();
    // The test positions are those of the fit.
    let scales = &json["scales_before"];
    assert_eq!((&scales["evaluation"], &scales["scores"]), (&json["scale"], &json["score_scale"]));
    assert_ne!(&json["scales_fitted"]["scores"], &serde_json::Value::Null);
    let twice = tune(&folder, &["train.txt", "--test", "train.txt", "--epochs", "0"]);
    assert!(twice.succeeded().stderr.contains("train.txt is given twice"));
}

#[test]
fn frozen_terms_stay() {
    let folder = folder("frozen").with("train.txt", SAMPLES);
    let line = |freeze: &[&str], term: &str| {
        let fit = ["train.txt", "-o", "w.rs", "--force", "--epochs", "9", "--validation", "0"];
        tune(&folder, &[&fit[..], freeze].concat()).succeeded();
        let written = fs::read_to_string(folder.join("w.rs")).unwrap();
        let (_, rest) = written.split_once(&format!("    {term}: ")).unwrap();
        rest.lines().next().unwrap().to_owned()
    };
    let (tempo, open) = (line(&["--freeze", "tempo,Pawns"], "tempo"), line(&[], "tempo"));
    assert_eq!(tempo, line(&["--freeze", "Pawns", "--freeze", "tempo"], "tempo"));
    assert!(tempo != open && lovec::eval::writer::source(&lovec::eval::WEIGHTS).contains(&tempo));
}

#[test]
fn scores_of_the_other_side_are_noticed() {
    let folder = folder("sides").with("train.txt", SAMPLES.replace(" | 0.0\n", " | 1.0\n"));
    let warns = |dataset: &[&str]| {
        let ran = tune(&folder, &[&["train.txt", "--epochs", "0"], dataset].concat());
        ran.succeeded().stderr.contains("from White's side")
    };
    assert!(warns(&[]));
    let learn = ["tune", "train.txt", "--method", "hill", "--passes", "1"];
    assert!(lovec_in(&folder, &learn).succeeded().stderr.contains("from White's side"));
    fs::write(folder.join("train.txt"), SAMPLES).unwrap();
    assert!(!warns(&[]));
}

#[test]
fn bad_input_is_reported_and_nothing_is_written() {
    let folder =
        folder("errors").with("bad.txt", format!("{SAMPLES}nonsense\n")).with("train.txt", SAMPLES);
    for (arguments, expected) in [
        (vec!["absent.txt"], "absent.txt"),
        (vec!["bad.txt"], "line 6"),
        (vec!["train.txt", "--freeze", "charm"], "charm"),
        (vec!["train.txt", "--test", "bad.txt"], "bad.txt"),
    ] {
        tune(&folder, &[&arguments[..], &["-o", "weights.rs", "--force"]].concat())
            .failed(expected);
        assert!(!folder.join("weights.rs").exists());
    }
}

#[test]
fn the_model_is_fitted_and_printed_as_source() {
    let folder = folder("fit").with("games.txt", SAMPLES);
    let output = wdl(&folder, &["games.txt", "games.txt"]).succeeded();
    let text = &output.stdout;
    assert!(text.starts_with("10 positions\n"), "{text}");
    assert!(text.contains("\npub const MODEL: Model = Model {\n    margin: ["), "{text}");
    // Better than equal probabilities.
    assert!(loss(&output, "  fitted model") < 3f64.ln(), "{text}");

    let json = wdl(&folder, &["games.txt", "--json"]).succeeded().json();
    assert_eq!(json["positions"], 5);
    assert_eq!(json["margin"].as_array().unwrap().len(), 4);
    // All games are lost.
    assert!(
        json["at_limit"] == true && text.contains("\n  at the limit of 20 centipawns"),
        "{text}"
    );
}

#[test]
fn bad_files_are_reported() {
    let folder =
        folder("errors").with("bad.txt", format!("{SAMPLES}nonsense\n")).with("empty.txt", "\n");
    for (file, expected) in
        [("absent.txt", "absent.txt"), ("bad.txt", "line 6"), ("empty.txt", "no position")]
    {
        let output = wdl(&folder, &[file]);
        let message = output.refused(expected).stderr;
        assert!(message.contains(file), "{message}");
    }
}
