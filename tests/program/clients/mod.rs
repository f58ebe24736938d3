//! Real chess programs drive the binary; what they need counts, not only the specification.
//!
//! The clients are not part of Lovec, so that these tests are ignored by default:
//!
//! ```sh
//! pip install chess jsonschema
//! cargo test --test program clients:: -- --ignored
//! ```
//!
//! | variable | names |
//! |---|---|
//! | `LOVEC_PYTHON` | a Python interpreter with the packages `chess` and `jsonschema` |
//! | `LOVEC_FASTCHESS` | the program `fastchess` |
//! | `LOVEC_CUTECHESS` | the program `cutechess-cli` |
//! | `LOVEC_LICHESS_BOT` | a checkout of lichess-bot, for which `LOVEC_PYTHON` has what it requires |
//! | `LOVEC_BINARY` | another binary to test, such as the release build |

mod cutechess;
mod explanations;
mod fastchess;
mod games_in_pgn;
#[cfg(unix)]
mod schemas;
mod scripts;

use std::env;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::program::{Ran, run_for};

/// How long a client may take before it counts as hung.
const PATIENCE: Duration = Duration::from_secs(300);

/// A Python script of this folder.
fn script(name: &str) -> Command {
    let python = env::var("LOVEC_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut command = Command::new(python);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/clients").join(name));
    command
}

/// Runs a client to its end.
fn run(command: &mut Command) -> Ran {
    run_for(command, "", PATIENCE).succeeded()
}
