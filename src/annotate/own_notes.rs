//! How Lovec's notes of an earlier run are recognised.
//!
//! The tag `LovecNotes` has an entry for each comment with words or a glyph, such as
//! `12.23.7f3a.4`: the ply, how many words of the comment are Lovec's, a checksum of them, and the
//! glyph that belongs to it, if any; and an entry for each variation, such as `12v.03b1`. A score
//! alone, `[%eval 0.21,15]`, at the beginning of the comment of a move needs none in a game of
//! which Lovec is an annotator. A comment that a person has changed does not match its checksum
//! and is theirs: only its first score and the glyph are removed, since they would contradict the
//! new ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use crate::chess::notation::pgn::{Element, PgnGame};
use crate::util::checksum::crc32;

/// The tag with the entries.
pub const TAG: &str = "LovecNotes";

/// The command of a score.
pub const EVAL: &str = "[%eval ";

/// Lovec's notes in a game, by the number of the main line's plies before them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct OwnNotes {
    comments: BTreeMap<usize, OwnComment>,
    /// With their checksums.
    variations: BTreeSet<(usize, u16)>,
}

/// A comment that begins with words of Lovec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OwnComment {
    words: usize,
    sum: u16,
    nag: Option<u8>,
}

impl OwnNotes {
    /// The notes that the tag of a game names.
    pub fn of(game: &PgnGame) -> Self {
        let mut notes = Self::default();
        for entry in game.tag(TAG).unwrap_or_default().split_ascii_whitespace() {
            notes.read(entry);
        }
        notes
    }

    /// Adds an entry, if it is one.
    fn read(&mut self, entry: &str) -> Option<()> {
        let fields: Vec<&str> = entry.split('.').collect();
        let checksum = |text: &str| u16::from_str_radix(text, 16).ok();
        match fields[..] {
            [ply, sum] => {
                let ply = ply.strip_suffix('v')?.parse().ok()?;
                self.variations.insert((ply, checksum(sum)?));
            }
            [ply, words, sum, ref nag @ ..] => {
                let nag = nag.first().map(|nag| nag.parse()).transpose().ok()?;
                let comment = OwnComment { words: words.parse().ok()?, sum: checksum(sum)?, nag };
                self.comments.insert(ply.parse().ok()?, comment);
            }
            _ => {}
        }
        Some(())
    }

    /// Records that the comment behind a ply begins with this text.
    pub fn add_comment(&mut self, ply: usize, text: &str, nag: Option<u8>) {
        let words = text.split_ascii_whitespace().count();
        self.comments.insert(ply, OwnComment { words, sum: checksum(text), nag });
    }

    /// Records a variation behind a ply, without its brackets.
    pub fn add_variation(&mut self, ply: usize, elements: &[Element]) {
        self.variations.insert((ply, variation_sum(elements)));
    }

    /// The elements of a game without these notes. If Lovec `is_annotator`, other scores directly
    /// behind the moves of the main line are its own, too.
    pub fn removed_from(&self, elements: &[Element], is_annotator: bool) -> Vec<Element> {
        let mut cleaned =
            CleanedGame { elements: Vec::with_capacity(elements.len()), behind: None };
        // Where each open variation begins.
        let mut open = Vec::new();
        let mut ply = 0;
        for element in elements {
            match element {
                Element::Comment(text) if open.is_empty() => cleaned.comment(text),
                Element::Nag(_) => cleaned.elements.push(element.clone()),
                _ => {
                    cleaned.end_of_notes();
                    cleaned.elements.push(element.clone());
                }
            }
            match element {
                Element::Move(_) | Element::NullMove if open.is_empty() => {
                    ply += 1;
                    let start = cleaned.elements.len();
                    let own = self.comments.get(&ply).copied();
                    let has_score = is_annotator && own.is_none();
                    cleaned.behind = Some(BehindMove { start, own, has_score });
                }
                Element::Open => open.push(cleaned.elements.len()),
                Element::Close => {
                    let start = open.pop().filter(|_| open.is_empty());
                    let end = cleaned.elements.len() - 1;
                    let sum = |start: usize| variation_sum(&cleaned.elements[start..end]);
                    let is_own = |start: &usize| self.variations.contains(&(ply, sum(*start)));
                    if let Some(start) = start.filter(is_own) {
                        cleaned.elements.truncate(start - 1);
                    }
                }
                _ => {}
            }
        }
        cleaned.end_of_notes();
        cleaned.elements
    }
}

impl Display for OwnNotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comment = |(ply, OwnComment { words, sum, nag }): (&usize, &OwnComment)| {
            let nag = nag.map_or(String::new(), |nag| format!(".{nag}"));
            (*ply, format!("{ply}.{words}.{sum:04x}{nag}"))
        };
        let variation = |(ply, sum): &(usize, u16)| (*ply, format!("{ply}v.{sum:04x}"));
        let comments = self.comments.iter().map(comment);
        let mut entries: Vec<_> = comments.chain(self.variations.iter().map(variation)).collect();
        entries.sort_by_key(|&(ply, _)| ply);
        let entries: Vec<String> = entries.into_iter().map(|(_, entry)| entry).collect();
        f.write_str(&entries.join(" "))
    }
}

/// The elements of a game that are kept so far.
struct CleanedGame {
    elements: Vec<Element>,
    /// What is looked for behind the last move of the main line.
    behind: Option<BehindMove>,
}

/// The place behind a move.
struct BehindMove {
    /// Where its notes begin.
    start: usize,
    /// Lovec's comment that is to be found there.
    own: Option<OwnComment>,
    /// Whether a score at once is Lovec's.
    has_score: bool,
}

impl CleanedGame {
    /// Adds a comment of the main line without Lovec's part.
    fn comment(&mut self, text: &str) {
        let mut rest = text;
        let mut nag = None;
        if let Some(behind) = &mut self.behind {
            if let Some((own, foreign)) =
                behind.own.and_then(|own| Some((own, own.behind_words(text)?)))
            {
                rest = foreign;
                nag = own.nag;
                behind.own = None;
            } else if behind.has_score {
                rest = behind_score(text).unwrap_or(text);
            }
            behind.has_score = false;
        }
        if let Some(BehindMove { start, .. }) = self.behind {
            self.remove_glyph(start, nag);
        }
        if !rest.is_empty() || text.is_empty() {
            self.elements.push(Element::comment(rest));
        }
    }

    /// Behind the last note of a move: a comment of Lovec that was not found has been changed.
    fn end_of_notes(&mut self) {
        let Some(BehindMove { start, own: Some(own), .. }) = self.behind.take() else { return };
        self.remove_glyph(start, own.nag);
        let is_changed = |element: &Element| match element {
            Element::Comment(text) => without_score(text),
            _ => None,
        };
        let found = (start..self.elements.len())
            .find_map(|index| Some((index, is_changed(self.elements.get(index)?)?)));
        match found {
            Some((index, text)) if text.is_empty() => drop(self.elements.remove(index)),
            Some((index, text)) => self.elements[index] = Element::comment(&text),
            None => {}
        }
    }

    /// Removes a glyph from the notes that begin at `start`.
    fn remove_glyph(&mut self, start: usize, nag: Option<u8>) {
        let Some(nag) = nag else { return };
        if let Some(index) = self.elements[start..].iter().position(|e| *e == Element::Nag(nag)) {
            self.elements.remove(start + index);
        }
    }
}

impl OwnComment {
    /// What others wrote behind these words; `None` if a comment does not begin with them.
    fn behind_words(self, comment: &str) -> Option<&str> {
        let mut rest = comment.trim_ascii_start();
        for _ in 0..self.words {
            let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
            if end == 0 {
                return None;
            }
            rest = rest[end..].trim_ascii_start();
        }
        let own = &comment[..comment.len() - rest.len()];
        (checksum(own) == self.sum).then_some(rest)
    }
}

/// Whether a comment is a score with its depth and nothing else.
pub fn is_score(comment: &str) -> bool {
    behind_score(comment) == Some("")
}

/// A score at the beginning of a comment, and what follows it. A comment may have many commands
/// that are not closed, so that nothing is looked for behind the numbers.
pub fn split_score(comment: &str) -> Option<(&str, &str)> {
    let text = comment.strip_prefix(EVAL)?;
    let (value, rest) =
        text.split_at(text.find(|c: char| !(c.is_ascii_digit() || "#+-.,".contains(c)))?);
    Some((value, rest.strip_prefix(']')?))
}

/// What follows a score with its depth at the beginning of a comment.
pub fn behind_score(comment: &str) -> Option<&str> {
    let (value, rest) = split_score(comment)?;
    let (score, depth) = value.split_once(',')?;
    let is_own = !score.is_empty() && depth.parse::<u8>().is_ok();
    is_own.then(|| rest.trim_start())
}

/// A comment without the first score with its depth; `None` if it has none.
fn without_score(comment: &str) -> Option<String> {
    let places = comment.match_indices(EVAL);
    let (before, rest) = places
        .map(|(start, _)| comment.split_at(start))
        .find_map(|(before, score)| Some((before, behind_score(score)?)))?;
    Some(format!("{} {rest}", before.trim_end()).trim().to_owned())
}

/// A checksum of the words of a text; sixteen bits suffice against a change by accident.
fn checksum(text: &str) -> u16 {
    let words: String = text.split_ascii_whitespace().flat_map(|word| [word, " "]).collect();
    crc32(words.as_bytes()) as u16
}

/// The checksum of a variation: of a text that has a word or more for each element.
fn variation_sum(elements: &[Element]) -> u16 {
    let text = |element: &Element| match element {
        Element::Move(m) => m.bits().to_string(),
        Element::NullMove => "--".to_owned(),
        Element::Nag(nag) => format!("${nag}"),
        Element::Comment(text) => format!("{{{text}}}"),
        Element::Open => "(".to_owned(),
        Element::Close => ")".to_owned(),
        Element::Word(word) => word.to_string(),
    };
    let words: Vec<String> = elements.iter().map(text).collect();
    checksum(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::pgn::PgnReader;

    fn game(text: &str) -> PgnGame {
        PgnReader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    #[test]
    fn entries_are_read_back() {
        let mut notes = OwnNotes::default();
        notes.add_comment(3, "Blunder (56 % -> 7 %). [%eval -2.39,14]", Some(4));
        notes.add_comment(4, "", None);
        notes.add_variation(3, game("1. e4 {x} *").elements());
        let text = format!("[LovecNotes \"{notes}\"]\n\n*\n");
        assert_eq!(OwnNotes::of(&game(&text)), notes);
        let nonsense = "[LovecNotes \"x 1 1.2 1v 1v.x 1.x.0 1.2.ffff.300 1.2.3.4 é.é v.1\"]\n\n*\n";
        let read = OwnNotes::of(&game(nonsense));
        assert_eq!((read.comments.len(), read.variations.len()), (1, 0));
    }

    #[test]
    fn only_what_lovec_wrote_is_removed() {
        let own = "Blunder. [%eval -2.39,14] [%csl Re5]";
        let mut notes = OwnNotes::default();
        notes.add_comment(2, own, Some(4));
        let line = game("1. e4 c5 {[%eval 0.30,9]} *");
        notes.add_variation(2, &line.elements()[1..]);
        let variation = "(1... c5 {[%eval 0.30,9]})";
        for (before, after) in [
            (format!("1. e4 e5 $4 {{{own}}} {variation} 2. d4"), "1. e4 e5 2. d4"),
            (format!("1. e4 e5 $4 $16 {{{own} Mine.}}"), "1. e4 e5 $16 {Mine.}"),
            (format!("1. e4 e5 {{Mine}} $4 {{{own}}}"), "1. e4 e5 {Mine}"),
            (format!("1. e4 e5 $4 {{No {own}}}"), "1. e4 e5 {No Blunder. [%csl Re5]}"),
            (format!("1. e4 {{{own}}} e5"), "1. e4 {Blunder. [%eval -2.39,14] [%csl Re5]} e5"),
            (
                "1. e4 {[%eval 1,2]} e5 (1... c5 {[%eval 0.31,9]})".to_owned(),
                "1. e4 e5 (1... c5 {[%eval 0.31,9]})",
            ),
            ("1. e4 {[%eval 1,2] [%clk 1:02]} e5".to_owned(), "1. e4 {[%clk 1:02]} e5"),
            ("1. e4 {x} {[%eval 1,2]} e5".to_owned(), "1. e4 {x} {[%eval 1,2]} e5"),
        ] {
            let cleaned = notes.removed_from(game(&before).elements(), true);
            assert_eq!(cleaned, game(after).elements(), "{before}");
        }
    }

    #[test]
    fn a_score_alone_is_recognised() {
        for text in ["[%eval 0.21,15]", "[%eval #-3,120]", "[%eval -12.00,1]"] {
            assert!(is_score(text), "{text}");
        }
        assert_eq!(behind_score("[%eval 0.21,15] [%clk 1:02]"), Some("[%clk 1:02]"));
        for text in ["[%eval 0.21]", "[%eval 0.21,15] x", "x [%eval 0.21,15]", "[%eval ,1]", ""] {
            assert!(!is_score(text), "{text}");
        }
        for text in ["[%eval 1,2,3]", "[%eval 1,2", "[%eval 1 ,2]", "[%eval 1,-2]", "[%eval 1,é]"]
        {
            assert_eq!(behind_score(text), None, "{text}");
        }
    }

    #[test]
    fn commands_that_are_not_closed_are_passed_in_time_by_their_number() {
        let open = "[%eval 1,".repeat(400_000);
        assert_eq!(without_score(&open), None);
        assert_eq!(without_score(&format!("{open} [%eval 1,2] x")), Some(format!("{open} x")));
    }
}
