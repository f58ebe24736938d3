//! `lovec spsa` on the command line, in a build with the feature `spsa`.

use std::fs;

use serde_json::Value;

use crate::folder::folder;
use crate::program::{Ran, lovec_in};

/// Quick endings, one of them already decided.
const OPENINGS: &str = "4k3/pp3p2/4bb2/8/8/3N1N2/PP3P2/4K3 w - -\n\
                        4k3/8/8/8/8/8/4P3/R3K3 w - -\n";

#[test]
fn a_run_is_repeated_and_resumed() {
    let folder = folder("run").with("openings.epd", OPENINGS);
    let run = |options: &str| -> Ran {
        let line = format!("spsa --openings openings.epd --hash 1 {options}");
        lovec_in(&folder, &line.split_whitespace().collect::<Vec<_>>())
    };
    let spsa = |options: &str| run(&format!("--nodes 100 {options}"));
    let state = |name: &str| fs::read_to_string(folder.join(name)).unwrap();

    let two = "--games 8 --parameter rfp_margin lmr_base";
    let table = spsa(&format!("--state a.json {two}")).succeeded();
    assert_eq!(table.last_line(), "8 of 8 games");
    assert!(table.lines_starting_with("rfp_margin  ") == 1, "{table:?}");
    spsa(&format!("--state b.json {two}")).succeeded();
    assert_eq!(state("a.json"), state("b.json"));
    spsa(&format!("--state c.json {two} --concurrency 2")).succeeded();
    // A finished run plays no more games, and only the same options continue a run.
    assert_eq!(spsa(&format!("--state a.json {two}")).succeeded().last_line(), "8 of 8 games");
    spsa(&format!("--state a.json {two} --seed 2")).refused("begun with seed 1, not 2");
    spsa("--state f.json --games 7").refused("even");
    spsa("--state a.json --games 8").refused("other parameters");

    // Only the effects: the values stay, and more games continue the run.
    let effects = "--effects-only --state d.json --json";
    let json = spsa(&format!("{effects} --games 2")).succeeded().json();
    let parameters = json["parameters"].as_array().unwrap();
    assert!(parameters.len() > 80 && json["iterations"] == 1, "{json}");
    assert!(parameters.iter().all(|it| it["elo"].is_null()), "one pair of games: {json}");
    let mut more = spsa(&format!("{effects} --games 4")).succeeded().json();
    assert_eq!(more.as_object_mut().unwrap().remove("schema"), Some("lovec.spsa/1".into()));
    let schema = include_str!("../../docs/json/spsa.schema.json");
    assert!(schema.contains("\"schema\": {\"const\": \"lovec.spsa/1\"}"));
    let begun: Value = serde_json::from_str(&state("d.json")).unwrap();
    assert_eq!((&more, &more["games"]), (&begun, &4.into()));
    assert!(parameters.iter().all(|it| it["value"].as_f64() == it["start"].as_f64()), "{json}");
    let less = spsa("--effects-only --state d.json --games 2").succeeded();
    assert_eq!(less.last_line(), "4 of 4 games");

    // On the clock.
    let clock = "--tc 0.2+0.01 --games 2 --parameter time_optimum --state e.json";
    assert_eq!(run(clock).succeeded().last_line(), "2 of 2 games");
}
