//! An explanation as data.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::book;
use crate::chess::notation::written::WrittenLine;
use crate::chess::{Color, Move, Position};
use crate::cli::explain::Verdict;
use crate::cli::json;
use crate::cli::score::mate_or_cp;
use crate::insight::claim::Claim;
use crate::insight::mark::{Fault, PlayerLevel};
use crate::insight::reasons::Silence;
use crate::insight::study::{StudiedLine, Study};
use crate::insight::threat::{Defence, Threat};
use crate::insight::{SearchedLine, words};

/// The version of the format.
const SCHEMA: &str = "lovec.explain/1";

/// An explanation. Scores are for White, expected scores and claims for the side to move.
#[derive(Serialize)]
struct JsonExplanation<'a> {
    schema: &'static str,
    fen: String,
    /// The first position of the game and its moves so far, for repetitions.
    game: JsonGame,
    opening: Option<JsonOpening>,
    side_to_move: Color,
    best: JsonLine,
    played: Option<JsonLine>,
    second: Option<JsonLine>,
    loss: Option<JsonLoss>,
    threat: Option<JsonThreat>,
    claims: Vec<JsonClaim<'a>>,
    silence: Option<Silence>,
    text: Vec<String>,
    nodes: u64,
    /// Whether the searches have not ended, so that there is no verdict.
    interrupted: bool,
}

#[derive(Serialize)]
struct JsonGame {
    fen: String,
    uci: Vec<String>,
}

#[derive(Serialize)]
struct JsonOpening {
    eco: &'static str,
    name: &'static str,
}

#[derive(Serialize)]
struct JsonLine {
    score: BTreeMap<&'static str, i32>,
    wdl: [u16; 3],
    expected: f64,
    depth: u8,
    #[serde(flatten)]
    line: WrittenLine,
    /// The moves of the search; those after them are captures until the position is quiet.
    searched_plies: usize,
    end: String,
    /// What adds up to the score; null for a mate.
    terms: Option<JsonTerms>,
}

#[derive(Serialize)]
struct JsonTerms {
    groups: BTreeMap<&'static str, BTreeMap<&'static str, i32>>,
    static_score: i32,
    residual: i32,
    score: i32,
}

#[derive(Serialize)]
struct JsonLoss {
    expected: f64,
    fault: Option<Fault>,
    mark: Option<&'static str>,
    nag: Option<u8>,
    confirmed: Option<bool>,
}

#[derive(Serialize)]
struct JsonThreat {
    fen: String,
    score: BTreeMap<&'static str, i32>,
    #[serde(flatten)]
    line: WrittenLine,
    met_by_best: Option<Defence>,
    met_by_other: Option<Defence>,
}

#[derive(Serialize)]
struct JsonClaim<'a> {
    #[serde(flatten)]
    claim: &'a Claim,
}

/// Writes an explanation, or, without a verdict, what was found before an interruption.
pub fn write(out: &mut impl Write, study: &Study, verdict: Option<&Verdict>) -> io::Result<()> {
    let position = &study.position;
    let line = |studied: &StudiedLine| JsonLine::new(position, studied, study.level);
    let second = study.other.as_ref().filter(|_| !study.is_played);
    let loss = study.played().zip(verdict).map(|(_, Verdict { thresholds, .. })| {
        let fault = study.fault(thresholds);
        JsonLoss {
            expected: rounded(study.loss()),
            fault,
            mark: fault.map(Fault::mark),
            nag: fault.map(Fault::nag),
            confirmed: study.confirmed,
        }
    });
    let opening = book::opening_of_game(position.states());
    let reasons = verdict.map(|verdict| &verdict.reasons);
    let text = reasons.map_or_else(Vec::new, |reasons| {
        let silence = words::silence(study, reasons).map(str::to_owned);
        words::sentences(study, reasons).into_iter().chain(silence).collect()
    });
    let claims = reasons.map_or(&[][..], |reasons| &reasons.claims);
    json::write(
        out,
        &JsonExplanation {
            schema: SCHEMA,
            fen: position.fen(),
            game: JsonGame::new(position),
            opening: opening
                .map(|(_, opening)| JsonOpening { eco: opening.eco, name: opening.name }),
            side_to_move: position.side_to_move(),
            best: line(&study.best),
            played: study.played().map(line),
            second: second.map(line),
            loss,
            threat: study.threat.as_ref().map(JsonThreat::new),
            claims: claims.iter().map(|claim| JsonClaim { claim }).collect(),
            silence: reasons.and_then(|reasons| reasons.silence),
            text,
            nodes: study.nodes,
            interrupted: verdict.is_none(),
        },
    )
}

impl JsonGame {
    fn new(position: &Position) -> Self {
        let mut start = position.clone();
        let mut moves: Vec<Move> = Vec::new();
        while let Some(m) = start.last_move() {
            moves.push(m);
            start.unmake();
        }
        moves.reverse();
        Self { fen: start.fen(), uci: WrittenLine::new(&start, &moves).uci }
    }
}

impl JsonLine {
    fn new(position: &Position, studied: &StudiedLine, level: PlayerLevel) -> Self {
        let side = position.side_to_move();
        let SearchedLine { score, wdl, ref moves, depth } = studied.searched;
        Self {
            score: mate_or_cp(score * side.sign()),
            wdl: [wdl.win(), wdl.draw(), wdl.loss()],
            expected: rounded(level.expected(&studied.searched)),
            depth,
            line: WrittenLine::new(position, studied.line.moves()),
            searched_plies: moves.len(),
            end: studied.line.end().fen(),
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
            static_score: breakdown.static_score * sign,
            residual: breakdown.residual * sign,
            score: breakdown.score * sign,
        })
    }
}

impl JsonThreat {
    fn new(threat: &Threat) -> Self {
        Self {
            fen: threat.position.fen(),
            score: mate_or_cp(threat.searched.score * threat.position.side_to_move().sign()),
            line: WrittenLine::new(&threat.position, threat.line.moves()),
            met_by_best: threat.met_by_best,
            met_by_other: threat.met_by_other,
        }
    }
}

/// To ten thousandths.
fn rounded(expected: f64) -> f64 {
    (10_000.0 * expected).round() / 10_000.0
}
