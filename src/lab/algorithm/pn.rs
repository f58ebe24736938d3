//! Proof-number search (Allis, "Searching for solutions in games and artificial
//! intelligence", 1994): best-first search of a proof that the side to move reaches a goal,
//! or of a proof that it does not. It develops the leaf that is part of the smallest such
//! proof that is still possible, of either kind, so that it goes deep where a side has few
//! moves. The whole tree is in memory.

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::kept_tree::ROOT;
use crate::lab::proof::{AT_LEAST, GOAL, MOBILITY, ProofRules, ProofTree, answer, grow_proof};
use crate::lab::{Answer, Law, LawRun, LawSample, Proof, Search, Searched, ensure};

#[derive(Clone, Copy, Debug)]
pub struct Pn {
    rules: ProofRules,
}

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "pn",
    summary: "proof-number search: proves or disproves a goal, with a tree in memory",
    settings: &[GOAL, AT_LEAST, MOBILITY],
    new: |given| Box::new(Pn { rules: ProofRules::new(given) }),
    laws: &LAWS,
};

impl Algorithm for Pn {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        s.keep(1, ProofTree::NODE_BYTES)?;
        let mut tree = ProofTree::new(self.rules.visit(s)?);
        let grown = grow_proof(s, &mut tree, usize::MAX, |s, _, path| self.rules.children(s, path));
        if !tree.is_expanded(ROOT) {
            grown?;
        }
        Ok(answer(s, &tree))
    }
}

const LAWS: [Law; 2] = [
    Law {
        name: "provers-prove-minimax",
        text: "proof-number search, PN² and df-pn prove the value of minimax and disprove a \
               greater one, with a line to the goal and right bounds, whatever numbers new nodes \
               have, however big second trees are, and however long a child is stayed at",
        applies: |_| true,
        check: |sample| {
            [
                "pn",
                "pn:mobility",
                "pn2",
                "pn2:second=1:mobility",
                "pn2:second=1000",
                "dfpn",
                "dfpn:epsilon=25",
            ]
            .into_iter()
            .try_for_each(|row| proves_minimax(sample, row))
        },
    },
    Law {
        name: "lines-of-proofs",
        text: "the line of a proof by proof-number search or df-pn leads to its bound",
        applies: |_| true,
        check: |sample| ["pn", "dfpn"].into_iter().try_for_each(|row| line_has_bound(sample, row)),
    },
];

/// Checks that a row proves the value of minimax and what is less, with a line that reaches
/// the goal, and disproves what is greater; and that its bounds are right.
fn proves_minimax(sample: &LawSample, row: &str) -> Result<(), String> {
    let truth = sample.minimax()?.value;
    for goal in [truth, truth - 1] {
        let row = format!("{row}:at-least={goal}");
        let run = sample.run(&row)?;
        ensure(run.proof == Proof::Proved, || format!("{row} is not proved"))?;
        ensure((goal..=truth).contains(&run.value), || format!("{row}: bound {}", run.value))?;
        ensure(run.line_value >= goal, || format!("{row}: line to {}", run.line_value))?;
    }
    for goal in [truth + 1, truth + 2] {
        let row = format!("{row}:at-least={goal}");
        let run = sample.run(&row)?;
        ensure(run.proof == Proof::Disproved, || format!("{row} is not disproved"))?;
        ensure((truth..goal).contains(&run.value), || format!("{row}: bound {}", run.value))?;
    }
    Ok(())
}

/// Checks that the line of a proof leads to its bound.
fn line_has_bound(sample: &LawSample, row: &str) -> Result<(), String> {
    let goal = sample.minimax()?.value - 3;
    let LawRun { value, line_value, .. } = sample.run(&format!("{row}:at-least={goal}"))?;
    ensure(line_value == value, || format!("{row}: {value}, line to {line_value}"))
}

#[cfg(test)]
mod tests {
    use crate::lab::Proof;
    use crate::lab::test_run::solve;

    /// The first move is answered by a value below the goal; the second one is not, and its
    /// second reply need not be known better than that.
    #[test]
    fn a_proof_leaves_out_what_it_does_not_need() {
        const TREE: &str = "explicit:[[[9 9] 3] [5 4]]";
        let (proved, counts) = solve("pn:at-least=4", TREE, 9);
        assert_eq!((proved.proof, proved.value), (Proof::Proved, 4));
        assert_eq!((proved.line, counts.nodes), (vec![1, 1], 7));
        let (disproved, counts) = solve("pn:at-least=5", TREE, 9);
        assert_eq!((disproved.proof, disproved.value), (Proof::Disproved, 4));
        assert_eq!(counts.nodes, 7);
    }
}
