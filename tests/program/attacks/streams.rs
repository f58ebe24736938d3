//! Attacks by the standard streams and the log file: no reader, a full disk, non-blocking
//! streams, clients that send without end.
//!
//! The laws: logging never blocks; a stream that is not ready is neither closed nor at its end;
//! a failed write is an error, a closed reader is not; memory has a bound.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pipe::{fcntl_setpipe_size, pipe};

use crate::attacks::{folder, lovec_after};
use crate::program::{TIMEOUT, command, memory_mib, processor_ticks, run, wait};
use crate::samples::SAMPLES;
use crate::terminal::open_terminal;

/// The smallest pipe that the system has, in bytes.
const SMALL_PIPE: usize = 4096;

/// A pipe: the end to read and the end to write.
fn small_pipe() -> (File, OwnedFd) {
    let (reader, writer) = pipe().unwrap();
    fcntl_setpipe_size(&writer, SMALL_PIPE).unwrap();
    (File::from(reader), writer)
}

fn open(path: &str) -> File {
    OpenOptions::new().read(true).write(true).open(path).unwrap()
}

fn full_disk() -> Stdio {
    open("/dev/full").into()
}

/// Starts a program; its input is a pipe.
fn start(command: &mut Command, stdout: Stdio, stderr: Stdio) -> Child {
    command.stdin(Stdio::piped()).stdout(stdout).stderr(stderr).spawn().unwrap()
}

/// Starts a program; its input and output are pipes.
fn piped(command: &mut Command, stderr: Stdio) -> (Child, BufReader<ChildStdout>) {
    let mut child = start(command, Stdio::piped(), stderr);
    let stdout = child.stdout.take().unwrap();
    (child, BufReader::new(stdout))
}

/// Sends text; fails if the program does not read it.
fn send(child: &mut Child, text: &str) {
    let mut stdin = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = thread::spawn(move || stdin.write_all(text.as_bytes()).map(|()| stdin));
    let deadline = Instant::now() + TIMEOUT;
    while !writer.is_finished() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(1));
    }
    if !writer.is_finished() {
        let _ = child.kill();
        panic!("the program does not take its input");
    }
    child.stdin = Some(writer.join().unwrap().unwrap());
}

/// Reads lines until one begins with `start`, the last of `count` such lines. The
/// program is killed if they do not come.
fn until(child: &mut Child, lines: &mut impl BufRead, start: &str, count: usize) -> Vec<String> {
    let id = rustix::process::Pid::from_child(child);
    let (done, watch) = std::sync::mpsc::channel::<()>();
    let watchdog = thread::spawn(move || {
        if watch.recv_timeout(TIMEOUT) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
        }
    });
    let mut seen = 0;
    let mut lines_read = Vec::new();
    while seen < count {
        let mut line = String::new();
        let read = lines.read_line(&mut line).unwrap();
        assert!(read > 0, "the output ends after {seen} of {count} lines {start:?}");
        seen += usize::from(line.starts_with(start));
        lines_read.push(line.trim_end().to_owned());
    }
    drop(done);
    watchdog.join().unwrap();
    lines_read
}

/// Fails unless the program ends soon, with status 0.
#[track_caller]
fn expect_end(mut child: Child) {
    let status = wait(&mut child, TIMEOUT);
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
}

fn quit(mut child: Child) {
    send(&mut child, "quit\n");
    expect_end(child);
}

/// Sends many commands to a program whose `stderr` has no reader. Fails unless
/// each is answered and the program ends with status 0 after the last input.
fn expect_answers(mut command: Command, stderr: Stdio, last: &str) {
    const COMMANDS: usize = 4;
    const COUNT: usize = 1000;
    let (mut child, mut lines) = piped(&mut command, stderr);
    for _ in 0..COMMANDS {
        send(&mut child, "position startpos\ngo depth 4\n");
        until(&mut child, &mut lines, "bestmove", 1);
    }
    send(&mut child, &"isready\n".repeat(COUNT));
    until(&mut child, &mut lines, "readyok", COUNT);
    send(&mut child, last);
    drop(child.stdin.take());
    expect_end(child);
}

#[test]
fn an_unread_standard_error_does_not_block() {
    for last in ["quit\n", ""] {
        let mut by_variable = command(&[]);
        by_variable.env("RUST_LOG", "debug");
        for command in [by_variable, command(&["--log-level", "trace"])] {
            let (_reader, writer) = small_pipe();
            expect_answers(command, writer.into(), last);
        }
    }
    let (_master, path) = open_terminal();
    expect_answers(command(&["--log-level", "debug"]), open(&path).into(), "quit\n");
    let (_reader, writer) = small_pipe();
    fcntl_setfl(&writer, OFlags::NONBLOCK).unwrap();
    expect_answers(command(&["--log-level", "debug"]), writer.into(), "quit\n");
}

/// When the standard error is read again, the number of dropped lines is reported.
#[test]
fn dropped_lines_of_the_log_are_counted() {
    const COUNT: usize = 6000;
    let (reader, writer) = small_pipe();
    let (mut child, mut lines) = piped(&mut command(&["--log-level", "debug"]), writer.into());
    let long = format!("isready {}\n", "x".repeat(2000));
    send(&mut child, &long.repeat(COUNT));
    until(&mut child, &mut lines, "readyok", COUNT);
    let mut log = BufReader::new(reader);
    let kept = until(&mut child, &mut log, "warning: ", 1);
    drop(child.stdin.take());
    expect_end(child);
    let rest = log.lines().count();
    let report = kept.last().unwrap();
    let dropped: usize = report.split(' ').nth(1).unwrap().parse().unwrap();
    assert_eq!(kept.len() - 1 + dropped + rest, 2 * COUNT, "{report}");
}

#[test]
fn a_log_file_that_cannot_be_written_is_closed_with_an_error() {
    let folder = folder("full log");
    let path = folder.join("dialogue.log");
    let mut input = format!("setoption name Debug Log File value {}\n", path.display());
    input += &"uci\nisready\n".repeat(5);
    input += "position startpos\ngo depth 4\n";
    let ended = run(&mut lovec_after("ulimit -f 2", &[]), &input).succeeded();
    assert_eq!(ended.lines_starting_with("uciok"), 5);
    assert_eq!(ended.lines_starting_with("bestmove "), 1);
    let closed = ended.stdout.lines().filter(|line| line.contains("is closed"));
    assert_eq!(closed.count(), 1, "{}", ended.stdout);
    assert_eq!(ended.lines_starting_with("info string error: the log file"), 1);
}

#[test]
fn an_output_that_fails_does_not_lose_the_file() {
    let folder = folder("full output").with("train.txt", SAMPLES);
    let mut tune = command(&["tune", "train.txt", "-o", "weights.rs", "--epochs", "1"]);
    let mut child = start(tune.current_dir(&folder), full_disk(), Stdio::null());
    assert_eq!(wait(&mut child, TIMEOUT).unwrap().code(), Some(2));
    assert!(folder.join("weights.rs").exists());
}

#[test]
fn the_input_file_is_refused_as_log_file() {
    let folder = folder("script");
    let script = folder.join("script");
    let link = folder.join("link");
    let text = format!("setoption name Debug Log File value {}\nisready\nuci\n", link.display());
    fs::write(&script, &text).unwrap();
    fs::hard_link(&script, &link).unwrap();
    let output = folder.join("output");
    let mut child = command(&[])
        .stdin(File::open(&script).unwrap())
        .stdout(File::create(&output).unwrap())
        .spawn()
        .unwrap();
    let status = wait(&mut child, TIMEOUT);
    assert_eq!(fs::read_to_string(&script).unwrap(), text);
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
    let printed = fs::read_to_string(&output).unwrap();
    assert_eq!(printed.lines().filter(|&line| line == "uciok").count(), 1);
    assert!(printed.starts_with("info string error: cannot write to"), "{printed}");
}

#[test]
fn a_non_blocking_output_gets_every_answer() {
    const COUNT: usize = 5000;
    let (reader, writer) = small_pipe();
    fcntl_setfl(&writer, OFlags::NONBLOCK).unwrap();
    let mut child = start(&mut command(&[]), writer.into(), Stdio::inherit());
    send(&mut child, &"isready\n".repeat(COUNT));
    send(&mut child, "setoption name MultiPV value 8\ngo depth 6\n");
    thread::sleep(Duration::from_millis(200));
    assert_eq!(child.try_wait().unwrap(), None, "the program has ended");
    let mut lines = BufReader::new(reader);
    let lines_read = until(&mut child, &mut lines, "bestmove", 1);
    assert_eq!(lines_read.iter().filter(|&line| line == "readyok").count(), COUNT);
    quit(child);
}

#[test]
fn a_non_blocking_input_has_not_ended() {
    let (client, engine) = UnixStream::pair().unwrap();
    engine.set_nonblocking(true).unwrap();
    let engine = OwnedFd::from(engine);
    let mut child = command(&[]).stdin(engine.try_clone().unwrap()).stdout(engine).spawn().unwrap();
    thread::sleep(Duration::from_millis(200));
    assert_eq!(child.try_wait().unwrap(), None, "the program has ended");
    let mut lines = BufReader::new(client.try_clone().unwrap());
    for part in ["isre", "ady\ngo dep", "th 3\n"] {
        (&client).write_all(part.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(20));
    }
    let lines_read = until(&mut child, &mut lines, "bestmove", 1);
    assert_eq!(lines_read[0], "readyok");
    client.shutdown(std::net::Shutdown::Write).unwrap();
    expect_end(child);
}

#[test]
fn commands_wait_for_a_non_blocking_output() {
    for arguments in [&["--help"][..], &["eval", "startpos"], &["perft", "3", "--divide"]] {
        let expected = run(&mut command(arguments), "").succeeded().stdout;
        let (mut reader, writer) = small_pipe();
        fcntl_setfl(&writer, OFlags::NONBLOCK).unwrap();
        let filling = vec![b'#'; SMALL_PIPE - 100];
        rustix::io::write(&writer, &filling).unwrap();
        let child = start(&mut command(arguments), writer.into(), Stdio::inherit());
        thread::sleep(Duration::from_millis(50));
        let mut printed = String::new();
        reader.read_to_string(&mut printed).unwrap();
        expect_end(child);
        let without_time = |text: &str| -> Vec<String> {
            text.lines().filter(|line| !line.starts_with("Time: ")).map(str::to_owned).collect()
        };
        let printed = without_time(&printed[filling.len()..]);
        assert_eq!(printed, without_time(&expected), "{arguments:?}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    for arguments in
        [&[][..], &["--help"], &["--version"], &["help", "perft"], &["eval", "startpos"]]
    {
        let mut child = start(&mut command(arguments), full_disk(), Stdio::piped());
        // It may have ended.
        let _ = child.stdin.as_mut().unwrap().write_all(b"uci\n");
        let status = wait(&mut child, TIMEOUT).expect("the program does not end");
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(status.code(), Some(2), "{arguments:?}: {status:?} {stderr}");
        assert!(stderr.starts_with("error: ") && stderr.lines().count() == 1, "{stderr}");
    }
}

#[test]
fn a_closed_reader_is_not_an_error() {
    for arguments in [&["--help"][..], &["--version"], &["eval", "startpos"]] {
        let (reader, writer) = small_pipe();
        drop(reader);
        let mut child = start(&mut command(arguments), writer.into(), Stdio::piped());
        assert!(wait(&mut child, TIMEOUT).unwrap().success(), "{arguments:?}");
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(stderr, "", "{arguments:?}");
    }
}

#[test]
fn neither_a_full_log_nor_a_bad_filter_ends_the_program() {
    let (mut child, mut lines) = piped(command(&[]).env("RUST_LOG", "a=b=c"), full_disk());
    send(&mut child, "isready\n");
    until(&mut child, &mut lines, "readyok", 1);
    quit(child);
    let ended = run(command(&[]).env("RUST_LOG", "a=b=c"), "quit\n").succeeded();
    assert!(ended.stderr.starts_with("warning: RUST_LOG: "), "{ended:?}");
}

#[test]
fn the_memory_of_a_long_line_is_freed() {
    let (mut child, mut lines) = piped(&mut command(&[]), Stdio::inherit());
    send(&mut child, "isready\n");
    until(&mut child, &mut lines, "readyok", 1);
    let before = memory_mib(&child, "VmRSS").unwrap();
    send(&mut child, &format!("{}\nisready\n", "x".repeat(60 << 20)));
    until(&mut child, &mut lines, "readyok", 1);
    let after = memory_mib(&child, "VmRSS").unwrap();
    assert!(after < before + 16, "{before} MiB, then {after} MiB");
    quit(child);
}

#[test]
fn a_line_of_millions_of_words_takes_little_more_memory_than_its_text() {
    const WORDS: usize = 10_000_000;
    let (mut child, mut lines) = piped(&mut command(&[]), Stdio::inherit());
    for command in ["position fen", "position startpos moves", "setoption name", "go searchmoves"] {
        send(&mut child, &format!("{command}{}\nstop\nisready\n", " x".repeat(WORDS)));
        until(&mut child, &mut lines, "readyok", 1);
    }
    let peak = memory_mib(&child, "VmHWM").unwrap();
    assert!(peak < 200, "{peak} MiB");
    quit(child);
}

/// A client that does not read has to wait, so that the memory has a bound; a late reader gets
/// every answer, also after the end of the input.
#[test]
fn unread_answers_have_a_bound() {
    const COUNT: usize = 90_000;
    const BOUND_MIB: u64 = 150;
    let (mut child, mut lines) = piped(&mut command(&[]), Stdio::inherit());
    send(&mut child, "help\nisready\n");
    let drawn = until(&mut child, &mut lines, "readyok", 1).len() - 1;
    let mut stdin = child.stdin.take().unwrap();
    let commands = "help\n".repeat(COUNT) + "isready\n";
    let writer = thread::spawn(move || stdin.write_all(commands.as_bytes()));
    let (mut before, deadline) = (0, Instant::now() + TIMEOUT);
    while processor_ticks(&child) > before || memory_mib(&child, "VmRSS").unwrap() < 64 {
        assert!(Instant::now() < deadline, "it does not fill its memory, or not end");
        before = processor_ticks(&child);
        thread::sleep(Duration::from_millis(400));
    }
    let used = memory_mib(&child, "VmRSS").unwrap();
    assert!(used < BOUND_MIB && !writer.is_finished(), "{used} MiB");
    let lines_read = until(&mut child, &mut lines, "readyok", 1);
    assert_eq!(lines_read.len(), COUNT * drawn + 1);
    writer.join().unwrap().unwrap();
    expect_end(child);
}

#[test]
fn unknown_commands_are_reported_on_a_terminal() {
    let (master, path) = open_terminal();
    let mut child = command(&[]).stdin(open(&path)).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    until(&mut child, &mut lines, "Lovec", 1);
    let mut keyboard = File::from(master);
    keyboard.write_all(b"foo bar\njoho isready\nquit\n").unwrap();
    let lines_read = until(&mut child, &mut lines, "readyok", 1);
    assert_eq!(lines_read, ["unknown command `foo`; type help", "readyok"]);
    expect_end(child);
    let piped = run(&mut command(&[]), "foo bar\njoho isready\nquit\n").succeeded();
    assert_eq!(piped.stdout, "readyok\n");
}
