//! The names of variants of chess in the tag `Variant`.

/// Whether the tag `Variant` names standard chess. Lichess writes "From Position" for games
/// from other positions than the start position.
pub fn is_standard(variant: &str) -> bool {
    is_one_of(variant, &["", "standard", "normal", "chess", "from position"])
}

/// Whether the tag `Variant` names Chess960.
pub fn is_chess960(variant: &str) -> bool {
    is_one_of(variant, &["chess960", "chess 960", "fischerandom", "fischerrandom", "960"])
}

fn is_one_of(text: &str, names: &[&str]) -> bool {
    names.iter().any(|name| text.trim().eq_ignore_ascii_case(name))
}
