//! Where games begin.
//!
//! A search of so many nodes has one answer to a position, so that all games
//! from one position would be the same. Each therefore begins with some moves at
//! random, from the start position or from one of a book. What they lead to must
//! still be a game: not over, and not decided.

use std::str::FromStr;

use flate2::Crc;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use thiserror::Error;

use crate::chess::Position;
use crate::chess::notation::epd::{self, Epd, EpdError};
use crate::datagen::DatagenOptions;
use crate::datagen::player::Player;
use crate::datagen::result::by_rule;
use crate::eval::Score;

/// A side this far ahead has as good as won.
const MAX_OPENING_SCORE: Score = Score::new(300);
/// Nodes of the search that finds out.
const TRIAL_NODES: u64 = 2000;
/// How many openings a game refuses before it gives up. Random moves from a sound
/// position pass after a few, even if there are dozens of them.
const MAX_TRIALS: usize = if cfg!(test) { 50 } else { 1000 };

/// Positions from which games begin; without a file, the start position.
#[derive(Clone, Debug)]
pub struct OpeningList {
    /// At least one.
    positions: Vec<Position>,
    /// Of the text that they were read from.
    checksum: Option<u32>,
}

/// Why a text is no book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    #[error("line {line}: {error}")]
    Line { line: usize, error: EpdError },
    #[error("there is no position in it")]
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
        let mut checksum = Crc::new();
        checksum.update(text.as_bytes());
        Ok(Self { positions, checksum: Some(checksum.sum()) })
    }
}

impl OpeningList {
    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// A name that changes with the text and not with the place of the file.
    pub(super) fn name(&self) -> String {
        match self.checksum {
            Some(checksum) => format!("{} positions, CRC {checksum:08x}", self.len()),
            None => "start position".to_owned(),
        }
    }
}

/// No opening was found that is worth a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("game {}: {MAX_TRIALS} openings in a row are over or decided", .game + 1)]
pub struct NoOpening {
    game: u64,
}

/// The openings of all games.
pub(super) struct Openings<'a> {
    /// The positions of the book in random order.
    starts: Vec<&'a Position>,
    random_plies: u32,
}

impl<'a> Openings<'a> {
    pub fn new(options: &'a DatagenOptions) -> Self {
        let mut starts: Vec<&Position> = options.book.positions.iter().collect();
        starts.shuffle(&mut StdRng::seed_from_u64(options.seed));
        Self { starts, random_plies: options.random_plies }
    }

    /// The opening of a game, by the game's own random numbers. Games take the
    /// positions of the book in turn, so that none comes again before all have
    /// had theirs; only in place of one that is no good another is drawn.
    pub fn draw(
        &self,
        game: u64,
        random: &mut StdRng,
        player: &mut Player,
    ) -> Result<Position, NoOpening> {
        let turn = (game % self.starts.len() as u64) as usize;
        let mut start = self.starts[turn];
        for _ in 0..MAX_TRIALS {
            let plies = self.plies(random);
            if let Some(position) = play_random_moves(start, plies, random)
                && is_balanced(&position, player)
            {
                return Ok(position);
            }
            start = self.starts.choose(random).copied().unwrap_or(start);
        }
        Err(NoOpening { game })
    }

    /// How many random moves to play: either side is to be the first to choose.
    fn plies(&self, random: &mut StdRng) -> u32 {
        if self.random_plies == 0 {
            0
        } else {
            self.random_plies + u32::from(random.random_bool(0.5))
        }
    }
}

/// Plays so many random moves; `None` if the game ends meanwhile.
fn play_random_moves(start: &Position, plies: u32, random: &mut StdRng) -> Option<Position> {
    let mut position = start.clone();
    for _ in 0..plies {
        let m = *position.legal_moves().choose(random)?;
        position.make(m);
    }
    by_rule(&position).is_none().then_some(position)
}

/// Whether a short search gives both sides a chance.
fn is_balanced(position: &Position, player: &mut Player) -> bool {
    player
        .think(position, TRIAL_NODES)
        .is_some_and(|choice| choice.score.abs() <= MAX_OPENING_SCORE)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Instant;

    use super::*;
    use crate::search::Control;

    const BOOK: &str = "\
# Three quiet ones.
rnbqkbnr/ppp2ppp/3p4/8/3p4/4P3/PPPB1PPP/RN1QKBNR w KQkq - 0 4

rnbqkbnr/ppp2p1p/3p2p1/4p3/1P6/5NP1/P1PPPP1P/RNBQKB1R w KQkq -
rnbqkbnr/pp1p1p1p/6p1/2p1p3/2P5/3BP3/PP1P1PPP/RNBQK1NR w KQkq - bm Nc3; id \"three\";
";

    fn options(book: OpeningList, random_plies: u32) -> DatagenOptions {
        DatagenOptions { seed: 1, nodes: 100, random_plies, per_game: 1, book }
    }

    fn player() -> Player {
        Player::new(&Control::new(Instant::now(), false)).unwrap()
    }

    fn random(seed: u64) -> StdRng {
        StdRng::seed_from_u64(seed)
    }

    #[test]
    fn books_hold_fens_and_epds() {
        assert_eq!(BOOK.parse::<OpeningList>().unwrap().len(), 3);
    }

    #[test]
    fn bad_books_say_where() {
        let error = format!("{BOOK}nonsense\n").parse::<OpeningList>().unwrap_err();
        assert!(matches!(error, OpeningError::Line { line: 6, .. }), "{error}");
        assert_eq!("# nothing\n\n".parse::<OpeningList>().unwrap_err(), OpeningError::Empty);
    }

    #[test]
    fn books_that_differ_have_names_that_differ() {
        let name = |text: &str| text.parse::<OpeningList>().unwrap().name();
        assert_eq!(name(BOOK), name(BOOK));
        assert_ne!(name(BOOK), name(&BOOK.replace("/ppp2ppp/", "/ppp3pp/")));
        assert_ne!(name(BOOK), OpeningList::default().name());
    }

    #[test]
    fn each_position_of_a_book_has_its_turn() {
        let options = options(BOOK.parse().unwrap(), 0);
        let openings = Openings::new(&options);
        let mut player = player();
        let drawn = |game| openings.draw(game, &mut random(game), &mut player).unwrap().fen();
        let fens: Vec<String> = (0..6).map(drawn).collect();
        assert_eq!(fens[..3], fens[3..]);
        assert_eq!(fens[..3].iter().collect::<BTreeSet<_>>().len(), 3);
    }

    #[test]
    fn either_side_is_the_first_to_choose() {
        let options = options(OpeningList::default(), 8);
        let openings = Openings::new(&options);
        let mut player = player();
        let plies: BTreeSet<usize> = (0..20)
            .map(|game| openings.draw(game, &mut random(game), &mut player).unwrap().plies())
            .collect();
        assert_eq!(plies, BTreeSet::from([8, 9]));
    }

    #[test]
    fn what_is_over_or_decided_is_no_opening() {
        for fen in [
            "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
            "8/8/8/8/8/8/8/K1k3B1 w - - 0 1",
            "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1",
        ] {
            let options = options(fen.parse().unwrap(), 0);
            let drawn = Openings::new(&options).draw(4, &mut random(1), &mut player());
            assert_eq!(drawn, Err(NoOpening { game: 4 }), "{fen}");
        }
    }
}
