//! The order of the moves at a node.
//!
//! | to read | what it holds |
//! |---|---|
//! | [`refutations`] | the line that settled each move of the root |
//! | [`oracle`] | the true values of moves, for the best and the worst order |

pub mod oracle;
pub mod refutations;

use std::cmp::Reverse;

use crate::lab::game::{GameMove, GameTree, at_ply, mix};
use crate::lab::order::oracle::Oracle;
use crate::lab::order::refutations::Refutations;
use crate::lab::{Counts, GivenSettings, Law, LimitCheck, SettingInfo, StopReason, ensure};

/// The setting of the rows.
pub const ORDER: SettingInfo = SettingInfo::words(
    "order",
    &[
        "tt",
        "iid",
        "refutation",
        "mvv",
        "see",
        "killers",
        "counter",
        "history",
        "sacrifice",
        "value",
        "random",
        "perfect",
        "worst",
    ],
    "move first: tt, the move of the table; iid, without one the move of a search two plies \
     less deep (internal iterative deepening; ab, scout, negascout, pvs, b-star-95); refutation, \
     with deepen, the line that settled the move of the root before; mvv, captures by victim and \
     attacker; see, captures by the exchange that follows, losing ones last; killers, moves \
     that cut elsewhere at this ply; counter, the move that cut after the same last move; history, \
     moves that cut often; sacrifice, after those moves that lose material, by the captures, \
     checks, pins and forks that they prepare; value, by the static value of the child; random, \
     equal moves at random; perfect and worst, by the values of a full search with static \
     leaves that is not counted, so that they are true with such leaves only",
)
.word_with("tt", "table or moves");

/// The least depth at which internal iterative deepening looks for a move, …
const IID_DEPTH: u32 = 3;
/// … and the plies that its search is less deep.
pub const IID_REDUCTION: u32 = 2;

/// Which moves come first. Without any, moves are in the order of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct OrderFlags {
    tt: bool,
    iid: bool,
    refutation: bool,
    mvv: bool,
    see: bool,
    killers: bool,
    counter: bool,
    history: bool,
    sacrifice: bool,
    value: bool,
    random: bool,
    /// By true values: 1 with the best first, -1 with the worst first.
    by_truth: Option<i64>,
}

impl OrderFlags {
    pub fn new(given: &GivenSettings) -> Self {
        let has = |word| given.has_word(&ORDER, word);
        Self {
            tt: has("tt") || has("iid"),
            iid: has("iid"),
            refutation: has("refutation"),
            mvv: has("mvv"),
            see: has("see"),
            killers: has("killers"),
            counter: has("counter"),
            history: has("history"),
            sacrifice: has("sacrifice"),
            value: has("value"),
            random: has("random"),
            by_truth: match (has("perfect"), has("worst")) {
                (true, _) => Some(1),
                (false, true) => Some(-1),
                (false, false) => None,
            },
        }
    }

    /// Whether a node of a depth without a move in the table looks for one.
    #[inline]
    pub fn deepens_internally(&self, depth: u32) -> bool {
        self.iid && depth >= IID_DEPTH
    }
}

/// The classes of moves, best first; within a class moves are in order of a number.
const TT: i64 = 1 << 60;
const REFUTATION: i64 = 1 << 59;
const NOISY: i64 = 1 << 50;
const KILLER: i64 = 1 << 40;
const COUNTER: i64 = KILLER - 1;
const SACRIFICE: i64 = KILLER - 1000;
const LOSING: i64 = -KILLER;
/// History counts stay below the class of countermoves.
const MAX_HISTORY: i64 = 1 << 39;

/// What is known of a node when its moves are sorted.
#[derive(Clone, Copy, Debug)]
pub struct OrderNode<'p> {
    /// The moves from the root to here; a pass is `None`.
    pub path: &'p [Option<GameMove>],
    /// The plies to the leaves.
    pub depth: u32,
    /// The move of the table, or of a search less deep.
    pub tt_move: Option<GameMove>,
    /// Whether static values are quick ones.
    pub is_lazy: bool,
}

/// Sorts moves, and learns from cutoffs.
#[derive(Debug)]
pub struct MoveOrder {
    flags: OrderFlags,
    move_places: usize,
    /// The last two moves that caused a cutoff, by ply.
    killers: Vec<[Option<GameMove>; 2]>,
    /// By side and number of the move before: the move that caused a cutoff after it
    /// (Uiterwijk, "The countermove heuristic", 1992).
    counters: [Vec<Option<GameMove>>; 2],
    /// By side and number of the move: the squares of the depths at which it caused
    /// cutoffs, added up (Schaeffer, "The history heuristic", 1983, with powers of two).
    history: [Vec<i64>; 2],
    refutations: Refutations,
    oracle: Oracle,
}

impl MoveOrder {
    /// An order for a game whose tables by move have some places.
    pub fn new(flags: OrderFlags, move_places: usize) -> Self {
        let places = |is_used: bool| if is_used { move_places } else { 0 };
        let [counters, history] = [flags.counter, flags.history].map(places);
        Self {
            flags,
            move_places,
            killers: Vec::new(),
            counters: [vec![None; counters], vec![None; counters]],
            history: [vec![0; history], vec![0; history]],
            refutations: Refutations::default(),
            oracle: Oracle::default(),
        }
    }

    /// The place of a move in a table by move.
    #[inline]
    fn place(&self, m: GameMove) -> usize {
        usize::from(m) & (self.move_places - 1)
    }

    /// Whether moves are sorted at all.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.flags != OrderFlags::default()
    }

    /// Why the order is not the requested one.
    #[inline]
    pub fn fault(&self) -> Option<StopReason> {
        self.oracle.fault
    }

    /// Sorts the moves of a node; moves of equal rank keep their order.
    pub fn sort(
        &mut self,
        game: &mut dyn GameTree,
        limit: &mut LimitCheck<'_>,
        moves: &mut [GameMove],
        node: &OrderNode<'_>,
    ) {
        let side = usize::from(game.max_to_move());
        let known = self.known_moves(side, node);
        let mut number = 0;
        moves.sort_by_cached_key(|&m| {
            let rank = match self.flags.by_truth {
                Some(sign) => sign * i64::from(self.oracle.move_value(game, m, node.depth, limit)),
                None => self.rank(game, m, side, node.is_lazy, &known),
            };
            let lot = if self.flags.random { mix(game.key(), number) } else { 0 };
            number += 1;
            Reverse((rank, lot))
        });
    }

    /// The moves of this node that come first, with their ranks.
    fn known_moves(&self, side: usize, node: &OrderNode<'_>) -> [(Option<GameMove>, i64); 5] {
        let killers = self.killers.get(node.path.len()).copied().unwrap_or_default();
        let last = node.path.last().copied().flatten().filter(|_| self.flags.counter);
        [
            (node.tt_move.filter(|_| self.flags.tt), TT),
            (self.refutations.next(node.path), REFUTATION),
            (killers[0], KILLER + 1),
            (killers[1], KILLER),
            (last.and_then(|last| self.counters[side][self.place(last)]), COUNTER),
        ]
    }

    /// The rank of a move: its class, and its place in the class.
    fn rank(
        &self,
        game: &mut dyn GameTree,
        m: GameMove,
        side: usize,
        is_lazy: bool,
        known: &[(Option<GameMove>, i64); 5],
    ) -> i64 {
        let flags = self.flags;
        let known = known.iter().find(|known| known.0 == Some(m)).map(|known| known.1);
        if let Some(rank) = known.filter(|&rank| rank >= REFUTATION) {
            return rank;
        }
        let potential = if flags.sacrifice { game.sacrifice_potential(m) } else { 0 };
        if potential > 0 {
            return known.unwrap_or(SACRIFICE + i64::from(potential));
        }
        if (flags.mvv || flags.see) && game.is_noisy(m) {
            let gain = if flags.see { i64::from(game.exchange(m)) } else { 0 };
            return match (gain < 0, flags.mvv) {
                (true, _) => LOSING + gain,
                (false, true) => NOISY + i64::from(game.guess(m)),
                (false, false) => NOISY + gain,
            };
        }
        known.unwrap_or_else(|| {
            let history = if flags.history { self.history[side][self.place(m)] } else { 0 };
            history + if flags.value { child_value(game, m, is_lazy) } else { 0 }
        })
    }

    /// Learns that a move caused a cutoff at a node with this path.
    #[inline]
    pub fn cutoff(
        &mut self,
        game: &dyn GameTree,
        m: GameMove,
        path: &[Option<GameMove>],
        depth: u32,
    ) {
        if (self.flags.mvv || self.flags.see) && game.is_noisy(m) {
            return;
        }
        let side = usize::from(game.max_to_move());
        if self.flags.killers {
            if self.killers.len() <= path.len() {
                self.killers.resize(path.len() + 1, [None; 2]);
            }
            let killers = &mut self.killers[path.len()];
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
        }
        if let Some(last) = path.last().copied().flatten().filter(|_| self.flags.counter) {
            let place = self.place(last);
            self.counters[side][place] = Some(m);
        }
        if self.flags.history {
            let place = self.place(m);
            let count = &mut self.history[side][place];
            *count = (*count + i64::from(depth).pow(2)).min(MAX_HISTORY);
        }
    }

    /// Learns the line that settled a move of the root.
    #[inline]
    pub fn root_move_is_settled(&mut self, m: GameMove, line: &[GameMove]) {
        if self.flags.refutation {
            self.refutations.store(m, line);
        }
    }
}

/// Sorts moves by the static values of the children, the best first.
pub fn sort_by_child_value(game: &mut dyn GameTree, moves: &mut [GameMove], is_lazy: bool) {
    moves.sort_by_cached_key(|&m| Reverse(child_value(game, m, is_lazy)));
}

/// The static value of a child, for the side that makes the move; the quick one if it is
/// lazy.
pub fn child_value(game: &mut dyn GameTree, m: GameMove, is_lazy: bool) -> i64 {
    game.play(m);
    let value = match game.end() {
        Some(end) => at_ply(end, 1),
        None if is_lazy => game.quick_value(),
        None => game.value(),
    };
    game.undo();
    -i64::from(value)
}

/// Orders of each kind.
const ORDERS: [&str; 13] = [
    "order=mvv",
    "order=see",
    "order=killers",
    "order=counter",
    "order=history",
    "order=sacrifice+mvv",
    "order=value:lazy",
    "order=random",
    "order=worst",
    "order=mvv+see+killers+counter+history+random",
    "order=tt+value:table=10000",
    "order=iid+mvv:table=100",
    "order=refutation+iid:deepen",
];

pub const LAWS: [Law; 4] = [
    Law {
        name: "any-order",
        text: "no order of the moves changes the value",
        applies: |_| true,
        check: |sample| {
            let truth = sample.minimax()?.value;
            ORDERS.iter().try_for_each(|order| sample.expect_value(&format!("ab:{order}"), truth))
        },
    },
    Law {
        name: "perfect-order",
        text: "in a uniform tree with the perfect order alpha-beta, NegaScout and PVS visit the \
               w^ceil(d/2) + w^floor(d/2) - 1 leaves of the minimal tree",
        applies: |sample| sample.uniform().is_some(),
        check: |sample| {
            let least = sample.minimal_leaves()?;
            ["ab", "negascout", "pvs"].into_iter().try_for_each(|row| {
                let leaves = sample.run(&format!("{row}:order=perfect"))?.counts.leaves;
                ensure(leaves == least, || format!("{row}: {leaves} leaves, not {least}"))
            })
        },
    },
    Law {
        name: "perfect-cutoffs",
        text: "with the perfect order the first move causes every cutoff",
        applies: |_| true,
        check: |sample| {
            let Counts { first_cutoffs, cutoffs, .. } = sample.run("ab:order=perfect")?.counts;
            ensure(first_cutoffs == cutoffs, || format!("{first_cutoffs} of {cutoffs}"))
        },
    },
    Law {
        name: "orders-permute-leaves",
        text: "without cutoffs each order of the moves visits the same leaves",
        applies: |sample| sample.size() < 2000,
        check: |sample| {
            let leaves = |row: &str| {
                let mut leaves = sample.run(row)?.leaves;
                leaves.sort_unstable();
                Ok::<_, String>(leaves)
            };
            let given = leaves("negamax")?;
            ["value", "random", "mvv+random", "see"].into_iter().try_for_each(|order| {
                let own = leaves(&format!("negamax:order={order}"))?;
                ensure(own == given, || order.to_owned())
            })
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Limit;
    use crate::lab::game::Evaluation;
    use crate::lab::test_run::{chess, nodes_of_middlegame, solve};

    /// The moves of a position, sorted by an order that has learned nothing.
    fn sorted(order: &str, fen: &str) -> Vec<String> {
        let row = [ORDER];
        let given = GivenSettings::parse("x", &row, &[&format!("order={order}")]).unwrap();
        let mut game = chess(fen, Evaluation::Material);
        let mut moves = game.moves();
        let node = OrderNode { path: &[], depth: 2, tt_move: None, is_lazy: false };
        let mut limit = LimitCheck::new(Limit::NONE);
        MoveOrder::new(OrderFlags::new(&given), game.move_places())
            .sort(&mut game, &mut limit, &mut moves, &node);
        moves.into_iter().map(|m| game.text(m)).collect()
    }

    /// The queen can take a guarded rook, and the knight a bishop or a guarded pawn.
    #[test]
    fn captures_by_victim_and_by_exchange() {
        const FEN: &str = "4k3/8/1p1p3p/2r3b1/4p3/2Q2N2/8/4K3 w - - 0 1";
        let (mvv, see) = (sorted("mvv", FEN), sorted("see", FEN));
        assert_eq!(mvv[..2], ["c3c5", "f3g5"]);
        assert_eq!((see[0].as_str(), see.last().unwrap().as_str()), ("f3g5", "c3c5"));
    }

    /// The only mate in one comes first, or last.
    #[test]
    fn true_values() {
        const FEN: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
        assert_eq!(sorted("perfect", FEN)[0], "a1a8");
        assert_eq!(sorted("worst", FEN).last().unwrap(), "a1a8");
    }

    /// Without equal values the worst order leaves no cutoff in a tree of two plies.
    #[test]
    fn the_best_and_the_worst_order_of_the_textbooks() {
        const TREE: &str = "explicit:[[14 5 1] [3 12 8] [2 4 6]]";
        let leaves = |row: &str| solve(row, TREE, 2).1.leaves;
        assert_eq!((leaves("ab:order=perfect"), leaves("ab:order=worst")), (5, 9));
    }

    /// A random order is another one, and always the same.
    #[test]
    fn random_orders_repeat() {
        const FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_ne!(sorted("random", FEN), sorted("none", FEN));
        assert_eq!(sorted("random", FEN), sorted("random", FEN));
    }

    /// Each order saves nodes, and the perfect one most.
    #[test]
    fn orders_save_nodes() {
        let plain = nodes_of_middlegame("ab:deepen");
        for order in ["mvv", "see", "killers", "counter", "history", "refutation"] {
            let ordered = nodes_of_middlegame(&format!("ab:order={order}:deepen"));
            assert!(ordered < plain, "{order}: {ordered}, {plain}");
        }
        let [plain, ordered] =
            ["mtdf:deepen", "mtdf:deepen:moves=99999:order=tt"].map(nodes_of_middlegame);
        assert!(ordered < plain, "{ordered}, {plain}");
        let [perfect, usual] =
            ["ab:order=perfect", "ab:order=mvv+killers"].map(nodes_of_middlegame);
        assert!(perfect < usual, "{perfect}, {usual}");
    }
}
