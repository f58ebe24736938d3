//! What explains a mark: sentences, and the theme of a fault.

use crate::annotate::annotated_game::{AnnotatedMove, FaultTheme, TableVerdict, TableVerdicts};
use crate::annotate::searched_game::{Effort, SearchedGame};
use crate::chess::Color;
use crate::insight::Capture;
use crate::insight::claim::{Fact, LineName};
use crate::insight::reasons::Reasons;
use crate::insight::study::Study;

/// The lines of the confirmed fault at a ply.
pub fn study_of_fault(searched: &SearchedGame, ply: usize) -> Option<Study> {
    let (best, played) = searched.lines(ply, Effort::Confirmation)?;
    let position = searched.game.position(ply);
    let study = Study::of_lines(position, best.clone(), Some(played), true, searched.level);
    Some(Study { confirmed: Some(true), ..study })
}

/// What the first reason of a fault of `mover` is about.
pub fn theme(reasons: &Reasons, mover: Color) -> FaultTheme {
    let Some(first) = reasons.claims.first() else { return FaultTheme::Unnamed };
    let details = reasons.claims.iter().take_while(|claim| claim.rank == first.rank);
    let cause = details.into_iter().find_map(|claim| match &claim.fact {
        Fact::Motif(motif) => Some(FaultTheme::Motif(motif.kind)),
        Fact::Falls(Capture { ply: 1, undefended: true, .. }) if claim.line == LineName::Played => {
            Some(FaultTheme::HangingPiece)
        }
        _ => None,
    });
    match first.fact {
        Fact::Mates { by, .. } if by == mover => FaultTheme::MissedMate,
        Fact::Mates { .. } => FaultTheme::AllowedMate,
        Fact::Draws { .. } | Fact::PerpetualCheck(_) => FaultTheme::Draw,
        Fact::Promotes(_) => FaultTheme::Promotion,
        Fact::Material { points, .. } => cause.unwrap_or(match points > 0 {
            true => FaultTheme::MissedWin,
            false => FaultTheme::Material,
        }),
        Fact::PawnEnding { .. } | Fact::Attacks(_) | Fact::Feature(_) | Fact::Terms { .. } => {
            FaultTheme::Position
        }
        // A detail, or no reason of a fault in a game.
        Fact::Falls(_) | Fact::Answered(_) | Fact::Motif(_) | Fact::Forced => FaultTheme::Unnamed,
        Fact::Threatens { .. } | Fact::Meets { .. } => FaultTheme::Unnamed,
    }
}

/// The sentences about a move, the most important first: `reasons` explain a fault.
pub fn of_move(m: &AnnotatedMove, reasons: Vec<String>) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Some(verdicts) = m.tables {
        sentences.extend(change_of_verdict(verdicts).map(str::to_owned));
    }
    sentences.extend(reasons);
    let best = m.best.as_ref().and_then(|line| line.written.san.first());
    if let Some(best) = best.filter(|_| m.fault().is_some()) {
        sentences.push(format!("Best was {best}."));
    }
    sentences
}

fn change_of_verdict(TableVerdicts { before, after }: TableVerdicts) -> Option<&'static str> {
    match (before, after) {
        (TableVerdict::Won, TableVerdict::Drawn) => Some("It draws a won ending."),
        (TableVerdict::Won, TableVerdict::Lost) => Some("It loses a won ending."),
        (TableVerdict::Drawn, TableVerdict::Lost) => Some("It loses a drawn ending."),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{File, Piece, Rank, Square};
    use crate::insight::claim::Claim;

    #[test]
    fn a_piece_hangs_if_the_reply_takes_it() {
        let falls = |ply| {
            Fact::Falls(Capture {
                ply,
                color: Color::White,
                piece: Piece::Knight,
                square: Square::at(File::E, Rank::Fifth),
                by: Piece::Knight,
                from: Square::at(File::C, Rank::Sixth),
                undefended: true,
            })
        };
        let theme_of = |line, points, ply| {
            let balance = Default::default();
            let (side, taken) = (Color::White, None);
            let material = Fact::Material { side, plies: 4, balance, points, taken };
            let claims = [material, falls(ply)].map(|fact| Claim { line, rank: 1, fact });
            theme(&Reasons { claims: claims.to_vec(), silence: None }, Color::White)
        };
        assert_eq!(theme_of(LineName::Played, -3, 1), FaultTheme::HangingPiece);
        assert_eq!(theme_of(LineName::Played, -3, 3), FaultTheme::Material);
        assert_eq!(theme_of(LineName::Best, 3, 0), FaultTheme::MissedWin);
    }
}
