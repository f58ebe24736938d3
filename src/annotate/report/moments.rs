//! The key moments: a board with the move played and the best one, and what is to be said.

use crate::annotate::annotated_game::AnnotatedMove;
use crate::annotate::report::{GameSection, arrow, move_id, notes, wording};
use crate::page::Markup;
use crate::page::board::ArrowKind;

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
    let target = move_id(section.game.number, m.ply);
    let link = Markup::new("a").attribute("href", format!("#{target}"));
    let heading = Markup::new("h3")
        .child(Markup::of_class("span", "number").text(number))
        .child(link.text(wording::marked_move(m)))
        .child(Markup::of_class("span", "name").text(class))
        .children(notes::change(m));
    let plies = section.context.line;
    // What names the better move waits until the reader has looked for it.
    let question = if m.is_exercise() {
        format!("Find the best move for {}", m.color.name())
    } else {
        "What was better".to_owned()
    };
    let answer = Markup::of_class("details", "answer")
        .child(Markup::new("summary").text(question))
        .children(notes::reasons(m))
        .children(notes::better(m, plies))
        .children(notes::reply(m, plies));
    let caption =
        Markup::new("figcaption").child(heading).child(answer).children(notes::comments(m));
    Markup::of_class("figure", &format!("moment {class}"))
        .attribute("id", section.moment_id(number))
        .child(board(section, m))
        .child(caption)
}

/// The position before the move, with arrows.
fn board(section: &GameSection<'_>, m: &AnnotatedMove) -> Markup {
    let best = m.best.as_ref().and_then(|line| line.written.uci.first());
    let arrows = [(ArrowKind::Fault, Some(&m.uci)), (ArrowKind::Best, best)];
    let arrows = arrows.into_iter().filter_map(|(kind, uci)| arrow(kind, uci?));
    section.picture(&m.state, arrows.collect()).svg()
}
