//! What is known of the terms.

use serde::Serialize;

use crate::eval::Tapered;

/// What a page or a table shows of a term.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TermSummary {
    pub group: &'static str,
    pub term: &'static str,
    pub description: &'static str,
    pub unit: &'static str,
    /// The sizes of the dimensions; none for a single weight.
    pub shape: &'static [usize],
    pub weights: &'static [Tapered],
    /// The positions in which either side has it.
    pub positions: usize,
    /// What the loss gains without it.
    pub loss: Option<f64>,
}

/// All terms, and the positions that they were counted in.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TermReport {
    /// Where the positions are from.
    pub source: String,
    pub positions: usize,
    /// Of the evaluation, on labelled positions.
    pub loss: Option<f64>,
    pub terms: Vec<TermSummary>,
}

impl TermReport {
    /// The share of the positions in which a term occurs, in percent.
    pub fn percent(&self, term: &TermSummary) -> f64 {
        100.0 * term.positions as f64 / self.positions.max(1) as f64
    }
}
