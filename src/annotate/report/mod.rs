//! Annotated games as a page: one file that needs no network, no other file and no script.
//!
//! | file | contents |
//! |---|---|
//! | [`heading`] | players, event, opening; the index of several games |
//! | [`sides`] | accuracy, losses, faults and time of both sides |
//! | [`graph`] | the expected score and the clocks over the game |
//! | [`moments`] | the key moments with boards |
//! | [`moves`] | the list of moves |
//! | [`notes`] | what is said about a move: reasons, lines, terms, comments |
//! | [`footer`] | how to read the page, its limits, how to repeat it |
//! | [`section`] | the game and its names within the page |
//! | [`wording`] | numbers, dates and lines as text |

mod footer;
mod graph;
mod heading;
mod moments;
mod moves;
mod notes;
mod section;
mod sides;
mod wording;

use crate::annotate::annotated_game::AnnotatedGame;
use crate::annotate::report::section::GameSection;
use crate::page::{Document, Markup, board};

pub use section::ReportContext;

const STYLE: &str = include_str!("report.css");

/// The page of the annotated ones of these games.
pub fn page(games: &[AnnotatedGame], context: &ReportContext<'_>) -> String {
    let shown: Vec<&AnnotatedGame> =
        games.iter().filter(|game| game.nodes > 0 || game.problem.is_some()).collect();
    let title = match shown[..] {
        [game] => heading::title(game),
        _ => format!("{} annotated games", shown.len()),
    };
    let mut document = Document::new(title).style(board::STYLE).style(STYLE);
    document.add(board::definitions());
    let mut main = Markup::new("main");
    let has_index = shown.len() != 1;
    if has_index {
        main.push(heading::index(&shown));
    }
    main =
        main.children(shown.iter().map(|game| article(&GameSection { game, has_index, context })));
    document.add(main);
    document.add(footer::footer(context));
    document.to_string()
}

/// The part of a page that shows one game.
fn article(section: &GameSection<'_>) -> Markup {
    let game = section.game;
    let problem = game.problem.as_ref().map(|problem| {
        Markup::of_class("p", "problem")
            .text(format!("The game cannot be followed to its end: {problem}."))
    });
    let summary = Markup::of_class("section", "summary")
        .child(sides::table(game))
        .children(graph::figure(section));
    Markup::new("article")
        .attribute("id", format!("g{}", game.number))
        .child(heading::header(section))
        .children(problem)
        .child(summary)
        .children(moments::section(section))
        .children(moves::section(section))
}
