//! The comments of a game that others wrote, as text to read.

use crate::annotate::pgn_notes;
use crate::chess::notation::pgn::{Element, PgnGame, without_variations};

/// The comments of the main line that others wrote, without commands such as `[%clk 0:01:00]`:
/// those before the first move, and those behind each move.
pub fn of_game(game: &PgnGame) -> Vec<Vec<String>> {
    let mut comments = vec![Vec::new()];
    for element in without_variations(&pgn_notes::of_others(game)) {
        match (element, comments.last_mut()) {
            (Element::Move(_) | Element::NullMove, _) => comments.push(Vec::new()),
            (Element::Comment(text), Some(place)) => {
                let text = without_commands(text);
                if !text.is_empty() {
                    place.push(text);
                }
            }
            _ => {}
        }
    }
    comments
}

/// A comment without commands, its words separated by single spaces.
fn without_commands(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some((before, command)) = rest.split_once("[%") {
        let Some((_, after)) = command.split_once(']') else { break };
        text += before;
        text += " ";
        rest = after;
    }
    text += rest;
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::pgn::PgnReader;

    #[test]
    fn comments_of_others_are_kept_without_commands() {
        let text = "{Before} 1. e4 {best\n by test [%clk 1:00:00]} (1. d4 {no}) e5 {[%x]} {Ha!} \
                    2. Nf3 {[%eval 0.20,9]} -- {null} 3. Nc3 {late} *";
        let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(
            of_game(&game),
            [vec!["Before"], vec!["best by test"], vec!["Ha!"], vec![], vec!["null"], vec!["late"]]
        );
        assert_eq!(without_commands("[%clk 1"), "[%clk 1");
    }
}
