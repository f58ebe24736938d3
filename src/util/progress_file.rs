//! The progress file next to a file that a [`Store`](crate::util::store::Store) writes: the
//! settings, and the valid content.
//!
//! ```text
//! {
//!   "bytes": 51234,
//!   "crc": 2596996162,
//!   "games": 64,
//!   …
//!   "settings": { "openings": "start position", "gzip": false, … }
//! }
//! ```
//!
//! Only the first `bytes` bytes of the file are valid; `crc` is their CRC-32. At most
//! `pending` bytes of a batch follow.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The contents of a progress file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ProgressFile<C> {
    /// The options that determine the records and the form of the file.
    pub settings: Map<String, Value>,
    #[serde(flatten)]
    pub counts: C,
    /// The number of valid bytes.
    pub bytes: u64,
    /// The number of bytes that are being written behind them.
    #[serde(default)]
    pub pending: u64,
    /// The CRC-32 of the valid bytes.
    #[serde(rename = "crc")]
    pub checksum: u32,
}

impl ProgressFile<Map<String, Value>> {
    /// The same with the counts of one command, which another command does not have.
    pub fn read_counts<C: DeserializeOwned>(self) -> serde_json::Result<ProgressFile<C>> {
        let Self { settings, counts, bytes, pending, checksum } = self;
        let counts = serde_json::from_value(Value::Object(counts))?;
        Ok(ProgressFile { settings, counts, bytes, pending, checksum })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Counts {
        games: u64,
    }

    const TEXT: &str = r#"{
  "bytes": 12345,
  "crc": 4294967295,
  "games": 12,
  "pending": 70,
  "settings": {
    "openings": "3 positions",
    "seed": 18446744073709551615
  }
}
"#;

    #[test]
    fn a_file_is_written_and_read_back() {
        let settings = json!({ "seed": u64::MAX, "openings": "3 positions" });
        let settings = settings.as_object().unwrap().clone();
        let (bytes, pending, checksum) = (12_345, 70, u32::MAX);
        let counts = Counts { games: 12 };
        let progress = ProgressFile { settings, counts, bytes, pending, checksum };
        let written = serde_json::to_value(&progress).unwrap();
        assert_eq!(written, serde_json::from_str::<Value>(TEXT).unwrap());
        assert_eq!(serde_json::from_str::<ProgressFile<Counts>>(TEXT).unwrap(), progress);
    }

    #[test]
    fn other_texts_are_rejected() {
        let parse = |text: &str| serde_json::from_str::<ProgressFile<Counts>>(text);
        for text in ["", "{", "[]", "7", "{}", r#"{"settings": 1}"#] {
            assert!(parse(text).is_err(), "{text}");
        }
        for name in ["bytes", "pending", "games", "crc"] {
            let negative = TEXT.replace(&format!("\"{name}\": "), &format!("\"{name}\": -"));
            assert!(parse(&negative).is_err(), "{negative}");
        }
    }
}
