//! Experiments of the literature, repeated: figures that were reported, beside the ones
//! measured here.
//!
//! The reported programs had other evaluations, other positions and often other games, so
//! the numbers differ; what should agree is their *shape*, which each experiment states and
//! checks. The default sizes take seconds to minutes. The figures come from five works, named
//! by their language where a table cites them: a Croatian thesis, a Czech and a Slovene one
//! on chess programs, a survey of searching game trees, and an article on null moves.

mod b_star;
mod classes;
mod connect4;
mod games;
mod knowledge;
mod laboratory;
mod nodes;
mod tactics;

pub use laboratory::{Experiment, ExperimentError, ExperimentSize, FigureTable, Findings, Shape};

/// All experiments.
pub const EXPERIMENTS: &[Experiment] = &[
    nodes::T1,
    games::T2,
    tactics::T3,
    nodes::T4,
    classes::T5,
    nodes::T6,
    nodes::T7,
    tactics::T8,
    tactics::T9,
    games::T10,
    connect4::T11,
    knowledge::T12,
    b_star::T13,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::StopReason;
    use crate::search::Stop;

    /// Each experiment runs at its smallest size, with rows as wide as their head.
    #[test]
    fn experiments_run() {
        let size = ExperimentSize {
            depth: Some(2),
            positions: Some(2),
            nodes: Some(200),
            games: Some(2),
            ..Default::default()
        };
        for experiment in EXPERIMENTS {
            let name = experiment.name;
            let (findings, result) = experiment.run(&size, &Stop::default(), &|_| {});
            result.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!findings.tables.is_empty() && !findings.shapes.is_empty(), "{name}");
            for table in &findings.tables {
                assert!(!table.rows.is_empty(), "{name}");
                assert!(table.rows.iter().all(|row| row.len() == table.head.len()), "{name}");
            }
        }
    }

    /// The figures of an experiment of some positions.
    fn figures(name: &str, depth: u32, positions: usize, nodes: u64) -> Findings {
        let (depth, positions, nodes) = (Some(depth), Some(positions), Some(nodes));
        let size = ExperimentSize { depth, positions, nodes, ..Default::default() };
        let experiment = EXPERIMENTS.iter().find(|it| it.name == name).unwrap();
        experiment.run(&size, &Stop::default(), &|_| {}).0
    }

    fn holds(findings: &Findings, text: &str) -> bool {
        findings.shapes.iter().find(|shape| shape.text.contains(text)).unwrap().holds
    }

    /// Figures that are equal, or the other way round, have not the shape of the reported ones.
    #[test]
    fn shapes_do_not_hold_trivially() {
        let equal = figures("T3", 2, 2, 0);
        assert!(!holds(&equal, "the fewer positions are solved"), "{equal:?}");
        assert!(!holds(&equal, "R=3 costs fewer positions"), "{equal:?}");
        let lost = figures("T11", 1, 2, 3000);
        assert_eq!(lost.tables[0].rows[0][4..], ["1", "1", "2"]);
        assert!(!holds(&lost, "proof numbers beat alpha-beta"), "{lost:?}");
        assert!(!holds(&lost, "alpha-beta beats them"), "{lost:?}");
    }

    /// No order of moves visits fewer leaves than the minimal tree.
    #[test]
    fn the_minimal_tree_is_a_minimum() {
        let findings = figures("T6", 3, 3, 0);
        let rows = &findings.tables[0].rows;
        let ratios: Vec<f64> = rows
            .iter()
            .filter(|row| row[0].starts_with("leaves per leaf"))
            .map(|row| row[2].parse().unwrap())
            .collect();
        assert!(ratios.len() == 2 && ratios[0] >= ratios[1] && ratios[1] >= 1.0, "{rows:?}");
    }

    /// A search without an answer solves nothing.
    #[test]
    fn a_row_without_an_answer_says_so() {
        let findings = figures("T8", 1, 3, 30);
        let rows = &findings.tables[0].rows;
        let row = rows.iter().find(|row| row[0] == "b-star-95").unwrap();
        assert_eq!(row[1..4], ["0 of 3", "0 %", "3"]);
    }

    #[test]
    fn null_moves_miss_moves_and_the_worked_example_is_right() {
        for name in ["T9", "T13"] {
            let findings = figures(name, 1, 1, 1);
            assert!(findings.shapes.iter().all(|shape| shape.holds), "{findings:?}");
        }
    }

    #[test]
    fn an_interrupted_experiment_ends() {
        let stop = Stop::default();
        stop.stop();
        for experiment in EXPERIMENTS {
            let size = ExperimentSize { games: Some(2), ..ExperimentSize::default() };
            let (_, result) = experiment.run(&size, &stop, &|_| {});
            let reason = result.unwrap_err().downcast_ref().copied();
            assert_eq!(reason, Some(StopReason::Interrupted), "{}", experiment.name);
        }
    }

    #[test]
    fn experiments_are_in_the_order_of_their_numbers() {
        let numbers: Vec<u32> =
            EXPERIMENTS.iter().map(|it| it.name[1..].parse().unwrap()).collect();
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
    }
}
