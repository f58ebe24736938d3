//! Numbers of things, in words.

/// `1 game`, `6 games`.
pub fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        let texts = [0, 1, 2, 21].map(|number| counted(number, "move"));
        assert_eq!(texts, ["0 moves", "1 move", "2 moves", "21 moves"]);
    }
}
