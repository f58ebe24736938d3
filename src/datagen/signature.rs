//! A signature that distinguishes builds of Lovec that play different games.
//!
//! All games of a file should come from one program, but a version number does not
//! identify it: a build with changed weights has the same number. So a few positions are
//! searched as in a game, and the reports of the search go into a checksum, together with
//! the weights: a small `lovec bench`.

use std::time::Instant;

use flate2::Crc;

use crate::chess::Position;
use crate::datagen::player::Player;
use crate::eval::{WEIGHTS, writer};
use crate::search::{Control, Report, Reporter, SearcherError};

/// An opening, a middlegame, an attack and an endgame.
const POSITIONS: [&str; 4] = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "r2q1rk1/ppp2p1p/2np2pQ/2b1p3/2B1P1b1/2NP1N2/PPP2PPP/R4RK1 w - - 0 11",
    "8/5pk1/4p1p1/3pP2p/1p1P3P/1P3KP1/5P2/8 w - - 0 40",
];

/// Nodes to search for each.
const NODES: u64 = 2000;

/// A number that changes with the weights, and almost always with the search and the
/// evaluation.
pub fn signature() -> Result<u32, SearcherError> {
    since(Instant::now())
}

/// The signature by a run that began at this time.
fn since(start: Instant) -> Result<u32, SearcherError> {
    let mut player = Player::new(0, &Control::new(start, false))?;
    let mut checksum = Checksum(Crc::new());
    checksum.0.update(writer::source(&WEIGHTS).as_bytes());
    for position in POSITIONS.iter().filter_map(|fen| Position::from_fen(fen).ok()) {
        player.search(&position, NODES, &mut checksum);
    }
    Ok(checksum.0.sum())
}

/// The checksum of all reports of a search.
struct Checksum(Crc);

impl Reporter for Checksum {
    fn report(&mut self, report: &Report<'_>) {
        let Report { depth, score, bound, nodes, pv, .. } = report;
        self.0.update(format!("{depth} {score:?} {bound:?} {nodes} {pv:?}\n").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_clock_changes_nothing() {
        let now = Instant::now();
        assert_eq!(since(now).unwrap(), since(now - Duration::from_secs(10)).unwrap());
    }

    #[test]
    fn each_position_is_searched_to_some_depth() {
        struct MaxDepth(u8);
        impl Reporter for MaxDepth {
            fn report(&mut self, report: &Report<'_>) {
                self.0 = self.0.max(report.depth);
            }
        }
        let mut player = Player::new(0, &Control::new(Instant::now(), false)).unwrap();
        for fen in POSITIONS {
            let mut max = MaxDepth(0);
            player.search(&Position::from_fen(fen).unwrap(), NODES, &mut max);
            assert!(max.0 >= 4, "{fen}: depth {}", max.0);
        }
    }
}
