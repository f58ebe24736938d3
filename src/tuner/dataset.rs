//! Samples as the fit sees them: rows of coefficients, and targets.

use std::io::{self, BufRead};

use rayon::prelude::*;
use thiserror::Error;

use crate::eval::tapered::{FULL_PHASE, FULL_SCALE};
use crate::eval::trace;
use crate::tuner::sample::{Sample, SampleError};

/// Lines that are traced together, on all cores.
const BATCH: usize = 1 << 14;

/// How often a term is counted in a position, White's count less Black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coefficient {
    /// The place of the term in the order of declaration.
    pub term: u16,
    pub count: i16,
}

/// What a position says apart from its coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// The part of the middlegame value in the score, from 0 to 1.
    pub middlegame: f32,
    /// The part of the endgame value, scale factor included.
    pub endgame: f32,
    /// The score of a search in centipawns, from White's side.
    pub score: f32,
    /// The result of the game from White's side: 1, 0.5 or 0.
    pub result: f32,
}

/// Labelled positions. Known endings are left out: they have no terms.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    labels: Vec<Label>,
    /// Where the coefficients of each position end.
    ends: Vec<usize>,
    coefficients: Vec<Coefficient>,
}

/// Why a file of samples cannot be used.
#[derive(Debug, Error)]
pub enum DatasetError {
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("line {line}: {error}")]
    Line { line: usize, error: SampleError },
    #[error("there is no position in it")]
    Empty,
}

impl Dataset {
    /// Reads lines of samples; empty ones do not count. `progress` hears how many
    /// were read.
    pub fn read(
        source: impl BufRead,
        mut progress: impl FnMut(usize),
    ) -> Result<Self, DatasetError> {
        let mut dataset = Self::default();
        let mut lines = source.lines();
        let mut number = 0;
        loop {
            let batch: Vec<String> = lines.by_ref().take(BATCH).collect::<Result<_, _>>()?;
            if batch.is_empty() {
                break;
            }
            let rows: Vec<Option<Row>> = batch
                .par_iter()
                .enumerate()
                .filter(|(_, text)| !text.trim().is_empty())
                .map(|(index, text)| match text.parse() {
                    Ok(sample) => Ok(Row::of(&sample)),
                    Err(error) => Err(DatasetError::Line { line: number + index + 1, error }),
                })
                .collect::<Result<_, _>>()?;
            rows.into_iter().flatten().for_each(|row| dataset.push(row));
            number += batch.len();
            progress(number);
        }
        if dataset.is_empty() { Err(DatasetError::Empty) } else { Ok(dataset) }
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The terms that are counted in the position at `index`.
    #[inline]
    pub fn coefficients(&self, index: usize) -> &[Coefficient] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.coefficients[start..self.ends[index]]
    }

    /// In how many positions each of the first `terms` terms counts.
    pub fn occurrences(&self, terms: usize) -> Vec<u32> {
        let mut occurrences = vec![0; terms];
        for coefficient in &self.coefficients {
            occurrences[usize::from(coefficient.term)] += 1;
        }
        occurrences
    }

    fn push(&mut self, row: Row) {
        self.labels.push(row.label);
        self.coefficients.extend(row.coefficients);
        self.ends.push(self.coefficients.len());
    }
}

/// One position.
struct Row {
    label: Label,
    coefficients: Vec<Coefficient>,
}

impl Row {
    fn of(sample: &Sample) -> Option<Self> {
        let trace = trace(&sample.position);
        if trace.known_ending.is_some() {
            return None;
        }
        let middlegame = trace.phase as f32 / FULL_PHASE as f32;
        let label = Label {
            middlegame,
            endgame: (1.0 - middlegame) * trace.scale as f32 / FULL_SCALE as f32,
            score: sample.score as f32,
            result: sample.result,
        };
        let coefficients = (0..).zip(trace.coefficients()).filter(|&(_, count)| count != 0);
        let coefficients = coefficients.map(|(term, count)| Coefficient { term, count }).collect();
        Some(Self { label, coefficients })
    }
}

#[cfg(test)]
mod tests {
    use super::{Dataset, DatasetError};

    #[test]
    fn known_endings_and_empty_lines_are_left_out() {
        let text =
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 100 | 1\n\n8/8/8/8/8/8/8/K1k5 w - - 0 1 | 0 | 0.5\n";
        let dataset = Dataset::read(text.as_bytes(), |_| {}).unwrap();
        assert_eq!(dataset.len(), 1);
        assert!(!dataset.coefficients(0).is_empty());
    }

    #[test]
    fn a_bad_line_is_named() {
        let text = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 100 | 1\nx | 0 | 1\n";
        let error = Dataset::read(text.as_bytes(), |_| {}).unwrap_err();
        assert!(matches!(error, DatasetError::Line { line: 2, .. }), "{error}");
        let error = Dataset::read("".as_bytes(), |_| {}).unwrap_err();
        assert!(matches!(error, DatasetError::Empty), "{error}");
    }
}
