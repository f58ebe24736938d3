//! Experiments about stored knowledge: endgame tables.

use crate::chess::{Color, Position};
use crate::lab::experiment::laboratory::{Experiment, ExperimentError, Laboratory};
use crate::tablebase::egtb::{Collection, Material, build};

pub(super) const T12: Experiment = Experiment {
    name: "T12",
    title: "king and queen against king, solved",
    reported: "Czech thesis: 40960 placements, mate in at most 10",
    measured: "the table of Lovec, built by retrograde analysis; symmetric positions count once",
    sizes: &[],
    run: t12,
};

fn t12(lab: &mut Laboratory<'_>) -> Result<(), ExperimentError> {
    (lab.progress)("build KQvK");
    lab.check_stop()?;
    let position = Position::from_fen("8/8/8/8/8/2k5/8/KQ6 w - - 0 1")?;
    let Some(material) = Material::of(&position) else { return Ok(()) };
    let table = build(&material, &Collection::empty())?;
    let statistics = table.statistics();
    let moves = statistics.longest_win.map_or(0, |(plies, _)| u32::from(plies).div_ceil(2));
    let to_move = |color: Color| {
        let positions = (0..table.len()).filter_map(|number| table.position(number));
        positions.filter(|(state, _)| state.side_to_move() == color).count()
    };
    let [white, black] = Color::ALL.map(to_move);
    lab.table("figure | reported | measured");
    for (name, reported, measured) in [
        ("entries", "40960", table.len() as u64),
        ("positions, White to move", "-", white as u64),
        ("positions, Black to move", "-", black as u64),
        ("won for White", "-", statistics.wins),
        ("drawn", "-", statistics.draws),
        ("longest mate, in moves", "10", moves.into()),
    ] {
        lab.row(&[&name, &reported, &measured]);
    }
    lab.shape("the longest mate takes ten moves", moves == 10);
    lab.shape("the queen never loses", statistics.losses == 0);
    Ok(())
}
