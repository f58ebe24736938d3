//! The numbers of an ending's positions.
//!
//! A position is worth the same transformed upside down or mirrored, and without pawns also
//! reflected in a diagonal, so one of each set of like positions has a number. The kings
//! come first: the board is transformed until the white one stands on the files a to d and, if
//! there are no pawns, in the triangle a1-d1-d4. If it is on the diagonal there, the black
//! king goes below it. That leaves 1806 pairs of kings with pawns and the well-known 462
//! without (E. Nalimov, G. Haworth and E. Heinz, "Space-efficient indexing of chess
//! endgame tables", 2000). If both kings are on the diagonal there are two ways to
//! write the other men, and the lesser number counts.
//!
//! The other men follow with 64 squares each, pawns with 48; two alike with as many pairs
//! as there are.

use crate::chess::{Color, Piece, Square};
use crate::tablebase::egtb::MAX_NON_KINGS;
use crate::tablebase::egtb::material::{ColoredPiece, Material};

/// The kings, White's first, and the men of a [`Material`] in its order, with the side
/// to move. The square of a man that is not there does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    pub squares: [Square; 2 + MAX_NON_KINGS],
    pub side: Color,
}

/// How the board is transformed: bits to change in a square's index, and these two.
type Transform = u8;
const IDENTITY: Transform = 0;
const FLIP_FILES: Transform = 7;
const FLIP_RANKS: Transform = 56;
/// File and rank change places, after the rest.
const FLIP_DIAGONAL: Transform = 64;
/// Both kings are on the diagonal, and reflecting changes neither.
const SYMMETRIC: Transform = 128;

/// A pair of kings: its number and the transform that leads there.
#[derive(Clone, Copy)]
struct KingPair {
    number: u16,
    transform: Transform,
}

/// The kings touch.
const NO_KING_PAIR: u16 = u16::MAX;

/// All pairs of kings, by the square of the white and that of the black one, and the
/// other way round.
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

/// The transform that brings the kings to their places.
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
    // First the pairs that stand as they should, then those that are transformed to them.
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

/// The men besides the kings, as far as their numbers go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NonKings {
    One,
    Two,
    /// Two of one kind and colour.
    Alike,
}

/// How the positions of one ending are numbered.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    numbers: &'static [[KingPair; 64]; 64],
    pairs: &'static [[Square; 2]],
    men: NonKings,
    /// Of each man, the first square that it can stand on and how many there are.
    ranges: [(usize, usize); MAX_NON_KINGS],
    /// Placements of the men for each pair of kings.
    placements: usize,
}

impl Layout {
    pub fn new(material: &Material) -> Self {
        let range = |man: &ColoredPiece| if man.piece == Piece::Pawn { (8, 48) } else { (0, 64) };
        let (men, ranges) = match material.non_kings() {
            [a, b] if a == b => (NonKings::Alike, [range(a), range(b)]),
            [a, b] => (NonKings::Two, [range(a), range(b)]),
            [a, ..] => (NonKings::One, [range(a), (0, 1)]),
            [] => (NonKings::One, [(0, 1); MAX_NON_KINGS]),
        };
        let [(_, first), (_, second)] = ranges;
        let placements = if men == NonKings::Alike { triangle(first) } else { first * second };
        if material.non_kings().iter().any(|man| man.piece == Piece::Pawn) {
            let kings = &WITH_PAWNS;
            Self { numbers: &kings.numbers, pairs: &kings.pairs, men, ranges, placements }
        } else {
            let kings = &WITHOUT_PAWNS;
            Self { numbers: &kings.numbers, pairs: &kings.pairs, men, ranges, placements }
        }
    }

    /// How many numbers there are, for both sides to move. Not all of them have a
    /// position.
    pub fn len(&self) -> usize {
        2 * self.half()
    }

    fn half(&self) -> usize {
        self.pairs.len() * self.placements
    }

    /// The number of a position; `None` if the kings touch. All men have to be on
    /// squares of their own, and pawns on the second to seventh rank.
    #[inline]
    pub fn index(&self, placement: &Placement) -> Option<usize> {
        let [white, black, men @ ..] = placement.squares;
        let KingPair { number, transform } = self.numbers[white.index()][black.index()];
        if number == NO_KING_PAIR {
            return None;
        }
        let mut place = self.place(men.map(|square| transformed(square, transform)));
        if transform & SYMMETRIC != 0 {
            place = place
                .min(self.place(men.map(|square| transformed(square, transform | FLIP_DIAGONAL))));
        }
        let half = if placement.side == Color::White { 0 } else { self.half() };
        Some(half + usize::from(number) * self.placements + place)
    }

    #[inline]
    fn place(&self, men: [Square; MAX_NON_KINGS]) -> usize {
        let [(first, _), (second, count)] = self.ranges;
        let [a, b] = men.map(Square::index);
        match self.men {
            NonKings::One => a - first,
            NonKings::Two => (a - first) * count + (b - second),
            NonKings::Alike => triangle(a.max(b) - first) + a.min(b) - first,
        }
    }

    /// The position of a number, or what would be one if its men did not stand on each
    /// other or the side to move attack the king. Of two like ones, the number that
    /// [`Layout::index`] does not give has one too.
    pub fn placement(&self, index: usize) -> Placement {
        let side = if index < self.half() { Color::White } else { Color::Black };
        let index = index % self.half();
        let [white, black] = self.pairs[index / self.placements];
        let place = index % self.placements;
        let [(first, _), (second, count)] = self.ranges;
        let (a, b) = match self.men {
            NonKings::One => (place, 0),
            NonKings::Two => (place / count, place % count),
            NonKings::Alike => {
                let greater = triangle_root(place);
                (place - triangle(greater), greater)
            }
        };
        let square = |index: usize| Square::new(index as u8);
        Placement { squares: [white, black, square(a + first), square(b + second)], side }
    }
}

/// Pairs of different numbers below `count`.
const fn triangle(count: usize) -> usize {
    count * count.saturating_sub(1) / 2
}

/// The greatest number whose triangle is not above `pairs`.
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

    /// Whether the men have squares of their own.
    fn is_possible(placement: &Placement, men: usize) -> bool {
        let squares = &placement.squares[..2 + men];
        let different: HashSet<Square> = squares.iter().copied().collect();
        different.len() == squares.len()
    }

    #[test]
    fn a_number_leads_to_its_position_and_back() {
        for (name, men) in [("KQK", 1), ("KPK", 1), ("KRRK", 2), ("KPPK", 2)] {
            let layout = layout(name);
            let mut numbered = 0;
            for index in 0..layout.len() {
                let placement = layout.placement(index);
                if is_possible(&placement, men) {
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
    fn like_positions_have_one_number() {
        let transforms = |pawns: bool| -> Vec<Transform> {
            let transforms = [IDENTITY, FLIP_FILES, FLIP_RANKS, FLIP_FILES | FLIP_RANKS];
            let reflected = transforms.map(|transform| transform | FLIP_DIAGONAL);
            if pawns { transforms[..2].to_vec() } else { [transforms, reflected].concat() }
        };
        for (name, men, pawns) in [("KBK", 1, false), ("KPK", 1, true), ("KNNK", 2, false)] {
            let layout = layout(name);
            for index in (0..layout.len()).step_by(7) {
                let placement = layout.placement(index);
                if !is_possible(&placement, men) {
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
    fn men_of_one_kind_change_places() {
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
