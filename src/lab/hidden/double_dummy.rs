//! A suit with open cards, and partition search (Ginsberg, "Partition search", 1996): the table
//! keeps not positions but sets of them. Whether MAX takes enough tricks often depends on the
//! highest cards alone; then all positions with the same owners of these, and hands of the same
//! lengths, have the same result.

use std::collections::HashMap;

use crate::lab::hidden::suit::{Cards, each_card};

/// Which positions share a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// None: each is searched again.
    None,
    /// Those whose cards have the same owners, from the highest to the lowest.
    Equal,
    /// Those whose highest cards have the same owners, as far as that matters.
    Partition,
}

/// Below all cards: no card matters.
const NO_CARD: Cards = Cards::MAX;

/// The lengths of the hands, and the tricks that MAX needs.
type TableKey = ([u32; 4], u32);

/// A search of open cards, with a table for all its positions.
#[derive(Debug)]
pub struct DoubleDummy {
    sharing: Sharing,
    /// The owners of the highest cards, and whether MAX takes the tricks.
    table: HashMap<TableKey, Vec<(Vec<usize>, bool)>>,
    /// The positions between tricks that were searched.
    pub positions: u64,
}

/// The hands of North, East, South and West.
type Hands = [Cards; 4];

#[derive(Clone, Copy, Debug)]
struct OpenTrick {
    leader: usize,
    turn: usize,
    best: Cards,
    best_is_max: bool,
    /// Whether MIN has played a card.
    is_contested: bool,
}

impl DoubleDummy {
    pub fn new(sharing: Sharing) -> Self {
        Self { sharing, table: HashMap::new(), positions: 0 }
    }

    /// Whether MAX, who leads, takes at least this many tricks.
    pub fn takes(&mut self, hands: Hands, tricks: u32) -> bool {
        self.search(&hands, tricks).0
    }

    /// Whether MAX takes the tricks, and the lowest card whose owner matters for that.
    fn search(&mut self, hands: &Hands, tricks: u32) -> (bool, Cards) {
        let lengths = hands.map(Cards::count_ones);
        if tricks == 0 || tricks > lengths[0].max(lengths[2]) {
            return (tricks == 0, NO_CARD);
        }
        let all: Vec<Cards> = each_card(hands.iter().sum()).collect();
        let owner = |card: &Cards| hands.iter().position(|hand| hand & card != 0).unwrap_or(0);
        let owners: Vec<usize> = all.iter().map(owner).collect();
        let sets = self.table.get(&(lengths, tricks));
        let found = sets.and_then(|sets| sets.iter().find(|(top, _)| owners.starts_with(top)));
        if let Some((top, takes)) = found {
            return (*takes, top.len().checked_sub(1).map_or(NO_CARD, |last| all[last]));
        }
        self.positions += 1;
        let (takes, lowest) = self.lead(hands, tricks);
        let matter = all.iter().filter(|&&card| card >= lowest).count();
        let top = match self.sharing {
            Sharing::None => return (takes, lowest),
            Sharing::Equal => owners,
            Sharing::Partition => owners[..matter].to_vec(),
        };
        self.table.entry((lengths, tricks)).or_default().push((top, takes));
        (takes, lowest)
    }

    fn lead(&mut self, hands: &Hands, tricks: u32) -> (bool, Cards) {
        let mut lowest = NO_CARD;
        for leader in [0, 2].into_iter().filter(|&leader| hands[leader] != 0) {
            let trick =
                OpenTrick { leader, turn: 0, best: 0, best_is_max: true, is_contested: false };
            let (takes, matters) = self.follow(hands, trick, tricks);
            if takes {
                return (true, matters);
            }
            lowest = lowest.min(matters);
        }
        (false, lowest)
    }

    /// A trick from this turn on. One good card of a side is enough to prove what it wants.
    fn follow(&mut self, hands: &Hands, trick: OpenTrick, tricks: u32) -> (bool, Cards) {
        let OpenTrick { leader, turn, best, best_is_max, is_contested } = trick;
        if turn == 4 {
            let (takes, matters) = self.search(hands, tricks - u32::from(best_is_max));
            return (takes, if is_contested { matters.min(best) } else { matters });
        }
        let hand = (leader + turn) % 4;
        let trick = OpenTrick { turn: turn + 1, ..trick };
        if hands[hand] == 0 {
            return self.follow(hands, trick, tricks);
        }
        let is_max = hand % 2 == 0;
        let mut lowest = NO_CARD;
        for card in each_card(hands[hand]) {
            let trick = OpenTrick {
                best: best.max(card),
                best_is_max: if card > best { is_max } else { best_is_max },
                is_contested: is_contested || !is_max,
                ..trick
            };
            let (takes, matters) = self.follow(&without(hands, hand, card), trick, tricks);
            if takes == is_max {
                return (takes, matters);
            }
            lowest = lowest.min(matters);
        }
        (!is_max, lowest)
    }
}

fn without(hands: &Hands, hand: usize, card: Cards) -> Hands {
    let mut hands = *hands;
    hands[hand] &= !card;
    hands
}
