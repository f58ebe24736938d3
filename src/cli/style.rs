//! Colours.
//!
//! Commands always write them; the standard output removes them unless it is a
//! terminal. `--color`, `NO_COLOR` and `CLICOLOR_FORCE` override this.

use std::fmt::Display;
use std::io::{self, Write};

use anstream::{AutoStream, StripStream};
use anstyle::{AnsiColor, Color, Style};

use crate::eval::Score;
use crate::util::foreign_text::VisibleWriter;
use crate::util::stream;

/// The best move.
pub(super) const BEST: Style = Style::new().bold();
/// Something good: a solved position, a right count, an advantage.
pub(super) const GOOD: Style = foreground(AnsiColor::Green);
/// Something bad: a position not solved, a wrong count, a disadvantage.
pub(super) const BAD: Style = foreground(AnsiColor::Red);
/// Lines and details.
pub(super) const FAINT: Style = Style::new().dimmed();

/// Centipawns from which a score counts as an advantage.
const ADVANTAGE: i32 = 50;

const fn foreground(color: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(color)))
}

/// The standard output, with colours or without. Text from outside has no effect on a
/// terminal.
pub(super) fn standard_output() -> Box<dyn Write> {
    let out: Box<dyn Write> = Box::new(stream::stdout());
    match AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => Box::new(VisibleWriter(StripStream::new(out))),
        _ => Box::new(VisibleWriter(out)),
    }
}

/// A text in a style. Padding must be part of the text.
pub(super) fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The style of a score, from the point of view of the reader.
pub(super) fn of_score(score: Score) -> Style {
    match score.cp() {
        ADVANTAGE.. => GOOD,
        cp if cp <= -ADVANTAGE => BAD,
        _ => Style::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_coloured_by_sign() {
        assert_eq!(of_score(Score::mate_in(3)), GOOD);
        assert_eq!(of_score(Score::new(-120)), BAD);
        assert_eq!(of_score(Score::ZERO), Style::new());
    }
}
