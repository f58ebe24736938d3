//! Tables against the rules of the game.
//!
//! A table is right if each of its positions has the outcome that follows from those
//! a move away: the best of them, a ply longer; checkmate or stalemate if there is no
//! move. That is the definition, and distances leave no room for another table that
//! fulfils it: a win in `n` plies needs a loss in `n - 1`, and so on down to a mate.
//!
//! The moves are those of [`State`](crate::chess::State), not those that built the table.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use thiserror::Error;

use crate::tablebase::egtb::collection::Collection;
use crate::tablebase::egtb::material::Material;
use crate::tablebase::egtb::table::DtmTable;
use crate::tablebase::egtb::{Code, DtmValue, decode};
use crate::util::pool::on_all_cores;

/// Positions that one thread takes at a time.
const CHUNK: usize = 1 << 14;

/// Where a table is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Inconsistency {
    #[error("{material}: {fen} is {found:?}, but its moves make it {expected:?}")]
    DtmValue { material: Material, fen: String, found: DtmValue, expected: DtmValue },
    #[error("{material}: {fen} has no outcome")]
    Missing { material: Material, fen: String },
    #[error("{material}: number {number} has an outcome, but no position")]
    Impossible { material: Material, number: usize },
    #[error("{material}: a move of {fen} leads to an ending without a table")]
    Unknown { material: Material, fen: String },
}

/// Holds each position of a table against those a move away, with all cores, and says
/// how many positions there are. `tables` has the table and those that it leads to;
/// `progress` is told of numbers that are done, [`DtmTable::len`] in all.
///
/// # Errors
///
/// One of the positions that are wrong.
pub fn verify(
    table: &DtmTable,
    tables: &Collection,
    progress: impl Fn(usize) + Sync,
) -> Result<u64, Inconsistency> {
    let positions = AtomicUsize::new(0);
    let check_chunk = |(chunk, codes): (usize, &[Code])| {
        for (at, &code) in codes.iter().enumerate() {
            let found = check(table, tables, chunk * CHUNK + at, decode(code))?;
            positions.fetch_add(usize::from(found), Ordering::Relaxed);
        }
        progress(codes.len());
        Ok(())
    };
    on_all_cores(|| table.codes().par_chunks(CHUNK).enumerate().try_for_each(check_chunk))?;
    Ok(positions.into_inner() as u64)
}

/// Whether a number has a position.
fn check(
    table: &DtmTable,
    tables: &Collection,
    number: usize,
    found: Option<DtmValue>,
) -> Result<bool, Inconsistency> {
    let material = || table.material().clone();
    let (state, found) = match (table.state(number), found) {
        (None, None) => return Ok(false),
        (None, Some(_)) => {
            return Err(Inconsistency::Impossible { material: material(), number });
        }
        (Some(state), None) => {
            return Err(Inconsistency::Missing { material: material(), fen: state.fen() });
        }
        (Some(state), Some(found)) => (state, found),
    };
    match tables.best_of_moves(&state) {
        Some(expected) if expected == found => Ok(true),
        Some(expected) => {
            let fen = state.fen();
            Err(Inconsistency::DtmValue { material: material(), fen, found, expected })
        }
        None => Err(Inconsistency::Unknown { material: material(), fen: state.fen() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablebase::egtb::{DRAW, NO_POSITION, retrograde::build};

    /// King and rook against king with one code changed.
    fn verdict(number: usize, change: impl Fn(Code) -> Code) -> Result<u64, Inconsistency> {
        let tables = Collection::embedded();
        let solved = tables.table(&"KRK".parse().unwrap()).unwrap();
        let mut codes: Box<[Code]> = solved.codes().into();
        codes[number] = change(codes[number]);
        let changed = DtmTable::new(solved.material().clone(), codes.clone()).unwrap();
        let mut tables = Collection::empty();
        tables.insert(DtmTable::new(solved.material().clone(), codes).unwrap());
        verify(&changed, &tables, |_| ())
    }

    #[test]
    fn a_table_is_right_as_it_is() {
        assert_eq!(verdict(0, |code| code), Ok(50_015));
    }

    #[test]
    fn any_change_is_noticed() {
        let numbers = 2 * 462 * 64;
        for number in (0..numbers).step_by(numbers / 8) {
            assert!(verdict(number, |code| if code == DRAW { 4 } else { DRAW }).is_err());
            assert!(verdict(number, |code| code.wrapping_add(2)).is_err());
            let exchanged = |code| if code == NO_POSITION { DRAW } else { NO_POSITION };
            assert!(verdict(number, exchanged).is_err());
        }
    }

    #[test]
    fn what_a_table_leads_to_has_to_be_there() {
        let embedded = Collection::embedded();
        let pawn = embedded.table(&"KPK".parse().unwrap()).unwrap();
        let mut alone = Collection::empty();
        alone.insert(DtmTable::new(pawn.material().clone(), pawn.codes().into()).unwrap());
        let verdict = verify(pawn, &alone, |_| ());
        assert!(matches!(verdict, Err(Inconsistency::Unknown { .. })), "{verdict:?}");
        assert!(build(pawn.material(), &Collection::empty()).is_err());
    }
}
