//! Results as JSON.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a result over several lines, its keys in alphabetical order.
pub(super) fn write(out: &mut (impl Write + ?Sized), result: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{:#}", serde_json::to_value(result)?)
}
