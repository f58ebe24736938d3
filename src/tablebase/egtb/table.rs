//! A solved ending.

use serde::{Serialize, Serializer};

use crate::chess::position::setup::Setup;
use crate::chess::{Color, Piece, State};
use crate::tablebase::egtb::dtm::{Code, DtmValue, NO_POSITION, decode};
use crate::tablebase::egtb::index::{Layout, Placement};
use crate::tablebase::egtb::material::Material;

/// The values of all positions of an ending, a byte each.
pub struct DtmTable {
    material: Material,
    layout: Layout,
    /// By the numbers of the layout.
    codes: Box<[Code]>,
}

/// Counts over the positions of an ending with both sides to move, equivalent positions
/// counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    pub positions: u64,
    /// Won by White, the stronger side.
    pub wins: u64,
    pub draws: u64,
    /// Won by Black.
    pub losses: u64,
    /// The longest mate that White can force, in plies, with its position.
    #[serde(serialize_with = "plies_and_fen")]
    pub longest_win: Option<(u8, State)>,
    /// The longest mate that Black can force, in plies, with its position.
    #[serde(serialize_with = "plies_and_fen")]
    pub longest_loss: Option<(u8, State)>,
}

fn plies_and_fen<S: Serializer>(
    longest: &Option<(u8, State)>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct LongestMate {
        plies: u8,
        fen: String,
    }
    longest.map(|(plies, state)| LongestMate { plies, fen: state.fen() }).serialize(serializer)
}

impl DtmTable {
    /// A table of codes, one for each number of the layout.
    pub(super) fn new(material: Material, codes: Box<[Code]>) -> Self {
        let layout = Layout::new(&material);
        debug_assert_eq!(codes.len(), layout.len());
        Self { material, layout, codes }
    }

    /// The ending that is solved.
    pub fn material(&self) -> &Material {
        &self.material
    }

    pub(super) fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// The code of a placement of this ending's pieces.
    #[inline]
    pub(super) fn code(&self, placement: &Placement) -> Code {
        let code = self.layout.index(placement).and_then(|index| self.codes.get(index));
        code.copied().unwrap_or(NO_POSITION)
    }

    /// The number of codes. [`DtmTable::position`] takes numbers below it; some have no
    /// position.
    #[expect(clippy::len_without_is_empty, reason = "no table is empty")]
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// The position of a number, and its value; `None` for numbers without a position.
    pub fn position(&self, number: usize) -> Option<(State, DtmValue)> {
        let value = decode(*self.codes.get(number)?)?;
        Some((self.state(number)?, value))
    }

    /// The position of a number; `None` unless it is legal and has this number.
    pub(super) fn state(&self, number: usize) -> Option<State> {
        let placement = self.layout.placement(number);
        if self.layout.index(&placement) != Some(number) {
            return None;
        }
        state(&self.material, &placement)
    }

    /// Counts the positions.
    pub fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        let mut longest: [Option<(u8, usize)>; 2] = [None; 2];
        for (number, &code) in self.codes.iter().enumerate() {
            let Some(value) = decode(code) else { continue };
            let side = if number < self.len() / 2 { Color::White } else { Color::Black };
            let winner = match value {
                DtmValue::Win(_) => Some(side),
                DtmValue::Draw => None,
                DtmValue::Loss(_) => Some(!side),
            };
            statistics.positions += 1;
            match winner {
                None => statistics.draws += 1,
                Some(Color::White) => statistics.wins += 1,
                Some(Color::Black) => statistics.losses += 1,
            }
            // Only with the winner to move, so that the distance is a mate it can force.
            if let DtmValue::Win(plies) = value {
                let longest = &mut longest[side.index()];
                if longest.is_none_or(|(most, _)| plies > most) {
                    *longest = Some((plies, number));
                }
            }
        }
        let state = |(plies, number)| Some((plies, self.state(number)?));
        let [win, loss] = longest.map(|longest| longest.and_then(state));
        Statistics { longest_win: win, longest_loss: loss, ..statistics }
    }
}

/// The state of a placement; `None` if it is illegal.
fn state(material: &Material, placement: &Placement) -> Option<State> {
    let others = material.non_kings().iter().map(|piece| (piece.color, piece.piece));
    let kings = Color::ALL.map(|color| (color, Piece::King));
    let mut setup = Setup { side_to_move: placement.side, ..Setup::default() };
    for (piece, square) in kings.into_iter().chain(others).zip(placement.squares) {
        if setup.board[square.index()].replace(piece).is_some() {
            return None;
        }
    }
    setup.validate().ok().map(|(state, _)| state)
}
