//! An explanation as data.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::annotate::annotated_game::rounded;
use crate::book::{self, OpeningName};
use crate::chess::notation::written::WrittenLine;
use crate::chess::{Color, Position};
use crate::cli::json;
use crate::eval::{Score, WinDrawLoss};
use crate::insight::claim::Claim;
use crate::insight::mark::{Fault, PlayerLevel};
use crate::insight::reasons::{Reasons, Silence};
use crate::insight::study::{StudiedLine, Study};
use crate::insight::threat::{Defence, Threat};
use crate::insight::{SearchedLine, words};

/// An explanation. Scores and centipawns are for White, the rest for the side to move.
#[derive(Serialize)]
struct JsonExplanation<'a> {
    fen: String,
    /// The first position of the game and its moves so far, for repetitions.
    game: JsonGame,
    opening: Option<&'static OpeningName>,
    side_to_move: Color,
    best: JsonLine,
    played: Option<JsonLine>,
    second: Option<JsonLine>,
    verdict: Option<JsonVerdict>,
    threat: Option<JsonThreat>,
    claims: &'a [Claim],
    silence: Option<Silence>,
    text: Vec<String>,
    nodes: u64,
    /// Whether the searches have not ended, so that there is no verdict.
    interrupted: bool,
}

#[derive(Serialize)]
struct JsonGame {
    fen: String,
    #[serde(flatten)]
    line: WrittenLine,
}

#[derive(Serialize)]
struct JsonLine {
    white_score: Score,
    wdl: WinDrawLoss,
    expected: f64,
    depth: u8,
    #[serde(flatten)]
    line: WrittenLine,
    /// The moves of the search; those after them are captures until the position is quiet.
    searched_plies: usize,
    end_fen: String,
    /// What adds up to the score; null for a mate.
    terms: Option<JsonTerms>,
}

#[derive(Serialize)]
struct JsonTerms {
    groups: BTreeMap<&'static str, BTreeMap<&'static str, i32>>,
    static_cp: i32,
    residual_cp: i32,
    score_cp: i32,
}

#[derive(Serialize)]
struct JsonVerdict {
    loss: f64,
    mark: Option<Fault>,
    nag: Option<u8>,
    confirmed: Option<bool>,
}

#[derive(Serialize)]
struct JsonThreat {
    fen: String,
    white_score: Score,
    #[serde(flatten)]
    line: WrittenLine,
    met_by_best: Option<Defence>,
    met_by_other: Option<Defence>,
}

/// Writes an explanation, or, without reasons, what was found before an interruption.
pub fn write(out: &mut impl Write, study: &Study, reasons: Option<&Reasons>) -> io::Result<()> {
    let position = &study.position;
    let line = |studied: &StudiedLine| JsonLine::new(position, studied, study.level);
    let json_verdict = study.played().zip(reasons).map(|_| {
        let mark = study.fault();
        JsonVerdict {
            loss: rounded(study.loss()),
            mark,
            nag: mark.map(Fault::nag),
            confirmed: study.confirmed,
        }
    });
    let (start, moves) = position.start_and_moves();
    let opening = book::opening_of_game(position.states());
    let text = reasons.map_or_else(Vec::new, |reasons| words::explanation(study, reasons));
    let claims = reasons.map_or(&[][..], |reasons| &reasons.claims);
    json::write(
        out,
        "lovec.explain/2",
        &JsonExplanation {
            fen: position.fen(),
            game: JsonGame { fen: start.fen(), line: WrittenLine::new(&start, &moves) },
            opening: opening.map(|(_, name)| name),
            side_to_move: position.side_to_move(),
            best: line(&study.best),
            played: study.played().map(line),
            second: study.second().map(line),
            verdict: json_verdict,
            threat: study.threat.as_ref().map(JsonThreat::new),
            claims,
            silence: reasons.and_then(|reasons| reasons.silence),
            text,
            nodes: study.nodes,
            interrupted: reasons.is_none(),
        },
    )
}

impl JsonLine {
    fn new(position: &Position, studied: &StudiedLine, level: PlayerLevel) -> Self {
        let side = position.side_to_move();
        let SearchedLine { score, wdl, ref moves, depth } = studied.searched;
        Self {
            white_score: score * side.sign(),
            wdl,
            expected: rounded(level.expected(&studied.searched)),
            depth,
            line: WrittenLine::new(position, studied.line.moves()),
            searched_plies: moves.len(),
            end_fen: studied.line.end().fen(),
            terms: JsonTerms::new(studied, side),
        }
    }
}

impl JsonTerms {
    /// The terms for White; zeros are left out.
    fn new(studied: &StudiedLine, side: Color) -> Option<Self> {
        let breakdown = studied.breakdown.as_ref()?;
        let sign = side.sign();
        let mut groups: BTreeMap<&'static str, BTreeMap<&'static str, i32>> = BTreeMap::new();
        for term in breakdown.terms.iter().filter(|term| term.value != 0) {
            groups.entry(term.group).or_default().insert(term.term, term.value * sign);
        }
        Some(Self {
            groups,
            static_cp: breakdown.static_score * sign,
            residual_cp: breakdown.residual * sign,
            score_cp: breakdown.score * sign,
        })
    }
}

impl JsonThreat {
    fn new(threat: &Threat) -> Self {
        let start = &threat.line.states()[0];
        Self {
            fen: start.fen(),
            white_score: threat.searched.score * start.side_to_move().sign(),
            line: WrittenLine::new(start, threat.line.moves()),
            met_by_best: threat.met_by_best,
            met_by_other: threat.met_by_other,
        }
    }
}
