//! The positions of a game, one at a time: a radio button for each move lies over its column of
//! the graph, and the checked one shows its board. So the keys that a browser has for radio
//! buttons step through the game, without a script.

use crate::annotate::annotated_game::AnnotatedMove;
use crate::annotate::report::{GameSection, arrow, move_id, wording};
use crate::page::Markup;
use crate::page::board::ArrowKind;

/// The positions; `None` if the page has no place for them.
pub fn positions(section: &GameSection<'_>) -> Option<Markup> {
    let moves = &section.game.moves;
    if !section.has_steps || moves.is_empty() {
        return None;
    }
    let steps = moves.iter().flat_map(|m| [button(section, m), step(section, m)]);
    Some(
        Markup::of_class("div", "positions")
            .attribute("role", "radiogroup")
            .attribute("aria-label", "Positions of the game")
            .attribute("style", format!("--n:{}", moves.len()))
            .children(steps),
    )
}

fn button(section: &GameSection<'_>, m: &AnnotatedMove) -> Markup {
    let mut title = wording::marked_move(m);
    if let Some(value) = m.after {
        title += &format!(" {}", wording::percent(value.white_expected));
    }
    if let Some(used) = m.clock.used {
        title += &format!(", {}", wording::time(used));
    }
    let button = Markup::new("input")
        .attribute("type", "radio")
        .attribute("name", format!("g{}", section.game.number))
        .attribute("id", step_id(section, m.ply))
        .attribute("style", format!("--i:{}", m.ply - 1))
        .attribute("title", &title)
        .attribute("aria-label", title);
    if m.ply == 1 { button.attribute("checked", "") } else { button }
}

/// The board after a move.
fn step(section: &GameSection<'_>, m: &AnnotatedMove) -> Markup {
    let mark = m.mark.map_or("", wording::mark_name);
    let to = |text: &str, ply: usize, name: &str| {
        let label = Markup::new("label").attribute("title", name).text(text);
        let is_there = (1..=section.game.moves.len()).contains(&ply);
        if is_there { label.attribute("for", step_id(section, ply)) } else { label }
    };
    let link = Markup::new("a")
        .attribute("href", format!("#{}", move_id(section.game.number, m.ply)))
        .text(wording::marked_move(m));
    let value = m.after.map(|value| {
        let text = format!(
            "{} · White {}",
            wording::score(value.white_score),
            wording::percent(value.white_expected)
        );
        Markup::of_class("span", "change").text(text)
    });
    let caption = Markup::of_class("p", format!("caption {mark}").trim_end())
        .child(to("◀", m.ply - 1, "Back"))
        .child(to("▶", m.ply + 1, "Forward"))
        .child(Markup::new("b").child(link))
        .children(value);
    Markup::of_class("div", "step").child(board(section, m)).child(caption)
}

fn board(section: &GameSection<'_>, m: &AnnotatedMove) -> Markup {
    let (state, arrow) = (m.next_state(), arrow(ArrowKind::Played, &m.uci));
    let picture = section.picture(&state, arrow.into_iter().collect());
    // The name of the button says what changed.
    picture.undescribed_svg().attribute("aria-hidden", "true")
}

fn step_id(section: &GameSection<'_>, ply: usize) -> String {
    format!("g{}s{ply}", section.game.number)
}
