//! What tells apart two builds of Lovec that play different games.
//!
//! A file of games should come from one program, and a version number says little
//! about that: whoever changes a weight and builds anew has another program with the
//! same number. So a few positions are searched as in a game, and all that the search
//! reports of them goes into a checksum, together with the weights: what `lovec bench`
//! counts, on a small scale.

use flate2::Crc;

use crate::chess::Position;
use crate::datagen::DatagenError;
use crate::datagen::player::Player;
use crate::eval::{WEIGHTS, writer};
use crate::search::{Control, Report, Reporter};

/// An opening, a middlegame, an attack and an endgame.
const POSITIONS: [&str; 4] = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "r2q1rk1/ppp2p1p/2np2pQ/2b1p3/2B1P1b1/2NP1N2/PPP2PPP/R4RK1 w - - 0 11",
    "8/5pk1/4p1p1/3pP2p/1p1P3P/1P3KP1/5P2/8 w - - 0 40",
];

/// Nodes to search of each.
const NODES: u64 = 2000;

/// A number that changes with the weights, and as good as always with the search and
/// the evaluation.
pub(super) fn signature() -> Result<u32, DatagenError> {
    let control = Control::new(std::time::Instant::now(), false);
    let mut player = Player::new(&control)?;
    let mut checksum = Checksum(Crc::new());
    checksum.0.update(writer::source(&WEIGHTS).as_bytes());
    for position in POSITIONS.iter().filter_map(|fen| Position::from_fen(fen).ok()) {
        player.follow(&position, NODES, &mut checksum);
    }
    Ok(checksum.0.sum())
}

/// Adds up all reports of a search.
struct Checksum(Crc);

impl Reporter for Checksum {
    fn report(&mut self, report: &Report<'_>) {
        let Report { depth, score, bound, nodes, pv, .. } = report;
        self.0.update(format!("{depth} {score:?} {bound:?} {nodes} {pv:?}\n").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_program_has_one_signature() {
        assert_eq!(signature().unwrap(), signature().unwrap());
    }

    #[test]
    fn each_position_is_searched_for_some_depth() {
        struct Deepest(u8);
        impl Reporter for Deepest {
            fn report(&mut self, report: &Report<'_>) {
                self.0 = self.0.max(report.depth);
            }
        }
        let mut player = Player::new(&Control::new(std::time::Instant::now(), false)).unwrap();
        for fen in POSITIONS {
            let mut deepest = Deepest(0);
            player.follow(&Position::from_fen(fen).unwrap(), NODES, &mut deepest);
            assert!(deepest.0 >= 4, "{fen}: depth {}", deepest.0);
        }
    }
}
