//! lichess-bot plays with Lovec against a server of this test, with its stock configuration.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::clients::run;
use crate::folder::folder;
use crate::program::binary;

#[test]
#[ignore = "needs lichess-bot, whose folder LOVEC_LICHESS_BOT names, and LOVEC_PYTHON with what it requires"]
fn games_on_a_server() {
    let bot = env::var("LOVEC_LICHESS_BOT").expect("LOVEC_LICHESS_BOT names no folder");
    let python = env::var("LOVEC_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/clients/lichess_bot.py");
    let folder = folder("lichess-bot");
    let mut command = Command::new(python);
    command.arg(script).args([binary(), bot]).arg(&*folder);
    assert_eq!(run(&mut command).last_line(), "everything passed");
}
