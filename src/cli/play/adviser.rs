//! What Lovec says about a game that it plays.

use std::sync::Arc;

use anyhow::{Result, bail, ensure};

use crate::chess::{Color, GameResult, Move, Position};
use crate::cli::play::record::{GameRecord, OVER};
use crate::cli::score::pawns;
use crate::eval::Score;
use crate::insight::mark::PlayerLevel;
use crate::insight::reasons::reasons;
use crate::insight::study::Study;
use crate::insight::{Examiner, verdict, words};
use crate::search::{Limits, SearcherError, Stop, Tables};

/// The nodes of each search.
const NODES: u64 = 200_000;
/// The table of the searches, in MiB.
const HASH_MIB: usize = 16;

/// Explains a game.
pub(super) struct Adviser(Examiner);

impl Adviser {
    pub fn new(stop: Arc<Stop>) -> Result<Self, SearcherError> {
        Ok(Self(Examiner::new(HASH_MIB, Tables::default(), stop)?))
    }

    /// The best move, and the first reason for it.
    pub fn hint(&mut self, game: &GameRecord) -> Result<String> {
        let study = self.study(&game.position, None)?;
        let reasons = reasons(&study);
        let name = words::numbered_move(&study.best.line, 0);
        let score = study.best.searched.score * game.position.side_to_move().sign();
        let reason = words::sentences(&study, &reasons).into_iter().next();
        let reason = reason.unwrap_or_else(|| format!("{} for White.", pawns(score)));
        Ok(format!("{name}: {reason}"))
    }

    /// How good the person's last move was, and why.
    pub fn why(&mut self, game: &GameRecord) -> Result<String> {
        let Some((before, m)) = game.last_of_person() else { bail!("you have not moved yet") };
        let study = self.study(&before, Some(m))?;
        let reasons = reasons(&study);
        let mut text = verdict(&study);
        for sentence in words::sentences(&study, &reasons) {
            text += &format!("\n  {sentence}");
        }
        Ok(text)
    }

    /// Who stands better.
    pub fn eval(&mut self, game: &GameRecord) -> Result<String> {
        let side = game.position.side_to_move();
        let study = self.study(&game.position, None)?;
        let white = study.best.searched.score * side.sign();
        if let Some(moves) = white.mate_distance_moves() {
            let winner = if moves > 0 { Color::White } else { Color::Black };
            return Ok(format!("{} mates in {}.", winner.name(), moves.abs()));
        }
        let expected = study.level.expected(&study.best.searched);
        let expected = if side == Color::White { expected } else { 1.0 - expected };
        Ok(format!("{} for White, {:.0} % of the points", pawns(white), 100.0 * expected))
    }

    /// The score of the person, whose turn it is.
    pub fn score(&mut self, game: &GameRecord) -> Result<Score> {
        Ok(self.study(&game.position, None)?.best.searched.score)
    }

    fn study(&mut self, position: &Position, played: Option<Move>) -> Result<Study> {
        ensure!(played.is_some() || GameResult::by_rule(position).is_none(), OVER);
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let study = Study::new(&mut self.0, position, played, &limits, PlayerLevel::default());
        ensure!(!self.0.is_stopped(), "interrupted");
        Ok(study)
    }
}
