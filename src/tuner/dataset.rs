//! The samples in the form of the fit: rows of coefficients, and targets.
//!
//! A row has four lists for the four parts of the score: the linear terms, the danger to
//! either king, and the initiative (see [`nonlinear`](crate::eval::nonlinear)).

use std::collections::TryReserveError;
use std::io::BufRead;

use crate::chess::{Color, State};
use crate::eval::tapered::{FULL_FIFTY_MOVE_SCALE, FULL_PHASE, FULL_SCALE, TaperFactors};
use crate::eval::terms::Unit;
use crate::eval::trace;
use crate::tuner::sample::{self, DatasetError, Sample};

/// The count of a term in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coefficient {
    /// The index of the term in the order of declaration.
    pub term: u16,
    pub count: i16,
}

/// The data of a position other than its coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// The weight of the middlegame value in the score, from 0 to 1.
    pub middlegame: f32,
    /// The weight of the endgame value, scale factor included.
    pub endgame: f32,
    /// The score of a search in centipawns, from White's side.
    pub score: f32,
    /// The result of the game from White's side: 1, 0.5 or 0.
    pub result: f32,
    /// Grows by one with each ply of a game, to tell games apart.
    pub ply: u32,
}

/// One position of a [`Dataset`].
#[derive(Clone, Copy, Debug)]
pub struct DatasetRow<'d> {
    pub label: &'d Label,
    /// The linear terms, White's count minus Black's.
    pub score: &'d [Coefficient],
    /// The units of danger to White's and to Black's king.
    pub danger: [&'d [Coefficient]; 2],
    /// The units of initiative.
    pub initiative: &'d [Coefficient],
}

/// Labelled positions, without known endgames, which have no terms.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    labels: Vec<Label>,
    /// The ends of the four lists of each position.
    ends: Vec<[usize; 4]>,
    coefficients: Vec<Coefficient>,
    known_endgames: usize,
}

impl Dataset {
    /// Reads lines of samples and ignores empty ones. `progress` is called with the number
    /// of lines read.
    pub fn read(source: impl BufRead, progress: impl FnMut(usize)) -> Result<Self, DatasetError> {
        let mut dataset = Self::default();
        let take = |row: Option<CountedSample>| match row {
            Some(row) => dataset.push(row),
            None => {
                dataset.known_endgames += 1;
                Ok(())
            }
        };
        sample::read(source, CountedSample::of, take, progress)?;
        match (dataset.is_empty(), dataset.known_endgames) {
            (false, _) => Ok(dataset),
            (true, 0) => Err(DatasetError::Empty),
            (true, _) => Err(DatasetError::KnownEndgames),
        }
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// How many known endgames were read and left out.
    pub fn known_endgames(&self) -> usize {
        self.known_endgames
    }

    /// Whether the position at `index` is certainly of another game than the one before: it is
    /// no later.
    pub fn begins_game(&self, index: usize) -> bool {
        index == 0 || self.labels[index].ply <= self.labels[index - 1].ply
    }

    /// The position at `index`.
    #[inline]
    pub fn row(&self, index: usize) -> DatasetRow<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1][3] };
        let [first, second, third, end] = self.ends[index];
        let list = |from: usize, to: usize| &self.coefficients[from..to];
        DatasetRow {
            label: &self.labels[index],
            score: list(start, first),
            danger: [list(first, second), list(second, third)],
            initiative: list(third, end),
        }
    }

    pub fn rows(&self) -> impl Iterator<Item = DatasetRow<'_>> {
        (0..self.len()).map(|index| self.row(index))
    }

    /// The number of positions in which each of the first `terms` terms occurs.
    pub fn occurrences(&self, terms: usize) -> Vec<u32> {
        let mut occurrences = vec![0; terms];
        for coefficient in &self.coefficients {
            occurrences[usize::from(coefficient.term)] += 1;
        }
        occurrences
    }

    /// Adds a position of which neither score nor result is known.
    pub fn push_position(&mut self, state: &State) -> Result<(), TryReserveError> {
        CountedSample::of_state(state, 0.0, 0.0).map_or(Ok(()), |counted| self.push(counted))
    }

    /// The dataset with the terms that `is_kept` alone.
    pub fn with_terms(&self, is_kept: &[bool]) -> Self {
        let (labels, known_endgames) = (self.labels.clone(), self.known_endgames);
        let mut dataset = Self { labels, known_endgames, ..Self::default() };
        for row in self.rows() {
            let mut ends = [0; 4];
            let lists = [row.score, row.danger[0], row.danger[1], row.initiative];
            for (end, list) in ends.iter_mut().zip(lists) {
                let kept = list.iter().filter(|it| is_kept[usize::from(it.term)]);
                dataset.coefficients.extend(kept);
                *end = dataset.coefficients.len();
            }
            dataset.ends.push(ends);
        }
        dataset
    }

    /// Adds the positions of another dataset.
    ///
    /// # Errors
    ///
    /// If there is no memory for them; this dataset is then unchanged.
    pub fn append(&mut self, other: Self) -> Result<(), TryReserveError> {
        self.labels.try_reserve(other.labels.len())?;
        self.ends.try_reserve(other.ends.len())?;
        self.coefficients.try_reserve(other.coefficients.len())?;
        let before = self.coefficients.len();
        self.labels.extend(other.labels);
        self.ends.extend(other.ends.iter().map(|ends| ends.map(|end| before + end)));
        self.coefficients.extend(other.coefficients);
        self.known_endgames += other.known_endgames;
        Ok(())
    }

    /// A dataset of linear terms alone, each position with the counts of all terms.
    #[cfg(test)]
    pub(super) fn linear(rows: impl IntoIterator<Item = (Label, Vec<i16>)>) -> Self {
        let mut dataset = Self::default();
        for (label, counts) in rows {
            let terms = counts.into_iter().enumerate();
            let list = terms.map(|(term, count)| Coefficient { term: term as u16, count });
            let lists = [list.collect(), Vec::new(), Vec::new(), Vec::new()];
            dataset.push(CountedSample { label, lists }).unwrap();
        }
        dataset
    }

    /// Adds a position, if there is memory for it: a small compressed file may expand
    /// without limit.
    fn push(&mut self, counted: CountedSample) -> Result<(), TryReserveError> {
        self.labels.try_reserve(1)?;
        self.ends.try_reserve(1)?;
        self.coefficients.try_reserve(counted.lists.iter().map(Vec::len).sum())?;
        self.labels.push(counted.label);
        let mut ends = [0; 4];
        for (end, list) in ends.iter_mut().zip(counted.lists) {
            self.coefficients.extend(list);
            *end = self.coefficients.len();
        }
        self.ends.push(ends);
        Ok(())
    }
}

/// A position with its term counts.
struct CountedSample {
    label: Label,
    lists: [Vec<Coefficient>; 4],
}

impl CountedSample {
    fn of(sample: &Sample) -> Option<Self> {
        Self::of_state(&sample.position, sample.score as f32, sample.result)
    }

    fn of_state(state: &State, score: f32, result: f32) -> Option<Self> {
        let trace = trace(state);
        if trace.known_endgame.is_some() {
            return None;
        }
        let TaperFactors { phase, scale, fifty_move_scale } = trace.factors;
        let middlegame = phase as f32 / FULL_PHASE as f32;
        let endgame = (1.0 - middlegame) * scale as f32 / FULL_SCALE as f32;
        let fifty_move_scale = fifty_move_scale as f32 / FULL_FIFTY_MOVE_SCALE as f32;
        let label = Label {
            middlegame: middlegame * fifty_move_scale,
            endgame: endgame * fifty_move_scale,
            score,
            result,
            ply: 2 * u32::from(state.fullmove_number())
                + u32::from(state.side_to_move() == Color::Black),
        };
        let mut lists = [const { Vec::new() }; 4];
        let mut term = 0;
        let [white, black] = Color::ALL.map(|color| trace.counts(color).tables());
        for (white, black) in white.iter().zip(&black) {
            for (&white_count, &black_count) in white.values.iter().zip(black.values) {
                let mut add = |list: usize, count: i16| {
                    if count != 0 {
                        lists[list].push(Coefficient { term, count });
                    }
                };
                match white.unit {
                    Unit::Centipawn => add(0, white_count - black_count),
                    Unit::Danger => {
                        add(1, white_count);
                        add(2, black_count);
                    }
                    Unit::Initiative => add(3, white_count),
                }
                term += 1;
            }
        }
        Some(Self { label, lists })
    }
}

#[cfg(test)]
mod tests {
    use super::Dataset;
    use crate::tuner::SAMPLES;
    use crate::tuner::sample::DatasetError;

    #[test]
    fn known_endgames_and_empty_lines_are_left_out() {
        let text =
            "k7/p7/8/8/8/8/PP6/K7 w - - 0 1 | 100 | 1\n\n8/8/8/8/8/8/8/K1k5 w - - 0 1 | 0 | 0.5\n";
        let dataset = Dataset::read(text.as_bytes(), |_| {}).unwrap();
        assert_eq!((dataset.len(), dataset.known_endgames()), (1, 1));
        assert!(!dataset.row(0).score.is_empty());
    }

    #[test]
    fn a_game_begins_where_the_number_of_moves_does_not_grow() {
        let moves = ["w - - 0 7", "b - - 0 7", "w - - 0 30", "w - - 0 30", "b - - 0 9"];
        let line = |end: &&str| format!("k7/p7/8/8/8/8/PP6/K7 {end} | 0 | 1\n");
        let text: String = moves.iter().map(line).collect();
        let dataset = Dataset::read(text.as_bytes(), |_| {}).unwrap();
        let begins: Vec<bool> = (0..5).map(|index| dataset.begins_game(index)).collect();
        assert_eq!(begins, [true, false, false, true, true]);
    }

    #[test]
    fn appended_datasets_equal_one_read_together() {
        let [first, second] = [0, 2].map(|skip| {
            let lines: String =
                SAMPLES.lines().skip(skip).take(2).map(|l| format!("{l}\n")).collect();
            Dataset::read(lines.as_bytes(), |_| {}).unwrap()
        });
        let together = Dataset::read(SAMPLES.as_bytes(), |_| {}).unwrap();
        let mut appended = first;
        appended.append(second).unwrap();
        assert_eq!(appended.len(), together.len());
        for (left, right) in appended.rows().zip(together.rows()) {
            assert_eq!(left.label, right.label);
            assert_eq!((left.score, left.danger), (right.score, right.danger));
            assert_eq!(left.initiative, right.initiative);
        }
    }

    #[test]
    fn errors_name_the_line() {
        let text = "k7/p7/8/8/8/8/PP6/K7 w - - 0 1 | 100 | 1\nx | 0 | 1\n";
        let error = Dataset::read(text.as_bytes(), |_| {}).unwrap_err();
        assert!(matches!(error, DatasetError::Line { line: 2, .. }), "{error}");
        let long = format!("\n{}", "x".repeat(5000));
        let error = Dataset::read(long.as_bytes(), |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "line 2: longer than 4096 bytes");
        let error = Dataset::read("".as_bytes(), |_| {}).unwrap_err();
        assert!(matches!(error, DatasetError::Empty), "{error}");
        let known = "4k3/8/8/8/8/8/8/4K2R w - - 0 1 | 100 | 1\n";
        let error = Dataset::read(known.as_bytes(), |_| {}).unwrap_err();
        assert!(matches!(error, DatasetError::KnownEndgames), "{error}");
    }
}
