//! Reported lines are distinct and in order.

use lovec::search::Bound;

use crate::search::{MIDDLEGAMES, position, search_with, to_depth};

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
