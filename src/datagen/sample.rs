//! The positions of a game that become samples, and their lines.

use rand::rngs::StdRng;
use rand::seq::index;

use crate::chess::{Color, GameResult, Position, State};
use crate::datagen::player::MoveChoice;
use crate::eval::Score;

/// A position that can become a sample once the result of its game is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuietPosition {
    state: State,
    /// From White's side.
    score: Score,
}

impl QuietPosition {
    /// `None` if a position is not quiet. The tuner compares static evaluations with
    /// results, so the best move must not be a capture or promotion, the side to move must
    /// not be in check, and the score must be within the range of evaluations. Repeated
    /// positions are left out.
    pub fn new(position: &Position, choice: &MoveChoice) -> Option<Self> {
        let quiet = !position.in_check() && choice.best.is_quiet();
        let excluded = choice.score.is_decisive() || position.is_repetition(usize::MAX);
        (quiet && !excluded).then(|| Self { state: *position.state(), score: choice.score })
    }

    /// The sample as a line for the tuner: `FEN | centipawns | result`, both numbers from White's
    /// side.
    pub fn line(&self, result: GameResult) -> String {
        let points = result.points(Color::White);
        format!("{} | {} | {points:.1}\n", self.state.fen(), self.score.cp())
    }
}

/// Chooses at most `count` of the positions of a game, at random but in order:
/// neighbouring positions are similar, and long games should not outweigh short ones.
pub(super) fn choose(
    positions: &[QuietPosition],
    count: usize,
    random: &mut StdRng,
) -> Vec<QuietPosition> {
    let count = count.min(positions.len());
    let mut chosen = index::sample(random, positions.len(), count).into_vec();
    chosen.sort_unstable();
    chosen.into_iter().map(|index| positions[index]).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::chess::notation::uci;

    const FEN: &str = "r3k3/1P6/8/8/8/8/8/R3K2R w KQq - 3 20";

    fn quiet(position: &Position, best: &str, score: i32) -> Option<QuietPosition> {
        let best = uci::parse_move(position, best).unwrap();
        QuietPosition::new(position, &MoveChoice { best, score: Score::new(score) })
    }

    #[test]
    fn quiet_positions_are_taken() {
        let position = Position::from_fen(FEN).unwrap();
        assert!(quiet(&position, "h1h2", -123).is_some());
        assert!(quiet(&position, "e1g1", 8999).is_some());
    }

    #[test]
    fn captures_promotions_and_known_wins_are_left_out() {
        let position = Position::from_fen(FEN).unwrap();
        for (best, score) in [
            ("a1a8", 0),
            ("b7a8q", 0),
            ("b7b8q", 0),
            ("b7b8n", 0),
            ("h1h2", Score::KNOWN_WIN.cp()),
            ("h1h2", -Score::KNOWN_WIN.cp()),
            ("h1h2", Score::mate_in(3).cp()),
        ] {
            assert!(quiet(&position, best, score).is_none(), "{best} {score}");
        }
    }

    #[test]
    fn checks_are_left_out() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").unwrap();
        assert!(quiet(&position, "e1d1", 0).is_none());
    }

    #[test]
    fn repeated_positions_are_left_out() {
        let mut position = Position::startpos();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            assert!(quiet(&position, text, 0).is_some(), "{text}");
            position.make(uci::parse_move(&position, text).unwrap());
        }
        assert!(quiet(&position, "e2e4", 0).is_none());
    }

    #[test]
    fn a_line_has_the_score_and_result_of_white() {
        let position = Position::from_fen(FEN).unwrap();
        let quiet = quiet(&position, "h1h2", -123).unwrap();
        let [white, black] = Color::ALL.map(GameResult::Won);
        for (result, points) in [(white, "1.0"), (GameResult::Drawn, "0.5"), (black, "0.0")] {
            assert_eq!(quiet.line(result), format!("{FEN} | -123 | {points}\n"));
        }
    }

    #[test]
    fn some_positions_of_a_game_are_chosen_in_order() {
        let position = Position::from_fen(FEN).unwrap();
        let positions: Vec<QuietPosition> =
            (0..50).map(|score| quiet(&position, "h1h2", score).unwrap()).collect();
        let scores = |seed, count| -> Vec<i32> {
            let mut random = StdRng::seed_from_u64(seed);
            let samples = choose(&positions, count, &mut random);
            samples.iter().map(|sample| sample.score.cp()).collect()
        };
        let some = scores(1, 12);
        assert_eq!(some.len(), 12);
        assert!(some.is_sorted_by(|a, b| a < b), "{some:?}");
        assert_ne!(some, scores(2, 12));
        assert_eq!(scores(1, 1000), (0..50).collect::<Vec<_>>());
        assert!(scores(1, 0).is_empty());
    }
}
