//! Mate search: whether there is a mate in at most four moves.
//!
//! The ordinary search finds mates quickly but prunes, so that it cannot prove that there
//! is none. This one searches all moves of both sides. It is fast all the same, since
//! one defence refutes an attack, and that is often the same as before.

use crate::chess::Move;
use crate::search::thread::worker::{Stopped, Worker};

/// The longest mate to search for, in moves.
pub const MAX_MOVES: u8 = 4;

/// The last good defence, by the number of the attacker's remaining moves.
type Killers = [Option<Move>; MAX_MOVES as usize];

impl Worker<'_> {
    /// Whether one of the root moves forces mate in at most `moves` moves, which is at
    /// most [`MAX_MOVES`].
    pub fn has_mate_in(&mut self, moves: u8) -> Result<bool, Stopped> {
        debug_assert!((1..=MAX_MOVES).contains(&moves));
        let killers = &mut Killers::default();
        let attacks: Vec<Move> = self.root.moves.iter().map(|root| root.m).collect();
        self.any_mates(&attacks, moves, 0, killers)
    }

    /// Whether one of the attacks mates in at most `moves` moves, itself included.
    fn any_mates(
        &mut self,
        attacks: &[Move],
        moves: u8,
        ply: usize,
        killers: &mut Killers,
    ) -> Result<bool, Stopped> {
        for &m in attacks {
            if moves > 1 || self.line.position.gives_check(m) {
                self.count_node()?;
                self.line.position.make(m);
                let lost = self.is_lost(moves - 1, ply + 1, killers);
                self.line.position.unmake();
                if lost? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether the side to move is mated, or will be in at most `moves` moves of the
    /// opponent.
    fn is_lost(&mut self, moves: u8, ply: usize, killers: &mut Killers) -> Result<bool, Stopped> {
        let mut defences = self.line.position.legal_moves();
        if defences.is_empty() {
            return Ok(self.line.position.in_check());
        }
        if moves == 0 || self.line.position.is_draw(ply) {
            return Ok(false);
        }
        let slot = usize::from(moves);
        if let Some(index) = defences.iter().position(|&m| killers[slot] == Some(m)) {
            defences.swap(0, index);
        }
        for &m in &defences {
            self.count_node()?;
            self.line.position.make(m);
            let lost = self.is_still_lost(moves, ply + 1, killers);
            self.line.position.unmake();
            if !lost? {
                killers[slot] = Some(m);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the opponent still mates in at most `moves` moves after a defence.
    fn is_still_lost(
        &mut self,
        moves: u8,
        ply: usize,
        killers: &mut Killers,
    ) -> Result<bool, Stopped> {
        if self.line.position.is_draw(ply) {
            return Ok(false);
        }
        let attacks = self.line.position.legal_moves();
        self.any_mates(&attacks, moves, ply, killers)
    }
}
