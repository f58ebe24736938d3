//! The laws of all algorithms, and the samples that they are checked on: a thousand synthetic
//! trees, tic-tac-toe, Connect-4 on small boards, Los Alamos chess and thirty chess positions.

use serde::Serialize;

use crate::chess::Position;
use crate::lab::game::tree::{SyntheticTree, TreeShape, TreeValues};
use crate::lab::game::{AnyGame, Evaluation, at_ply};
use crate::lab::hidden::hidden_laws;
use crate::lab::row::ALGORITHMS;
use crate::lab::search::{extension, futility, leaf, null_move, probcut, razoring, trial};
use crate::lab::table::equivalence;
use crate::lab::{Answer, Law, LawRun, LawSample, Limit, Row, Watch, game_laws, order, table};

/// The laws of the switches, of values, of solved games and of hidden cards.
const SWITCH_LAWS: [&[Law]; 12] = [
    &leaf::LAWS,
    &order::LAWS,
    &table::LAWS,
    &equivalence::LAWS,
    &null_move::LAWS,
    &probcut::LAWS,
    &futility::LAWS,
    &razoring::LAWS,
    &extension::LAWS,
    &trial::LAWS,
    &game_laws::LAWS,
    &hidden_laws::LAWS,
];

/// The number of synthetic trees.
const TREES: u64 = 1000;

/// Other games and depths.
const GAMES: [(&str, u32); 10] = [
    ("tictactoe", 4),
    ("tictactoe/b2,a1", 5),
    ("tictactoe/a1,b2,c3,a2", 9),
    ("tictactoe/b1,a2,c2,b3,a1", 9),
    ("connect4:4x4", 5),
    ("connect4:4x4/a,b,b,a,c", 5),
    ("connect4:4x4/b,c,b,c,b", 6),
    ("connect4:5x4/c,c,c", 4),
    ("los-alamos", 2),
    ("los-alamos/c2c3,d5d4,c3d4,e5d4", 2),
];

/// Chess positions and depths: openings, middlegames, mates, stalemates, promotions, en
/// passant, castling, endings.
#[rustfmt::skip]
const POSITIONS: [(&str, u32); 30] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 2),
    ("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", 2),
    ("rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5", 2),
    ("rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", 2),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 2),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 2),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2),
    ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2),
    ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 2),
    ("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", 2),
    ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", 2),
    ("r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - - 0 1", 2),
    ("4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1", 3),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 3),
    ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 3),
    ("5k2/5P2/5K2/8/8/8/8/8 b - - 0 1", 4),
    ("7k/5Q2/5K2/8/8/8/8/8 b - - 0 1", 4),
    ("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", 4),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3),
    ("8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 1", 4),
    ("8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3", 3),
    ("r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 0 1", 2),
    ("8/5k2/8/8/8/2N5/1B6/2K5 w - - 0 1", 3),
    ("8/8/8/5k2/8/1r6/8/K6R w - - 0 1", 3),
    ("k7/8/1Q6/8/8/8/8/6K1 b - - 0 1", 3),
    ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 3),
    ("4k3/P7/8/8/8/8/7p/4K3 w - - 0 1", 3),
    ("8/1P4k1/8/8/8/8/6p1/1K6 b - - 0 1", 3),
];

/// The result of a law.
#[derive(Clone, Debug, Serialize)]
pub struct LawResult {
    #[serde(flatten)]
    pub law: Law,
    /// The samples on which it was checked.
    pub samples: usize,
    /// The first sample on which it is broken.
    #[serde(rename = "error")]
    pub fault: Option<LawFault>,
}

/// A sample on which a law is broken, and what is wrong.
#[derive(Clone, Debug, Serialize)]
pub struct LawFault {
    pub sample: String,
    pub text: String,
}

/// The laws of the algorithms and of the switches.
pub fn laws() -> impl Iterator<Item = &'static Law> {
    ALGORITHMS.iter().map(|(_, info)| info.laws).chain(SWITCH_LAWS).flatten()
}

/// The samples. Each text is one: a test counts them.
pub fn samples() -> Vec<LawSample> {
    let game = |(text, depth)| Some((text, AnyGame::parse(text).ok()?, depth));
    let position = |(fen, depth)| {
        let position = Position::from_fen(fen).ok()?;
        Some((fen, AnyGame::chess(position, Evaluation::Lovec), depth))
    };
    let games = GAMES.into_iter().filter_map(game);
    let others = games.chain(POSITIONS.into_iter().filter_map(position));
    let others = others.map(|(name, game, depth)| LawSample::new(name.into(), game, depth, run));
    (0..TREES).map(tree).chain(others).collect()
}

/// The trees of each kind and shape, with values far apart and with many equal ones.
fn tree(number: u64) -> LawSample {
    let values = [TreeValues::Independent, TreeValues::Correlated, TreeValues::Ordered];
    let shape = TreeShape {
        width: 1 + (number / 3 % 5) as u8,
        depth: 1 + (number / 15 % 5) as u8,
        values: values[(number % 3) as usize],
        range: [100, 3, 20][(number / 75 % 3) as usize],
        ragged: number % 4 == 3,
        seed: number,
    };
    let game = AnyGame::Tree(SyntheticTree::new(shape));
    LawSample::new(format!("{shape:?}"), game, shape.depth.into(), run)
}

/// Checks a law on all samples, up to the first fault. `is_stopped` ends it early.
pub fn check(law: &Law, samples: &[LawSample], is_stopped: impl Fn() -> bool) -> LawResult {
    let mut result = LawResult { law: *law, samples: 0, fault: None };
    for sample in samples.iter().filter(|sample| (law.applies)(sample)) {
        if is_stopped() {
            break;
        }
        result.samples += 1;
        if let Err(text) = (law.check)(sample) {
            let sample = format!("{}, depth {}", sample.name, sample.depth);
            result.fault = Some(LawFault { sample, text });
            break;
        }
    }
    result
}

/// Runs a row on a sample.
fn run(sample: &LawSample, text: &str, window: (i32, i32)) -> Result<LawRun, String> {
    let row = Row::parse(text, &[]).map_err(|error| error.to_string())?.with_window(window);
    let (mut game, mut watch) = (sample.game.clone(), Watch::with_leaves());
    let game = game.tree();
    let outcome = row.run(game, sample.depth, Limit::NONE, &mut watch);
    let stopped = || outcome.stopped.map_or_else(String::new, |reason| reason.to_string());
    let Answer { value, line, proof } = outcome.answer.ok_or_else(stopped)?;
    let best = line.first().map(|&m| game.text(m));
    line.iter().for_each(|&m| game.play(m));
    let ply = line.len() as i32;
    let leaf = game.end().map_or_else(|| game.value(), |end| at_ply(end, ply));
    let line_value = if ply % 2 == 0 { leaf } else { -leaf };
    let (counts, leaves) = (watch.counts, watch.into_leaves());
    Ok(LawRun { value, best, line_value, proof, counts, leaves })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laws_hold() {
        let samples = samples();
        assert_eq!(samples.len(), TREES as usize + GAMES.len() + POSITIONS.len());
        let mut broken = Vec::new();
        for law in laws() {
            let result = check(law, &samples, || false);
            assert!(result.samples > 0, "{}: no samples", law.name);
            broken.extend(result.fault.map(|_| law.name));
        }
        assert!(broken.is_empty(), "{broken:?}");
    }

    #[test]
    fn laws_have_names_of_their_own() {
        let mut names: Vec<&str> = laws().map(|law| law.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    /// A law that does not hold is reported with the sample.
    #[test]
    fn faults_are_found() {
        let wrong = Law {
            name: "wrong",
            text: "alpha-beta visits every leaf",
            applies: |_| true,
            check: |sample| {
                let leaves = sample.run("ab")?.counts.leaves;
                crate::lab::law::ensure(leaves == sample.minimax()?.counts.leaves, || "cut".into())
            },
        };
        let result = check(&wrong, &samples(), || false);
        assert_eq!(result.fault.unwrap().text, "cut");
    }
}
