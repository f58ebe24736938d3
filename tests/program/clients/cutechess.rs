//! cutechess-cli referees games, and gives the reason for each result.

use std::env;
use std::process::Command;

use crate::clients::run;
use crate::program::binary;

const GAMES: usize = 4;

#[test]
#[ignore = "needs cutechess-cli, which LOVEC_CUTECHESS names"]
fn games_end_on_the_board() {
    let program = env::var("LOVEC_CUTECHESS").unwrap_or_else(|_| "cutechess-cli".to_owned());
    let engine = format!("cmd={}", binary());
    for variant in ["standard", "fischerandom"] {
        let mut command = Command::new(&program);
        command.args(["-variant", variant]);
        for name in ["name=A", "name=B"] {
            command.args(["-engine", &engine, name]);
        }
        command.args(["-each", "proto=uci", "tc=inf", "nodes=2000", "option.Hash=4", "ponder"]);
        command.args(["-games", &GAMES.to_string()]);
        let output = run(&mut command).stdout;
        // "Finished game 1 (A vs B): 1-0 {White mates}"
        let finished: Vec<_> =
            output.lines().filter(|line| line.starts_with("Finished game ")).collect();
        assert_eq!(finished.len(), GAMES, "{output}");
        for line in finished {
            let sound = line.contains(" mates}") || line.contains("{Draw by ");
            assert!(sound, "{variant}: {line}");
        }
    }
}
