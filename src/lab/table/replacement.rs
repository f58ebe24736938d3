//! Which entry of the table stays when positions share a place (Breuker, Uiterwijk and van
//! den Herik, "Replacement schemes for transposition tables", 1994).
//!
//! | scheme | places | which entry stays |
//! |---|---|---|
//! | deep | 1 | the deeper one; the newer of equals |
//! | new | 1 | the newer one |
//! | old | 1 | the older one |
//! | big1 | 1 | the one with more nodes below it; a node found in the table counts as one |
//! | bigall | 1 | the same; a node found in the table counts as the nodes below it |
//! | twodeep | 2 | the deepest in the first place, the newest other one in the second |
//! | twobig1 | 2 | the same by nodes |
//! | cluster | 6 | all but the least deep; exact values count as two plies more, as entries of a principal variation do in the playing search |
//! | used | 6 | all but the one that has been used least often, the least deep of equals |

use crate::lab::table::BoundEntry;

/// A scheme of replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Replacement {
    #[default]
    Deep,
    New,
    Old,
    Big1,
    BigAll,
    TwoDeep,
    TwoBig1,
    Cluster,
    Used,
}

/// The most places that a position can have.
pub const MAX_PLACES: usize = 6;

/// The plies that an exact value is worth in a cluster.
const EXACT_PLIES: u64 = 2;

/// Where a new entry goes.
#[derive(Clone, Copy, Debug)]
pub enum NewPlace {
    /// To this place; what is there is lost.
    At(usize),
    /// To the first place; what is there moves to the second.
    Push,
    /// Nowhere.
    Nowhere,
}

impl Replacement {
    pub const ALL: [Self; 9] = [
        Self::Deep,
        Self::New,
        Self::Old,
        Self::Big1,
        Self::BigAll,
        Self::TwoDeep,
        Self::TwoBig1,
        Self::Cluster,
        Self::Used,
    ];
    pub const NAMES: [&str; 9] =
        ["deep", "new", "old", "big1", "bigall", "twodeep", "twobig1", "cluster", "used"];

    /// The places that a position can have.
    pub fn places(self) -> usize {
        match self {
            Self::TwoDeep | Self::TwoBig1 => 2,
            Self::Cluster | Self::Used => MAX_PLACES,
            _ => 1,
        }
    }

    fn rank(self, entry: &BoundEntry) -> u64 {
        match self {
            Self::Big1 | Self::BigAll | Self::TwoBig1 => entry.nodes,
            Self::Used => u64::from(entry.uses) << 32 | u64::from(entry.depth),
            Self::Cluster if entry.low == entry.high => u64::from(entry.depth) + EXACT_PLIES,
            _ => entry.depth.into(),
        }
    }

    /// Where an entry goes whose position is in none of its places, given what is there.
    pub fn place(self, there: &[Option<&BoundEntry>], new: &BoundEntry) -> NewPlace {
        let rank_at = |place: usize| there.get(place)?.map(|entry| self.rank(entry));
        let outranks = rank_at(0).is_none_or(|rank| rank <= self.rank(new));
        match self {
            Self::New => NewPlace::At(0),
            Self::Old if rank_at(0).is_some() => NewPlace::Nowhere,
            Self::Cluster | Self::Used => {
                NewPlace::At((0..there.len()).min_by_key(|&place| rank_at(place)).unwrap_or(0))
            }
            Self::TwoDeep | Self::TwoBig1 if outranks => NewPlace::Push,
            Self::TwoDeep | Self::TwoBig1 => NewPlace::At(1),
            _ if outranks => NewPlace::At(0),
            _ => NewPlace::Nowhere,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (scheme, name) in Replacement::ALL.into_iter().zip(Replacement::NAMES) {
            assert_eq!(format!("{scheme:?}").to_lowercase(), name);
        }
    }
}
