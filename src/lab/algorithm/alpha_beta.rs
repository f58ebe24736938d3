//! Alpha-beta (Knuth and Moore, "An analysis of alpha-beta pruning", 1975). The soft form
//! returns the best value that it has found, inside or outside the window (Fishburn, 1983);
//! the hard form returns a value of the window.

use crate::lab::algorithm::AlgorithmInfo;
use crate::lab::game::INFINITE;
use crate::lab::search::node::{NodeSearch, enter_node, search_move};
use crate::lab::{Law, LawRun, LawSample, Search, Searched, SettingInfo, ensure};

#[derive(Clone, Copy, Debug)]
pub struct AlphaBeta {
    hard: bool,
}

impl AlphaBeta {
    /// The soft form.
    pub const SOFT: Self = Self { hard: false };
}

const HARD: SettingInfo = SettingInfo::flag("hard", "return only values of the window");

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "ab",
    summary: "alpha-beta: no move is searched that cannot change the value of the root",
    settings: &[HARD],
    new: |given| Box::new(AlphaBeta { hard: given.has(&HARD) }),
    laws: &LAWS,
};

impl NodeSearch for AlphaBeta {
    fn node(&self, s: &mut Search<'_>, depth: u32, alpha: i32, beta: i32) -> Searched<i32> {
        let result = |value: i32| if self.hard { value.clamp(alpha, beta) } else { value };
        if let Some(value) = enter_node(self, s, depth, alpha, beta)? {
            return Ok(result(value));
        }
        let mut best = -INFINITE;
        for (index, m) in s.moves().into_iter().enumerate() {
            let value = search_move(self, s, m, depth, alpha.max(best), beta)?;
            if value > best {
                best = value;
                if value > alpha {
                    s.improve(m);
                }
            }
            if best >= beta {
                s.cutoff(index, m, depth);
                break;
            }
        }
        s.store(depth, alpha, beta, best);
        Ok(result(best))
    }
}

const LAWS: [Law; 9] = [
    Law {
        name: "alpha-beta-is-minimax",
        text: "alpha-beta with an open window has the value of minimax, soft and hard",
        applies: |_| true,
        check: |sample| {
            let truth = sample.minimax()?.value;
            sample.expect_value("ab", truth)?;
            sample.expect_value("ab:hard", truth)
        },
    },
    Law {
        name: "soft-bounds",
        text: "a soft value at or below alpha is an upper bound, one at or above beta a lower \
               bound, one between them exact",
        applies: |_| true,
        check: |sample| proves_bounds(sample, "ab"),
    },
    Law {
        name: "hard-values",
        text: "the hard value is the value of minimax, clamped to the window",
        applies: |_| true,
        check: |sample| {
            let truth = sample.minimax()?.value;
            sample.windows()?.into_iter().try_for_each(|(alpha, beta)| {
                let value = sample.run_window("ab:hard", alpha, beta)?.value;
                ensure(value == truth.clamp(alpha, beta), || format!("({alpha}, {beta}): {value}"))
            })
        },
    },
    Law {
        name: "soft-and-hard-leaves",
        text: "soft and hard alpha-beta visit the same leaves, and a narrower window a subset",
        applies: |_| true,
        check: |sample| {
            let open = sample.run("ab")?;
            ensure(open.leaves == sample.run("ab:hard")?.leaves, || "open window".into())?;
            sample.windows()?.into_iter().try_for_each(|(alpha, beta)| {
                let soft = sample.run_window("ab", alpha, beta)?;
                let hard = sample.run_window("ab:hard", alpha, beta)?;
                ensure(soft.leaves == hard.leaves, || format!("({alpha}, {beta})"))?;
                ensure(soft.is_within(&open), || format!("({alpha}, {beta}): no subset"))
            })
        },
    },
    Law {
        name: "minimal-tree",
        text: "alpha-beta visits at least the leaves of the smallest tree that proves the value; \
               in a uniform tree these are w^ceil(d/2) + w^floor(d/2) - 1, and it visits no \
               others if the first move is always best",
        applies: |_| true,
        check: minimal_tree,
    },
    Law {
        name: "known-value",
        text: "the value of an ordered tree is the one from which it was made",
        applies: |sample| sample.known_value().is_some(),
        check: |sample| {
            let value = sample.minimax()?.value;
            ensure(Some(value) == sample.known_value(), || format!("minimax {value}"))
        },
    },
    Law {
        name: "drivers",
        text: "iterative deepening and aspiration windows leave the value as it is",
        applies: |_| true,
        check: |sample| {
            let truth = sample.minimax()?.value;
            let rows = ["ab", "ab:hard", "scout", "negascout", "pvs"];
            sample.expect_values(&rows, "deepen", truth)?;
            sample.expect_values(&rows, "deepen:aspiration=5", truth)
        },
    },
    Law {
        name: "deepening-adds-up",
        text: "iterative deepening without a table visits the nodes of each depth in turn",
        applies: |_| true,
        check: |sample| {
            for row in ["ab", "pvs"] {
                let nodes = |depth| Ok(sample.at_depth(depth).run(row)?.counts.nodes);
                let each: Result<Vec<u64>, String> = (1..=sample.depth).map(nodes).collect();
                let (sum, own) = (each?.iter().sum::<u64>(), sample.run(&format!("{row}:deepen"))?);
                ensure(own.counts.nodes == sum, || {
                    format!("{row}: {}, not {sum}", own.counts.nodes)
                })?;
            }
            Ok(())
        },
    },
    Law {
        name: "no-tree-is-smaller",
        text: "no search that finds the value visits fewer leaves than the smallest tree that \
               proves it",
        applies: LawSample::is_synthetic,
        check: |sample| {
            let least = sample.minimal_leaves()?;
            for row in ["scout", "negascout", "pvs", "mtdf", "mtd:kind=bi", "sss", "dual"] {
                let count = sample.run(row)?.distinct_leaves().len() as u64;
                ensure(count >= least, || format!("{row}: {count} leaves, not {least}"))?;
            }
            Ok(())
        },
    },
];

/// Checks that a row has the value of minimax, proves the bounds that alpha-beta proves, and
/// visits no other leaves.
pub fn is_alpha_beta(sample: &LawSample, row: &str) -> Result<LawRun, String> {
    proves_bounds(sample, row)?;
    let run = sample.run(row)?;
    let is_subset = run.is_within(&sample.run("ab")?);
    ensure(is_subset, || format!("{row}: leaves that alpha-beta does not visit"))?;
    Ok(run)
}

/// Checks that a row has the value of minimax, and the bounds that a soft value proves.
pub fn proves_bounds(sample: &LawSample, row: &str) -> Result<(), String> {
    let truth = sample.minimax()?.value;
    sample.expect_value(row, truth)?;
    sample.windows()?.into_iter().try_for_each(|(alpha, beta)| {
        let value = sample.run_window(row, alpha, beta)?.value;
        let holds = if value <= alpha {
            truth <= value
        } else if value >= beta {
            truth >= value
        } else {
            truth == value
        };
        ensure(holds, || format!("{row} ({alpha}, {beta}): {value}, minimax {truth}"))
    })
}

fn minimal_tree(sample: &LawSample) -> Result<(), String> {
    let least = sample.minimal_leaves()?;
    let leaves = sample.run("ab")?.counts.leaves;
    ensure(least <= leaves, || format!("{leaves} leaves, the minimal tree has {least}"))?;
    let Some((width, depth)) = sample.uniform() else { return Ok(()) };
    let formula = width.pow(depth.div_ceil(2)) + width.pow(depth / 2) - 1;
    ensure(least == formula, || format!("the minimal tree has {least} leaves, not {formula}"))?;
    let is_ordered = sample.known_value().is_some();
    ensure(!is_ordered || leaves == least, || format!("{leaves} leaves, not {least}"))
}
