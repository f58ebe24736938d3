//! Positions to solve: where a player went wrong and one move was clearly best.

use std::collections::HashSet;

use crate::annotate::annotated_game::{AnnotatedGame, AnnotatedMove};
use crate::chess::notation::quoted;

/// The positions before the largest confirmed faults, as lines of EPD with
/// the best move (`bm`), a name (`id`) and the reasons (`c0`); the largest fault first. A
/// position comes once, and so does a move that a player misses again in the same game.
pub fn exercises(games: &[AnnotatedGame]) -> String {
    let mut found: Vec<(&AnnotatedGame, &AnnotatedMove)> = Vec::new();
    for game in games {
        found.extend(game.moves.iter().filter(|m| m.is_exercise()).map(|m| (game, m)));
    }
    let loss = |m: &AnnotatedMove| m.loss.unwrap_or_default();
    found.sort_by(|(_, a), (_, b)| loss(b).total_cmp(&loss(a)));
    let (mut positions, mut missed) = (HashSet::new(), HashSet::new());
    found.retain(|(game, m)| {
        let best = m.best.as_ref().and_then(|line| line.moves.first());
        let is_new = positions.insert(position(m));
        missed.insert((game.number, m.color, best)) && is_new
    });
    found.into_iter().filter_map(|(game, m)| line(game, m)).collect()
}

/// The fields of a FEN that an EPD has.
fn position(m: &AnnotatedMove) -> String {
    let fen = m.state.fen();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    fields.join(" ")
}

fn line(game: &AnnotatedGame, m: &AnnotatedMove) -> Option<String> {
    let best = m.best.as_ref()?.written.san.first()?;
    let [white, black] = ["White", "Black"].map(|tag| game.tag(tag).unwrap_or("?"));
    let name = format!("game {}, {white} - {black}, {}{}", game.number, m.number, m.san);
    let mut line = format!("{} bm {best}; id \"{}\";", position(m), quoted::written(&name));
    let reasons = m.reasons().join(" ");
    if !reasons.is_empty() {
        line += &format!(" c0 \"{}\";", quoted::written(&reasons));
    }
    Some(line + "\n")
}
