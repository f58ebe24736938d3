//! Numbers the positions of an ending.
//!
//! Turning the board upside down or mirroring it does not change a position's value, nor
//! does reflecting it in a diagonal if there are no pawns; so equivalent positions share
//! a number. The kings come first: the board is transformed until the white one is on the
//! files a to d and, without pawns, in the triangle a1-d1-d4. If it is on the diagonal
//! there, the black king goes below it. That leaves 1806 pairs of kings with pawns and the
//! well-known 462 without (E. Nalimov, G. Haworth and E. Heinz, "Space-efficient indexing
//! of chess endgame tables", 2000). If both kings are on the diagonal the other pieces can
//! be placed in two ways, and the smaller number counts.
//!
//! Each other piece has 64 squares, a pawn 48; two equal pieces are an unordered pair.

use crate::chess::{Color, Piece, Square};
use crate::tablebase::egtb::material::{ColoredPiece, MAX_NON_KINGS, Material};

/// The squares of the kings, White's first, and of the other pieces of a [`Material`] in
/// its order, with the side to move. The square of an absent piece is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    pub squares: [Square; 2 + MAX_NON_KINGS],
    pub side: Color,
}

/// A symmetry of the board: bits to flip in a square's index, and the two flags below.
type Transform = u8;
const IDENTITY: Transform = 0;
const FLIP_FILES: Transform = 7;
const FLIP_RANKS: Transform = 56;
/// File and rank are exchanged, after the other flips.
const FLIP_DIAGONAL: Transform = 64;
/// Both kings are on the diagonal, so that reflection changes neither.
const SYMMETRIC: Transform = 128;

/// The number of a pair of kings, and the transform to the numbered pair.
#[derive(Clone, Copy)]
struct KingPair {
    number: u16,
    transform: Transform,
}

/// The number of kings that touch.
const NO_KING_PAIR: u16 = u16::MAX;

/// The numbers of all pairs of kings by their squares, White's first, and the squares by
/// number.
struct KingPairs<const COUNT: usize> {
    numbers: [[KingPair; 64]; 64],
    pairs: [[Square; 2]; COUNT],
}

static WITHOUT_PAWNS: KingPairs<462> = number_kings(false);
static WITH_PAWNS: KingPairs<1806> = number_kings(true);

const fn transformed(square: Square, transform: Transform) -> Square {
    let square = square.index() as u8 ^ (transform & 63);
    if transform & FLIP_DIAGONAL == 0 {
        Square::new(square)
    } else {
        Square::new(square >> 3 | (square & 7) << 3)
    }
}

/// The transform that brings the kings to a numbered pair.
const fn transform_for(white: Square, black: Square, pawns: bool) -> Transform {
    let mut transform = if white.index() & 7 > 3 { FLIP_FILES } else { IDENTITY };
    if pawns {
        return transform;
    }
    if white.index() > 31 {
        transform |= FLIP_RANKS;
    }
    let (white, black) =
        (transformed(white, transform).index(), transformed(black, transform).index());
    let (white_above, white_on) = (white >> 3 > white & 7, white >> 3 == white & 7);
    let (black_above, black_on) = (black >> 3 > black & 7, black >> 3 == black & 7);
    if white_above || white_on && black_above {
        transform | FLIP_DIAGONAL
    } else if white_on && black_on {
        transform | SYMMETRIC
    } else {
        transform
    }
}

const fn number_kings<const COUNT: usize>(pawns: bool) -> KingPairs<COUNT> {
    let none = KingPair { number: NO_KING_PAIR, transform: IDENTITY };
    let mut kings =
        KingPairs { numbers: [[none; 64]; 64], pairs: [[Square::A1, Square::A1]; COUNT] };
    // First the pairs that need no transform, then the pairs that are transformed to them.
    let mut count = 0;
    let mut at = 0;
    while at < 2 * 64 * 64 {
        let (white, black) = (Square::new((at / 64 % 64) as u8), Square::new((at % 64) as u8));
        let transform = transform_for(white, black, pawns);
        let in_place = transform & !SYMMETRIC == IDENTITY;
        if white.distance(black) > 1 {
            let pair = &mut kings.numbers[white.index()][black.index()];
            if in_place && at < 64 * 64 {
                *pair = KingPair { number: count as u16, transform };
                kings.pairs[count] = [white, black];
                count += 1;
            } else if !in_place && at >= 64 * 64 {
                let (white_to, black_to) =
                    (transformed(white, transform), transformed(black, transform));
                let number = kings.numbers[white_to.index()][black_to.index()].number;
                kings.numbers[white.index()][black.index()] = KingPair { number, transform };
            }
        }
        at += 1;
    }
    assert!(count == COUNT);
    kings
}

/// The pieces without the kings, as far as it matters for numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NonKings {
    One,
    TwoDifferent,
    /// Two of one kind and colour.
    TwoEqual,
}

/// The numbering of the positions of one ending.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    numbers: &'static [[KingPair; 64]; 64],
    pairs: &'static [[Square; 2]],
    non_kings: NonKings,
    /// For each piece the index of its first possible square, and the number of squares.
    ranges: [(usize, usize); MAX_NON_KINGS],
    /// Placements of the other pieces for each pair of kings.
    placements: usize,
}

impl Layout {
    pub fn new(material: &Material) -> Self {
        let is_pawn = |piece: &ColoredPiece| piece.piece == Piece::Pawn;
        let range = |piece: &ColoredPiece| if is_pawn(piece) { (8, 48) } else { (0, 64) };
        let (non_kings, ranges) = match material.non_kings() {
            [a, b] if a == b => (NonKings::TwoEqual, [range(a), range(b)]),
            [a, b] => (NonKings::TwoDifferent, [range(a), range(b)]),
            [a, ..] => (NonKings::One, [range(a), (0, 1)]),
            [] => (NonKings::One, [(0, 1); MAX_NON_KINGS]),
        };
        let [(_, first), (_, second)] = ranges;
        let placements =
            if non_kings == NonKings::TwoEqual { triangle(first) } else { first * second };
        let (numbers, pairs): (_, &[_]) = if material.non_kings().iter().any(is_pawn) {
            (&WITH_PAWNS.numbers, &WITH_PAWNS.pairs)
        } else {
            (&WITHOUT_PAWNS.numbers, &WITHOUT_PAWNS.pairs)
        };
        Self { numbers, pairs, non_kings, ranges, placements }
    }

    /// The number of numbers, for both sides to move. Some have no position.
    pub fn len(&self) -> usize {
        2 * self.half()
    }

    fn half(&self) -> usize {
        self.pairs.len() * self.placements
    }

    /// The number of a position; `None` if the kings touch. All pieces must be on
    /// different squares, and pawns on the second to seventh rank.
    #[inline]
    pub fn index(&self, placement: &Placement) -> Option<usize> {
        let [white, black, squares @ ..] = placement.squares;
        let KingPair { number, transform } = self.numbers[white.index()][black.index()];
        if number == NO_KING_PAIR {
            return None;
        }
        let mut place = self.place(squares.map(|square| transformed(square, transform)));
        if transform & SYMMETRIC != 0 {
            place = place.min(
                self.place(squares.map(|square| transformed(square, transform | FLIP_DIAGONAL))),
            );
        }
        let half = if placement.side == Color::White { 0 } else { self.half() };
        Some(half + usize::from(number) * self.placements + place)
    }

    #[inline]
    fn place(&self, squares: [Square; MAX_NON_KINGS]) -> usize {
        let [(first, _), (second, count)] = self.ranges;
        let [a, b] = squares.map(Square::index);
        match self.non_kings {
            NonKings::One => a - first,
            NonKings::TwoDifferent => (a - first) * count + (b - second),
            NonKings::TwoEqual => triangle(a.max(b) - first) + a.min(b) - first,
        }
    }

    /// The placement of a number. It may be illegal: pieces may share a square, and the
    /// side not to move may be in check. Some numbers have a placement whose
    /// [`Layout::index`] is another number.
    pub fn placement(&self, index: usize) -> Placement {
        let side = if index < self.half() { Color::White } else { Color::Black };
        let index = index % self.half();
        let [white, black] = self.pairs[index / self.placements];
        let place = index % self.placements;
        let [(first, _), (second, count)] = self.ranges;
        let (a, b) = match self.non_kings {
            NonKings::One => (place, 0),
            NonKings::TwoDifferent => (place / count, place % count),
            NonKings::TwoEqual => {
                let larger = triangle_root(place);
                (place - triangle(larger), larger)
            }
        };
        let square = |index: usize| Square::new(index as u8);
        Placement { squares: [white, black, square(a + first), square(b + second)], side }
    }
}

/// The number of pairs of different numbers below `count`.
const fn triangle(count: usize) -> usize {
    count * count.saturating_sub(1) / 2
}

/// The largest number whose triangle is at most `pairs`.
fn triangle_root(pairs: usize) -> usize {
    let root = (1 + 8 * pairs).isqrt().div_ceil(2);
    debug_assert!(triangle(root) <= pairs && pairs < triangle(root + 1));
    root
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn layout(name: &str) -> Layout {
        Layout::new(&name.parse().unwrap())
    }

    /// Whether the pieces are on different squares.
    fn is_possible(placement: &Placement, non_kings: usize) -> bool {
        let squares = &placement.squares[..2 + non_kings];
        let different: HashSet<Square> = squares.iter().copied().collect();
        different.len() == squares.len()
    }

    #[test]
    fn numbers_and_positions_correspond() {
        for (name, non_kings) in [("KQK", 1), ("KPK", 1), ("KRRK", 2), ("KPPK", 2)] {
            let layout = layout(name);
            let mut numbered = 0;
            for index in 0..layout.len() {
                let placement = layout.placement(index);
                if is_possible(&placement, non_kings) {
                    let canonical = layout.index(&placement).unwrap();
                    assert!(canonical <= index, "{name}: {placement:?}");
                    let again = layout.index(&layout.placement(canonical));
                    assert_eq!(again, Some(canonical), "{name}: {placement:?}");
                    numbered += usize::from(canonical == index);
                }
            }
            assert!(numbered > layout.len() / 2, "{name}: {numbered}");
        }
    }

    #[test]
    fn equivalent_positions_have_one_number() {
        let transforms = |pawns: bool| -> Vec<Transform> {
            let transforms = [IDENTITY, FLIP_FILES, FLIP_RANKS, FLIP_FILES | FLIP_RANKS];
            let reflected = transforms.map(|transform| transform | FLIP_DIAGONAL);
            if pawns { transforms[..2].to_vec() } else { [transforms, reflected].concat() }
        };
        for (name, non_kings, pawns) in [("KBK", 1, false), ("KPK", 1, true), ("KNNK", 2, false)] {
            let layout = layout(name);
            for index in (0..layout.len()).step_by(7) {
                let placement = layout.placement(index);
                if !is_possible(&placement, non_kings) {
                    continue;
                }
                let numbers: HashSet<Option<usize>> = transforms(pawns)
                    .into_iter()
                    .map(|transform| {
                        let squares =
                            placement.squares.map(|square| transformed(square, transform));
                        layout.index(&Placement { squares, ..placement })
                    })
                    .collect();
                assert_eq!(numbers.len(), 1, "{name}: {placement:?}");
            }
        }
    }

    #[test]
    fn equal_pieces_can_be_exchanged() {
        let layout = layout("KRRK");
        let [a, b, c, d] = [0, 20, 33, 41].map(Square::new);
        let one = Placement { squares: [a, b, c, d], side: Color::Black };
        let other = Placement { squares: [a, b, d, c], side: Color::Black };
        assert_eq!(layout.index(&one), layout.index(&other));
    }

    #[test]
    fn kings_that_touch_have_no_number() {
        let squares = [9, 10, 30, 31].map(Square::new);
        assert_eq!(layout("KQKR").index(&Placement { squares, side: Color::White }), None);
    }
}
