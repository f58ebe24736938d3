//! Any game of the laboratory, as one type.

use thiserror::Error;

use crate::chess::Position;
use crate::lab::game::board_chess::BoardChess;
use crate::lab::game::connect4::Connect4;
use crate::lab::game::explicit::{ExplicitTree, TreeTextError};
use crate::lab::game::los_alamos::LosAlamos;
use crate::lab::game::tictactoe::TicTacToe;
use crate::lab::game::tree::{SyntheticTree, TreeShape, TreeValues};
use crate::lab::game::{Chess, Draws, Evaluation, GameTree};

/// Any of the games.
#[derive(Clone)]
pub enum AnyGame {
    Chess(Box<Chess>),
    /// Chess on a board of the laboratory.
    Board(Box<BoardChess>),
    LosAlamos(LosAlamos),
    Connect4(Connect4),
    TicTacToe(TicTacToe),
    Tree(SyntheticTree),
    Explicit(ExplicitTree),
}

/// Why a text is not a game other than chess.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameTextError {
    #[error("{0:?} is not a game; tictactoe, connect4, los-alamos, tree or explicit is expected")]
    Unknown(String),
    #[error("{0:?} is not a size of Connect-4, as 5x4, that fits in 64 bits")]
    Size(String),
    #[error(
        "{0:?} is not an option of a tree: w=1..255, d=1..60, range=0..400, seed=N, ragged, or \
         values=independent, correlated or ordered"
    )]
    Option(String),
    #[error(transparent)]
    Tree(#[from] TreeTextError),
    #[error("{0:?} is not a legal move there")]
    Move(String),
}

/// The games, as [`AnyGame::parse`] reads them.
pub const GAMES: [(&str, &str); 5] = [
    ("tictactoe", "tic-tac-toe"),
    ("connect4:COLUMNSxROWS", "Connect-4, by default 7x6"),
    ("los-alamos", "Los Alamos chess: 6x6, without bishops, double steps and castling"),
    (
        "tree:w=5,d=6,values=correlated,range=100,seed=1,ragged",
        "a synthetic tree; its values are independent, correlated or ordered",
    ),
    ("explicit:[[3 12 8] [2 4 6] [14 5 2]]", "a tree that is written out"),
];

impl AnyGame {
    /// Chess in which repetition and the fifty-move rule draw nothing.
    pub fn chess(position: Position, evaluation: Evaluation) -> Self {
        Self::Chess(Box::new(Chess::new(position, evaluation, Draws::None)))
    }

    /// What algorithms see of the game.
    pub fn tree(&mut self) -> &mut dyn GameTree {
        match self {
            Self::Chess(game) => &mut **game,
            Self::Board(game) => &mut **game,
            Self::LosAlamos(game) => game,
            Self::Connect4(game) => game,
            Self::TicTacToe(game) => game,
            Self::Tree(game) => game,
            Self::Explicit(game) => game,
        }
    }

    /// The position, in chess; on a board the one before the first move.
    pub fn position(&self) -> Option<&Position> {
        match self {
            Self::Chess(game) => Some(game.position()),
            Self::Board(game) => Some(game.root()),
            _ => None,
        }
    }

    /// Reads a game other than chess, `NAME[:OPTIONS][/MOVE,MOVE…]`.
    pub fn parse(text: &str) -> Result<Self, GameTextError> {
        let (game, moves) = text.split_once('/').unwrap_or((text, ""));
        let (name, options) = game.split_once(':').unwrap_or((game, ""));
        let mut game = match name {
            "tictactoe" if options.is_empty() => Self::TicTacToe(TicTacToe::default()),
            "los-alamos" if options.is_empty() => Self::LosAlamos(LosAlamos::default()),
            "connect4" => Self::Connect4(connect4(options)?),
            "tree" => Self::Tree(SyntheticTree::new(tree_shape(options)?)),
            "explicit" => Self::Explicit(ExplicitTree::parse(options)?),
            _ => return Err(GameTextError::Unknown(text.to_owned())),
        };
        for text in moves.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let tree = game.tree();
            let m = if tree.end().is_none() { tree.find(text) } else { None };
            tree.play(m.ok_or_else(|| GameTextError::Move(text.to_owned()))?);
        }
        Ok(game)
    }
}

fn connect4(size: &str) -> Result<Connect4, GameTextError> {
    let text = if size.is_empty() { "7x6" } else { size };
    let board = text
        .split_once('x')
        .and_then(|(columns, rows)| Connect4::new(columns.parse().ok()?, rows.parse().ok()?));
    board.ok_or_else(|| GameTextError::Size(size.to_owned()))
}

fn tree_shape(options: &str) -> Result<TreeShape, GameTextError> {
    let mut shape = TreeShape::default();
    for option in options.split(',').map(str::trim).filter(|option| !option.is_empty()) {
        set(&mut shape, option).ok_or_else(|| GameTextError::Option(option.to_owned()))?;
    }
    Ok(shape)
}

/// Sets an option of a tree; `None` if there is none of this name or value.
fn set(shape: &mut TreeShape, option: &str) -> Option<()> {
    let (name, value) = option.split_once('=').unwrap_or((option, ""));
    match name {
        "w" => shape.width = value.parse().ok().filter(|&width| width > 0)?,
        "d" => shape.depth = value.parse().ok().filter(|depth| (1..=60).contains(depth))?,
        "range" => shape.range = value.parse().ok().filter(|range| (0..=400).contains(range))?,
        "seed" => shape.seed = value.parse().ok()?,
        "ragged" if value.is_empty() => shape.ragged = true,
        "values" => {
            shape.values = match value {
                "independent" => TreeValues::Independent,
                "correlated" => TreeValues::Correlated,
                "ordered" => TreeValues::Ordered,
                _ => return None,
            }
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::game::{Draws, Evaluation};
    use crate::suite::bench::POSITIONS;

    #[test]
    fn games_are_read() {
        for text in [
            "tictactoe",
            "tictactoe/b2,a1",
            "connect4",
            "connect4:5x4/c,c",
            "los-alamos/d2d3,b6c4",
            "tree",
            "tree:w=3,d=4,values=ordered,range=7,seed=9,ragged",
            "tree:w=1,d=1,range=0",
            "tree:w=255,d=60,range=400",
            "explicit:[[3 12] [2 4]]/2",
        ] {
            assert!(AnyGame::parse(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "go",
            "tictactoe:3",
            "tictactoe/b2,b2",
            "tictactoe/a1,a2,b1,b2,c1,c2",
            "connect4:9x8",
            "connect4:0x4",
            "connect4:1x31",
            "explicit:[[-2147483648 3] [2 5]]",
            "connect4:5",
            "los-alamos/d2d4",
            "tree:values=none",
            "tree:x",
            "tree:w=0",
            "tree:w=256",
            "tree:d=0",
            "tree:d=61",
            "tree:range=-1",
            "tree:range=401",
            "explicit:[",
        ] {
            assert!(AnyGame::parse(text).is_err(), "{text}");
        }
    }

    /// The laws of the trait, checked below a position.
    fn check(game: &mut dyn GameTree, depth: u32) {
        let before = (game.key(), game.value(), game.end(), game.max_to_move());
        assert!(game.move_places().is_power_of_two());
        let moves = game.moves();
        assert!(game.end().is_some() || !moves.is_empty());
        if depth == 0 || game.end().is_some() {
            return;
        }
        for m in moves {
            assert_eq!(game.find(&game.text(m)), Some(m));
            game.play(m);
            assert_ne!((game.key(), game.max_to_move()), (before.0, before.3));
            check(game, depth - 1);
            game.undo();
            assert_eq!((game.key(), game.value(), game.end(), game.max_to_move()), before);
        }
        if game.pass() {
            assert_ne!(game.max_to_move(), before.3);
            game.undo();
            assert_eq!((game.key(), game.value(), game.end(), game.max_to_move()), before);
        }
    }

    #[test]
    fn undo_is_the_inverse_of_play() {
        for text in
            ["tictactoe", "connect4:4x4", "tree:w=4,d=4,ragged", "explicit:5[[3 12] 2[2 -4]]"]
        {
            check(AnyGame::parse(text).unwrap().tree(), 5);
        }
        check(AnyGame::parse("los-alamos").unwrap().tree(), 3);
        let position = Position::from_fen(POSITIONS[10]).unwrap();
        check(&mut Chess::new(position, Evaluation::Lovec, Draws::Path), 2);
    }
}
