//! Writes the weights as source text, `weights.rs`, in short lines so that the difference
//! between two fits is readable.

use std::fmt::Write as _;

use crate::eval::tapered::Tapered;
use crate::eval::terms::{TermTable, Weights};

const HEADER: &str = "\
//! The value of every term, in centipawns: middlegame, endgame.
//!
//! Data only, fitted to games and written by `eval::writer`; `eval::terms`
//! describes the terms.

use crate::eval::tapered::Tapered;
use crate::eval::terms::Weights;

#[rustfmt::skip]
const fn s(middlegame: f64, endgame: f64) -> Tapered { Tapered::new(middlegame, endgame) }

/// The weights that Lovec plays with.
#[rustfmt::skip]
pub static WEIGHTS: Weights = Weights {
";

/// Values in one line of the text: a rank, or half of one.
const LINE: usize = 4;

/// The whole text of `weights.rs` for these weights.
pub fn source(weights: &Weights) -> String {
    let mut text = String::from(HEADER);
    for table in weights.tables() {
        let _ = writeln!(text, "    {}: {},", table.name, literal(&table));
    }
    text.push_str("};\n");
    text
}

fn literal(table: &TermTable<'_, Tapered>) -> String {
    match *table.shape {
        [] => value(table.values[0]),
        [_, columns] => {
            let rows = table.values.chunks(columns);
            let rows: String = rows.map(|row| format!("        {},\n", list(row, 8))).collect();
            format!("[\n{rows}    ]")
        }
        _ => list(table.values, 4),
    }
}

/// A bracketed list, a few values on each line.
fn list(values: &[Tapered], indent: usize) -> String {
    let margin = " ".repeat(indent);
    let lines = values.chunks(LINE).map(|line| {
        let cells: Vec<_> = line.iter().map(|&entry| value(entry)).collect();
        format!("{margin}    {},\n", cells.join(", "))
    });
    format!("[\n{}{margin}]", lines.collect::<String>())
}

fn value(value: Tapered) -> String {
    format!("s({:8.3}, {:8.3})", value.middlegame(), value.endgame())
}

#[cfg(test)]
mod tests {
    use super::source;
    use crate::eval::weights::WEIGHTS;

    #[test]
    fn the_weights_file_is_what_the_writer_writes() {
        let written = source(&WEIGHTS);
        let kept = include_str!("weights.rs").replace("\r\n", "\n");
        assert!(kept == written, "weights.rs was edited by hand or is out of date");
    }
}
