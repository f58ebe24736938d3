//! Changes to a game that keep its moves legal.

use thiserror::Error;

use crate::chess::notation::pgn::game::{Element, PgnGame};
use crate::chess::notation::pgn::line_stack::LineStack;
use crate::chess::notation::pgn::tag::PgnTag;

/// Why elements make no game. Elements are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PgnEditError {
    #[error("element {0} is a move that is not legal there")]
    Move(usize),
    #[error("element {0} closes a variation, and none is open")]
    Close(usize),
    #[error("a variation is not closed")]
    Open,
}

impl PgnGame {
    /// Gives the first tag of this name a value, or adds the tag after the others.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let new = PgnTag::new(name, value);
        match self.tags.iter_mut().find(|tag| tag.name == name) {
            Some(tag) => *tag = new,
            None => self.tags.push(new),
        }
    }

    /// Replaces the moves with all that is written between them.
    ///
    /// # Errors
    ///
    /// If a move is not legal where it stands, or the brackets of variations do not match.
    /// The game is then unchanged.
    pub fn set_elements(&mut self, elements: Vec<Element>) -> Result<(), PgnEditError> {
        let mut stack = LineStack::new(self.start());
        for (index, element) in elements.iter().enumerate() {
            match element {
                Element::Move(m) => {
                    let is_legal = stack.state().is_some_and(|state| state.is_legal(*m));
                    if !is_legal {
                        return Err(PgnEditError::Move(index));
                    }
                    stack.play(*m);
                }
                Element::NullMove => {
                    if stack.state().is_none_or(|state| state.in_check()) {
                        return Err(PgnEditError::Move(index));
                    }
                    stack.pass();
                }
                Element::Open => stack.open(),
                Element::Close => {
                    if !stack.close() {
                        return Err(PgnEditError::Close(index));
                    }
                }
                Element::Nag(_) | Element::Comment(_) | Element::Word(_) => {}
            }
        }
        if stack.depth() > 0 {
            return Err(PgnEditError::Open);
        }
        self.elements = elements;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::pgn::PgnReader;

    fn game(text: &str) -> PgnGame {
        PgnReader::new(text.as_bytes()).next().unwrap().unwrap()
    }

    #[test]
    fn a_tag_is_changed_or_added_last() {
        let mut game = game("[White \"A\"]\n[ECO \"A00\"]\n\n*\n");
        game.set_tag("ECO", "C50");
        game.set_tag("Annotator", "B");
        let text = "[White \"A\"]\n[ECO \"C50\"]\n[Annotator \"B\"]\n\n*\n";
        assert_eq!(game.to_string(), text);
    }

    #[test]
    fn only_elements_of_a_game_are_taken() {
        let text = "1. e4 (1. d4 d5) 1... e5 2. Nf3 *\n";
        let mut game = game(text);
        let elements = game.elements().to_vec();
        let with = |index: usize, element: Element| {
            let mut elements = elements.clone();
            elements.insert(index, element);
            elements
        };
        let first = elements[0].clone();
        for (index, element, error) in [
            (0, Element::Close, PgnEditError::Close(0)),
            (1, first.clone(), PgnEditError::Move(1)),
            (7, Element::Open, PgnEditError::Open),
            (2, Element::Close, PgnEditError::Move(3)),
        ] {
            assert_eq!(game.set_elements(with(index, element)), Err(error));
            assert_eq!(game.to_string(), text);
        }
        for index in 0..=elements.len() {
            game.set_elements(with(index, Element::comment("here"))).unwrap();
            assert_eq!(game.to_string().matches("{here}").count(), 1);
        }
    }
}
