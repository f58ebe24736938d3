//! Positions from which games begin: lists, such as the opening books of chess tools, and
//! random moves.

use std::str::FromStr;

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use thiserror::Error;

use crate::chess::game_result::GameResult;
use crate::chess::notation::epd::{self, Epd, EpdError};
use crate::chess::position::Position;
use crate::util::checksum::crc32;

/// The positions from which games begin; by default the start position.
#[derive(Clone, Debug)]
pub struct OpeningList {
    /// At least one.
    positions: Vec<Position>,
    /// The CRC-32 of the text that they were read from.
    checksum: Option<u32>,
}

/// Why a text is not a list of openings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    #[error("line {line}: {error}")]
    Line { line: usize, error: EpdError },
    #[error("it contains no position")]
    Empty,
}

impl Default for OpeningList {
    fn default() -> Self {
        Self { positions: vec![Position::startpos()], checksum: None }
    }
}

/// Reads a FEN or an EPD from each line.
impl FromStr for OpeningList {
    type Err = OpeningError;

    fn from_str(text: &str) -> Result<Self, OpeningError> {
        let positions: Vec<Position> = epd::lines(text)
            .map(|(line, entry)| match entry.parse::<Epd>() {
                Ok(epd) => Ok(epd.position),
                Err(error) => Err(OpeningError::Line { line, error }),
            })
            .collect::<Result<_, _>>()?;
        if positions.is_empty() {
            return Err(OpeningError::Empty);
        }
        Ok(Self { positions, checksum: Some(crc32(text.as_bytes())) })
    }
}

impl OpeningList {
    /// The positions in a random order that depends on the seed.
    pub fn shuffled(&self, seed: u64) -> Vec<&Position> {
        let mut positions: Vec<&Position> = self.positions.iter().collect();
        positions.shuffle(&mut StdRng::seed_from_u64(seed));
        positions
    }

    /// The number of positions; there is at least one.
    #[expect(clippy::len_without_is_empty, reason = "a list is never empty")]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// A name that depends on the text, not on the path of the file.
    pub fn name(&self) -> String {
        match self.checksum {
            Some(checksum) => format!("{} positions, CRC {checksum:08x}", self.len()),
            None => "start position".to_owned(),
        }
    }
}

/// The position after random moves, `plies` or one more, so that either side moves first; after
/// none if `plies` is 0. `None` if the game is over there.
pub fn after_random_moves(start: &Position, plies: u32, random: &mut StdRng) -> Option<Position> {
    let mut position = start.clone();
    let has_one_more = plies > 0 && random.random_bool(0.5);
    for _ in 0..plies + u32::from(has_one_more) {
        let m = *position.legal_moves().choose(random)?;
        position.make(m);
    }
    GameResult::by_rule(&position).is_none().then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\
# Three quiet positions.
rnbqkbnr/ppp2ppp/3p4/8/3p4/4P3/PPPB1PPP/RN1QKBNR w KQkq - 0 4

rnbqkbnr/ppp2p1p/3p2p1/4p3/1P6/5NP1/P1PPPP1P/RNBQKB1R w KQkq -
rnbqkbnr/pp1p1p1p/6p1/2p1p3/2P5/3BP3/PP1P1PPP/RNBQK1NR w KQkq - bm Nc3; id \"three\";
";

    #[test]
    fn lists_contain_fens_and_epds() {
        assert_eq!(LIST.parse::<OpeningList>().unwrap().len(), 3);
    }

    #[test]
    fn errors_name_the_line() {
        let error = format!("{LIST}nonsense\n").parse::<OpeningList>().unwrap_err();
        assert!(matches!(error, OpeningError::Line { line: 6, .. }), "{error}");
        assert_eq!("# nothing\n\n".parse::<OpeningList>().unwrap_err(), OpeningError::Empty);
    }

    #[test]
    fn different_lists_have_different_names() {
        let name = |text: &str| text.parse::<OpeningList>().unwrap().name();
        assert_eq!(name(LIST), name(LIST));
        assert_ne!(name(LIST), name(&LIST.replace("/ppp2ppp/", "/ppp3pp/")));
        assert_ne!(name(LIST), OpeningList::default().name());
    }
}
