//! The list of moves, each with White's expected score after it.

use crate::annotate::annotated_game::{AnnotatedMove, MoveMark};
use crate::annotate::report::{GameSection, move_id, notes, wording};
use crate::page::Markup;

/// Moves without a mark, but not of the opening, that lose this much are shown with the better
/// line.
const WORTH_SHOWING: f64 = 0.02;

/// The list; `None` for a game without moves.
pub fn section(section: &GameSection<'_>) -> Option<Markup> {
    let moves = &section.game.moves;
    if moves.is_empty() {
        return None;
    }
    let items = moves.iter().map(|m| item(section, m));
    let list = Markup::of_class("ol", "moves").attribute("translate", "no").children(items);
    Some(
        Markup::new("section")
            .child(Markup::new("h2").text("All moves"))
            .child(
                Markup::of_class("p", "note").text("With White’s expected score after the move."),
            )
            .child(list),
    )
}

fn item(section: &GameSection<'_>, m: &AnnotatedMove) -> Markup {
    let mark = m.mark.map_or("", wording::mark_name);
    let book = if m.is_book { " book" } else { "" };
    let color = wording::color_class(m.color);
    let item = Markup::of_class("li", format!("{color} {mark}{book}").trim_end())
        .attribute("id", move_id(section.game.number, m.ply));
    let moment = section.moments().find(|(_, moment)| moment.ply == m.ply);
    if let Some((number, _)) = moment {
        // The board and the words are there.
        let link = Markup::of_class("a", "more")
            .attribute("href", format!("#{}", section.moment_id(number)))
            .attribute("title", format!("key moment {number}"));
        return item.child(link.children(line(m, Some(number))));
    }
    let notes = all_notes(section, m);
    if notes.is_empty() {
        return item.children(line(m, None));
    }
    let summary = Markup::new("summary").children(line(m, None));
    item.child(Markup::new("details").child(summary).children(notes))
}

/// The move with its number, mark, time and value, and the number of a key moment.
fn line(m: &AnnotatedMove, moment: Option<usize>) -> Vec<Markup> {
    let span = |class, text: String| Markup::of_class("span", class).text(text);
    // The style sheet shows the number of a black move only where it stands alone.
    let mut line = vec![span("ply", m.number.to_string())];
    line.push(Markup::new("b").text(format!("{}{}", m.san, m.mark.map_or("", wording::mark))));
    line.extend(moment.map(|number| span("number", number.to_string())));
    line.extend(m.clock.used.map(|used| span("time", wording::time(used))));
    if let Some(value) = m.after {
        let expected = value.white_expected;
        let bar = Markup::of_class("i", "bar")
            .attribute("style", format!("--e:{:.0}%", 100.0 * expected));
        line.extend([bar, span("percent", wording::percent(expected))]);
    }
    line
}

/// What is said about a move that is no key moment.
fn all_notes(section: &GameSection<'_>, m: &AnnotatedMove) -> Vec<Markup> {
    let plies = section.context.line;
    let loses = !m.is_book && m.loss.is_some_and(|loss| loss >= WORTH_SHOWING);
    let mut found = Vec::new();
    if let Some(fault) = m.fault() {
        let name = Markup::of_class("span", "name").text(fault.name());
        found.push(Markup::new("p").child(name).text(" ").children(notes::change(m)));
    }
    let praise = m.mark.and_then(MoveMark::praise);
    found.extend(praise.map(|text| Markup::new("p").text(text)));
    found.extend(notes::reasons(m));
    if m.fault().is_some() || loses {
        found.extend(notes::better(m, plies));
        found.extend(notes::reply(m, plies));
    }
    found.extend(notes::comments(m));
    found
}
