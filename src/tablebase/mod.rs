//! Layer 2: endings whose outcome is known.
//!
//! | file | contents |
//! |---|---|
//! | [`wdl`] | won, drawn or lost under the fifty-move rule |
//! | [`syzygy`] | R. de Man's tables: the winner, and the distance to the next capture or pawn move |
//! | [`rank`] | ranks root moves by Syzygy distance |
//! | [`chunks`] | cached reading of Syzygy files |
//! | [`checksum`], [`city_hash`] | checks that a file is the published table |
//! | [`egtb`] | Lovec's own tables: the distance to mate in plies |

pub mod checksum;
mod chunks;
mod city_hash;
pub mod egtb;
pub mod rank;
pub mod syzygy;
pub mod wdl;

pub use rank::RankedMove;
pub use syzygy::{Dtz, Syzygy};
pub use wdl::Wdl;
