//! The rules against an independent implementation, over random games.
//!
//! Each game is played on two boards at once, ours and `cozy-chess`'s, from
//! the initial position, from Chess960 positions, and from double Chess960
//! positions, where White and Black have different back ranks. At every node the
//! two must agree on everything that both compute; the rest (keys, repetition, legality of
//! arbitrary moves) must follow from the other board. The seeds are fixed, so that a failure can
//! be reproduced.

mod boards;
mod draws;
mod exchanges;
mod moves;

use cozy_chess::Board;
use lovec::chess::{Color, Move, Piece, Position, Square};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A move of either implementation: origin, destination (castling as king takes rook) and
/// promotion.
type Plain = (usize, usize, Option<usize>);

fn plain(m: Move) -> Plain {
    (m.from().index(), m.to().index(), m.promotion().map(Piece::index))
}

fn their_plain(m: cozy_chess::Move) -> Plain {
    (m.from as usize, m.to as usize, m.promotion.map(|piece| piece as usize))
}

fn their_moves(board: &Board) -> Vec<cozy_chess::Move> {
    let mut moves = Vec::new();
    board.generate_moves(|piece_moves| {
        moves.extend(piece_moves);
        false
    });
    moves
}

fn their_square(square: Square) -> cozy_chess::Square {
    cozy_chess::Square::index(square.index())
}

fn their_piece(piece: Piece) -> cozy_chess::Piece {
    cozy_chess::Piece::index(piece.index())
}

fn their_color(color: Color) -> cozy_chess::Color {
    cozy_chess::Color::index(color.index())
}

/// Where the side to move can legally capture en passant.
fn their_en_passant(board: &Board, moves: &[cozy_chess::Move]) -> Option<usize> {
    let is_capture = |m: &&cozy_chess::Move| {
        board.piece_on(m.from) == Some(cozy_chess::Piece::Pawn)
            && m.from.file() != m.to.file()
            && board.piece_on(m.to).is_none()
    };
    moves.iter().find(is_capture).map(|m| m.to as usize)
}

/// What the repetition rule compares: pieces, side to move, castling rights and a legal
/// en-passant capture.
fn identity(board: &Board) -> String {
    let fen = format!("{board:#}");
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let square = their_en_passant(board, &their_moves(board)).map(|square| square.to_string());
    fields[3] = square.as_deref().unwrap_or("-");
    fields[..4].join(" ")
}

/// A game on both boards.
struct Game {
    ours: Position,
    theirs: Board,
}

#[derive(Clone, Copy, Debug)]
enum Variant {
    Standard,
    Chess960,
    DoubleChess960,
}

impl Game {
    fn start(variant: Variant, rng: &mut StdRng) -> Self {
        let theirs = match variant {
            Variant::Standard => Board::startpos(),
            Variant::Chess960 => Board::chess960_startpos(rng.random_range(0..960)),
            Variant::DoubleChess960 => {
                Board::double_chess960_startpos(rng.random_range(0..960), rng.random_range(0..960))
            }
        };
        Self { ours: Position::from_fen(&format!("{theirs:#}")).unwrap(), theirs }
    }

    /// Plays a random move, with a preference for rare kinds; `false` if there is none.
    fn step(&mut self, rng: &mut StdRng) -> bool {
        let moves = self.ours.legal_moves();
        if moves.is_empty() || self.theirs.halfmove_clock() >= 100 {
            return false;
        }
        let is_rare = |m: &&Move| m.is_castle() || m.is_en_passant() || m.is_promotion();
        let rare: Vec<&Move> = moves.iter().filter(is_rare).collect();
        let m = if !rare.is_empty() && rng.random_range(0..3) == 0 {
            *rare[rng.random_range(0..rare.len())]
        } else {
            moves[rng.random_range(0..moves.len())]
        };
        self.play(m);
        true
    }

    fn play(&mut self, m: Move) {
        let reply =
            their_moves(&self.theirs).into_iter().find(|&other| their_plain(other) == plain(m));
        self.theirs.play(reply.unwrap_or_else(|| panic!("{m:?} in {}", self.theirs)));
        self.ours.make(m);
    }
}

/// Visits every node of many random games of each variant.
fn visit(seed: u64, games: usize, plies: usize, mut check: impl FnMut(&mut Game)) {
    let mut rng = StdRng::seed_from_u64(seed);
    for variant in [Variant::Standard, Variant::Chess960, Variant::DoubleChess960] {
        for _ in 0..games {
            let mut game = Game::start(variant, &mut rng);
            check(&mut game);
            for _ in 0..plies {
                if !game.step(&mut rng) {
                    break;
                }
                check(&mut game);
            }
        }
    }
}
