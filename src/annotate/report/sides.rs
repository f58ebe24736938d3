//! The sums of both sides as a table.

use crate::annotate::annotated_game::{AnnotatedGame, MoveCounts, SideSummary};
use crate::annotate::report::{piece_color, wording};
use crate::chess::Color;
use crate::page::Markup;

/// A row: its name, and a text for each side. A row without any text is left out.
type Row = (&'static str, [Option<String>; 2]);

/// The table; none for a game without moves.
pub fn table(game: &AnnotatedGame) -> Option<Markup> {
    let sides = [&game.white, &game.black];
    let both = |text: &dyn Fn(&SideSummary) -> Option<String>| sides.map(text);
    let accuracy = both(&|side| Some(format!("{:.1}", side.accuracy?)));
    let loss = |part: fn(&SideSummary) -> &MoveCounts| both(&|side| mean_loss(part(side)));
    let count = |count: fn(&MoveCounts) -> usize| {
        both(&|side| side.accuracy.map(|_| count(&side.all).to_string()))
    };
    let rows: [Row; 10] = [
        ("Accuracy", accuracy),
        ("Average loss", loss(|side| &side.all)),
        ("in the opening", loss(|side| &side.opening)),
        ("in the middlegame", loss(|side| &side.middlegame)),
        ("in the endgame", loss(|side| &side.endgame)),
        ("in time trouble", loss(|side| &side.time_trouble)),
        ("Inaccuracies ?!", count(|counts| counts.inaccuracies)),
        ("Mistakes ?", count(|counts| counts.mistakes)),
        ("Blunders ??", count(|counts| counts.blunders)),
        ("Time used", Color::ALL.map(|color| time_used(game, color))),
    ];
    let heading = |side: Color| Markup::new("th").child(piece_color(side)).text(side.name());
    let head = Markup::new("tr").child(Markup::new("td")).children(Color::ALL.map(heading));
    let mut rows =
        rows.into_iter().filter(|(_, texts)| texts.iter().any(Option::is_some)).peekable();
    rows.peek()?;
    Some(Markup::of_class("table", "sides").child(head).children(rows.map(row)))
}

fn row((name, texts): Row) -> Markup {
    let class = match name {
        "Accuracy" => "accuracy",
        _ if name.starts_with("in ") => "part",
        _ => "sum",
    };
    let texts = texts.map(|text| Markup::new("td").text(text.unwrap_or("–".to_owned())));
    Markup::of_class("tr", class).child(Markup::new("th").text(name)).children(texts)
}

/// Points of 100 a move.
fn mean_loss(counts: &MoveCounts) -> Option<String> {
    counts.mean_loss.map(|loss| format!("{loss:.1}"))
}

/// The time of a side.
fn time_used(game: &AnnotatedGame, color: Color) -> Option<String> {
    let times = game.moves_of(color).filter_map(|m| m.clock.used);
    times.reduce(|sum, time| sum + time).map(wording::time)
}
