//! Tests of the rows and of what a run of them gives.

use super::*;
use crate::lab::game::AnyGame;
use crate::lab::search::switches::SWITCHES;
use crate::lab::test_run::{found, run, solve};

const TREE: &str = "explicit:[[3 12 8] [2 4 6] [14 5 2]]";

#[test]
fn rows_are_read() {
    for text in ["minimax", "ab:hard", "pvs:deepen:aspiration=50:order=tt+killers:table=1000"] {
        assert_eq!(Row::parse(text, &[]).unwrap().name(), text);
    }
    assert!(matches!(Row::parse("", &[]), Err(RowError::Unknown(_))));
    assert!(matches!(Row::parse("xyz", &[]), Err(RowError::Unknown(_))));
    assert!(matches!(Row::parse("killers", &[]), Err(RowError::Word { setting: "order", .. })));
    assert!(matches!(Row::parse("pvs:hard", &[]), Err(RowError::Setting(_))));
    let common = Row::parse("ab:table=0", &["table=5", "deepen"]).unwrap();
    assert!(common.switches.deepen && common.switches.table == 0);
}

/// A switch with the name of a setting of the algorithm itself could not be given.
#[test]
fn no_setting_hides_a_switch() {
    for (_, info) in ALGORITHMS {
        let switches = heeded_switches(info.name);
        let is_hidden = |it: &SettingInfo| info.settings.iter().any(|own| own.name == it.name);
        assert!(!switches.iter().any(is_hidden), "{}", info.name);
    }
}

/// A misspelt algorithm would go on without the switch.
#[test]
fn switches_name_their_algorithms() {
    let is_algorithm = |name: &str| ALGORITHMS.iter().any(|(_, info)| info.name == name);
    for group in SWITCHES.iter().filter(|group| group.algorithms != "all but lovec") {
        assert!(group.algorithms.split(", ").all(is_algorithm), "{}", group.name);
    }
}

/// The example of the textbooks: alpha-beta skips two leaves of the second node.
#[test]
fn the_tree_of_the_textbooks() {
    let run = |row| found(row, TREE, 9, u64::MAX);
    assert_eq!(run("minimax"), (3, vec![0, 0], 9));
    assert_eq!(run("ab"), (3, vec![0, 0], 7));
    assert_eq!(run("pvs"), (3, vec![0, 0], 7));
}

#[test]
fn algorithms_go_on_as_without_switches_that_they_do_not_heed() {
    let common = ["null=2", "zugzwang", "futility=1", "extend=singular", "probcut=3"];
    for row in ["minimax", "mtdf:order=perfect", "sss", "b-star-95", "mcts"] {
        let expected = solve(row, "tictactoe/b2,a1", 4);
        let mut game = AnyGame::parse("tictactoe/b2,a1").unwrap();
        let mut watch = Watch::default();
        let row = Row::parse(row, &common).unwrap();
        let outcome = row.run(game.tree(), 4, Limit::NONE, &mut watch);
        assert_eq!((outcome.answer.unwrap(), watch.counts), expected);
    }
}

/// A setting that does nothing is no part of the name of a row.
#[test]
fn settings_of_a_row_do_something() {
    let refused = |text: &str, reason: &str| {
        let error = Row::parse(text, &[]).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    };
    let unknown = "minimax:table=1 sss:null=2 mcts:deepen negamax:futility=1 sss:lazyleaf=9";
    unknown.split(' ').for_each(|text| refused(text, "has no setting"));
    let idle = "ab:keep ab:null=off:nullmargin=30 ab:extend=check:singular=9 mtd:step=9 \
                ab:classes=turned ab:moves=9 ab:order=tt ab:aspiration=9 \
                ab:lazy ab:null=2:nullif=unextended mtdf:guess=two-ago probability:moves=9";
    idle.split(' ').for_each(|text| refused(text, "does nothing without"));
    let acting = "pvs:order=refutation ab:order=refutation+iid abc:order=killers ab:probcut=2 \
                  b-star-95:plies=3:order=iid ab:null=2:zugzwang:order=refutation \
                  ab:moves=9:order=tt:classes=turned ab:null=2:lazy:nullif=unextended:extend=check \
                  ab:order=worst+random hybrid:few=1:plies=9 probability:plies=9";
    acting.split(' ').for_each(|text| assert!(Row::parse(text, &[]).is_ok(), "{text}"));
    refused("ab:table=10:table=20", "the setting table is there twice");
    for (text, common) in
        [("ab:order=tt:keep", "table=9"), ("minimax", "table=9"), ("ab:aspiration=5", "deepen")]
    {
        assert!(Row::parse(text, &[common]).is_ok(), "{text}");
    }
}

/// The value of another tree than the whole one to the depth is an estimate.
#[test]
fn only_whole_trees_are_complete() {
    let proof = |row: &str| solve(row, "tictactoe/b2,a1", 3).0.proof;
    let whole = "minimax ab:classes=turned:table=100 ab:leaf=see mtdf sss b-star-95:plies=3";
    let other = "ab:null=2 negascout:probcut=3 pvs:futility=1 ab:razoring ab:lazyleaf=100 \
                 negamax:extend=check b-star-95:plies=3:lazyleaf=100 \
                 ab:classes=coarse:table=100 mtdf:grain=16 probability hybrid abc";
    for (rows, expected) in [(whole, Proof::Complete), (other, Proof::Estimate)] {
        rows.split(' ').for_each(|row| assert_eq!(proof(row), expected, "{row}"));
    }
}

#[test]
fn a_stopped_search_leaves_the_game_and_the_last_answer() {
    let mut tree = AnyGame::parse(TREE).unwrap();
    let limit = Limit { nodes: 10, ..Limit::NONE };
    let (outcome, _) = run("negamax:deepen", tree.tree(), 2, limit);
    assert_eq!(outcome.stopped, Some(StopReason::Nodes));
    assert_eq!(outcome.answer.map(|answer| answer.line.len()), Some(1));
    assert_eq!(outcome.completed_depth, Some(1));
    assert_eq!(tree.tree().find("3"), Some(2));
}

#[test]
fn a_table_beyond_the_memory_is_refused() {
    let mut tree = AnyGame::parse("explicit:[1 2]").unwrap();
    let limit = Limit { memory: 1000, ..Limit::NONE };
    let (outcome, _) = run("ab:table=1000000", tree.tree(), 1, limit);
    assert_eq!((outcome.answer, outcome.stopped), (None, Some(StopReason::Memory)));
}

/// Algorithms that keep a tree of their own, with the depth that they search here.
const KEEPING: [(&str, u32); 12] = [
    ("best-first", 4),
    ("conspiracy", 4),
    ("b-star", 4),
    ("b-star-95:margin=1", 4),
    ("minmax-approx", 4),
    ("equi-potential", 4),
    ("bayesian", 4),
    ("mcts:softmax=50", 4),
    ("pn", 9),
    ("pn:mobility", 9),
    ("pn2", 9),
    ("dfpn", 9),
];

/// Limits reached at any moment leave a legal move, or no answer before there is one.
#[test]
fn limits_at_any_moment() {
    for (row, depth) in KEEPING {
        for nodes in 0..60 {
            let memory = Limit { nodes: 5000, memory: 60 * nodes, ..Limit::NONE };
            for limit in [Limit { nodes, ..Limit::NONE }, memory] {
                let mut game = AnyGame::parse("tictactoe").unwrap();
                let (outcome, _) = run(row, game.tree(), depth, limit);
                let Some(answer) = outcome.answer else {
                    assert!(outcome.stopped.is_some(), "{row} {limit:?}");
                    continue;
                };
                for &m in &answer.line {
                    let text = game.tree().text(m);
                    assert!(game.tree().find(&text).is_some(), "{row} {limit:?}");
                    game.tree().play(m);
                }
                assert!(!answer.line.is_empty(), "{row} {limit:?}");
                // Df-pn may solve the game in little memory.
                let is_part =
                    !matches!(answer.proof, Proof::Complete | Proof::Proved | Proof::Disproved);
                assert!(is_part || row == "dfpn", "{row} {limit:?}");
            }
        }
    }
}

/// A finished game has a value and no move, and a goal is disproved there.
#[test]
fn finished_games() {
    for (row, _) in KEEPING {
        let mut game = AnyGame::parse("tictactoe").unwrap();
        [0, 3, 1, 4, 2].into_iter().for_each(|m| game.tree().play(m));
        let answer = run(row, game.tree(), 5, Limit::NONE).0.answer.unwrap();
        assert!(answer.value < 0 && answer.line.is_empty(), "{row}");
        assert!(matches!(answer.proof, Proof::Complete | Proof::Disproved), "{row}");
    }
}
