//! The trade into a pawn ending as a reason.

use crate::chess::{Color, Piece, State};
use crate::insight::balance::{balance, promotions};
use crate::insight::claim::Fact;
use crate::insight::line::Line;
use crate::insight::reasons::{Finder, LEAST_POINTS};
use crate::insight::study::StudiedLine;

/// The first plies of a line, in which a trade of the last pieces is a reason.
const TRADE_PLIES: usize = 6;

impl Finder<'_> {
    /// The trade of the last pieces, if no material is lost before it, no pawn promotes soon and
    /// there is no other reason.
    pub(super) fn pawn_ending(&self, worse: &StudiedLine) -> Option<Fact> {
        let has_pieces = |side: Color| self.position().has_non_pawn_material(side);
        let [by_best, other] = [&self.study.best, worse].map(|studied| first_ply(&studied.line));
        let ply = other.filter(|&ply| ply < TRADE_PLIES)?;
        let is_trade = Color::ALL.into_iter().all(has_pieces);
        let promotes_soon = promotions(&worse.line).iter().any(|pawn| pawn.ply < TRADE_PLIES);
        let lost = -balance(&worse.line.prefix(ply + 1), self.mover()).points();
        let is_reason = is_trade
            && by_best.is_none()
            && lost < LEAST_POINTS
            && !promotes_soon
            && self.rank == 0;
        is_reason.then_some(Fact::PawnEnding { ply })
    }
}

/// The ply of the first move after which only kings and pawns are left, one pawn at least.
fn first_ply(line: &Line) -> Option<usize> {
    let has_pawns = |state: &State| state.is_pawn_ending() && state.pieces(Piece::Pawn).any();
    line.states()[1..].iter().position(has_pawns)
}
