//! King and pawn against king, solved.
//!
//! Whether the pawn queens is a matter of single tempi, which no sum of terms
//! can see. But there are only two hundred thousand such positions, and all of
//! them are worked out at first use: backwards from the promotions, each round
//! adding the wins that are a move longer, until a round adds nothing. Stockfish
//! has had such a bitbase (`bitbase.cpp`) since Glaurung.
//!
//! Here the bare king is not one square but a set of them. For each pawn, king
//! beside it and side to move, one [`Bitboard`] holds all squares where the bare
//! king is lost; where it can flee to is that set shifted in eight directions.
//! So sixty-four positions are solved at once, and the whole table, 24 KiB, takes
//! less than a millisecond.
//!
//! Within the table the pawn is White's and stands on the files a to d; other
//! positions are turned and mirrored. A promotion counts as won if the new queen,
//! or rook, can neither be taken at once nor stalemates.

use std::sync::LazyLock;

use crate::chess::{Bitboard, Color, File, Piece, Rank, Square, State, attacks};

/// Whether `pawn`, one of `strong`, wins if it and the kings are alone on the
/// board. Exact for every legal position.
#[inline]
pub(in crate::eval) fn is_won(state: &State, strong: Color, pawn: Square) -> bool {
    let turn = if strong == Color::White { 0 } else { 56 };
    let mirror = if pawn.file() > File::D { 7 } else { 0 };
    let [pawn, king, bare_king] = [pawn, state.king(strong), state.king(!strong)]
        .map(|square| Square::new(square.index() as u8 ^ turn ^ mirror));
    let to_move = state.side_to_move() == strong;
    let lost = if to_move { &TABLE.pawn_to_move } else { &TABLE.king_to_move };
    lost[slot(pawn)][king.index()].contains(bare_king)
}

/// Pawns on four files and six ranks.
const PAWNS: usize = 24;

/// Where the bare king is lost, by the pawn's slot and the square of the king
/// beside it. No illegal position is in any set.
type LostKings = [[Bitboard; Square::COUNT]; PAWNS];

fn slot(pawn: Square) -> usize {
    4 * (pawn.rank().index() - 1) + pawn.file().index()
}

static TABLE: LazyLock<KpkTable> = LazyLock::new(KpkTable::solve);

struct KpkTable {
    pawn_to_move: LostKings,
    king_to_move: LostKings,
}

impl KpkTable {
    fn solve() -> Self {
        let nowhere = [[Bitboard::EMPTY; Square::COUNT]; PAWNS];
        let mut table = Self { pawn_to_move: nowhere, king_to_move: nowhere };
        // From the seventh rank down: a pawn's steps lead to what is solved.
        for rank in Rank::ALL[1..7].iter().rev() {
            for file in &File::ALL[..4] {
                while table.improve(Square::at(*file, *rank)) {}
            }
        }
        table
    }

    /// Adds the wins of one pawn that are a move longer than those known, or
    /// more. Whether there were any.
    fn improve(&mut self, pawn: Square) -> bool {
        let mut found = false;
        for king in Square::all().filter(|&king| king != pawn) {
            let won = self.after_white(pawn, king);
            let lost = after_black(pawn, king, won);
            self.pawn_to_move[slot(pawn)][king.index()] = won;
            let known = &mut self.king_to_move[slot(pawn)][king.index()];
            found |= *known != lost;
            *known = lost;
        }
        found
    }

    /// Where the bare king is lost with White to move: some move leads to where
    /// it is lost with Black to move.
    fn after_white(&self, pawn: Square, king: Square) -> Bitboard {
        let king_moves = attacks::king(king).without(pawn.bitboard());
        let lost = king_moves.iter().fold(self.after_push(pawn, king), |lost, king| {
            lost | self.king_to_move[slot(pawn)][king.index()]
        });
        lost & legal(pawn, king).without(attacks::pawn(Color::White, pawn))
    }

    fn after_push(&self, pawn: Square, king: Square) -> Bitboard {
        let step = pawn.forward(Color::White);
        if step == king {
            return Bitboard::EMPTY;
        }
        if step.rank() == Rank::Eighth {
            return promoted(Piece::Queen, step, king) | promoted(Piece::Rook, step, king);
        }
        let single = self.king_to_move[slot(step)][king.index()];
        let jump = step.forward(Color::White);
        if pawn.rank() != Rank::Second || jump == king {
            return single;
        }
        // Nothing jumps over the king.
        single | self.king_to_move[slot(jump)][king.index()].without(step.bitboard())
    }
}

/// Where the bare king is lost with Black to move, if with White to move it is
/// in `won`: it can only move to squares in `won` and has a
/// move or is in check.
fn after_black(pawn: Square, king: Square, won: Bitboard) -> Bitboard {
    let checked = attacks::pawn(Color::White, pawn);
    let free = !(checked | attacks::king(king));
    // An undefended pawn is a free square, and never won.
    legal(pawn, king) & (checked | free.neighbours()).without(free.without(won).neighbours())
}

/// Where the bare king, to move, is lost against a queen or rook that has just
/// appeared on `goal`: it can neither take it nor is it
/// stalemated.
fn promoted(piece: Piece, goal: Square, king: Square) -> Bitboard {
    let checked = attacks::piece(piece, goal, king.bitboard());
    let free = !(checked | attacks::king(king));
    let takes = (free & goal.bitboard()).neighbours();
    legal(goal, king) & (checked | free.neighbours()).without(takes)
}

/// Squares for the bare king that are not taken and not beside the other king.
fn legal(pawn: Square, king: Square) -> Bitboard {
    !attacks::king(king).with(king).with(pawn)
}

#[cfg(test)]
mod tests {
    use super::{is_won, promoted};
    use crate::chess::{Piece, Position, Square, attacks};

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn won(fen: &str) -> bool {
        let position = Position::from_fen(fen).unwrap();
        let pawn = position.pieces(Piece::Pawn).lowest();
        is_won(&position, position.color_on(pawn).unwrap(), pawn)
    }

    #[test]
    fn the_opposition_decides() {
        for (board, pawn_to_move, king_to_move) in [
            ("4k3/8/4K3/4P3/8/8/8/8", true, true),
            ("8/4k3/8/4K3/4P3/8/8/8", false, true),
            ("8/8/4k3/8/4K3/4P3/8/8", false, true),
            ("k7/8/K7/P7/8/8/8/8", false, false),
        ] {
            assert_eq!(won(&format!("{board} w - - 0 1")), pawn_to_move, "{board}");
            assert_eq!(won(&format!("{board} b - - 0 1")), king_to_move, "{board}");
        }
    }

    #[test]
    fn a_rook_wins_where_a_queen_stalemates() {
        let [goal, king, bare_king] = ["c8", "c6", "a7"].map(square);
        assert!(!promoted(Piece::Queen, goal, king).contains(bare_king));
        assert!(promoted(Piece::Rook, goal, king).contains(bare_king));
        assert!(won("8/k1P5/2K5/8/8/8/8/8 w - - 0 1"));
    }

    #[test]
    fn an_undefended_queen_is_taken() {
        let queens = promoted(Piece::Queen, square("c8"), square("f6"));
        assert!(!queens.intersects(attacks::king(square("c8"))));
        assert!(queens.contains(square("a7")));
        assert!(!won("8/1kP5/8/5K2/8/8/8/8 w - - 0 1"));
    }
}
