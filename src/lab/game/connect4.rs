//! Connect-4 on a board of any size that fits in 64 bits.

use std::rc::Rc;

use crate::lab::game::{GameMove, GameTree, WIN, mix};

/// A board of `columns` by `rows`; MAX begins. Four in a line win.
///
/// The discs of a side are bits, a column after the other with an empty row on top of each
/// (Tromp's layout): shifts never connect two columns.
#[derive(Clone, Debug)]
pub struct Connect4 {
    columns: u16,
    rows: u16,
    discs: [u64; 2],
    played: Vec<u16>,
    /// All lines of four.
    lines: Rc<[u64]>,
}

impl Connect4 {
    /// An empty board; `None` if its size is not supported.
    pub fn new(columns: u16, rows: u16) -> Option<Self> {
        let fits = u32::from(columns) * (u32::from(rows) + 1) <= 64;
        if columns == 0 || rows == 0 || columns.max(rows) > 26 || !fits {
            return None;
        }
        let lines = lines(columns, rows).into();
        Some(Self { columns, rows, discs: [0; 2], played: Vec::new(), lines })
    }

    fn side(&self) -> usize {
        self.played.len() % 2
    }

    fn column(&self, m: u16) -> u64 {
        ((1 << self.rows) - 1) << (m * (self.rows + 1))
    }

    /// The discs in a column.
    fn height(&self, m: u16) -> u16 {
        ((self.discs[0] | self.discs[1]) & self.column(m)).count_ones() as u16
    }

    fn bit(&self, m: u16, row: u16) -> u64 {
        1 << (m * (self.rows + 1) + row)
    }

    /// What the lines are worth that a side can still fill.
    fn prospects(&self, side: usize) -> i32 {
        let (own, other) = (self.discs[side], self.discs[1 - side]);
        let open = self.lines.iter().filter(|&line| line & other == 0);
        open.map(|line| [0, 1, 4, 16, 0][(line & own).count_ones() as usize]).sum()
    }
}

fn lines(columns: u16, rows: u16) -> Vec<u64> {
    let step = i32::from(rows) + 1;
    let mut lines = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for x in 0..i32::from(columns) {
            for y in 0..i32::from(rows) {
                let (last_x, last_y) = (x + 3 * dx, y + 3 * dy);
                if last_x < i32::from(columns) && (0..i32::from(rows)).contains(&last_y) {
                    let bit = |n| 1_u64 << ((x + n * dx) * step + y + n * dy);
                    lines.push((0..4).map(bit).sum());
                }
            }
        }
    }
    lines
}

fn key(discs: [u64; 2]) -> u64 {
    mix(mix(discs[0], 4), discs[1])
}

impl GameTree for Connect4 {
    fn moves(&self) -> Vec<GameMove> {
        (0..self.columns).filter(|&m| self.height(m) < self.rows).collect()
    }

    fn play(&mut self, m: GameMove) {
        let bit = self.bit(m, self.height(m));
        self.discs[self.side()] |= bit;
        self.played.push(m);
    }

    fn undo(&mut self) {
        if let Some(m) = self.played.pop() {
            let bit = self.bit(m, self.height(m) - 1);
            self.discs[self.side()] ^= bit;
        }
    }

    fn end(&self) -> Option<i32> {
        let them = self.discs[1 - self.side()];
        let step = self.rows + 1;
        for shift in [1, step, step + 1, step - 1] {
            let pairs = them & them >> shift;
            if pairs & pairs >> (2 * shift) != 0 {
                return Some(-WIN);
            }
        }
        (self.played.len() == usize::from(self.columns) * usize::from(self.rows)).then_some(0)
    }

    fn value(&self) -> i32 {
        self.prospects(self.side()) - self.prospects(1 - self.side())
    }

    fn key(&self) -> u64 {
        key(self.discs)
    }

    fn reflections(&self) -> u8 {
        2
    }

    fn image_key(&self, image: u8) -> Option<u64> {
        if image == 0 {
            return Some(self.key());
        }
        let discs = self.discs.map(|set| {
            let columns = (0..self.columns).map(|m| {
                let column = (set & self.column(m)) >> self.bit(m, 0).trailing_zeros();
                column << self.bit(self.columns - 1 - m, 0).trailing_zeros()
            });
            columns.sum()
        });
        Some(key(discs))
    }

    fn image_move(&self, m: GameMove, image: u8) -> GameMove {
        if image == 0 { m } else { self.columns - 1 - m }
    }

    fn max_to_move(&self) -> bool {
        self.side() == 0
    }

    fn guess(&self, m: GameMove) -> i32 {
        -(2 * i32::from(m) + 1 - i32::from(self.columns)).abs()
    }

    fn text(&self, m: GameMove) -> String {
        char::from(b'a' + m as u8).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value after moves in these columns.
    fn end(moves: &[u16]) -> Option<i32> {
        let mut game = Connect4::new(7, 6).unwrap();
        moves.iter().for_each(|&m| game.play(m));
        game.end()
    }

    #[test]
    fn four_in_a_line_win() {
        assert_eq!(end(&[0, 6, 1, 6, 2, 6]), None);
        assert_eq!(end(&[0, 6, 1, 6, 2, 6, 3]), Some(-WIN));
        assert_eq!(end(&[0, 1, 0, 1, 0, 1, 0]), Some(-WIN));
        assert_eq!(end(&[0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3]), Some(-WIN));
        assert_eq!(end(&[3, 2, 2, 1, 1, 0, 1, 0, 0, 6, 0]), Some(-WIN));
        // A line does not continue in the next column.
        assert_eq!(end(&[0, 6, 0, 6, 1, 0, 1, 0, 1, 0, 1, 0]), Some(-WIN));
        assert_eq!(lines(7, 6).len(), 69);
    }
}
