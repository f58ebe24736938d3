//! The players, the event and the opening of a game; the index of several games.

use crate::annotate::annotated_game::{AnnotatedGame, SideSummary};
use crate::annotate::report::{
    GameSection, head_row, move_id, notes, piece_color, searches, wording,
};
use crate::chess::Color;
use crate::chess::notation::pgn::tag::is_chess960;
use crate::page::Markup;

/// `Novak, Ana – Kos, Jan, 1–0`.
pub fn title(game: &AnnotatedGame) -> String {
    let [white, black] = Color::ALL.map(|side| player(game, side));
    format!("{white} – {black}, {}", wording::result(game))
}

/// The name of a player.
fn player(game: &AnnotatedGame, side: Color) -> &str {
    known(game, side.name()).unwrap_or("Unknown player")
}

/// The value of a tag that says something.
fn known<'a>(game: &'a AnnotatedGame, tag: &str) -> Option<&'a str> {
    game.tag(tag).map(str::trim).filter(|value| !value.is_empty() && !is_unknown(value))
}

fn is_unknown(value: &str) -> bool {
    value.chars().all(|c| "?.-".contains(c))
}

/// The name of a player in the writing direction of the name, with the colour of the pieces.
fn player_markup(game: &AnnotatedGame, side: Color) -> Markup {
    let elo = known(game, &format!("{}Elo", side.name()));
    // The space keeps name and rating apart where the text is read out or copied.
    Markup::of_class("span", "player")
        .child(piece_color(side))
        .child(Markup::new("bdi").text(player(game, side)))
        .text(elo.map_or("", |_| " "))
        .children(elo.map(|elo| Markup::of_class("span", "elo").text(elo)))
}

/// The heading of a game.
pub fn header(section: &GameSection<'_>) -> Markup {
    let game = section.game;
    let [white, black] = Color::ALL.map(|side| player_markup(game, side));
    let result = Markup::of_class("span", "result").text(wording::result(game));
    let heading = Markup::new("h1").child(white).child(result).child(black);
    let opening = game.opening.map(|opening| {
        Markup::of_class("p", "opening")
            .child(Markup::of_class("span", "eco").text(opening.name.eco))
            .text(format!(" {}", opening.name.name))
    });
    let story =
        (!game.story.is_empty()).then(|| Markup::of_class("p", "story").text(game.story.join(" ")));
    let searches = Markup::of_class("p", "note").text(searches(section.context));
    let back = section.has_index.then(|| {
        let link = Markup::new("a").attribute("href", "#games").text("All games");
        Markup::of_class("p", "back").child(link)
    });
    Markup::new("header")
        .children(back)
        .children(event(game))
        .child(heading)
        .children(opening)
        .children(story)
        .child(searches)
        .children(game.comments.iter().map(notes::comment))
}

/// `Club championship · Ljubljana · round 3 · 11 May 1997`, each part in its own writing
/// direction.
fn event(game: &AnnotatedGame) -> Option<Markup> {
    let text = |tag| known(game, tag).map(str::to_owned);
    let round = known(game, "Round").map(|round| format!("round {round}"));
    let date = game.tag("Date").and_then(wording::date);
    // The start positions with king and rooks as in standard chess are known by the tag alone.
    let chess960 = game.chess960 || game.tag("Variant").is_some_and(is_chess960);
    let chess960 = chess960.then(|| "Chess960".to_owned());
    let site = text("Site").filter(|site| site.contains(char::is_alphabetic));
    let parts = [text("Event"), site, round, date, chess960];
    let mut event: Option<Markup> = None;
    for part in parts.into_iter().flatten() {
        let before = match event {
            Some(event) => event.text(" · "),
            None => Markup::of_class("p", "event"),
        };
        event = Some(before.child(Markup::new("bdi").text(part)));
    }
    event
}

/// A table of the games with links.
pub fn index(games: &[&AnnotatedGame]) -> Markup {
    let head = head_row(["", "White", "Black", "Result", "Opening", "Accuracy", "Turning point"]);
    let rows = games.iter().map(|game| index_row(game));
    let table = Markup::of_class("table", "index").child(head).children(rows);
    let count = match games.len() {
        0 => "No annotated games".to_owned(),
        count => format!("{count} annotated games"),
    };
    Markup::of_class("nav", "games")
        .child(Markup::new("h1").attribute("id", "games").text(count))
        .children((!games.is_empty()).then(|| Markup::of_class("div", "wide").child(table)))
}

fn index_row(game: &AnnotatedGame) -> Markup {
    let cell = |text: &str| Markup::new("td").text(text);
    let link = |text: &str, target: String| {
        let link = Markup::new("a").attribute("href", format!("#{target}"));
        Markup::new("td").child(link.child(Markup::new("bdi").text(text)))
    };
    let accuracy = |side: &SideSummary| {
        side.accuracy.map_or("–".to_owned(), |accuracy| format!("{accuracy:.1}"))
    };
    let number = game.number;
    let turning = match game.turning_move() {
        Some(m) => link(&wording::marked_move(m), move_id(number, m.ply)),
        None => Markup::new("td"),
    };
    Markup::new("tr")
        .child(cell(&number.to_string()))
        .children(Color::ALL.map(|side| link(player(game, side), format!("g{number}"))))
        .child(cell(wording::result(game)))
        .child(cell(game.opening.map_or("", |opening| opening.name.eco)))
        .child(cell(&format!("{} : {}", accuracy(&game.white), accuracy(&game.black))))
        .child(turning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::pgn::PgnTag;

    #[test]
    fn a_game_of_chess960_is_called_so() {
        for (chess960, variant, is_called) in
            [(false, "", false), (false, "Standard", false), (false, "960", true), (true, "", true)]
        {
            let tags = vec![PgnTag::new("Event", "Open"), PgnTag::new("Variant", variant)];
            let game = AnnotatedGame { tags, chess960, ..AnnotatedGame::default() };
            let event = event(&game).unwrap().to_string();
            assert_eq!(event.contains("Chess960"), is_called, "{event}");
        }
    }
}
