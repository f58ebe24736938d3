//! `lovec terms` on the command line.

use std::fs;

use lovec::eval::WEIGHTS;

use crate::annotate_page::{assert_stands_alone, parse};
use crate::folder::folder;
use crate::program::{lovec, lovec_in};
use crate::samples::SAMPLES;

#[test]
fn every_term_has_a_meaning_and_its_weights() {
    let json = lovec(&["terms", "--json"]).succeeded().json();
    let terms = json["terms"].as_array().unwrap();
    let tables = WEIGHTS.tables();
    assert_eq!(terms.len(), tables.len());
    for (term, table) in terms.iter().zip(tables) {
        assert_eq!(term["term"], table.name);
        let description = term["description"].as_str().unwrap();
        assert!(description.ends_with('.') && !description.contains("  "), "{description}");
        let weights = term["weights"].as_array().unwrap();
        assert_eq!(weights.len(), table.values.len());
        assert_eq!(weights[0]["mg"].as_f64(), Some(table.values[0].middlegame()));
        assert!(term["positions"].as_u64() <= json["positions"].as_u64());
        assert!(term["loss"].is_null());
    }
    let tempo = terms.iter().find(|term| term["term"] == "tempo").unwrap();
    assert!(tempo["positions"].as_u64().unwrap() > 10, "{tempo}");
}

#[test]
fn a_dataset_gives_each_term_a_loss() {
    let known = "8/8/8/8/8/8/8/K1k5 w - - 0 1 | 0 | 0.5\n";
    let folder = folder("data").with("a.txt", SAMPLES.to_owned() + &known.repeat(2));
    let text = lovec_in(&folder, &["terms", "--data", "a.txt"]).succeeded().stdout;
    let end = "; 5 positions of a.txt, 2 known endgames left out, loss 0.";
    assert!(text.contains(end), "{text}");
    let material = text.lines().find(|line| line.starts_with("material ")).unwrap();
    assert!(material.contains("100.0 %  -0."), "{material}");
    for (arguments, expected) in [
        (["terms", "--data", "-"], "it must be a file"),
        (["terms", "--data", "absent.txt"], "absent.txt"),
    ] {
        lovec_in(&folder, &arguments).failed(expected);
    }
}

#[test]
fn the_page_stands_alone_and_is_well_formed() {
    let folder = folder("page");
    // Windows has no names with angle brackets.
    let (samples, escaped) = if cfg!(windows) {
        ("a & b.txt", "a &amp; b.txt")
    } else {
        ("<a> & b.txt", "&lt;a&gt; &amp; b.txt")
    };
    fs::write(folder.join(samples), SAMPLES).unwrap();
    lovec_in(&folder, &["terms", "--html", "bench.html"]).succeeded();
    let data = ["terms", "--html", "data.html", "--data", samples];
    lovec_in(&folder, &data).succeeded();
    for name in ["bench.html", "data.html"] {
        let page = fs::read_to_string(folder.join(name)).unwrap();
        assert!(page.len() < 300_000, "{}", page.len());
        assert_stands_alone(&parse(&page));
        for table in WEIGHTS.tables() {
            assert!(page.contains(&format!("<article id=\"{}\">", table.name)), "{}", table.name);
        }
    }
    let page = fs::read_to_string(folder.join("data.html")).unwrap();
    assert!(page.contains(&format!("5 positions of {escaped}")));
}
