//! What an algorithm sees of a game, and the games.
//!
//! Values are integers for the side to move. A won game is worth [`WIN`] at its end; the
//! search takes a point off for each ply on the way there ([`at_ply`]), so that quicker
//! wins score more. A game knows no ply.

pub mod any;
pub mod board_chess;
pub mod chess;
pub mod connect4;
pub mod croatian;
pub mod czech;
pub mod evaluation;
pub mod explicit;
pub mod los_alamos;
pub mod mop_up;
pub mod thesis;
pub mod tictactoe;
pub mod tree;

pub use any::AnyGame;
pub use chess::{Chess, Draws};
pub use evaluation::Evaluation;

use crate::chess::Position;
use crate::eval::Score;

/// The value of a won game at its end.
pub const WIN: i32 = Score::MATE.cp();

/// Static values stay below this; values from here on are wins or losses.
pub const DECISIVE: i32 = Score::MAX_EVAL.cp();

/// Outside all values: the open end of a window.
pub const INFINITE: i32 = Score::INFINITE.cp();

/// The value `ply` plies above the place where it was found: a win or a loss loses a point
/// a ply. With a negative `ply` the inverse.
#[inline]
pub fn at_ply(value: i32, ply: i32) -> i32 {
    if value.abs() < DECISIVE || value.abs() >= INFINITE {
        value
    } else {
        value - ply * value.signum()
    }
}

/// A move as a number of the game, which need not tell the position it belongs to. In chess it
/// is [`Move::bits`](crate::chess::Move::bits).
pub type GameMove = u16;

/// What pruning and extensions ask about a move before it is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveFacts {
    /// A capture or a promotion.
    pub is_noisy: bool,
    pub gives_check: bool,
    /// A pawn goes to the seventh rank.
    pub to_seventh: bool,
    /// The origin and the destination, if moves have them.
    pub squares: Option<(u8, u8)>,
}

/// A game of two players with full information, at one of its positions.
///
/// An algorithm that keeps a tree in memory stores moves, not games, and plays them from the
/// root.
pub trait GameTree {
    /// The legal moves in the order of the game. There is at least one unless
    /// [`end`](Self::end) has a value.
    fn moves(&self) -> Vec<GameMove>;

    /// Makes a legal move.
    fn play(&mut self, m: GameMove);

    /// Gives the turn to the other side. Returns false, and does nothing, if that is not
    /// possible.
    fn pass(&mut self) -> bool {
        false
    }

    /// Takes the last move, or pass, back.
    fn undo(&mut self);

    /// The value of a finished game, from [`-WIN`](WIN) to [`WIN`]; `None` while it goes on.
    fn end(&self) -> Option<i32>;

    /// The least value of a win.
    fn least_win(&self) -> i32 {
        DECISIVE
    }

    /// Whether the moves that lead to a position may finish the game there, as by a
    /// repetition, so that its value is no matter of the position alone.
    fn depends_on_path(&self) -> bool {
        false
    }

    /// Whether the game is finished here because of the moves that led here, and not by the
    /// position alone.
    fn is_ended_by_path(&self) -> bool {
        false
    }

    /// The static value, within [`DECISIVE`].
    fn value(&self) -> i32;

    /// The plies that a search from here goes deeper than it is asked to.
    fn extra_plies(&self) -> u32 {
        0
    }

    /// Makes a draw worth this much less than nothing for the side to move here, in this
    /// position and in all that follow. Only chess knows contempt.
    fn set_contempt(&mut self, _: i32) {}

    /// Equal for equal positions with the same side to move and the same value.
    fn key(&self) -> u64;

    /// The reflections and rotations of the board, the identity included, …
    fn reflections(&self) -> u8 {
        1
    }

    /// … and next to them the ones that also exchange the sides: all ways to map a position to
    /// another that may be worth the same. The identity is 0.
    fn images(&self) -> u8 {
        self.reflections()
    }

    /// The key of an image of the position, equal for equal images of any positions; `None`
    /// if the image is not worth the same.
    fn image_key(&self, image: u8) -> Option<u64> {
        (image == 0).then(|| self.key())
    }

    /// A move as it is in an image of the position.
    fn image_move(&self, m: GameMove, _image: u8) -> GameMove {
        m
    }

    /// The legal move of which a move in an image is the image; that move if there is none.
    fn original_move(&self, m: GameMove, image: u8) -> GameMove {
        if image == 0 {
            return m;
        }
        self.moves().into_iter().find(|&it| self.image_move(it, image) == m).unwrap_or(m)
    }

    /// Whether the side to move is MAX. In chess White is MAX.
    fn max_to_move(&self) -> bool;

    /// Whether a move changes the static value so far that a leaf after it is not quiet: a
    /// capture or a promotion.
    fn is_noisy(&self, _: GameMove) -> bool {
        false
    }

    /// A cheap guess of how good a move is: the most valuable victim and the least valuable
    /// attacker in chess, the distance from the centre in Connect-4.
    fn guess(&self, _: GameMove) -> i32 {
        0
    }

    /// What a noisy move wins if both sides keep taking on its destination as long as that
    /// pays.
    fn exchange(&self, _: GameMove) -> i32 {
        0
    }

    /// How much may change with the next move: the number of captures, promotions, checks,
    /// pins and forks.
    fn turbulence(&self) -> i32 {
        0
    }

    /// What a move that loses material promises in return; 0 for other moves.
    fn sacrifice_potential(&mut self, _: GameMove) -> i32 {
        0
    }

    /// What pruning and extensions ask about a legal move.
    fn facts(&self, m: GameMove) -> MoveFacts {
        MoveFacts { is_noisy: self.is_noisy(m), ..MoveFacts::default() }
    }

    fn in_check(&self) -> bool {
        false
    }

    /// Whether the side to move has more than pawns and its king, so that it seldom is in
    /// zugzwang.
    fn has_pieces(&self) -> bool {
        true
    }

    /// A value that is quicker than the static value: the material in chess.
    fn quick_value(&self) -> i32 {
        self.value()
    }

    /// The places of tables by move, a power of two. Moves with the same remainder share a
    /// place. The default has one for each move of Los Alamos chess, the most that a game has.
    fn move_places(&self) -> usize {
        8192
    }

    /// The move as text.
    fn text(&self, m: GameMove) -> String;

    /// The legal move that a text names.
    fn find(&self, text: &str) -> Option<GameMove> {
        self.moves().into_iter().find(|&m| self.text(m) == text)
    }

    /// The position, if the game is chess.
    fn position(&self) -> Option<&Position> {
        None
    }
}

/// A well mixed number from two others.
pub(super) const fn mix(a: u64, b: u64) -> u64 {
    crate::util::rng::SplitMix64::new(a ^ b.wrapping_mul(0xD6E8_FEB8_6659_FD93)).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_lose_a_point_a_ply() {
        assert_eq!((at_ply(WIN, 3), at_ply(-WIN, 3)), (WIN - 3, 3 - WIN));
        assert_eq!((at_ply(500, 3), at_ply(INFINITE, 3)), (500, INFINITE));
        assert_eq!(at_ply(at_ply(-WIN + 7, 9), -9), -WIN + 7);
    }
}
