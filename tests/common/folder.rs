//! Folders for the files of tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

/// An empty folder of this test, which stays after it.
pub fn folder(name: &str) -> PathBuf {
    // The test harness names each thread after its test.
    let test = thread::current().name().unwrap_or_default().replace("::", " ");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test} {name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
