//! Minimax (Shannon, "Programming a computer for playing chess", 1950).

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::game::INFINITE;
use crate::lab::search::leaf::leaf;
use crate::lab::{Answer, Law, LawRun, LawSample, Search, Searched, ensure};

#[derive(Clone, Copy, Debug)]
pub struct Minimax;

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "minimax",
    summary: "every node to the depth; MAX takes the greatest value, MIN the least",
    settings: &[],
    new: |_| Box::new(Minimax),
    laws: &LAWS,
};

impl Algorithm for Minimax {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let sign = if s.game.max_to_move() { 1 } else { -1 };
        let value = minimax(s, s.depth)?;
        Ok(s.complete(sign * value))
    }
}

/// The value for MAX.
fn minimax(s: &mut Search<'_>, depth: u32) -> Searched<i32> {
    s.enter()?;
    let max_to_move = s.game.max_to_move();
    if let Some(value) = leaf(s, depth, -INFINITE, INFINITE)? {
        return Ok(if max_to_move { value } else { -value });
    }
    let mut best = if max_to_move { -INFINITE } else { INFINITE };
    for m in s.moves() {
        s.play(m);
        let value = minimax(s, depth - 1)?;
        s.undo();
        if if max_to_move { value > best } else { value < best } {
            best = value;
            s.improve(m);
        }
    }
    Ok(best)
}

const LAWS: [Law; 2] = [
    Law {
        name: "minimax-visits-every-node",
        text: "minimax visits every node of the tree to the depth, each once",
        applies: |_| true,
        check: |sample| ensure(sample.minimax()?.counts.nodes == sample.size(), || "nodes".into()),
    },
    Law {
        name: "minimax-line",
        text: "the best line of minimax leads to a leaf with its value",
        applies: |_| true,
        check: line_leads_to_value,
    },
];

fn line_leads_to_value(sample: &LawSample) -> Result<(), String> {
    let LawRun { value, line_value, .. } = sample.minimax()?;
    ensure(value == line_value, || format!("value {value}, its line leads to {line_value}"))
}
