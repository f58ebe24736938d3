//! The words of a line. UCI allows any white space between and before them.

/// What follows these whole words at the start of a line.
pub(super) fn after<'a>(line: &'a str, words: &[&str]) -> Option<&'a str> {
    let mut rest = line;
    for word in words {
        rest = rest.trim_start().strip_prefix(word)?;
        if !(rest.is_empty() || rest.starts_with(char::is_whitespace)) {
            return None;
        }
    }
    Some(rest.trim())
}

#[cfg(test)]
mod tests {
    use super::after;

    #[test]
    fn only_whole_words_count_and_white_space_does_not() {
        for line in ["bestmove e2e4", " bestmove e2e4 ", "\tbestmove \t e2e4\r"] {
            assert_eq!(after(line, &["bestmove"]), Some("e2e4"), "{line:?}");
        }
        assert_eq!(after("uciok", &["uciok"]), Some(""));
        assert_eq!(after("id  name  A  B", &["id", "name"]), Some("A  B"));
        for line in ["bestmovement e2e4", "bestmov", "xbestmove", "id nameless", "id", ""] {
            assert_eq!(after(line, &["bestmove"]).or(after(line, &["id", "name"])), None, "{line}");
        }
    }
}
