//! The experiment with classes of positions that share an entry of the table.

use crate::lab::experiment::laboratory::{Experiment, ExperimentError, Laboratory};
use crate::lab::game::AnyGame;

pub(super) const T5: Experiment = Experiment {
    name: "T5",
    title: "classes of positions in the transposition table",
    reported: "survey, of a program for the card game tarok: nodes with tables whose classes \
               become coarser from TT0 to TT4, with iterative deepening (ID) and without",
    measured: "tic-tac-toe and Connect-4 on small boards, a large table with its move first",
    sizes: &["depth", "positions"],
    run: t5,
};

const GAMES: [&str; 8] = [
    "tictactoe",
    "connect4:4x4",
    "connect4:5x4",
    "connect4:5x5",
    "connect4:6x5",
    "connect4:7x6",
    "tictactoe/a1",
    "connect4:5x4/c,c",
];

/// The tables of the survey with their nodes, and the classes that correspond to them here.
const TABLES: [(&str, [&str; 2], Option<&str>); 5] = [
    ("TT0", ["7383", "22877"], Some("exact")),
    ("TT1", ["6367", "13044"], Some("mirrored")),
    ("TT2", ["3190", "8142"], None),
    ("TT3", ["2470", "3799"], None),
    ("TT4", ["1523", "1023"], Some("coarse")),
];

/// The nodes of a search of all games with some classes, with iterative deepening and
/// without, and the values of the games.
struct ClassResult {
    nodes: [u64; 2],
    values: Vec<Option<i32>>,
    /// The games with another value than the first classes find.
    faults: usize,
}

fn t5(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    lab.table(
        "table | with ID reported | without | classes | with ID measured | without | wrong values",
    );
    let mut results: Vec<ClassResult> = Vec::new();
    for (name, [with, without], classes) in TABLES {
        let Some(classes) = classes else {
            lab.row(&[&name, &with, &without, &"-", &"-", &"-", &"-"]);
            continue;
        };
        let mut result = search(lab, classes)?;
        let truth = results.first().map_or(&result.values, |exact| &exact.values);
        let pairs = result.values.iter().zip(truth);
        result.faults = pairs.filter(|(value, truth)| value != truth).count();
        let ClassResult { nodes, values, faults } = &result;
        let faults = format_args!("{faults} of {}", values.len());
        lab.row(&[&name, &with, &without, &classes, &nodes[0], &nodes[1], &faults]);
        results.push(result);
    }
    let [exact, mirrored, coarse] = &results[..] else { return Ok(()) };
    let is_fewer = |a: &ClassResult, b: &ClassResult| (0..2).all(|it| a.nodes[it] < b.nodes[it]);
    let are_fewer = is_fewer(mirrored, exact) && is_fewer(coarse, mirrored);
    lab.shape("the coarser the classes, the fewer the nodes", are_fewer);
    let deepening_costs = coarse.nodes[0] > coarse.nodes[1];
    lab.shape("with the coarsest classes iterative deepening saves nothing", deepening_costs);
    let is_true = mirrored.faults == 0 && coarse.faults > 0;
    lab.shape("reflections keep every value, coarse classes do not", is_true);
    Ok(())
}

fn search(lab: &Laboratory<'_>, classes: &str) -> Result<ClassResult, ExperimentError> {
    let mut result = ClassResult { nodes: [0; 2], values: Vec::new(), faults: 0 };
    let (depth, games) = (lab.depth(9, 9), lab.positions(GAMES.len(), GAMES.len()));
    let row = format!("ab:order=tt:table=1000000:replace=twobig1:classes={classes}");
    for text in GAMES.iter().take(games.max(1)) {
        let mut game = AnyGame::parse(text)?;
        let with = lab.measure(&format!("{row}:deepen"), &mut game, depth, u64::MAX)?;
        let without = lab.measure(&row, &mut game, depth, u64::MAX)?;
        result.nodes[0] += with.counts.nodes;
        result.nodes[1] += without.counts.nodes;
        result.values.push(without.value);
    }
    Ok(result)
}
