//! An explanation as text.

use std::fmt::Write;

use clap::ValueEnum;

use crate::book;
use crate::cli::board::{Board, drawn};
use crate::cli::explain::Args;
use crate::cli::score::pawns;
use crate::cli::style::{self, BEST, FAINT, paint};
use crate::insight::claim::{Claim, LineName, cited_plies};
use crate::insight::reasons::Reasons;
use crate::insight::study::{StudiedLine, Study};
use crate::insight::words;
use crate::insight::{Breakdown, TermValue, verdict};

/// The plies of a line that are shown, or more if the reasons cite more.
const SHOWN_PLIES: usize = 8;

/// The centipawns of a group of terms that is named in the table of a position, at least.
const LEAST_ROW: i32 = 10;

/// How much to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Words {
    /// Sentences only.
    Club,
    /// Also a table of groups of terms.
    Coach,
    /// Also each term.
    Full,
}

/// The whole explanation, or, without reasons, the lines that were found before an
/// interruption; the last line ends with a line feed.
pub fn explanation(study: &Study, reasons: Option<&Reasons>, args: &Args) -> String {
    let mut text = String::new();
    if args.board != Board::None {
        // With brackets around the squares of the move to explain.
        let marked = study.played().unwrap_or(&study.best).first();
        text = drawn(&study.position, marked, args.board, args.flip) + "\n";
    }
    text.push_str(&header(study));
    match reasons {
        Some(reasons) => {
            let _ = writeln!(text, "\n{}", paint(BEST, verdict(study)));
            let sentences = match args.words {
                Words::Club => words::plain_explanation(study, reasons),
                Words::Coach | Words::Full => words::explanation(study, reasons),
            };
            for sentence in sentences {
                let _ = writeln!(text, "  {sentence}");
            }
        }
        None => text
            .push_str("\ninterrupted: the searches have not ended, so that there is no verdict\n"),
    }
    let claims = reasons.map_or(&[][..], |reasons| &reasons.claims);
    text.push_str(&lines(study, claims));
    if reasons.is_some() && args.words >= Words::Coach {
        text.push_str(&terms(study, args.words == Words::Full));
    }
    text.push_str(&footer(study));
    text
}

/// The opening, the side to move, and the scores of the moves.
fn header(study: &Study) -> String {
    let mut text = String::new();
    if let Some((_, opening)) = book::opening_of_game(study.position.states()) {
        let _ = writeln!(text, "{opening}");
    }
    let side = study.position.side_to_move();
    let _ = writeln!(text, "{} to move", side.name());
    let studied = [Some(&study.best), study.other.as_ref()].into_iter().flatten();
    for studied in studied.filter(|studied| studied.first().is_some()) {
        let name = words::numbered_move(&studied.line, 0);
        let line = &studied.searched;
        let score = pawns(line.score * side.sign());
        let percent = 100.0 * study.level.expected(line);
        let _ = writeln!(
            text,
            "  {name:<12} {} {percent:>4.0} %  depth {}",
            paint(style::of_score(line.score * side.sign()), format_args!("{score:>7}")),
            line.depth
        );
    }
    text
}

/// The lines that the sentences are about.
fn lines(study: &Study, claims: &[Claim]) -> String {
    let plies = |line| cited_plies(claims, line).max(SHOWN_PLIES);
    let mut text = String::from("\n");
    let mut add = |label: &str, line: String| {
        let _ = writeln!(text, "  {label:<10} {line}");
    };
    add("Best", shown(&study.best, plies(LineName::Best)));
    if let Some(other) = &study.other {
        let (label, name) = if study.is_played {
            ("Played", LineName::Played)
        } else {
            ("Second", LineName::Second)
        };
        add(label, shown(other, plies(name)));
    }
    if let Some(threat) = &study.threat {
        let line = words::numbered_moves(&threat.line, 0, plies(LineName::Threat));
        let side = threat.line.attacker();
        let score = pawns(threat.searched.score * side.sign());
        add("Threat", format!("{line} ({score} if {} passes)", (!side).name()));
    }
    text
}

fn shown(studied: &StudiedLine, plies: usize) -> String {
    let line = words::numbered_moves(&studied.line, 0, plies);
    let rest = studied.line.moves().len().saturating_sub(plies);
    if rest == 0 { line } else { format!("{line} … ({rest} more)") }
}

/// The scores at the ends of the two lines by groups of terms, or by terms, from White's side.
/// Without a move to explain, and by groups, small ones are one row.
fn terms(study: &Study, by_term: bool) -> String {
    let Some(best) = &study.best.breakdown else { return String::new() };
    let other =
        study.other.as_ref().and_then(|other| Some((&other.line, other.breakdown.as_ref()?)));
    let sign = study.position.side_to_move().sign();
    let mut table = TermTable { text: String::new(), sign };
    let mut names = vec![words::numbered_move(&study.best.line, 0)];
    if let Some((other, _)) = other {
        names.extend([words::numbered_move(other, 0), "change".to_owned()]);
    }
    table.heading("Where the lines end (centipawns, White)", &names);
    let other = other.map(|(_, breakdown)| breakdown);
    let mut groups: Vec<&str> = best.terms.iter().map(|term| term.group).collect();
    groups.dedup();
    let (is_short, mut small) = (!by_term && !study.is_played, Vec::new());
    for group in groups {
        let value = |breakdown: &Breakdown| breakdown.group(group);
        let terms: Vec<(&TermValue, Option<&TermValue>)> = (best.terms.iter().enumerate())
            .filter(|(_, term)| term.group == group)
            .map(|(index, term)| (term, other.and_then(|other| other.terms.get(index))))
            .filter(|(term, other)| term.value != 0 || other.is_some_and(|other| other.value != 0))
            .collect();
        if terms.is_empty() {
            continue;
        }
        let mut both = [Some(best), other].into_iter().flatten().map(value);
        if is_short && both.all(|value| value.abs() < LEAST_ROW) {
            small.push(group);
            continue;
        }
        table.row(group, value(best), other.map(value));
        for (term, other) in terms.iter().filter(|_| by_term) {
            let title = format!("  {}", term.term.replace('_', " "));
            table.row(&title, term.value, other.map(|other| other.value));
        }
    }
    if !small.is_empty() {
        let sum = |breakdown: &Breakdown| small.iter().map(|group| breakdown.group(group)).sum();
        table.row("Other", sum(best), other.map(sum));
    }
    table.row("Static evaluation", best.static_score, other.map(|other| other.static_score));
    table.row("Search", best.residual, other.map(|other| other.residual));
    table.row("Score", best.score, other.map(|other| other.score));
    table.text
}

/// Rows of values for White.
struct TermTable {
    text: String,
    sign: i32,
}

impl TermTable {
    fn heading(&mut self, title: &str, columns: &[String]) {
        let columns: String = columns.iter().map(|column| format!(" {column:>12}")).collect();
        let _ = writeln!(self.text, "\n{title:<40}{columns}");
    }

    fn row(&mut self, title: &str, best: i32, other: Option<i32>) {
        let (best, other) = (best * self.sign, other.map(|other| other * self.sign));
        let _ = write!(self.text, "  {title:<38} {best:>+12}");
        if let Some(other) = other {
            let change = other - best;
            let _ = write!(self.text, " {other:>+12} {change:>+12}");
        }
        self.text.push('\n');
    }
}

fn footer(study: &Study) -> String {
    let confirmed = match study.confirmed {
        None => "",
        Some(true) => " The fault was confirmed by a longer search.",
        Some(false) => " A fault at first, but not in a longer search.",
    };
    let nodes = study.nodes;
    format!("\n{}\n", paint(FAINT, format_args!("Looked at {nodes} nodes.{confirmed}")))
}
