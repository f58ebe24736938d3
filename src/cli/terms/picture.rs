//! Pictures of weights as SVG inside a page, whose style sheet has their colours.

use std::fmt::Display;

use crate::eval::Tapered;
use crate::page::Markup;

/// The size of a square of a board, in pixels.
const SQUARE: usize = 27;
/// The size of the picture of a curve, and its margin.
const WIDTH: f64 = 260.0;
const HEIGHT: f64 = 110.0;
const MARGIN: f64 = 30.0;
/// The opacity of the greatest weight. The numbers on it keep a contrast of 4.5 in light and
/// dark.
const STRONGEST: f64 = 0.6;

/// One half of a weight.
type Half = fn(Tapered) -> f64;

/// The two halves of a weight, with the classes of their lines.
const HALVES: [(&str, Half); 2] =
    [("middlegame", Tapered::middlegame), ("endgame", Tapered::endgame)];

/// Pictures of weights of this shape; none for a few numbers.
pub(super) fn pictures(shape: &[usize], weights: &[Tapered]) -> Vec<Markup> {
    match *shape {
        [5, 64] => weights.chunks(64).flat_map(|board| grids(board, 8)).collect(),
        [32] => grids(weights, 4).to_vec(),
        [_, columns] => grids(weights, columns).to_vec(),
        [entries] if entries >= 4 => vec![curve(weights)],
        _ => Vec::new(),
    }
}

fn svg(class: &str, width: impl Display + Copy, height: impl Display + Copy) -> Markup {
    Markup::of_class("svg", class)
        .attribute("xmlns", "http://www.w3.org/2000/svg")
        .attribute("role", "img")
        .attribute("viewBox", format!("0 0 {width} {height}"))
        .attribute("width", width)
        .attribute("height", height)
}

/// Both halves as grids of numbers, the first row at the bottom as on a board.
fn grids(weights: &[Tapered], columns: usize) -> [Markup; 2] {
    let rows = weights.len().div_ceil(columns);
    HALVES.map(|(half, value)| {
        let greatest = weights.iter().map(|&weight| value(weight).abs()).fold(1.0, f64::max);
        let cells = weights.iter().enumerate().flat_map(|(index, &weight)| {
            let (x, y) = (index % columns * SQUARE, (rows - 1 - index / columns) * SQUARE);
            let value = value(weight);
            let opacity = STRONGEST * value.abs() / greatest;
            let rect = Markup::of_class("rect", if value < 0.0 { "minus" } else { "plus" })
                .attribute("x", x)
                .attribute("y", y)
                .attribute("width", SQUARE)
                .attribute("height", SQUARE)
                .attribute("fill-opacity", format!("{opacity:.2}"));
            [rect, text(x + SQUARE / 2, y + SQUARE / 2 + 3, value.round() as i32)]
        });
        svg("grid", columns * SQUARE, rows * SQUARE)
            .child(Markup::new("title").text(half))
            .children(cells)
    })
}

fn text(x: impl Display, y: impl Display, number: impl Display) -> Markup {
    Markup::new("text").attribute("x", x).attribute("y", y).text(number)
}

/// Both halves as lines over the index, with a line at 0.
fn curve(weights: &[Tapered]) -> Markup {
    let values = || weights.iter().flat_map(|&weight| HALVES.map(|(_, half)| half(weight)));
    let least = values().fold(0.0, f64::min);
    let greatest = values().fold(0.0, f64::max).max(least + 1.0);
    let last = weights.len() - 1;
    let place_x = |index: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * index as f64 / last as f64;
    let place_y = |value: f64| {
        let share = (value - least) / (greatest - least);
        HEIGHT - 18.0 - share * (HEIGHT - 28.0)
    };
    let path = |class: &str, d: String| Markup::of_class("path", class).attribute("d", d);
    let zero = format!("M{MARGIN} {:.1}H{}", place_y(0.0), WIDTH - MARGIN);
    let line = |(half, value): (&str, Half)| {
        let points: Vec<String> = weights
            .iter()
            .enumerate()
            .map(|(index, &weight)| format!("{:.1} {:.1}", place_x(index), place_y(value(weight))))
            .collect();
        path(half, format!("M{}", points.join("L")))
    };
    let at_left = |value: f64| {
        text(
            format!("{:.0}", MARGIN / 2.0),
            format!("{:.1}", place_y(value) + 3.0),
            value.round() as i32,
        )
    };
    let below = |index: usize| {
        text(format!("{:.1}", place_x(index)), format!("{:.0}", HEIGHT - 4.0), index)
    };
    svg("curve", WIDTH, HEIGHT)
        .child(Markup::new("title").text("weights by index"))
        .child(path("zero", zero))
        .children([least, greatest].map(at_left))
        .children([0, last].map(below))
        .children(HALVES.map(line))
}
