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

mod books;
mod cutechess;
mod exact_searches;
mod explanations;
mod fastchess;
mod games_in_pgn;
mod lichess_bot;
mod python_chess;
#[cfg(unix)]
mod schemas;
mod theses;

use std::env;
use std::process::Command;
use std::time::Duration;

use crate::program::{Ran, run_for};

/// How long a client may take before it counts as hung.
const PATIENCE: Duration = Duration::from_secs(300);

/// A Python interpreter.
fn python() -> String {
    env::var("LOVEC_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// A Python interpreter that has a package.
fn python_with(package: &str) -> String {
    let python = python();
    let has_package = Command::new(&python)
        .args(["-c", &format!("import {package}")])
        .output()
        .is_ok_and(|output| output.status.success());
    assert!(has_package, "{python} lacks the package {package}; LOVEC_PYTHON names another Python");
    python
}

/// Runs a client to its end.
fn run(command: &mut Command) -> Ran {
    run_for(command, "", PATIENCE).succeeded()
}
