use super::goal::Phase;
use super::*;

/// A node of the worked example.
fn judged(max_to_move: bool, [real, optimistic, pessimistic]: [i32; 3]) -> Judged {
    Judged { real, optimistic, pessimistic, chance: 0.0, is_open: true, max_to_move }
}

/// Expands a node by hand.
fn expand(tree: &mut JudgedTree<char>, node: KeptIndex, children: &[(char, [i32; 3])]) {
    let max_to_move = !tree.get(node).max_to_move;
    tree.expand(node, children.iter().map(|&(m, values)| (m, judged(max_to_move, values))));
    for node in line_up(tree, node) {
        let below = tree.children(node).map(|child| *tree.get(child));
        *tree.get_mut(node) = tree.get(node).above(below);
    }
}

fn find(tree: &JudgedTree<char>, path: &str) -> KeptIndex {
    path.chars().fold(ROOT, |node, m| {
        tree.children(node).find(|&child| tree.last_move(child) == Some(m)).unwrap()
    })
}

/// The probabilities at nodes, rounded.
fn chances<const N: usize>(
    tree: &mut JudgedTree<char>,
    goal: PhaseGoal,
    at: [&str; N],
) -> [f64; N] {
    goal.estimate_all(tree);
    at.map(|path| (1000.0 * tree.get(find(tree, path)).chance).round() / 1000.0)
}

/// An example of both phases: R, O and P of the nodes, and the probabilities.
#[test]
fn a_worked_example() {
    let mut tree = JudgedTree::new(Judged::OPEN_ROOT);
    expand(&mut tree, ROOT, &[('A', [20, 100, -90]), ('B', [18, 40, -90]), ('C', [10, 25, -90])]);
    let goal = PhaseGoal::select(&tree);
    assert_eq!(goal.target, 30.0);
    assert_eq!(chances(&mut tree, goal, ["A", "B", "C"]), [0.875, 0.455, 0.0]);
    assert!(matches!(goal.next(&tree, 0.15), Next::Expand(leaf) if leaf == find(&tree, "A")));

    let replies = [('D', [20, 99, 0]), ('E', [60, 99, 40]), ('F', [80, 99, -80])];
    let a = find(&tree, "A");
    expand(&mut tree, a, &replies);
    let d = find(&tree, "AD");
    expand(&mut tree, d, &[('G', [34, 76, 0]), ('H', [12, 36, 0]), ('I', [16, 32, 0])]);
    let goal = PhaseGoal::select(&tree);
    assert_eq!((goal.target, tree.get(a).real), (37.0, 34));
    assert_eq!(chances(&mut tree, goal, ["AD", "AE", "A", "B"]), [0.929, 1.0, 0.929, 0.136]);
    let Next::Change(goal) = goal.next(&tree, 0.15) else { panic!("selected") };
    assert_eq!(goal, PhaseGoal { phase: Phase::Verify, target: 17.0, top: a });

    let leaf = |values| (1000.0 * goal.chance_of_leaf(&judged(true, values))).round();
    assert_eq!([[34, 99, 0], [60, 99, 40], [80, 99, -80]].map(leaf), [500.0, 0.0, 606.0]);
    let f = find(&tree, "AF");
    expand(&mut tree, f, &[('J', [40, 99, 4]), ('K', [60, 99, -80]), ('L', [50, 99, -80])]);
    let j = find(&tree, "AFJ");
    expand(&mut tree, j, &[('Q', [82, 99, 4]), ('R', [70, 99, 11]), ('S', [40, 99, 16])]);
    let g = find(&tree, "ADG");
    expand(&mut tree, g, &[('M', [55, 99, 10]), ('N', [30, 99, 15]), ('P', [34, 99, 20])]);
    let m = find(&tree, "ADGM");
    expand(&mut tree, m, &[('T', [55, 99, 10]), ('U', [32, 99, 10]), ('V', [20, 99, 10])]);
    assert_eq!(chances(&mut tree, goal, ["AFJ", "AFK", "AFL"]), [0.167, 0.693, 0.746]);
    assert_eq!(chances(&mut tree, goal, ["ADGM", "ADGN", "ADGP"]), [0.035, 0.133, 0.0]);
    assert_eq!(chances(&mut tree, goal, ["AD", "AE", "AF", "A"]), [0.133, 0.0, 0.086, 0.133]);
}

/// The values of a parent stay in its interval, and O and P on their sides of R.
#[test]
fn intervals_become_no_wider() {
    let parent = judged(true, [0, 10, -10]);
    let of = |children: &[[i32; 3]]| {
        let above = parent.above(children.iter().map(|&values| judged(false, values)));
        [above.real, above.optimistic, above.pessimistic]
    };
    assert_eq!(of(&[[3, 30, -30], [-5, 5, -7]]), [3, 10, -7]);
    assert_eq!(of(&[[14, 20, 12]]), [14, 14, 12]);
    assert_eq!(of(&[[-14, 8, -20]]), [-14, 8, -14]);
}
