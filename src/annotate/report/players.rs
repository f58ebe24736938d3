//! Players of several games: sums by phase, and their faults by theme.

use crate::annotate::annotated_game::{AnnotatedGame, MoveCounts};
use crate::annotate::player::{FaultPlace, PlayerSummary, ThemeFaults, summaries};
use crate::annotate::report::{head_row, move_id};
use crate::page::Markup;

/// The most players that are shown.
const MAX_PLAYERS: usize = 20;

/// The players; `None` if none has several games.
pub fn section(games: &[AnnotatedGame]) -> Option<Markup> {
    let players = summaries(games);
    let is_alone = players.len() == 1;
    let shown = players.iter().take(MAX_PLAYERS).map(|player| details(player, is_alone));
    let heading = Markup::new("h2").text("Players of several games");
    (!players.is_empty())
        .then(|| Markup::of_class("section", "players").child(heading).children(shown))
}

fn details(player: &PlayerSummary<'_>, is_open: bool) -> Markup {
    let PlayerSummary { name, games, wins, draws, losses, ref sums, ref themes } = *player;
    let text = format!(" {games} games: {wins} won, {draws} drawn, {losses} lost");
    let accuracy = sums.accuracy.map(|accuracy| format!(" · accuracy {accuracy:.1}"));
    let summary = Markup::new("summary")
        .child(Markup::new("bdi").text(name))
        .child(Markup::of_class("span", "change").text(text + &accuracy.unwrap_or_default()));
    let details = Markup::new("details").child(summary).child(
        Markup::of_class("div", "player-sums").child(phases(player)).children(chart(themes)),
    );
    if is_open { details.attribute("open", "") } else { details }
}

/// The sums of all moves and of the phases.
fn phases(player: &PlayerSummary<'_>) -> Markup {
    let sums = &player.sums;
    let rows = [
        ("All moves", &sums.all),
        ("Opening", &sums.opening),
        ("Middlegame", &sums.middlegame),
        ("Endgame", &sums.endgame),
        ("Time trouble", &sums.time_trouble),
    ];
    let head = head_row(["", "Moves", "Average loss", "?!", "?", "??"]);
    let rows = rows.into_iter().filter(|(_, counts)| counts.moves > 0);
    Markup::of_class("table", "phases").child(head).children(rows.map(row))
}

fn row((name, counts): (&str, &MoveCounts)) -> Markup {
    let cell = |text: String| Markup::new("td").text(text);
    let loss = counts.mean_loss.map_or_else(String::new, |loss| format!("{loss:.1}"));
    let faults = [counts.inaccuracies, counts.mistakes, counts.blunders];
    Markup::new("tr")
        .child(Markup::new("th").text(name))
        .child(cell(counts.moves.to_string()))
        .child(cell(loss))
        .children(faults.map(|count| cell(count.to_string())))
}

/// A row for each theme, with a square for each fault that leads to it.
fn chart(themes: &[ThemeFaults<'_>]) -> Option<Markup> {
    let row = |theme: &ThemeFaults<'_>| {
        let squares = theme.faults.iter().map(square);
        Markup::new("tr")
            .child(Markup::new("th").text(theme.theme.words()))
            .child(Markup::new("td").text(theme.faults.len()))
            .child(Markup::of_class("td", "squares").children(squares))
    };
    let caption = Markup::new("caption").text("Faults by their reason; each square is a fault");
    (!themes.is_empty()).then(|| {
        Markup::of_class("table", "themes").child(caption).children(themes.iter().map(row))
    })
}

fn square(place: &FaultPlace<'_>) -> Markup {
    let FaultPlace { game, ply, number, san, fault } = *place;
    let name = format!("game {game}, {number}{san}{}", fault.mark());
    Markup::of_class("a", fault.name())
        .attribute("href", format!("#{}", move_id(game, ply)))
        .attribute("title", &name)
        .attribute("aria-label", name)
}
