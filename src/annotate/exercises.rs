//! Positions to solve: where a player went wrong and one move was clearly best.

use crate::annotate::annotated_game::{AnnotatedGame, AnnotatedMove};
use crate::chess::notation::quoted;

/// The positions before the largest confirmed faults, at most `count`, as lines of EPD with
/// the best move (`bm`) and a name (`id`); the largest fault first.
pub fn exercises(games: &[AnnotatedGame], count: usize) -> String {
    let mut found: Vec<(&AnnotatedGame, &AnnotatedMove)> = Vec::new();
    for game in games {
        found.extend(game.moves.iter().filter(|m| m.is_exercise()).map(|m| (game, m)));
    }
    let loss = |m: &AnnotatedMove| m.loss.unwrap_or_default();
    found.sort_by(|(_, a), (_, b)| loss(b).total_cmp(&loss(a)));
    let lines = found.into_iter().take(count).filter_map(|(game, m)| line(game, m));
    lines.collect()
}

fn line(game: &AnnotatedGame, m: &AnnotatedMove) -> Option<String> {
    let best = m.best.as_ref()?.written.san.first()?;
    let fen = m.state.fen();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    let [white, black] = ["White", "Black"].map(|tag| game.tag(tag).unwrap_or("?"));
    let name = format!("game {}, {white} - {black}, {}{}", game.number, m.number, m.san);
    Some(format!("{} bm {best}; id \"{}\";\n", fields.join(" "), quoted::written(&name)))
}
