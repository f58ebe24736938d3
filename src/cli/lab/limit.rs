//! The limits of a search of the laboratory.

use std::time::Duration;

use crate::cli::interrupt::Interrupt;
use crate::cli::number::whole;
use crate::lab::limit::{Limit, StopReason};

/// Limits of each search.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct LabLimitArgs {
    /// Nodes that each search may visit
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    nodes: Option<u64>,
    /// Milliseconds that each search may take
    #[arg(long, value_name = "MS", allow_negative_numbers = true, value_parser = whole::<u64>(1, 86_400_000))]
    movetime: Option<u64>,
    /// Memory that each search may keep, in MiB
    #[arg(long, default_value_t = 1024, value_name = "MB", allow_negative_numbers = true, value_parser = whole::<u32>(1, 1 << 20))]
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
            stop: Some(interrupt.stop.flag()),
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
