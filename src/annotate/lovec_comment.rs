//! Lovec's own comments, and how they are recognised later.
//!
//! A comment with words or with a glyph ends with a command such as `[%lovec 4 7f3a]`: the
//! glyph that belongs to it, if any, and a checksum of the text before. A score alone,
//! `[%eval 0.21,15]`, at the beginning of the comment of a move needs none in a game of which
//! Lovec is an annotator. A comment that a person has changed does not match its checksum and
//! is theirs:
//! only its commands `%eval` and `%lovec` and the glyph are removed, since they would
//! contradict the new ones.

use flate2::Crc;

/// The command at the end.
const COMMAND: &str = "[%lovec ";

/// A comment of Lovec in another text.
#[derive(Debug, PartialEq, Eq)]
pub struct OwnComment<'a> {
    /// The glyph that Lovec wrote with it.
    pub nag: Option<u8>,
    /// What others wrote behind it.
    pub rest: &'a str,
}

/// A comment of Lovec that others have changed.
#[derive(Debug, PartialEq, Eq)]
pub struct ChangedComment {
    /// The glyph that Lovec wrote with it.
    pub nag: Option<u8>,
    pub text: String,
}

/// A comment with the command at its end.
pub fn signed(text: &str, nag: Option<u8>) -> String {
    let space = if text.is_empty() { "" } else { " " };
    let nag = nag.map_or(String::new(), |nag| format!("{nag} "));
    format!("{text}{space}{COMMAND}{nag}{:04x}]", checksum(text))
}

/// Lovec's comment at the start of a text, if it is unchanged.
pub fn own_comment(comment: &str) -> Option<OwnComment<'_>> {
    let Signature { text, nag, sum, rest } = Signature::of(comment)?;
    let is_unchanged = format!("{:04x}", checksum(text.trim_end())) == sum;
    is_unchanged.then(|| OwnComment { nag, rest: rest.trim_start() })
}

/// Whether a comment is a score with its depth and nothing else.
pub fn is_score(comment: &str) -> bool {
    behind_score(comment) == Some("")
}

/// What follows a score with its depth at the beginning of a comment.
pub fn behind_score(comment: &str) -> Option<&str> {
    let (value, rest) = comment.strip_prefix("[%eval ")?.split_once(']')?;
    let (score, depth) = value.split_once(',')?;
    let is_number = score.chars().all(|c| c.is_ascii_digit() || "#+-.".contains(c));
    let is_own = is_number && !score.is_empty() && depth.parse::<u8>().is_ok();
    is_own.then(|| rest.trim_start())
}

/// A comment of Lovec that was changed, without the commands that no longer hold.
pub fn changed_comment(comment: &str) -> Option<ChangedComment> {
    let nag = Signature::of(comment)?.nag;
    Some(ChangedComment { nag, text: without_commands(comment) })
}

/// The command at the end of a comment, and what is around it.
struct Signature<'a> {
    text: &'a str,
    nag: Option<u8>,
    sum: &'a str,
    rest: &'a str,
}

impl<'a> Signature<'a> {
    fn of(comment: &'a str) -> Option<Self> {
        let (text, command) = comment.split_once(COMMAND)?;
        let (command, rest) = command.split_once(']')?;
        let (nag, sum) = match command.split_once(' ') {
            Some((nag, sum)) => (Some(nag.parse().ok()?), sum),
            None => (None, command),
        };
        Some(Self { text, nag, sum, rest })
    }
}

fn without_commands(comment: &str) -> String {
    let mut text = comment.to_owned();
    for command in ["[%eval ", COMMAND] {
        while let Some(start) = text.find(command) {
            let Some(length) = text[start..].find(']') else { break };
            text.replace_range(start..=start + length, "");
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Sixteen bits suffice against a change by accident.
fn checksum(text: &str) -> u32 {
    let mut crc = Crc::new();
    crc.update(text.as_bytes());
    crc.sum() & 0xFFFF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_own_comment_is_recognised() {
        for text in ["", "[%eval 0.21,15]", "Blunder (56 % -> 7 %). Best was d3. [%eval -2.39,14]"]
        {
            for nag in [None, Some(4)] {
                let comment = signed(text, nag);
                assert_eq!(own_comment(&comment), Some(OwnComment { nag, rest: "" }));
                let longer = format!("{comment} I liked it.");
                assert_eq!(own_comment(&longer).unwrap().rest, "I liked it.");
                assert_eq!(own_comment(&format!("Mine: {comment}")), None);
            }
        }
        for text in ["", "a comment", "[%eval 0.21]", "[%lovec ]", "[%lovec 4", "[%lovec x 0000]"] {
            assert_eq!(own_comment(text), None, "{text}");
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
    }

    #[test]
    fn a_changed_comment_loses_only_its_commands() {
        let comment = signed("Blunder. [%eval -2.39,14] [%csl Re5]", Some(4));
        let changed = comment.replace("Blunder", "No blunder");
        assert_eq!(own_comment(&changed), None);
        let text = "No blunder. [%csl Re5]".to_owned();
        assert_eq!(changed_comment(&changed), Some(ChangedComment { nag: Some(4), text }));
        assert_eq!(changed_comment("[%eval 1,2]"), None);
        assert_eq!(without_commands("[%eval 1"), "[%eval 1");
    }
}
