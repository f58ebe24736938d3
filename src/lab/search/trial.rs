//! Decisions by a trial: a shallow search of the moves of a node.
//!
//! A move that a trial finds better than all others by a margin is *singular*, and searched
//! deeper, so that forced lines are followed (Anantharaman, Campbell and Hsu, "Singular
//! extensions: adding selectivity to brute-force searching", 1988). There the move has first
//! been searched to its depth; here the trial alone decides, so that the tree does not depend
//! on windows.
//!
//! Of the promotions of a pawn on a square, trials can choose the one that is searched, as in a
//! Croatian thesis.

use std::cmp::Reverse;

use crate::lab::game::{GameMove, INFINITE, MoveFacts, at_ply};
use crate::lab::search::leaf::captures;
use crate::lab::{Law, Search, Searched, SettingInfo, ensure};

pub const PROMOTIONS: SettingInfo = SettingInfo::number(
    "promotions",
    [0, 5],
    0,
    "of the promotions of a pawn on a square only the one is searched that searches of this \
     depth find best",
);

/// The moves, the best by a guess first.
fn sorted_moves(s: &Search<'_>) -> Vec<GameMove> {
    let mut moves = s.game.moves();
    moves.sort_by_key(|&m| Reverse(s.game.guess(m)));
    moves
}

/// The value of a move for the side that makes it: alpha-beta to a depth, and captures below.
fn trial(s: &mut Search<'_>, m: GameMove, depth: u32, alpha: i32, beta: i32) -> Searched<i32> {
    s.play(m);
    let value = -shallow(s, depth, -beta, -alpha)?;
    s.undo();
    Ok(value)
}

fn shallow(s: &mut Search<'_>, depth: u32, alpha: i32, beta: i32) -> Searched<i32> {
    s.enter_quiescence()?;
    if let Some(end) = s.game.end() {
        return Ok(at_ply(end, s.ply() as i32));
    }
    if depth == 0 {
        return captures(s, alpha, beta);
    }
    let mut best = -INFINITE;
    for m in sorted_moves(s) {
        best = best.max(trial(s, m, depth - 1, alpha.max(best), beta)?);
        if best >= beta {
            break;
        }
    }
    Ok(best)
}

/// Whether a move of a node with some plies left is singular.
pub fn is_singular(s: &mut Search<'_>, m: GameMove, depth: u32) -> Searched<bool> {
    let margin = s.switches.selection.extensions.singular;
    let Some(margin) = margin.filter(|_| depth > 1) else { return Ok(false) };
    let singular = match s.line_node().singular {
        Some((known_depth, known)) if known_depth == depth => known,
        _ => singular_move(s, (depth - 1) / 2, margin)?,
    };
    s.line_node().singular = Some((depth, singular));
    Ok(singular == Some(m))
}

/// The move that is better than all others by a margin.
fn singular_move(s: &mut Search<'_>, depth: u32, margin: i32) -> Searched<Option<GameMove>> {
    let (mut best, mut second, mut best_move) = (-INFINITE, -INFINITE, None);
    for m in sorted_moves(s) {
        let value = trial(s, m, depth, second, INFINITE)?;
        second = second.max(value.min(best));
        if value > best {
            best = value;
            best_move = Some(m);
        }
    }
    Ok(best_move.filter(|_| best - second >= margin))
}

/// Whether a move is a promotion, and trials find another piece better.
pub fn is_wrong_promotion(s: &mut Search<'_>, m: GameMove, facts: MoveFacts) -> Searched<bool> {
    let depth = s.switches.selection.promotions;
    if depth == 0 || !facts.is_noisy || facts.squares.is_none() {
        return Ok(false);
    }
    // Only promotions of a pawn on one square share both squares.
    let mut moves = s.game.moves();
    let game = &*s.game;
    moves.retain(|&other| game.facts(other).squares == facts.squares);
    let mut best = (-INFINITE, m);
    for &other in moves.iter().filter(|_| moves.len() > 1) {
        let value = trial(s, other, depth, best.0, INFINITE)?;
        if value > best.0 {
            best = (value, other);
        }
    }
    Ok(best.1 != m)
}

pub const LAWS: [Law; 2] = [
    Law {
        name: "trials-belong-to-the-tree",
        text: "alpha-beta and its kin find the value of negamax in the tree with singular \
               extensions, and in the one with a promotion a pawn",
        applies: |sample| sample.size() < 60,
        check: |sample| {
            ["extend=singular", "extend=singular:singular=1", "promotions=2"]
                .iter()
                .try_for_each(|trials| sample.expect_negamax(&["ab", "negascout", "pvs"], trials))
        },
    },
    Law {
        name: "nothing-to-try",
        text: "in a game without promotions the choice of promotions changes nothing; with a \
               margin that no value exceeds the search for singular moves changes no leaf",
        applies: |sample| !sample.is_chess(),
        check: |sample| {
            let full = sample.run("ab")?;
            ensure(sample.run("ab:promotions=2")?.is_like(&full), || "promotions".into())?;
            let Some(shape) = sample.shape().filter(|tree| tree.width > 1 && !tree.ragged) else {
                return Ok(());
            };
            let margin = 4 * shape.range * i32::from(shape.depth) + 1;
            let row = "ab:deepen:order=refutation";
            let run = sample.run(&format!("{row}:extend=singular:singular={margin}"))?;
            ensure(run.leaves == sample.run(row)?.leaves, || "singular: other leaves".into())
        },
    },
];

#[cfg(test)]
mod tests {
    use crate::chess::Move;
    use crate::chess::notation::uci::format_move;
    use crate::lab::game::Evaluation;
    use crate::lab::measure::plies_to_end;
    use crate::lab::test_run::search;

    /// The smothered mate of five plies: each reply is forced, so that it is found at depth 4.
    #[test]
    fn forced_lines_are_searched_deeper() {
        const FEN: &str = "r4rk1/5Npp/8/8/2Q5/8/8/6K1 w - - 0 1";
        let plies =
            |row, depth| plies_to_end(search(row, FEN, depth, Evaluation::Material).0.value);
        assert_eq!((plies("ab", 4), plies("ab", 5)), (None, Some(5)));
        assert_eq!(plies("ab:extend=singular", 4), Some(5));
    }

    /// A node that is searched to several depths has a singular move for each.
    #[test]
    fn singular_moves_belong_to_a_depth() {
        const FEN: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
        let value = |row: &str| search(row, FEN, 5, Evaluation::Lovec).0.value;
        let expected = value("ab:extend=singular:singular=30");
        for order in ["deepen", "order=iid+mvv", "deepen:order=iid+mvv"] {
            assert_eq!(value(&format!("ab:extend=singular:singular=30:{order}")), expected);
        }
    }

    /// A queen allows a stalemate, and the knight that gives check wins more than a queen. At
    /// depth 1 a search sees neither.
    #[test]
    fn trials_choose_the_piece() {
        for (fen, queen, right) in [
            ("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1", "c7c8q", "c7c8r"),
            ("rnbqk1nr/ppp2ppp/8/4P3/1BP5/8/PP2KpPP/RN1Q1BNR b kq - 0 1", "f2g1q", "f2g1n"),
        ] {
            let best = |row: &str| {
                let (answer, _) = search(row, fen, 1, Evaluation::Lovec);
                format_move(Move::from_bits(answer.line[0]).unwrap(), false)
            };
            assert_eq!(best("ab:order=mvv:leaf=captures"), queen);
            assert_eq!(best("ab:order=mvv:leaf=captures:promotions=3"), right);
        }
    }
}
