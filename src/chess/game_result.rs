use crate::chess::color::Color;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    Won(Color),
    Drawn,
}
