//! Material as a reason.

use crate::chess::{Color, Piece};
use crate::insight::attack::{Attack, new_attack};
use crate::insight::balance::{
    Balance, Capture, NEAR_PLIES, PromotedPawn, balance, captures, collecting_capture, decided,
    decisive_capture, first_capture, is_immediate, is_paid_for, near, promotions, until_quiet,
};
use crate::insight::claim::{Fact, LineName};
use crate::insight::exchange::{keeps_material, material};
use crate::insight::line::Line;
use crate::insight::mark::Fault;
use crate::insight::motif::{Motif, MotifKind};
use crate::insight::natural_capture::answered;
use crate::insight::reasons::{
    CENTIPAWNS_A_POINT, Finder, LEAST_POINTS, MOTIF_PLIES, first_motif, mate, motif_of, motifs_of,
};
use crate::insight::study::StudiedLine;

/// The plies after which the fall of a pawn is far, …
const FAR: usize = 5;
/// … and the centipawns of the loss that make it a reason all the same.
const CENTIPAWNS_OF_FAR_PAWN: i32 = 70;
/// The centipawns of the loss for each point that falls soon and is won back later, at least.
const CENTIPAWNS_A_POINT_SOON: i32 = 80;

impl Finder<'_> {
    /// Adds the material that the best line wins, or that a worse one loses.
    pub(super) fn compare_material(&mut self, name: LineName, worse: &StudiedLine) {
        let (best, mover) = (&self.study.best, self.mover());
        let [kept, lost] = [best, worse].map(|studied| balance(&near(&studied.line), mover));
        let difference = kept.points() - lost.points();
        let loss = best.searched.score.cp() - worse.searched.score.cp();
        let least = if difference == 1 && self.is_far(worse) {
            CENTIPAWNS_OF_FAR_PAWN
        } else {
            CENTIPAWNS_A_POINT * difference
        };
        if difference < LEAST_POINTS || loss < least {
            return;
        }
        // What the best line wins, if its score or, without material that is lost, the loss bears
        // that out, if it is more than what the other one loses and takes, and if that one does not
        // end with a mate.
        let is_lost = self.is_lost(worse, 0);
        let taken = self.takes_as_much(worse, kept.points());
        let behind = 100 * material(self.position(), mover).min(0);
        let bears_out = best.searched.score.cp() - behind >= CENTIPAWNS_A_POINT * kept.points()
            || !is_lost && loss >= 100 * difference;
        let misses = kept.points() >= LEAST_POINTS
            && bears_out
            && name != LineName::Second
            && taken.is_none()
            && mate(&worse.line, !mover).is_none();
        // A loss of the same size is told if it comes soon.
        let more = kept.points() + lost.points();
        let comes_late = || balance(&until_quiet(&worse.line, 4), mover).points() >= 0;
        let is_more = more > 0 || more == 0 && (!is_lost || comes_late());
        if misses && is_more {
            self.material(LineName::Best, &best.line, near(&best.line), None);
        } else if is_lost {
            self.material(name, &worse.line, near(&worse.line), None);
        } else if taken.is_some()
            && lost.points() >= 0
            && (lost != Balance::default() || is_piece(taken) && self.is_grave())
            && self.is_lost(worse, 1)
        {
            self.material(name, &worse.line, near(&worse.line), taken);
        }
    }

    /// Whether the best line and a worse one, which differ by a pawn, have the same material after
    /// their first plies.
    fn is_far(&self, worse: &StudiedLine) -> bool {
        let early = [&self.study.best, worse]
            .map(|studied| balance(&until_quiet(&studied.line, FAR), self.mover()).points());
        early[0] <= early[1]
    }

    /// Whether the mover loses material in a line from the ply `start` on: it does in the near
    /// part, and either the score bears that out or, at the end, the other side keeps it by its
    /// next move, whatever exchanges follow.
    fn is_lost(&self, studied: &StudiedLine, start: usize) -> bool {
        let (line, mover) = (&studied.line, self.mover());
        let points = balance(&near(line).suffix(start), mover).points();
        let before = material(&line.states()[start], mover);
        let bears_out = studied.searched.score.cp() <= 100 * before + CENTIPAWNS_A_POINT * points;
        let is_kept = || keeps_material(line.end(), !mover, -(before + points));
        points <= -LEAST_POINTS && (bears_out || is_kept())
    }

    /// The piece that another move takes, if the best line takes it too, wherever it goes, and
    /// this is no even exchange, or if that wins these points with the captures that follow at
    /// once.
    fn takes_as_much(&self, other: &StudiedLine, points: i32) -> Option<Piece> {
        other.first().filter(|m| !m.is_promotion())?;
        let exchange = captures(&other.line.prefix(2));
        let taken = exchange.first().filter(|taken| taken.ply == 0)?;
        let best = near(&self.study.best.line);
        let is_it =
            |capture: &Capture| best.prefix(capture.ply).origin(capture.square) == taken.square;
        let won = balance(&until_quiet(&other.line, 1), self.mover()).points();
        // A pawn is not as much as a queen.
        let takes_it_too = 2 * taken.piece.points() as i32 >= points
            && !is_paid_for(&exchange, taken)
            && captures(&best).iter().any(is_it);
        (won >= points || takes_it_too).then_some(taken.piece)
    }

    /// Adds what the reply to a move wins at once, or the best move, with the captures that follow,
    /// or else, of a mistake or blunder, what their next moves win, if that is more than a pawn: a
    /// reason also if the lines are even later, where the loss bears it out. `loss` is that of the
    /// move, in centipawns.
    pub(super) fn material_soon(&mut self, name: LineName, worse: &StudiedLine, loss: i32) {
        let (best, mover) = (&self.study.best, self.mover());
        for plies in [1, 3] {
            let best_start = until_quiet(&best.line, plies);
            let worse_start = until_quiet(&worse.line, plies + 1);
            let balances = [&best_start, &worse_start].map(|line| balance(line, mover));
            let [kept, lost] = balances.each_ref().map(Balance::points);
            let difference = kept - lost;
            let falls = if lost < 0 { &balances[1].lost } else { &balances[0].gained };
            let is_more = is_piece(falls.first().copied()) || difference > LEAST_POINTS;
            let is_told = plies == 1 || self.is_grave() && is_more;
            if !is_told || difference < LEAST_POINTS || loss < CENTIPAWNS_A_POINT_SOON * difference
            {
                continue;
            }
            let is_missed = kept >= LEAST_POINTS && 2 * lost <= kept;
            if lost <= -LEAST_POINTS {
                return self.material(name, &worse.line, worse_start, None);
            } else if is_missed && self.takes_as_much(worse, kept).is_none() {
                return self.material(LineName::Best, &best.line, best_start, None);
            }
        }
    }

    /// Whether the move is a mistake or a blunder.
    fn is_grave(&self) -> bool {
        self.study.fault() >= Some(Fault::Mistake)
    }

    /// Adds the queen or rook that the reply to a move attacks, or else the best move and not the
    /// move itself.
    pub(super) fn attack(&mut self, name: LineName, worse: &StudiedLine) {
        let best = &self.study.best.line;
        let is_same = best.moves().get(1) == worse.line.moves().get(1);
        let attack = new_attack(&worse.line, 1).filter(|_| !is_same).map(|attack| (name, attack));
        let is_missed = |attack: &Attack| new_attack(&worse.line, 0).as_ref() != Some(attack);
        let missed = || Some((LineName::Best, new_attack(best, 0).filter(is_missed)?));
        if let Some((line, attack)) = attack.or_else(missed) {
            self.add(line, Fact::Attacks(attack));
        }
    }

    /// Adds the material that a move loses instead of a mate or a perpetual check.
    pub(super) fn material_lost_instead(&mut self, name: LineName, worse: &StudiedLine) {
        let part = near(&worse.line);
        let points = balance(&part, self.mover()).points();
        let bears_out = worse.searched.score.cp() <= CENTIPAWNS_A_POINT * points;
        if bears_out && self.is_lost(worse, 0) {
            self.material(name, &worse.line, part, None);
        }
    }

    /// Adds the material of the first part of a line, how it falls and the motif that wins it.
    /// What is lost only to a pawn that promotes is left to [`Self::promotion`], unless one
    /// promotes after the best move too. The piece that is `taken` by the first move is not
    /// counted.
    pub(super) fn material(
        &mut self,
        name: LineName,
        whole: &Line,
        part: Line,
        taken: Option<Piece>,
    ) {
        let side = self.mover();
        let start = usize::from(taken.is_some());
        let plies = start + decided(&part.suffix(start), side).moves().len();
        let line = &part.prefix(plies);
        let balance = balance(&line.suffix(start), side);
        let points = balance.points();
        let winner = if points > 0 { side } else { !side };
        let won = if winner == side { &balance.gained } else { &balance.lost };
        if won.is_empty() && winner != side && self.best_stops_promotion() {
            return;
        }
        let fall = decisive_capture(line, winner, won);
        // A pawn that falls behind the near plies is certain to no player.
        let is_late_pawn = |fall: &Capture| fall.piece == Piece::Pawn && fall.ply >= NEAR_PLIES;
        if fall.as_ref().is_some_and(is_late_pawn) {
            return;
        }
        self.add(name, Fact::Material { side, plies, balance, points, taken });
        let Some(capture) = fall else {
            let of_winner = |pawn: &PromotedPawn| pawn.color == winner;
            if let Some(pawn) = promotions(line).into_iter().find(of_winner) {
                let PromotedPawn { ply, square: by, .. } = pawn;
                let (kind, targets) = (MotifKind::Promotion, Vec::new());
                self.detail(name, Fact::Motif(Motif { ply, kind, by, targets }));
            }
            return;
        };
        // A pin that is not about the piece says nothing of its fall.
        let other_motif = || first_motif(line, winner).filter(|motif| motif.kind != MotifKind::Pin);
        let end = collecting_capture(line, winner, &capture).unwrap_or(capture);
        let motif = motif_of(line, winner, end.ply, end.square).or_else(other_motif);
        let lure = motif.as_ref().and_then(|motif| lure_before(line, winner, end.ply, motif.ply));
        if let Some(first) = first_capture(line, winner, &end)
            && first != capture
            && ![&lure, &motif].into_iter().flatten().any(|motif| motif.names(first.ply))
        {
            self.detail(name, Fact::Falls(first));
        }
        // Most motifs name the piece that falls; a lure and a promotion do not.
        let names = |motif: &Motif| {
            !matches!(motif.kind, MotifKind::Attraction | MotifKind::Promotion)
                && motif.is_about(end.square)
        };
        let is_named = motif.as_ref().is_some_and(names);
        let is_told = is_named && !is_immediate(line, &end);
        let comes_first = motif.as_ref().is_some_and(|motif| motif.begin() < capture.ply);
        let least = material(line.end(), winner);
        let answered = answered(whole, &capture, least).map(Fact::Answered);
        let falls = [Some(Fact::Falls(capture)), answered].into_iter().flatten();
        let falls: Vec<Fact> = falls.filter(|_| !is_told).collect();
        let motif = Vec::from_iter(motif.map(Fact::Motif));
        let [first, second] = if comes_first { [motif, falls] } else { [falls, motif] };
        let details = lure.map(Fact::Motif).into_iter().chain(first).chain(second);
        details.for_each(|fact| self.detail(name, fact));
    }
}

fn is_piece(piece: Option<Piece>) -> bool {
    piece.is_some_and(|piece| piece != Piece::Pawn)
}

/// The lure to which a side gives material up before a motif of ply `later` wins it at ply `end`.
fn lure_before(line: &Line, winner: Color, end: usize, later: usize) -> Option<Motif> {
    let is_lure = |motif: &Motif| {
        motif.kind == MotifKind::Attraction
            && motif.ply < later
            && motif.ply + MOTIF_PLIES >= end
            && line.moves()[motif.ply].is_capture()
    };
    motifs_of(line, winner).into_iter().find(is_lure)
}
