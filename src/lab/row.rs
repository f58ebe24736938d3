//! A row of a comparison: an algorithm with its settings and switches, and the drivers that
//! run it, iterative deepening and aspiration windows.

use std::ops::RangeInclusive;
use std::sync::Arc;

use thiserror::Error;

use crate::lab::algorithm::{self, Algorithm, AlgorithmInfo};
use crate::lab::game::{GameTree, INFINITE};
use crate::lab::search::switches::{DEEPEN, Switches, heeded_switches, switch_settings};
use crate::lab::settings::SettingError;
use crate::lab::table::BoundTable;
use crate::lab::{
    Answer, Counts, GivenSettings, Limit, Proof, Search, Searched, SettingInfo, StopReason, Watch,
};
use crate::util::likeness::hint;

/// What there is to know of each algorithm, by the section of the overview.
pub const ALGORITHMS: &[(&str, AlgorithmInfo)] = &[
    ("depth-first", algorithm::minimax::INFO),
    ("depth-first", algorithm::negamax::INFO),
    ("depth-first", algorithm::alpha_beta::INFO),
    ("depth-first", algorithm::m_n::INFO),
    ("depth-first", algorithm::product::INFO),
    ("depth-first", algorithm::probability::INFO),
    ("depth-first", algorithm::hybrid::INFO),
    ("depth-first", algorithm::abc::INFO),
    ("null window", algorithm::negascout::SCOUT),
    ("null window", algorithm::negascout::NEGASCOUT),
    ("null window", algorithm::negascout::PVS),
    ("null window", algorithm::mtdf::INFO),
    ("null window", algorithm::mtd::INFO),
    ("best-first", algorithm::sss::SSS),
    ("best-first", algorithm::sss::DUAL),
    ("growing", algorithm::best_first::INFO),
    ("growing", algorithm::conspiracy::INFO),
    ("growing", algorithm::b_star::INFO),
    ("growing", algorithm::b_star_95::INFO),
    ("growing", algorithm::minmax_approx::INFO),
    ("growing", algorithm::equi_potential::INFO),
    ("growing", algorithm::bayesian::INFO),
    ("growing", algorithm::mcts::INFO),
    ("proving", algorithm::pn::INFO),
    ("proving", algorithm::pn2::INFO),
    ("proving", algorithm::dfpn::INFO),
    ("playing", algorithm::lovec::INFO),
];

/// Why a text is not a row.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowError {
    #[error(
        "{0:?} is not an algorithm{hint}; there are {names}",
        hint = hint(.0, names()), names = names().collect::<Vec<_>>().join(", ")
    )]
    Unknown(String),
    #[error("{word:?} is a word of the setting {setting}; words are joined by +, not by commas")]
    Word { word: String, setting: &'static str },
    #[error(transparent)]
    Setting(#[from] SettingError),
}

impl RowError {
    /// A text that is no algorithm. A word of a setting was separated from it by a comma.
    fn unknown(name: &str) -> Self {
        let setting = switch_settings().into_iter().find(|setting| setting.has_word(name));
        match setting {
            Some(setting) => Self::Word { word: name.to_owned(), setting: setting.name },
            None => Self::Unknown(name.to_owned()),
        }
    }
}

/// The names of the algorithms.
fn names() -> impl Iterator<Item = &'static str> {
    ALGORITHMS.iter().map(|(_, info)| info.name)
}

/// An algorithm with its settings and switches.
#[derive(Clone, Debug)]
pub struct Row {
    name: String,
    algorithm: Arc<dyn Algorithm>,
    can_deepen: bool,
    switches: Switches,
    /// The window of the root.
    window: (i32, i32),
    /// The common settings, and words of them, that do nothing in this row, and why.
    idle: Vec<(String, SettingError)>,
}

/// How a row ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The answer of the last complete iteration.
    pub answer: Option<Answer>,
    /// The depth of that iteration; `None` if the algorithm grows a tree.
    pub completed_depth: Option<u32>,
    /// The plies of the longest path.
    pub deepest: u32,
    /// Why the search ended before the depth that was asked for, or, if it grows a tree,
    /// before the tree was complete.
    pub stopped: Option<StopReason>,
    /// The most bytes that were kept at a time.
    pub memory_peak: u64,
}

/// A finished iteration.
#[derive(Debug)]
pub struct Iteration<'a> {
    pub depth: u32,
    /// The plies of the longest path so far.
    pub deepest: u32,
    pub answer: &'a Answer,
    pub counts: &'a Counts,
}

impl Row {
    /// Reads `ALGORITHM[:SETTING…]`. Settings that are `common` to several rows do nothing in
    /// those that do not heed them; such a setting of its own is an error.
    pub fn parse(text: &str, common: &[&str]) -> Result<Self, RowError> {
        let mut words = text.split(':');
        let name = words.next().unwrap_or_default();
        let (_, info) = ALGORITHMS
            .iter()
            .find(|(_, info)| info.name == name)
            .ok_or_else(|| RowError::unknown(name))?;
        let settings = |switches: &[SettingInfo]| [info.settings, switches].concat();
        let (all, heeded) = (settings(&switch_settings()), settings(&heeded_switches(name)));
        let own = GivenSettings::parse(name, &heeded, &words.collect::<Vec<_>>())?;
        let common = GivenSettings::parse(name, &all, common)?;
        let given = common.clone().and(&heeded, &own);
        if let Some((_, fault)) = given.idle(name, &heeded, &own).into_iter().next() {
            return Err(fault.into());
        }
        Ok(Self {
            name: text.to_owned(),
            algorithm: (info.new)(&given).into(),
            can_deepen: heeded.contains(&DEEPEN),
            switches: Switches::new(&given),
            window: (-INFINITE, INFINITE),
            idle: given.idle(name, &heeded, &common),
        })
    }

    /// Checks that each setting that is common to rows, and each word of it, does something in
    /// one of them.
    ///
    /// # Errors
    ///
    /// Why it does nothing in the last row.
    pub fn check_common(rows: &[Self]) -> Result<(), RowError> {
        let is_idle = |row: &Self, setting: &str| {
            // A setting of which no word acts.
            let name = setting.split('=').next();
            row.idle.iter().any(|(idle, _)| idle == setting || Some(idle.as_str()) == name)
        };
        let mut faults = rows.last().into_iter().flat_map(|last| &last.idle);
        let fault = faults.find(|fault| rows.iter().all(|row| is_idle(row, &fault.0)));
        fault.map_or(Ok(()), |(_, fault)| Err(fault.clone().into()))
    }

    /// The row with a window of the root, which algorithms without windows ignore.
    pub fn with_window(self, window: (i32, i32)) -> Self {
        Self { window, ..self }
    }

    /// The text of the row.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the table is kept from one search of a game to the next.
    pub fn keeps_table(&self) -> bool {
        self.switches.keep && self.switches.table > 0
    }

    /// Searches a game to a depth. The game is unchanged afterwards.
    pub fn run(
        &self,
        game: &mut dyn GameTree,
        depth: u32,
        limit: Limit<'_>,
        watch: &mut Watch,
    ) -> Outcome {
        self.run_kept(game, self.depths(depth), limit, watch, &mut None, &mut |_| true)
    }

    /// The depths of a search to a depth.
    fn depths(&self, depth: u32) -> RangeInclusive<u32> {
        let first = if self.switches.deepen { depth.min(1) } else { depth };
        first..=depth
    }

    /// Whether iterative deepening can run the algorithm; the others grow their tree by
    /// themselves.
    pub fn can_deepen(&self) -> bool {
        self.can_deepen
    }

    /// Searches a game to each depth in turn, as long as `goes_on` says so after an iteration,
    /// from a table that is kept. It comes back with what this search has found; if there is
    /// none, with a new one.
    pub fn run_kept(
        &self,
        game: &mut dyn GameTree,
        depths: RangeInclusive<u32>,
        limit: Limit<'_>,
        watch: &mut Watch,
        kept: &mut Option<BoundTable>,
        goes_on: &mut dyn FnMut(&Iteration<'_>) -> bool,
    ) -> Outcome {
        game.set_contempt(self.switches.contempt);
        let outcome = match Search::new(game, watch, limit, &self.switches) {
            Ok(mut search) => {
                search.table = kept.take().or(search.table);
                let outcome = self.run_search(&mut search, depths, goes_on);
                *kept = search.table;
                outcome
            }
            Err(reason) => Outcome { stopped: Some(reason), ..Outcome::default() },
        };
        game.set_contempt(0);
        outcome
    }

    /// Searches to each depth in turn.
    fn run_search(
        &self,
        search: &mut Search<'_>,
        depths: RangeInclusive<u32>,
        goes_on: &mut dyn FnMut(&Iteration<'_>) -> bool,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let extra = search.game.extra_plies();
        for depth in depths {
            search.depth = if depth > 0 { depth + extra } else { 0 };
            let result = self.iterate_in_zugzwang(search);
            search.rewind();
            match result {
                Ok(answer) => {
                    search.earlier_value = search.last_value.replace(answer.value);
                    let deepest = search.deepest.max(answer.line.len()) as u32;
                    let iteration =
                        Iteration { depth, deepest, answer: &answer, counts: &search.watch.counts };
                    let goes_on = goes_on(&iteration);
                    if matches!(answer.proof, Proof::Estimate | Proof::Chance | Proof::Open) {
                        outcome.stopped = search.limit.reason();
                    }
                    outcome.answer = Some(answer);
                    outcome.completed_depth = self.can_deepen().then_some(depth);
                    if !goes_on {
                        break;
                    }
                }
                Err(reason) => {
                    outcome.stopped = Some(reason);
                    break;
                }
            }
        }
        let line = outcome.answer.as_ref().map_or(0, |answer| answer.line.len());
        outcome.deepest = search.deepest.max(line) as u32;
        outcome.memory_peak = search.limit.memory_peak();
        outcome
    }

    /// Searches to one depth. If the root is tested for zugzwang and a pass is better than
    /// the answer, searches again without null moves.
    fn iterate_in_zugzwang(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let answer = self.iterate(s, self.window)?;
        let null = s.switches.selection.null;
        let is_tested = null.zugzwang && null.is_on() && s.depth > 0 && s.game.end().is_none();
        if !is_tested || !s.game.pass() {
            return Ok(answer);
        }
        s.depth -= 1;
        let pass = self.iterate(s, (-INFINITE, INFINITE));
        s.rewind();
        s.game.undo();
        s.depth += 1;
        // A limit that ends the test leaves the answer as it is.
        if pass.map_or(true, |pass| -pass.value <= answer.value) {
            return Ok(answer);
        }
        s.forget_null_moves();
        self.iterate(s, self.window)
    }

    /// Searches to one depth, with a window around the last value first if that is switched
    /// on. A side of the window that fails is opened.
    fn iterate(&self, s: &mut Search<'_>, (least, greatest): (i32, i32)) -> Searched<Answer> {
        let width = self.switches.aspiration;
        let centre = s.last_value.filter(|_| width > 0);
        s.window = match centre {
            Some(centre) => ((centre - width).max(least), (centre + width).min(greatest)),
            None => (least, greatest),
        };
        loop {
            let answer = self.algorithm.search(s)?;
            let (alpha, beta) = s.window;
            if answer.value <= alpha && alpha > least {
                s.window.0 = least;
            } else if answer.value >= beta && beta < greatest {
                s.window.1 = greatest;
            } else {
                return Ok(answer);
            }
        }
    }
}

#[cfg(test)]
mod tests;
