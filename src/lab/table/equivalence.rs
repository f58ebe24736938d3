//! Positions that share an entry of the table because they are worth the same, or are taken
//! to be: each class of positions has one entry. A move is stored as it is in the image of
//! the position with the least key, which stands for its class.
//!
//! Coarser classes make a table that finds more, up to partition search (Ginsberg,
//! "Partition search", 1996). The coarse classes here are not true, and show what an error of
//! a class costs: the value of the root may be wrong.

use crate::lab::Law;
use crate::lab::game::{GameTree, mix};

/// Which positions share an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// Equal ones.
    Exact,
    /// Reflections and rotations of each other.
    Mirrored,
    /// Those, and positions with the sides exchanged.
    Turned,
    /// Those with the same static value and number of moves.
    Coarse,
}

impl Equivalence {
    pub const ALL: [Self; 4] = [Self::Exact, Self::Mirrored, Self::Turned, Self::Coarse];
    pub const NAMES: [&str; 4] = ["exact", "mirrored", "turned", "coarse"];

    /// The key of the class of a position, and the image that stands for the class.
    #[inline]
    pub fn class(self, game: &dyn GameTree) -> (u64, u8) {
        match self {
            Self::Exact => (game.key(), 0),
            Self::Mirrored => least_image(game, game.reflections()),
            Self::Turned => least_image(game, game.images()),
            Self::Coarse => (mix(game.value() as u64, game.moves().len() as u64), 0),
        }
    }
}

/// The image with the least key, and its key.
fn least_image(game: &dyn GameTree, images: u8) -> (u64, u8) {
    let keys = (0..images).filter_map(|image| Some((game.image_key(image)?, image)));
    keys.min().unwrap_or((game.key(), 0))
}

pub const LAWS: [Law; 1] = [Law {
    name: "any-symmetry",
    text: "a table that positions share with their images does not change the value",
    applies: |sample| !sample.is_synthetic(),
    check: |sample| {
        let truth = sample.minimax()?.value;
        for classes in ["mirrored", "turned"] {
            let table = format!("table=20000:replace=cluster:classes={classes}");
            let rows = ["ab:deepen:order=tt+killers", "mtdf", "negamax:moves=500:order=tt"];
            sample.expect_values(&rows, &table, truth)?;
        }
        Ok(())
    },
}];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Counts;
    use crate::lab::game::{AnyGame, Evaluation};
    use crate::lab::test_run::{chess, solve};

    /// Of the 5478 positions of tic-tac-toe 4520 have a move, and 627 of the 765 classes.
    #[test]
    fn positions_of_tictactoe() {
        let searched = |classes: &str| {
            let row = format!("negamax:table=100000:replace=cluster:classes={classes}");
            let Counts { nodes, cuts, leaves, .. } = solve(&row, "tictactoe", 9).1;
            nodes - cuts - leaves
        };
        assert_eq!((searched("exact"), searched("mirrored")), (4520, 627));
        assert!(searched("coarse") < 627);
    }

    /// Every image of every move leads to the image of the position after it.
    fn check_images(game: &mut dyn GameTree, depth: u32) {
        for image in (0..game.images()).filter(|&image| game.image_key(image).is_some()) {
            for m in game.moves().into_iter().filter(|_| game.end().is_none()) {
                assert_eq!(game.original_move(game.image_move(m, image), image), m);
            }
        }
        if depth == 0 || game.end().is_some() {
            return;
        }
        for m in game.moves() {
            game.play(m);
            check_images(game, depth - 1);
            game.undo();
        }
    }

    #[test]
    fn images_of_moves() {
        for text in ["tictactoe/a1", "connect4:4x4/a", "tree:w=3,d=3"] {
            check_images(AnyGame::parse(text).unwrap().tree(), 3);
        }
        let promotions = "8/1P4k1/8/8/8/8/6p1/1K6 b - - 0 1";
        check_images(&mut chess(promotions, Evaluation::Material), 2);
    }

    #[test]
    fn images_of_chess_positions() {
        let key = |fen: &str, kind: Equivalence| kind.class(&chess(fen, Evaluation::Material)).0;
        let turned = |fen: &str| key(fen, Equivalence::Turned);
        let mirrored = |fen: &str| key(fen, Equivalence::Mirrored);
        const FEN: &str = "4k3/8/3p4/4n3/2pP4/8/8/1K3R2 b - d3 0 1";
        const MIRRORED: &str = "3k4/8/4p3/3n4/4Pp2/8/8/2R3K1 b - e3 0 1";
        const TURNED: &str = "1k3r2/8/8/2Pp4/4N3/3P4/8/4K3 w - d6 0 1";
        assert_eq!(mirrored(FEN), mirrored(MIRRORED));
        assert_eq!((turned(FEN), turned(FEN)), (turned(TURNED), turned(MIRRORED)));
        assert_ne!(mirrored(FEN), mirrored(TURNED));
        // A side that may castle has no reflection.
        const CASTLES: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        const CASTLES_TURNED: &str = "4k2r/8/8/8/8/8/8/4K3 b k - 0 1";
        const NO_RIGHTS: &str = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
        assert_eq!(turned(CASTLES), turned(CASTLES_TURNED));
        assert_ne!(turned(CASTLES), turned(NO_RIGHTS));
        assert_ne!(mirrored(CASTLES), mirrored("3k4/8/8/8/8/8/8/R2K4 w - - 0 1"));
    }
}
