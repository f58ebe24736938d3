//! Reading `NAME=VALUE`, an option of an engine.

/// Reads the name and the value of an option.
///
/// # Errors
///
/// If there is no equals sign or no name.
pub(super) fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("a name and a value are expected, as in Threads=2".to_owned()),
    }
}
