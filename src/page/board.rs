//! Chess boards as SVG.
//!
//! Squares, coordinates and pieces are drawn once for a page ([`definitions`]); each board
//! refers to them.

use std::cmp::Ordering;

use crate::chess::{Color, File, Piece, Rank, Square, State};
use crate::page::markup::Markup;
use crate::page::pieces;

/// The style of boards.
pub const STYLE: &str = include_str!("board.css");

/// The side of a square in units of the picture.
const SQUARE: usize = 40;

/// The side of a board.
const BOARD: usize = 8 * SQUARE;

/// Half the width of the shaft of an arrow, half the width of its head, the length of the
/// head, and its distance from the middle of the first square.
const SHAFT: f64 = 3.5;
const HEAD: f64 = 9.5;
const POINT: f64 = 17.0;
const START: f64 = 12.0;

/// The style of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrowKind {
    /// The best move.
    Best,
    /// A fault.
    Fault,
    /// A move that was played.
    Played,
}

/// An arrow from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardArrow {
    pub kind: ArrowKind,
    pub from: Square,
    pub to: Square,
}

/// A board to draw.
#[derive(Clone, Debug)]
pub struct BoardPicture<'a> {
    pub state: &'a State,
    /// Whose first rank is at the bottom.
    pub seen_by: Color,
    pub arrows: Vec<BoardArrow>,
}

/// The parts that boards refer to. They stand once on a page, before the first board.
pub fn definitions() -> Markup {
    let pieces = Piece::ALL.into_iter().map(|piece| {
        let [outline, detail] = pieces::drawing(piece);
        Markup::new("g")
            .attribute("id", piece_id(piece))
            .child(Markup::new("path").attribute("d", outline))
            .child(Markup::of_class("path", "detail").attribute("d", detail))
    });
    Markup::of_class("svg", "definitions")
        .attribute("xmlns", "http://www.w3.org/2000/svg")
        .attribute("aria-hidden", "true")
        .attribute("width", 0)
        .attribute("height", 0)
        .child(Markup::new("defs").children(Color::ALL.map(empty_board)).children(pieces))
}

/// The squares with their coordinates, as one of the sides sees them.
fn empty_board(seen_by: Color) -> Markup {
    let mut dark = String::new();
    for row in 0..8 {
        for column in (0..8).filter(|column| (row + column) % 2 == 1) {
            dark += &format!("M{} {}h{SQUARE}v{SQUARE}h-{SQUARE}z", column * SQUARE, row * SQUARE);
        }
    }
    let rect =
        Markup::of_class("rect", "light").attribute("width", BOARD).attribute("height", BOARD);
    let text = |x: usize, y: usize, is_on_dark: bool, letter: char| {
        let class = if is_on_dark { "on-dark" } else { "on-light" };
        Markup::of_class("text", class).attribute("x", x).attribute("y", y).text(letter)
    };
    let files = File::ALL.into_iter().map(|file| {
        let (column, row) = place(Square::at(file, seen_by.relative_rank(Rank::ALL[0])), seen_by);
        let letter = file.letter();
        text((column + 1) * SQUARE - 8, (row + 1) * SQUARE - 4, column % 2 == 0, letter)
    });
    let ranks = Rank::ALL.into_iter().map(|rank| {
        let file = File::ALL[if seen_by == Color::White { 0 } else { 7 }];
        let (column, row) = place(Square::at(file, rank), seen_by);
        let digit = (b'1' + rank.index() as u8) as char;
        text(column * SQUARE + 3, row * SQUARE + 11, row % 2 == 1, digit)
    });
    Markup::new("g")
        .attribute("id", board_id(seen_by))
        .child(rect)
        .child(Markup::of_class("path", "dark").attribute("d", dark))
        .children(files)
        .children(ranks)
}

fn board_id(seen_by: Color) -> &'static str {
    ["board-w", "board-b"][seen_by.index()]
}

fn piece_id(piece: Piece) -> String {
    piece.letter(Color::Black).to_string()
}

/// The column from the left and the row from the top.
fn place(square: Square, seen_by: Color) -> (usize, usize) {
    let (file, rank) = (square.file().index(), square.rank().index());
    match seen_by {
        Color::White => (file, 7 - rank),
        Color::Black => (7 - file, rank),
    }
}

/// The middle of a square.
fn middle(square: Square, seen_by: Color) -> [f64; 2] {
    let (column, row) = place(square, seen_by);
    [column, row].map(|index| (index * SQUARE + SQUARE / 2) as f64)
}

impl BoardPicture<'_> {
    /// The board, with a description for those who cannot see it.
    pub fn svg(&self) -> Markup {
        self.described(self.undescribed_svg())
    }

    /// The board for those who see it.
    pub fn undescribed_svg(&self) -> Markup {
        self.drawn(Vec::new(), Vec::new())
    }

    /// A picture of its own, without a page: on each square the numbers of White's and Black's
    /// pieces that it is given, tinted for the side that has more.
    pub fn map_svg(&self, numbers: impl Fn(Square) -> [u32; 2]) -> Markup {
        let (tints, texts): (Vec<_>, Vec<_>) = Square::all()
            .map(|square| {
                let (column, row) = place(square, self.seen_by);
                let [white, black] = numbers(square);
                let tint = match white.cmp(&black) {
                    Ordering::Greater => "more-white",
                    Ordering::Equal => "even",
                    Ordering::Less => "more-black",
                };
                let text = Markup::of_class("text", "numbers")
                    .attribute("x", (column + 1) * SQUARE - 3)
                    .attribute("y", row * SQUARE + 10)
                    .text(format!("{white}/{black}"));
                (square_of(tint, column, row), text)
            })
            .unzip();
        let parts = vec![Markup::new("style").style(STYLE), definitions()];
        self.described(self.drawn(parts, tints)).children(texts)
    }

    fn described(&self, board: Markup) -> Markup {
        board.attribute("role", "img").attribute("aria-label", describe(self.state))
    }

    /// The board after the `parts` that it needs, with `tints` between squares and pieces.
    fn drawn(&self, parts: Vec<Markup>, tints: Vec<Markup>) -> Markup {
        Markup::of_class("svg", "board")
            .attribute("xmlns", "http://www.w3.org/2000/svg")
            .attribute("viewBox", format!("0 0 {BOARD} {BOARD}"))
            .children(parts)
            .child(reference(board_id(self.seen_by), None))
            .children(tints)
            .children(self.arrows.iter().map(|arrow| self.target(arrow)))
            .children(Color::ALL.map(|color| self.pieces(color)))
            .children(self.arrows.iter().map(|arrow| self.arrow(arrow)))
    }

    /// The pieces of a side.
    fn pieces(&self, color: Color) -> Markup {
        let squares = Square::all().filter(|&square| self.state.color_on(square) == Some(color));
        let pieces = squares.filter_map(|square| {
            let piece = self.state.piece_on(square)?;
            Some(reference(&piece_id(piece), Some(place(square, self.seen_by))))
        });
        Markup::of_class("g", ["white", "black"][color.index()]).children(pieces)
    }

    /// The square at which an arrow begins.
    fn target(&self, arrow: &BoardArrow) -> Markup {
        let (column, row) = place(arrow.from, self.seen_by);
        square_of(&format!("from {}", arrow.kind.class()), column, row)
    }

    /// An arrow as one filled shape, from near the middle of a square to the middle of another.
    fn arrow(&self, arrow: &BoardArrow) -> Markup {
        let [from, to] = [arrow.from, arrow.to].map(|square| middle(square, self.seen_by));
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let length = dx.hypot(dy).max(1.0);
        let (dx, dy) = (dx / length, dy / length);
        let at = |along: f64, aside: f64| {
            let (x, y) = (from[0] + along * dx - aside * dy, from[1] + along * dy + aside * dx);
            format!("{x:.1} {y:.1}")
        };
        let neck = length - POINT;
        let outline = [
            at(START, SHAFT),
            at(neck, SHAFT),
            at(neck, HEAD),
            at(length, 0.0),
            at(neck, -HEAD),
            at(neck, -SHAFT),
            at(START, -SHAFT),
        ];
        Markup::of_class("path", &format!("arrow {}", arrow.kind.class()))
            .attribute("d", format!("M{}z", outline.join("L")))
    }
}

impl ArrowKind {
    fn class(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Fault => "fault",
            Self::Played => "played",
        }
    }
}

/// A square of a class.
fn square_of(class: &str, column: usize, row: usize) -> Markup {
    Markup::of_class("rect", class)
        .attribute("x", column * SQUARE)
        .attribute("y", row * SQUARE)
        .attribute("width", SQUARE)
        .attribute("height", SQUARE)
}

/// A part of [`definitions`], perhaps on a square.
fn reference(id: &str, place: Option<(usize, usize)>) -> Markup {
    let mut part = Markup::new("use").attribute("href", format!("#{id}"));
    if let Some((column, row)) = place {
        part = part.attribute("x", column * SQUARE).attribute("y", row * SQUARE);
    }
    part
}

/// The position in words: `White: king e1, …. Black: …. White to move.`
fn describe(state: &State) -> String {
    let mut words = String::new();
    for color in Color::ALL {
        let pieces = Piece::ALL.into_iter().rev().filter_map(|piece| {
            let squares = state.colored(color, piece).iter().map(|square| square.to_string());
            let squares: Vec<String> = squares.collect();
            (!squares.is_empty()).then(|| format!("{piece} {}", squares.join(" ")))
        });
        let pieces: Vec<String> = pieces.collect();
        words += &format!("{}: {}. ", color.name(), pieces.join(", "));
    }
    words + &format!("{} to move.", state.side_to_move().name())
}
