use super::*;
use crate::chess::Position;
use crate::chess::notation::epd;
use crate::lab::game::{Chess, Draws, Evaluation};
use crate::lab::{Limit, Row, Watch};

/// The values of a parent stay in its interval, and O and P on their sides of R.
#[test]
fn intervals_become_no_wider() {
    let judged = |max_to_move: bool, [real, optimistic, pessimistic]: [i32; 3]| Judged {
        real,
        optimistic,
        pessimistic,
        max_to_move,
        ..Judged::OPEN_ROOT
    };
    let parent = judged(true, [0, 10, -10]);
    let of = |children: &[[i32; 3]]| {
        let above = parent.above(children.iter().map(|&values| judged(false, values)));
        [above.real, above.optimistic, above.pessimistic]
    };
    assert_eq!(of(&[[3, 30, -30], [-5, 5, -7]]), [3, 10, -7]);
    assert_eq!(of(&[[14, 20, 12]]), [14, 14, 12]);
    assert_eq!(of(&[[-14, 8, -20]]), [-14, 8, -14]);
}

/// An expansion is affordable: there is a move within 2 500 nodes.
#[test]
fn there_is_a_move_within_few_nodes() {
    let row = Row::parse("b-star-95", &[]).unwrap();
    let text = include_str!("../../../../tests/data/wac.epd");
    let answers = epd::lines(text).take(30).filter(|(_, line)| {
        let fields: Vec<&str> = line.split(' ').take(4).collect();
        let position = Position::from_fen(&(fields.join(" ") + " 0 1")).unwrap();
        let mut game = Chess::new(position, Evaluation::lovec().unwrap(), Draws::None);
        let limit = Limit { nodes: 2500, ..Limit::NONE };
        let outcome = row.run(&mut game, 60, limit, &mut Watch::default());
        outcome.answer.is_some_and(|answer| !answer.line.is_empty())
    });
    assert!(answers.count() >= 25);
}
