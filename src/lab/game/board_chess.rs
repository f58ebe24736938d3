//! Chess on any board: what the algorithms ask is answered by a [`SearchBoard`].
//!
//! The board generates, makes and takes back the moves, knows checks and counts material. The
//! rarer questions, and other evaluations, are answered by a copy in bitboards.

use crate::chess::notation::uci::format_move;
use crate::chess::{Color, Piece, Position, Square, State, see};
use crate::eval::Accumulator;
use crate::lab::board::BoardError;
use crate::lab::board::search_board::{SearchBoard, search_board};
use crate::lab::game::chess::{decoded, victim_and_attacker};
use crate::lab::game::{Chess, Draws, Evaluation, GameMove, GameTree, MoveFacts, WIN};

/// A position of standard chess on a board. White is MAX; no draw but stalemate ends the game.
#[derive(Clone)]
pub struct BoardChess {
    root: Position,
    board: Box<dyn SearchBoard>,
    side: Color,
    evaluation: Evaluation,
    /// What a draw is worth, from White's side.
    draw_value: i32,
}

impl BoardChess {
    /// A position on the board of a name, as [`search_board`].
    pub fn new(
        board: &str,
        position: &Position,
        evaluation: Evaluation,
    ) -> Result<Self, BoardError> {
        if let Evaluation::RootPlan = evaluation {
            return Err(BoardError::RootPlan);
        }
        let (root, side) = (position.clone(), position.side_to_move());
        let board = search_board(board, position)?;
        Ok(Self { root, board, side, evaluation, draw_value: 0 })
    }

    /// The position before the first move.
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// The position in bitboards. A legal move leads to a possible position.
    fn state(&self) -> State {
        match self.board.setup().validate() {
            Ok((state, _)) => state,
            Err(error) => unreachable!("a legal move led to a position where {error}"),
        }
    }

    /// The position as the usual game.
    fn as_chess(&self) -> Chess {
        Chess::new(Position::new(self.state()), self.evaluation.clone(), Draws::None)
    }
}

impl GameTree for BoardChess {
    fn moves(&self) -> Vec<GameMove> {
        self.board.moves()
    }

    fn play(&mut self, m: GameMove) {
        self.board.make(decoded(m));
        self.side = !self.side;
    }

    fn pass(&mut self) -> bool {
        let may_pass = !self.in_check();
        if may_pass {
            self.board.pass();
            self.side = !self.side;
        }
        may_pass
    }

    fn undo(&mut self) {
        self.board.unmake();
        self.side = !self.side;
    }

    fn end(&self) -> Option<i32> {
        let draw = self.draw_value * self.side.sign();
        let value = || if self.in_check() { -WIN } else { draw };
        (!self.board.has_move()).then(value)
    }

    fn value(&self) -> i32 {
        if let Evaluation::Material = self.evaluation {
            return self.quick_value();
        }
        let state = self.state();
        self.evaluation.value(&state, &Accumulator::from_state(&state))
    }

    fn extra_plies(&self) -> u32 {
        self.evaluation.extra_plies(&self.state())
    }

    fn set_contempt(&mut self, contempt: i32) {
        self.draw_value = -contempt * self.side.sign();
    }

    fn key(&self) -> u64 {
        self.state().key()
    }

    fn max_to_move(&self) -> bool {
        self.side == Color::White
    }

    fn is_noisy(&self, m: GameMove) -> bool {
        decoded(m).is_noisy()
    }

    fn guess(&self, m: GameMove) -> i32 {
        let m = decoded(m);
        let on = |square: Square| self.board.occupant(square).map(|(_, piece)| piece);
        match on(m.from()).filter(|_| m.is_noisy()) {
            None => 0,
            Some(Piece::Pawn) if m.is_en_passant() => {
                victim_and_attacker(m, Some(Piece::Pawn), Piece::Pawn)
            }
            Some(piece) => victim_and_attacker(m, on(m.to()), piece),
        }
    }

    fn exchange(&self, m: GameMove) -> i32 {
        self.as_chess().exchange(m)
    }

    fn turbulence(&self) -> i32 {
        self.as_chess().turbulence()
    }

    fn sacrifice_potential(&mut self, m: GameMove) -> i32 {
        self.as_chess().sacrifice_potential(m)
    }

    fn facts(&self, m: GameMove) -> MoveFacts {
        self.as_chess().facts(m)
    }

    fn in_check(&self) -> bool {
        self.board.in_check()
    }

    fn has_pieces(&self) -> bool {
        self.as_chess().has_pieces()
    }

    fn quick_value(&self) -> i32 {
        let worth = |(color, piece): (Color, Piece)| see::value(piece) * color.sign();
        let men = self.board.setup().board.into_iter().flatten();
        men.map(worth).sum::<i32>() * self.side.sign()
    }

    /// By origin and destination, as [`crate::chess::Move::from_to`].
    fn move_places(&self) -> usize {
        4096
    }

    fn text(&self, m: GameMove) -> String {
        format_move(decoded(m), false)
    }
}
