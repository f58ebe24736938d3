//! The options that an engine announces.

use crate::client::words::after;

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EngineOption {
    pub name: String,
    kind: OptionKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum OptionKind {
    Check,
    Spin {
        min: i64,
        max: i64,
    },
    Combo(Vec<String>),
    /// A string, a button, or a kind that UCI does not know.
    Any,
}

impl EngineOption {
    /// Reads `option name Hash type spin default 16 min 1 max 1024`; `None` for any other
    /// line.
    pub fn parse(line: &str) -> Option<Self> {
        let (name, rest) = after(line, &["option", "name"])?.split_once(" type ")?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let number = |key| {
            let place = words.iter().position(|&word| word == key)?;
            words.get(place + 1)?.parse().ok()
        };
        let kind = match *words.first()? {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin {
                min: number("min").unwrap_or(i64::MIN),
                max: number("max").unwrap_or(i64::MAX),
            },
            // Values may have spaces.
            "combo" => OptionKind::Combo(
                rest.split(" var ").skip(1).map(|value| value.trim().to_owned()).collect(),
            ),
            _ => OptionKind::Any,
        };
        Some(Self { name: name.trim().to_owned(), kind })
    }

    /// What is expected instead, if the option does not take this value.
    pub fn check(&self, value: &str) -> Result<(), String> {
        match &self.kind {
            OptionKind::Check if ["true", "false"].contains(&value) => Ok(()),
            OptionKind::Check => Err("true or false".to_owned()),
            OptionKind::Spin { min, max } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(()),
                _ => Err(format!("a number from {min} to {max}")),
            },
            OptionKind::Combo(values) if values.iter().any(|it| it == value) => Ok(()),
            OptionKind::Combo(values) => Err(format!("one of {}", values.join(", "))),
            OptionKind::Any => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_tell_which_values_they_take() {
        for (line, good, bad) in [
            ("option name Hash type spin default 16 min 1 max 64", "64", Some("65")),
            ("option name Hash type spin default 16 min 1 max 64", "1", Some("much")),
            ("option name Ponder type check default false", "true", Some("1")),
            (
                "option name A Style type combo default Solid var Solid var Very Risky",
                "Very Risky",
                Some("Risky"),
            ),
            ("option name Path type string default <empty>", "/a b", None),
            ("option name Clear Hash type button", "", None),
            ("option name Odd type spin", "-5", Some("x")),
        ] {
            let option = EngineOption::parse(line).unwrap();
            assert_eq!(option.check(good), Ok(()), "{line}");
            assert!(bad.is_none_or(|bad| option.check(bad).is_err()), "{line}");
        }
        let style = EngineOption::parse("option name A Style type string").unwrap();
        assert_eq!(style.name, "A Style");
        assert_eq!(EngineOption::parse("id name Lovec"), None);
        assert_eq!(EngineOption::parse("option name Hash"), None);
    }
}
