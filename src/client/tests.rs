//! The engines are shell scripts.

use super::*;

const LONG: Duration = Duration::from_secs(30);
const SHORT: Duration = Duration::from_millis(300);

/// An engine that answers each command as the `case` patterns of the shell say. The first
/// that matches counts.
fn engine(cases: &str) -> Command {
    let mut command = Command::new("sh");
    let script = format!(
        "while read -r line; do case $line in {cases}
            uci) echo 'id name Shell'; echo 'option name Hash type spin default 1 min 1 max 9'
                echo uciok;;
            isready) echo readyok;;
            quit) exit;;
        esac; done"
    );
    command.args(["-c", &script]);
    command
}

/// Searches the starting position. Only the command of the first pattern has `timeout`; a
/// busy machine may take longer for the others.
fn search(cases: &str, timeout: Duration) -> Result<EngineAnswer, ClientError> {
    let timeout_of = |command| if cases.starts_with(command) { timeout } else { LONG };
    let mut client = EngineClient::start(engine(cases), timeout_of("uci"), &|| false)?;
    client.timeout = timeout_of("isready");
    client.new_game()?;
    client.timeout = timeout_of("go");
    client.search(&Position::startpos(), &[], GoLimit::Nodes(100))
}

fn m(text: &str) -> Move {
    parse_move(&Position::startpos(), text).unwrap()
}

#[test]
fn the_answer_has_the_last_report_of_each_line() {
    let cases = "go*)
        echo 'info string hello'
        echo 'info depth 1 multipv 1 score cp 10 nodes 20 pv e2e4'
        echo 'info depth 1 multipv 2 score cp 5 nodes 21 pv d2d4 d7d5'
        echo 'info depth 2 multipv 1 score cp 12 nodes 90 pv e2e4 e7e5'
        echo 'info depth 3 multipv 1 score cp 44 lowerbound nodes 99 pv e2e4'
        echo 'info depth 3 multipv 2 score cp 7 upperbound nodes 99 pv g1f3'
        echo 'bestmove e2e4 ponder e7e5';;";
    let answer = search(cases, LONG).unwrap();
    assert_eq!((answer.best, answer.nodes, answer.lines.len()), (Some(m("e2e4")), 99, 2));
    let line = answer.line().unwrap();
    assert_eq!((line.depth, line.score.cp(), line.pv[0]), (2, 12, m("e2e4")));
    assert_eq!(answer.last_score, Some(Score::new(44)));
    assert_eq!(answer.lines[1].pv[0], m("g1f3"));
}

#[test]
fn a_new_best_move_replaces_an_exact_score_by_a_bound() {
    let cases = "go*)
        echo 'info depth 2 score cp 12 nodes 90 pv e2e4 e7e5'
        echo 'info depth 3 score cp 44 lowerbound nodes 99 pv g1f3'
        echo 'bestmove g1f3';;";
    let answer = search(cases, LONG).unwrap();
    let line = answer.line().unwrap();
    assert_eq!((line.depth, line.score.cp(), line.pv[0]), (3, 44, m("g1f3")));
}

#[test]
fn the_engine_is_told_the_whole_game() {
    // The answer is right only if the question was.
    let cases = "position*) case $line in *'w KQkq - 0 1 moves e2e4 e7e5') move=e4e5;;
            *) move=g1f3;; esac;;
        'go depth 7') echo bestmove $move;;";
    let mut client = EngineClient::start(engine(cases), LONG, &|| false).unwrap();
    assert_eq!(client.name(), "Shell");
    let start = Position::startpos();
    let mut position = start.clone();
    position.make(m("e2e4"));
    let e5 = parse_move(&position, "e7e5").unwrap();
    let error = client.search(&start, &[m("e2e4"), e5], GoLimit::Depth(7)).unwrap_err();
    let complaint = "Shell: the answer to \"go depth 7\" is not a move: e4e5 is not legal here; the \
                     position is rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(error.to_string(), complaint);
    assert_eq!(client.search(&start, &[], GoLimit::Depth(7)).unwrap().best, Some(m("g1f3")));
}

#[test]
fn options_are_checked_before_they_are_sent() {
    let mut client = EngineClient::start(engine(""), LONG, &|| false).unwrap();
    assert!(client.has_option("hash") && !client.has_option("Threads"));
    client.set_option("hash", "9").unwrap();
    client.wait_until_ready().unwrap();
    let too_much = client.set_option("Hash", "10").unwrap_err().to_string();
    assert!(too_much.ends_with("does not take \"10\": a number from 1 to 9 is expected"));
    let unknown = client.set_option("Threads", "2").unwrap_err().fault;
    assert!(matches!(unknown, EngineFault::NoSuchOption(_)));
    // An engine without Chess960 gets no position of it.
    let chess960 = Position::from_fen("1r3kr1/8/8/8/8/8/8/1R3KR1 w GBgb - 0 1").unwrap();
    let fault = client.search(&chess960, &[], GoLimit::Nodes(1)).unwrap_err().fault;
    assert!(matches!(fault, EngineFault::NoSuchOption(name) if name == "UCI_Chess960"));
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let cases = "go*) echo 'bestmove (none)';;";
    let mut client = EngineClient::start(engine(cases), LONG, &|| false).unwrap();
    let stalemate = Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    assert_eq!(client.search(&stalemate, &[], GoLimit::Nodes(1)).unwrap().best, None);
    assert!(client.search(&Position::startpos(), &[], GoLimit::Nodes(1)).is_err());
}

#[test]
fn every_fault_is_an_error_in_bounded_time() {
    let missing = EngineClient::start(Command::new("/no/such/program"), LONG, &|| false);
    let missing = missing.err().unwrap();
    assert!(matches!(missing.fault, EngineFault::Start(_)), "{missing}");
    for (cases, timeout, complaint) in [
        // It ends.
        ("uci) exit 3;;", LONG, "sh: has ended (exit status: 3) after \"uci\""),
        ("go*) exit 0;;", LONG, "Shell: has ended (exit status: 0) after \"go nodes 100\""),
        ("go*) kill -KILL $$;;", LONG, "Shell: has ended (signal: 9"),
        ("go*) exec >&-; sleep 60;;", LONG, "has ended (it closed its output)"),
        // It is silent.
        ("uci) ;;", SHORT, "sh: no answer to \"uci\" within 0.3 s"),
        ("isready) ;;", SHORT, "no answer to \"isready\" within 0.3 s"),
        ("go*) sleep 60;;", SHORT, "no answer to \"go nodes 100\" within 0.3 s"),
        // It does not stop writing.
        ("go*) yes info depth 1;;", SHORT, "within 0.3 s; its last line is \"info depth 1\""),
        ("go*) yes | tr -d '\\n';;", LONG, "a line is longer than 65536 bytes"),
        // It answers with nonsense.
        ("go*) echo bestmove e2e5;;", LONG, "e2e5 is not legal here"),
        ("go*) echo bestmove;;", LONG, "\"\" is not a move"),
        ("go*) echo 'bestmove (none)';;", LONG, "\"(none)\" is not a move"),
        ("go*) printf 'bestmove \\377\\n';;", LONG, "is not a move"),
    ] {
        let error = search(cases, timeout).unwrap_err();
        assert!(error.to_string().contains(complaint), "{cases}: {error}");
    }
}

#[test]
fn the_output_of_a_program_is_read_to_its_end() {
    let output = |script: &str, timeout| {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        output_of(command, timeout, &|| false).map_err(|error| error.to_string())
    };
    assert_eq!(output("echo a; echo b", LONG).unwrap(), "a\nb\n");
    let complaint = "sh: has ended (exit status: 4) after \"sh -c exit 4\"";
    assert_eq!(output("exit 4", LONG).unwrap_err(), complaint);
    let complaint = "sh: no answer to \"sh -c sleep 60\" within 0.3 s";
    assert_eq!(output("sleep 60", SHORT).unwrap_err(), complaint);
}

#[test]
fn a_call_ends_when_it_is_asked_to() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let stop = AtomicBool::new(false);
    let is_stopped = || stop.load(Ordering::Relaxed);
    let mut client = EngineClient::start(engine("go*) sleep 60;;"), LONG, &is_stopped).unwrap();
    stop.store(true, Ordering::Relaxed);
    let error = client.search(&Position::startpos(), &[], GoLimit::Nodes(1)).unwrap_err();
    assert!(matches!(error.fault, EngineFault::Interrupted));
}

#[test]
fn a_dropped_client_leaves_no_process() {
    // The engine waits for a process that it has started itself, and that has the output.
    // The channel closes when the last process that could write has ended.
    let cases = "go*) sh -c 'exec sleep 60';;";
    let mut client = EngineClient::start(engine(cases), LONG, &|| false).unwrap();
    client.timeout = SHORT;
    assert!(client.search(&Position::startpos(), &[], GoLimit::Nodes(1)).is_err());
    let begun = Instant::now();
    client.process.kill();
    let closed = client.process.read_line("go", Instant::now() + LONG, &|| false);
    assert!(matches!(closed, Err(EngineFault::Ended { .. })));
    assert!(begun.elapsed() < LONG);
}
