//! What stands on the board besides the squares: the names of the endings.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;
use thiserror::Error;

use crate::chess::{Color, Piece, State};
use crate::tablebase::egtb::MAX_NON_KINGS;

/// A man, wherever it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ColoredPiece {
    pub color: Color,
    pub piece: Piece,
}

/// One or two men and the two kings.
///
/// White is the stronger side: it has more men or, with a man each, the better one, in
/// the order queen, rook, bishop, knight, pawn. That makes one name of `KRKP` and `KPKR`.
/// Names are written as Syzygy's: White's men, a `v`, Black's men, each side with its
/// king and then the strongest first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// Without the kings; White's first, and of a side the stronger.
    men: ArrayVec<ColoredPiece, MAX_NON_KINGS>,
}

/// Why a text names no ending of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MaterialError {
    #[error("not the name of an ending, such as KRvKP or KBNK: `{0}` has no place in it")]
    Letter(char),
    #[error("not the name of an ending: each side has one king, and is named from it")]
    Kings,
    #[error("bare kings have no table")]
    Bare,
    #[error("there are no tables of more than four men, kings included")]
    TooMany,
}

impl Material {
    /// The ending of these men, in any order, and whether the colours had to change
    /// sides for it. `None` for none of them and for too many.
    pub(super) fn new(men: &[ColoredPiece]) -> Option<(Self, bool)> {
        if men.is_empty() || men.len() > MAX_NON_KINGS {
            return None;
        }
        let strength = |color: Color| {
            let mut pieces: ArrayVec<Piece, MAX_NON_KINGS> =
                men.iter().filter(|man| man.color == color).map(|man| man.piece).collect();
            pieces.sort_by(|a, b| b.cmp(a));
            (pieces.len(), pieces)
        };
        let flipped = strength(Color::Black) > strength(Color::White);
        let turned = |man: &ColoredPiece| ColoredPiece {
            color: flip_if(man.color, flipped),
            piece: man.piece,
        };
        let mut men: ArrayVec<ColoredPiece, MAX_NON_KINGS> = men.iter().map(turned).collect();
        men.sort_by_key(|man| (man.color.index(), Piece::COUNT - man.piece.index()));
        Some((Self { men }, flipped))
    }

    /// The ending of a position; `None` for one of bare kings, and for one of more
    /// pieces than a table has.
    pub fn of(state: &State) -> Option<Self> {
        let mut men = ArrayVec::<ColoredPiece, MAX_NON_KINGS>::new();
        for color in Color::ALL {
            for &piece in &Piece::ALL[..Piece::King.index()] {
                for _ in 0..state.colored(color, piece).len() {
                    men.try_push(ColoredPiece { color, piece }).ok()?;
                }
            }
        }
        Self::new(&men).map(|(material, _)| material)
    }

    /// Every ending of so many men, kings included, in the order in which they can be
    /// built; see [`Material::build_order`].
    pub fn all(pieces: u32) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let men = || {
            let piece = |&piece: &Piece| Color::ALL.map(|color| ColoredPiece { color, piece });
            Piece::ALL[..Piece::King.index()].iter().flat_map(piece)
        };
        let sets: Vec<Vec<ColoredPiece>> = match pieces {
            3 => men().map(|man| vec![man]).collect(),
            4 => men().flat_map(|a| men().map(move |b| vec![a, b])).collect(),
            _ => Vec::new(),
        };
        for (material, _) in sets.iter().filter_map(|men| Self::new(men)) {
            if !all.contains(&material) {
                all.push(material);
            }
        }
        all.sort_by_key(Self::rank);
        all
    }

    /// These endings and all that they can turn into, each after those that it needs:
    /// fewer men come first, and of as many those with fewer pawns.
    pub fn build_order(materials: &[Self]) -> Vec<Self> {
        let mut order = materials.to_vec();
        let mut done = 0;
        while let Some(material) = order.get(done) {
            order.extend(material.conversions());
            done += 1;
        }
        order.sort_by_key(Self::rank);
        order.dedup();
        order
    }

    fn rank(&self) -> (usize, usize, String) {
        (self.men.len(), self.pawns(), self.to_string())
    }

    fn pawns(&self) -> usize {
        self.men.iter().filter(|man| man.piece == Piece::Pawn).count()
    }

    /// The endings that a capture, a promotion, or both at once lead to. Those in which
    /// nobody can mate have no table and are left out.
    pub(super) fn conversions(&self) -> Vec<Self> {
        let mut sets: Vec<ArrayVec<ColoredPiece, MAX_NON_KINGS>> = Vec::new();
        for gone in 0..self.men.len() {
            let mut fewer = self.men.clone();
            fewer.remove(gone);
            sets.push(fewer);
        }
        sets.push(self.men.clone());
        let mut materials = Vec::new();
        for men in sets {
            materials.extend(Self::new(&men));
            for (at, man) in men.iter().enumerate().filter(|(_, man)| man.piece == Piece::Pawn) {
                for piece in Piece::PROMOTIONS {
                    let mut promoted = men.clone();
                    promoted[at] = ColoredPiece { color: man.color, piece };
                    materials.extend(Self::new(&promoted));
                }
            }
        }
        let mut materials: Vec<Self> =
            materials.into_iter().map(|(material, _)| material).collect();
        materials.retain(|material| material != self && !material.is_insufficient());
        materials
    }

    /// Whether nobody can mate, even with the other side's help: a lone bishop or
    /// knight.
    pub fn is_insufficient(&self) -> bool {
        matches!(*self.men, [ColoredPiece { piece: Piece::Bishop | Piece::Knight, .. }])
    }

    /// How many men there are, kings included.
    pub fn piece_count(&self) -> u32 {
        self.men.len() as u32 + 2
    }

    pub(super) fn non_kings(&self) -> &[ColoredPiece] {
        &self.men
    }
}

/// The colour, or the other one.
pub(super) fn flip_if(color: Color, flipped: bool) -> Color {
    if flipped { !color } else { color }
}

/// `KRvKP`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |color: Color| -> String {
            let men = self.men.iter().filter(|man| man.color == color);
            men.map(|man| man.piece.letter(Color::White)).collect()
        };
        write!(f, "K{}vK{}", side(Color::White), side(Color::Black))
    }
}

/// Letters of either case, with a `v` before the second king or without.
impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut men = ArrayVec::<ColoredPiece, MAX_NON_KINGS>::new();
        let mut kings = 0;
        let mut after_v = false;
        for letter in text.chars() {
            match Piece::from_letter(letter) {
                Some(Piece::King) => kings += 1,
                _ if after_v || kings == 0 => return Err(MaterialError::Kings),
                Some(piece) => {
                    let color = if kings == 1 { Color::White } else { Color::Black };
                    men.try_push(ColoredPiece { color, piece })
                        .map_err(|_| MaterialError::TooMany)?;
                }
                None if letter.eq_ignore_ascii_case(&'v') && kings == 1 => {}
                None => return Err(MaterialError::Letter(letter)),
            }
            after_v = letter.eq_ignore_ascii_case(&'v');
        }
        if kings != 2 {
            return Err(MaterialError::Kings);
        }
        Self::new(&men).map(|(material, _)| material).ok_or(MaterialError::Bare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(name: &str) -> Material {
        name.parse().unwrap()
    }

    #[test]
    fn an_ending_has_one_name() {
        for (name, texts) in [
            ("KQvK", vec!["KQK", "KQvK", "kqk", "KvKQ", "KKQ", "kqVk"]),
            ("KRvKP", vec!["KRKP", "KPKR", "KPvKR"]),
            ("KBNvK", vec!["KBNK", "KNBK", "KKNB"]),
            ("KBvKN", vec!["KNKB"]),
        ] {
            for text in texts {
                assert_eq!(material(text).to_string(), name, "{text}");
            }
        }
    }

    #[test]
    fn a_position_has_an_ending() {
        let of = |fen: &str| {
            let position = crate::chess::Position::from_fen(fen).unwrap();
            Material::of(&position).map(|material| material.to_string())
        };
        assert_eq!(of("8/8/8/8/8/4k3/4p3/4K1R1 w - - 0 1"), Some("KRvKP".to_owned()));
        assert_eq!(of("8/8/8/8/8/4K3/4P3/4k1r1 w - - 0 1"), Some("KRvKP".to_owned()));
        assert_eq!(of("8/8/8/8/8/4K3/8/4k3 w - - 0 1"), None);
        assert_eq!(of("8/8/8/8/4P3/4K3/4P3/4k1r1 w - - 0 1"), None);
    }

    #[test]
    fn other_texts_are_refused() {
        for (text, error) in [
            ("", MaterialError::Kings),
            ("KQ", MaterialError::Kings),
            ("QK", MaterialError::Kings),
            ("KQKK", MaterialError::Kings),
            ("KQvQK", MaterialError::Kings),
            ("KQvvK", MaterialError::Kings),
            ("KQKv", MaterialError::Letter('v')),
            ("KXK", MaterialError::Letter('X')),
            ("KQK.ltb", MaterialError::Letter('.')),
            ("KK", MaterialError::Bare),
            ("KvK", MaterialError::Bare),
            ("KQRBK", MaterialError::TooMany),
            ("KQRKB", MaterialError::TooMany),
        ] {
            assert_eq!(text.parse::<Material>(), Err(error), "{text}");
        }
    }

    #[test]
    fn there_are_five_endings_of_three_men_and_thirty_of_four() {
        assert_eq!(Material::all(3).len(), 5);
        assert_eq!(Material::all(4).len(), 30);
        assert!(Material::all(2).is_empty() && Material::all(5).is_empty());
        for material in [Material::all(3), Material::all(4)].concat() {
            assert_eq!(material.to_string().parse(), Ok(material.clone()));
        }
    }

    #[test]
    fn what_is_needed_comes_first() {
        let order = Material::build_order(&[material("KPKP"), material("KPPK")]);
        for (at, needed) in order.iter().enumerate() {
            for conversion in needed.conversions() {
                assert!(order[..at].contains(&conversion), "{conversion} before {needed}");
            }
        }
        let names: Vec<String> =
            Material::build_order(&[material("KPK")]).iter().map(Material::to_string).collect();
        assert_eq!(names, ["KQvK", "KRvK", "KPvK"]);
    }
}
