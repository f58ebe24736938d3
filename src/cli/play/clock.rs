//! The clocks of a game at the prompt.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::chess::Color;
use crate::search::Clock;

/// The longest game, in minutes.
const MAX_MINUTES: f64 = 24.0 * 60.0;

/// What both sides have, in seconds: for the game, and for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeControl {
    seconds: u32,
    increment: u16,
}

/// Minutes and seconds: `5+3`, or `5` or `0.5` without an increment.
impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (minutes, increment) = text.split_once('+').unwrap_or((text, "0"));
        let minutes = minutes.parse().ok().filter(|it| (0.0..=MAX_MINUTES).contains(it));
        match (minutes.map(|it| (60.0 * it) as u32), increment.parse()) {
            (Some(seconds @ 1..), Ok(increment)) => Ok(Self { seconds, increment }),
            _ => Err("minutes and seconds a move are expected, such as 5+3".to_owned()),
        }
    }
}

impl TimeControl {
    /// Reads a tag *TimeControl* that [`Display`](fmt::Display) has written.
    pub fn of_tag(text: &str) -> Option<Self> {
        let (seconds, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds =
            seconds.parse().ok().filter(|&it| it > 0 && f64::from(it) <= 60.0 * MAX_MINUTES);
        Some(Self { seconds: seconds?, increment: increment.parse().ok()? })
    }
}

/// As in the tag *TimeControl* of PGN: `300+3`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.seconds)?;
        if self.increment > 0 { write!(f, "+{}", self.increment) } else { Ok(()) }
    }
}

/// The time that both sides have left.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameClock {
    pub control: TimeControl,
    left: [Duration; 2],
}

impl GameClock {
    pub fn new(control: TimeControl) -> Self {
        Self { control, left: [Duration::from_secs(control.seconds.into()); 2] }
    }

    /// The clock of a side that begins to search.
    pub fn of(&self, color: Color) -> Clock {
        Clock {
            remaining: self.left[color.index()],
            increment: Duration::from_secs(self.control.increment.into()),
            moves_to_go: None,
        }
    }

    /// A side has thought for this time. Returns whether it had so much.
    pub fn spend(&mut self, color: Color, time: Duration) -> bool {
        let left = &mut self.left[color.index()];
        let is_in_time = time <= *left;
        *left = left.saturating_sub(time);
        is_in_time
    }

    /// A side has moved.
    pub fn add_increment(&mut self, color: Color) {
        self.left[color.index()] += Duration::from_secs(self.control.increment.into());
    }

    /// What a side has left, as on a clock: `4:57`.
    pub fn shown(&self, color: Color) -> String {
        let seconds = self.left[color.index()].as_secs();
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_down_and_gains() {
        let control: TimeControl = "1+2".parse().unwrap();
        assert_eq!(control.to_string(), "60+2");
        assert_eq!(TimeControl::of_tag("60+2"), Some(control));
        for tag in ["0", "86401", "40/300", "?", "-", "", "60+"] {
            assert_eq!(TimeControl::of_tag(tag), None, "{tag}");
        }
        let mut clock = GameClock::new(control);
        for left in ["0:45", "0:30"] {
            assert!(clock.spend(Color::White, Duration::from_secs(15)));
            assert_eq!(clock.shown(Color::White), left);
        }
        clock.add_increment(Color::White);
        assert_eq!(
            (clock.shown(Color::White), clock.shown(Color::Black)),
            ("0:32".into(), "1:00".into())
        );
        assert!(!clock.spend(Color::White, Duration::from_secs(33)));
        assert_eq!(clock.of(Color::White).remaining, Duration::ZERO);
        assert_eq!("0.5".parse::<TimeControl>().unwrap().to_string(), "30");
        for text in ["0.01", "inf", "NaN", "1441", "", "0", "x", "5+", "+3", "-5", "5+3+1", "99999"]
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
