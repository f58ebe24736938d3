//! Mates that are asked for: whether there is one.
//!
//! The ordinary search finds mates quickly, but leaves moves out, so that it never
//! knows that there is none. This one looks at every move of both sides. It is
//! short work all the same, since one defence refutes an attack, and mostly the
//! same one as before.

use crate::chess::Move;
use crate::search::worker::{Stopped, Worker};

/// The most moves of a mate that is looked for in this way.
pub(super) const MAX_MOVES: u8 = 4;

/// The defence that was good the last time, by the attacker's moves still to come.
type Killers = [Option<Move>; MAX_MOVES as usize];

impl Worker<'_> {
    /// Whether one of the moves at the root forces mate in so many moves, at most
    /// [`MAX_MOVES`].
    pub(super) fn has_mate_in(&mut self, moves: u8) -> Result<bool, Stopped> {
        debug_assert!((1..=MAX_MOVES).contains(&moves));
        let killers = &mut Killers::default();
        let attacks: Vec<Move> = self.root_moves.iter().map(|root| root.m).collect();
        self.any_mates(&attacks, moves, 0, killers)
    }

    /// Whether one of the attacks mates by itself, or in so many moves with those
    /// that follow.
    fn any_mates(
        &mut self,
        attacks: &[Move],
        moves: u8,
        ply: usize,
        killers: &mut Killers,
    ) -> Result<bool, Stopped> {
        for &m in attacks {
            if moves > 1 || self.position.gives_check(m) {
                self.count_node()?;
                self.position.make(m);
                let lost = self.is_lost(moves - 1, ply + 1, killers);
                self.position.unmake();
                if lost? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether the side to move is mated, or has no defence against mate in so many
    /// moves of the other side.
    fn is_lost(&mut self, moves: u8, ply: usize, killers: &mut Killers) -> Result<bool, Stopped> {
        let mut defences = self.position.legal_moves();
        if defences.is_empty() {
            return Ok(self.position.in_check());
        }
        if moves == 0 || self.position.is_draw(ply) {
            return Ok(false);
        }
        let slot = usize::from(moves);
        if let Some(index) = defences.iter().position(|&m| killers[slot] == Some(m)) {
            defences.swap(0, index);
        }
        for &m in &defences {
            self.count_node()?;
            self.position.make(m);
            let lost = self.is_still_lost(moves, ply + 1, killers);
            self.position.unmake();
            if !lost? {
                killers[slot] = Some(m);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the attack goes on after a defence, which may have been a draw.
    fn is_still_lost(
        &mut self,
        moves: u8,
        ply: usize,
        killers: &mut Killers,
    ) -> Result<bool, Stopped> {
        if self.position.is_draw(ply) {
            return Ok(false);
        }
        let attacks = self.position.legal_moves();
        self.any_mates(&attacks, moves, ply, killers)
    }
}
