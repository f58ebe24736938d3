//! What is said about a move: the verdict, reasons, lines and comments of others.

use crate::annotate::annotated_game::{AnnotatedLine, AnnotatedMove};
use crate::annotate::report::wording;
use crate::chess::notation::pgn::MoveNumber;
use crate::chess::notation::written;
use crate::insight::mark::Fault;
use crate::page::Markup;

/// `White 56 % → 7 %`.
pub fn change(m: &AnnotatedMove) -> Option<Markup> {
    let [before, after] = [m.expected_before?, m.expected_after?].map(wording::percent);
    let text = format!("{} {before} → {after}", m.color.name());
    Some(Markup::of_class("span", "change").text(text))
}

/// The sentences about a move. A line shows the best move, which none of them names.
pub fn reasons(m: &AnnotatedMove) -> Vec<Markup> {
    m.reasons().iter().map(|sentence| Markup::new("p").text(sentence)).collect()
}

/// The best line, if it begins with another move.
pub fn better(m: &AnnotatedMove, plies: usize) -> Option<Markup> {
    Some(line("better", "Better", m.better()?, m.number, plies))
}

/// The best play after the move.
pub fn reply(m: &AnnotatedMove, plies: usize) -> Option<Markup> {
    let reply = m.reply.as_ref()?;
    let label = match m.fault() {
        Some(Fault::Mistake | Fault::Blunder) => "Refuted by",
        _ => "Reply",
    };
    Some(line("reply", label, reply, m.number.following(), plies))
}

/// The first moves of a line: `plies`, or more if the explanation cites more.
fn line(
    class: &str,
    label: &str,
    line: &AnnotatedLine,
    number: MoveNumber,
    plies: usize,
) -> Markup {
    let san = &line.written.san;
    let shown = san.len().min(plies.max(line.cited).max(1));
    let moves = written::numbered(&san[..shown], number, "");
    let score = Markup::of_class("span", "score")
        .attribute("title", format!("depth {}", line.depth))
        .text(wording::score(line.white_score));
    let moves = Markup::new("span").text(format!("{moves} ")).child(score);
    Markup::of_class("p", &format!("line {class}")).child(Markup::new("b").text(label)).child(moves)
}

/// A comment, in the writing direction of its text.
pub fn comment(text: &String) -> Markup {
    Markup::of_class("p", "comment").child(Markup::new("bdi").text(text))
}

/// The comments of others.
pub fn comments(m: &AnnotatedMove) -> impl Iterator<Item = Markup> {
    m.comments.iter().map(comment)
}
