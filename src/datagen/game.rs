//! One game, from its opening to its samples.

use crate::chess::GameResult;
use crate::chess::adjudication::{AdjudicationRules, Adjudicator};
use crate::datagen::DatagenOptions;
use crate::datagen::opening::{NoOpening, Openings};
use crate::datagen::player::Player;
use crate::datagen::sample::{QuietPosition, choose};
use crate::util::rng;

/// Plies after the opening that give no samples: the first moves resolve what the random
/// ones have left hanging.
const SETTLING_PLIES: usize = 4;

/// The samples and the result of a game.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub samples: Vec<QuietPosition>,
    pub result: GameResult,
}

impl Game {
    /// The lines of the samples.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.samples.iter().map(|sample| sample.line(self.result))
    }
}

/// Plays a game; `None` if the player was stopped.
pub(super) fn play(
    number: u64,
    options: &DatagenOptions,
    openings: &Openings<'_>,
    player: &mut Player,
) -> Result<Option<Game>, NoOpening> {
    player.new_game();
    let mut random = rng::numbered(options.seed, number);
    let mut position = match openings.draw(number, &mut random, player) {
        Ok(position) => position,
        Err(_) if player.is_stopped() => return Ok(None),
        Err(error) => return Err(error),
    };
    let settled = position.plies() + SETTLING_PLIES;
    let mut adjudicator = Adjudicator::new(AdjudicationRules::SELF_PLAY);
    let mut positions = Vec::new();
    let result = loop {
        if let Some(result) = GameResult::by_rule(&position) {
            break result;
        }
        let Some(choice) = player.choose_move(&position, options.nodes) else { return Ok(None) };
        if position.plies() >= settled {
            positions.extend(QuietPosition::new(&position, &choice));
        }
        if let Some(result) = adjudicator.judge(position.plies(), choice.score.cp()) {
            break result;
        }
        position.make(choice.best);
    };
    let samples = choose(&positions, options.per_game, &mut random);
    Ok(Some(Game { samples, result }))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::chess::notation::openings::OpeningList;
    use crate::search::Control;

    #[test]
    fn a_stopped_game_has_no_result() {
        let openings = OpeningList::default();
        let options =
            DatagenOptions { seed: 5, nodes: 300, random_plies: 0, per_game: 1000, openings };
        let openings = Openings::new(&options.openings, 0, 5);
        let control = Control::new(Instant::now(), false);
        let mut player = Player::new(0, &control).unwrap();
        control.stop();
        let game = play(0, &options, &openings, &mut player);
        assert!(matches!(game, Ok(None)), "{game:?}");
    }
}
