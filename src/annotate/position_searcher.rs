//! What searches the positions: Lovec, or another engine.

use std::sync::Arc;

use crate::annotate::options::{AnnotateError, AnnotateOptions};
use crate::annotate::other_engine::{self, IsStopped};
use crate::chess::Position;
use crate::client::EngineClient;
use crate::insight::{Examination, Examiner};
use crate::search::{Limits, Stop};

/// Searches positions one after the other, each with empty memory.
pub enum PositionSearcher<'a> {
    Lovec(Examiner),
    Engine(EngineClient<'a>),
}

impl<'a> PositionSearcher<'a> {
    /// The searcher that the options ask for. `stop` ends its searches, and so does
    /// `is_stopped`, which must agree with it.
    pub fn new(
        options: &AnnotateOptions,
        stop: Arc<Stop>,
        is_stopped: IsStopped<'a>,
    ) -> Result<Self, AnnotateError> {
        let hash_mib = options.hash_mib;
        Ok(match &options.engine {
            Some(engine) => Self::Engine(engine.start(hash_mib, is_stopped)?),
            None => Self::Lovec(Examiner::new(hash_mib, options.tables.clone(), stop)?),
        })
    }

    /// Whether the searches were stopped. The results of a stopped search are of no use.
    pub fn is_stopped(&self) -> bool {
        match self {
            Self::Lovec(examiner) => examiner.is_stopped(),
            Self::Engine(engine) => engine.is_stopped(),
        }
    }

    /// The best `lines` lines of a position. A game that is drawn by rule is over.
    pub fn examine(
        &mut self,
        position: &Position,
        lines: usize,
        limits: &Limits,
    ) -> Result<Examination, AnnotateError> {
        match self {
            Self::Lovec(examiner) => Ok(examiner.examine(position, lines, limits)),
            Self::Engine(engine) => Ok(other_engine::examine(engine, position, lines, limits)?),
        }
    }
}
