//! Legal move generation.
//!
//! The [`State`] holds pins and checkers, so that only legal moves are generated: a piece's
//! targets are masked with the squares that answer a check and, if it is pinned, with the
//! line of the pin (Chess Programming Wiki, "Checks and Pinned Pieces (Bitboards)"). The
//! moves go to a `Sink`: a list stores them, a counter counts the bits of their targets,
//! which makes the last ply of a perft cheap.
//!
//! Noisy moves (captures and promotions) and quiet moves partition the legal
//! moves. In check both together are the evasions.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::CastlingSide;
use crate::chess::moves::{Move, MoveKind, MoveList};
use crate::chess::piece::Piece;
use crate::chess::position::State;
use crate::chess::square::{Rank, Square};

/// Appends all legal moves.
pub fn generate_legal(state: &State, moves: &mut MoveList) {
    generate::<true, true, _>(state, moves);
}

/// Appends the legal captures and promotions.
pub fn generate_noisy(state: &State, moves: &mut MoveList) {
    generate::<true, false, _>(state, moves);
}

/// Appends the legal moves that are neither captures nor promotions.
#[inline]
pub fn generate_quiets(state: &State, moves: &mut MoveList) {
    generate::<false, true, _>(state, moves);
}

/// Appends the quiet moves with which the moved piece itself gives check.
pub fn generate_direct_quiet_checks(state: &State, moves: &mut MoveList) {
    let checking = state.checking_squares();
    generate::<false, true, _>(state, &mut DirectChecks { state, checking, moves });
}

/// The number of legal moves.
pub fn count_legal(state: &State) -> usize {
    let mut counter = MoveCounter(0);
    generate::<true, true, _>(state, &mut counter);
    counter.0 as usize
}

fn has_legal_move(state: &State) -> bool {
    count_legal(state) != 0
}

impl State {
    /// All legal moves.
    ///
    /// ```
    /// assert_eq!(lovec::chess::Position::startpos().legal_moves().len(), 20);
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        generate_legal(self, &mut moves);
        moves
    }

    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !has_legal_move(self)
    }

    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !has_legal_move(self)
    }
}

/// Where generated moves go.
trait Sink {
    /// Moves of one piece to several squares, captures where `enemies` stand.
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard);
    /// One pawn move to each target, from the square `delta` before it.
    fn pawns(&mut self, targets: Bitboard, delta: i8, kind: MoveKind);
    /// The four promotions on each target.
    fn promotions(&mut self, targets: Bitboard, delta: i8, capture: bool);
    fn single(&mut self, m: Move);
}

impl Sink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        for to in targets & enemies {
            self.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in targets.without(enemies) {
            self.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, delta: i8, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(origin(to, delta), to, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, delta: i8, capture: bool) {
        for to in targets {
            for piece in Piece::PROMOTIONS {
                let kind = MoveKind::promotion(piece, capture);
                self.push(Move::new(origin(to, delta), to, kind));
            }
        }
    }

    #[inline]
    fn single(&mut self, m: Move) {
        self.push(m);
    }
}

struct MoveCounter(u32);

impl Sink for MoveCounter {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 += targets.len();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += targets.len();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.0 += 4 * targets.len();
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Stores the moves to squares from which the moved piece attacks the king.
struct DirectChecks<'a> {
    state: &'a State,
    checking: [Bitboard; Piece::COUNT],
    moves: &'a mut MoveList,
}

impl Sink for DirectChecks<'_> {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        let checking = self.checking[self.state.piece_on_occupied(from).index()];
        self.moves.piece(from, targets & checking, enemies);
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, delta: i8, kind: MoveKind) {
        self.moves.pawns(targets & self.checking[Piece::Pawn.index()], delta, kind);
    }

    /// Promotions and en passant are not quiet; in castling the rook gives check.
    fn promotions(&mut self, _: Bitboard, _: i8, _: bool) {}

    fn single(&mut self, _: Move) {}
}

#[inline]
fn origin(to: Square, delta: i8) -> Square {
    Square::new((to.index() as i8 - delta) as u8)
}

/// Generates noisy moves, quiet moves, or both.
#[inline]
fn generate<const NOISY: bool, const QUIET: bool, S: Sink>(state: &State, sink: &mut S) {
    if !state.checkers().more_than_one() {
        let mask = state.check_mask();
        pawns::<NOISY, QUIET, S>(state, mask, sink);
        pieces::<NOISY, QUIET, S>(state, mask, sink);
    }
    king::<NOISY, QUIET, S>(state, sink);
    if QUIET && !state.in_check() && state.castling().any(state.side_to_move()) {
        castling(state, sink);
    }
}

/// The destinations of moves of the wanted kinds.
#[inline]
fn wanted<const NOISY: bool, const QUIET: bool>(state: &State) -> Bitboard {
    match (NOISY, QUIET) {
        (true, true) => !state.color(state.side_to_move()),
        (true, false) => state.color(!state.side_to_move()),
        _ => !state.occupied(),
    }
}

#[inline]
fn pieces<const NOISY: bool, const QUIET: bool, S: Sink>(
    state: &State,
    mask: Bitboard,
    sink: &mut S,
) {
    let us = state.side_to_move();
    let (ours, enemies, occupied) = (state.color(us), state.color(!us), state.occupied());
    let targets = wanted::<NOISY, QUIET>(state) & mask;
    let pinned = state.pinned();
    let free = ours.without(pinned);
    let queens = state.pieces(Piece::Queen);
    let diagonal = state.pieces(Piece::Bishop) | queens;
    let straight = state.pieces(Piece::Rook) | queens;

    for from in state.pieces(Piece::Knight) & free {
        sink.piece(from, attacks::knight(from) & targets, enemies);
    }
    for from in state.pieces(Piece::Bishop) & free {
        sink.piece(from, attacks::bishop(from, occupied) & targets, enemies);
    }
    for from in state.pieces(Piece::Rook) & free {
        sink.piece(from, attacks::rook(from, occupied) & targets, enemies);
    }
    for from in queens & free {
        sink.piece(from, attacks::queen(from, occupied) & targets, enemies);
    }
    // A pinned slider stays on the line to its king; a pinned knight stays.
    let king = state.king(us);
    for from in pinned & (diagonal | straight) {
        let mut reach = Bitboard::EMPTY;
        if diagonal.contains(from) {
            reach |= attacks::bishop(from, occupied);
        }
        if straight.contains(from) {
            reach |= attacks::rook(from, occupied);
        }
        sink.piece(from, reach & attacks::line(king, from) & targets, enemies);
    }
}

#[inline]
fn pawns<const NOISY: bool, const QUIET: bool, S: Sink>(
    state: &State,
    mask: Bitboard,
    sink: &mut S,
) {
    let us = state.side_to_move();
    let pawns = state.colored(us, Piece::Pawn);
    pawn_set::<NOISY, QUIET, S>(state, pawns.without(state.pinned()), mask, sink);
    for pawn in pawns & state.pinned() {
        let line = attacks::line(state.king(us), pawn);
        pawn_set::<NOISY, QUIET, S>(state, pawn.bitboard(), mask & line, sink);
    }
    if NOISY && let Some(to) = state.en_passant() {
        for from in state.en_passant_capturers(to) {
            if state.en_passant_is_safe(us, from, to) {
                sink.single(Move::new(from, to, MoveKind::EnPassant));
            }
        }
    }
}

/// All moves of a set of pawns at once, en passant aside.
#[inline]
fn pawn_set<const NOISY: bool, const QUIET: bool, S: Sink>(
    state: &State,
    pawns: Bitboard,
    mask: Bitboard,
    sink: &mut S,
) {
    let us = state.side_to_move();
    let delta = 8 * us.sign() as i8;
    let empty = !state.occupied();
    let last = us.relative_rank(Rank::Eighth).bitboard();
    let third = us.relative_rank(Rank::Third).bitboard();

    let push = pawns.forward(us) & empty;
    if QUIET {
        let double = (push & third).forward(us) & empty;
        sink.pawns((push & mask).without(last), delta, MoveKind::Quiet);
        sink.pawns(double & mask, 2 * delta, MoveKind::DoublePush);
    }
    if NOISY {
        let enemies = state.color(!us) & mask;
        let east = pawns.forward(us).east() & enemies;
        let west = pawns.forward(us).west() & enemies;
        sink.pawns(east.without(last), delta + 1, MoveKind::Capture);
        sink.pawns(west.without(last), delta - 1, MoveKind::Capture);
        if (push & mask | east | west).intersects(last) {
            sink.promotions(push & mask & last, delta, false);
            sink.promotions(east & last, delta + 1, true);
            sink.promotions(west & last, delta - 1, true);
        }
    }
}

#[inline]
fn king<const NOISY: bool, const QUIET: bool, S: Sink>(state: &State, sink: &mut S) {
    let us = state.side_to_move();
    let from = state.king(us);
    let candidates = attacks::king(from) & wanted::<NOISY, QUIET>(state);
    if candidates.is_empty() {
        return;
    }
    let enemies = state.color(!us);
    let queens = state.pieces(Piece::Queen);
    let knights = state.pieces(Piece::Knight) & enemies;
    let straight = (state.pieces(Piece::Rook) | queens) & enemies;
    let diagonal = (state.pieces(Piece::Bishop) | queens) & enemies;
    // The king does not block attacks on its destination.
    let occupied = state.occupied() ^ from.bitboard();
    let pawns_or_king =
        state.colored(!us, Piece::Pawn).pawn_attacks(!us) | attacks::king(state.king(!us));

    let mut targets = Bitboard::EMPTY;
    for to in candidates.without(pawns_or_king) {
        let attackers = attacks::knight(to) & knights
            | attacks::rook(to, occupied) & straight
            | attacks::bishop(to, occupied) & diagonal;
        if attackers.is_empty() {
            targets |= to.bitboard();
        }
    }
    sink.piece(from, targets, enemies);
}

fn castling<S: Sink>(state: &State, sink: &mut S) {
    let king = state.king(state.side_to_move());
    for rook in CastlingSide::ALL.into_iter().filter_map(|side| state.castling_rook(side)) {
        sink.single(Move::new(king, rook, MoveKind::Castle));
    }
}
