//! Material that changes sides, in English.

use crate::chess::Piece;
use crate::insight::balance::Balance;
use crate::insight::words::list;

/// The kinds of pieces that a sentence lists, lost and gained ones together.
const MAX_KINDS: usize = 4;

/// `a knight and two pawns`.
fn pieces(pieces: &[Piece]) -> String {
    let groups = pieces.chunk_by(|left, right| left == right);
    let words = groups.map(|group| match group.len() {
        1 => format!("a {}", group[0]),
        2 => format!("two {}s", group[0]),
        3 => format!("three {}s", group[0]),
        count => format!("{count} {}s", group[0]),
    });
    list(&words.collect::<Vec<_>>())
}

/// `wins a rook for a knight`, `gives up a pawn, but queens a pawn`; with another verb perhaps.
pub(super) fn wins(verb: &str, balance: &Balance) -> String {
    let Balance { lost, gained, promoted, allowed } = balance;
    let pawns = pieces(&vec![Piece::Pawn; promoted.len()]);
    let promotes = if are_queens(promoted) {
        format!("queens {pawns}")
    } else {
        format!("makes {} of {pawns}", pieces(promoted))
    };
    let promotes = (!promoted.is_empty()).then_some(promotes);
    net(verb, balance, allowed)
        .unwrap_or_else(|| trade([verb, "gives up"], [gained, lost], promotes))
}

pub(super) fn loses(balance: &Balance) -> String {
    let Balance { lost, gained, promoted, allowed } = balance;
    let pawns = pieces(&vec![Piece::Pawn; allowed.len()]);
    let lets = if are_queens(allowed) {
        format!("lets {pawns} queen")
    } else {
        format!("lets {pawns} become {}", pieces(allowed))
    };
    let lets = (!allowed.is_empty()).then_some(lets);
    net("loses", balance, promoted)
        .unwrap_or_else(|| trade(["loses", "wins"], [lost, gained], lets))
}

fn are_queens(promoted: &[Piece]) -> bool {
    promoted.iter().all(|&piece| piece == Piece::Queen)
}

/// `loses material worth 5 pawns`, where a list of all the pieces would be long or a pawn of the
/// side that loses promotes.
fn net(verb: &str, balance: &Balance, promoted_by_loser: &[Piece]) -> Option<String> {
    let Balance { lost, gained, promoted, allowed } = balance;
    let kinds = |list: &Vec<Piece>| list.chunk_by(|left, right| left == right).count();
    let count: usize = [lost, gained, promoted, allowed].into_iter().map(kinds).sum();
    let worth = match balance.points().abs() {
        1 => "a pawn".to_owned(),
        points => format!("{points} pawns"),
    };
    let is_summed = count > MAX_KINDS || !promoted_by_loser.is_empty();
    is_summed.then(|| format!("{verb} material worth {worth}"))
}

/// What changes sides, its price, and the pawns that promote: the larger of the two first, with
/// its verb.
fn trade(verbs: [&str; 2], sides: [&[Piece]; 2], promotion: Option<String>) -> String {
    let worth = |pieces: &[Piece]| pieces.iter().map(|piece| piece.points()).sum::<u32>();
    let (verb, [moved, price], link) = if worth(sides[0]) >= worth(sides[1]) {
        (verbs[0], sides, "and")
    } else {
        (verbs[1], [sides[1], sides[0]], "but")
    };
    let mut text = Vec::new();
    if !moved.is_empty() {
        let price =
            if price.is_empty() { String::new() } else { format!(" for {}", pieces(price)) };
        text.push(format!("{verb} {}{price}", pieces(moved)));
    }
    text.extend(promotion);
    text.join(&format!(", {link} "))
}
