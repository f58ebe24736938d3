//! Pictures of weights as SVG inside a page, whose style sheet has their colours.

use std::fmt::Write;

use crate::eval::Tapered;

/// The size of a square of a board, in pixels.
const SQUARE: usize = 27;
/// The size of the picture of a curve, and its margin.
const WIDTH: f64 = 260.0;
const HEIGHT: f64 = 110.0;
const MARGIN: f64 = 30.0;

/// One half of a weight.
type Half = fn(Tapered) -> i32;

/// The two halves of a weight, with the classes of their lines.
const HALVES: [(&str, Half); 2] =
    [("middlegame", Tapered::middlegame), ("endgame", Tapered::endgame)];

/// A picture of weights of this shape; none for a few numbers.
pub(super) fn picture(shape: &[usize], weights: &[Tapered]) -> Option<String> {
    match *shape {
        [5, 64] => Some(weights.chunks(64).map(|board| grid(board, 8)).collect()),
        [32] => Some(grid(weights, 4)),
        [_, columns] => Some(grid(weights, columns)),
        [entries] if entries >= 4 => Some(curve(weights)),
        _ => None,
    }
}

/// Both halves as grids of numbers, the first row at the bottom as on a board.
fn grid(weights: &[Tapered], columns: usize) -> String {
    let rows = weights.len().div_ceil(columns);
    let (width, height) = (columns * SQUARE, rows * SQUARE);
    let mut svg = String::new();
    for (half, value) in HALVES {
        let greatest = weights.iter().map(|&weight| value(weight).abs()).max().unwrap_or(0).max(1);
        let _ = write!(
            svg,
            "<svg class=\"grid\" role=\"img\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\"><title>{half}</title>"
        );
        for (index, &weight) in weights.iter().enumerate() {
            let (x, y) = (index % columns * SQUARE, (rows - 1 - index / columns) * SQUARE);
            let value = value(weight);
            let class = if value < 0 { "minus" } else { "plus" };
            let opacity = 0.8 * f64::from(value.abs()) / f64::from(greatest);
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" \
                 height=\"{SQUARE}\" fill-opacity=\"{opacity:.2}\"/>\
                 <text x=\"{}\" y=\"{}\">{value}</text>",
                x + SQUARE / 2,
                y + SQUARE / 2 + 3,
            );
        }
        svg += "</svg>\n";
    }
    svg
}

/// Both halves as lines over the index, with a line at 0.
fn curve(weights: &[Tapered]) -> String {
    let values = || weights.iter().flat_map(|&weight| HALVES.map(|(_, half)| half(weight)));
    let least = values().chain([0]).min().unwrap_or(0);
    let greatest = values().chain([0]).max().unwrap_or(0).max(least + 1);
    let last = weights.len() - 1;
    let place_x = |index: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * index as f64 / last as f64;
    let place_y = |value: i32| {
        let share = f64::from(value - least) / f64::from(greatest - least);
        HEIGHT - 18.0 - share * (HEIGHT - 28.0)
    };
    let (zero, right) = (place_y(0), WIDTH - MARGIN);
    let mut svg = format!(
        "<svg class=\"curve\" role=\"img\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\"><title>weights by index</title>\
         <path class=\"zero\" d=\"M{MARGIN} {zero:.1}H{right}\"/>"
    );
    for value in [least, greatest] {
        let y = place_y(value) + 3.0;
        let _ = write!(svg, "<text x=\"{:.0}\" y=\"{y:.1}\">{value}</text>", MARGIN / 2.0);
    }
    for index in [0, last] {
        let x = place_x(index);
        let _ = write!(svg, "<text x=\"{x:.1}\" y=\"{:.0}\">{index}</text>", HEIGHT - 4.0);
    }
    for (half, value) in HALVES {
        let points: Vec<String> = weights
            .iter()
            .enumerate()
            .map(|(index, &weight)| format!("{:.1} {:.1}", place_x(index), place_y(value(weight))))
            .collect();
        let _ = write!(svg, "<path class=\"{half}\" d=\"M{}\"/>", points.join("L"));
    }
    svg + "</svg>\n"
}
