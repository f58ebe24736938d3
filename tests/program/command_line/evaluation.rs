//! `lovec eval`: positions without a score, and the sums of the table.

use lovec::chess::Position;
use lovec::eval::describe;
use lovec::suite::bench::POSITIONS;

use crate::command_line::lovec_with_input;
use crate::program::lovec;

const CHECKMATE: &str = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
const STALEMATE: &str = "k7/8/1Q6/8/8/8/8/6K1 b - - 0 1";
const CHECK: &str = "4k3/8/8/8/8/8/8/4RK2 b - - 0 1";

#[test]
fn a_finished_game_has_a_result_and_no_score() {
    for (fen, text, standing, result) in [
        (CHECKMATE, "checkmate: Black is mated\n", "checkmate", "1-0"),
        (STALEMATE, "stalemate: draw\n", "stalemate", "1/2-1/2"),
    ] {
        assert_eq!(lovec(&["eval", fen]).succeeded().stdout, text);
        let json = lovec(&["eval", fen, "--json"]).succeeded().json();
        assert_eq!((&json["standing"], &json["result"]), (&standing.into(), &result.into()));
        assert!(json["score"].is_null() && json["white_score"].is_null(), "{json}");
        let uci = lovec_with_input(&[], &format!("position fen {fen}\neval\nquit\n"));
        assert_eq!(uci.succeeded().stdout, text);
    }
}

#[test]
fn a_score_in_check_is_not_used() {
    let text = lovec(&["eval", CHECK]).succeeded().stdout;
    assert!(text.contains("Black is in check: the search evaluates only quiet"), "{text}");
    let json = lovec(&["eval", CHECK, "--json"]).succeeded().json();
    assert_eq!(json["standing"], "check");
    assert!(json["score"]["cp"].is_number() && json["result"].is_null(), "{json}");
    let quiet = lovec(&["eval"]).succeeded().stdout;
    assert!(!quiet.contains("in check"), "{quiet}");
    assert_eq!(lovec(&["eval", "--json"]).succeeded().json()["standing"], "quiet");
}

/// The last column in tenths.
fn tenths(line: &str) -> i64 {
    let (whole, tenth) = line.rsplit(' ').next().unwrap().split_once('.').unwrap();
    let sign = if whole.starts_with('-') { -1 } else { 1 };
    10 * whole.parse::<i64>().unwrap() + sign * tenth.parse::<i64>().unwrap()
}

#[test]
fn the_tapered_column_adds_up_to_the_score() {
    let mut tables = 0;
    for fen in POSITIONS.iter().step_by(3) {
        let text = describe(&Position::from_fen(fen).unwrap());
        let Some((_, table)) = text.split_once("Tapered\n") else { continue };
        tables += 1;
        let score = text.lines().find_map(|line| line.strip_prefix("Score (White)")).unwrap();
        let score: i64 = score.trim().trim_end_matches(" cp").parse().unwrap();
        let lines: Vec<&str> = table.lines().take_while(|line| line.contains('|')).collect();
        let (total, rows) = lines.split_last().unwrap();
        let groups: i64 =
            rows.iter().filter(|row| !row.starts_with("  ")).map(|row| tenths(row)).sum();
        assert_eq!((groups, tenths(total)), (10 * score, 10 * score), "{text}");
        for (index, group) in rows.iter().enumerate().filter(|(_, row)| !row.starts_with("  ")) {
            let parts: Vec<&&str> =
                rows[index + 1..].iter().take_while(|row| row.starts_with("  ")).collect();
            if parts.is_empty() || parts.iter().any(|row| row.ends_with("units")) {
                continue;
            }
            let sum: i64 = parts.iter().map(|row| tenths(row)).sum();
            assert_eq!(sum, tenths(group), "{group}\n{text}");
        }
    }
    assert!(tables > 10);
}
