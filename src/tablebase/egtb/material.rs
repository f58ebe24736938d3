//! Endings: which pieces are on the board, and the names.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::chess::{Color, Piece, State};
use crate::util::array_list::ArrayList;

/// The most pieces of a table, kings included.
pub const MAX_PIECES: u32 = 4;

/// The most pieces of a table, without the kings.
pub(super) const MAX_NON_KINGS: usize = MAX_PIECES as usize - 2;

/// A piece with its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ColoredPiece {
    pub color: Color,
    pub piece: Piece,
}

impl ColoredPiece {
    /// Every kind of piece but the kings, in both colours.
    fn non_kings() -> impl Iterator<Item = Self> {
        let kinds = Piece::ALL.into_iter().filter(|&piece| piece != Piece::King);
        kinds.flat_map(|piece| Color::ALL.map(|color| Self { color, piece }))
    }

    /// The piece, or the same piece of the other side.
    pub fn flip_if(self, flipped: bool) -> Self {
        Self { color: if flipped { !self.color } else { self.color }, ..self }
    }
}

/// The pieces of an ending without its kings.
type NonKings = ArrayList<ColoredPiece, MAX_NON_KINGS>;

/// The pieces of an ending: the kings and one or two others.
///
/// White is the stronger side: it has more pieces or, with one each, the better one, in
/// the order queen, rook, bishop, knight, pawn. So `KRKP` and `KPKR` are one ending.
/// Names are written as in Syzygy: White's pieces, a `v`, Black's pieces, each side from
/// its king and then from the strongest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// White's first, and of a side the stronger.
    non_kings: NonKings,
}

/// Why a text is not the name of an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MaterialError {
    #[error("not the name of an ending, such as KRvKP or KBNK: unexpected `{0}`")]
    Letter(char),
    #[error("not the name of an ending: each side needs exactly one king, in front of its pieces")]
    Kings,
    #[error("bare kings have no table")]
    Bare,
    #[error("tables have at most four pieces, kings included")]
    TooMany,
}

impl Material {
    /// The ending of these pieces and two kings; White and Black change sides if Black is
    /// the stronger. `None` without pieces.
    fn new(pieces: &[ColoredPiece]) -> Option<Self> {
        if pieces.is_empty() {
            return None;
        }
        let strength = |side: Color| {
            let own = pieces.iter().filter(|piece| piece.color == side);
            let mut kinds: Vec<Piece> = own.map(|piece| piece.piece).collect();
            kinds.sort_by(|a, b| b.cmp(a));
            (kinds.len(), kinds)
        };
        let flipped = strength(Color::Black) > strength(Color::White);
        let mut non_kings: NonKings = pieces.iter().map(|piece| piece.flip_if(flipped)).collect();
        non_kings.sort_by_key(|piece| (piece.color.index(), Piece::COUNT - piece.piece.index()));
        Some(Self { non_kings })
    }

    /// The ending of a position; `None` for bare kings and for more pieces than a table
    /// has.
    pub fn of(state: &State) -> Option<Self> {
        let mut pieces = NonKings::new();
        for piece in ColoredPiece::non_kings() {
            for _ in 0..state.colored(piece.color, piece.piece).len() {
                if !pieces.try_push(piece) {
                    return None;
                }
            }
        }
        Self::new(&pieces)
    }

    /// Every ending of this many pieces, kings included, in [`Material::build_order`]; none with
    /// [insufficient material](Material::is_insufficient).
    pub fn all(pieces: u32) -> Vec<Self> {
        let one = || ColoredPiece::non_kings();
        let sets: Vec<Vec<ColoredPiece>> = match pieces {
            3 => one().map(|a| vec![a]).collect(),
            4 => one().flat_map(|a| one().map(move |b| vec![a, b])).collect(),
            _ => Vec::new(),
        };
        let materials = sets.iter().filter_map(|set| Self::new(set));
        Self::sorted(materials.filter(|material| !material.is_insufficient()).collect())
    }

    /// These endings and all that they can turn into, each after its conversions: by
    /// number of pieces, then by number of pawns.
    pub fn build_order(materials: &[Self]) -> Vec<Self> {
        let mut order = materials.to_vec();
        let mut done = 0;
        while let Some(material) = order.get(done) {
            order.extend(material.conversions());
            done += 1;
        }
        Self::sorted(order)
    }

    /// The endings in the order in which they can be built, without duplicates.
    fn sorted(mut materials: Vec<Self>) -> Vec<Self> {
        materials.sort_by_cached_key(|material| {
            let pawns = material.non_kings.iter().filter(|piece| piece.piece == Piece::Pawn);
            (material.piece_count(), pawns.count(), material.to_string())
        });
        materials.dedup();
        materials
    }

    /// The endings after a capture, a promotion, or both at once. Endings with
    /// [insufficient material](Material::is_insufficient) have no table and are left out.
    pub(super) fn conversions(&self) -> Vec<Self> {
        let mut sets = vec![self.non_kings.clone()];
        for captured in 0..self.non_kings.len() {
            let others = self.non_kings.iter().enumerate().filter(|(index, _)| *index != captured);
            sets.push(others.map(|(_, piece)| *piece).collect());
        }
        let mut materials = Vec::new();
        for set in sets {
            materials.extend(Self::new(&set));
            for pawn in (0..set.len()).filter(|&at| set[at].piece == Piece::Pawn) {
                for piece in Piece::PROMOTIONS {
                    let mut promoted = set.clone();
                    promoted[pawn].piece = piece;
                    materials.extend(Self::new(&promoted));
                }
            }
        }
        materials.retain(|material| material != self && !material.is_insufficient());
        materials
    }

    /// Whether mate is impossible, even with the other side's help: a lone bishop or
    /// knight.
    pub fn is_insufficient(&self) -> bool {
        matches!(*self.non_kings, [ColoredPiece { piece: Piece::Bishop | Piece::Knight, .. }])
    }

    /// The number of pieces, kings included.
    pub fn piece_count(&self) -> u32 {
        self.non_kings.len() as u32 + 2
    }

    pub(super) fn non_kings(&self) -> &[ColoredPiece] {
        &self.non_kings
    }
}

/// `KRvKP`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |color: Color| -> String {
            let own = self.non_kings.iter().filter(|piece| piece.color == color);
            own.map(|piece| piece.piece.letter(Color::White)).collect()
        };
        write!(f, "K{}vK{}", side(Color::White), side(Color::Black))
    }
}

/// Letters of either case; the `v` before the second king is optional.
impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut pieces = NonKings::new();
        let mut kings = 0;
        let mut after_v = false;
        for letter in text.chars() {
            match Piece::from_letter(letter) {
                Some(Piece::King) => kings += 1,
                _ if after_v || kings == 0 => return Err(MaterialError::Kings),
                Some(piece) => {
                    let color = if kings == 1 { Color::White } else { Color::Black };
                    if !pieces.try_push(ColoredPiece { color, piece }) {
                        return Err(MaterialError::TooMany);
                    }
                }
                None if letter.eq_ignore_ascii_case(&'v') && kings == 1 => {}
                None => return Err(MaterialError::Letter(letter)),
            }
            after_v = letter.eq_ignore_ascii_case(&'v');
        }
        if kings != 2 {
            return Err(MaterialError::Kings);
        }
        Self::new(&pieces).ok_or(MaterialError::Bare)
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
    fn positions_have_endings() {
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
    fn other_names_are_rejected() {
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
    fn three_endings_have_three_pieces_and_thirty_have_four() {
        assert_eq!(Material::all(3).len(), 3);
        assert_eq!(Material::all(4).len(), 30);
        assert!(Material::all(2).is_empty() && Material::all(5).is_empty());
        for material in [Material::all(3), Material::all(4)].concat() {
            assert_eq!(material.to_string().parse(), Ok(material.clone()));
        }
    }

    #[test]
    fn conversions_come_first_in_the_build_order() {
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
