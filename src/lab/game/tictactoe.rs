//! Tic-tac-toe.

use crate::lab::game::{GameMove, GameTree, WIN, mix};

/// The lines of three, a bit for each square, from a1 to c3.
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// A board of three by three squares; MAX begins.
#[derive(Clone, Debug, Default)]
pub struct TicTacToe {
    /// The squares of MAX and of MIN.
    squares: [u16; 2],
    played: Vec<u16>,
}

impl TicTacToe {
    fn side(&self) -> usize {
        self.played.len() % 2
    }
}

/// A square of the board as it is in an image: reflected by the first two bits of the
/// number, and then transposed by the third.
fn image_square(square: u16, image: u8) -> u16 {
    let (x, y) = (square % 3, square / 3);
    let (x, y) = (if image & 1 == 0 { x } else { 2 - x }, if image & 2 == 0 { y } else { 2 - y });
    if image & 4 == 0 { x + 3 * y } else { y + 3 * x }
}

fn key(squares: [u16; 2]) -> u64 {
    mix(u64::from(squares[0]) << 9 | u64::from(squares[1]), 9)
}

impl GameTree for TicTacToe {
    fn moves(&self) -> Vec<GameMove> {
        let taken = self.squares[0] | self.squares[1];
        (0..9).filter(|square| taken >> square & 1 == 0).collect()
    }

    fn play(&mut self, m: GameMove) {
        self.squares[self.side()] |= 1 << m;
        self.played.push(m);
    }

    fn undo(&mut self) {
        if let Some(m) = self.played.pop() {
            self.squares[self.side()] ^= 1 << m;
        }
    }

    fn end(&self) -> Option<i32> {
        let them = self.squares[1 - self.side()];
        if LINES.iter().any(|line| line & them == *line) {
            return Some(-WIN);
        }
        (self.played.len() == 9).then_some(0)
    }

    /// The lines that only the side to move can still fill, less the other side's.
    fn value(&self) -> i32 {
        let open =
            |side: usize| LINES.iter().filter(|&line| line & self.squares[side] == 0).count();
        open(1 - self.side()) as i32 - open(self.side()) as i32
    }

    fn key(&self) -> u64 {
        key(self.squares)
    }

    fn reflections(&self) -> u8 {
        8
    }

    fn image_key(&self, image: u8) -> Option<u64> {
        let squares = self.squares.map(|set| {
            let own = (0..9).filter(|square| set >> square & 1 == 1);
            own.map(|square| 1 << image_square(square, image)).sum()
        });
        Some(key(squares))
    }

    fn image_move(&self, m: GameMove, image: u8) -> GameMove {
        image_square(m, image)
    }

    fn max_to_move(&self) -> bool {
        self.side() == 0
    }

    /// The number of lines through the square.
    fn guess(&self, m: GameMove) -> i32 {
        LINES.iter().filter(|&line| line >> m & 1 == 1).count() as i32
    }

    fn text(&self, m: GameMove) -> String {
        format!("{}{}", ['a', 'b', 'c'][usize::from(m % 3)], m / 3 + 1)
    }
}
