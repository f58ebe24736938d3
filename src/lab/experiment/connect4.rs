//! Experiments with Connect-4.

use crate::lab::experiment::laboratory::{Experiment, ExperimentError, Laboratory, figure};
use crate::lab::game::AnyGame;

/// The board of the games.
const BOARD: &str = "connect4:6x5";
const COLUMNS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

pub(super) const T11: Experiment = Experiment {
    name: "T11",
    title: "proof numbers against alpha-beta",
    reported: "survey, of the game Trioomph, whose rules are not given in full: proof-number \
               search takes 10 to 100 thousand nodes a move and beats alpha-beta at depth 1 alone",
    measured: "Connect-4 on 6 columns and 5 rows, from each opening of two moves, both sides",
    sizes: &["depth", "positions", "nodes"],
    run: t11,
};

fn t11(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    // In full the least and the most nodes that the survey reports.
    let [first, second] = [lab.nodes(3000, 125_991), lab.nodes(3000, 1_324_695)];
    let mut shares = proof_numbers(lab, first)?;
    if second != first {
        shares = proof_numbers(lab, second)?;
    }
    lab.shape("proof numbers beat alpha-beta at depth 1", shares[0] > 0.5);
    let is_beaten = shares.len() > 1 && shares[1..].iter().all(|share| *share < 0.5);
    lab.shape("alpha-beta beats them at every greater depth", is_beaten);
    Ok(())
}

/// The table of proof-number search with some nodes a move against alpha-beta at each depth.
/// Returns the shares of its points.
fn proof_numbers(lab: &mut Laboratory<'_>, nodes: u64) -> Result<Vec<f64>, ExperimentError> {
    const NODES: [&str; 5] = ["175", "1314", "8056", "31449", "350057"];
    let proof = ("pn", 99, nodes);
    let openings = lab.positions(36, 12).clamp(1, 36);
    lab.table(
        "alpha-beta depth | nodes reported | nodes a move | proof numbers | won | drawn | lost",
    );
    let mut shares = Vec::new();
    for depth in 1..=lab.depth(5, 5).clamp(1, 12) {
        let (mut results, mut searches, mut nodes) = ([0; 3], [0; 2], [0; 2]);
        for opening in 0..openings {
            let moves = [COLUMNS[opening / 6], COLUMNS[opening % 6]];
            for proof_begins in [true, false] {
                let rows = [proof, ("ab:order=mvv", depth, u64::MAX)];
                results[play(lab, &moves, rows, proof_begins, &mut searches, &mut nodes)?] += 1;
            }
        }
        let [won, drawn, lost] = results;
        let reported = figure(&NODES, depth as usize - 1);
        let mean = |player: usize| {
            format!("{:.0}", nodes[player] as f64 / f64::from(searches[player].max(1)))
        };
        let (proof_nodes, nodes) = (mean(0), mean(1));
        lab.row(&[&depth, &reported, &nodes, &proof_nodes, &won, &drawn, &lost]);
        shares.push((f64::from(won) + f64::from(drawn) / 2.0) / f64::from(won + drawn + lost));
    }
    Ok(shares)
}

/// Plays a game from an opening between two rows with a depth and a limit of nodes; 0, 1 or
/// 2 if the first row wins, draws or loses. Counts the searches of each and their nodes.
fn play(
    lab: &Laboratory<'_>,
    opening: &[&str],
    rows: [(&str, u32, u64); 2],
    first_begins: bool,
    searches: &mut [u32; 2],
    nodes: &mut [u64; 2],
) -> Result<usize, ExperimentError> {
    let mut moves: Vec<String> = opening.iter().map(|&text| text.to_owned()).collect();
    loop {
        let text = format!("{BOARD}/{}", moves.join(","));
        let mut game = AnyGame::parse(&text)?;
        let is_first = first_begins == moves.len().is_multiple_of(2);
        if let Some(end) = game.tree().end() {
            // The value is for the side to move.
            let value = if is_first { end } else { -end };
            return Ok((1 - value.signum()) as usize);
        }
        let player = usize::from(!is_first);
        let (row, depth, most_nodes) = rows[player];
        let result = lab.measure(row, &mut game, depth, most_nodes)?;
        searches[player] += 1;
        nodes[player] += result.counts.nodes;
        let best = match result.best() {
            Some(best) => best.to_owned(),
            None => {
                lab.measure("ab", &mut game, 1, u64::MAX)?.best().unwrap_or_default().to_owned()
            }
        };
        moves.push(best);
    }
}
