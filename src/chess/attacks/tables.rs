//! Attack tables that the compiler fills.

use crate::chess::bitboard::Bitboard;

type SquareTable = [Bitboard; 64];

pub(super) const BISHOP_DIRECTIONS: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
pub(super) const ROOK_DIRECTIONS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

const KNIGHT_STEPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

pub(super) static KNIGHT: SquareTable = leaper(KNIGHT_STEPS);
pub(super) static KING: SquareTable = leaper(KING_STEPS);
pub(super) static PAWN: [SquareTable; 2] = [leaper([(-1, 1), (1, 1)]), leaper([(-1, -1), (1, -1)])];
pub(super) static BISHOP_RAYS: SquareTable = rays(BISHOP_DIRECTIONS);
pub(super) static ROOK_RAYS: SquareTable = rays(ROOK_DIRECTIONS);
pub(super) static BETWEEN: [SquareTable; 64] = pairs(true);
pub(super) static LINE: [SquareTable; 64] = pairs(false);

/// The square one step away, as a set: empty beyond the edge.
const fn step(square: usize, (files, ranks): (i8, i8)) -> Bitboard {
    let file = (square & 7) as i8 + files;
    let rank = (square >> 3) as i8 + ranks;
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        return Bitboard::EMPTY;
    }
    Bitboard(1 << (file + 8 * rank))
}

const fn leaper<const N: usize>(steps: [(i8, i8); N]) -> SquareTable {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < N {
            table[square].0 |= step(square, steps[i]).0;
            i += 1;
        }
        square += 1;
    }
    table
}

/// All squares from `square` to the edge in one direction.
pub(super) const fn ray(square: usize, direction: (i8, i8)) -> Bitboard {
    let mut ray = Bitboard::EMPTY;
    let mut next = step(square, direction);
    while next.any() {
        ray.0 |= next.0;
        next = step(next.0.trailing_zeros() as usize, direction);
    }
    ray
}

const fn rays(directions: [(i8, i8); 4]) -> SquareTable {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 4 {
            table[square].0 |= ray(square, directions[i]).0;
            i += 1;
        }
        square += 1;
    }
    table
}

/// For each pair of aligned squares the ones between them, or the whole line.
const fn pairs(between: bool) -> [SquareTable; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut i = 0;
        while i < 8 {
            let (files, ranks) = KING_STEPS[i];
            let ahead = ray(a, (files, ranks));
            let line = ahead.0 | ray(a, (-files, -ranks)).0 | 1 << a;
            let mut rest = ahead;
            while let Some(b) = rest.pop() {
                let beyond = ray(b.index(), (files, ranks)).0 | b.bitboard().0;
                table[a][b.index()] = Bitboard(if between { ahead.0 & !beyond } else { line });
            }
            i += 1;
        }
        a += 1;
    }
    table
}
