//! Attacks by the standard streams and the log file: there is no reader, nothing can be
//! written, a stream does not wait, a client asks without end.
//!
//! The laws: logging holds nothing up; a stream that says "try again" has neither
//! ended nor been closed; what cannot be written is an error, and a reader that has
//! gone is none; memory has a bound; answers come in the order of the commands.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pipe::{fcntl_setpipe_size, pipe};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::attacks::{TIMEOUT, folder, lovec, lovec_after, run, wait};

/// The smallest pipe that the system has, in bytes.
const SMALL_PIPE: usize = 4096;

/// Both ends of a pipe: first the one to read, then the one to write.
fn small_pipe() -> (File, OwnedFd) {
    let (read, write) = pipe().unwrap();
    fcntl_setpipe_size(&write, SMALL_PIPE).unwrap();
    (File::from(read), write)
}

/// A terminal: the side of the one who looks at it, and the path of the other side.
fn terminal() -> (OwnedFd, String) {
    let near = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&near).unwrap();
    unlockpt(&near).unwrap();
    let path = ptsname(&near, Vec::new()).unwrap().into_string().unwrap();
    (near, path)
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

/// Sends text; the program must not hold its client up.
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
    let mut said = Vec::new();
    while seen < count {
        let mut line = String::new();
        let read = lines.read_line(&mut line).unwrap();
        assert!(read > 0, "the output ends after {seen} of {count} lines {start:?}");
        seen += usize::from(line.starts_with(start));
        said.push(line.trim_end().to_owned());
    }
    drop(done);
    watchdog.join().unwrap();
    said
}

/// Fails unless the program ends soon, with status 0.
#[track_caller]
fn expect_end(mut child: Child) {
    let status = wait(&mut child, Duration::from_secs(10));
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
}

/// The memory that a program uses, in MiB: `VmRSS:` now, `VmHWM:` at most.
fn memory_mib(child: &Child, what: &str) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(what)).unwrap();
    line.split_whitespace().next().unwrap().parse::<usize>().unwrap() / 1024
}

/// How long the processor has worked for a program, in ms.
fn processor_ms(child: &Child) -> u64 {
    const MS_PER_TICK: u64 = 10;
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields = stat.rsplit_once(") ").unwrap().1.split(' ');
    let ticks = fields.skip(11).take(2).map(|field| field.parse::<u64>().unwrap());
    ticks.sum::<u64>() * MS_PER_TICK
}

/// Sends many commands to a program whose `stderr` or log file has no reader, and
/// fails unless each is answered and the program ends as it should.
fn expect_answers(mut command: Command, stderr: Stdio, first: &str, leave: &str) {
    const COMMANDS: usize = 20;
    const ASKED: usize = 3000;
    let mut child = start(&mut command, Stdio::piped(), stderr);
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    send(&mut child, first);
    for _ in 0..COMMANDS {
        send(&mut child, "position startpos\ngo depth 4\n");
        until(&mut child, &mut lines, "bestmove", 1);
    }
    send(&mut child, &"isready\n".repeat(ASKED));
    until(&mut child, &mut lines, "readyok", ASKED);
    send(&mut child, leave);
    drop(child.stdin.take());
    expect_end(child);
}

#[test]
fn a_standard_error_that_nobody_reads_holds_nothing_up() {
    for leave in ["quit\n", ""] {
        let mut by_variable = lovec(&[]);
        by_variable.env("RUST_LOG", "debug");
        for command in [by_variable, lovec(&["--log-level", "trace"])] {
            let (_near, far) = small_pipe();
            expect_answers(command, far.into(), "", leave);
        }
    }
    let (_near, path) = terminal();
    expect_answers(lovec(&["--log-level", "debug"]), open(&path).into(), "", "quit\n");
    let (_near, far) = small_pipe();
    fcntl_setfl(&far, OFlags::NONBLOCK).unwrap();
    expect_answers(lovec(&["--log-level", "debug"]), far.into(), "", "quit\n");
}

#[test]
fn a_log_file_that_nobody_reads_holds_nothing_up() {
    let (_near, path) = terminal();
    let option = format!("setoption name Debug Log File value {path}\n");
    for leave in ["quit\n", ""] {
        expect_answers(lovec(&[]), Stdio::inherit(), &option, leave);
    }
}

/// When the standard error is read again, it says how many lines are missing.
#[test]
fn dropped_lines_of_the_log_are_counted() {
    const ASKED: usize = 6000;
    let (near, far) = small_pipe();
    let mut child = start(&mut lovec(&["--log-level", "debug"]), Stdio::piped(), far.into());
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let long = format!("isready {}\n", "x".repeat(2000));
    send(&mut child, &long.repeat(ASKED));
    until(&mut child, &mut lines, "readyok", ASKED);
    let mut log = BufReader::new(near);
    let kept = until(&mut child, &mut log, "warning: ", 1);
    drop(child.stdin.take());
    expect_end(child);
    let rest = log.lines().count();
    let report = kept.last().unwrap();
    let dropped: usize = report.split(' ').nth(1).unwrap().parse().unwrap();
    assert_eq!(kept.len() - 1 + dropped + rest, 2 * ASKED, "{report}");
}

#[test]
fn a_log_file_that_cannot_be_written_is_given_up_in_words() {
    let folder = folder("full log");
    let path = folder.join("dialogue.log");
    let mut limited = lovec_after("ulimit -f 2", &[]);
    let mut unlimited = lovec(&[]);
    for (command, file) in
        [(&mut limited, path.as_path()), (&mut unlimited, Path::new("/dev/full"))]
    {
        let mut input = format!("setoption name Debug Log File value {}\n", file.display());
        input += &"uci\nisready\n".repeat(5);
        input += "position startpos\ngo depth 4\n";
        let ended = run(command, &input).succeeded();
        assert_eq!(ended.lines_starting_with("uciok"), 5);
        assert_eq!(ended.lines_starting_with("bestmove "), 1);
        let given_up = ended.stdout.lines().filter(|line| line.contains("is closed"));
        assert_eq!(given_up.count(), 1, "{}", ended.stdout);
        assert_eq!(ended.lines_starting_with("info string error: the log file"), 1);
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_log_file_that_the_commands_come_from_is_refused() {
    let folder = folder("script");
    let script = folder.join("script");
    let link = folder.join("link");
    let text = format!("setoption name Debug Log File value {}\nisready\nuci\n", link.display());
    fs::write(&script, &text).unwrap();
    fs::hard_link(&script, &link).unwrap();
    let output = folder.join("output");
    let mut child = lovec(&[])
        .stdin(File::open(&script).unwrap())
        .stdout(File::create(&output).unwrap())
        .spawn()
        .unwrap();
    let status = wait(&mut child, Duration::from_secs(5));
    assert_eq!(fs::read_to_string(&script).unwrap(), text);
    assert!(status.is_some_and(|status| status.success()), "{status:?}");
    let said = fs::read_to_string(&output).unwrap();
    assert_eq!(said.lines().filter(|&line| line == "uciok").count(), 1);
    assert!(said.starts_with("info string error: cannot write to"), "{said}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_output_that_does_not_wait_gets_every_answer() {
    const ASKED: usize = 5000;
    let (near, far) = small_pipe();
    fcntl_setfl(&far, OFlags::NONBLOCK).unwrap();
    let mut child = start(&mut lovec(&[]), far.into(), Stdio::inherit());
    send(&mut child, &"isready\n".repeat(ASKED));
    send(&mut child, "setoption name MultiPV value 8\ngo depth 6\n");
    thread::sleep(Duration::from_millis(200));
    assert_eq!(child.try_wait().unwrap(), None, "the program has left");
    let mut lines = BufReader::new(near);
    let said = until(&mut child, &mut lines, "bestmove", 1);
    assert_eq!(said.iter().filter(|&line| line == "readyok").count(), ASKED);
    send(&mut child, "quit\n");
    expect_end(child);
}

#[test]
fn an_input_that_does_not_wait_has_not_ended() {
    let (near, far) = UnixStream::pair().unwrap();
    far.set_nonblocking(true).unwrap();
    let far = OwnedFd::from(far);
    let mut child = lovec(&[]).stdin(far.try_clone().unwrap()).stdout(far).spawn().unwrap();
    thread::sleep(Duration::from_millis(200));
    assert_eq!(child.try_wait().unwrap(), None, "the program has left");
    let mut lines = BufReader::new(near.try_clone().unwrap());
    for part in ["isre", "ady\ngo dep", "th 3\n"] {
        (&near).write_all(part.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(20));
    }
    let said = until(&mut child, &mut lines, "bestmove", 1);
    assert_eq!(said[0], "readyok");
    near.shutdown(std::net::Shutdown::Write).unwrap();
    expect_end(child);
}

#[test]
fn commands_wait_for_an_output_that_does_not_wait() {
    for arguments in [&["--help"][..], &["eval", "startpos"], &["perft", "3", "--divide"]] {
        let expected = run(&mut lovec(arguments), "").succeeded().stdout;
        let (mut near, far) = small_pipe();
        fcntl_setfl(&far, OFlags::NONBLOCK).unwrap();
        let filling = vec![b'#'; SMALL_PIPE - 100];
        rustix::io::write(&far, &filling).unwrap();
        let child = start(&mut lovec(arguments), far.into(), Stdio::inherit());
        thread::sleep(Duration::from_millis(50));
        let mut said = String::new();
        near.read_to_string(&mut said).unwrap();
        expect_end(child);
        // The speed differs.
        let without_numbers = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
        let said = without_numbers(&said[filling.len()..]);
        assert_eq!(said.lines().count(), expected.lines().count(), "{arguments:?}: {said}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    for arguments in
        [&[][..], &["--help"], &["--version"], &["help", "perft"], &["eval", "startpos"]]
    {
        let mut child = start(&mut lovec(arguments), full_disk(), Stdio::piped());
        send_if_taken(&mut child, "uci\n");
        let status = wait(&mut child, TIMEOUT).expect("the program does not end");
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(status.code(), Some(2), "{arguments:?}: {status:?} {stderr}");
        assert!(stderr.starts_with("error: ") && stderr.lines().count() == 1, "{stderr}");
    }
}

/// Sends text that the program need not live to read; the input stays open.
fn send_if_taken(child: &mut Child, text: &str) {
    let _ = child.stdin.as_mut().unwrap().write_all(text.as_bytes());
}

#[test]
fn a_reader_that_has_gone_is_no_failure() {
    for arguments in [&["--help"][..], &["--version"], &["eval", "startpos"]] {
        let (near, far) = small_pipe();
        drop(near);
        let mut child = start(&mut lovec(arguments), far.into(), Stdio::piped());
        assert!(wait(&mut child, TIMEOUT).unwrap().success(), "{arguments:?}");
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(stderr, "", "{arguments:?}");
    }
}

#[test]
fn wrong_usage_stays_status_2_with_its_message_on_the_standard_error() {
    let ended = run(&mut lovec(&["dance"]), "").refused("dance");
    assert_eq!(ended.stdout, "");
    let help = run(&mut lovec(&["--help"]), "").succeeded();
    assert!(help.stdout.contains("Usage:") && help.stderr.is_empty());
}

#[test]
fn a_log_that_cannot_be_written_and_wrong_wishes_for_it_end_nothing() {
    let mut child = lovec(&[])
        .env("RUST_LOG", "a=b=c")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(full_disk())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    send(&mut child, "isready\n");
    until(&mut child, &mut lines, "readyok", 1);
    send(&mut child, "quit\n");
    expect_end(child);
    let said = run(lovec(&[]).env("RUST_LOG", "a=b=c"), "quit\n").succeeded();
    assert!(said.stderr.starts_with("warning: RUST_LOG: "), "{said:?}");
}

#[test]
fn problems_are_logged_for_people() {
    let folder = folder("format");
    let suite = folder.join("suite.epd");
    fs::write(&suite, "8/8/4k3/8/8/3K4/8/8 w - - id \"no solution\";\n").unwrap();
    let suite = suite.to_str().unwrap();
    let warned = run(&mut lovec(&["epd", suite, "--depth", "1"]), "").orderly();
    assert!(warned.stderr.starts_with("warning: "), "{warned:?}");
    let refused = run(&mut lovec(&["perft-suite", "/no/such/file"]), "");
    assert!(refused.stderr.starts_with("error: "), "{refused:?}");
    let debug = run(&mut lovec(&["--log-level", "debug"]), "isready\n").succeeded();
    assert!(debug.stderr.starts_with('['), "{debug:?}");
    assert!(debug.stderr.contains(" DEBUG lovec::uci::transcript] >> isready"), "{debug:?}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn answers_come_in_the_order_of_the_commands() {
    for size in [300, 200, 300] {
        let input = format!(
            "setoption name Hash value {size}\nuci\ngo depth 1\nisready\ngo depth 1\nisready\n"
        );
        let ended = run(&mut lovec(&[]), &input).succeeded();
        let order: Vec<&str> =
            ended.stdout.lines().filter(|&line| line == "uciok" || line == "readyok").collect();
        assert_eq!(order, ["uciok", "readyok", "readyok"]);
        assert_eq!(ended.lines_starting_with("bestmove "), 2);
    }
}

#[test]
fn a_running_search_holds_no_answer_up() {
    let mut child = start(&mut lovec(&[]), Stdio::piped(), Stdio::inherit());
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    send(&mut child, "setoption name Hash value 64\nisready\ngo infinite\n");
    until(&mut child, &mut lines, "readyok", 1);
    until(&mut child, &mut lines, "info depth 3", 1);
    send(&mut child, "ucinewgame\nsetoption name Hash value 32\nuci\nisready\n");
    let said = until(&mut child, &mut lines, "readyok", 1);
    assert!(said.iter().any(|line| line == "uciok"));
    send(&mut child, "stop\nisready\n");
    let said = until(&mut child, &mut lines, "bestmove", 1);
    assert!(!said.is_empty());
    send(&mut child, "quit\n");
    expect_end(child);
}

#[test]
fn a_long_line_leaves_no_memory_behind() {
    let mut child = start(&mut lovec(&[]), Stdio::piped(), Stdio::inherit());
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    send(&mut child, "isready\n");
    until(&mut child, &mut lines, "readyok", 1);
    let before = memory_mib(&child, "VmRSS:");
    send(&mut child, &format!("{}\nisready\n", "x".repeat(60 << 20)));
    until(&mut child, &mut lines, "readyok", 1);
    let after = memory_mib(&child, "VmRSS:");
    assert!(after < before + 16, "{before} MiB, then {after} MiB");
    send(&mut child, "quit\n");
    expect_end(child);
}

/// Millions of words take no longer where moves are expected than anywhere else.
#[test]
fn millions_of_moves_to_search_hold_no_answer_up() {
    const WORDS: usize = 3_000_000;
    let mut child = start(&mut lovec(&[]), Stdio::piped(), Stdio::inherit());
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut work = |command: &str| {
        let before = processor_ms(&child);
        let line = format!("{command}{}\nisready\n", " e2e5".repeat(WORDS));
        send(&mut child, &line);
        until(&mut child, &mut lines, "readyok", 1);
        processor_ms(&child) - before
    };
    let unknown = work("unknown words").max(50);
    let moves = work("go depth 1 searchmoves e2e4");
    // A look at the position for each word would take thirty times as long.
    assert!(moves < 8 * unknown, "{moves} ms instead of {unknown} ms");
    send(&mut child, "quit\n");
    expect_end(child);
}

/// Lines of many words take hardly more memory than their text.
#[test]
fn a_line_of_millions_of_words_needs_no_list_of_them() {
    const WORDS: usize = 10_000_000;
    let mut child = start(&mut lovec(&[]), Stdio::piped(), Stdio::inherit());
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    for command in ["position fen", "position startpos moves", "setoption name", "go searchmoves"] {
        send(&mut child, &format!("{command}{}\nstop\nisready\n", " x".repeat(WORDS)));
        until(&mut child, &mut lines, "readyok", 1);
    }
    let peak = memory_mib(&child, "VmHWM:");
    assert!(peak < 200, "{peak} MiB");
    send(&mut child, "quit\n");
    expect_end(child);
}

/// Megabytes of answers without a reader: `stop` and `quit` work, the memory has a
/// bound, and nothing is lost when the output is read after all.
#[test]
fn answers_that_nobody_reads_have_a_bound() {
    const BOUND_MIB: usize = 200;
    // More than the program keeps; much more for a program that is quick.
    let asked = if std::env::var_os("LOVEC_BINARY").is_some() { 600_000 } else { 90_000 };
    for leaves in [false, true] {
        let mut child = start(&mut lovec(&[]), Stdio::piped(), Stdio::inherit());
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        send(&mut child, "help\nisready\n");
        let drawn = until(&mut child, &mut lines, "readyok", 1).len() - 1;
        send(&mut child, "go infinite\n");
        send(&mut child, &"help\n".repeat(asked));
        send(&mut child, "stop\n");
        // Until the search is over and no answer is added; only looking takes time then.
        const IDLE_MS: u64 = 20;
        let deadline = Instant::now() + 3 * TIMEOUT;
        let mut before = 0;
        while processor_ms(&child) > before + IDLE_MS || memory_mib(&child, "VmRSS:") < 70 {
            assert!(Instant::now() < deadline, "the search goes on");
            before = processor_ms(&child);
            thread::sleep(Duration::from_millis(400));
        }
        let used = memory_mib(&child, "VmRSS:");
        assert!(used < BOUND_MIB, "{used} MiB");
        if leaves {
            send(&mut child, "quit\n");
        } else {
            // The search was stopped when the command came.
            until(&mut child, &mut lines, "bestmove ", 1);
            send(&mut child, "isready\n");
            let rest = until(&mut child, &mut lines, "readyok", 1);
            assert!(rest.len() > asked * drawn / 10, "{} lines", rest.len());
            drop(child.stdin.take());
        }
        expect_end(child);
    }
}

/// A late reader gets everything, even when the input has ended.
#[test]
fn answers_that_are_read_late_are_all_there() {
    let asked = 90_000;
    let mut child = start(&mut lovec(&[]), Stdio::piped(), Stdio::inherit());
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    send(&mut child, "help\nisready\n");
    let drawn = until(&mut child, &mut lines, "readyok", 1).len() - 1;
    send(&mut child, &"help\n".repeat(asked));
    send(&mut child, "isready\n");
    drop(child.stdin.take());
    let said = until(&mut child, &mut lines, "readyok", 1);
    assert_eq!(said.len(), asked * drawn + 1);
    expect_end(child);
}

#[test]
fn a_person_is_told_of_an_unknown_command() {
    let (_near, path) = terminal();
    let mut child = lovec(&[]).stdin(open(&path)).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    until(&mut child, &mut lines, "Lovec", 1);
    let mut keyboard = File::from(_near);
    keyboard.write_all(b"foo bar\njoho isready\nquit\n").unwrap();
    let said = until(&mut child, &mut lines, "readyok", 1);
    assert_eq!(said, ["unknown command `foo`; type help", "readyok"]);
    expect_end(child);
    let piped = run(&mut lovec(&[]), "foo bar\njoho isready\nquit\n").succeeded();
    assert_eq!(piped.stdout, "readyok\n");
}
