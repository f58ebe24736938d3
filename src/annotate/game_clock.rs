//! The clocks in the comments of a game: `[%clk 1:29:50]`, what is left after the move, and
//! `[%emt 0:00:12]`, the time that the move took.

use crate::annotate::annotated_game::MoveClock;
use crate::chess::notation::pgn::{Element, PgnGame};

/// Less than this part of the time of the game is trouble.
const TROUBLE: f64 = 0.1;

/// The times of the moves of a game, as far as its comments have them.
pub fn of_game(game: &PgnGame) -> Vec<MoveClock> {
    let mut clocks: Vec<MoveClock> = Vec::new();
    for element in game.main_line() {
        match (element, clocks.last_mut()) {
            (Element::Move(_) | Element::NullMove, _) => clocks.push(MoveClock::default()),
            (Element::Comment(text), Some(clock)) => {
                clock.left = clock.left.or(seconds_of(text, "[%clk "));
                clock.used = clock.used.or(seconds_of(text, "[%emt "));
            }
            _ => {}
        }
    }
    let control = game.tag("TimeControl").and_then(time_control);
    for side in [0, 1] {
        let plies = (side..clocks.len()).step_by(2);
        let increment = control.map_or(0.0, |(_, increment)| increment);
        let largest = plies.clone().filter_map(|ply| clocks[ply].left).reduce(f64::max);
        let base = control.map(|(base, _)| base).or(largest);
        let mut before = control.map(|(base, _)| base).filter(|_| largest.is_some());
        for ply in plies {
            let clock = &mut clocks[ply];
            let difference =
                before.zip(clock.left).map(|(before, left)| (before + increment - left).max(0.0));
            clock.used = clock.used.or(difference);
            clock.is_trouble =
                before.zip(base).is_some_and(|(before, base)| before < TROUBLE * base);
            before = clock.left.or(before);
        }
    }
    clocks
}

/// The seconds of a command in a comment.
fn seconds_of(comment: &str, command: &str) -> Option<f64> {
    let (_, rest) = comment.split_once(command)?;
    let (time, _) = rest.split_once(']')?;
    seconds(time.trim())
}

/// The longest time that a game can have, in seconds.
const MAX_SECONDS: f64 = 1e9;

/// The seconds of a time: `1:29:50`, `0:00:03.2`, `12`.
fn seconds(text: &str) -> Option<f64> {
    let mut seconds = 0.0;
    for (index, part) in text.split(':').enumerate() {
        let is_number = part.chars().all(|c| c.is_ascii_digit() || c == '.');
        let part: f64 = part.parse().ok().filter(|_| is_number && index < 3)?;
        seconds = 60.0 * seconds + part;
    }
    Some(seconds).filter(|&seconds| seconds < MAX_SECONDS)
}

/// The time of the game and the increment of the tag `TimeControl`: `5400+30`, `40/7200`.
fn time_control(text: &str) -> Option<(f64, f64)> {
    let first = text.split(':').next()?;
    let period = first.split_once('/').map_or(first, |(_, period)| period);
    let (base, increment) = period.split_once('+').unwrap_or((period, "0"));
    let base = seconds(base.trim()).filter(|&base| base > 0.0)?;
    Some((base, seconds(increment.trim())?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::pgn::PgnReader;

    fn clocks(text: &str) -> Vec<MoveClock> {
        of_game(&PgnReader::new(text.as_bytes()).next().unwrap().unwrap())
    }

    #[test]
    fn times_are_read() {
        for (text, wanted) in [
            ("1:29:50", Some(5390.0)),
            ("0:00:03.2", Some(3.2)),
            ("12", Some(12.0)),
            ("-1", None),
            ("1:2:3:4", None),
            ("inf", None),
            ("1e3", None),
            ("", None),
        ] {
            assert_eq!(seconds(text), wanted, "{text}");
        }
        assert_eq!(time_control("5400+30"), Some((5400.0, 30.0)));
        assert_eq!(time_control("40/7200:3600"), Some((7200.0, 0.0)));
        assert_eq!((time_control("-"), time_control("?")), (None, None));
    }

    #[test]
    fn used_time_is_the_difference_of_clocks() {
        let text = "[TimeControl \"100+5\"]\n\n1. e4 {[%clk 0:01:35]} e5 {[%emt 0:00:07] hm} \
                    (1... c5 {[%clk 0:00:01]}) 2. d4 {[%clk 0:00:09]} d5 3. e5 {[%clk 0:00:08]} *";
        let clocks = clocks(text);
        let used: Vec<Option<f64>> = clocks.iter().map(|clock| clock.used).collect();
        assert_eq!(used, [Some(10.0), Some(7.0), Some(91.0), None, Some(6.0)]);
        let trouble: Vec<bool> = clocks.iter().map(|clock| clock.is_trouble).collect();
        assert_eq!(trouble, [false, false, false, false, true]);
    }
}
