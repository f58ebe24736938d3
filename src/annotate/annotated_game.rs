//! An annotated game as data: what the PGN, the report in JSON and the page are made of.
//!
//! Scores and probabilities are from White's side, expected scores and losses from the side
//! of the player. Expected scores run from 0 for a loss to 1 for a win.

use serde::{Serialize, Serializer};

use crate::annotate::player::PlayerSummary;
use crate::book::OpeningName;
use crate::chess::notation::pgn::{MoveNumber, PgnTag, result};
use crate::chess::notation::written::WrittenLine;
use crate::chess::{Color, GameResult, Move, State};
use crate::eval::{Score, WinDrawLoss};
use crate::insight::mark::{Fault, PlayerLevel};
use crate::insight::motif::MotifKind;

/// Annotated games with how they were searched.
#[derive(Debug, Serialize)]
pub struct AnnotationReport<'a> {
    pub engine: EngineName,
    pub settings: &'a serde_json::Map<String, serde_json::Value>,
    /// Players of several games.
    pub players: Vec<PlayerSummary<'a>>,
    pub games: &'a [AnnotatedGame],
}

/// The program.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EngineName {
    pub name: &'static str,
    pub version: &'static str,
}

impl EngineName {
    /// This program.
    pub const LOVEC: Self = Self { name: "Lovec", version: env!("CARGO_PKG_VERSION") };
}

/// A game.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AnnotatedGame {
    /// Its number in the file, from 1.
    pub number: u64,
    /// In the order of the file.
    pub tags: Vec<PgnTag>,
    /// The FEN of the first position; `None` if it is not known.
    #[serde(rename = "fen")]
    pub start: Option<String>,
    /// Whether castling in the first position can only be written as king takes rook, whatever
    /// the tag says.
    pub chess960: bool,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`: that of the tag, unless mate or stalemate is on the board.
    #[serde(serialize_with = "result_text")]
    pub result: Option<GameResult>,
    /// For whom the game is judged.
    pub level: PlayerLevel,
    /// Why the game cannot be followed to its end.
    pub problem: Option<String>,
    pub opening: Option<GameOpening>,
    /// How it went, in up to three sentences.
    pub story: Vec<String>,
    /// What others wrote before the first move.
    pub comments: Vec<String>,
    pub moves: Vec<AnnotatedMove>,
    /// Without numbers if the moves of the side are not annotated.
    pub white: SideSummary,
    pub black: SideSummary,
    /// The plies of the largest confirmed losses, the largest first; at most five.
    pub key_moments: Vec<usize>,
    /// The ply of the mistake or blunder that decided the game, if one did.
    pub turning_point: Option<usize>,
    /// Possible faults that were searched again.
    pub searched_again: usize,
    /// Of these, how many were no faults.
    pub withdrawn: usize,
    /// Nodes of all searches.
    pub nodes: u64,
}

fn result_text<S: Serializer>(
    result: &Option<GameResult>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    result::text(*result).serialize(serializer)
}

/// The opening of a game.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct GameOpening {
    #[serde(flatten)]
    pub name: &'static OpeningName,
    /// The number of plies to the last position with a name.
    pub plies: usize,
}

/// A move.
#[derive(Clone, Debug, Serialize)]
pub struct AnnotatedMove {
    /// From 1.
    pub ply: usize,
    /// The number of the move and the side: `4.` or `4...`.
    #[serde(rename = "move_number")]
    pub number: MoveNumber,
    pub color: Color,
    pub san: String,
    pub uci: String,
    /// The move; `None` for a pass.
    #[serde(skip)]
    pub played: Option<Move>,
    /// The position before the move.
    #[serde(rename = "fen", serialize_with = "fen")]
    pub state: State,
    pub phase: GamePhase,
    /// Whether the move belongs to the opening that the game is named after.
    #[serde(rename = "book")]
    pub is_book: bool,
    /// The value of the position before the move; `None` if it was not searched.
    pub before: Option<PositionValue>,
    /// The value of the position after the move.
    pub after: Option<PositionValue>,
    /// What the player could expect before the move, and after it.
    pub expected_before: Option<f64>,
    pub expected_after: Option<f64>,
    /// The best line before the move.
    pub best: Option<AnnotatedLine>,
    /// The second best line; `None` if no search has one, or only one that is worth more than
    /// the best line by a longer search.
    pub second: Option<AnnotatedLine>,
    /// Whether the best move is the same by all searches, and the second best a mistake.
    #[serde(skip)]
    pub has_one_solution: bool,
    /// The best play after the move.
    pub reply: Option<AnnotatedLine>,
    /// The expected score that the move loses.
    pub loss: Option<f64>,
    /// The centipawns that it loses, each score held within ten pawns.
    pub loss_cp: Option<i32>,
    pub mark: Option<MoveMark>,
    /// Whether a longer search confirmed a possible fault.
    pub confirmed: Option<bool>,
    pub clock: MoveClock,
    pub tables: Option<TableVerdicts>,
    /// Sentences that explain the mark.
    pub explanation: Vec<String>,
    /// Of a fault.
    pub theme: Option<FaultTheme>,
    /// What others wrote behind the move, without commands.
    pub comments: Vec<String>,
}

fn fen<S: Serializer>(state: &State, serializer: S) -> Result<S::Ok, S::Error> {
    state.fen().serialize(serializer)
}

impl AnnotatedMove {
    /// The position after the move.
    pub fn next_state(&self) -> State {
        let mut state = self.state;
        match self.played {
            Some(m) => state.make(m, &mut ()),
            None => state.make_null(),
        }
        state
    }

    /// The best line, if it begins with another move.
    pub fn better(&self) -> Option<&AnnotatedLine> {
        self.best.as_ref().filter(|best| best.moves.first() != self.played.as_ref())
    }

    /// The fault with which it is marked.
    pub fn fault(&self) -> Option<Fault> {
        match self.mark? {
            MoveMark::Fault(fault) => Some(fault),
            _ => None,
        }
    }

    /// Whether it is a fault before which one move was clearly best.
    pub fn is_exercise(&self) -> bool {
        self.has_one_solution && self.fault().is_some()
    }

    /// The sentences that explain the mark, without the last one of a fault, which names the best
    /// move.
    pub fn reasons(&self) -> &[String] {
        match self.explanation.split_last() {
            Some((_, reasons)) if self.fault().is_some() && self.best.is_some() => reasons,
            _ => &self.explanation,
        }
    }

    /// What the player could expect before and after it: `56 % -> 7 %`.
    pub fn change(&self) -> Option<String> {
        let [before, after] = [self.expected_before?, self.expected_after?].map(percent);
        Some(format!("{before} -> {after}"))
    }

    /// The move with its number and the mark of a fault: `24.Rfd1+??`.
    pub fn with_fault(&self) -> String {
        format!("{}{}{}", self.number, self.san, self.fault().map_or("", Fault::mark))
    }
}

/// The value of a position, from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PositionValue {
    pub white_score: Score,
    /// By engines.
    pub white_wdl: WinDrawLoss,
    /// By players of the level of the game.
    pub white_expected: f64,
    pub depth: u8,
}

impl PositionValue {
    /// What a side can expect.
    pub fn expected_by(self, side: Color) -> f64 {
        if side == Color::White { self.white_expected } else { 1.0 - self.white_expected }
    }
}

/// A line of play.
#[derive(Clone, Debug, Serialize)]
pub struct AnnotatedLine {
    #[serde(skip)]
    pub moves: Vec<Move>,
    #[serde(flatten)]
    pub written: WrittenLine,
    pub white_score: Score,
    /// For the side that begins the line.
    pub expected: f64,
    pub depth: u8,
    /// The plies on which the explanation rests; these are shown at least.
    #[serde(skip)]
    pub cited: usize,
}

/// The part of a game that a move belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GamePhase {
    Opening,
    Middlegame,
    Endgame,
}

/// The mark of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveMark {
    /// The only good move: `!`.
    OnlyMove,
    /// An only move that gives material up and is hard to see: `!!`.
    Sacrifice,
    /// The only legal move.
    Forced,
    #[serde(untagged)]
    Fault(Fault),
}

impl MoveMark {
    /// The numeric annotation glyph of PGN.
    pub fn nag(self) -> u8 {
        match self {
            Self::Fault(fault) => fault.nag(),
            Self::OnlyMove => 1,
            Self::Sacrifice => 3,
            Self::Forced => 7,
        }
    }

    /// What it says in words, if it is praise.
    pub fn praise(self) -> Option<&'static str> {
        match self {
            Self::OnlyMove => Some("The only good move."),
            Self::Sacrifice => Some("A sacrifice, and the only good move."),
            Self::Forced | Self::Fault(_) => None,
        }
    }
}

/// What the first reason of a fault is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultTheme {
    AllowedMate,
    MissedMate,
    /// Material that is lost by no motif.
    Material,
    /// Material that the best move wins, by no motif.
    MissedWin,
    Promotion,
    Draw,
    /// Pawns, the king or the placement of pieces.
    Position,
    /// No single reason is certain.
    Unnamed,
    /// The reply takes a piece that nothing defends.
    HangingPiece,
    /// The motif that wins material.
    #[serde(untagged)]
    Motif(MotifKind),
}

impl FaultTheme {
    /// `back rank mate`, `allowed mate`.
    pub fn words(self) -> String {
        let name = serde_json::to_value(self).ok();
        name.as_ref().and_then(|name| name.as_str()).unwrap_or_default().replace('_', " ")
    }
}

/// The time of a move, in seconds; as data in whole milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MoveClock {
    /// On the clock after the move.
    #[serde(rename = "left_milliseconds", serialize_with = "milliseconds")]
    pub left: Option<f64>,
    #[serde(rename = "used_milliseconds", serialize_with = "milliseconds")]
    pub used: Option<f64>,
    /// Whether the player had less than a tenth of the time of the game before the move.
    #[serde(rename = "trouble")]
    pub is_trouble: bool,
}

fn milliseconds<S: Serializer>(seconds: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    seconds.map(|seconds| (seconds * 1000.0).round() as u64).serialize(serializer)
}

/// What endgame tables say of the positions before and after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TableVerdicts {
    /// For the player.
    pub before: TableVerdict,
    pub after: TableVerdict,
}

/// The result of best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum TableVerdict {
    #[serde(rename = "loss")]
    Lost,
    #[serde(rename = "draw")]
    Drawn,
    #[serde(rename = "win")]
    Won,
}

/// The moves of a side.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SideSummary {
    /// Percent; `None` if no move was searched.
    pub accuracy: Option<f64>,
    #[serde(flatten)]
    pub all: MoveCounts,
    pub opening: MoveCounts,
    pub middlegame: MoveCounts,
    pub endgame: MoveCounts,
    pub time_trouble: MoveCounts,
}

/// A part of the moves of a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MoveCounts {
    /// Moves that were searched.
    pub moves: usize,
    /// The mean loss of a move, in points of 100.
    #[serde(rename = "mean_loss_points")]
    pub mean_loss: Option<f64>,
    /// The mean loss in centipawns.
    pub mean_loss_cp: Option<f64>,
    pub inaccuracies: usize,
    pub mistakes: usize,
    pub blunders: usize,
}

impl AnnotatedGame {
    /// The value of the first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(PgnTag::value)
    }

    /// The sums of a side.
    pub fn side(&self, side: Color) -> &SideSummary {
        if side == Color::White { &self.white } else { &self.black }
    }

    /// The moves of a side.
    pub fn moves_of(&self, side: Color) -> impl Iterator<Item = &AnnotatedMove> + Clone {
        self.moves.iter().filter(move |m| m.color == side)
    }

    /// Whether the moves of a side are annotated.
    pub fn is_annotated(&self, side: Color) -> bool {
        self.side(side).accuracy.is_some()
    }

    /// The faults, in order.
    pub fn faults(&self) -> impl Iterator<Item = (&AnnotatedMove, Fault)> {
        self.moves.iter().filter_map(|m| Some((m, m.fault()?)))
    }

    /// The move at the turning point.
    pub fn turning_move(&self) -> Option<&AnnotatedMove> {
        self.moves.get(self.turning_point?.checked_sub(1)?)
    }
}

/// An expected score in percent: `56 %`.
pub fn percent(expected: f64) -> String {
    format!("{:.0} %", 100.0 * expected)
}

/// A number with four decimals, so that it is the same text on every machine.
pub fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
