//! Attacks on the real program by the limits of the system, by its streams and by the
//! files that it reads and writes.
//!
//! After every attack [`Ran::orderly`](crate::program::Ran::orderly) must hold: the process
//! ends in time, by itself, without a panic and not by a signal. Each test checks more. The
//! limits are specific to Linux.

mod files;
mod streams;
mod threads;

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::folder::Folder;
use crate::program::binary;

/// An empty folder for one test, which every user may read and write.
fn folder(name: &str) -> Folder {
    let name = format!("lovec attack {} {name}", std::process::id());
    let folder = Folder::at(std::env::temp_dir().join(name));
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    folder
}

/// `lovec` with these arguments, started by a shell that first runs `setup`, such as
/// `ulimit -v 1000000`.
pub fn lovec_after(setup: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{setup} && exec \"$0\" \"$@\""), &binary()]).args(arguments);
    command
}

/// `lovec` with these arguments as a user who may have only `processes` processes and
/// threads.
///
/// The limit does not hold for the superuser, who becomes another user for it and runs
/// a copy of the program that every user can reach. Each folder has a user of its own,
/// because the limit counts all processes of a user, other tests included. For an
/// ordinary user the threads that run already are added to the limit.
pub fn lovec_with_processes(processes: u32, folder: &Path, arguments: &[&str]) -> Command {
    let copy = folder.join("lovec");
    if !copy.exists() {
        // Not by this process: a program that another test starts meanwhile would inherit
        // the open copy, and the system runs no file that is open for writing.
        assert!(Command::new("cp").arg(binary()).arg(&copy).status().unwrap().success());
    }
    let root = rustix::process::geteuid().is_root();
    let limit = if root { processes } else { processes + own_threads() };
    let mut command = Command::new("sh");
    // Shells name the option differently.
    let limits = format!("{{ ulimit -u {limit} || ulimit -p {limit}; }} 2>/dev/null");
    let script = format!("{limits} && exec \"$0\" \"$@\"");
    command.args(["-c", &script]).arg(copy).args(arguments).current_dir(folder);
    if root {
        let mut hasher = DefaultHasher::new();
        folder.hash(&mut hasher);
        let user = 60_000 + (hasher.finish() % 5_000) as u32;
        command.uid(user).gid(user);
    }
    command
}

/// The number of threads of this user.
fn own_threads() -> u32 {
    let user = rustix::process::geteuid().as_raw().to_string();
    let output = Command::new("ps").args(["-L", "-u", &user, "-o", "lwp="]).output().unwrap();
    output.stdout.iter().filter(|&&byte| byte == b'\n').count() as u32
}
