//! The evaluation that an argument names.

use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, Result};

use crate::eval::Weights;
use crate::lab::game::evaluation::{Evaluation, parse_weights};
use crate::util::input_file::{MAX_TEXT_BYTES, read_text};
use crate::util::memory::MemoryError;

/// An evaluation before it is made. Unlike the evaluation it can go to another thread.
#[derive(Clone, Debug)]
pub(super) enum EvaluationSource {
    Lovec,
    Material,
    Chance,
    Weights(Box<Weights>),
}

impl EvaluationSource {
    /// Reads `lovec`, `material`, `chance`, or the name of a file of weights.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has no weights.
    pub fn read(text: &str) -> Result<Self> {
        Ok(match text {
            "lovec" => Self::Lovec,
            "material" => Self::Material,
            "chance" => Self::Chance,
            file => {
                let text = read_text(Path::new(file), MAX_TEXT_BYTES)
                    .with_context(|| format!("cannot read {file}"))?;
                let weights = parse_weights(&text);
                Self::Weights(Box::new(weights.with_context(|| {
                    format!("{file} is no file of weights as `lovec tune` writes it")
                })?))
            }
        })
    }

    /// Makes the evaluation.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn evaluation(&self) -> Result<Evaluation, MemoryError> {
        Ok(match self {
            Self::Lovec => Evaluation::lovec()?,
            Self::Material => Evaluation::Material,
            Self::Chance => Evaluation::Chance,
            Self::Weights(weights) => Evaluation::Weights(Rc::new((**weights).clone())),
        })
    }
}
