//! Words that a mistyped one may mean.

/// What `did you mean` needs at least, from 0 to 1.
const ALIKE: f64 = 0.8;

/// A longer text is no slip, and the comparison takes time with its length.
const MAX_BYTES: usize = 100;

/// The candidate that a word is most like, if it is like one.
fn closest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if word.len() > MAX_BYTES {
        return None;
    }
    let word = word.to_lowercase();
    let rated = candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&word, &candidate.to_lowercase()), candidate));
    let alike = rated.filter(|(likeness, _)| *likeness > ALIKE);
    alike.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, candidate)| candidate)
}

/// `; did you mean ...?`, or nothing.
pub fn hint<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> String {
    closest(word, candidates).map_or_else(String::new, |it| format!("; did you mean `{it}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised() {
        let words = ["Hash", "Threads", "minimax", "undo"];
        for (word, wanted) in
            [("hsah", "Hash"), ("Thread", "Threads"), ("minmax", "minimax"), ("udno", "undo")]
        {
            assert_eq!(closest(word, words), Some(wanted));
        }
        for word in ["", "x", "Nf3", "queen", &"Hash ".repeat(1000)] {
            assert_eq!(hint(word, words), "", "{word}");
        }
    }
}
