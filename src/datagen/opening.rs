//! Where games begin.
//!
//! A search of a fixed number of nodes is deterministic, so all games from one position
//! would be the same. Each game therefore begins with some random moves, from the start
//! position or from a position of a list. The position after them must be neither over
//! nor decided.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use thiserror::Error;

use crate::chess::Position;
use crate::chess::notation::openings::{OpeningList, after_random_moves};
use crate::datagen::player::Player;
use crate::eval::Score;

/// Openings with a larger score are rejected as decided.
const MAX_OPENING_SCORE: Score = Score::new(300);
/// Nodes of the search for that score.
const TRIAL_NODES: u64 = 2000;
/// Openings that a game tries before it fails. Random moves from a balanced position pass
/// after a few trials, even dozens of them.
const MAX_TRIALS: usize = if cfg!(test) { 50 } else { 1000 };

/// No balanced opening was found for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("game {}: all of {MAX_TRIALS} openings tried are over or decided", .game + 1)]
pub struct NoOpening {
    game: u64,
}

/// The openings of all games.
pub(super) struct Openings<'a> {
    /// The positions of the list in random order.
    starts: Vec<&'a Position>,
    random_plies: u32,
}

impl<'a> Openings<'a> {
    pub fn new(list: &'a OpeningList, random_plies: u32, seed: u64) -> Self {
        Self { starts: list.shuffled(seed), random_plies }
    }

    /// The opening of a game, from the game's own random numbers. Games take the positions
    /// of the list in turn; if a trial is rejected, the next takes a random one.
    pub fn draw(
        &self,
        game: u64,
        random: &mut StdRng,
        player: &mut Player,
    ) -> Result<Position, NoOpening> {
        let turn = (game % self.starts.len() as u64) as usize;
        let mut start = self.starts[turn];
        for _ in 0..MAX_TRIALS {
            if let Some(position) = after_random_moves(start, self.random_plies, random)
                && is_balanced(&position, player)
            {
                return Ok(position);
            }
            start = self.starts.choose(random).copied().unwrap_or(start);
        }
        Err(NoOpening { game })
    }
}

/// Whether a short search finds the position undecided.
fn is_balanced(position: &Position, player: &mut Player) -> bool {
    player
        .choose_move(position, TRIAL_NODES)
        .is_some_and(|choice| choice.score.abs() <= MAX_OPENING_SCORE)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Instant;

    use rand::SeedableRng;

    use super::*;
    use crate::search::Control;

    const LIST: &str = "\
# Three quiet positions.
rnbqkbnr/ppp2ppp/3p4/8/3p4/4P3/PPPB1PPP/RN1QKBNR w KQkq - 0 4

rnbqkbnr/ppp2p1p/3p2p1/4p3/1P6/5NP1/P1PPPP1P/RNBQKB1R w KQkq -
rnbqkbnr/pp1p1p1p/6p1/2p1p3/2P5/3BP3/PP1P1PPP/RNBQK1NR w KQkq - bm Nc3; id \"three\";
";

    fn player() -> Player {
        Player::new(0, &Control::new(Instant::now(), false)).unwrap()
    }

    fn random(seed: u64) -> StdRng {
        StdRng::seed_from_u64(seed)
    }

    #[test]
    fn positions_are_used_in_turn() {
        let list = LIST.parse().unwrap();
        let openings = Openings::new(&list, 0, 1);
        let mut player = player();
        let drawn = |game| openings.draw(game, &mut random(game), &mut player).unwrap().fen();
        let fens: Vec<String> = (0..6).map(drawn).collect();
        assert_eq!(fens[..3], fens[3..]);
        assert_eq!(fens[..3].iter().collect::<BTreeSet<_>>().len(), 3);
    }

    #[test]
    fn either_side_moves_first_after_the_opening() {
        let list = OpeningList::default();
        let openings = Openings::new(&list, 8, 1);
        let mut player = player();
        let plies: BTreeSet<usize> = (0..20)
            .map(|game| openings.draw(game, &mut random(game), &mut player).unwrap().plies())
            .collect();
        assert_eq!(plies, BTreeSet::from([8, 9]));
    }

    #[test]
    fn finished_and_decided_positions_are_rejected() {
        for fen in [
            "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
            "8/8/8/8/8/8/8/K1k3B1 w - - 0 1",
            "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1",
        ] {
            let list = fen.parse().unwrap();
            let drawn = Openings::new(&list, 0, 1).draw(4, &mut random(1), &mut player());
            assert_eq!(drawn, Err(NoOpening { game: 4 }), "{fen}");
        }
    }
}
