//! A game in three sentences: how the opening ended, where the game turned, and how it ended.
//! Each names moves and expected scores of the searches.

use crate::annotate::annotated_game::{AnnotatedGame, GamePhase, percent};
use crate::annotate::summary::{WINNING, winning_move};
use crate::chess::{Color, GameResult};

/// Up to this distance from a half the game is level.
const LEVEL: f64 = 0.08;
/// From these expected scores of a side in the last position on, its draw or loss is a surprise.
const SURPRISING_DRAW: f64 = 0.8;
const SURPRISING_LOSS: f64 = 0.5;

/// The sentences; fewer where the searches say nothing.
pub fn of_game(game: &AnnotatedGame) -> Vec<String> {
    let (opening, turn) = (opening(game), turn(game));
    let turns_in_opening = game.turning_move().is_some_and(|m| m.phase == GamePhase::Opening);
    let begin = if turns_in_opening { [turn, opening] } else { [opening, turn] };
    begin.into_iter().chain([end(game)]).flatten().collect()
}

fn opening(game: &AnnotatedGame) -> Option<String> {
    let opening = game.moves.iter().take_while(|m| m.phase == GamePhase::Opening).count();
    let next = game.moves.get(opening).filter(|_| opening > 0)?;
    let value = next.before?;
    let white = value.white_expected;
    let name = format!("{}{}", next.number, next.san);
    let side = if white > 0.5 { Color::White } else { Color::Black };
    let own = value.expected_by(side);
    let verdict = if own - 0.5 <= LEVEL {
        format!("the game was level ({} for White)", percent(white))
    } else {
        let stood = if own < WINNING { "stood better" } else { "was winning" };
        format!("{} {stood} ({})", side.name(), percent(own))
    };
    Some(format!("After the opening, before {name}, {verdict}."))
}

fn turn(game: &AnnotatedGame) -> Option<String> {
    let Some(m) = game.turning_move() else {
        let are_both = Color::ALL.into_iter().all(|side| game.is_annotated(side));
        return are_both.then(|| "No single move turned it.".to_owned());
    };
    let reason = m.explanation.first().map_or(String::new(), |reason| format!(" {reason}"));
    Some(format!("It turned with {} ({}).{reason}", m.with_fault(), m.change()?))
}

fn end(game: &AnnotatedGame) -> Option<String> {
    let result = game.result?;
    surprise(game, result).or_else(|| match result {
        GameResult::Drawn => hopes(game),
        GameResult::Won(winner) => win(game, winner),
    })
}

/// A result that the last position does not explain.
fn surprise(game: &AnnotatedGame, result: GameResult) -> Option<String> {
    let last = game.moves.last()?.after?;
    let (outcome, side, least) = match result {
        GameResult::Drawn => {
            let better = if last.white_expected >= 0.5 { Color::White } else { Color::Black };
            ("It was drawn".to_owned(), better, SURPRISING_DRAW)
        }
        GameResult::Won(winner) => (format!("{} won", winner.name()), !winner, SURPRISING_LOSS),
    };
    let (side_name, expected) = (side.name(), last.expected_by(side));
    (expected >= least).then(|| {
        format!(
            "{outcome}, although in the last position {side_name} could expect {}.",
            percent(expected)
        )
    })
}

/// Which side of a drawn game had most to hope for, and when.
fn hopes(game: &AnnotatedGame) -> Option<String> {
    let of_side =
        |side| game.moves.iter().filter_map(move |m| Some((m.after?.expected_by(side), side, m)));
    let chances = Color::ALL.into_iter().flat_map(of_side);
    let (chance, side, m) =
        chances.reduce(|most, next| if next.0 > most.0 { next } else { most })?;
    Some(format!(
        "It was drawn; {} had most to hope for after {} ({}).",
        side.name(),
        m.with_fault(),
        percent(chance)
    ))
}

fn win(game: &AnnotatedGame, winner: Color) -> Option<String> {
    let name = winner.name();
    Some(match winning_move(game, winner) {
        Some(m) => format!("From {} on {name} was winning.", m.with_fault()),
        None => {
            let last = game.moves.last()?.after?.expected_by(winner);
            format!("{name} won; in the last position it could expect {}.", percent(last))
        }
    })
}
