//! The engines are shell scripts.

use super::*;

const LONG: Duration = Duration::from_secs(30);

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

/// Searches the starting position.
fn search(cases: &str) -> Result<EngineAnswer, ClientError> {
    let mut client = EngineClient::start(engine(cases), LONG, &|| false)?;
    client.new_game()?;
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
    let answer = search(cases).unwrap();
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
    let answer = search(cases).unwrap();
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
