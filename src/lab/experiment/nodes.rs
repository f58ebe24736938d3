//! Experiments that count nodes.

use crate::chess::Position;
use crate::lab::experiment::laboratory::{
    Exercise, Experiment, ExperimentError, Laboratory, figure, percent,
};
use crate::lab::game::{AnyGame, Evaluation};
use crate::lab::measure::RowResult;
use crate::lab::minimal::minimal_leaves;

pub(super) const T1: Experiment = Experiment {
    name: "T1",
    title: "nodes of negamax, alpha-beta and sorted alpha-beta",
    reported: "Croatian thesis; the position is not given, but the counts are of the initial one",
    measured: "the initial position; sorted by the static value of the child",
    sizes: &["depth"],
    run: t1,
};

fn t1(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    const ROWS: [(&str, [&str; 6]); 3] = [
        ("negamax", ["421", "9323", "178220", "2735952", "34245254", "-"]),
        ("ab", ["197", "2500", "26789", "205215", "1937524", "8067433"]),
        ("ab:order=value", ["60", "595", "2758", "26545", "92121", "762507"]),
    ];
    /// Sums of perft.
    const PERFT: [u64; 5] = [421, 9323, 206_604, 5_072_213, 124_132_537];
    lab.table(
        "depth | negamax reported | measured | alpha-beta reported | measured | sorted reported | \
         measured",
    );
    let mut measured: Vec<[u64; 3]> = Vec::new();
    for depth in 2..=lab.depth(5, 7).clamp(2, 7) {
        let (mut fields, mut counts) = (vec![depth.to_string()], [0; 3]);
        for ((row, reported), count) in ROWS.iter().zip(&mut counts) {
            let reported = figure(reported, depth as usize - 2);
            // Negamax would visit three thousand million nodes at depth 7.
            if depth == 7 && reported == "-" {
                fields.extend([reported.clone(), reported]);
                continue;
            }
            let mut game = AnyGame::chess(Position::startpos(), Evaluation::Lovec);
            *count = lab.measure(row, &mut game, depth, u64::MAX)?.counts.nodes;
            fields.extend([reported, count.to_string()]);
        }
        lab.add_row(fields);
        measured.push(counts);
    }
    let is_perft = measured.iter().zip(PERFT).all(|(counts, perft)| counts[0] == perft);
    lab.shape("the nodes of negamax are sums of perft", is_perft);
    lab.shape(
        "sorted alpha-beta visits the minimal tree at depth 2: 60 nodes",
        measured[0][2] == 60,
    );
    let steps = measured.iter().flat_map(|it| [ratio(it[0], it[1]), ratio(it[1], it[2])]);
    let steps = steps.filter(|ratio| *ratio > 0.0);
    let is_fewer = steps.clone().all(|ratio| ratio >= 2.0);
    lab.shape("from column to column at least twice as few nodes", is_fewer);
    Ok(())
}

fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b.max(1) as f64
}

pub(super) const T4: Experiment = Experiment {
    name: "T4",
    title: "what each part of the search saves",
    reported: "survey, of a program for the card game tarok: nodes of a search with iterative \
               deepening (ID), history, selective search and a transposition table (TT)",
    measured: "chess, positions of Win at Chess: alpha-beta, selective by null moves and \
               futility pruning, the table with its move first",
    sizes: &["depth", "positions", "epd"],
    run: t4,
};

fn t4(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    const ROWS: [(&str, &str, &str); 11] = [
        ("all", "2470", "ab:deepen:null=2:futility=2:order=tt+history:table=500000"),
        ("less ID", "3799", "ab:null=2:futility=2:order=tt+history:table=500000"),
        ("less history", "3325", "ab:deepen:null=2:futility=2:order=tt:table=500000"),
        ("less selective", "9936", "ab:deepen:order=tt+history:table=500000"),
        ("less TT", "24034", "ab:deepen:null=2:futility=2:order=history"),
        (
            "all and null window",
            "4067",
            "pvs:deepen:null=2:futility=2:order=tt+history:table=500000",
        ),
        ("history alone", "283673", "ab:order=history"),
        ("selective alone", "40838", "ab:null=2:futility=2"),
        ("TT alone", "14457", "ab:order=tt:table=500000"),
        ("null window alone", "605381", "pvs"),
        ("none", "1598924", "ab"),
    ];
    let (depth, exercises) = (lab.depth(4, 6), lab.exercises(5, 20)?);
    lab.table("search | nodes reported | of none | nodes measured | of none | algorithm");
    let mut measured = Vec::new();
    for (_, _, row) in ROWS {
        measured.push(lab.sum(row, &exercises, depth)?.nodes());
    }
    let none = measured[10];
    for ((name, reported, row), nodes) in ROWS.iter().zip(&measured) {
        let reported_share = reported.parse::<f64>().unwrap_or(0.0) / 1_598_924.0;
        lab.row(&[
            name,
            reported,
            &format_args!("{:.2} %", 100.0 * reported_share),
            &format_args!("{nodes:.0}"),
            &format_args!("{:.2} %", 100.0 * nodes / none),
            row,
        ]);
    }
    let nodes = |index: usize| measured[index];
    let is_most = (1..=3).all(|index| nodes(4) >= nodes(index));
    lab.shape("without the table the search grows most", is_most);
    lab.shape("the null window alone saves nodes", nodes(9) < none);
    lab.shape("each part alone saves nodes", (6..=9).all(|index| nodes(index) <= none));
    lab.shape("all of them save more than any alone", (6..=9).all(|index| nodes(0) < nodes(index)));
    Ok(())
}

pub(super) const T6: Experiment = Experiment {
    name: "T6",
    title: "savings that are often quoted",
    reported: "all five works, of chess unless another game is named",
    measured: "positions of Win at Chess",
    sizes: &["depth", "positions", "epd"],
    run: t6,
};

fn t6(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    const ORDERED: &str = "ab:order=mvv+killers+history";
    const WITH_TABLE: &str = "ab:order=tt+mvv+killers+history:table=500000";
    let (depth, exercises) = (lab.depth(5, 6).max(2), lab.exercises(5, 20)?);
    let sum = |lab: &Laboratory<'_>, row: &str, depth: u32| lab.sum(row, &exercises, depth);
    let plain = sum(lab, "ab:order=mvv", depth)?;
    let killers = sum(lab, "ab:order=mvv+killers", depth)?;
    let ordered = sum(lab, ORDERED, depth)?;
    let table = sum(lab, WITH_TABLE, depth)?;
    let deepened = sum(lab, &format!("{WITH_TABLE}:deepen"), depth)?;
    let before = sum(lab, &format!("{WITH_TABLE}:deepen"), depth - 1)?;
    let playing = sum(lab, "lovec:hash=1", depth + 6)?;
    let playing_before = sum(lab, "lovec:hash=1", depth + 2)?;
    let whole = depth.min(4);
    let [widths, minimal_leaves] = whole_trees(lab, &exercises, whole)?;
    let leaves = |sum: &RowResult| sum.counts.leaves as f64;
    let sorted_leaves = leaves(&sum(lab, ORDERED, whole)?);
    let perfect_leaves = leaves(&sum(lab, "ab:order=perfect", whole)?);
    let width = widths / exercises.len() as f64;
    let saving = |with: &RowResult, without: &RowResult| 1.0 - with.nodes() / without.nodes();
    let table_saving = saving(&table, &ordered);
    let first_cut = ordered.counts.first_cutoff_share().unwrap_or(0.0);
    let overhead = before.nodes() / (deepened.nodes() - before.nodes()).max(1.0);
    let branching = (playing.nodes() / playing_before.nodes()).sqrt().sqrt();
    lab.table("figure | reported | measured");
    let minimal_name = format!("leaves per leaf of the minimal tree, depth {whole}");
    for (name, reported, measured) in [
        (
            "nodes saved by the table",
            "75 %; 52-95 %, own 30 %; checkers 89 %, Othello 33 %",
            percent(table_saving),
        ),
        ("nodes saved by killers", "16-85 %", percent(saving(&killers, &plain))),
        (&minimal_name, "1.2-1.3", format!("{:.2}", sorted_leaves / minimal_leaves)),
        (
            "leaves per leaf with the best move first",
            "-",
            format!("{:.2}", sorted_leaves / perfect_leaves),
        ),
        ("cutoffs by the first move", "90 %", percent(first_cut)),
        (
            "iterations before the last, per node of the last",
            "1/34",
            format!("1/{:.0}", 1.0 / overhead),
        ),
        ("moves in a position", "35", format!("{width:.0}")),
        ("nodes per node of the ply before, playing search", "6", format!("{branching:.1}")),
    ] {
        lab.row(&[&name, &reported, &measured]);
    }
    lab.shape(
        "the table and the killers save nodes",
        table_saving > 0.0 && saving(&killers, &plain) > 0.0,
    );
    let is_near = sorted_leaves <= 1.3 * minimal_leaves;
    lab.shape("the order is within 30 % of the minimal tree", is_near);
    lab.shape("the first move causes at least four of five cutoffs", first_cut >= 0.8);
    lab.shape("the iterations before the last cost less than the last one", overhead < 1.0);
    Ok(())
}

/// The sums of the mean widths of whole trees, and of the leaves of the smallest trees that
/// prove their values.
fn whole_trees(
    lab: &Laboratory<'_>,
    exercises: &[Exercise],
    depth: u32,
) -> Result<[f64; 2], ExperimentError> {
    let mut sums = [0.0; 2];
    for exercise in exercises {
        let mut game = AnyGame::chess(exercise.position.clone(), Evaluation::Lovec);
        let full = lab.measure("negamax", &mut game, depth, u64::MAX)?;
        let minimal = minimal_leaves(&mut game, depth, full.value.unwrap_or(0));
        sums[0] += full.mean_branching().unwrap_or(1.0);
        sums[1] += minimal as f64;
    }
    Ok(sums)
}

pub(super) const T7: Experiment = Experiment {
    name: "T7",
    title: "the cost of alpha-beta with 40 moves a position",
    reported: "Czech thesis: about 5 times the square root of 40 to the depth",
    measured: "leaves on synthetic trees of width 40, in random order and sorted; the best order \
               visits the minimal tree",
    sizes: &["depth"],
    run: t7,
};

fn t7(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    const ROWS: [(&str, &str); 3] =
        [("independent", "ab"), ("correlated", "ab:order=value"), ("ordered", "ab")];
    lab.timed_table(
        "depth | reported | random order | sorted | best order | all leaves",
        "ms of random order | sorted | best order",
    );
    let (mut is_between, mut is_formula_between) = (true, true);
    for depth in 2..=lab.depth(5, 6).clamp(2, 8) {
        let root = 40_f64.sqrt().powi(depth as i32);
        let mut fields = vec![depth.to_string(), format!("{:.0}", 5.0 * root)];
        let (mut leaves, mut times) = (Vec::new(), Vec::new());
        for (values, row) in ROWS {
            let text = format!("tree:w=40,d={depth},values={values},range=400");
            let result = lab.measure(row, &mut AnyGame::parse(&text)?, depth, u64::MAX)?;
            leaves.push(result.counts.leaves as f64);
            fields.push(result.counts.leaves.to_string());
            times.push(format!("{:.1}", 1000.0 * result.time.as_secs_f64()));
        }
        fields.push(format!("{:.0}", 40_f64.powi(depth as i32)));
        lab.timed_row(fields, times);
        is_between &= leaves[2] <= leaves[1] && leaves[1] <= leaves[0];
        // At even depths the minimal tree has 2 * 40^(d / 2) - 1 leaves.
        if depth.is_multiple_of(2) {
            is_formula_between &= leaves[2] <= 5.0 * root && 5.0 * root <= leaves[0];
        }
    }
    lab.shape("the best order visits fewest leaves, the random one most", is_between);
    lab.shape("at even depths the reported numbers lie between them", is_formula_between);
    Ok(())
}
