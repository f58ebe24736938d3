//! Los Alamos chess, which MANIAC I played in 1956: a board of 6x6 without bishops. Pawns go
//! one square and promote to a queen, rook or knight; there is no castling. As in the
//! laboratory's chess without `--draws`, nothing but mate and stalemate ends a game.

use crate::chess::{Color, Piece, see};
use crate::lab::board::{KING_STEPS, KNIGHT_STEPS};
use crate::lab::game::{GameMove, GameTree, WIN, mix};

const SIZE: usize = 6;
const SQUARES: usize = SIZE * SIZE;

type Cells = [Option<(Color, Piece)>; SQUARES];

/// The pieces of the first rank.
const FIRST_RANK: [Piece; SIZE] =
    [Piece::Rook, Piece::Knight, Piece::Queen, Piece::King, Piece::Knight, Piece::Rook];

/// What a pawn can become; the numbers of promotions begin with 1.
const PROMOTIONS: [Piece; 3] = [Piece::Queen, Piece::Rook, Piece::Knight];

/// A move: the origin, the destination and the promotion.
fn number(from: usize, to: usize, promotion: usize) -> u16 {
    (from + SQUARES * (to + SQUARES * promotion)) as u16
}

/// The inverse of [`number`].
fn parts(m: u16) -> (usize, usize, Option<Piece>) {
    let m = usize::from(m);
    let promotion = (m / SQUARES / SQUARES).checked_sub(1);
    (m % SQUARES, m / SQUARES % SQUARES, promotion.map(|index| PROMOTIONS[index]))
}

/// The square a step away, if it is on the board.
fn step(square: usize, (dx, dy): (i8, i8)) -> Option<usize> {
    let (x, y) = ((square % SIZE) as i8 + dx, (square / SIZE) as i8 + dy);
    let is_inside = [x, y].iter().all(|place| (0..SIZE as i8).contains(place));
    is_inside.then(|| x as usize + SIZE * y as usize)
}

/// Calls `found` for each move of a side, legal or into check; a promotion is one move.
fn each_move(cells: &Cells, side: Color, mut found: impl FnMut(usize, usize)) {
    let owner = |square: usize| cells[square].map(|(owner, _)| owner);
    for (from, cell) in cells.iter().enumerate() {
        let Some((_, piece)) = cell.filter(|&(owner, _)| owner == side) else { continue };
        let (steps, is_slider) = match piece {
            Piece::Pawn => {
                let dy = if side == Color::White { 1 } else { -1 };
                for dx in [-1, 0, 1] {
                    let Some(to) = step(from, (dx, dy)) else { continue };
                    if owner(to) == (dx != 0).then_some(!side) {
                        found(from, to);
                    }
                }
                continue;
            }
            Piece::Knight => (&KNIGHT_STEPS[..], false),
            Piece::Rook => (&KING_STEPS[..4], true),
            Piece::King => (&KING_STEPS[..], false),
            Piece::Queen | Piece::Bishop => (&KING_STEPS[..], true),
        };
        for &direction in steps {
            let mut next = step(from, direction);
            while let Some(to) = next.filter(|&to| owner(to) != Some(side)) {
                found(from, to);
                let goes_on = is_slider && owner(to).is_none();
                next = if goes_on { step(to, direction) } else { None };
            }
        }
    }
}

fn is_in_check(cells: &Cells, side: Color) -> bool {
    let mut is_attacked = false;
    each_move(cells, !side, |_, to| is_attacked |= cells[to] == Some((side, Piece::King)));
    is_attacked
}

fn after(cells: &Cells, m: u16) -> Cells {
    let (from, to, promotion) = parts(m);
    let mut after = *cells;
    after[to] = after[from].take().map(|(side, piece)| (side, promotion.unwrap_or(piece)));
    after
}

/// A board; White is MAX.
#[derive(Clone, Debug)]
pub struct LosAlamos {
    cells: Cells,
    side: Color,
    /// The boards before each move.
    above: Vec<Cells>,
}

impl Default for LosAlamos {
    /// The initial position.
    fn default() -> Self {
        let mut cells = [None; SQUARES];
        for (file, &piece) in FIRST_RANK.iter().enumerate() {
            cells[file] = Some((Color::White, piece));
            cells[file + SIZE] = Some((Color::White, Piece::Pawn));
            cells[file + 4 * SIZE] = Some((Color::Black, Piece::Pawn));
            cells[file + 5 * SIZE] = Some((Color::Black, piece));
        }
        Self { cells, side: Color::White, above: Vec::new() }
    }
}

impl LosAlamos {
    /// The material of a side in centipawns, and a point for each of its moves.
    fn worth(&self, side: Color) -> i32 {
        let own = self.cells.iter().flatten().filter(|(owner, _)| *owner == side);
        let mut worth = own.map(|&(_, piece)| see::value(piece)).sum();
        each_move(&self.cells, side, |_, _| worth += 1);
        worth
    }
}

impl GameTree for LosAlamos {
    fn moves(&self) -> Vec<GameMove> {
        let mut moves = Vec::new();
        each_move(&self.cells, self.side, |from, to| {
            if is_in_check(&after(&self.cells, number(from, to, 0)), self.side) {
                return;
            }
            let is_pawn = self.cells[from] == Some((self.side, Piece::Pawn));
            let promotes = is_pawn && [0, SIZE - 1].contains(&(to / SIZE));
            let promotions = if promotes { 1..=PROMOTIONS.len() } else { 0..=0 };
            moves.extend(promotions.map(|promotion| number(from, to, promotion)));
        });
        moves
    }

    fn play(&mut self, m: GameMove) {
        self.above.push(self.cells);
        self.cells = after(&self.cells, m);
        self.side = !self.side;
    }

    fn undo(&mut self) {
        if let Some(cells) = self.above.pop() {
            self.cells = cells;
            self.side = !self.side;
        }
    }

    fn end(&self) -> Option<i32> {
        self.moves().is_empty().then(|| if self.in_check() { -WIN } else { 0 })
    }

    /// Material and mobility, as MANIAC had it.
    fn value(&self) -> i32 {
        self.worth(self.side) - self.worth(!self.side)
    }

    fn key(&self) -> u64 {
        let number = |cell: &Option<(Color, Piece)>| match cell {
            Some((side, piece)) => 1 + piece.index() as u64 + 6 * *side as u64,
            None => 0,
        };
        self.cells.iter().fold(self.side as u64, |key, cell| mix(key, number(cell)))
    }

    fn max_to_move(&self) -> bool {
        self.side == Color::White
    }

    fn is_noisy(&self, m: GameMove) -> bool {
        let (_, to, promotion) = parts(m);
        self.cells[to].is_some() || promotion.is_some()
    }

    fn in_check(&self) -> bool {
        is_in_check(&self.cells, self.side)
    }

    /// The most valuable victim, then the least valuable attacker.
    fn guess(&self, m: GameMove) -> i32 {
        let (from, to, promotion) = parts(m);
        let rank = |square: usize| self.cells[square].map_or(0, |(_, piece)| piece.index() as i32);
        match self.cells[to] {
            Some(_) => 10 + 10 * rank(to) - rank(from),
            None => i32::from(promotion.is_some()),
        }
    }

    fn text(&self, m: GameMove) -> String {
        let (from, to, promotion) = parts(m);
        let square = |square: usize| {
            format!("{}{}", (b'a' + (square % SIZE) as u8) as char, square / SIZE + 1)
        };
        let promotion = promotion.map(|piece| piece.letter(Color::Black));
        let promotion = promotion.map_or_else(String::new, String::from);
        format!("{}{}{promotion}", square(from), square(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions after `depth` plies.
    fn perft(game: &mut LosAlamos, depth: u32) -> u64 {
        let moves = game.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let below = moves.into_iter().map(|m| {
            game.play(m);
            let count = perft(game, depth - 1);
            game.undo();
            count
        });
        below.sum()
    }

    /// The numbers that the chess programs Cute Chess and Fairy-Stockfish check.
    #[test]
    fn perft_is_what_other_programs_count() {
        assert_eq!(perft(&mut LosAlamos::default(), 4), 14_332);
        assert_eq!(perft(&mut LosAlamos::default(), 5), 191_846);
        // 6/2P3/6/1K1k2/6/6 w
        let mut cells = [None; SQUARES];
        cells[26] = Some((Color::White, Piece::Pawn));
        cells[13] = Some((Color::White, Piece::King));
        cells[15] = Some((Color::Black, Piece::King));
        let mut game = LosAlamos { cells, ..LosAlamos::default() };
        assert_eq!(perft(&mut game, 6), 187_431);
    }
}
