//! Two engines on the same positions: where their moves or scores differ and, between two
//! versions of Lovec, by which terms of the evaluation.
//!
//! Both engines are programs that speak UCI. The terms are read from the JSON of their
//! command `eval`, so that versions whose terms differ can be compared as well.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;

use crate::chess::Position;
use crate::client::{ClientError, EngineAnswer, EngineClient, EngineCommand, GoLimit, output_of};
use crate::eval::Score;

/// The beginning of the name of every version of Lovec.
const LOVEC: &str = "Lovec ";

/// Values that differ by less are equal, in centipawns.
const TOLERANCE: f64 = 0.005;

/// Why a comparison failed.
#[derive(Debug, Error)]
pub enum CompareError {
    #[error(transparent)]
    Engine(#[from] ClientError),
    #[error("{engine} writes an evaluation that cannot be read: {error}")]
    Evaluation { engine: String, error: serde_json::Error },
}

/// The old and the new engine.
pub struct EnginePair<'a> {
    commands: [&'a EngineCommand; 2],
    pub engines: [EngineClient<'a>; 2],
    timeout: Duration,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// The answers of both engines to one position.
pub struct ComparedAnswers {
    pub answers: [EngineAnswer; 2],
    /// Empty if one of the engines is not Lovec, or has arguments.
    pub evaluations: Vec<ComparedEvaluation>,
}

impl ComparedAnswers {
    pub fn differs_in_move(&self) -> bool {
        let [old, new] = &self.answers;
        old.best != new.best
    }

    /// Whether one of the scores is missing or they are not the same.
    pub fn differs_in_score(&self) -> bool {
        let [old, new] = self.answers.each_ref().map(|answer| answer.line().map(|line| line.score));
        old != new
    }
}

/// A position that both engines evaluate, each in its own way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedEvaluation {
    pub place: Place,
    pub fen: String,
    /// `None` for a game that is over.
    pub old_white_score: Option<Score>,
    pub new_white_score: Option<Score>,
    /// The terms whose value differs, the largest difference first: from White's side, in
    /// centipawns, new less old. As data they are sorted by name.
    #[serde(serialize_with = "by_name")]
    pub terms: Vec<(String, f64)>,
}

fn by_name<S: Serializer>(terms: &[(String, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    terms.iter().cloned().collect::<BTreeMap<_, _>>().serialize(serializer)
}

/// Which position of the two searches is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    Position,
    EndOfOldLine,
    EndOfNewLine,
}

impl<'a> EnginePair<'a> {
    /// Starts both engines and sets the options of each; a table of `hash_mib` MiB where there
    /// is such an option.
    pub fn start(
        commands: [&'a EngineCommand; 2],
        hash_mib: u32,
        options: &[(String, String)],
        timeout: Duration,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Self, ClientError> {
        let start = |command: &EngineCommand| {
            let mut engine = EngineClient::start(command.process(), timeout, is_stopped)?;
            if engine.has_option("Hash") {
                engine.set_option("Hash", &hash_mib.to_string())?;
            }
            for (name, value) in options {
                engine.set_option(name, value)?;
            }
            engine.wait_until_ready()?;
            Ok(engine)
        };
        let engines = [start(commands[0])?, start(commands[1])?];
        Ok(Self { commands, engines, timeout, is_stopped })
    }

    /// Whether both are Lovec, so that their evaluations can be compared term by term. With
    /// arguments a program may be another or do something else.
    fn explain_themselves(&self) -> bool {
        self.engines.iter().all(|engine| engine.name().starts_with(LOVEC))
            && !self.commands.iter().any(|command| command.has_arguments())
    }

    /// Searches a position with both engines, as the first of a new game.
    pub fn compare(
        &mut self,
        position: &Position,
        limit: GoLimit,
    ) -> Result<ComparedAnswers, CompareError> {
        let [old, new] = &mut self.engines;
        let answer = |engine: &mut EngineClient<'_>| {
            engine.new_game()?;
            engine.search(position, &[], limit)
        };
        let answers = [answer(old)?, answer(new)?];
        let mut compared = ComparedAnswers { answers, evaluations: Vec::new() };
        let differ = compared.differs_in_move() || compared.differs_in_score();
        if differ && self.explain_themselves() {
            compared.evaluations = self.evaluations(position, &compared.answers)?;
        }
        Ok(compared)
    }

    /// Evaluates the position and, where their scores may come from, the ends of both lines.
    fn evaluations(
        &self,
        position: &Position,
        answers: &[EngineAnswer; 2],
    ) -> Result<Vec<ComparedEvaluation>, CompareError> {
        let [old_end, new_end] = answers.each_ref().map(|answer| {
            let mut end = position.clone();
            answer.line().into_iter().flat_map(|line| &line.pv).for_each(|&m| end.make(m));
            end.fen()
        });
        let places = [
            (Place::Position, position.fen()),
            (Place::EndOfOldLine, old_end),
            (Place::EndOfNewLine, new_end),
        ];
        places.into_iter().map(|(place, fen)| self.evaluate(place, fen)).collect()
    }

    fn evaluate(&self, place: Place, fen: String) -> Result<ComparedEvaluation, CompareError> {
        let read = |index: usize| {
            let mut command = self.commands[index].process();
            command.args(["eval", "--json", &fen]);
            let text = output_of(command, self.timeout, self.is_stopped)?;
            serde_json::from_str::<EngineEvaluation>(&text).map_err(|error| {
                let engine = self.engines[index].name().to_owned();
                CompareError::Evaluation { engine, error }
            })
        };
        let (old, new) = (read(0)?, read(1)?);
        let score = |it: &EngineEvaluation| it.white_score.as_ref().map(EngineScore::score);
        let (old_white_score, new_white_score) = (score(&old), score(&new));
        let terms = differences(old.terms, new.terms);
        Ok(ComparedEvaluation { place, fen, old_white_score, new_white_score, terms })
    }
}

/// What is read of `lovec eval --json`.
#[derive(Deserialize)]
struct EngineEvaluation {
    white_score: Option<EngineScore>,
    #[serde(default)]
    terms: Vec<EngineTerm>,
}

/// Version 1.0.0 writes a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum EngineScore {
    Present { cp: i32 },
    Number(i32),
}

impl EngineScore {
    fn score(&self) -> Score {
        let (Self::Present { cp } | Self::Number(cp)) = *self;
        Score::new(cp.clamp(-Score::MATE.cp(), Score::MATE.cp()))
    }
}

#[derive(Deserialize)]
struct EngineTerm {
    term: String,
    /// The share of the score.
    tapered: f64,
}

/// New less old where that is not zero, the largest difference first. A term that one version
/// does not have is zero there.
fn differences(old: Vec<EngineTerm>, new: Vec<EngineTerm>) -> Vec<(String, f64)> {
    let mut all: BTreeMap<String, f64> = BTreeMap::new();
    for (terms, sign) in [(old, -1.0), (new, 1.0)] {
        for EngineTerm { term, tapered } in terms {
            *all.entry(term).or_default() += sign * tapered;
        }
    }
    let differ = all.into_iter().filter(|(_, difference)| difference.abs() >= TOLERANCE);
    let mut terms: Vec<(String, f64)> = differ.collect();
    terms.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_sorted_by_size_and_cover_the_terms_of_both() {
        let terms = |list: &[(&str, f64)]| {
            let term = |&(term, tapered): &(&str, f64)| EngineTerm { term: term.into(), tapered };
            list.iter().map(term).collect::<Vec<_>>()
        };
        let old = terms(&[("material", 100.0), ("space", 5.0), ("threats", 7.0)]);
        let new = terms(&[("material", 100.001), ("space", 4.0), ("mobility", -20.0)]);
        let expected = [("mobility", -20.0), ("threats", -7.0), ("space", -1.0)];
        let found = differences(old, new);
        assert_eq!(found.iter().map(|(term, by)| (&**term, *by)).collect::<Vec<_>>(), expected);
    }
}
