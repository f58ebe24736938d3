//! Attacks on the real program by the limits of the system, by its streams and by
//! the files that it reads and writes.
//!
//! After every attack [`Ended::orderly`] must hold: the process ends in time, by itself,
//! without a panic and not by a signal. Each test checks more. The limits are specific
//! to Linux.

mod files;
mod streams;
mod threads;

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::binary;

/// How long a program under attack may take to end.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// An empty folder for one test, which every user may read and write.
pub fn folder(name: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let folder = std::env::temp_dir().join(format!("lovec attack {} {name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    folder
}

/// `lovec` with these arguments.
pub fn lovec(arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments);
    command
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
        fs::copy(binary(), &copy).unwrap();
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

/// How a program has ended, and all that it wrote.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    /// Fails if the program panicked or was ended by a signal.
    #[track_caller]
    pub fn orderly(self) -> Self {
        assert_eq!(self.status.signal(), None, "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        self
    }

    /// Fails unless the program ended with status 0.
    #[track_caller]
    pub fn succeeded(self) -> Self {
        let ended = self.orderly();
        assert!(ended.status.success(), "{ended:?}");
        ended
    }

    /// Fails unless the program ended with status 2 and an error that holds `text`.
    #[track_caller]
    pub fn refused(self, text: &str) -> Self {
        let ended = self.orderly();
        assert_eq!(ended.status.code(), Some(2), "{ended:?}");
        assert!(ended.stderr.contains(text), "no {text:?} in {ended:?}");
        ended
    }

    /// How many lines of the standard output begin with `start`.
    pub fn lines_starting_with(&self, start: &str) -> usize {
        self.stdout.lines().filter(|line| line.starts_with(start)).count()
    }
}

/// Starts a program and sends it `input`, then the end of its input.
pub fn run(command: &mut Command, input: &str) -> Ended {
    run_for(command, input, TIMEOUT)
}

/// As [`run`], but fails if the program does not end within `timeout`.
#[track_caller]
pub fn run_for(command: &mut Command, input: &str, timeout: Duration) -> Ended {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A program that ends early need not read its input.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let stdout = read_all(child.stdout.take().unwrap());
    let stderr = read_all(child.stderr.take().unwrap());
    let status = wait(&mut child, timeout);
    let (stdout, stderr) = (stdout.join().unwrap(), stderr.join().unwrap());
    let Some(status) = status else {
        panic!("{command:?} does not end within {timeout:?}:\n{stdout}\n{stderr}");
    };
    writer.join().unwrap();
    Ended { status, stdout, stderr }
}

fn read_all(mut stream: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits for the end of a process. If it does not end in time, it is killed and has no
/// status.
pub fn wait(child: &mut Child, timeout: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + timeout;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_limit_that_is_never_reached() {
    let folder = folder("mild");
    let limited = run(&mut lovec_after("ulimit -v 8000000", &[]), "go depth 1\n").succeeded();
    assert_eq!(limited.lines_starting_with("bestmove "), 1);
    let limited = run(&mut lovec_with_processes(100, &folder, &[]), "go depth 1\n").succeeded();
    assert_eq!(limited.lines_starting_with("bestmove "), 1);
    fs::remove_dir_all(&folder).unwrap();
}
