//! One line of a file of labelled positions: `FEN | centipawns | result`.
//!
//! Both numbers are from White's side: the score of a search, and the result of the game,
//! 1, 0.5 or 0. All fits read their files with [`read`].

use std::collections::TryReserveError;
use std::io::{self, BufRead, Read};
use std::str::FromStr;

use rayon::prelude::*;
use thiserror::Error;

use crate::chess::Position;
use crate::chess::notation::fen::FenError;
use crate::eval::Score;
use crate::util::input_file::{decode_line, without_mark};
use crate::util::pool::on_all_cores;

/// A position of a game.
#[derive(Clone, Debug)]
pub struct Sample {
    pub position: Position,
    /// The score of a search in centipawns, from White's side, at most that of a mate.
    pub score: i32,
    /// The result of the game from White's side: 1, 0.5 or 0.
    pub result: f32,
}

/// Why a line is not a sample.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SampleError {
    #[error("{0} fields instead of the three of FEN | centipawns | result")]
    Fields(usize),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("the score {0:?} is not a whole number of centipawns")]
    Score(String),
    #[error("the result {0:?} is not 1, 0.5 or 0")]
    Result(String),
}

impl FromStr for Sample {
    type Err = SampleError;

    fn from_str(line: &str) -> Result<Self, SampleError> {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[fen, score, result] = fields.as_slice() else {
            return Err(SampleError::Fields(fields.len()));
        };
        Ok(Self {
            position: Position::from_fen(fen)?,
            score: score
                .parse()
                .map(|score: i32| score.clamp(-Score::MATE.cp(), Score::MATE.cp()))
                .map_err(|_| SampleError::Score(score.to_owned()))?,
            result: parse_result(result).ok_or_else(|| SampleError::Result(result.to_owned()))?,
        })
    }
}

fn parse_result(text: &str) -> Option<f32> {
    text.parse().ok().filter(|result| [0.0, 0.5, 1.0].contains(result))
}

/// Why a file of samples cannot be used.
#[derive(Debug, Error)]
pub enum DatasetError {
    #[error("cannot be read")]
    Io(#[from] io::Error),
    #[error("line {line}: longer than {MAX_LINE_BYTES} bytes")]
    TooLong { line: usize },
    #[error("line {line}: {error}")]
    Line { line: usize, error: SampleError },
    #[error("it contains no position")]
    Empty,
    #[error("it contains no position but known endgames, which have no terms")]
    KnownEndgames,
    #[error("not enough memory for the positions")]
    Memory(#[from] TryReserveError),
}

/// The maximum length of a line with its end in bytes; a FEN takes about a hundred.
const MAX_LINE_BYTES: u64 = 4096;

/// Lines that are parsed together, on all cores.
const BATCH: usize = 1 << 14;

/// Reads lines of samples and ignores empty ones. `convert` is called for each sample on
/// all cores, and `take` with the results in the order of the lines; `progress` is called
/// with the number of lines read.
///
/// # Errors
///
/// If a line is not a sample or is longer than 4 KiB, if the source cannot be read, or if
/// `take` has no memory.
pub fn read<T: Send>(
    mut source: impl BufRead,
    convert: impl Fn(&Sample) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), TryReserveError>,
    mut progress: impl FnMut(usize),
) -> Result<(), DatasetError> {
    let mut number = 0;
    loop {
        let batch = next_lines(&mut source, number)?;
        if batch.is_empty() {
            return Ok(());
        }
        let parse = |(index, text): (usize, &String)| match text.parse() {
            Ok(sample) => Ok(convert(&sample)),
            Err(error) => Err(DatasetError::Line { line: number + index + 1, error }),
        };
        let converted: Vec<T> = on_all_cores(|| {
            let lines = batch.par_iter().enumerate();
            lines.filter(|(_, text)| !text.trim().is_empty()).map(parse).collect::<Result<_, _>>()
        })?;
        converted.into_iter().try_for_each(&mut take)?;
        number += batch.len();
        progress(number);
    }
}

/// The lines after the first `number`, as many as are parsed together.
fn next_lines(source: &mut impl BufRead, number: usize) -> Result<Vec<String>, DatasetError> {
    let mut lines = Vec::new();
    while lines.len() < BATCH {
        let mut line = Vec::new();
        if source.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() as u64 > MAX_LINE_BYTES {
            return Err(DatasetError::TooLong { line: number + lines.len() + 1 });
        }
        let line = decode_line(line);
        lines.push(if number + lines.len() == 0 { without_mark(line) } else { line });
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::{Sample, SampleError};

    const KINGS: &str = "8/8/8/8/8/8/8/K1k5 w - - 0 1";

    #[test]
    fn a_line_is_read() {
        let sample: Sample = format!("{KINGS} | -34 | 0.5").parse().unwrap();
        assert_eq!((sample.score, sample.result), (-34, 0.5));
        assert_eq!(sample.position.fen(), KINGS);
    }

    #[test]
    fn errors_name_the_field() {
        let error = |line: &str| line.parse::<Sample>().unwrap_err();
        assert_eq!(error(""), SampleError::Fields(1));
        assert_eq!(error(&format!("{KINGS} | 1")), SampleError::Fields(2));
        assert_eq!(error(&format!("{KINGS} | 1 | 1 | 1")), SampleError::Fields(4));
        assert!(matches!(error("x | 1 | 1.0"), SampleError::Fen(_)));
        assert_eq!(error(&format!("{KINGS} | 1.5 | 1")), SampleError::Score("1.5".into()));
        assert_eq!(error(&format!("{KINGS} | 1 | 0.7")), SampleError::Result("0.7".into()));
        assert_eq!(error(&format!("{KINGS} | 1 | 1-0")), SampleError::Result("1-0".into()));
    }
}
