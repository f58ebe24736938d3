//! The laboratory: classic search algorithms, side by side, on the same positions.
//!
//! The playing search is one algorithm with many refinements. Here each algorithm of the
//! literature is a short file of its own, and all of them run on the same games with the
//! same evaluation, so that their values, nodes and times can be compared. The playing
//! search does not know this module.
//!
//! | to read | what it holds |
//! |---|---|
//! | [`game`] | what an algorithm sees of a game, and six games |
//! | [`watch`], [`limit`] | the events of a search, and when it ends early |
//! | [`settings`] | the settings of a row as text |
//! | [`backup`] | the whole tree with another rule than the best value |
//! | [`chance`] | the chance to win with a value |
//! | [`table`], [`order`] | the transposition table; the order of moves |
//! | [`kept_tree`], [`grow`] | a tree in memory; growing it leaf by leaf |
//! | [`proof`] | proof numbers, and a tree that grows by them |
//! | [`answer`] | what an algorithm finds |
//! | [`search`] | the steps that the algorithms share, and what can be switched on in them |
//! | [`law`] | what a law is |
//! | [`game_laws`] | the laws of material, colours, boards, contempt and solved games |
//! | [`algorithm`] | the algorithms, a file each with its laws |
//! | [`row`] | an algorithm with settings and switches, and how it is run |
//! | [`minimal`] | the smallest tree that proves a value |
//! | [`measure`], [`laws`] | comparing rows; checking all laws |
//! | [`hidden`] | games with hidden cards, and their methods |
//! | [`board`] | representations of the chess board, by perft |
//! | [`player`], [`arena`] | a row that plays chess; games between two rows |
//! | [`fit`] | deep values as a line of shallow ones, for ProbCut |
//! | [`experiment`] | experiments of the literature, repeated |

pub mod algorithm;
pub mod answer;
pub mod arena;
pub mod backup;
pub mod board;
pub mod chance;
pub mod experiment;
pub mod fit;
pub mod game;
pub mod game_laws;
pub mod grow;
pub mod hidden;
pub mod kept_tree;
pub mod law;
pub mod laws;
pub mod limit;
pub mod measure;
pub mod minimal;
pub mod order;
pub mod player;
pub mod proof;
pub mod row;
pub mod search;
pub mod settings;
pub mod table;
#[cfg(test)]
mod test_run;
pub mod watch;

pub use answer::{Answer, Proof};
pub use law::{Law, LawRun, LawSample, ensure};
pub use limit::{Limit, LimitCheck, Searched, StopReason};
pub use row::{Iteration, Outcome, Row, RowError};
pub use search::{LineNode, Search};
pub use settings::{GivenSettings, SettingInfo};
pub use watch::{Counts, Watch};
