//! The evaluation that an argument names.

use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, Result};

use crate::eval::{WeightedEvaluation, Weights};
use crate::lab::game::evaluation::{EVALUATIONS, Evaluation, parse_weights};
use crate::util::input_file::{MAX_TEXT_BYTES, read_text};
use crate::util::memory::MemoryError;

/// An evaluation before it is made. Unlike the evaluation it can go to another thread.
#[derive(Clone, Debug)]
pub(super) enum EvaluationSource {
    /// A name of [`EVALUATIONS`].
    Named(&'static str),
    Weights(Box<Weights>),
}

impl EvaluationSource {
    /// Reads a name of [`EVALUATIONS`], or the name of a file of weights.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has no weights.
    pub fn read(text: &str) -> Result<Self> {
        if let Some(&(name, _)) = EVALUATIONS.iter().find(|(name, _)| *name == text) {
            return Ok(Self::Named(name));
        }
        let weights = read_text(Path::new(text), MAX_TEXT_BYTES)
            .with_context(|| format!("cannot read {text}; {}", names()))?;
        let weights = parse_weights(&weights);
        Ok(Self::Weights(Box::new(
            weights.with_context(|| {
                format!("{text} is no file of weights as `lovec tune` writes it")
            })?,
        )))
    }

    /// Makes the evaluation.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn evaluation(&self) -> Result<Evaluation, MemoryError> {
        match self {
            Self::Named(name) => Ok(Evaluation::named(name)?.unwrap_or(Evaluation::Material)),
            Self::Weights(weights) => {
                Ok(Evaluation::Weights(Rc::new(WeightedEvaluation::new(weights))))
            }
        }
    }
}

/// The evaluations with a name, as part of a message.
fn names() -> String {
    let names: Vec<&str> = EVALUATIONS.iter().map(|(name, _)| *name).collect();
    format!("the evaluations with a name are {}", names.join(", "))
}
