//! The distance to mate with two pieces against a bare king, by retrograde analysis.
//!
//! For each placement of the strong side's pieces, one bitboard holds the squares on which
//! the weak king is lost, so that one step solves 64 positions. There are no pawns, so
//! reflected boards are equivalent, and so are the colours.

use std::sync::LazyLock;

use lovec::chess::position::setup::Setup;
use lovec::chess::{Bitboard, Color, Piece, Position, Square, attacks};

/// More plies than any mate.
const NEVER: u8 = u8::MAX;

/// The strong side's pieces, the king first.
type Placed = Vec<(Piece, Square)>;

pub static TWO_BISHOPS: LazyLock<Ending> =
    LazyLock::new(|| Ending::solve(&[Piece::Bishop, Piece::Bishop]));
pub static BISHOP_AND_KNIGHT: LazyLock<Ending> =
    LazyLock::new(|| Ending::solve(&[Piece::Bishop, Piece::Knight]));

/// A solved ending.
pub struct Ending {
    pieces: &'static [Piece],
    /// Plies to mate with the strong side to move, and with the weak side to move; by the
    /// placement of the strong side, then by the weak king's square.
    plies: [Vec<[u8; Square::COUNT]>; 2],
}

/// A placement of the strong side's pieces.
struct Placement {
    pieces: Placed,
    /// Squares on which the weak king is in check.
    attacked: Bitboard,
    /// Squares on which it can stand.
    open: Bitboard,
}

impl Ending {
    /// Goes backwards move by move. The weak side is mated in `moves` if each of its moves
    /// leads to a mate in at most `moves`; the strong side mates in one more if one of its
    /// moves leads there.
    fn solve(pieces: &'static [Piece]) -> Self {
        let count = Square::COUNT.pow(pieces.len() as u32 + 1);
        let placements: Vec<Placement> = (0..count).map(|n| Placement::new(pieces, n)).collect();
        let mut lost = vec![Bitboard::EMPTY; count];
        let mut won = lost.clone();
        let unsolved = vec![[NEVER; Square::COUNT]; count];
        let mut plies = [unsolved.clone(), unsolved];
        for moves in 0.. {
            let mut found = false;
            for (n, placement) in placements.iter().enumerate() {
                let now = placement.lost_after_any_move(won[n]);
                for square in now.without(lost[n]) {
                    plies[1][n][square.index()] = 2 * moves;
                    found = true;
                }
                lost[n] = now;
            }
            for (n, placement) in placements.iter().enumerate() {
                let now = placement.won_by_some_move(n, &lost);
                for square in now.without(won[n]) {
                    plies[0][n][square.index()] = 2 * moves + 1;
                }
                won[n] = now;
            }
            if !found {
                break;
            }
        }
        Self { pieces, plies }
    }

    /// Plies to mate, `None` if the position is not won for `strong`.
    pub fn plies_to_mate(&self, position: &Position, strong: Color) -> Option<u8> {
        let mut pieces = position.color(strong);
        let mut n = position.king(strong).index();
        for &piece in self.pieces {
            let square = (pieces & position.pieces(piece)).first()?;
            pieces = pieces.without(square.bitboard());
            n = n * Square::COUNT + square.index();
        }
        let side = usize::from(position.side_to_move() != strong);
        let plies = self.plies[side][n][position.king(!strong).index()];
        (plies != NEVER).then_some(plies)
    }

    /// The longest mate, in moves of the strong side.
    pub fn longest_mate(&self) -> u8 {
        let mates = self.plies[0].as_flattened().iter().filter(|&&plies| plies != NEVER);
        mates.max().map_or(0, |plies| plies.div_ceil(2))
    }

    /// Position `number`, if it is legal and `strong`, to move, wins it.
    pub fn won_position(&self, number: u64, strong: Color) -> Option<Position> {
        let boards = (self.plies[0].len() * Square::COUNT) as u64;
        let (n, king) = ((number % boards) as usize / 64, Square::new((number % 64) as u8));
        let won = self.plies[0][n][king.index()] != NEVER;
        won.then(|| position(&placed(self.pieces, n), king, strong, strong).expect("a legal board"))
    }
}

/// The pieces of placement number `n`.
fn placed(pieces: &[Piece], n: usize) -> Placed {
    let kinds = [Piece::King].into_iter().chain(pieces.iter().copied());
    let places = (0..=pieces.len() as u32).rev();
    let square = |place| Square::new((n / Square::COUNT.pow(place) % Square::COUNT) as u8);
    kinds.zip(places.map(square)).collect()
}

/// The position with the weak king on this square; `None` if it is illegal.
fn position(pieces: &Placed, weak_king: Square, strong: Color, to_move: Color) -> Option<Position> {
    let mut setup = Setup { side_to_move: to_move, ..Setup::default() };
    for &(piece, square) in pieces {
        setup.board[square.index()] = Some((strong, piece));
    }
    setup.board[weak_king.index()] = Some((!strong, Piece::King));
    setup.validate().ok().map(|(state, _)| Position::new(state))
}

impl Placement {
    fn new(pieces: &[Piece], n: usize) -> Self {
        let pieces = placed(pieces, n);
        let occupied: Bitboard = pieces.iter().map(|&(_, square)| square).collect();
        let near = attacks::king(pieces[0].1);
        // A square behind a weak king in check is attacked through it, so the king need not
        // be among the blockers.
        let attacked = pieces.iter().fold(Bitboard::EMPTY, |set, &(piece, square)| {
            set | attacks::piece(piece, square, occupied)
        });
        let possible = occupied.len() as usize == pieces.len();
        let open = if possible { !(occupied | near) } else { Bitboard::EMPTY };
        Self { pieces, attacked, open }
    }

    /// The squares where the weak king, to move, is lost, if it is lost on the squares `won`
    /// after its move.
    fn lost_after_any_move(&self, won: Bitboard) -> Bitboard {
        let free = !self.attacked;
        let not_stalemate = self.attacked | neighbours(free);
        self.open & not_stalemate.without(neighbours(free.without(won)))
    }

    /// The squares of the weak king from which some move of placement `n` leads to `lost`.
    fn won_by_some_move(&self, n: usize, lost: &[Bitboard]) -> Bitboard {
        if self.open.is_empty() {
            return Bitboard::EMPTY;
        }
        let occupied: Bitboard = self.pieces.iter().map(|&(_, square)| square).collect();
        let mut won = Bitboard::EMPTY;
        let mut weight = Square::COUNT.pow(self.pieces.len() as u32);
        for &(piece, square) in &self.pieces {
            weight /= Square::COUNT;
            let without = n - weight * square.index();
            for target in attacks::piece(piece, square, occupied).without(occupied) {
                won |= lost[without + weight * target.index()];
            }
        }
        (won & self.open).without(self.attacked)
    }
}

/// Squares from which a king reaches the set in one move.
fn neighbours(set: Bitboard) -> Bitboard {
    let sides = set.east() | set.west();
    let rows = set | sides;
    sides | rows.north() | rows.south()
}
