//! What a fit and the methods of learning share.

use anyhow::{Result, bail};

use crate::eval::WEIGHTS;

/// For each weight whether its term, or the group of it, is named.
pub(super) fn named_terms(names: &[String]) -> Result<Vec<bool>> {
    let tables = WEIGHTS.tables();
    for name in names {
        if !tables.iter().any(|table| table.name == name || table.group == name) {
            bail!("no term or group of terms is named {name:?}");
        }
    }
    let is_named = |name: &str| names.iter().any(|named| named == name);
    Ok(tables
        .iter()
        .flat_map(|table| {
            let named = is_named(table.name) || is_named(table.group);
            std::iter::repeat_n(named, table.values.len())
        })
        .collect())
}
