//! Leaves that are searched deeper, with all moves, if they are not quiet.

use crate::lab::game::{GameTree, INFINITE, at_ply};
use crate::lab::{Search, Searched};

/// Which leaves are searched deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deeper {
    /// Those in check, by two plies.
    Checks,
    /// Leaves of a turbulence above this, by one ply.
    Turbulence(i32),
}

impl Deeper {
    /// The plies by which a leaf is searched deeper, at most `left`.
    fn plies(self, game: &dyn GameTree, left: u32) -> u32 {
        let plies = match self {
            Self::Checks if game.in_check() => 2,
            Self::Turbulence(most) if game.turbulence() > most => 1,
            _ => 0,
        };
        plies.min(left)
    }

    /// The plies in all.
    fn most(self) -> u32 {
        match self {
            Self::Checks => 4,
            Self::Turbulence(_) => 2,
        }
    }
}

/// The static value of a leaf, or the value of the search that makes it quiet.
pub fn deeper(s: &mut Search<'_>, rule: Deeper, alpha: i32, beta: i32) -> Searched<i32> {
    alpha_beta(s, rule, 0, rule.most(), alpha, beta)
}

/// Alpha-beta with leaves at a depth, of which the ones that are not quiet are searched up to
/// `left` plies deeper.
fn alpha_beta(
    s: &mut Search<'_>,
    rule: Deeper,
    depth: u32,
    left: u32,
    alpha: i32,
    beta: i32,
) -> Searched<i32> {
    if let Some(end) = s.game.end() {
        return Ok(at_ply(end, s.ply() as i32));
    }
    let (depth, left) = match depth {
        0 => {
            let plies = rule.plies(s.game, left);
            (plies, left - plies)
        }
        _ => (depth, left),
    };
    if depth == 0 {
        return Ok(s.game.value());
    }
    let mut best = -INFINITE;
    for m in s.game.moves() {
        s.play(m);
        s.enter_quiescence()?;
        let value = -alpha_beta(s, rule, depth - 1, left, -beta, -alpha.max(best))?;
        s.undo();
        best = best.max(value);
        if best >= beta {
            break;
        }
    }
    Ok(best)
}
