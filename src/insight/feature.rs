//! Features of a position that players name, and that a board shows at a glance.

use serde::Serialize;

use crate::chess::{Bitboard, Color, File, Piece, Rank, Square, State};
use crate::eval::{backward_pawns, passed_pawns};
use crate::insight::line::Line;

/// A feature of one side. The first ones are its weaknesses, the others its strengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FeatureKind {
    /// Pawns with another one of their side on the file.
    DoubledPawns,
    /// Pawns without one of their side on a neighbouring file.
    IsolatedPawns,
    /// Pawns that no other one can defend any more, and whose next square an enemy pawn
    /// attacks; without isolated ones.
    BackwardPawns,
    /// The king, between the files of d and f on its first rank, may not castle any more.
    LostCastling,
    /// The king, on its first two ranks, has at most one pawn beside it or on the two ranks
    /// before it, on its file and the next ones, while the other side has a queen.
    BareKing,
    /// Knights and bishops on the squares where their kind begins a game.
    Undeveloped,
    /// Pawns that no enemy pawn can stop, on its file and beside.
    PassedPawns,
    /// Two bishops or more, where the other side has fewer than two.
    BishopPair,
    /// Rooks on a file without pawns.
    OpenFile,
    /// Knights on the fifth or sixth rank that a pawn defends and no pawn can drive away.
    Outpost,
}

impl FeatureKind {
    pub const ALL: [Self; 10] = [
        Self::DoubledPawns,
        Self::IsolatedPawns,
        Self::BackwardPawns,
        Self::LostCastling,
        Self::BareKing,
        Self::Undeveloped,
        Self::PassedPawns,
        Self::BishopPair,
        Self::OpenFile,
        Self::Outpost,
    ];

    /// Whether it is good for the side that has it.
    pub fn is_strength(self) -> bool {
        matches!(self, Self::PassedPawns | Self::BishopPair | Self::OpenFile | Self::Outpost)
    }

    /// The groups of terms of the evaluation that count it.
    pub fn groups(self) -> &'static [&'static str] {
        match self {
            Self::DoubledPawns | Self::IsolatedPawns | Self::BackwardPawns => &["Pawns"],
            Self::LostCastling | Self::BareKing => &["King", "King danger"],
            Self::Undeveloped => &["Placement", "Mobility", "Pieces"],
            Self::PassedPawns => &["Passed pawns"],
            Self::BishopPair => &["Imbalance", "Pieces"],
            Self::OpenFile => &["Pieces", "Mobility"],
            Self::Outpost => &["Pieces", "Placement"],
        }
    }

    /// The pieces of `side` that have the feature; for [`FeatureKind::LostCastling`] and
    /// [`FeatureKind::BareKing`] its king.
    pub fn squares(self, state: &State, side: Color) -> Bitboard {
        let own = state.colored(side, Piece::Pawn);
        let enemy = state.colored(!side, Piece::Pawn);
        let king = state.king(side);
        let alone = |holds: bool| if holds { king.bitboard() } else { Bitboard::EMPTY };
        match self {
            Self::DoubledPawns => own & (own.forward_fill(side) | own.forward_fill(!side)),
            Self::IsolatedPawns => own.without(own.file_fill().beside()),
            Self::BackwardPawns => backward_pawns(side, own, enemy) & own.file_fill().beside(),
            Self::LostCastling => alone(
                king.rank() == side.relative_rank(Rank::First)
                    && (File::D..=File::F).contains(&king.file())
                    && !state.castling().any(side),
            ),
            Self::BareKing => {
                let first = side.relative_ranks([Rank::First, Rank::Second]);
                let files = king.bitboard() | king.bitboard().beside();
                let next = files.forward(side);
                let before = next | next.forward(side);
                let is_in_danger = state.colored(!side, Piece::Queen).any();
                let shelter = own & (files | before);
                alone(is_in_danger && first.contains(king) && shelter.len() <= 1)
            }
            Self::Undeveloped => minors_at_home(state, side),
            Self::PassedPawns => passed_pawns(state, side),
            Self::BishopPair => {
                let [ours, theirs] = [side, !side].map(|side| state.colored(side, Piece::Bishop));
                if ours.len() >= 2 && theirs.len() < 2 { ours } else { Bitboard::EMPTY }
            }
            Self::OpenFile => state.colored(side, Piece::Rook).without((own | enemy).file_fill()),
            Self::Outpost => {
                let ranks = side.relative_ranks([Rank::Fifth, Rank::Sixth]);
                let driven = (enemy | enemy.forward_fill(!side)).pawn_attacks(!side);
                let held = own.pawn_attacks(side);
                (state.colored(side, Piece::Knight) & ranks & held).without(driven)
            }
        }
    }
}

/// The knights and bishops where their kind begins a game of standard chess.
fn minors_at_home(state: &State, side: Color) -> Bitboard {
    let on_files =
        |piece, [a, b]: [File; 2]| state.colored(side, piece) & (a.bitboard() | b.bitboard());
    let knights = on_files(Piece::Knight, [File::B, File::G]);
    let bishops = on_files(Piece::Bishop, [File::C, File::F]);
    (knights | bishops) & side.relative_ranks([Rank::First])
}

/// A feature that a line brings about and another one from the same position does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NewFeature {
    /// The ply from which on these pieces have it, to the end of the line.
    pub ply: usize,
    pub side: Color,
    #[serde(rename = "feature")]
    pub kind: FeatureKind,
    /// The pieces that have it at the end, and have it neither at the beginning nor anywhere in the
    /// other line, wherever they stand there. A weak piece that the other line loses is none of them.
    pub squares: Vec<Square>,
}

/// What is worse for `side` at the end of a line than at the end of another one, and was not
/// so at the beginning: weaknesses of `side` and strengths of the other side.
pub fn new_features(worse: &Line, better: &Line, side: Color) -> Vec<NewFeature> {
    let of_kind = |kind: FeatureKind| {
        let side = if kind.is_strength() { !side } else { side };
        let start = kind.squares(&worse.states()[0], side);
        let [end, other] = [worse, better].map(|line| kind.squares(line.end(), side));
        // At home all pieces begin.
        let end_of_better = better.moves().len();
        let first = if kind == FeatureKind::Undeveloped { end_of_better } else { 0 };
        let elsewhere: Bitboard = (first..=end_of_better)
            .map(|plies| better.prefix(plies))
            .flat_map(|part| part.origins(kind.squares(part.end(), side)))
            .collect();
        let alive = better.origins(better.end().color(side));
        let is_new = |square: &Square| {
            let origin = worse.origin(*square);
            // What stands at home has stood there all the time.
            let is_old = start.contains(origin) != (kind == FeatureKind::Undeveloped);
            let is_lost = !kind.is_strength() && !alive.contains(origin);
            !is_old && !is_lost && !elsewhere.contains(origin)
        };
        let new: Bitboard = end.iter().filter(is_new).collect();
        let arises = new.any()
            && end.len() > other.len()
            && match kind {
                // A single piece that has not moved yet says nothing.
                FeatureKind::Undeveloped => new.len() >= 2 && end.len() >= other.len() + 2,
                FeatureKind::LostCastling => worse.states()[0].castling().any(side),
                _ => end.len() > start.len(),
            };
        let holds = |state: &State| {
            let now = kind.squares(state, side);
            match kind {
                // Of the side, wherever its king or its bishops stand.
                FeatureKind::LostCastling | FeatureKind::BishopPair => now.any(),
                _ => new.is_subset(now),
            }
        };
        let is_lasting = |ply: &usize| worse.states()[ply + 1..].iter().all(holds);
        let ply = (0..worse.moves().len()).find(is_lasting)?;
        arises.then(|| NewFeature { ply, side, kind, squares: new.iter().collect() })
    };
    FeatureKind::ALL.into_iter().filter_map(of_kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::insight::line::tests::line;

    #[test]
    fn a_piece_that_the_better_line_loses_is_not_developed_in_it() {
        let line = |moves: &[&str]| line("4k3/8/8/8/8/8/1r6/1NB1KB2 w - - 0 1", moves);
        let idle = line(&["Kd1", "Rf2", "Ke1", "Rg2"]);
        let undeveloped = |better: &Line| -> Vec<String> {
            let found = new_features(&idle, better, Color::White);
            let kind = FeatureKind::Undeveloped;
            let squares = found.into_iter().filter(|it| it.kind == kind).flat_map(|it| it.squares);
            squares.map(|square| square.to_string()).collect()
        };
        let developed = line(&["Nc3", "Rb8", "Be3", "Ke7", "Be2", "Ke8"]);
        assert_eq!(undeveloped(&developed), ["b1", "c1", "f1"]);
        // The knight falls at home, and so do the two bishops.
        let one_lost = line(&["Be3", "Rxb1+", "Kf2", "Rb8", "Be2", "Ke7"]);
        assert_eq!(undeveloped(&one_lost), ["c1", "f1"]);
        let two_lost = line(&["Nc3", "Rc2", "Kd1", "Rxc1+", "Kd2", "Rxf1"]);
        assert_eq!(undeveloped(&two_lost), [""; 0]);
    }

    #[test]
    fn a_board_shows_the_features() {
        use FeatureKind as Kind;
        for (fen, side, kind, squares) in [
            ("4k3/8/8/8/8/3P4/P2P4/4K3 w - - 0 1", Color::White, Kind::DoubledPawns, "d2 d3"),
            ("4k3/8/8/8/8/3P4/P2P4/4K3 w - - 0 1", Color::White, Kind::IsolatedPawns, "a2 d2 d3"),
            ("4k3/8/8/2p5/4P3/3P4/2P5/4K3 w - - 0 1", Color::White, Kind::BackwardPawns, ""),
            ("4k3/8/8/2p1p3/4P3/3P4/8/4K3 w - - 0 1", Color::White, Kind::BackwardPawns, "d3"),
            ("4k3/pp3ppp/8/8/8/8/PPP2PPP/4K3 w - - 0 1", Color::White, Kind::LostCastling, "e1"),
            ("4k3/pp3ppp/8/8/8/8/PPP2PPP/4K2R w K - 0 1", Color::White, Kind::LostCastling, ""),
            ("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", Color::White, Kind::BackwardPawns, ""),
            ("6k1/5p2/8/8/8/8/PPP2PPP/3Q2K1 w - - 0 1", Color::Black, Kind::BareKing, "g8"),
            ("6k1/5p2/8/8/8/8/PPP2PPP/3R2K1 w - - 0 1", Color::Black, Kind::BareKing, ""),
            ("6k1/5p1p/8/8/8/8/PPP2PPP/3Q2K1 w - - 0 1", Color::Black, Kind::BareKing, ""),
            ("rnbqkbnr/8/8/8/8/8/8/4K3 w - - 0 1", Color::Black, Kind::Undeveloped, "b8 c8 f8 g8"),
            ("4k3/8/8/1p1P4/8/8/P7/4K3 w - - 0 1", Color::White, Kind::PassedPawns, "d5"),
            ("2b1kb2/8/8/8/8/8/8/2B1KN2 w - - 0 1", Color::Black, Kind::BishopPair, "c8 f8"),
            ("3rk3/p7/8/8/8/8/P7/4K3 w - - 0 1", Color::Black, Kind::OpenFile, "d8"),
            ("4k3/2p5/8/3NP3/4P3/8/8/4K3 w - - 0 1", Color::White, Kind::Outpost, ""),
            ("4k3/8/8/3NP3/4P3/8/8/4K3 w - - 0 1", Color::White, Kind::Outpost, "d5"),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut found: Vec<String> =
                kind.squares(&position, side).iter().map(|square| square.to_string()).collect();
            found.sort();
            assert_eq!(found.join(" "), squares, "{fen} {kind:?}");
        }
    }
}
