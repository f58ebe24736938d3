//! The key moments: a board with the move played and the best one, and what is to be said.

use std::ops::Range;

use crate::annotate::annotated_game::AnnotatedMove;
use crate::annotate::report::GameSection;
use crate::annotate::report::{notes, wording};
use crate::chess::{Color, Position, Square};
use crate::page::Markup;
use crate::page::board::{ArrowKind, BoardArrow, BoardPicture};

/// The key moments in the order of the game; `None` if there are none.
pub fn section(section: &GameSection<'_>) -> Option<Markup> {
    let figures: Vec<Markup> =
        section.moments().map(|(number, m)| figure(section, number, m)).collect();
    let heading = Markup::new("h2").text("Key moments");
    (!figures.is_empty())
        .then(|| Markup::of_class("section", "moments").child(heading).children(figures))
}

fn figure(section: &GameSection<'_>, number: usize, m: &AnnotatedMove) -> Markup {
    let class = m.mark.map_or("", wording::mark_name);
    let link = Markup::new("a").attribute("href", format!("#{}", section.move_id(m)));
    let heading = Markup::new("h3")
        .child(Markup::of_class("span", "number").text(number))
        .child(link.text(wording::marked_move(m)))
        .child(Markup::of_class("span", "name").text(class))
        .children(notes::change(m));
    let plies = section.context.line;
    let caption = Markup::new("figcaption")
        .child(heading)
        .children(notes::reasons(m))
        .children(notes::better(m, plies))
        .children(notes::reply(m, plies))
        .children(notes::comments(m))
        .children(notes::terms(m));
    Markup::of_class("figure", &format!("moment {class}"))
        .attribute("id", section.moment_id(number))
        .children(board(section, m))
        .child(caption)
}

/// The position before the move, with arrows.
fn board(section: &GameSection<'_>, m: &AnnotatedMove) -> Option<Markup> {
    let position = Position::from_fen(&m.fen).ok()?;
    let best = m.best.as_ref().and_then(|line| line.uci.first());
    let arrows = [(ArrowKind::Fault, Some(&m.uci)), (ArrowKind::Best, best)];
    let arrows = arrows.into_iter().filter_map(|(kind, uci)| arrow(kind, uci?));
    // A player whose moves alone are annotated sees their own side of the board.
    let game = section.game;
    let is_black = game.white.accuracy.is_none() && game.black.accuracy.is_some();
    let picture = BoardPicture {
        state: position.state(),
        seen_by: if is_black { Color::Black } else { Color::White },
        arrows: arrows.collect(),
    };
    Some(picture.svg())
}

/// The arrow of a move in UCI notation.
fn arrow(kind: ArrowKind, uci: &str) -> Option<BoardArrow> {
    let square = |range: Range<usize>| uci.get(range)?.parse::<Square>().ok();
    Some(BoardArrow { kind, from: square(0..2)?, to: square(2..4)? })
}
