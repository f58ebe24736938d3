//! Numbers, dates and marks as text for people.

use crate::annotate::annotated_game::{AnnotatedGame, AnnotatedMove, MoveMark};
use crate::chess::{Color, GameResult};
use crate::eval::Score;

/// A minus sign of the width of a plus sign.
const MINUS: &str = "\u{2212}";

/// A space at which no line ends.
const SPACE: &str = "\u{a0}";

/// `56 %`, of an expected score.
pub fn percent(expected: f64) -> String {
    format!("{:.0}{SPACE}%", 100.0 * expected)
}

/// `+1.19`, `−2.39`, `White mates in 3`.
pub fn score(white_score: Score) -> String {
    let cp = white_score.cp();
    match white_score.mate_distance_moves() {
        None => format!("{}{:.2}", sign(cp), f64::from(cp.abs()) / 100.0),
        Some(0) => "mate".to_owned(),
        Some(moves) => {
            let side = if moves > 0 { "White" } else { "Black" };
            format!("{side} mates in {}", moves.abs())
        }
    }
}

fn sign(value: i32) -> &'static str {
    if value < 0 { MINUS } else { "+" }
}

/// `1–0`, `½–½`.
pub fn result(game: &AnnotatedGame) -> &'static str {
    match game.result {
        Some(GameResult::Won(Color::White)) => "1–0",
        Some(GameResult::Won(Color::Black)) => "0–1",
        Some(GameResult::Drawn) => "½–½",
        None => "*",
    }
}

/// The mark of a move as players write it.
pub fn mark(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Fault(fault) => fault.mark(),
        MoveMark::OnlyMove => "!",
        MoveMark::Sacrifice => "!!",
        MoveMark::Forced => "□",
    }
}

/// The mark in a word, which is also its class.
pub fn mark_name(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Fault(fault) => fault.name(),
        MoveMark::OnlyMove | MoveMark::Sacrifice => "good",
        MoveMark::Forced => "forced",
    }
}

/// `14...Kc8?`.
pub fn marked_move(m: &AnnotatedMove) -> String {
    format!("{}{}{}", m.number, m.san, m.mark.map_or("", mark))
}

/// The class of a side in the page: `white`, `black`.
pub fn color_class(color: Color) -> String {
    color.name().to_lowercase()
}

/// `0:07`, `1:29:50`.
pub fn time(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// `200 000`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text += SPACE;
        }
        text.push(digit);
    }
    text
}

/// The date of the tag `Date` as far as it is known: `11 May 1997`, `May 1997`, `1997`.
pub fn date(tag: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let mut parts = tag.split('.').map(|part| part.parse::<usize>().ok());
    let mut part = || parts.next().flatten();
    let year = part().filter(|&year| year > 0)?;
    let month = part().and_then(|month| MONTHS.get(month.checked_sub(1)?));
    let day = part().filter(|day| (1..=31).contains(day) && month.is_some());
    let day = day.map_or(String::new(), |day| format!("{day} "));
    let month = month.map_or(String::new(), |month| format!("{month} "));
    Some(format!("{day}{month}{year}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_numbers_are_written_for_people() {
        assert_eq!(score(Score::new(119)), "+1.19");
        assert_eq!(score(Score::new(-5)), "\u{2212}0.05");
        assert_eq!(score(-Score::mate_in(5)), "Black mates in 3");
        assert_eq!([7, 1_000, 5_300_000].map(count), ["7", "1\u{a0}000", "5\u{a0}300\u{a0}000"]);
        assert_eq!([7.4, 3599.6, 5390.0].map(time), ["0:07", "1:00:00", "1:29:50"]);
    }

    #[test]
    fn a_date_is_written_as_far_as_it_is_known() {
        for (tag, wanted) in [
            ("1997.05.11", Some("11 May 1997")),
            ("1997.05.??", Some("May 1997")),
            ("1997.??.11", Some("1997")),
            ("1997", Some("1997")),
            ("1997.13.40", Some("1997")),
            ("????.??.??", None),
            ("<b>", None),
        ] {
            assert_eq!(date(tag).as_deref(), wanted, "{tag}");
        }
    }
}
