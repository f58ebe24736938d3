//! Extensions: forcing moves do not take from the depth, so that a threat is not pushed
//! beyond the leaves.

use crate::lab::game::{GameMove, MoveFacts};
use crate::lab::search::leaf::captures;
use crate::lab::{GivenSettings, Law, Search, Searched, SettingInfo, ensure};

pub const EXTEND: SettingInfo = SettingInfo::words(
    "extend",
    &["check", "recapture", "seventh", "threat", "sacrifice", "singular"],
    "moves that do not take from the depth, to twice the plies: checks; captures on the \
     square of the last capture; pawns to the seventh rank; moves of a piece that would win \
     something if it moved again; moves that lose material and prepare much; moves that a \
     search of half the depth finds better than all others",
);
pub const SACRIFICE: SettingInfo = SettingInfo::number(
    "sacrifice",
    [0, 1000],
    8,
    "with extend=sacrifice: the captures, promotions, checks, pins and forks that a move that \
     loses material has to prepare; a check counts as twenty",
)
.with("extend=sacrifice");

pub const SINGULAR: SettingInfo = SettingInfo::number(
    "singular",
    [1, 10_000],
    100,
    "with extend=singular: by how much a move has to be better than all others",
)
.with("extend=singular");

/// The switches of extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Extensions {
    pub check: bool,
    pub recapture: bool,
    pub seventh: bool,
    pub threat: bool,
    /// The least potential of a sacrifice.
    pub sacrifice: Option<i32>,
    /// The least margin of a singular move.
    pub singular: Option<i32>,
}

impl Extensions {
    pub fn new(given: &GivenSettings) -> Self {
        let has = |word| given.has_word(&EXTEND, word);
        Self {
            check: has("check"),
            recapture: has("recapture"),
            seventh: has("seventh"),
            threat: has("threat"),
            sacrifice: has("sacrifice").then(|| given.number(&SACRIFICE) as i32),
            singular: has("singular").then(|| given.number(&SINGULAR) as i32),
        }
    }

    pub fn is_on(&self) -> bool {
        *self != Self::default()
    }
}

/// What a threat wins at least, in centipawns.
const THREAT: i32 = 100;

/// The plies by which a move that has just been made is searched deeper, after the move
/// `before` of the other side. `is_forcing` is what [`is_sacrifice`] or
/// [`is_singular`](super::trial::is_singular) has found before it was made.
pub fn plies(s: &mut Search<'_>, before: MoveFacts, is_forcing: bool) -> Searched<u32> {
    let extensions = s.switches.selection.extensions;
    if !extensions.is_on() || s.ply() > 2 * s.depth as usize {
        return Ok(0);
    }
    let m = s.line_node().arrival;
    let destination = |m: MoveFacts| m.squares.filter(|_| m.is_noisy).map(|(_, to)| to);
    let recaptures = destination(m).is_some() && destination(m) == destination(before);
    let extends = is_forcing
        || (extensions.check && m.gives_check)
        || (extensions.recapture && recaptures)
        || (extensions.seventh && m.to_seventh)
        || (extensions.threat && threatens(s, m)?);
    Ok(extends.into())
}

/// Whether a move is extended because it loses material and prepares enough in return.
pub fn is_sacrifice(s: &mut Search<'_>, m: GameMove) -> bool {
    let least = s.switches.selection.extensions.sacrifice;
    least.is_some_and(|least| s.game.sacrifice_potential(m) >= least.max(1))
}

/// Whether the piece that has just moved would win something with another move: the other
/// side passes, and its captures are searched with a null window.
fn threatens(s: &mut Search<'_>, m: MoveFacts) -> Searched<bool> {
    let Some((_, square)) = m.squares else { return Ok(false) };
    if s.game.end().is_some() || !s.pass() {
        return Ok(false);
    }
    let goal = s.game.value() + THREAT;
    let mut wins = false;
    for m in s.game.moves() {
        let facts = s.game.facts(m);
        if !facts.is_noisy || facts.squares.is_none_or(|(from, _)| from != square) {
            continue;
        }
        s.play(m);
        s.enter_quiescence()?;
        wins = -captures(s, -goal, 1 - goal)? >= goal;
        s.undo();
        if wins {
            break;
        }
    }
    s.undo();
    Ok(wins)
}

pub const LAWS: [Law; 2] = [
    Law {
        name: "extensions-belong-to-the-tree",
        text: "alpha-beta and its kin find the value of negamax in the tree with extensions",
        applies: |sample| sample.is_chess() && sample.size() < 300,
        check: |sample| {
            ["extend=check", "extend=recapture+seventh", "extend=threat", "extend=sacrifice"]
                .iter()
                .try_for_each(|extend| sample.expect_negamax(&["ab", "negascout", "pvs"], extend))
        },
    },
    Law {
        name: "nothing-to-extend",
        text: "in a game without checks, captures and pawns extensions change nothing",
        applies: |sample| !sample.has_captures(),
        check: |sample| {
            let run = sample.run("ab:extend=check+recapture+seventh+threat")?;
            ensure(run.is_like(&sample.run("ab")?), || "a different search".into())
        },
    },
];
