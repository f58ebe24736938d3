//! A game in three sentences: how the opening ended, where the game turned, and how it ended.
//! Each names moves and expected scores of the searches.

use crate::annotate::annotated_game::{AnnotatedGame, AnnotatedMove, GamePhase};
use crate::chess::{Color, GameResult};

/// Up to this distance from a half the game is level.
const LEVEL: f64 = 0.08;
/// From this expected score on a side is winning.
const WINNING: f64 = 0.9;
/// A side that was winning still is from here on.
const STILL_WINNING: f64 = 0.8;

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
    Some(if own - 0.5 <= LEVEL {
        format!(
            "After the opening, before {name}, the game was level ({white} for White).",
            white = percent(white)
        )
    } else if own < WINNING {
        format!(
            "After the opening, before {name}, {} stood better ({}).",
            side.name(),
            percent(own)
        )
    } else {
        format!("After the opening, before {name}, {} was winning ({}).", side.name(), percent(own))
    })
}

fn turn(game: &AnnotatedGame) -> Option<String> {
    let Some(m) = game.turning_move() else {
        let is_annotated = |color| game.moves.iter().any(|m| m.color == color && m.loss.is_some());
        let are_both = Color::ALL.into_iter().all(is_annotated);
        return are_both.then(|| "No single move turned it.".to_owned());
    };
    let reason = m.explanation.first().map_or(String::new(), |reason| format!(" {reason}"));
    let (before, after) = (m.expected_before?, m.expected_after?);
    Some(format!(
        "It turned with {} ({} -> {}).{reason}",
        m.with_fault(),
        percent(before),
        percent(after)
    ))
}

fn end(game: &AnnotatedGame) -> Option<String> {
    let of_side = |m: &AnnotatedMove, side| Some(m.after?.expected_by(side));
    match game.result? {
        GameResult::Drawn => {
            let best = |side| {
                let chances = game.moves.iter().filter_map(|m| Some((of_side(m, side)?, m)));
                chances.reduce(|most, next| if next.0 > most.0 { next } else { most })
            };
            let (white, black) = (best(Color::White)?, best(Color::Black)?);
            let (side, (chance, m)) =
                if white.0 >= black.0 { (Color::White, white) } else { (Color::Black, black) };
            Some(format!(
                "It was drawn; {} had most to hope for after {} ({}).",
                side.name(),
                m.with_fault(),
                percent(chance)
            ))
        }
        GameResult::Won(color) => {
            let reaches = |m: &AnnotatedMove, least| of_side(m, color).is_none_or(|it| it >= least);
            let open = game.moves.iter().rposition(|m| !reaches(m, STILL_WINNING));
            let open = open.map_or(0, |index| index + 1);
            let later = game.moves[open..].iter().position(|m| reaches(m, WINNING));
            let open = later.map_or(game.moves.len(), |index| open + index);
            let winner = color.name();
            Some(match game.moves.get(open) {
                Some(m) => format!("From {} on {winner} was winning.", m.with_fault()),
                None => {
                    let last = game.moves.last().and_then(|m| of_side(m, color))?;
                    format!("{winner} won; in the last position it could expect {}.", percent(last))
                }
            })
        }
    }
}

fn percent(expected: f64) -> String {
    format!("{:.0} %", 100.0 * expected)
}
