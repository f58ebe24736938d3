//! The experiment with classes of positions that share an entry of the table.

use crate::lab::experiment::laboratory::{Experiment, ExperimentError, Laboratory};
use crate::lab::game::AnyGame;

pub(super) const T5: Experiment = Experiment {
    name: "T5",
    title: "classes of positions in the transposition table",
    reported: "survey, of a program for the card game tarok: nodes with tables whose classes \
               become coarser from TT0 to TT4, with iterative deepening (ID) and without",
    measured: "tic-tac-toe and Connect-4 on small boards, a large table with its move first",
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
}

impl ClassResult {
    /// The games with another value.
    fn faults(&self, truth: &Self) -> usize {
        self.values.iter().zip(&truth.values).filter(|(value, truth)| value != truth).count()
    }
}

fn t5(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    let exact = search(lab, "exact")?;
    let mirrored = search(lab, "mirrored")?;
    let coarse = search(lab, "coarse")?;
    lab.table(&[
        "table",
        "with ID reported",
        "without",
        "classes",
        "with ID measured",
        "without",
        "wrong values",
    ]);
    for (name, reported, classes) in TABLES {
        let result = classes.map(|classes| match classes {
            "exact" => &exact,
            "mirrored" => &mirrored,
            _ => &coarse,
        });
        let nodes = |index: usize| result.map_or("-".to_owned(), |it| it.nodes[index].to_string());
        let faults = |it: &ClassResult| format!("{} of {}", it.faults(&exact), it.values.len());
        lab.row(vec![
            name.to_owned(),
            reported[0].to_owned(),
            reported[1].to_owned(),
            classes.unwrap_or("-").to_owned(),
            nodes(0),
            nodes(1),
            result.map_or("-".to_owned(), faults),
        ]);
    }
    let is_fewer = |a: &ClassResult, b: &ClassResult| (0..2).all(|it| a.nodes[it] < b.nodes[it]);
    let are_fewer = is_fewer(&mirrored, &exact) && is_fewer(&coarse, &mirrored);
    lab.shape("the coarser the classes, the fewer the nodes", are_fewer);
    let deepening_costs = coarse.nodes[0] > coarse.nodes[1];
    lab.shape("with the coarsest classes iterative deepening saves nothing", deepening_costs);
    let is_true = mirrored.faults(&exact) == 0 && coarse.faults(&exact) > 0;
    lab.shape("reflections keep every value, coarse classes do not", is_true);
    Ok(())
}

fn search(lab: &Laboratory<'_>, classes: &str) -> Result<ClassResult, ExperimentError> {
    let mut result = ClassResult { nodes: [0; 2], values: Vec::new() };
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
