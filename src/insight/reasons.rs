//! Why a move is good or bad: the claims that explain it, the most important first.
//!
//! In this order: a draw, a perpetual check, a mate, a trade into a pawn ending, otherwise material
//! along the line with the motif that wins it, a promotion, and then, for experts, features and
//! groups of terms at the ends of the lines. A late mate that a move allows is named only if
//! material, a pawn ending and a promotion say nothing, and so is what falls soon but is even
//! later in the lines, or else the queen or rook that the next move attacks. No term is named
//! beside a draw, a mate or a pawn ending, or where the search knows much that the static
//! evaluation does not.
//!
//! Of a move that is no fault: a mate, or the material that it wins, the threat that it meets and,
//! if it is the best one, why the second best is a mistake.

mod material;
mod pawn_ending;
mod terms;

use serde::Serialize;

use crate::chess::{Color, DrawKind, Move, Position, Square, State};
use crate::insight::balance::{PromotedPawn, balance, decided, near, promotions};
use crate::insight::claim::{Claim, Fact, LineName};
use crate::insight::exchange::attacks_from;
use crate::insight::line::Line;
use crate::insight::motif::{Motif, MotifKind, motifs};
use crate::insight::perpetual::PerpetualCheck;
use crate::insight::study::{StudiedLine, Study};

/// The reasons of a move at most.
const MAX_REASONS: u32 = 3;
/// The points by which the material of two lines must differ to be a reason, …
const LEAST_POINTS: i32 = 1;
/// … and the centipawns of the loss for each of these points, at least: otherwise the search
/// does not count on the material.
const CENTIPAWNS_A_POINT: i32 = 40;
/// The expected score from which a draw is a loss: an inaccuracy.
const WORTH_MORE_THAN_DRAW: f64 = 0.55;
/// The plies in which a perpetual check begins that a move allows or misses.
const PERPETUAL_PLIES: usize = 12;

/// The moves of a mate that a move allows, at most, if it is a reason before material.
const NEAR_MATE: usize = 5;
/// The plies from the move that shows a motif to the move that collects, at most: a lure, its
/// capture, an attack, an answer, and the capture.
const MOTIF_PLIES: usize = 4;

/// Why nothing is said of the ends of the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Silence {
    /// One of the lines ends with a mate or another certain result.
    Decided,
    /// The lines differ most by what the static evaluation does not see, or the best one is too
    /// short to be compared.
    Residual,
    /// The fault was not found again with more nodes.
    Unconfirmed,
}

/// What explains a move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reasons {
    /// Reasons and their details, the most important first.
    pub claims: Vec<Claim>,
    pub silence: Option<Silence>,
}

/// The reasons of a study: why the move to explain is a fault, or why the best move is good.
pub fn reasons(study: &Study) -> Reasons {
    let mut finder = Finder { study, reasons: Reasons::default(), rank: 0 };
    match study.played() {
        Some(played) if study.fault().is_some() => finder.compare(LineName::Played, played),
        Some(played) => finder.explain_good(LineName::Played, played),
        None => finder.explain_good(LineName::Best, &study.best),
    }
    if study.confirmed == Some(false) {
        finder.reasons.silence = Some(Silence::Unconfirmed);
    }
    finder.reasons
}

struct Finder<'a> {
    study: &'a Study,
    reasons: Reasons,
    /// The rank of the last reason.
    rank: u32,
}

impl Finder<'_> {
    fn position(&self) -> &Position {
        &self.study.position
    }

    /// The side to move, whose move is explained.
    fn mover(&self) -> Color {
        self.position().side_to_move()
    }

    fn has_room(&self) -> bool {
        self.rank < MAX_REASONS
    }

    /// Adds the next reason.
    fn add(&mut self, line: LineName, fact: Fact) {
        self.rank += 1;
        self.detail(line, fact);
    }

    /// Adds a detail of the last reason.
    fn detail(&mut self, line: LineName, fact: Fact) {
        self.reasons.claims.push(Claim { line, rank: self.rank, fact });
    }

    /// Explains a move that is no fault.
    fn explain_good(&mut self, name: LineName, good: &StudiedLine) {
        let mover = self.mover();
        let is_forced = self.position().legal_moves().len() == 1;
        if is_forced {
            self.add(name, Fact::Forced);
        }
        for side in [mover, !mover] {
            if let Some(fact) = mate(&good.line, side) {
                self.mate(name, &good.line, side, fact);
                return;
            }
        }
        if is_forced {
            return;
        }
        let points = balance(&near(&good.line), mover).points();
        if points >= LEAST_POINTS && good.searched.score.cp() >= CENTIPAWNS_A_POINT * points {
            self.material(name, &good.line, near(&good.line), None);
        }
        self.threat_met(name);
        if let Some(second) = self.study.second() {
            let level = self.study.level;
            let loss = level.loss(&good.searched, &second.searched);
            if loss >= level.thresholds().mistake && self.has_room() {
                self.compare(LineName::Second, second);
            }
        }
    }

    /// Explains why a line is worse than the best one.
    fn compare(&mut self, name: LineName, worse: &StudiedLine) {
        let (best, mover) = (&self.study.best, self.mover());
        // A late mate is the end of what material or a promotion decides.
        let mut mated = mate(&worse.line, !mover);
        let late =
            mated.take_if(|mate| matches!(mate, Fact::Mates { moves, .. } if *moves > NEAR_MATE));
        let missed = mate(&best.line, mover).filter(|_| mate(&worse.line, mover).is_none());
        let is_mate = mated.is_some() || missed.is_some();
        let draw = drawn_at_once(self.position(), worse);
        let perpetual = match (draw, &missed) {
            (None, None) => self.perpetual_check(name, worse),
            _ => None,
        };
        let is_certain = is_mate || draw.is_some() || perpetual.is_some();
        let trade = if is_certain { None } else { self.pawn_ending(worse) };
        let is_decided = is_certain || trade.is_some();
        if let Some(how) = draw.filter(|_| self.is_worth_more_than_draw()) {
            self.add(name, Fact::Draws { ply: 0, how });
        }
        if let Some((line, perpetual)) = perpetual {
            self.add(line, Fact::PerpetualCheck(perpetual));
            if line == LineName::Best && mate(&worse.line, !mover).is_none() {
                self.material_lost_instead(name, worse);
            }
        }
        let told = self.rank;
        let is_mated = mated.is_some();
        if let Some(fact) = mated {
            self.mate(name, &worse.line, !mover, fact);
        }
        if let Some(fact) = missed {
            self.add(LineName::Best, fact);
            if !is_mated {
                self.material_lost_instead(name, worse);
            }
        }
        if let Some(fact) = trade {
            self.add(name, fact);
        }
        if !is_decided {
            self.compare_material(name, worse);
        }
        if self.has_room() && !is_mate {
            self.promotion(name, worse);
        }
        if let Some(fact) = late.filter(|_| self.rank == told) {
            self.mate(name, &worse.line, !mover, fact);
        }
        if let Some(loss) = self.large_loss(worse)
            && !is_decided
            && self.rank == 0
            && name == LineName::Played
        {
            self.material_soon(name, worse, loss);
            if self.rank == 0 {
                self.attack(name, worse);
            }
        }
        self.compare_terms(name, worse, is_decided);
    }

    /// The perpetual check that a move allows although the best one is worth more, or that the
    /// best move gives, with its line.
    fn perpetual_check(
        &self,
        name: LineName,
        worse: &StudiedLine,
    ) -> Option<(LineName, PerpetualCheck)> {
        let near = |studied: &StudiedLine| {
            studied.perpetual.filter(|check: &PerpetualCheck| check.ply < PERPETUAL_PLIES)
        };
        let allowed = near(worse).filter(|_| self.is_worth_more_than_draw());
        let missed = || near(&self.study.best).filter(|check| check.by == self.mover());
        allowed.map(|check| (name, check)).or_else(|| Some((LineName::Best, missed()?)))
    }

    /// The centipawns by which a line is worse than the best one, if they are a pawn or more and no
    /// score is certain.
    fn large_loss(&self, worse: &StudiedLine) -> Option<i32> {
        let scores = [&self.study.best, worse].map(|studied| studied.searched.score);
        let loss = scores[0].cp() - scores[1].cp();
        (loss >= 100 && !scores.iter().any(|score| score.is_decisive())).then_some(loss)
    }

    fn is_worth_more_than_draw(&self) -> bool {
        self.study.level.expected(&self.study.best.searched) >= WORTH_MORE_THAN_DRAW
    }

    /// Adds a mate by `winner` at the end of a line, and its motif.
    fn mate(&mut self, name: LineName, line: &Line, winner: Color, fact: Fact) {
        self.add(name, fact);
        let last = line.moves().len() - 1;
        let motif = motif_of(line, winner, last, line.moves()[last].to())
            .or_else(|| first_motif(line, winner));
        if let Some(motif) = motif {
            self.detail(name, Fact::Motif(motif));
        }
    }

    /// The first pawn of the other side that promotes in a line.
    fn allowed_promotion(&self, line: &Line) -> Option<PromotedPawn> {
        promotions(line).into_iter().find(|pawn| pawn.color != self.mover())
    }

    fn best_stops_promotion(&self) -> bool {
        self.allowed_promotion(&self.study.best.line).is_none()
    }

    fn promotion(&mut self, name: LineName, worse: &StudiedLine) {
        let is_told = self.reasons.claims.iter().any(
            |claim| matches!(&claim.fact, Fact::Material { balance, .. } if !balance.allowed.is_empty()),
        );
        let mover_promotes = promotions(&worse.line).iter().any(|pawn| pawn.color == self.mover());
        if let Some(pawn) = self.allowed_promotion(&worse.line)
            && (self.rank == 0 || pawn.ply < near(&worse.line).moves().len())
            && self.best_stops_promotion()
            && !is_told
            && !mover_promotes
        {
            self.add(name, Fact::Promotes(pawn));
        }
    }

    /// Adds the threat that a move meets.
    fn threat_met(&mut self, name: LineName) {
        let Some(threat) = &self.study.threat else { return };
        let met = match name {
            LineName::Played => threat.met_by_other,
            _ => threat.met_by_best,
        };
        let Some(how) = met.filter(|_| self.has_room()) else { return };
        let side = threat.line.attacker();
        let mates = mate(&threat.line, side).is_some();
        let line = if mates { threat.line.clone() } else { decided(&near(&threat.line), side) };
        let (plies, balance) = (line.moves().len(), balance(&line, side));
        self.add(LineName::Threat, Fact::Threatens { plies, balance, mates });
        self.detail(name, Fact::Meets { how });
    }
}

/// Whether a line ends with checkmate by a side.
fn mate(line: &Line, by: Color) -> Option<Fact> {
    let end = line.end();
    let mates = end.is_checkmate() && end.side_to_move() != by && !line.moves().is_empty();
    let plies = line.moves().len();
    let moves = if line.attacker() == by { plies.div_ceil(2) } else { plies / 2 };
    mates.then_some(Fact::Mates { by, moves })
}

/// The motifs of a side in a line.
fn motifs_of(line: &Line, winner: Color) -> Vec<Motif> {
    if winner == line.attacker() {
        return motifs(line);
    }
    let of_answer = motifs(&line.suffix(1)).into_iter();
    of_answer.map(|motif| Motif { ply: motif.ply + 1, ..motif }).collect()
}

/// The motif by which `winner` reaches the move of ply `end` to `square`, where a piece is taken
/// or a king mated: the first one that is about that square, otherwise the first. A lure comes after
/// the motif that it prepares.
fn motif_of(line: &Line, winner: Color, end: usize, square: Square) -> Option<Motif> {
    let is_reason = |motif: &Motif| {
        let plies = motif.ply..=motif.ply + MOTIF_PLIES;
        let state = &line.states()[motif.ply + 1];
        plies.contains(&end)
            && match motif.kind {
                MotifKind::Pin => concerns(state, &motif.targets, square),
                // It may fall where it fled to.
                MotifKind::TrappedPiece => {
                    let flight = line.moves().get(motif.ply + 1);
                    let is_flight = |m: &&Move| motif.targets == [m.from()] && m.to() == square;
                    motif.targets == [square] || flight.filter(is_flight).is_some()
                }
                _ => true,
            }
    };
    let reasons: Vec<Motif> = motifs_of(line, winner).into_iter().filter(is_reason).collect();
    let mut about = reasons.iter().filter(|motif| motif.is_about(square));
    let prepared = about.clone().find(|motif| motif.kind != MotifKind::Attraction);
    prepared.or_else(|| about.next()).or(reasons.first()).cloned()
}

/// The first motif by which `winner` wins anything.
fn first_motif(line: &Line, winner: Color) -> Option<Motif> {
    motifs_of(line, winner).into_iter().next()
}

/// Whether a pinned piece stands on a square or would guard it.
fn concerns(state: &State, pinned: &[Square], square: Square) -> bool {
    pinned.iter().any(|&pinned| pinned == square || attacks_from(state, pinned).contains(square))
}

/// How the game is drawn after the first move of a line.
fn drawn_at_once(position: &Position, line: &StudiedLine) -> Option<DrawKind> {
    let mut next = position.clone();
    next.make(line.first()?);
    DrawKind::of(&next)
}
