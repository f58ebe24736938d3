//! The options of the engine, each declared once.
//!
//! One entry of [`OPTIONS`] defines an option: its name, its type with default and
//! bounds, and what setting it does. The protocol prints its `option` lines from the
//! same table, the defaults of [`Settings`] come from it, and [`apply`] is the only way
//! to change a setting. No value can therefore be out of bounds.
//!
//! Most options only change a value that the next search reads. The others cause work,
//! which they return as an [`Effect`].

use std::time::Duration;

use thiserror::Error;

use crate::engine::change::Change;
#[cfg(feature = "spsa")]
use crate::search::params::PARAMETERS;
use crate::search::strength::{self, Strength};
use crate::search::{MAX_THREADS, ProbeOptions};
use crate::tablebase::syzygy::MAX_PIECES;
use crate::util::likeness::hint;

/// The values that later searches read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub move_overhead: Duration,
    pub ponder: bool,
    pub multi_pv: usize,
    pub chess960: bool,
    pub show_wdl: bool,
    pub analyse: bool,
    pub limit_strength: bool,
    pub elo: i32,
    /// Play from the opening book.
    pub own_book: bool,
    /// Play the best book move instead of a random one.
    pub best_book_move: bool,
    /// Say why the best move is good.
    pub explain_move: bool,
    pub probe: ProbeOptions,
}

/// What setting an option causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: the next search reads the setting.
    None,
    /// Work for the engine thread.
    Change(Change),
    /// Copy the dialogue into the file of this name; empty for no file.
    LogTo(String),
}

/// An option as clients see it, and what setting it does.
#[derive(Debug)]
pub struct UciOption {
    pub name: &'static str,
    pub kind: Kind,
}

/// The UCI types of options. No option needs `combo`.
#[derive(Debug)]
pub enum Kind {
    /// A setting that `field` selects.
    Check {
        default: bool,
        field: fn(&mut Settings) -> &mut bool,
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(&mut Settings, i64) -> Effect,
    },
    /// A string, empty by default: the name of a file or of folders.
    Path {
        set: fn(String) -> Effect,
    },
    Button {
        press: fn() -> Effect,
    },
}

/// The default size of the transposition table.
pub const DEFAULT_HASH_MIB: usize = 16;

/// A club player.
const DEFAULT_ELO: i64 = 1500;

/// An option that is off by default.
const fn check(name: &'static str, field: fn(&mut Settings) -> &mut bool) -> UciOption {
    UciOption { name, kind: Kind::Check { default: false, field } }
}

/// A whole number with its default and its bounds.
const fn spin(
    name: &'static str,
    [default, min, max]: [i64; 3],
    set: fn(&mut Settings, i64) -> Effect,
) -> UciOption {
    UciOption { name, kind: Kind::Spin { default, min, max, set } }
}

/// The name of a file or of folders, empty by default.
const fn path(name: &'static str, set: fn(String) -> Effect) -> UciOption {
    UciOption { name, kind: Kind::Path { set } }
}

/// Every option, in the order in which `uci` lists them.
pub static OPTIONS: [UciOption; 21] = [
    spin("Hash", [DEFAULT_HASH_MIB as i64, 1, 1_048_576], |_, mib| {
        Effect::Change(Change::HashSize(mib as usize))
    }),
    spin("Threads", [1, 1, MAX_THREADS as i64], |_, threads| {
        Effect::Change(Change::Threads(threads as usize))
    }),
    spin("Move Overhead", [10, 0, 5000], |settings, ms| {
        settings.move_overhead = Duration::from_millis(ms as u64);
        Effect::None
    }),
    // A client may ponder only if the option exists. Nothing else depends on it, since
    // `go ponder` is explicit.
    check("Ponder", |settings| &mut settings.ponder),
    spin("MultiPV", [1, 1, 256], |settings, lines| {
        settings.multi_pv = lines as usize;
        Effect::None
    }),
    UciOption {
        name: "Clear Hash",
        kind: Kind::Button { press: || Effect::Change(Change::Clear) },
    },
    check("UCI_Chess960", |settings| &mut settings.chess960),
    check("UCI_ShowWDL", |settings| &mut settings.show_wdl),
    // Analysis is never weakened, even with a limit of strength.
    check("UCI_AnalyseMode", |settings| &mut settings.analyse),
    check("UCI_LimitStrength", |settings| &mut settings.limit_strength),
    spin(
        "UCI_Elo",
        [DEFAULT_ELO, *strength::ELO.start() as i64, *strength::ELO.end() as i64],
        |settings, elo| {
            settings.elo = elo as i32;
            Effect::None
        },
    ),
    check("OwnBook", |settings| &mut settings.own_book),
    path("BookFile", |path| Effect::Change(Change::BookFile(path))),
    check("Best Book Move", |settings| &mut settings.best_book_move),
    check("Explain Move", |settings| &mut settings.explain_move),
    path("SyzygyPath", |path| Effect::Change(Change::SyzygyPath(path))),
    spin("SyzygyProbeDepth", [1, 1, 100], |settings, depth| {
        settings.probe.depth = depth as i32;
        Effect::None
    }),
    spin("SyzygyProbeLimit", [MAX_PIECES as i64, 0, MAX_PIECES as i64], |settings, pieces| {
        settings.probe.max_pieces = pieces as u32;
        Effect::None
    }),
    UciOption {
        name: "Syzygy50MoveRule",
        kind: Kind::Check { default: true, field: |settings| &mut settings.probe.fifty_moves },
    },
    path("EgtbPath", |path| Effect::Change(Change::EgtbPath(path))),
    path("Debug Log File", Effect::LogTo),
];

impl Settings {
    /// The level to play at; `None` for full strength.
    pub fn strength(&self) -> Option<Strength> {
        let limited = self.limit_strength && !self.analyse;
        limited.then(|| Strength::of_elo(self.elo)).flatten()
    }

    /// The defaults of [`OPTIONS`].
    pub fn defaults() -> Self {
        let mut settings = Self::default();
        for option in &OPTIONS {
            match option.kind {
                Kind::Spin { default, set, .. } => drop(set(&mut settings, default)),
                Kind::Check { default, field } => *field(&mut settings) = default,
                Kind::Path { .. } | Kind::Button { .. } => {}
            }
        }
        settings
    }
}

/// Why an option was not set. The old value stays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("unknown option `{name}`{hint}")]
    Unknown { name: String, hint: String },
    #[error("option {0} needs a value")]
    MissingValue(&'static str),
    #[error("option {name} is `true` or `false`, not `{value}`")]
    NotABool { name: &'static str, value: String },
    #[error("option {name} is a whole number from {min} to {max}, not `{value}`")]
    NotInRange { name: &'static str, value: String, min: i64, max: i64 },
    #[error("option {0} is a button and takes no value; not pressed")]
    ButtonWithValue(&'static str),
    #[error("{option} would take {wanted} MiB of a memory of {available} MiB; value unchanged")]
    ExceedsMemory { option: &'static str, wanted: usize, available: usize },
}

impl OptionError {
    /// The error for a name that none of these options has.
    pub fn unknown<'o>(name: &str, options: impl IntoIterator<Item = &'o UciOption>) -> Self {
        let hint = hint(name, options.into_iter().map(|option| option.name));
        Self::Unknown { name: name.to_owned(), hint }
    }
}

/// Sets the option `name`, without regard to case. `value` is `None` when the command
/// had none, and `<empty>` stands for the empty text.
pub fn apply(
    settings: &mut Settings,
    name: &str,
    value: Option<&str>,
) -> Result<Effect, OptionError> {
    let given = value.filter(|value| !value.is_empty());
    let Some(option) = OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
        return set_parameter(name, given);
    };
    let name = option.name;
    match option.kind {
        Kind::Check { field, .. } => {
            let value = given.ok_or(OptionError::MissingValue(name))?;
            let not_a_bool = |_| OptionError::NotABool { name, value: value.to_owned() };
            *field(settings) = value.to_ascii_lowercase().parse().map_err(not_a_bool)?;
            Ok(Effect::None)
        }
        Kind::Spin { min, max, set, .. } => {
            let value = given.ok_or(OptionError::MissingValue(name))?;
            Ok(set(settings, parse_spin(name, value, min, max)?))
        }
        Kind::Path { set } => {
            let value = value.ok_or(OptionError::MissingValue(name))?;
            let path = if value.eq_ignore_ascii_case("<empty>") { "" } else { value };
            Ok(set(path.to_owned()))
        }
        Kind::Button { press } => match given {
            None => Ok(press()),
            Some(_) => Err(OptionError::ButtonWithValue(name)),
        },
    }
}

/// Sets a search parameter, if this build has them as options.
fn set_parameter(name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
    #[cfg(feature = "spsa")]
    if let Some(parameter) = PARAMETERS.iter().find(|parameter| parameter.name == name) {
        let (min, max) = (i64::from(parameter.min), i64::from(parameter.max));
        let value = value.ok_or(OptionError::MissingValue(parameter.name))?;
        parameter.set(parse_spin(parameter.name, value, min, max)? as i32);
        return Ok(Effect::None);
    }
    let _ = value;
    Err(OptionError::unknown(name, &OPTIONS))
}

fn parse_spin(name: &'static str, value: &str, min: i64, max: i64) -> Result<i64, OptionError> {
    value
        .parse()
        .ok()
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| OptionError::NotInRange { name, value: value.to_owned(), min, max })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(settings: &mut Settings, name: &str, value: &str) -> Result<Effect, OptionError> {
        apply(settings, name, Some(value))
    }

    #[test]
    fn defaults_come_from_the_declarations() {
        let settings = Settings::defaults();
        assert_eq!(settings.multi_pv, 1);
        assert_eq!(settings.move_overhead, Duration::from_millis(10));
        assert!(!settings.chess960 && !settings.ponder && !settings.show_wdl);
        assert_eq!(settings.probe, ProbeOptions::default());
    }

    #[test]
    fn defaults_are_within_bounds_and_names_differ() {
        for (index, option) in OPTIONS.iter().enumerate() {
            if let Kind::Spin { default, min, max, .. } = option.kind {
                assert!((min..=max).contains(&default), "{}", option.name);
            }
            let twin = OPTIONS[..index].iter().any(|o| o.name.eq_ignore_ascii_case(option.name));
            assert!(!twin, "{} is declared twice", option.name);
        }
    }

    #[test]
    fn every_option_does_something() {
        for option in &OPTIONS {
            let mut settings = Settings::defaults();
            let value = match option.kind {
                Kind::Check { default, .. } => Some((!default).to_string()),
                Kind::Spin { default, min, max, .. } => {
                    Some(if default < max { max } else { min }.to_string())
                }
                Kind::Path { .. } => Some("somewhere/else".to_owned()),
                Kind::Button { .. } => None,
            };
            let effect = apply(&mut settings, option.name, value.as_deref()).unwrap();
            let changed = settings != Settings::defaults();
            assert!(changed || effect != Effect::None, "{} is ignored", option.name);
        }
    }

    #[test]
    fn names_match_in_any_case() {
        let mut settings = Settings::defaults();
        set(&mut settings, "uci_chess960", "TRUE").unwrap();
        set(&mut settings, "MULTIPV", "3").unwrap();
        assert!(settings.chess960);
        assert_eq!(settings.multi_pv, 3);
    }
}
