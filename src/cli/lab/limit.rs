//! The limits of a search of the laboratory.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::cli::arguments::{MAX_MEBIBYTES, MAX_MILLISECONDS};
use crate::cli::{Interrupt, whole};
use crate::lab::game::Evaluation;
use crate::lab::game::evaluation::{EVALUATIONS, parse_weights};
use crate::lab::{Limit, StopReason};
use crate::util::input_file::{MAX_TEXT_BYTES, read_text};

/// Limits of each search.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct LabLimitArgs {
    /// Nodes that each search may visit
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, u64::MAX))]
    nodes: Option<u64>,
    /// Milliseconds that each search may take
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1, MAX_MILLISECONDS))]
    movetime: Option<u64>,
    /// Memory that each search may keep, in MiB
    #[arg(long, default_value_t = 1024, value_name = "MIB", value_parser = whole::<u32>(1, MAX_MEBIBYTES))]
    memory: u32,
}

impl LabLimitArgs {
    /// The limits, with `nodes` if neither nodes nor a time are given.
    pub fn limit(self, interrupt: &Interrupt, nodes: u64) -> Limit<'_> {
        let default = if self.movetime.is_some() { u64::MAX } else { nodes };
        Limit {
            nodes: self.nodes.unwrap_or(default),
            time: self.movetime.map(Duration::from_millis),
            memory: u64::from(self.memory) << 20,
            stop: None,
            job: Some(&interrupt.stop),
        }
    }

    /// Why a search has ended early.
    pub fn explain(self, reason: StopReason) -> String {
        match reason {
            StopReason::Memory => {
                format!("needs more memory than the {} MiB of --memory", self.memory)
            }
            _ => format!("stopped: {reason}"),
        }
    }
}

/// The evaluation of a name of [`EVALUATIONS`], or of a file of weights.
pub(super) fn read_evaluation(text: &str) -> Result<Evaluation> {
    if let Some(evaluation) = Evaluation::named(text) {
        return Ok(evaluation);
    }
    let weights = read_text(Path::new(text), MAX_TEXT_BYTES).with_context(|| {
        let names: Vec<&str> = EVALUATIONS.iter().map(|it| it.0).collect();
        format!("cannot read {text}; the evaluations with a name are {}", names.join(", "))
    })?;
    let weights = parse_weights(&weights)
        .with_context(|| format!("{text} is no file of weights as `lovec tune` writes it"))?;
    Ok(Evaluation::Weights(Arc::new(weights)))
}
