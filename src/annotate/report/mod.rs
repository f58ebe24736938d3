//! Annotated games as a page: one file that needs no network, no other file and no script.
//!
//! | file | contents |
//! |---|---|
//! | [`heading`] | players, event, opening; the index of several games |
//! | [`players`] | players of several games |
//! | [`sides`] | accuracy, losses, faults and time of both sides |
//! | [`graph`] | the expected score and the clocks over the game |
//! | [`steps`] | the positions, to be stepped through |
//! | [`moments`] | the key moments with boards |
//! | [`moves`] | the list of moves |
//! | [`notes`] | what is said about a move: reasons, lines, comments |
//! | [`wording`] | numbers, dates and marks as text |
//!
//! The [`footer`] says how to read the page, and what its limits are.

mod graph;
mod heading;
mod moments;
mod moves;
mod notes;
mod players;
mod sides;
mod steps;
mod wording;

use std::ops::Range;

use crate::annotate::annotated_game::{AnnotatedGame, AnnotatedMove, EngineName};
use crate::annotate::options::AnnotateOptions;
use crate::chess::{Color, Square, State};
use crate::insight::mark::PlayerLevel;
use crate::page::board::{ArrowKind, BoardArrow, BoardPicture};
use crate::page::{Document, Markup, board};

pub use wording::time;

const STYLE: &str = include_str!("report.css");

/// The most boards to step through on a page: each is a kilobyte.
const MAX_STEPS: usize = 5000;

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
        main = main.children(players::section(games));
    }
    let mut plies = 0;
    for game in shown {
        plies += game.moves.len();
        let has_steps = plies <= MAX_STEPS;
        main.push(article(&GameSection { game, has_index, has_steps, context }));
    }
    document.add(main);
    document.add(footer(context));
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
        .children(sides::table(game))
        .children(graph::parts(section));
    Markup::new("article")
        .attribute("id", format!("g{}", game.number))
        .child(heading::header(section))
        .children(problem)
        .child(summary)
        .children(moments::section(section))
        .children(moves::section(section))
}

/// What a page says, except the games.
#[derive(Clone, Copy)]
pub struct ReportContext<'a> {
    pub options: &'a AnnotateOptions,
    /// Plies of a line that are shown.
    pub line: usize,
}

/// The part of a page that shows one game.
#[derive(Clone, Copy)]
pub struct GameSection<'a> {
    pub game: &'a AnnotatedGame,
    /// Whether the page has other games, and an index.
    pub has_index: bool,
    /// Whether one can step through its positions.
    pub has_steps: bool,
    pub context: &'a ReportContext<'a>,
}

impl GameSection<'_> {
    /// The name of a key moment within the page, by its number in the order of the game.
    pub fn moment_id(&self, number: usize) -> String {
        format!("g{}k{number}", self.game.number)
    }

    /// A board as the reader sees it: a player whose moves alone are annotated sees their own
    /// side of it.
    pub fn picture<'b>(&self, state: &'b State, arrows: Vec<BoardArrow>) -> BoardPicture<'b> {
        let [white, black] = Color::ALL.map(|side| self.game.is_annotated(side));
        let seen_by = if black && !white { Color::Black } else { Color::White };
        BoardPicture { state, seen_by, arrows }
    }

    /// The key moments in the order of the game, with their numbers from 1.
    pub fn moments(&self) -> impl Iterator<Item = (usize, &AnnotatedMove)> {
        let mut plies = self.game.key_moments.clone();
        plies.sort_unstable();
        let moves = plies.into_iter().filter_map(|ply| self.game.moves.get(ply.checked_sub(1)?));
        (1..).zip(moves)
    }
}

const LIMITS: &str = "Lovec sees as far as its nodes: a plan of fifteen moves is not seen. A line \
    shows that something happens; how its end is valued was fitted to games, and is no cause. \
    Other moves may be as good as the ones shown. Where no reason is certain, none is given.";

/// The end of the page.
pub fn footer(context: &ReportContext<'_>) -> Markup {
    let paragraph = |text: String| Markup::new("p").text(text);
    Markup::new("footer")
        .child(Markup::new("h2").text("How to read this"))
        .child(paragraph(marks(context.options)))
        .child(paragraph(
            "On the boards the green arrow is the best move and the red one the move played. A \
             score of +1.19 is 1.19 pawns for White. Accuracy runs to 100 and is computed by the \
             formulas that Lichess publishes, from Lovec’s expected scores: it compares moves with \
             Lovec’s, and differs from the number that Lichess shows."
                .to_owned(),
        ))
        .child(Markup::new("h2").text("Limits"))
        .child(paragraph(LIMITS.to_owned()))
}

/// The name of a move within the page.
fn move_id(game: u64, ply: usize) -> String {
    format!("g{game}p{ply}")
}

/// The arrow of a move in UCI notation.
fn arrow(kind: ArrowKind, uci: &str) -> Option<BoardArrow> {
    let square = |range: Range<usize>| uci.get(range)?.parse::<Square>().ok();
    Some(BoardArrow { kind, from: square(0..2)?, to: square(2..4)? })
}

/// A dot in the colour of the pieces of a side.
fn piece_color(side: Color) -> Markup {
    Markup::of_class("span", &format!("piece-color is-{}", wording::color_class(side)))
}

/// The first row of a table. A cell without a name is no heading.
fn head_row<'a>(names: impl IntoIterator<Item = &'a str>) -> Markup {
    let cell = |name: &str| Markup::new(if name.is_empty() { "td" } else { "th" }).text(name);
    Markup::new("tr").children(names.into_iter().map(cell))
}

/// How the positions were searched.
pub fn searches(context: &ReportContext<'_>) -> String {
    let EngineName { name, version } = EngineName::LOVEC;
    let lovec = format!("{name} {version}");
    let (engine, words) = match &context.options.engine {
        Some(engine) => (&engine.name, format!(" The words are {name}’s.")),
        None => (&lovec, String::new()),
    };
    let limits = &context.options.limits;
    let limit = match (limits.nodes, limits.depth, limits.movetime) {
        (Some(nodes), ..) => format!("{} nodes a move", wording::count(nodes)),
        (_, Some(depth), _) => format!("depth {depth}"),
        (.., Some(time)) => format!("{} ms a move", time.as_millis()),
        _ => "no limit".to_owned(),
    };
    format!(
        "{engine} searched {limit}, and {} times as long again where a move seemed to be a \
         fault.{words}",
        context.options.confirm
    )
}

/// What the marks mean.
fn marks(options: &AnnotateOptions) -> String {
    let points = |level: PlayerLevel| {
        let [inaccuracy, mistake, blunder] = level.thresholds().points();
        format!(
            "a move that loses {inaccuracy} points of 100 is an inaccuracy (?!), {mistake} a \
             mistake (?), {blunder} a blunder (??)"
        )
    };
    let meaning = options.level.map_or_else(
        || {
            let [inaccuracy, mistake, blunder] = PlayerLevel::Expert.thresholds().points();
            format!(
                "{}; for players with a rating of 2200 and more {inaccuracy}, {mistake} and \
                 {blunder}",
                points(PlayerLevel::Club)
            )
        },
        points,
    );
    format!(
        "The expected score is 100 % for a win, 50 % for a draw and 0 % for a loss: {meaning}. \
         The only good move has ! where it is hard to see, a sacrifice among these !!, the only \
         legal move □. Moves of an opening with a name are no inaccuracies or mistakes."
    )
}
