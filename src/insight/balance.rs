//! What the two sides take from each other along a line.

use serde::Serialize;

use crate::chess::{Color, Move, Piece, Square};
use crate::insight::line::Line;

/// The plies of a line in which material that is a reason changes sides: later moves are certain
/// to no player.
pub const NEAR_PLIES: usize = 8;

/// A capture of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Capture {
    /// The ply of the move, from 0.
    pub ply: usize,
    /// The piece that is taken, and where it stands.
    pub color: Color,
    pub piece: Piece,
    pub square: Square,
    /// The piece that takes, and where it comes from.
    pub by: Piece,
    pub from: Square,
    /// Whether no legal move takes back.
    pub undefended: bool,
}

/// A pawn that becomes a piece by the move of a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PromotedPawn {
    pub ply: usize,
    pub color: Color,
    pub piece: Piece,
    pub square: Square,
}

/// What one side loses and gains along a line. Pieces of the same kind that both sides lose
/// cancel each other, and so do a knight and a bishop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Balance {
    /// The pieces lost, the most valuable first.
    pub lost: Vec<Piece>,
    /// The pieces of the other side, in the same order.
    pub gained: Vec<Piece>,
    /// What the pawns of the side became, unless it was taken.
    pub promoted: Vec<Piece>,
    /// What the pawns of the other side became, unless it was taken.
    pub allowed: Vec<Piece>,
}

impl Balance {
    /// The gain less the loss in points. A promotion gains the piece and loses the pawn.
    pub fn points(&self) -> i32 {
        let sum = |pieces: &[Piece]| pieces.iter().map(|piece| piece.points() as i32).sum::<i32>();
        let promoted = |pieces: &[Piece]| sum(pieces) - pieces.len() as i32;
        sum(&self.gained) - sum(&self.lost) + promoted(&self.promoted) - promoted(&self.allowed)
    }
}

/// The captures of a line, in order.
pub fn captures(line: &Line) -> Vec<Capture> {
    let plies = line.states().windows(2).zip(line.moves()).enumerate();
    plies
        .filter_map(|(ply, (states, &m))| {
            let [state, after] = [&states[0], &states[1]];
            let side = state.side_to_move();
            let takes_back = |answer: &Move| answer.to() == m.to() && !answer.is_castle();
            Some(Capture {
                ply,
                color: !side,
                piece: state.captured(m)?,
                square: if m.is_en_passant() { m.to().backward(side) } else { m.to() },
                by: state.moved_piece(m),
                from: m.from(),
                undefended: !after.legal_moves().iter().any(takes_back),
            })
        })
        .collect()
}

/// The promotions of a line whose pieces are still there at its end, with the squares of the
/// promotions.
pub fn promotions(line: &Line) -> Vec<PromotedPawn> {
    follow_promotions(line).0
}

/// What a side loses and gains from the start of a line to its end. A promoted piece that is
/// taken counts as the pawn that it was.
pub fn balance(line: &Line, side: Color) -> Balance {
    let mut balance = Balance::default();
    let (kept, were_pawns) = follow_promotions(line);
    let plies = line.states().iter().zip(line.moves());
    let taken = plies.filter_map(|(state, &m)| Some((!state.side_to_move(), state.captured(m)?)));
    for ((color, piece), was_pawn) in taken.zip(were_pawns) {
        let piece = if was_pawn { Piece::Pawn } else { piece };
        let list = if color == side { &mut balance.lost } else { &mut balance.gained };
        list.push(piece);
    }
    for pawn in kept {
        let list = if pawn.color == side { &mut balance.promoted } else { &mut balance.allowed };
        list.push(pawn.piece);
    }
    let Balance { lost, gained, promoted, allowed } = &mut balance;
    for piece in Piece::ALL {
        cancel(lost, gained, piece, piece);
    }
    cancel(lost, gained, Piece::Knight, Piece::Bishop);
    cancel(lost, gained, Piece::Bishop, Piece::Knight);
    for list in [lost, gained, promoted, allowed] {
        list.sort_by_key(|&piece| std::cmp::Reverse(piece.index()));
    }
    balance
}

/// The first plies of a line, and the captures and answers to checks that follow at once.
pub fn near(line: &Line) -> Line {
    let ends = |&plies: &usize| {
        let is_answered = plies < line.moves().len() && line.states()[plies].in_check();
        is_quiet_after(line, plies) && !is_answered
    };
    line.prefix((NEAR_PLIES..).find(ends).unwrap_or(NEAR_PLIES))
}

/// The first plies of a line, and the captures that follow at once.
pub fn until_quiet(line: &Line, plies: usize) -> Line {
    line.prefix((plies..).find(|&plies| is_quiet_after(line, plies)).unwrap_or(plies))
}

/// Whether no capture follows the first plies of a line.
fn is_quiet_after(line: &Line, plies: usize) -> bool {
    line.moves().get(plies).is_none_or(|m| !m.is_capture())
}

/// The start of a line that decides about material: the shortest one after which no capture
/// follows and the gain or loss is at least two thirds of each later one before which no capture
/// follows, and no larger than any of these or the same as at the end.
pub fn decided(line: &Line, side: Color) -> Line {
    let moves = line.moves();
    let quiet = (0..=moves.len()).filter(|&plies| is_quiet_after(line, plies));
    let points: Vec<(usize, i32)> =
        quiet.map(|plies| (plies, balance(&line.prefix(plies), side).points())).collect();
    let end = points.last().map_or(0, |&(_, points)| points);
    let decides = |&from: &usize| {
        let gains = || points[from..].iter().map(|(_, points)| points * end.signum());
        let gain = points[from].1 * end.signum();
        let stays = points[from].1 == end || gains().all(|later| later >= gain);
        stays && gains().all(|later| 3 * gain >= 2 * later)
    };
    let first = (0..points.len()).find(decides);
    line.prefix(first.map_or(moves.len(), |first| points[first].0))
}

/// The last capture of the winner that takes what the balance names: the most valuable piece of
/// what is `won`, the first of the list, or another minor piece if that is one. If it wins several,
/// the first capture of one. A capture that takes back, or is taken back, is meant if there is no
/// other.
pub fn decisive_capture(line: &Line, winner: Color, won: &[Piece]) -> Option<Capture> {
    let best = won.first()?.points();
    let mut all = captures(line);
    if won.iter().filter(|piece| piece.points() == best).count() == 1 {
        all.reverse();
    }
    let is_of_kind = |capture: &&Capture| capture.color != winner && capture.piece.points() == best;
    let of_kind = || all.iter().filter(is_of_kind);
    of_kind().find(|capture| !is_paid_for(&all, capture)).or_else(|| of_kind().next()).copied()
}

/// The last capture of the winner after the decisive one that takes more: what a combination
/// leads to that begins with a sacrifice.
pub fn collecting_capture(line: &Line, winner: Color, decisive: &Capture) -> Option<Capture> {
    let all = captures(line);
    let collects = |capture: &&Capture| {
        capture.color != winner
            && capture.ply > decisive.ply
            && capture.piece.points() > decisive.piece.points()
            && !is_paid_for(&all, capture)
    };
    all.iter().rfind(collects).copied()
}

/// Whether a capture takes back, or is taken back, for no less.
pub fn is_paid_for(all: &[Capture], capture: &Capture) -> bool {
    all.iter().any(|other| {
        other.ply.abs_diff(capture.ply) == 1
            && other.square == capture.square
            && other.piece.points() >= capture.piece.points()
    })
}

/// The capture by which the winner begins, long before the decisive one. One that takes no more
/// than the move before it, or begins an even exchange, is none.
pub fn first_capture(line: &Line, winner: Color, decisive: &Capture) -> Option<Capture> {
    let begins = usize::from(winner != line.attacker());
    let all = captures(line);
    let first = all.iter().find(|capture| capture.ply == begins && capture.color != winner)?;
    let evens = |other: &Capture| {
        let (points, taken) = (other.piece.points(), first.piece.points());
        let takes_back = other.ply == begins + 1 && other.square == first.square;
        other.ply < begins && points >= taken || takes_back && points == taken
    };
    (first.ply + 2 < decisive.ply && !all.iter().any(evens)).then_some(*first)
}

/// Whether the capture is the first move of its side.
pub fn is_immediate(line: &Line, capture: &Capture) -> bool {
    capture.ply <= usize::from(line.attacker() == capture.color)
}

/// Removes pairs of a piece on the left and one on the right.
fn cancel(left: &mut Vec<Piece>, right: &mut Vec<Piece>, on_left: Piece, on_right: Piece) {
    while let (Some(at_left), Some(at_right)) = (
        left.iter().position(|&piece| piece == on_left),
        right.iter().position(|&piece| piece == on_right),
    ) {
        left.swap_remove(at_left);
        right.swap_remove(at_right);
    }
}

/// The promotions whose pieces are never taken, and for each capture whether it takes a
/// promoted piece.
fn follow_promotions(line: &Line) -> (Vec<PromotedPawn>, Vec<bool>) {
    let mut alive: Vec<(PromotedPawn, Square)> = Vec::new();
    let mut taken = Vec::new();
    for (ply, (state, &m)) in line.states().iter().zip(line.moves()).enumerate() {
        if state.captured(m).is_some() {
            let before = alive.len();
            alive.retain(|&(_, square)| square != m.to());
            taken.push(alive.len() < before);
        }
        if let Some(promoted) = alive.iter_mut().find(|(_, square)| *square == m.from()) {
            promoted.1 = m.to();
        }
        if let Some(piece) = m.promotion() {
            let color = state.side_to_move();
            alive.push((PromotedPawn { ply, color, piece, square: m.to() }, m.to()));
        }
    }
    (alive.into_iter().map(|(pawn, _)| pawn).collect(), taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::line::tests::line;

    const TWO_KNIGHTS: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    const FRIED_LIVER: &str = "r1bq1b1r/ppp3pp/4k3/3np3/1nB5/2N2Q2/PPPP1PPP/R1B1K2R w KQ - 4 9";

    #[test]
    fn a_knight_falls_for_a_pawn() {
        let line = line(TWO_KNIGHTS, &["Nxe5", "Nxe5"]);
        let balance = balance(&line, Color::White);
        assert_eq!(
            (balance.lost.as_slice(), balance.gained.as_slice()),
            (&[Piece::Knight][..], &[Piece::Pawn][..])
        );
        assert_eq!(balance.points(), -2);
        assert_eq!(super::balance(&line, Color::Black).points(), 2);
        assert_eq!(captures(&line)[1].from.to_string(), "c6");
    }

    #[test]
    fn equal_pieces_cancel_each_other() {
        let line = line(TWO_KNIGHTS, &["Bxf7", "Kxf7", "Nxe5", "Nxe5"]);
        let balance = balance(&line, Color::White);
        assert_eq!(balance.lost, [Piece::Bishop, Piece::Knight]);
        assert_eq!(balance.gained, [Piece::Pawn, Piece::Pawn]);
        let pieces = self::line(
            "4k3/8/5n2/8/2B5/8/8/4K2N w - - 0 1",
            &["Bf7", "Kxf7", "Ng3", "Ng4", "Nf5", "Ne3", "Nxe3"],
        );
        assert_eq!(super::balance(&pieces, Color::White), Balance::default());
    }

    #[test]
    fn material_is_decided_before_equal_exchanges() {
        let moves = ["Nxe5", "Nxe5", "Bb3", "d6", "d4", "Ng6", "O-O", "Be7", "f4", "O-O"];
        let line = line(TWO_KNIGHTS, &moves);
        assert_eq!(decided(&line, Color::White).moves().len(), 2);
        let back = self::line(TWO_KNIGHTS, &["Bxf7", "Kxf7", "Nxe5", "Nxe5"]);
        assert_eq!(decided(&back, Color::White).moves().len(), 4);
        assert_eq!(decided(&back.prefix(0), Color::White).moves().len(), 0);
    }

    #[test]
    fn a_loss_that_stays_is_decided_before_a_smaller_one_follows() {
        let fen = "3r2k1/4n3/8/3p4/8/5N2/7P/3R2K1 w - - 0 1";
        let decided = |moves: &[&str]| {
            let line = line(fen, moves);
            [Color::White, Color::Black].map(|side| decided(&line, side).moves().len())
        };
        // A rook for a pawn, then another pawn, then a knight as well.
        assert_eq!(decided(&["Rxd5", "Nxd5", "Ng5", "Rd6", "Kf1", "Rh6", "Ke1", "Rxh2"]), [2, 2]);
        assert_eq!(decided(&["Rxd5", "Nxd5", "Ne5", "Rd6", "Nc6", "Rxc6"]), [6, 6]);
    }

    #[test]
    fn late_captures_are_not_near() {
        let there_and_back = ["Kf1", "Kf8", "Ke1", "Ke8"].repeat(4);
        for (quiet, plies) in [(6, 8), (8, 10), (10, 8)] {
            let moves = [&there_and_back[..quiet], &["Rxd5", "Rxd5"]].concat();
            let line = line("3rk3/8/8/3p4/8/8/3R4/4K3 w - - 0 1", &moves);
            assert_eq!(near(&line).moves().len(), plies);
        }
    }

    /// The pawn of the fork is not all, although material stands so at the end.
    #[test]
    fn a_larger_loss_between_is_part_of_what_decides() {
        let moves = "a3 Nxc2+ Kd1 Nxa1 Nxd5 a6 Nxc7+ Kd7 Qf5+ Kd6 Qxe5+";
        let line = line(FRIED_LIVER, &moves.split(' ').collect::<Vec<_>>());
        let decided = decided(&line, Color::White);
        assert_eq!((decided.moves().len(), balance(&decided, Color::White).points()), (11, -1));
        assert_eq!(super::decided(&line.prefix(5), Color::White).moves().len(), 5);
    }

    /// The last capture takes a piece of the kind that is lost, also if it takes back; of two such
    /// pieces the first one is named.
    #[test]
    fn the_capture_that_is_named_takes_what_is_lost() {
        let queen = "r1b1kbnr/ppppqppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
        let rook = "2r2rk1/3p1ppp/p3p3/1p2q3/6P1/3Q4/PP5P/1K2RR2 b - - 0 23";
        let moves = ["Ng5", "h6", "h3", "hxg5", "Nc3", "Bb4", "a3", "Bxc3", "dxc3"];
        for (fen, moves, named) in [
            (queen, &["Qxf7+", "Qxf7", "Bxf7+", "Kxf7"][..], (Piece::Bishop, 3)),
            (rook, &["Qxh2", "Rh1", "Qc2+", "Qxc2", "Rxc2", "Kxc2"][..], (Piece::Rook, 5)),
            (TWO_KNIGHTS, &["Bxf7+", "Kxf7", "Nxe5+", "Nxe5"][..], (Piece::Bishop, 1)),
            (FRIED_LIVER, &["a3", "Nxc2+", "Kd1", "Nxa1"][..], (Piece::Rook, 3)),
            (TWO_KNIGHTS, &moves[..], (Piece::Knight, 3)),
        ] {
            let line = line(fen, moves);
            let winner = !line.attacker();
            let won = balance(&line, winner).gained;
            let capture = decisive_capture(&line, winner, &won).unwrap();
            assert_eq!((capture.piece, capture.ply), named, "{moves:?}");
        }
        // The queen that is taken was a pawn.
        let promoted = line("3r2k1/P7/8/8/8/8/8/6K1 w - - 0 1", &["a8=Q", "Rxa8"]);
        assert_eq!(decisive_capture(&promoted, Color::Black, &[Piece::Pawn]), None);
    }

    #[test]
    fn a_sacrifice_collects_more_than_its_first_capture() {
        let fen = "rnbqk2r/pppp1ppp/5n2/2bPp3/2P5/8/PP2PPPP/RNBQKBNR w KQkq - 1 4";
        let line = line(fen, &["Bg5", "Bxf2+", "Kxf2", "Ne4+", "Ke1", "Nxg5"]);
        let decisive = decisive_capture(&line, Color::Black, &[Piece::Pawn]).unwrap();
        let collecting = collecting_capture(&line, Color::Black, &decisive).unwrap();
        assert_eq!([decisive, collecting].map(|capture| capture.ply), [1, 5]);
        assert_eq!(collecting_capture(&line, Color::Black, &collecting), None);
    }

    /// The queen falls at once; of the equal exchange nothing is told.
    #[test]
    fn the_first_capture_takes_more_than_the_move_before() {
        let queen = "r3r1k1/ppb1qp2/2n2n1Q/2Pp1b2/8/1NP4P/PP2NPP1/2KR1B1R b - - 0 15";
        let exchange = "4q1k1/5pb1/4p1pp/p2pP3/1p1P1P1Q/1Pr5/Pr4PP/R3NRK1 w - - 0 30";
        let of = |fen, moves: &str| {
            let line = line(fen, &moves.split(' ').collect::<Vec<_>>());
            let last = captures(&line).pop().unwrap();
            first_capture(&line, !line.attacker(), &last).map(|first| (first.ply, first.piece))
        };
        let played = "Qxe2 Bxe2 Rxe2 Qxf6 Bf4+ Rd2 Rxf2 Re1 Ne5 Qxe5 Bxe5 Rxf2";
        assert_eq!(of(queen, played), Some((1, Piece::Queen)));
        assert_eq!(of(exchange, "Rf3 Rxf3 Nxf3 Qc8 h3 Qc2 Ne1 Qd2 Kh1 Qxd4"), None);
        let sacrifice = "rnbqk2r/pppp1ppp/5n2/2bPp3/2P5/8/PP2PPPP/RNBQKBNR w KQkq - 1 4";
        let bishop = of(sacrifice, "Bg5 Bxf2+ Kxf2 Ne4+ Ke1 Nxg5");
        assert_eq!(bishop, Some((1, Piece::Pawn)));
    }

    #[test]
    fn a_promoted_piece_that_is_taken_was_a_pawn() {
        let fen = "3r2k1/P7/8/8/8/8/8/6K1 w - - 0 1";
        let kept = balance(&line(fen, &["a8=Q"]), Color::White);
        assert_eq!((kept.promoted.as_slice(), kept.points()), (&[Piece::Queen][..], 8));
        let taken = balance(&line(fen, &["a8=Q", "Rxa8"]), Color::White);
        assert_eq!((taken.lost.as_slice(), taken.points()), (&[Piece::Pawn][..], -1));
        assert!(taken.promoted.is_empty());
    }
}
