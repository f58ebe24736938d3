//! The values of leaves.
//!
//! | leaf | its value |
//! |---|---|
//! | static | the static value |
//! | see | the static value and the best exchange, if it gains |
//! | captures | a search of captures and promotions |
//! | evasions | the same; in check all moves are searched |
//! | exchanges | the same without captures that lose by exchange, as in the playing search |
//! | first-line | captures at the first leaf of a search, static values elsewhere |
//! | checks | in check a search two plies deeper, four at most |
//! | turbulence | a search deeper where captures, checks, pins and forks are many |
//!
//! The first two do not see what the moves after them change, and push a loss beyond the
//! leaves by any move that delays it: the horizon effect (Berliner, "Some necessary
//! conditions for a master chess program", 1973).

use crate::lab::game::{DECISIVE, GameTree, at_ply};
use crate::lab::search::deeper::{Deeper, deeper};
use crate::lab::search::quiescence::{QuiescenceMoves, quiescence};
use crate::lab::{GivenSettings, Law, LawSample, Search, Searched, SettingInfo, ensure};

const LEAF: SettingInfo = SettingInfo::word(
    "leaf",
    &["static", "see", "captures", "evasions", "exchanges", "first-line", "checks", "turbulence"],
    "the value of a leaf: static; see, with the best exchange; captures, by a search of \
     captures and promotions; evasions, of all moves in check, too; exchanges, without \
     captures that lose; first-line, captures at the first leaf alone, which is another one in \
     each pass of mtdf and mtd, so that their values are of no one tree; checks, two plies \
     deeper in check; turbulence, deeper while much is attacked",
);
const TURBULENCE: SettingInfo = SettingInfo::number(
    "turbulence",
    [0, 1000],
    8,
    "with leaf=turbulence: captures, promotions, checks, pins and forks of a quiet leaf",
)
.with("leaf=turbulence");
pub const LAZY_LEAF: SettingInfo = SettingInfo::number(
    "lazyleaf",
    [0, 10_000],
    0,
    "lazy evaluation of static leaves: material alone if it is more than N outside the window",
);

/// The settings that need no window.
pub const SETTINGS: [SettingInfo; 2] = [LEAF, TURBULENCE];

/// How a leaf gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafMode {
    /// The static value, by material alone beyond a margin if it is not 0.
    Static { lazy_margin: i32 },
    /// The static value and the best exchange.
    Exchange,
    /// Quiescence search.
    Quiescence(QuiescenceMoves),
    /// A search of captures at the first leaf of a search of the root alone.
    FirstLine,
    /// A deeper search of leaves that are not quiet.
    Deeper(Deeper),
}

impl LeafMode {
    pub fn new(given: &GivenSettings) -> Self {
        let (lazy_margin, turbulence) = (given.number(&LAZY_LEAF), given.number(&TURBULENCE));
        let modes = [
            Self::Static { lazy_margin: lazy_margin as i32 },
            Self::Exchange,
            Self::Quiescence(QuiescenceMoves::Noisy),
            Self::Quiescence(QuiescenceMoves::Evasions),
            Self::Quiescence(QuiescenceMoves::Exchanges),
            Self::FirstLine,
            Self::Deeper(Deeper::Checks),
            Self::Deeper(Deeper::Turbulence(turbulence as i32)),
        ];
        given.choice(&LEAF, &modes)
    }

    /// Whether leaves outside the window have material alone.
    pub fn is_lazy(self) -> bool {
        matches!(self, Self::Static { lazy_margin: 1.. })
    }

    /// Whether the value of a leaf is exact for any window.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Static { lazy_margin: 0 } | Self::Exchange)
    }
}

/// The value of a node that is a leaf: the game ends there, or no depth is left. A search
/// below the leaf uses the window.
#[inline]
pub fn leaf(s: &mut Search<'_>, depth: u32, alpha: i32, beta: i32) -> Searched<Option<i32>> {
    let end = s.game.end();
    if depth > 0 && end.is_none() {
        return Ok(None);
    }
    s.watch.leaf(|| s.game.key());
    let is_first = s.is_first_leaf();
    let value = match end {
        Some(end) => at_ply(end, s.ply() as i32),
        None => open_value(s, is_first, alpha, beta)?,
    };
    Ok(Some(value))
}

/// The value of a leaf where the game goes on.
fn open_value(s: &mut Search<'_>, is_first: bool, alpha: i32, beta: i32) -> Searched<i32> {
    match s.switches.leaf {
        LeafMode::Static { lazy_margin: 0 } => Ok(s.game.value()),
        LeafMode::Static { lazy_margin } => Ok(lazy_value(s.game, lazy_margin, alpha, beta)),
        LeafMode::Exchange => Ok(s.game.value() + best_exchange(s)),
        LeafMode::Quiescence(played) => quiescence(s, played, alpha, beta),
        LeafMode::FirstLine if is_first => captures(s, alpha, beta),
        LeafMode::FirstLine => Ok(s.game.value()),
        LeafMode::Deeper(rule) => deeper(s, rule, alpha, beta),
    }
}

/// The static value, or a bound of it outside the window if the material is further than the
/// margin from the window.
fn lazy_value(game: &dyn GameTree, margin: i32, alpha: i32, beta: i32) -> i32 {
    let quick = game.quick_value();
    let [low, high] =
        [quick - margin, quick + margin].map(|it| it.clamp(1 - DECISIVE, DECISIVE - 1));
    if low >= beta {
        low
    } else if high <= alpha {
        high
    } else {
        game.value()
    }
}

/// What the best exchange gains; 0 if none gains.
fn best_exchange(s: &Search<'_>) -> i32 {
    let moves = s.game.moves();
    let noisy = moves.iter().filter(|&&m| s.game.is_noisy(m));
    noisy.map(|&m| s.game.exchange(m)).max().unwrap_or(0).max(0)
}

/// The static value, or what captures and promotions gain.
pub fn captures(s: &mut Search<'_>, alpha: i32, beta: i32) -> Searched<i32> {
    quiescence(s, QuiescenceMoves::Noisy, alpha, beta)
}

/// The kinds of leaves that are alike everywhere in a search, and more than a static value.
const LEAVES: [&str; 6] = ["see", "captures", "evasions", "exchanges", "checks", "turbulence"];

pub const LAWS: [Law; 3] = [
    Law {
        name: "leaves-need-no-window",
        text: "alpha-beta and NegaScout have the value of negamax with leaves of each kind, and \
               with a table where each leaf is of the same kind",
        // Without a window a search of all captures is long where there are many.
        applies: |sample| sample.is_chess() && sample.size() < 900,
        check: |sample| {
            sample.expect_negamax(&["ab", "negascout"], "leaf=first-line")?;
            LEAVES.iter().try_for_each(|leaf| {
                let rows = ["ab", "negascout", "ab:table=100000"];
                sample.expect_negamax(&rows, &format!("leaf={leaf}"))
            })
        },
    },
    Law {
        name: "leaves-without-captures",
        text: "in a game without captures and checks leaves of each kind have the static value",
        applies: |sample| !sample.has_captures() && !sample.is_synthetic(),
        check: |sample| {
            let minimax = sample.minimax()?;
            for leaf in LEAVES {
                let run = sample.run(&format!("minimax:leaf={leaf}"))?;
                ensure(run == minimax, || format!("{leaf}: value {}", run.value))?;
            }
            Ok(())
        },
    },
    Law {
        name: "lazy-leaves-within-the-margin",
        text: "a lazy evaluation of leaves leaves the value as it is if the full value is never \
               further from the material than the margin",
        applies: LawSample::is_chess,
        check: |sample| {
            let rows = ["ab", "negascout", "mtdf", "ab:table=1000"];
            sample.expect_values(&rows, "lazyleaf=10000", sample.minimax()?.value)
        },
    },
];

#[cfg(test)]
mod tests {
    use crate::lab::game::Evaluation;
    use crate::lab::test_run::{MIDDLEGAME, search};

    /// By material, at depth 1.
    fn value(leaf: &str, fen: &str) -> i32 {
        search(&format!("ab:leaf={leaf}"), fen, 1, Evaluation::Material).0.value
    }

    /// The queen can take a guarded pawn: a static leaf counts it as won. The capture is on
    /// the first line unless it is the last move.
    #[test]
    fn the_horizon() {
        const FEN: &str = "6k1/8/3p4/4p3/8/8/4Q3/4K3 w - - 0 1";
        for leaf in ["static", "checks", "first-line:order=worst"] {
            assert_eq!(value(leaf, FEN), 850, "{leaf}");
        }
        let modes = ["see", "captures", "evasions", "exchanges", "first-line"];
        for leaf in modes.into_iter().chain(["turbulence:turbulence=0"]) {
            assert_eq!(value(leaf, FEN), 750, "{leaf}");
        }
    }

    /// A knight forks king and queen: the side in check is not free to stand pat.
    #[test]
    fn checks_are_answered() {
        const FEN: &str = "q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1";
        for leaf in ["static", "captures"] {
            assert_eq!(value(leaf, FEN), -630, "{leaf}");
        }
        for leaf in ["evasions", "exchanges", "checks"] {
            assert_eq!(value(leaf, FEN), 320, "{leaf}");
        }
    }

    /// A lazy evaluation with a margin of a rook finds the value of a middlegame.
    #[test]
    fn lazy_leaves() {
        let value = |row: &str| search(row, MIDDLEGAME, 3, Evaluation::Lovec).0.value;
        assert_eq!(value("ab:lazyleaf=500"), value("ab"));
        // With a margin of 1 the material decides nearly everywhere.
        assert_ne!(value("ab:lazyleaf=1:order=worst"), value("ab:order=worst"));
    }

    /// Captures that lose are left out, so that fewer nodes are searched.
    #[test]
    fn exchanges_save_nodes() {
        const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let nodes = |row: &str| search(row, FEN, 2, Evaluation::Material).1.quiescence_nodes;
        assert!(nodes("ab:leaf=exchanges") < nodes("ab:leaf=evasions"));
    }
}
