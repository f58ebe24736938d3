//! A game on a page: what its parts need, and the names by which they link to each other.

use crate::annotate::annotated_game::{AnnotatedGame, AnnotatedMove};
use crate::annotate::options::AnnotateOptions;

/// What a page says, except the games.
#[derive(Clone, Copy)]
pub struct ReportContext<'a> {
    pub options: &'a AnnotateOptions,
    /// Plies of a line that are shown.
    pub line: usize,
    /// The command that makes the page again.
    pub command: &'a str,
}

/// The part of a page that shows one game.
#[derive(Clone, Copy)]
pub struct GameSection<'a> {
    pub game: &'a AnnotatedGame,
    /// Whether the page has other games, and an index.
    pub has_index: bool,
    pub context: &'a ReportContext<'a>,
}

impl GameSection<'_> {
    /// The name of a move within the page.
    pub fn move_id(&self, m: &AnnotatedMove) -> String {
        format!("g{}p{}", self.game.number, m.ply)
    }

    /// The name of a key moment within the page, by its number in the order of the game.
    pub fn moment_id(&self, number: usize) -> String {
        format!("g{}k{number}", self.game.number)
    }

    /// The key moments in the order of the game, with their numbers from 1.
    pub fn moments(&self) -> impl Iterator<Item = (usize, &AnnotatedMove)> {
        let mut plies = self.game.key_moments.clone();
        plies.sort_unstable();
        let moves = plies.into_iter().filter_map(|ply| self.game.moves.get(ply.checked_sub(1)?));
        (1..).zip(moves)
    }
}
