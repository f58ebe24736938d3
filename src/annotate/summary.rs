//! The sums of an annotated game.

use std::ops::RangeInclusive;

use crate::annotate::accuracy;
use crate::annotate::annotated_game::{
    AnnotatedGame, AnnotatedMove, GamePhase, MoveCounts, PositionValue, SideSummary, rounded,
};
use crate::chess::{Color, GameResult};
use crate::insight::mark::Fault;

/// How many key moments a game has at most.
const KEY_MOMENTS: usize = 5;

/// From this expected score on the winner is ahead.
const AHEAD: f64 = 0.6;

/// From this expected score on a side is winning.
pub const WINNING: f64 = 0.9;

/// A side that was winning still is from here on.
const STILL_WINNING: f64 = 0.8;

/// Adds the sums to a game whose moves are complete. `sides` are annotated, White first.
pub fn add(game: &mut AnnotatedGame, sides: [bool; 2]) {
    let weights = move_weights(&game.moves);
    if sides[0] {
        game.white = side_summary(game, &weights, Color::White);
    }
    if sides[1] {
        game.black = side_summary(game, &weights, Color::Black);
    }
    let mut faults: Vec<&AnnotatedMove> = game.faults().map(|(m, _)| m).collect();
    faults.sort_by(|a, b| b.loss.unwrap_or_default().total_cmp(&a.loss.unwrap_or_default()));
    game.key_moments = faults.iter().take(KEY_MOMENTS).map(|m| m.ply).collect();
    game.turning_point = turning_point(game);
    let searched_again: Vec<bool> = game.moves.iter().filter_map(|m| m.confirmed).collect();
    game.searched_again = searched_again.len();
    game.withdrawn = searched_again.into_iter().filter(|confirmed| !confirmed).count();
}

/// The weight of each move in the accuracy; 0 for moves that were not searched.
fn move_weights(moves: &[AnnotatedMove]) -> Vec<f64> {
    let points = |value: PositionValue| 100.0 * value.white_expected;
    let searched = moves.iter().filter_map(|m| m.before.map(points));
    let last = moves.last().and_then(|m| m.after).map(points);
    let weights = accuracy::weights(&searched.chain(last).collect::<Vec<_>>());
    let missing = moves.len().saturating_sub(weights.len());
    [vec![0.0; missing], weights].concat()
}

fn side_summary(game: &AnnotatedGame, weights: &[f64], side: Color) -> SideSummary {
    let own = game.moves.iter().zip(weights).filter(|(m, _)| m.color == side);
    let accuracies: Vec<(f64, f64)> =
        own.filter_map(|(m, &weight)| Some((accuracy::of_move(100.0 * m.loss?), weight))).collect();
    sums_of(game.moves_of(side), accuracy::of_moves(&accuracies))
}

/// The sums of the moves of one player, who has this accuracy.
pub fn sums_of<'a>(
    moves: impl Iterator<Item = &'a AnnotatedMove> + Clone,
    accuracy: Option<f64>,
) -> SideSummary {
    let of_phase = |phase: GamePhase| counts(moves.clone().filter(|m| m.phase == phase));
    SideSummary {
        accuracy: accuracy.map(|percent| (10.0 * percent).round() / 10.0),
        all: counts(moves.clone()),
        opening: of_phase(GamePhase::Opening),
        middlegame: of_phase(GamePhase::Middlegame),
        endgame: of_phase(GamePhase::Endgame),
        time_trouble: counts(moves.clone().filter(|m| m.clock.is_trouble)),
    }
}

fn counts<'a>(moves: impl Iterator<Item = &'a AnnotatedMove>) -> MoveCounts {
    let mut counts = MoveCounts::default();
    let (mut loss, mut loss_cp) = (0.0, 0);
    for m in moves {
        let Some(lost) = m.loss else { continue };
        counts.moves += 1;
        loss += lost;
        loss_cp += m.loss_cp.unwrap_or_default();
        match m.fault() {
            Some(Fault::Inaccuracy) => counts.inaccuracies += 1,
            Some(Fault::Mistake) => counts.mistakes += 1,
            Some(Fault::Blunder) => counts.blunders += 1,
            None => {}
        }
    }
    if counts.moves > 0 {
        let moves = counts.moves as f64;
        counts.mean_loss = Some(rounded(100.0 * loss / moves));
        counts.mean_loss_cp = Some(rounded(f64::from(loss_cp) / moves));
    }
    counts
}

/// The ply of the mistake or blunder that decided the game: the largest of the loser since the
/// winner was not ahead, and until it was winning; in a drawn or unfinished game the largest of
/// all.
fn turning_point(game: &AnnotatedGame) -> Option<usize> {
    let plies = match game.result {
        Some(GameResult::Won(winner)) => decisive_plies(game, winner)?,
        _ => 1..=game.moves.len(),
    };
    let has_won = |color| game.result == Some(GameResult::Won(color));
    let mistakes = game.faults().filter(|(_, fault)| *fault >= Fault::Mistake).map(|(m, _)| m);
    let found = mistakes.filter(|m| plies.contains(&m.ply) && !has_won(m.color));
    let loss = |m: &AnnotatedMove| m.loss.unwrap_or_default();
    // Of equal losses the first one.
    let largest = found.reduce(|a, b| if loss(b) > loss(a) { b } else { a });
    largest.map(|m| m.ply)
}

/// The plies from the last position in which the winner was not ahead to the one from which on it
/// was winning; `None` if it was always ahead, or is not in the end.
fn decisive_plies(game: &AnnotatedGame, winner: Color) -> Option<RangeInclusive<usize>> {
    let is_open =
        |value: Option<PositionValue>| value.is_some_and(|it| it.expected_by(winner) <= AHEAD);
    let open = game.moves.iter().rfind(|m| is_open(m.before))?;
    if is_open(game.moves.last()?.after) {
        return None;
    }
    Some(open.ply..=winning_move(game, winner).map_or(game.moves.len(), |m| m.ply))
}

/// The move from which on a side was winning until the end.
pub fn winning_move(game: &AnnotatedGame, side: Color) -> Option<&AnnotatedMove> {
    let expected = |m: &AnnotatedMove| Some(m.after?.expected_by(side));
    let is_less = |m: &AnnotatedMove| expected(m).is_some_and(|it| it < STILL_WINNING);
    let start = game.moves.iter().rposition(is_less).map_or(0, |index| index + 1);
    game.moves[start..].iter().find(|m| expected(m).is_some_and(|it| it >= WINNING))
}
