//! Reported lines are distinct and in order.

use lovec::search::{Bound, Limits, SearchOptions, Strength};

use crate::search::{MIDDLEGAMES, position, search_again, search_with, searcher, to_depth};

#[test]
fn several_lines_are_distinct_and_in_order() {
    for fen in MIDDLEGAMES {
        let (_, reports) = search_with(&position(fen), &to_depth(7), 4);
        for lines in reports.lines.chunks(4) {
            assert!(lines.iter().map(|line| line.multipv).eq(1..=4));
            assert!(lines.iter().all(|line| line.bound == Bound::Exact));
            assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{fen}");
            let mut first: Vec<u16> = lines.iter().map(|line| line.pv[0].bits()).collect();
            first.sort_unstable();
            first.dedup();
            assert_eq!(first.len(), 4);
        }
    }
}

#[test]
fn several_lines_of_a_weakened_search_are_the_best_ones() {
    let root = position(MIDDLEGAMES[0]);
    let strength = Some(Strength { nodes: 2_000, temperature: 100.0 });
    let options = SearchOptions { multi_pv: 3, strength, ..SearchOptions::default() };
    let mut picked_others = 0;
    for _ in 0..20 {
        let (result, reports) = search_again(&mut searcher(), &root, &Limits::default(), &options);
        let last = &reports.lines[reports.lines.len() - 3..];
        assert!(last.iter().map(|line| line.multipv).eq(1..=3), "{last:?}");
        let [a, b, c] = [0, 1, 2].map(|index| last[index].pv[0]);
        assert!(a != b && a != c && b != c, "{last:?}");
        assert!(last.is_sorted_by(|above, below| above.score >= below.score), "{last:?}");
        picked_others += usize::from(result.best != Some(a));
    }
    assert!(picked_others > 0);
}

/// Where every move ends the game, iterations find nothing new.
#[test]
fn equal_lines_are_reported_once() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3K1B2/8/8 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1",
    ] {
        let (_, reports) = search_with(&position(fen), &to_depth(50), 1);
        // The last iteration is reported in any case, for its nodes.
        let changes = &reports.lines[..reports.lines.len() - 1];
        for pair in changes.windows(2) {
            let [before, after] =
                [&pair[0], &pair[1]].map(|line| (line.depth, line.score, &line.pv));
            assert_ne!(before, after, "{fen}");
        }
    }
}
