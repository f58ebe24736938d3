//! The settings of a row as text: `NAME` or `NAME=VALUE`, separated by colons.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use thiserror::Error;

/// A setting that a row can have, as it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettingInfo {
    pub name: &'static str,
    pub values: SettingValues,
    pub summary: &'static str,
    /// The settings without which it does nothing, joined by ` or `: each is `NAME`, which is then
    /// on, or `NAME=WORD`. Empty if it needs none.
    needs: &'static str,
    /// The same for a word of it.
    word_needs: Option<(&'static str, &'static str)>,
}

/// The name, the usage, the default and the summary.
impl Serialize for SettingInfo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { name, summary, .. } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", name)?;
        map.serialize_entry("usage", &self.usage())?;
        map.serialize_entry("default", &self.default())?;
        map.serialize_entry("summary", summary)?;
        map.end()
    }
}

/// The values of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingValues {
    /// On if it is named.
    Flag,
    /// A whole number.
    Number { least: i64, greatest: i64, default: i64 },
    /// One of these words; the first is the default.
    Word(&'static [&'static str]),
    /// Words of this list, joined by `+`; none by default.
    Words(&'static [&'static str]),
}

impl SettingInfo {
    const fn new(name: &'static str, values: SettingValues, summary: &'static str) -> Self {
        Self { name, values, summary, needs: "", word_needs: None }
    }

    pub const fn flag(name: &'static str, summary: &'static str) -> Self {
        Self::new(name, SettingValues::Flag, summary)
    }

    pub const fn number(
        name: &'static str,
        [least, greatest]: [i64; 2],
        default: i64,
        summary: &'static str,
    ) -> Self {
        Self::new(name, SettingValues::Number { least, greatest, default }, summary)
    }

    pub const fn word(
        name: &'static str,
        words: &'static [&'static str],
        summary: &'static str,
    ) -> Self {
        Self::new(name, SettingValues::Word(words), summary)
    }

    pub const fn words(
        name: &'static str,
        words: &'static [&'static str],
        summary: &'static str,
    ) -> Self {
        Self::new(name, SettingValues::Words(words), summary)
    }

    /// The setting, which does nothing without another one, or one of several joined by ` or `.
    pub const fn with(self, needs: &'static str) -> Self {
        Self { needs, ..self }
    }

    /// The setting with a word that does nothing without another setting, or one of several.
    pub const fn word_with(self, word: &'static str, needs: &'static str) -> Self {
        Self { word_needs: Some((word, needs)), ..self }
    }

    /// How the setting is written.
    pub fn usage(&self) -> String {
        let name = self.name;
        match self.values {
            SettingValues::Flag => name.to_owned(),
            SettingValues::Number { .. } => format!("{name}=N"),
            SettingValues::Word(words) => format!("{name}={}", words.join("|")),
            SettingValues::Words(words) => format!("{name}={}", words.join("+")),
        }
    }

    /// Its value where it is not given, unless it is off or none then.
    pub fn default(&self) -> Option<String> {
        match self.values {
            SettingValues::Flag | SettingValues::Words(_) => None,
            SettingValues::Number { default, .. } => Some(default.to_string()),
            SettingValues::Word(words) => words.first().map(|word| (*word).to_owned()),
        }
    }

    /// Whether the values of the setting are words, and a text is one of them.
    pub fn has_word(&self, text: &str) -> bool {
        matches!(self.values, SettingValues::Words(words) if words.contains(&text))
    }

    /// The value that a text gives, `None` if it is not one.
    fn parse(&self, text: Option<&str>) -> Option<Value> {
        match (self.values, text) {
            (SettingValues::Flag, None) => Some(Value::Flag),
            (SettingValues::Number { least, greatest, .. }, Some(text)) => {
                let number = text.parse().ok()?;
                (least..=greatest).contains(&number).then_some(Value::Number(number))
            }
            (SettingValues::Word(words), Some(text)) => {
                words.iter().position(|&word| word == text).map(Value::Word)
            }
            (SettingValues::Words(words), Some(text)) => {
                let find = |part: &str| words.iter().find(|&&word| word == part).copied();
                let found: Option<Vec<_>> =
                    text.split('+').filter(|part| *part != "none").map(find).collect();
                found.map(Value::Words)
            }
            _ => None,
        }
    }

    fn expected(&self) -> String {
        match self.values {
            SettingValues::Flag => "no value".to_owned(),
            SettingValues::Number { least, greatest, .. } => {
                format!("a whole number from {least} to {greatest}")
            }
            SettingValues::Word(words) => format!("one of {}", words.join(", ")),
            SettingValues::Words(words) => {
                format!("none, or words joined by + of {}", words.join(", "))
            }
        }
    }
}

/// Why a text is not a setting.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    #[error("{algorithm} has no setting {name:?}; it has {known}, as `lovec lab list` explains")]
    Unknown { algorithm: String, name: String, known: String },
    #[error("the setting {0} is there twice")]
    Twice(&'static str),
    #[error("the setting {setting} does nothing without {needs}")]
    Idle { setting: String, needs: &'static str },
    #[error("the setting {name} takes {expected}, not {value:?}")]
    Value { name: String, expected: String, value: String },
}

impl SettingError {
    /// A name that is not among the `known` settings of `algorithm`.
    pub fn unknown(algorithm: &str, name: &str, known: &[SettingInfo]) -> Self {
        let known: Vec<&str> = known.iter().map(|info| info.name).collect();
        let (algorithm, name) = (algorithm.to_owned(), name.to_owned());
        Self::Unknown { algorithm, name, known: known.join(", ") }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Flag,
    Number(i64),
    /// Its place in the list.
    Word(usize),
    Words(Vec<&'static str>),
}

/// The settings of a row that are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenSettings(Vec<(SettingInfo, Value)>);

impl GivenSettings {
    /// Reads settings of `algorithm`, which has the `known` ones.
    pub fn parse(
        algorithm: &str,
        known: &[SettingInfo],
        texts: &[&str],
    ) -> Result<Self, SettingError> {
        let mut given: Vec<(SettingInfo, Value)> = Vec::new();
        for &text in texts {
            let (name, value) = match text.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (text, None),
            };
            let info = known.iter().find(|info| info.name == name);
            let info = info.ok_or_else(|| SettingError::unknown(algorithm, name, known))?;
            let parsed = info.parse(value).ok_or_else(|| SettingError::Value {
                name: name.to_owned(),
                expected: info.expected(),
                value: value.unwrap_or_default().to_owned(),
            })?;
            if given.iter().any(|(it, _)| it.name == info.name) {
                return Err(SettingError::Twice(info.name));
            }
            given.push((*info, parsed));
        }
        Ok(Self(given))
    }

    /// These settings, if they are among the `known` ones, and the `own` ones of a row, which
    /// count more.
    pub fn and(mut self, known: &[SettingInfo], own: &Self) -> Self {
        self.0.retain(|(info, _)| known.contains(info));
        self.0.extend_from_slice(&own.0);
        self
    }

    /// What of `some` settings does nothing beside these in an algorithm that has the `known`
    /// ones, and why: `NAME`, or `NAME=WORD` for one of several words.
    pub fn idle(
        &self,
        algorithm: &str,
        known: &[SettingInfo],
        some: &Self,
    ) -> Vec<(String, SettingError)> {
        let mut idle = Vec::new();
        for (info, value) in &some.0 {
            let name = info.name.to_owned();
            if !known.contains(info) {
                idle.push((name, SettingError::unknown(algorithm, info.name, known)));
                continue;
            }
            let word = info
                .word_needs
                .filter(|(word, _)| matches!(value, Value::Words(words) if words.contains(word)));
            let word = word.map(|(word, needs)| (format!("{name}={word}"), needs));
            for (setting, needs) in std::iter::once((name, info.needs)).chain(word) {
                if !needs.is_empty() && !needs.split(" or ").any(|it| self.is_on(it)) {
                    idle.push((setting.clone(), SettingError::Idle { setting, needs }));
                }
            }
        }
        idle
    }

    /// Whether a setting is on: `NAME` or `NAME=WORD`. A number is off at 0.
    fn is_on(&self, setting: &str) -> bool {
        let (name, wanted) = setting.split_once('=').unwrap_or((setting, ""));
        match self.0.iter().rev().find(|(info, _)| info.name == name) {
            Some((_, Value::Words(words))) if wanted.is_empty() => !words.is_empty(),
            Some((_, Value::Words(words))) => words.contains(&wanted),
            Some((_, Value::Word(place))) if wanted.is_empty() => *place > 0,
            Some((info, Value::Word(place))) => {
                matches!(info.values, SettingValues::Word(words) if words[*place] == wanted)
            }
            Some((_, Value::Number(number))) => *number != 0,
            Some((_, Value::Flag)) => true,
            None => false,
        }
    }

    /// The value of a setting, not of another one with its name.
    fn get(&self, info: &SettingInfo) -> Option<&Value> {
        self.0.iter().rev().find(|(given, _)| given == info).map(|(_, value)| value)
    }

    /// Whether a setting is given, with any value.
    pub fn has(&self, info: &SettingInfo) -> bool {
        self.get(info).is_some()
    }

    /// The number of a setting, given or by default.
    pub fn number(&self, info: &SettingInfo) -> i64 {
        match (self.get(info), info.values) {
            (Some(Value::Number(number)), _) => *number,
            (_, SettingValues::Number { default, .. }) => default,
            _ => 0,
        }
    }

    /// The one of these values that stands in the place of the word, given or by default, among
    /// the words of the setting.
    pub fn choice<T: Copy>(&self, info: &SettingInfo, values: &[T]) -> T {
        match self.get(info) {
            Some(&Value::Word(place)) => values[place],
            _ => values[0],
        }
    }

    /// Whether a setting of several words has this one.
    pub fn has_word(&self, info: &SettingInfo, word: &str) -> bool {
        matches!(self.get(info), Some(Value::Words(words)) if words.contains(&word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [SettingInfo; 4] = [
        SettingInfo::flag("hard", ""),
        SettingInfo::number("grain", [1, 100], 4, ""),
        SettingInfo::word("leaf", &["static", "captures"], ""),
        SettingInfo::words("order", &["tt", "killers"], ""),
    ];

    fn parse(text: &str) -> Result<GivenSettings, SettingError> {
        let texts: Vec<&str> = text.split(':').filter(|part| !part.is_empty()).collect();
        GivenSettings::parse("x", &KNOWN, &texts)
    }

    #[test]
    fn settings_are_read() {
        let none = parse("").unwrap();
        assert!(!none.has(&KNOWN[0]) && !none.has_word(&KNOWN[3], "tt"));
        let leaf = |given: &GivenSettings| given.choice(&KNOWN[2], &["static", "captures"]);
        assert_eq!((none.number(&KNOWN[1]), leaf(&none)), (4, "static"));
        let all = parse("hard:leaf=captures:order=tt+killers:grain=16").unwrap();
        assert!(all.has(&KNOWN[0]) && all.has_word(&KNOWN[3], "killers"));
        assert_eq!((all.number(&KNOWN[1]), leaf(&all)), (16, "captures"));
        let common = parse("order=tt:grain=9").unwrap();
        let both = common.and(&KNOWN[1..], &parse("order=none").unwrap());
        assert!(!both.has_word(&KNOWN[3], "tt") && both.number(&KNOWN[1]) == 9);
        assert!(!all.and(&KNOWN[1..], &none).has(&KNOWN[0]));
    }

    #[test]
    fn faults_are_named() {
        for text in ["hard=1", "grain", "grain=0", "grain=x", "leaf=", "order=history", "order="] {
            assert!(matches!(parse(text), Err(SettingError::Value { .. })), "{text}");
        }
        assert_eq!(parse("grain=9:hard:grain=9"), Err(SettingError::Twice("grain")));
        let error = parse("soft").unwrap_err().to_string();
        assert!(
            error.contains("x has no setting \"soft\"; it has hard, grain, leaf, order"),
            "{error}"
        );
    }
}
