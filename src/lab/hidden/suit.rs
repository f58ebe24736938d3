//! One suit of bridge: MAX plays the cards of North and South, and sees both; East and West
//! hold the others, nobody knows how. MAX leads each trick, from either hand; who has none of
//! the suit left discards. MAX wins by a number of tricks.
//!
//! A world is a way to divide the cards between East and West. The likelier of two has hands of
//! nearer length, since each of both has thirteen cards.

use crate::lab::game::mix;
use crate::lab::hidden::double_dummy::{DoubleDummy, Sharing};
use crate::lab::hidden::{HiddenError, HiddenGame, MAX_NODES, WorldBranch, WorldTree, Worlds};

/// Cards, a bit each, from the two on.
pub type Cards = u16;

const NAMES: &str = "23456789TJQKA";

/// The most cards of North and of South, …
pub const MAX_CARDS: u32 = 4;
/// … and of East and West together.
const MAX_HIDDEN: u32 = 6;

/// The cards that MAX sees, and those of East and West.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    pub north: Cards,
    pub south: Cards,
    pub hidden: Cards,
}

/// The cards, the highest first.
pub fn each_card(cards: Cards) -> impl Iterator<Item = Cards> {
    (0..NAMES.len()).rev().map(|rank| 1 << rank).filter(move |card| cards & card != 0)
}

fn cards_text(cards: Cards) -> String {
    let name = |card: Cards| NAMES.as_bytes()[card.trailing_zeros() as usize] as char;
    each_card(cards).map(name).collect()
}

impl Deal {
    /// Reads the cards of North, of South and of the defenders, as `AQT/432/KJ98`.
    pub fn parse(text: &str) -> Result<Self, HiddenError> {
        let fault = || HiddenError::Deal(text.to_owned());
        let mut all = 0;
        let mut hand = |text: &str| {
            text.chars().try_fold(0, |cards, name| {
                let card: Cards = 1 << NAMES.find(name.to_ascii_uppercase())?;
                let is_new = all & card == 0;
                all |= card;
                is_new.then_some(cards | card)
            })
        };
        let hands: Option<Vec<Cards>> = text.split('/').map(&mut hand).collect();
        let Some([north, south, hidden]) = hands.as_deref() else { return Err(fault()) };
        let deal = Self { north: *north, south: *south, hidden: *hidden };
        let is_small = [*north, *south].iter().all(|hand| hand.count_ones() <= MAX_CARDS);
        let fits = is_small && hidden.count_ones() <= MAX_HIDDEN && north | south != 0;
        if fits { Ok(deal) } else { Err(fault()) }
    }

    /// The highest cards, at random: `cards` each for North and South, one more for East and
    /// West.
    pub fn random(cards: u32, seed: u64) -> Self {
        let count = 3 * cards + 1;
        let mut order: Vec<u32> = (NAMES.len() as u32 - count..NAMES.len() as u32).collect();
        order.sort_by_key(|&rank| mix(seed, rank.into()));
        let set = |ranks: &[u32]| ranks.iter().map(|rank| 1 << rank).sum();
        let (own, hidden) = order.split_at(2 * cards as usize);
        let (north, south) = own.split_at(cards as usize);
        Self { north: set(north), south: set(south), hidden: set(hidden) }
    }

    /// The deal as [`parse`](Self::parse) reads it.
    pub fn text(&self) -> String {
        [self.north, self.south, self.hidden].map(cards_text).join("/")
    }

    /// The cards of North, East, South and West in each world.
    pub fn hands(&self) -> impl Iterator<Item = [Cards; 4]> {
        let cards: Vec<Cards> = each_card(self.hidden).collect();
        let deal = *self;
        (0..1_u32 << cards.len()).map(move |world| {
            let held = cards.iter().enumerate().filter(|(place, _)| world >> place & 1 == 1);
            let east: Cards = held.map(|(_, card)| card).sum();
            [deal.north, east, deal.south, deal.hidden & !east]
        })
    }

    /// The most tricks that MAX takes in some world with open cards.
    pub fn most_tricks(&self) -> u32 {
        let mut open = DoubleDummy::new(Sharing::Partition);
        let mut takes = |tricks| self.hands().any(|hands| open.takes(hands, tricks));
        (1..=MAX_CARDS).rev().find(|&tricks| takes(tricks)).unwrap_or(0)
    }

    /// The game in which MAX has to take this many tricks.
    pub fn game(&self, tricks: u32) -> Result<HiddenGame, HiddenError> {
        let weights = self.hands().map(|hands| weight(hands[1], hands[3])).collect();
        let in_east = each_card(self.hidden).map(|card| {
            let holds = self.hands().enumerate().filter(|(_, hands)| hands[1] & card != 0);
            (card, holds.map(|(world, _)| 1 << world).sum::<Worlds>())
        });
        let mut builder = TreeBuilder { in_east: in_east.collect(), tricks, nodes: 0 };
        let play = Play { cards: *self, leader: 0, turn: 0, trick: 0, best: (0, true), won: 0 };
        let moves = play.leads().map(|(hand, card)| {
            format!("{} {}", if hand == 0 { "North" } else { "South" }, cards_text(card))
        });
        let moves: Vec<String> = moves.collect();
        let mut game = HiddenGame { tree: WorldTree::Leaf(0), weights, moves };
        game.tree = WorldTree::Max(builder.leads(play, game.worlds())?);
        Ok(game)
    }
}

/// In how many ways East and West can hold these cards beside others of the 26 that they have.
fn weight(east: Cards, west: Cards) -> u64 {
    let others = 26 - u64::from((east | west).count_ones());
    let of_east = 13 - u64::from(east.count_ones());
    (0..of_east).fold(1, |ways, taken| ways * (others - taken) / (taken + 1))
}

/// A deal while it is played.
#[derive(Clone, Copy, Debug)]
struct Play {
    /// The cards that are left.
    cards: Deal,
    /// The hand that has led: North is 0, East 1, South 2, West 3.
    leader: usize,
    /// How many hands have had their turn in this trick.
    turn: usize,
    /// The cards of this trick.
    trick: Cards,
    /// The best of them, and whether it is MAX's.
    best: (Cards, bool),
    /// The tricks of MAX.
    won: u32,
}

impl Play {
    /// The cards of a hand of MAX from which there is to choose: of neighbours one.
    fn choices(&self, hand: Cards) -> impl Iterator<Item = Cards> {
        let Deal { north, south, hidden } = self.cards;
        let mut last_is_own = false;
        each_card(north | south | hidden | self.trick).filter(move |card| {
            let is_own = hand & card != 0;
            let is_first = is_own && !last_is_own;
            last_is_own = is_own;
            is_first
        })
    }

    /// The hands and cards with which MAX can lead.
    fn leads(&self) -> impl Iterator<Item = (usize, Cards)> {
        let [north, south] = [self.cards.north, self.cards.south].map(|hand| self.choices(hand));
        north.map(|card| (0, card)).chain(south.map(|card| (2, card)))
    }

    /// After the turn of a hand, which plays a card or, with 0, discards.
    fn after(mut self, hand: usize, card: Cards) -> Self {
        let Deal { north, south, hidden } = &mut self.cards;
        for cards in [north, south, hidden] {
            *cards &= !card;
        }
        self.trick |= card;
        self.turn += 1;
        if card > self.best.0 {
            self.best = (card, hand.is_multiple_of(2));
        }
        self
    }
}

struct TreeBuilder {
    /// Each card of the defenders, with the worlds in which East has it.
    in_east: Vec<(Cards, Worlds)>,
    /// The tricks that MAX has to take.
    tricks: u32,
    nodes: usize,
}

impl TreeBuilder {
    /// The moves of MAX who leads.
    fn leads(&mut self, play: Play, possible: Worlds) -> Result<Vec<WorldBranch>, HiddenError> {
        let lead = |(hand, card)| {
            let below = self.tree(Play { leader: hand, ..play }.after(hand, card), possible)?;
            Ok(WorldBranch { worlds: Worlds::MAX, below })
        };
        play.leads().map(lead).collect()
    }

    fn tree(&mut self, play: Play, possible: Worlds) -> Result<WorldTree, HiddenError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(HiddenError::Large);
        }
        let Deal { north, south, .. } = play.cards;
        let hand = (play.leader + play.turn) % 4;
        match play.turn {
            0 => {
                let left = north.count_ones().max(south.count_ones());
                if play.won >= self.tricks || play.won + left < self.tricks {
                    let is_won = play.won >= self.tricks;
                    return Ok(WorldTree::Leaf(if is_won { Worlds::MAX } else { 0 }));
                }
                Ok(WorldTree::Max(self.leads(play, possible)?))
            }
            4 => {
                let won = play.won + u32::from(play.best.1);
                self.tree(Play { turn: 0, trick: 0, best: (0, true), won, ..play }, possible)
            }
            _ if hand % 2 == 1 => self.defence(play, hand, possible),
            _ => {
                let own = if hand == 0 { north } else { south };
                if own == 0 {
                    return self.tree(play.after(hand, 0), possible);
                }
                let follow = |card| {
                    let below = self.tree(play.after(hand, card), possible)?;
                    Ok(WorldBranch { worlds: Worlds::MAX, below })
                };
                let branches: Result<Vec<_>, _> = play.choices(own).map(follow).collect();
                Ok(WorldTree::Max(branches?))
            }
        }
    }

    /// The turn of East or West, who may play what they hold in one of the possible worlds, and
    /// discard where they hold nothing.
    fn defence(
        &mut self,
        play: Play,
        hand: usize,
        possible: Worlds,
    ) -> Result<WorldTree, HiddenError> {
        let mut void = possible;
        let mut moves = Vec::new();
        for &(card, in_east) in
            self.in_east.iter().filter(|(card, _)| play.cards.hidden & card != 0)
        {
            let worlds = possible & if hand == 1 { in_east } else { !in_east };
            void &= !worlds;
            moves.push((card, worlds));
        }
        moves.push((0, void));
        let mut branches = Vec::new();
        for (card, worlds) in moves.into_iter().filter(|&(_, worlds)| worlds != 0) {
            branches
                .push(WorldBranch { worlds, below: self.tree(play.after(hand, card), worlds)? });
        }
        Ok(WorldTree::Min(branches))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::hidden::exact::plans;

    #[test]
    fn deals_are_read() {
        for text in ["AQT/432/KJ98", "A/2/", "/AK/QJT987"] {
            assert_eq!(Deal::parse(text).unwrap().text(), text);
        }
        for text in
            ["", "A/2", "A/2/3/4", "A/A/K", "AKQJT/2/3", "A/2/KQJT987", "1/2/3", "//3", "A/é/3"]
        {
            assert!(Deal::parse(text).is_err(), "{text}");
        }
    }

    /// What books on bridge say of a finesse, a double finesse, four cards that have to divide
    /// 2-2 and five that have to divide 3-2.
    #[test]
    fn known_chances() {
        for (text, tricks, percent) in [
            ("AQ/32/KT98", 2, 50.0),
            ("AJT/432/KQ98", 2, 76.0),
            ("AK3/542/QJT9", 3, 40.7),
            ("AK32/654/QJT98", 3, 68.0),
        ] {
            let game = Deal::parse(text).unwrap().game(tricks).unwrap();
            let best = game.best_of(&plans(&game).unwrap());
            let chance = 100.0 * game.chance(best.wins);
            assert!((chance - percent).abs() < 1.0, "{text}: {chance}");
        }
    }
}
