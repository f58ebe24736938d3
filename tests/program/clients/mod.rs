//! Programs that people really play with, driving the real binary: what they
//! accept is accepted, whatever the specification says.
//!
//! The clients are not part of Lovec, so that these tests are ignored by default:
//!
//! ```sh
//! pip install chess
//! cargo test --test program clients:: -- --ignored
//! ```
//!
//! | variable | names |
//! |---|---|
//! | `LOVEC_PYTHON` | a Python interpreter with the package `chess` |
//! | `LOVEC_FASTCHESS` | the program `fastchess` |
//! | `LOVEC_BINARY` | another binary to test, such as the release build |

mod books;
mod fastchess;
mod python_chess;

use std::env;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a client may take before it counts as hung.
const PATIENCE: Duration = Duration::from_secs(300);

/// A Python interpreter that has the package `chess`.
fn python_with_chess() -> String {
    let python = env::var("LOVEC_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_package = Command::new(&python)
        .args(["-c", "import chess.engine"])
        .output()
        .is_ok_and(|output| output.status.success());
    assert!(has_package, "{python} lacks the package chess; LOVEC_PYTHON names another Python");
    python
}

/// Runs a client to its end; its status and all that it wrote.
fn run(name: &str, command: &mut Command) -> (ExitStatus, String) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.log"));
    let log = File::create(&path).unwrap();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let deadline = Instant::now() + PATIENCE;
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break Some(status),
            None if Instant::now() > deadline => break None,
            None => thread::sleep(Duration::from_millis(10)),
        }
    };
    if status.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let said = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
    (status.unwrap_or_else(|| panic!("{command:?} does not end:\n{said}")), said)
}
