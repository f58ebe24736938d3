//! Layer 6: annotating games.
//!
//! Each position of a game is searched with cleared memory, so that the marks depend on
//! nothing but the game and the settings; moves that seem to be faults are searched again
//! for longer. The result is an [`AnnotatedGame`], from which the PGN and the report are
//! made.
//!
//! | file | contents |
//! |---|---|
//! | [`options`] | what is searched and marked |
//! | [`followed_game`] | the moves and positions of a game |
//! | [`searched_game`] | the searches of its positions, and the losses of its moves |
//! | [`search_record`], [`progress_file`] | searches that survive the end of the program |
//! | [`plan`], [`run`] | the threads that share the searches |
//! | [`position_searcher`], [`other_engine`] | Lovec or another engine |
//! | [`annotated_game`] | the annotated game as data |
//! | [`assemble`], [`game_clock`], [`explanation`], [`foreign_comments`] | from searches to annotations |
//! | [`summary`], [`accuracy`], [`story`] | the sums of a game, and its story |
//! | [`player`] | a player over several games |
//! | [`mod@exercises`] | positions to solve |
//! | [`pgn_notes`], [`own_notes`] | annotations in PGN, and how they are recognised |
//! | [`foreign_verdicts`] | scores and verdicts of other programs, to be replaced |
//! | [`report`] | the page |

pub mod accuracy;
pub mod annotated_game;
mod assemble;
mod exercises;
mod explanation;
mod followed_game;
mod foreign_comments;
mod foreign_verdicts;
mod game_clock;
mod options;
mod other_engine;
mod own_notes;
pub mod pgn_notes;
mod plan;
pub mod player;
mod position_searcher;
mod progress_file;
pub mod report;
mod run;
mod search_record;
mod searched_game;
mod story;
mod summary;

pub use annotated_game::{AnnotatedGame, AnnotatedMove};
pub use assemble::annotate;
pub use exercises::exercises;
pub use followed_game::FollowedGame;
pub use options::{AnnotateError, AnnotateOptions, GameSelection};
pub use other_engine::{IsStopped, OtherEngine};
pub use plan::{FinishedItem, GameInbox, GameItem};
pub use progress_file::{ProgressError, SearchProgress};
pub use run::{AnnotateEvent, AnnotateJob};
pub use search_record::EarlierSearches;
pub use searched_game::SearchedGame;
