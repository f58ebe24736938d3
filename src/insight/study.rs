//! What is known about a move before it is explained: the lines to compare.

use crate::chess::{Move, Position};
use crate::eval::Score;
use crate::insight::breakdown::Breakdown;
use crate::insight::claim::LineName;
use crate::insight::examine::{Examiner, SearchedLine};
use crate::insight::line::Line;
use crate::insight::mark::{Fault, PlayerLevel};
use crate::insight::perpetual::{PerpetualCheck, perpetual_check};
use crate::insight::threat::{self, Threat};
use crate::search::Limits;

/// How many times longer a fault is searched again.
const CONFIRMATION: u32 = 4;

/// The lines of a move and of its alternative.
#[derive(Clone, Debug)]
pub struct Study {
    pub position: Position,
    pub best: StudiedLine,
    /// The line of the move to explain, or, if that is the best move, of the second best.
    pub other: Option<StudiedLine>,
    /// Whether `other` is the move to explain.
    pub is_played: bool,
    pub threat: Option<Threat>,
    pub level: PlayerLevel,
    /// Whether a fault was found again with more nodes; `None` if there was none to confirm.
    pub confirmed: Option<bool>,
    pub nodes: u64,
}

/// A line that is followed to a quiet position.
#[derive(Clone, Debug)]
pub struct StudiedLine {
    pub searched: SearchedLine,
    /// The moves of the search and then, but for a perpetual check, captures until the position
    /// is quiet.
    pub line: Line,
    /// The perpetual check in which a drawn line ends.
    pub perpetual: Option<PerpetualCheck>,
    /// The score by the terms at the end, for the side that moves first; `None` for a mate.
    pub breakdown: Option<Breakdown>,
}

impl StudiedLine {
    /// Follows a line of `position` to its quiet end.
    pub fn new(position: &Position, searched: SearchedLine) -> Self {
        let line = Line::new(position, &searched.moves);
        let is_drawn = searched.score == Score::ZERO;
        let perpetual = if is_drawn { perpetual_check(&line) } else { None };
        let line = if perpetual.is_some() { line } else { line.settled() };
        let breakdown = Breakdown::new(line.end(), searched.score, position.side_to_move());
        Self { searched, line, perpetual, breakdown }
    }

    /// The first move.
    pub fn first(&self) -> Option<Move> {
        self.line.moves().first().copied()
    }
}

impl Study {
    /// Searches the position, the move to explain and the threat, each within the limits. The move
    /// is legal; without one the best one is explained.
    pub fn new(
        examiner: &mut Examiner,
        position: &Position,
        played: Option<Move>,
        limits: &Limits,
        level: PlayerLevel,
    ) -> Self {
        let nodes = examiner.nodes;
        let search = |examiner: &mut Examiner, limits: &Limits| {
            let mut lines = examiner.examine(position, 2, limits).lines.into_iter();
            let best = lines.next().unwrap_or_else(SearchedLine::drawn);
            let played = played.filter(|m| best.moves.first() != Some(m));
            let other = match played {
                Some(m) => Some(examiner.examine_move(position, m, limits)),
                None => lines.next(),
            };
            Self::of_lines(position.clone(), best, other, played.is_some(), level)
        };
        let mut study = search(examiner, limits);
        if study.fault().is_some() && !examiner.is_stopped() {
            let longer = limits.times(CONFIRMATION);
            let again = search(examiner, &longer);
            // What a stopped search leaves is worth less than the lines before it.
            if !examiner.is_stopped() {
                let confirmed = Some(again.fault().is_some());
                study = Self { confirmed, ..again };
            }
        }
        if !examiner.is_stopped() {
            let found = threat::find(examiner, &study, limits);
            study.threat = found.filter(|_| !examiner.is_stopped());
        }
        study.nodes = examiner.nodes - nodes;
        study
    }

    /// The study of lines that are known, without a threat.
    pub fn of_lines(
        position: Position,
        best: SearchedLine,
        other: Option<SearchedLine>,
        is_played: bool,
        level: PlayerLevel,
    ) -> Self {
        let studied = |searched| StudiedLine::new(&position, searched);
        Self {
            best: studied(best),
            other: other.map(studied),
            is_played,
            threat: None,
            level,
            confirmed: None,
            nodes: 0,
            position,
        }
    }

    /// The study of the best lines of a search, with no move to explain and no threat. `None`
    /// without a move.
    pub fn of_search(position: &Position, lines: &[SearchedLine]) -> Option<Self> {
        let best = lines.first().filter(|best| !best.moves.is_empty())?.clone();
        let (position, second) = (position.clone(), lines.get(1).cloned());
        Some(Self::of_lines(position, best, second, false, PlayerLevel::default()))
    }

    /// The expected score that the move to explain loses; 0 for the best move.
    pub fn loss(&self) -> f64 {
        self.played().map_or(0.0, |played| self.level.loss(&self.best.searched, &played.searched))
    }

    /// The line of the move to explain, if that is not the best one.
    pub fn played(&self) -> Option<&StudiedLine> {
        self.other.as_ref().filter(|_| self.is_played)
    }

    /// A line by its name; that of the best move if there is none.
    pub fn line(&self, name: LineName) -> &Line {
        let line = match name {
            LineName::Best => None,
            LineName::Played | LineName::Second => self.other.as_ref().map(|other| &other.line),
            LineName::Threat => self.threat.as_ref().map(|threat| &threat.line),
        };
        line.unwrap_or(&self.best.line)
    }

    /// The line of the second best move, if that of the best one is explained.
    pub fn second(&self) -> Option<&StudiedLine> {
        self.other.as_ref().filter(|_| !self.is_played)
    }

    /// The fault of the move to explain. A fault that was not confirmed is none.
    pub fn fault(&self) -> Option<Fault> {
        self.level.fault(self.loss()).filter(|_| self.confirmed != Some(false))
    }
}
