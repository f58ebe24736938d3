//! The parameters of `go`.
//!
//! They come in any order, and a number may be missing, negative or far too large. None
//! of that may cause an endless search or prevent a search. A number is therefore
//! clamped to its range, and a parameter without a number is ignored. Both are reported,
//! except for negative clocks, which some clients send.

use std::time::Duration;

use crate::chess::Color;
use crate::engine::request::GoRequest;
use crate::search::MAX_DEPTH;
use crate::uci::tokens::Tokens;

/// A year, in milliseconds. Sums of several such times do not overflow.
const MAX_MILLISECONDS: i64 = 366 * 24 * 60 * 60 * 1000;
/// The longest mate that fits into the deepest search, whose last ply mates.
const MAX_MATE: i64 = (MAX_DEPTH as i64 + 1) / 2;
const MAX_MOVES_TO_GO: i64 = 10_000;
/// Notices about one line at most.
const MAX_NOTICES: usize = 8;
/// Words after `searchmoves` that are read. No position has more than 218 legal moves,
/// and castling may be written in two ways.
const MAX_SEARCH_MOVES: usize = 1024;

pub(super) const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// The word after `perft`, if this is `go perft <depth>`.
pub(super) fn parse_perft(mut words: Tokens<'_>) -> Option<Option<&str>> {
    words.find(|&word| word == "perft").map(|_| words.next())
}

/// Reads every parameter. `notices` receives which ones are ignored or clamped.
pub(super) fn parse<'a>(words: Tokens<'a>, notices: &mut Vec<String>) -> GoRequest<'a> {
    let mut parser = Parser { words, notices };
    let mut request = GoRequest::default();
    while let Some(keyword) = parser.words.next() {
        parser.parameter(keyword, &mut request);
    }
    request
}

struct Parser<'a, 'n> {
    words: Tokens<'a>,
    notices: &'n mut Vec<String>,
}

impl<'a> Parser<'a, '_> {
    fn parameter(&mut self, keyword: &'a str, request: &mut GoRequest<'a>) {
        match keyword {
            "searchmoves" => return self.search_moves(request),
            "infinite" => return request.infinite = true,
            "ponder" => return request.ponder = true,
            "wtime" => set(&mut request.time[Color::White.index()], self.clock(keyword)),
            "btime" => set(&mut request.time[Color::Black.index()], self.clock(keyword)),
            "winc" => assign(&mut request.increment[Color::White.index()], self.clock(keyword)),
            "binc" => assign(&mut request.increment[Color::Black.index()], self.clock(keyword)),
            "movetime" => set(&mut request.movetime, self.clock(keyword)),
            "movestogo" => {
                let moves = self.bounded(keyword, i64::MIN, MAX_MOVES_TO_GO);
                request.moves_to_go = moves.filter(|&moves| moves > 0).map(|moves| moves as u32);
            }
            "depth" => {
                let depth = self.bounded(keyword, 1, i64::from(MAX_DEPTH));
                set(&mut request.depth, depth.map(|depth| depth as u8));
            }
            "nodes" => {
                let nodes = self.bounded(keyword, 1, i64::MAX);
                set(&mut request.nodes, nodes.map(|nodes| nodes as u64));
            }
            "mate" => {
                let mate = self.bounded(keyword, 1, MAX_MATE);
                set(&mut request.mate, mate.map(|mate| mate as u8));
            }
            unknown => {
                return self.notice(format!("`{unknown}` is not a parameter; ignored"));
            }
        }
        request.limited = true;
    }

    fn notice(&mut self, text: String) {
        if self.notices.len() < MAX_NOTICES {
            self.notices.push(format!("go: {text}"));
        }
    }

    /// Every word up to the next parameter should be a move.
    fn search_moves(&mut self, request: &mut GoRequest<'a>) {
        let mut left_out = 0;
        while let Some(word) = self.words.peek().filter(|word| !KEYWORDS.contains(word)) {
            if request.search_moves.len() < MAX_SEARCH_MOVES {
                request.search_moves.push(word);
            } else {
                left_out += 1;
            }
            self.words.next();
        }
        if left_out > 0 {
            self.notice(format!("searchmoves: the last {left_out} words are too many; ignored"));
        }
    }

    /// The number after `keyword`, clamped to a range, with a notice if it was outside.
    fn bounded(&mut self, keyword: &str, min: i64, max: i64) -> Option<i64> {
        let Some(word) = self.words.peek().filter(|word| !KEYWORDS.contains(word)) else {
            self.notice(format!("{keyword} has no value; ignored"));
            return None;
        };
        self.words.next();
        let Some(number) = whole_number(word) else {
            self.notice(format!("{keyword} `{word}` is not a whole number; ignored"));
            return None;
        };
        let bounded = number.clamp(min.into(), max.into()) as i64;
        if i128::from(bounded) != number {
            self.notice(format!("{keyword} {word} taken as {bounded}"));
        }
        Some(bounded)
    }

    /// A time; a negative one counts as 0.
    fn clock(&mut self, keyword: &str) -> Option<Duration> {
        let ms = self.bounded(keyword, i64::MIN, MAX_MILLISECONDS)?;
        Some(Duration::from_millis(ms.max(0) as u64))
    }
}

/// Sets the field unless the value is missing: an earlier parameter of the same name then
/// counts.
fn set<T: Copy>(field: &mut Option<T>, value: Option<T>) {
    *field = value.or(*field);
}

fn assign<T: Copy>(field: &mut T, value: Option<T>) {
    *field = value.unwrap_or(*field);
}

/// A whole number with any number of digits. A number that does not fit becomes the
/// largest `i128`, which is outside the range of every parameter.
fn whole_number(word: &str) -> Option<i128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.parse().unwrap_or(i128::MAX);
    Some(if negative { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (GoRequest<'_>, Vec<String>) {
        let mut notices = Vec::new();
        let request = parse(Tokens::new(text), &mut notices);
        (request, notices)
    }

    /// The request of a line that causes no notice.
    fn clean(text: &str) -> GoRequest<'_> {
        let (request, notices) = read(text);
        assert!(notices.is_empty(), "{text}: {notices:?}");
        request
    }

    #[test]
    fn a_clock() {
        let request = clean("wtime 1000 btime 2000 winc 10 binc 20 movestogo 30");
        assert_eq!(request.time[0], Some(Duration::from_secs(1)));
        assert_eq!(request.time[1], Some(Duration::from_secs(2)));
        assert_eq!(request.increment[1], Duration::from_millis(20));
        assert_eq!(request.moves_to_go, Some(30));
        assert!(request.limited && !request.infinite && !request.ponder);
    }

    #[test]
    fn fixed_limits() {
        let request = clean("depth 8 nodes 5000 mate 3 movetime 250");
        assert_eq!((request.depth, request.nodes, request.mate), (Some(8), Some(5000), Some(3)));
        assert_eq!(request.movetime, Some(Duration::from_millis(250)));
        assert!(clean("infinite").infinite);
        assert!(!clean("infinite").limited && !clean("").limited);
        assert!(clean("ponder wtime 1").ponder);
    }

    #[test]
    fn numbers_out_of_range_are_clamped() {
        let depth = |text| read(text).0.depth;
        assert_eq!(depth("depth 0"), Some(1));
        assert_eq!(depth("depth -5"), Some(1));
        assert_eq!(depth("depth 100000"), Some(MAX_DEPTH));
        assert_eq!(depth("depth 99999999999999999999"), Some(MAX_DEPTH));
        assert_eq!(clean("mate 64").mate, Some(64));
        assert_eq!(read("mate 65").0.mate, Some(64));
        assert_eq!(read("nodes 0").0.nodes, Some(1));
        assert_eq!(read("depth 0").1.len(), 1);
        assert_eq!(clean("wtime -100").time[0], Some(Duration::ZERO));
        assert_eq!(clean("movetime -1").movetime, Some(Duration::ZERO));
        assert_eq!(clean("movestogo 0").moves_to_go, None);
        assert_eq!(clean("movestogo -1").moves_to_go, None);
    }

    #[test]
    fn too_many_search_moves_are_ignored() {
        let text = format!("searchmoves {} depth 3", "e2e4 ".repeat(MAX_SEARCH_MOVES));
        assert_eq!(clean(&text).search_moves.len(), MAX_SEARCH_MOVES);
        let text = format!("searchmoves {} depth 3", "e2e4 ".repeat(MAX_SEARCH_MOVES + 5));
        let (request, notices) = read(&text);
        assert_eq!((request.search_moves.len(), request.depth), (MAX_SEARCH_MOVES, Some(3)));
        assert!(matches!(&notices[..], [notice] if notice.contains("last 5 words")), "{notices:?}");
    }

    #[test]
    fn perft_is_found_anywhere() {
        assert_eq!(parse_perft(Tokens::new("perft 5")), Some(Some("5")));
        assert_eq!(parse_perft(Tokens::new("infinite perft")), Some(None));
        assert_eq!(parse_perft(Tokens::new("depth 5")), None);
    }
}
