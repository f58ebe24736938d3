//! What must hold of everything that is said of a search, whatever was asked.

use crate::uci_session::referee::Referee;
use crate::uci_session::session::Answer;

/// The words of a line.
struct Line<'a> {
    text: &'a str,
    words: Vec<&'a str>,
}

impl<'a> Line<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, words: text.split(' ').collect() }
    }

    fn after(&self, name: &str) -> Option<&[&'a str]> {
        let place = self.words.iter().position(|word| *word == name)?;
        Some(&self.words[place + 1..])
    }

    fn number(&self, name: &str) -> u64 {
        let words = self.after(name).unwrap_or_else(|| panic!("no {name} in {:?}", self.text));
        words[0].parse().unwrap_or_else(|_| panic!("{name} is no number in {:?}", self.text))
    }

    /// The score, mates beyond all others, the nearest first.
    fn score(&self) -> i64 {
        let words = self.after("score").unwrap();
        let number: i64 = words[1].parse().unwrap();
        match words[0] {
            "cp" => number,
            "mate" => number.signum() * (1_000_000 - number.abs()),
            other => panic!("a score in {other}: {:?}", self.text),
        }
    }
}

/// Panics unless every line of the answer is honest, none is out of date, and
/// the moves are those of the last lines.
pub fn check_answer(arguments: &str, chess960: bool, answer: &Answer) {
    let mut referee = Referee::new(arguments, chess960);
    for line in &answer.lines {
        assert!(line.starts_with("info "), "{line:?} in {arguments}");
    }
    answer.scored().iter().for_each(|line| referee.check_info(line));
    check_course(&referee, &answer.lines);
    check_last_lines(answer);

    assert_eq!(answer.field("pv", 1), [answer.best.as_str()], "{arguments}: {answer:#?}");
    referee.play(&answer.best);
    if let Some(ponder) = &answer.ponder {
        assert!(!referee.is_over(), "ponder {ponder} when the game is over in {arguments}");
        assert!(referee.is_legal(ponder), "ponder {ponder} in {arguments}");
    }
}

/// Nothing goes back: neither depth, for each of the lines, nor nodes nor time.
fn check_course(referee: &Referee, lines: &[String]) {
    let mut depths = [0; 257];
    let (mut nodes, mut time) = (0, 0);
    for line in lines.iter().map(|text| Line::new(text)) {
        let text = line.text;
        if text.starts_with("info string ") {
            continue;
        }
        let depth = line.number("depth");
        if let Some(current) = line.after("currmove") {
            assert!(referee.is_legal(current[0]), "{text:?}");
            assert!(line.number("currmovenumber") >= 1, "{text:?}");
            assert!(depth >= depths[1], "{text:?} after depth {}", depths[1]);
            continue;
        }
        let told = &mut depths[line.number("multipv") as usize];
        assert!(depth >= *told, "{text:?} after depth {told}");
        assert!(line.number("nodes") >= nodes, "{text:?} after {nodes} nodes");
        assert!(line.number("time") >= time, "{text:?} after {time} ms");
        (*told, nodes, time) = (depth, line.number("nodes"), line.number("time"));
    }
}

/// The last word is a whole set of lines, the best first, each with a move of its
/// own.
fn check_last_lines(answer: &Answer) {
    let scored: Vec<Line<'_>> = answer.scored().into_iter().map(Line::new).collect();
    let count = scored.iter().map(|line| line.number("multipv")).max().unwrap() as usize;
    let last = &scored[scored.len() - count..];
    let numbers = last.iter().map(|line| line.number("multipv") as usize);
    assert!(numbers.eq(1..=count), "not a whole set of lines: {answer:#?}");
    // One that the last iteration has not reached is that of the one before.
    let depths = last.iter().map(|line| line.number("depth"));
    assert!(depths.clone().max().unwrap() - depths.min().unwrap() <= 1, "{answer:#?}");
    assert!(last.is_sorted_by(|a, b| a.score() >= b.score()), "not the best first: {answer:#?}");
    let mut moves: Vec<&str> = last.iter().map(|line| line.after("pv").unwrap()[0]).collect();
    assert_eq!(moves[0], answer.best, "{answer:#?}");
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), count, "a move stands in two lines: {answer:#?}");
    if let Some(ponder) = &answer.ponder {
        let expected = last[0].after("pv").and_then(|pv| pv.get(1));
        assert_eq!(expected, Some(&ponder.as_str()), "{answer:#?}");
    }
}
