//! The moves of a game that can be followed, with the positions between them.

use crate::chess::notation::pgn::PgnGame;
use crate::chess::{FIFTY_MOVES, Move, Position, State};

/// The main line of a game, up to the first move that is not legal.
#[derive(Clone, Debug)]
pub struct FollowedGame {
    states: Vec<State>,
    /// `None` for a pass.
    moves: Vec<Option<Move>>,
    key: u64,
}

impl FollowedGame {
    /// The main line of a game; `None` if its first position is not known.
    pub fn new(game: &PgnGame) -> Option<Self> {
        let mut state = *game.start()?.state();
        let (mut states, moves) = (vec![state], game.moves().collect::<Vec<_>>());
        for m in &moves {
            match m {
                Some(m) => state.make(*m, &mut ()),
                None => state.make_null(),
            }
            states.push(state);
        }
        Some(Self { key: key(&states), states, moves })
    }

    /// The positions: one more than moves.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The moves; `None` for a pass.
    pub fn moves(&self) -> &[Option<Move>] {
        &self.moves
    }

    /// The move at a ply; `None` for a pass, and after the last move.
    pub fn move_at(&self, ply: usize) -> Option<Move> {
        self.moves.get(ply).copied().flatten()
    }

    /// A number that differs for other games, with high probability: it depends on the
    /// positions and on how they are counted.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// A position to be searched, with the moves since the last capture or pawn move, as many
    /// as the rule of fifty moves counts.
    ///
    /// A position that occurs for the third time would be a draw for the search. Unless it
    /// ends the game, the players went on: it is then returned without the moves before it.
    pub fn position(&self, index: usize) -> Position {
        let reversible = usize::from(self.states[index].halfmove_clock().min(FIFTY_MOVES));
        let first = index.saturating_sub(reversible);
        let mut position = Position::new(self.states[first]);
        for m in &self.moves[first..index] {
            match m {
                Some(m) => position.make(*m),
                None => position.make_null(),
            }
        }
        if index < self.moves.len() && position.is_repetition(0) {
            return Position::new(self.states[index]);
        }
        position
    }
}

/// The key of a game with these positions.
fn key(states: &[State]) -> u64 {
    /// An odd number with a random pattern of bits.
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |key: u64, number: u64| (key.rotate_left(5) ^ number).wrapping_mul(FACTOR);
    states.iter().fold(0, |key, state| {
        let counters = u64::from(state.halfmove_clock()) << 16;
        mix(mix(key, state.key()), counters | u64::from(state.fullmove_number()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::pgn::PgnReader;

    fn follow(text: &str) -> FollowedGame {
        FollowedGame::new(&PgnReader::new(text.as_bytes()).next().unwrap().unwrap()).unwrap()
    }

    #[test]
    fn the_main_line_is_followed_as_far_as_it_goes() {
        for (text, plies) in [
            ("*", 0),
            ("1. e4 (1. d4 d5) e5 {x} 2. Nf3 *", 3),
            ("1. e4 -- 2. d4 *", 3),
            ("1. e4 e5 2. Ke3 Nf6 *", 2),
        ] {
            let game = follow(text);
            assert_eq!((game.moves().len(), game.states().len()), (plies, plies + 1), "{text}");
            for index in 0..=plies {
                assert_eq!(game.position(index).state(), &game.states()[index]);
            }
        }
    }

    #[test]
    fn a_repetition_is_a_draw_only_at_the_end() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
        assert!(follow(&format!("{shuffle} *")).position(8).is_draw(0));
        let game = follow(&format!("{shuffle} e4 *"));
        assert!(!game.position(8).is_draw(0));
        assert_eq!(game.position(7).plies(), 7);
        // A long game without captures and pawn moves is over after fifty moves.
        let game = follow(&format!("{} *", "Nf3 Nf6 Ng1 Ng8 ".repeat(100)));
        assert_eq!(game.position(400).plies(), 100);
        assert!(game.position(400).is_draw(0));
    }

    #[test]
    fn other_games_have_other_keys() {
        let texts = ["*", "1. e4 *", "1. e4 e5 *", "1. e3 e5 2. e4 *", "1. Nf3 *"];
        let keys = texts.map(|text| follow(text).key());
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{}", texts[index]);
        }
        assert_eq!(follow("[White \"A\"]\n\n1. e4 {x} *").key(), keys[1]);
    }
}
