//! Claims in English.
//!
//! Each sentence says what one reason and its details say, and no more.

use std::iter::once;

use crate::chess::notation::pgn::MoveNumber;
use crate::chess::notation::{san, written};
use crate::chess::{Color, DrawKind, Piece, Square, State};
use crate::insight::attack::Attack;
use crate::insight::balance::{Balance, Capture, PromotedPawn};
use crate::insight::balance_words::{loses, wins};
use crate::insight::claim::{Claim, Fact, GroupChange, LineName};
use crate::insight::exchange::material;
use crate::insight::feature_words;
use crate::insight::line::Line;
use crate::insight::motif::{Motif, MotifKind};
use crate::insight::natural_capture::AnsweredCapture;
use crate::insight::perpetual::PerpetualCheck;
use crate::insight::reasons::{Reasons, Silence};
use crate::insight::study::Study;
use crate::insight::threat::Defence;

/// The plies of a mate that a sentence shows.
const MATE_PLIES: usize = 8;

/// A move of a line with its number: `4.d3`, `4...Nxe5`; nothing at its end.
pub fn numbered_move(line: &Line, ply: usize) -> String {
    numbered_moves(line, ply, 1)
}

/// The moves of a line from `ply`, at most `count`: `4...Nxe5 5.Bb3 Nxe4`.
pub fn numbered_moves(line: &Line, ply: usize, count: usize) -> String {
    let state = &line.states()[ply];
    let moves = line.states().iter().zip(line.moves()).skip(ply).take(count);
    let sans: Vec<String> = moves.map(|(state, &m)| san::format(state, m)).collect();
    written::numbered(&sans, MoveNumber::next(state), "")
}

/// A sentence for each reason, the most important first.
pub fn sentences(study: &Study, reasons: &Reasons) -> Vec<String> {
    let speaker = Speaker { study };
    let ranks = reasons.claims.chunk_by(|left, right| left.rank == right.rank);
    ranks.map(|claims| speaker.sentence(claims)).collect()
}

/// The sentences, and what to say if there is none.
pub fn explanation(study: &Study, reasons: &Reasons) -> Vec<String> {
    let silence = silence(study, reasons).map(str::to_owned);
    sentences(study, reasons).into_iter().chain(silence).collect()
}

/// The same in the words of a player: without a reason, not why none was named.
pub fn plain_explanation(study: &Study, reasons: &Reasons) -> Vec<String> {
    let silence = reasons.silence.filter(|&silence| silence == Silence::Unconfirmed);
    explanation(study, &Reasons { silence, ..reasons.clone() })
}

/// What to say if there is no reason, and why none was named.
fn silence(study: &Study, reasons: &Reasons) -> Option<&'static str> {
    match reasons.silence {
        Some(Silence::Unconfirmed) => {
            Some("At first it looked like a fault; with more nodes it did not.")
        }
        _ if !reasons.claims.is_empty() || study.fault().is_none() => None,
        Some(Silence::Residual) => Some("The search sees more than the ends of these lines show."),
        Some(Silence::Decided) => Some(
            "The search sees a certain result; no single capture or motif of these lines shows why.",
        ),
        None => Some("Lovec sees no simple reason; compare the two lines."),
    }
}

/// Says the claims of a study.
struct Speaker<'a> {
    study: &'a Study,
}

impl Speaker<'_> {
    /// What the sentence is about: the move to explain, or the second best.
    fn subject(&self, claim: &Claim) -> String {
        match claim.line {
            LineName::Second => numbered_move(self.study.line(LineName::Second), 0),
            _ => "It".to_owned(),
        }
    }

    /// Whether the claim is about a better move than the one to explain.
    fn is_missed(&self, claim: &Claim) -> bool {
        claim.line == LineName::Best && self.study.is_played
    }

    fn sentence(&self, claims: &[Claim]) -> String {
        let (claim, details) = (&claims[0], &claims[1..]);
        if let Fact::Feature(_) = claim.fact {
            return self.features(claims);
        }
        let mut text = self.clause(claim, !details.is_empty(), [None; 2]);
        let names_reply = |detail: &Claim| match &detail.fact {
            Fact::Falls(capture) => capture.ply == 1,
            Fact::Motif(motif) => motif.names(1),
            _ => false,
        };
        if let Fact::Material { points, balance, .. } = &claim.fact {
            let changed = if *points < 0 { &balance.lost } else { &balance.gained };
            // What falls first is won back.
            let is_more = |detail: &Claim| match &detail.fact {
                Fact::Falls(Capture { piece, .. }) => {
                    changed.iter().all(|named| named.points() < piece.points())
                }
                _ => false,
            };
            if details.iter().any(is_more) {
                text += " on balance";
            }
            // The reply that wins the pieces is named, if only here.
            if *points < 0 && !balance.lost.is_empty() && !details.iter().any(names_reply) {
                text += &format!(" after {}", numbered_move(self.study.line(claim.line), 1));
            }
        }
        // The move that the reason or the detail before names is not named again.
        let is_named = claim.line == LineName::Second
            || match claim.fact {
                Fact::Mates { by, moves } => {
                    moves > 1 && by == self.study.line(claim.line).attacker()
                }
                _ => self.is_missed(claim),
            };
        let mut named = [is_named.then_some(0), None];
        let detail = |detail: &Claim| {
            let text = self.clause(detail, false, named);
            named[1] = match &detail.fact {
                Fact::Falls(capture) => Some(capture.ply),
                Fact::Motif(motif) => Some(motif.ply),
                _ => None,
            };
            text
        };
        let details: Vec<String> = details.iter().map(detail).collect();
        match claim.fact {
            _ if details.is_empty() => format!("{text}."),
            Fact::Threatens { .. } => format!("{text}. {}", details.join(" ")),
            _ => format!("{text}: {}.", details.join("; ")),
        }
    }

    fn features(&self, claims: &[Claim]) -> String {
        let features = claims.iter().filter_map(|claim| match &claim.fact {
            Fact::Feature(feature) => Some(feature),
            _ => None,
        });
        let all = feature_words::clauses(self.study.line(claims[0].line), features);
        let best = numbered_move(self.study.line(LineName::Best), 0);
        format!("{}; not so in the line of {best}.", upper_case(&all))
    }

    /// What a claim says on its own; details may follow. The moves of the plies `named` are named
    /// before.
    fn clause(&self, claim: &Claim, has_details: bool, named: [Option<usize>; 2]) -> String {
        let line = self.study.line(claim.line);
        let subject = self.subject(claim);
        match &claim.fact {
            Fact::Forced => "It is the only legal move".to_owned(),
            Fact::Mates { by, moves } => self.mates(claim, &subject, *by, *moves, has_details),
            Fact::Draws { how, .. } => format!("{subject} {}", draws(*how)),
            Fact::PerpetualCheck(check) => self.perpetual_check(claim, &subject, *check),
            Fact::Material { balance, points, taken, .. } => {
                let subject = match taken {
                    Some(piece) => format!("{subject} takes a {piece}, but then"),
                    None => subject,
                };
                self.material(claim, &subject, balance, *points)
            }
            Fact::PawnEnding { ply } => {
                let last = numbered_move(line, *ply);
                format!("{subject} leads to a pawn ending, which is worse: {last}")
            }
            Fact::Attacks(Attack { ply, piece, square }) => {
                let verb = if self.is_missed(claim) { "misses" } else { "allows" };
                let m = numbered_move(line, *ply);
                format!("{subject} {verb} {m}, which attacks the {piece} on {square}")
            }
            Fact::Promotes(pawn) => promotes(line, &subject, pawn),
            Fact::Threatens { plies, balance, mates } => {
                let (side, m) = (line.attacker().name(), numbered_move(line, 0));
                match (*mates, plies.div_ceil(2)) {
                    (true, 1) => format!("{side} threatens mate with {m}"),
                    (true, moves) => format!("{side} threatens mate in {moves} with {m}"),
                    (false, _) => format!("{side} threatens {m}, which {}", wins("wins", balance)),
                }
            }
            Fact::Terms { groups } => self.terms(claim, groups),
            Fact::Falls(Capture { ply, piece, square, undefended, .. }) => {
                let end = if *undefended { ", and nothing can take back" } else { "" };
                format!("{} takes the {piece} on {square}{end}", actor(line, *ply, named))
            }
            Fact::Answered(answered) => self::answered(line, answered),
            Fact::Motif(motif) => self::motif(line, motif, named),
            Fact::Meets { how } => {
                let threat = self.study.line(LineName::Threat);
                format!("{} {}.", numbered_move(line, 0), meets(*how, threat))
            }
            Fact::Feature(feature) => feature_words::clauses(line, once(feature)),
        }
    }

    fn mates(
        &self,
        claim: &Claim,
        subject: &str,
        by: Color,
        moves: usize,
        has_details: bool,
    ) -> String {
        let line = self.study.line(claim.line);
        let start = usize::from(line.attacker() != by);
        // The detail names the only move of a mate in one.
        let moves_text = match numbered_moves(line, start, MATE_PLIES) {
            _ if has_details && moves == 1 => String::new(),
            text if start + MATE_PLIES < line.moves().len() => format!(", beginning with {text}"),
            text => format!(", {text}"),
        };
        let is_own = by == self.study.position.side_to_move();
        let best = self.study.best.line.end();
        let is_lost = best.is_checkmate() && best.side_to_move() != by;
        if self.is_missed(claim) {
            format!("{subject} misses mate in {moves}{moves_text}")
        } else if is_own && moves == 1 {
            format!("{subject} is checkmate")
        } else if is_own {
            format!("{subject} leads to mate in {moves}{moves_text}")
        } else if is_lost {
            format!("{} mates in {moves} all the same{moves_text}", by.name())
        } else {
            format!("{subject} allows mate in {moves}{moves_text}")
        }
    }

    fn perpetual_check(&self, claim: &Claim, subject: &str, check: PerpetualCheck) -> String {
        let PerpetualCheck { by, ply } = check;
        let line = self.study.line(claim.line);
        let verb = match self.is_missed(claim) {
            true => "misses",
            false if by == self.study.position.side_to_move() => "leads to",
            false => "allows",
        };
        let first = usize::from(line.attacker() != by);
        let prepared = if ply > first && verb != "leads to" {
            format!(" {}, which leads to", numbered_move(line, first))
        } else {
            String::new()
        };
        let check = numbered_move(line, ply);
        format!("{subject} {verb}{prepared} perpetual check, beginning with {check}")
    }

    fn material(&self, claim: &Claim, subject: &str, balance: &Balance, points: i32) -> String {
        if points < 0 {
            format!("{subject} {}", loses(balance))
        } else {
            let verb = if self.takes_back(claim, points) { "wins back" } else { "wins" };
            let won = wins(verb, balance);
            if self.is_missed(claim) {
                let best = numbered_move(self.study.line(LineName::Best), 0);
                format!("{subject} misses {best}, which {won}")
            } else {
                format!("{subject} {won}")
            }
        }
    }

    /// Whether a line gains no more than its side is behind, or begins by taking back, and gains no
    /// more than was taken before.
    fn takes_back(&self, claim: &Claim, points: i32) -> bool {
        let position = &self.study.position;
        let first = self.study.line(claim.line).moves()[0];
        let last = position.previous().zip(position.last_move());
        let taken = last.filter(|(_, last)| last.to() == first.to());
        let taken = taken.and_then(|(before, last)| before.captured(last)).map_or(0, Piece::points);
        points <= taken as i32 || points <= -material(position, position.side_to_move())
    }

    fn terms(&self, claim: &Claim, groups: &[GroupChange]) -> String {
        let best = numbered_move(self.study.line(LineName::Best), 0);
        let name = numbered_move(self.study.line(claim.line), 0);
        let mover = self.study.position.side_to_move();
        let of_side = |side: Color| {
            let of_side = groups.iter().filter(|change| change.side == side);
            let mut words: Vec<String> =
                of_side.map(|change| changed(change.group, side == mover).to_owned()).collect();
            words.dedup();
            (!words.is_empty()).then(|| format!("{} has {}", side.name(), list(&words)))
        };
        let sides: Vec<String> = [mover, !mover].into_iter().filter_map(of_side).collect();
        format!("At the end of the line {name}, {} than after {best}", sides.join(" and "))
    }
}

fn answered(line: &Line, answered: &AnsweredCapture) -> String {
    let AnsweredCapture { ply, capture, answer } = *answered;
    let beside = Line::new(&line.states()[ply], &[capture, answer]);
    format!("{} is answered by {}", numbered_move(&beside, 0), numbered_move(&beside, 1))
}

/// A move of a line; the piece that moves, if its ply is among those named.
fn actor(line: &Line, ply: usize, named: [Option<usize>; 2]) -> String {
    if named.contains(&Some(ply)) {
        piece_on(&line.states()[ply], line.moves()[ply].from())
    } else {
        numbered_move(line, ply)
    }
}

fn motif(line: &Line, motif: &Motif, named: [Option<usize>; 2]) -> String {
    let Motif { ply, kind, by, ref targets } = *motif;
    let m = actor(line, ply, named);
    let state = &line.states()[ply + 1];
    let piece = piece_on(state, by);
    let on = |square: Square| format!("{} on {square}", piece_on(state, square));
    let all = list(&targets.iter().map(|&square| on(square)).collect::<Vec<_>>());
    match kind {
        MotifKind::Fork => format!("{m} forks {all}"),
        MotifKind::Pin => {
            format!("after {}, {piece} on {by} pins {all}", numbered_move(line, ply))
        }
        MotifKind::Skewer => match targets[..] {
            [front, back] => format!("{m} attacks {}, and {} behind it", on(front), on(back)),
            _ => format!("{m} is a skewer"),
        },
        MotifKind::DiscoveredAttack => {
            format!("{m} uncovers an attack of {piece} on {by} against {all}")
        }
        MotifKind::DiscoveredCheck => format!("{m} uncovers a check by {piece} on {by}"),
        MotifKind::DoubleCheck => format!("{m} gives check with two pieces at once"),
        MotifKind::Deflection => {
            let lure = actor(line, motif.begin(), named);
            let drawn = piece_on(&line.states()[ply], targets[0]);
            format!("{lure} draws {drawn} from the defence of {by}, so that {m} works")
        }
        MotifKind::Attraction => {
            let lured = piece_on(&line.states()[ply + 2], targets[0]);
            format!("{m} lures {lured} to {}", targets[0])
        }
        MotifKind::XRay => format!("{m} takes through the piece that stood on {}", targets[0]),
        MotifKind::BackRankMate => format!("{m} mates on the back rank"),
        MotifKind::SmotheredMate => format!("{m} is a smothered mate"),
        MotifKind::Promotion => format!("{m} promotes"),
        MotifKind::TrappedPiece => format!("{m} traps {all}"),
    }
}

/// A sentence begins with a capital.
pub fn upper_case(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// `the knight`.
pub(super) fn piece_on(state: &State, square: Square) -> String {
    format!("the {}", state.piece_on_occupied(square))
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `It lets the d-pawn queen (61...d1=Q)`.
fn promotes(line: &Line, subject: &str, pawn: &PromotedPawn) -> String {
    let PromotedPawn { ply, piece, .. } = *pawn;
    let from = line.moves()[ply].from().to_string();
    let becomes =
        if piece == Piece::Queen { "queen".to_owned() } else { format!("become a {piece}") };
    format!("{subject} lets the {}-pawn {becomes} ({})", &from[..1], numbered_move(line, ply))
}

fn draws(how: DrawKind) -> &'static str {
    match how {
        DrawKind::Stalemate => "draws by stalemate",
        DrawKind::Repetition => "draws by threefold repetition",
        DrawKind::FiftyMoves => "draws by the fifty-move rule",
        DrawKind::InsufficientMaterial => "draws: no side can mate with what is left",
    }
}

fn meets(how: Defence, threat: &Line) -> String {
    let (first, state) = (threat.moves()[0], &threat.states()[0]);
    match how {
        Defence::Captures => format!("takes {} on {}", piece_on(state, first.from()), first.from()),
        Defence::MovesAway => "moves the attacked piece away".to_owned(),
        Defence::Blocks => "blocks the way".to_owned(),
        Defence::Defends => format!("defends {} on {}", piece_on(state, first.to()), first.to()),
        Defence::Otherwise => "meets that".to_owned(),
    }
}

/// What a side has whose part of a group of terms is worth less, or more.
fn changed(group: &str, less: bool) -> &'static str {
    let [worse, better] = match group {
        "Placement" | "Pieces" => ["worse placed pieces", "better placed pieces"],
        "Pawns" => ["weaker pawns", "stronger pawns"],
        "Passed pawns" => ["weaker passed pawns", "stronger passed pawns"],
        "Mobility" => ["fewer moves for the pieces", "more moves for the pieces"],
        "King" | "King danger" => ["a king that is less safe", "a king that is safer"],
        "Threats" => ["fewer threats", "more threats"],
        "Space" => ["less space", "more space"],
        _ => ["less active pieces", "more active pieces"],
    };
    if less { worse } else { better }
}
