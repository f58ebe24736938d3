//! Annotations in PGN: glyphs, comments with commands, and variations.
//!
//! What others wrote stays, their mark of quality too, unless it is to be replaced. Behind a
//! move stand all glyphs, then one comment that begins with Lovec's text; its variations stand
//! before the next move: the better line, and the line after an earlier fault that its words are
//! about, where the game leaves it. Lovec's notes of an earlier run are recognised
//! ([`own_notes`](crate::annotate::own_notes)) and replaced, unless they are to be kept. Where
//! Lovec has nothing to say and the score of others would be taken for Lovec's, an entry without
//! words keeps the place.

use std::mem;
use std::ops::Range;

use crate::annotate::annotated_game::{
    AnnotatedGame, AnnotatedLine, AnnotatedMove, EngineName, MoveMark,
};
use crate::annotate::foreign_verdicts::{self, QUALITY};
use crate::annotate::own_notes::{OwnNotes, TAG, behind_score, is_score};
use crate::chess::Move;
use crate::chess::notation::pgn::{Element, PgnEditError, PgnGame, without_variations};
use crate::chess::notation::uci;
use crate::eval::Score;
use crate::insight::words::upper_case;
use crate::util::foreign_text::visible;

/// What is written.
#[derive(Clone, Debug)]
pub struct NoteOptions {
    pub comments: CommentLength,
    pub variations: VariationChoice,
    /// Plies of a variation, which has more if the words cite more.
    pub line: usize,
    /// Whether Lovec's marks of quality and scores replace those of others, and the verdicts of
    /// Lichess.
    pub replaces_marks: bool,
    /// Whether Lovec's comments of an earlier run stay.
    pub keeps_earlier: bool,
    /// The name of the engine that searched instead of Lovec.
    pub engine: Option<String>,
}

/// How much is written in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentLength {
    /// Scores only
    None,
    /// A sentence
    Short,
    /// All that is known
    Full,
}

/// Where variations are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariationChoice {
    /// Behind faults the better line, and what their words are about
    Key,
    /// Also the better line behind every move that is not the best
    All,
    /// Nowhere
    None,
}

/// Writes the annotations into a game.
///
/// # Errors
///
/// If `annotated` is another game.
pub fn write(
    game: &mut PgnGame,
    annotated: &AnnotatedGame,
    options: &NoteOptions,
) -> Result<(), PgnEditError> {
    if !options.keeps_earlier {
        game.set_elements(of_others(game))?;
    }
    let (elements, own) = with_notes(game, annotated, options);
    game.set_elements(elements)?;
    game.tags.retain(|tag| tag.name != TAG);
    if annotated.moves.iter().any(|m| m.after.is_some()) {
        write_tags(game, annotated, options);
    }
    let entries = own.to_string();
    if !entries.is_empty() {
        game.set_tag(TAG, &entries);
    }
    Ok(())
}

/// The elements of a game without Lovec's notes of an earlier run.
pub fn of_others(game: &PgnGame) -> Vec<Element> {
    let is_annotator = annotators(game).any(is_lovec);
    OwnNotes::of(game).removed_from(game.elements(), is_annotator)
}

fn write_tags(game: &mut PgnGame, annotated: &AnnotatedGame, options: &NoteOptions) {
    let EngineName { name, version } = EngineName::LOVEC;
    // A semicolon separates annotators.
    let engine = options
        .engine
        .as_ref()
        .map(|engine| format!(" with {}", visible(engine).replace(';', ",")));
    let own = format!("{name} {version}{}", engine.unwrap_or_default());
    let others: Vec<&str> = annotators(game).filter(|name| !is_lovec(name)).collect();
    let annotators = [&others[..], &[&own]].concat().join("; ");
    game.set_tag("Annotator", &annotators);
    if let Some(opening) = annotated.opening {
        for (tag, value) in [("ECO", opening.name.eco), ("Opening", opening.name.name)] {
            if matches!(game.tag(tag), None | Some("" | "?")) {
                game.set_tag(tag, value);
            }
        }
    }
    for (tag, side) in [("WhiteAccuracy", &annotated.white), ("BlackAccuracy", &annotated.black)] {
        if let Some(accuracy) = side.accuracy {
            game.set_tag(tag, &format!("{accuracy:.1}"));
        }
    }
}

/// The names in the tag `Annotator`.
fn annotators(game: &PgnGame) -> impl Iterator<Item = &str> {
    game.tag("Annotator").unwrap_or_default().split("; ").filter(|name| !name.is_empty())
}

fn is_lovec(annotator: &str) -> bool {
    annotator.starts_with("Lovec ")
}

fn is_note(element: &Element) -> bool {
    matches!(element, Element::Nag(_) | Element::Comment(_))
}

/// Adds Lovec's glyph to those of others, whose mark of quality stays unless it is to be
/// replaced. Returns the glyph if it is new.
fn add_glyph(nags: &mut Vec<u8>, nag: Option<u8>, replaces_marks: bool) -> Option<u8> {
    let nag = nag?;
    let is_quality = |nag: &u8| QUALITY.contains(nag);
    if replaces_marks && is_quality(&nag) {
        nags.retain(|other| !is_quality(other) || *other == nag);
    }
    let is_taken = nags.contains(&nag) || is_quality(&nag) && nags.iter().any(is_quality);
    if is_taken {
        return None;
    }
    nags.insert(0, nag);
    Some(nag)
}

/// What is written about a move.
#[derive(Default)]
struct MoveNotes {
    comment: Option<String>,
    nag: Option<u8>,
    /// Before the next move, without brackets.
    variations: Vec<Vec<Element>>,
}

/// The elements of a game with Lovec's notes, and how these are recognised.
fn with_notes(
    game: &PgnGame,
    annotated: &AnnotatedGame,
    options: &NoteOptions,
) -> (Vec<Element>, OwnNotes) {
    let mut own = OwnNotes::default();
    let mut notes = all_notes(annotated, options).into_iter();
    let mut elements = Vec::with_capacity(game.elements().len() + 3 * annotated.moves.len());
    let (mut depth, mut ply) = (0_usize, 0);
    let mut waiting = WaitingVariations::default();
    let mut rest = game.elements().iter().peekable();
    while let Some(element) = rest.next() {
        let is_next = depth == 0
            && matches!(element, Element::Move(_) | Element::NullMove | Element::Word(_));
        if is_next {
            mem::take(&mut waiting).place(&mut elements, &mut own);
        }
        elements.push(element.clone());
        match element {
            Element::Open => depth += 1,
            Element::Close => depth = depth.saturating_sub(1),
            Element::Move(_) | Element::NullMove if depth == 0 => {
                ply += 1;
                let MoveNotes { comment, nag, variations } = notes.next().unwrap_or_default();
                let (mut nags, mut comments) = (Vec::new(), Vec::new());
                while let Some(element) = rest.next_if(|element| is_note(element)) {
                    match element {
                        Element::Nag(nag) => nags.push(*nag),
                        Element::Comment(text) => comments.push(text.to_string()),
                        _ => {}
                    }
                }
                let is_judged =
                    |m: &AnnotatedMove| m.loss.is_some() && annotated.is_annotated(m.color);
                if options.replaces_marks && annotated.moves.get(ply - 1).is_some_and(is_judged) {
                    foreign_verdicts::remove(&mut nags, &mut comments);
                }
                let nag = add_glyph(&mut nags, nag, options.replaces_marks);
                elements.extend(nags.into_iter().map(Element::Nag));
                let is_score = nag.is_none() && comment.as_deref().is_some_and(is_score);
                let begins_with_score =
                    comments.first().is_some_and(|text| behind_score(text).is_some());
                if comment.is_some() && !is_score || comment.is_none() && begins_with_score {
                    own.add_comment(ply, comment.as_deref().unwrap_or_default(), nag);
                }
                let comments: Vec<String> = comment.into_iter().chain(comments).collect();
                if !comments.is_empty() {
                    elements.push(Element::comment(&comments.join(" ")));
                }
                let (start, replaces) = (elements.len(), options.replaces_marks);
                waiting = WaitingVariations { ply, start, variations, replaces };
            }
            _ => {}
        }
    }
    waiting.place(&mut elements, &mut own);
    (elements, own)
}

/// Lovec's variations, until those of others behind the move have been read.
#[derive(Default)]
struct WaitingVariations {
    ply: usize,
    /// Where those of others begin.
    start: usize,
    /// Without brackets.
    variations: Vec<Vec<Element>>,
    /// Whether each of them replaces those of others that are only its first moves.
    replaces: bool,
}

impl WaitingVariations {
    /// Adds the variations behind those of others, unless one of these begins with its moves.
    fn place(self, elements: &mut Vec<Element>, own: &mut OwnNotes) {
        for line in self.variations {
            let moves = moves_of(&line);
            let mut others = variations_behind(elements, self.start);
            if others.iter().any(|other| moves_of(&elements[other.clone()]).starts_with(&moves)) {
                continue;
            }
            let inside = |other: &Range<usize>| elements[other.clone()].iter().collect::<Vec<_>>();
            others.retain(|other| self.replaces && moves.starts_with(&inside(other)));
            // What stands behind each of them, the last first, so that it is moved once.
            let mut rests = Vec::new();
            for other in others.into_iter().rev() {
                rests.push(elements.split_off(other.end + 1));
                elements.truncate(other.start - 1);
            }
            elements.extend(rests.into_iter().rev().flatten());
            own.add_variation(self.ply, &line);
            elements.push(Element::Open);
            elements.extend(line);
            elements.push(Element::Close);
        }
    }
}

/// The moves of a line without its variations.
fn moves_of(line: &[Element]) -> Vec<&Element> {
    let is_move = |element: &&Element| matches!(element, Element::Move(_) | Element::NullMove);
    without_variations(line).filter(is_move).collect()
}

/// The insides of the variations from `start` on.
fn variations_behind(elements: &[Element], start: usize) -> Vec<Range<usize>> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for (index, element) in elements.iter().enumerate().skip(start) {
        match element {
            Element::Open => open.push(index + 1),
            Element::Close => {
                let first = open.pop().filter(|_| open.is_empty());
                found.extend(first.map(|first| first..index));
            }
            _ => {}
        }
    }
    found
}

/// The notes of the moves, from the first.
fn all_notes(annotated: &AnnotatedGame, options: &NoteOptions) -> Vec<MoveNotes> {
    let of_move = |(m, lines): (&AnnotatedMove, Vec<Variation<'_>>)| {
        let opening = annotated.opening.filter(|opening| opening.plies == m.ply);
        let opening =
            opening.map(|opening| format!("{} ({}).", opening.name.name, opening.name.eco));
        let Some(comment) = comment(m, opening, options) else { return MoveNotes::default() };
        let variations = lines.iter().map(Variation::elements).collect();
        MoveNotes { comment: Some(comment), nag: m.mark.map(MoveMark::nag), variations }
    };
    let lines = variations(&annotated.moves, options);
    annotated.moves.iter().zip(lines).map(of_move).collect()
}

/// Lovec's comment on a move; `None` if there is nothing to say.
fn comment(m: &AnnotatedMove, opening: Option<String>, options: &NoteOptions) -> Option<String> {
    let mut parts = Vec::new();
    if options.comments != CommentLength::None {
        parts.extend(opening);
        parts.extend(heading(m));
        // A variation shows the best move.
        let sentences = match options.variations {
            VariationChoice::None => &m.explanation[..],
            VariationChoice::Key | VariationChoice::All => m.reasons(),
        };
        let is_full = options.comments == CommentLength::Full;
        parts.extend(sentences.iter().take(if is_full { sentences.len() } else { 1 }).cloned());
    }
    // Nothing can be said of a position after mate.
    if let Some(value) = m.after.filter(|_| !m.next_state().is_checkmate()) {
        parts.push(eval_command(value.white_score, value.depth));
    }
    if let Some(played) = m.played.filter(|_| m.fault().is_some()) {
        parts.push(format!("[%csl R{}]", played.destination()));
        let reply = m.reply.as_ref().and_then(|line| line.moves.first());
        parts.extend(reply.map(|&reply| format!("[%cal R{}]", squares(reply))));
    }
    (!parts.is_empty() || m.mark.is_some()).then(|| parts.join(" "))
}

/// `Blunder (56 % -> 7 %).`
fn heading(m: &AnnotatedMove) -> Option<String> {
    let Some(fault) = m.fault() else { return m.mark?.praise().map(str::to_owned) };
    Some(format!("{} ({}).", upper_case(fault.name()), m.change()?))
}

/// `[%eval -2.39,14]`, `[%eval #-3,20]`.
pub fn eval_command(white_score: Score, depth: u8) -> String {
    match white_score.mate_distance_moves() {
        None => format!("[%eval {:.2},{depth}]", f64::from(white_score.cp()) / 100.0),
        Some(moves) => format!("[%eval #{moves},{depth}]"),
    }
}

/// The squares of a move: `c6e5`.
fn squares(m: Move) -> String {
    uci::format_move(m, false).chars().take(4).collect()
}

/// A line instead of a move of the game.
#[derive(Clone)]
struct Variation<'a> {
    line: &'a AnnotatedLine,
    /// The moves to write.
    moves: Vec<Move>,
}

/// The variations behind each move.
fn variations<'a>(moves: &'a [AnnotatedMove], options: &NoteOptions) -> Vec<Vec<Variation<'a>>> {
    let mut all: Vec<Vec<Variation<'_>>> = vec![Vec::new(); moves.len()];
    if options.variations == VariationChoice::None {
        return all;
    }
    for (index, m) in moves.iter().enumerate() {
        if let Some((behind, line)) = refutation(moves, index, options.line) {
            all[behind].push(line);
        }
        let is_wanted = m.fault().is_some() || options.variations == VariationChoice::All;
        let Some(line) = m.better().filter(|_| is_wanted) else { continue };
        let plies = options.line.max(line.cited).max(1);
        let shown: Vec<Move> = line.moves.iter().take(plies).copied().collect();
        let same = all[index].iter_mut().find(|other| other.moves.first() == shown.first());
        match same {
            // Two faults, one after the other: the words of the second one may cite more.
            Some(other) if shown.starts_with(&other.moves) => {
                *other = Variation { line, moves: shown };
            }
            Some(_) => {}
            None => all[index].insert(0, Variation { line, moves: shown }),
        }
    }
    all
}

/// The line after a fault on which its words rest, from where the game leaves it, and the index
/// of the move there. Where the game ends, the line begins with its last move. `None` if the
/// game has all that the words cite.
fn refutation(
    moves: &[AnnotatedMove],
    fault: usize,
    plies: usize,
) -> Option<(usize, Variation<'_>)> {
    let line = moves[fault].reply.as_ref()?;
    let next = &moves[fault + 1..];
    let is_same = |(m, reply): &(&AnnotatedMove, &Move)| m.played.as_ref() == Some(reply);
    let shared = next.iter().zip(&line.moves).take_while(is_same).count();
    if shared >= line.cited.min(line.moves.len()) {
        return None;
    }
    let behind = (fault + 1 + shared).min(moves.len() - 1);
    let last = moves[behind].played.filter(|_| shared == next.len());
    let shown = line.moves.iter().take(plies.max(line.cited)).skip(shared);
    let moves = last.into_iter().chain(shown.copied()).collect();
    Some((behind, Variation { line, moves }))
}

impl Variation<'_> {
    /// The moves, with the value of the line at the end.
    fn elements(&self) -> Vec<Element> {
        let value = eval_command(self.line.white_score, self.line.depth);
        let moves = self.moves.iter().map(|&m| Element::Move(m));
        moves.chain([Element::comment(&value)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::pgn::PgnReader;

    /// The elements of a game behind 1. e4 e5.
    fn behind(text: &str) -> Vec<Element> {
        let text = format!("1. e4 e5 {text} *");
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        game.elements()[2..].to_vec()
    }

    #[test]
    fn a_variation_is_written_once() {
        let own = "(1... c5 2. Nf3 d6 {[%eval 0.30,9]})";
        for (others, replaces, keeps_others, is_added) in [
            ("(1... c5 2. Nf3 d6)", false, true, false),
            ("(1... c5 $1 2. Nf3 (2. c3) 2... d6 {Mine} 3. d4)", true, true, false),
            ("(1... e6) (1... c5 2. Nf3 d6)", false, true, false),
            ("(1... c5 2. c3)", true, true, true),
            ("(1... e6 2. d4) {Mine}", true, true, true),
            ("(1... c5 2. Nf3)", false, true, true),
            ("(1... c5 2. Nf3 {Mine})", true, true, true),
            ("(1... c5 2. Nf3)", true, false, true),
            ("(1... c5) (1... c5 2. Nf3)", true, false, true),
        ] {
            let (mut elements, mut notes) = (behind(others), OwnNotes::default());
            let variations = vec![behind(own)[1..][..4].to_vec()];
            let waiting = WaitingVariations { ply: 2, start: 0, variations, replaces };
            waiting.place(&mut elements, &mut notes);
            let kept = if keeps_others { others } else { "" };
            let added = if is_added { own } else { "" };
            assert_eq!(elements, behind(&format!("{kept} {added}")), "{others}");
            assert_eq!(notes == OwnNotes::default(), !is_added, "{others}");
        }
    }

    #[test]
    fn variations_are_replaced_in_time_by_their_number() {
        let mut elements = vec![behind("(1... c5) (1... e6)"); 200_000].concat();
        let variations = vec![behind("(1... c5 2. Nf3)")[1..][..2].to_vec()];
        let waiting = WaitingVariations { ply: 2, start: 0, variations, replaces: true };
        waiting.place(&mut elements, &mut OwnNotes::default());
        // The others, and one of two moves.
        assert_eq!(elements.len(), 3 * 200_000 + 4);
    }
}
