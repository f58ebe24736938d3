//! The expected score over the game as an area, and the time of each move below it.
//!
//! The picture is as wide as its place on the page: areas are drawn in units of plies and
//! stretched, dots and numbers are placed in percent, so that these keep their shape.

use crate::annotate::annotated_game::AnnotatedMove;
use crate::annotate::report::{GameSection, steps, wording};
use crate::chess::Color;
use crate::page::Markup;

/// The heights of the parts of the picture in pixels.
const PLOT: usize = 190;
const AXIS: usize = 22;
const CLOCKS: usize = 44;

/// The graph and what lies over it: the positions to step through and the key moments. Empty
/// without a position that was searched.
pub fn parts(section: &GameSection<'_>) -> Vec<Markup> {
    let moves = &section.game.moves;
    let graph = Graph { section, moves, plies: moves.len() };
    if !moves.iter().any(|m| m.after.is_some()) {
        return Vec::new();
    }
    let clocks = graph.clocks();
    let has_clocks = clocks.is_some();
    let height = PLOT + AXIS + if has_clocks { CLOCKS } else { 0 };
    let svg = Markup::new("svg")
        .attribute("xmlns", "http://www.w3.org/2000/svg")
        .attribute("width", "100%")
        .attribute("height", height)
        .attribute("role", "img")
        .attribute("aria-label", "White's expected score after each move")
        .child(graph.plot())
        .children(graph.ticks())
        .children(clocks);
    let caption = if has_clocks {
        "White’s expected score, and the time of each move: White’s up, Black’s down."
    } else {
        "White’s expected score after each move."
    };
    let steps = steps::positions(section);
    let keys = steps.as_ref().map_or("", |_| " Click on it, and step with the arrow keys.");
    let scale = ["100 %", "50", "0"].map(|text| Markup::new("span").text(text));
    let picture = Markup::of_class("div", "graph")
        .child(Markup::of_class("div", "scale").attribute("aria-hidden", "true").children(scale))
        .child(svg);
    let caption = Markup::new("figcaption").text(format!("{caption}{keys}"));
    let figure = Markup::new("figure").child(picture).child(caption);
    [Some(figure), steps, Some(graph.dots())].into_iter().flatten().collect()
}

struct Graph<'a> {
    section: &'a GameSection<'a>,
    moves: &'a [AnnotatedMove],
    plies: usize,
}

impl Graph<'_> {
    /// The area under White's expected score.
    fn plot(&self) -> Markup {
        let area = Markup::of_class("path", "white-share").attribute("d", self.area());
        let half = Markup::of_class("path", "half").attribute("d", format!("M0 50H{}", self.plies));
        stretched("plot", 0, PLOT, &format!("0 0 {} 100", self.plies))
            .child(
                Markup::of_class("rect", "black-share")
                    .attribute("width", self.plies)
                    .attribute("height", 100),
            )
            .child(area)
            .child(half)
    }

    /// The area from the bottom, with gaps where no position was searched. The position after
    /// a move is in the middle of its column.
    fn area(&self) -> String {
        let first = self.moves.first().and_then(|m| m.before);
        let values: Vec<Option<f64>> = [first]
            .into_iter()
            .chain(self.moves.iter().map(|m| m.after))
            .map(|value| value.map(|value| 100.0 * (1.0 - value.white_expected)))
            .collect();
        let place = |index: usize| (index as f64 - 0.5).max(0.0);
        let mut area = String::new();
        let mut start = 0;
        for run in values.chunk_by(|a, b| a.is_some() == b.is_some()) {
            let end = start + run.len() - 1;
            if run[0].is_some() {
                area += &format!("M{} 100", place(start));
                for (index, height) in (start..).zip(run.iter().flatten()) {
                    area += &format!("L{} {height:.1}", place(index));
                }
                // The last value is held to the end of its column.
                let right = if end == self.plies { self.plies as f64 } else { place(end) };
                let last = run.last().copied().flatten().unwrap_or_default();
                area += &format!("L{right} {last:.1}V100z");
            }
            start = end + 1;
        }
        area
    }

    /// The middle of the column of a ply, from 1, in percent.
    fn x(&self, ply: usize) -> String {
        format!("{:.2}%", 100.0 * (ply as f64 - 0.5) / self.plies as f64)
    }

    /// Numbers of moves below the plot.
    fn ticks(&self) -> Vec<Markup> {
        let step = match self.plies {
            0..30 => 5,
            30..120 => 10,
            120..240 => 20,
            240..600 => 50,
            plies => plies / 120 * 10,
        };
        let is_tick = |m: &&AnnotatedMove| {
            m.color == Color::White && usize::from(m.number.number).is_multiple_of(step)
        };
        let tick = |m: &AnnotatedMove| {
            Markup::of_class("text", "tick")
                .attribute("x", self.x(m.ply))
                .attribute("y", PLOT + 15)
                .text(m.number.number)
        };
        self.moves.iter().filter(is_tick).map(tick).collect()
    }

    /// The key moments: a dot with a number, which leads to the board.
    fn dots(&self) -> Markup {
        let dot = |(number, m): (usize, &AnnotatedMove)| {
            let value = m.after?;
            let share = 1.0 - value.white_expected;
            let y = (share * PLOT as f64).clamp(11.0, PLOT as f64 - 11.0);
            let class = m.mark.map_or("", wording::mark_name);
            let circle = Markup::new("circle")
                .attribute("cx", self.x(m.ply))
                .attribute("cy", format!("{y:.0}"))
                .attribute("r", 8);
            let text = Markup::new("text")
                .attribute("x", self.x(m.ply))
                .attribute("y", format!("{:.0}", y + 3.5))
                .text(number);
            let title = format!("{}: key moment {number}", wording::marked_move(m));
            Some(
                Markup::of_class("a", &format!("dot {class}"))
                    .attribute("href", format!("#{}", self.section.moment_id(number)))
                    .child(Markup::new("title").text(title))
                    .child(circle)
                    .child(text),
            )
        };
        Markup::of_class("svg", "dots")
            .attribute("xmlns", "http://www.w3.org/2000/svg")
            .attribute("height", PLOT)
            .attribute("role", "group")
            .attribute("aria-label", "Key moments")
            .children(self.section.moments().filter_map(dot))
    }

    /// The time of each move as a bar, White's up and Black's down; `None` if no move took any.
    fn clocks(&self) -> Option<Markup> {
        let longest = self.moves.iter().filter_map(|m| m.clock.used).reduce(f64::max)?;
        if longest <= 0.0 {
            return None;
        }
        let bars = |color: Color| {
            let sign = if color == Color::White { "-" } else { "" };
            let mut bars = String::new();
            for (index, m) in self.moves.iter().enumerate().filter(|(_, m)| m.color == color) {
                let height = 100.0 * m.clock.used.unwrap_or_default() / longest;
                if height >= 0.5 {
                    bars += &format!("M{index}.1 0v{sign}{height:.0}h.8V0z");
                }
            }
            Markup::of_class("path", &format!("{}-time", wording::color_class(color)))
                .attribute("d", bars)
        };
        let view = format!("0 -100 {} 200", self.plies);
        Some(
            stretched("clocks", PLOT + AXIS, CLOCKS, &view)
                .child(Markup::new("title").text(format!("at most {}", wording::time(longest))))
                .children(Color::ALL.map(bars)),
        )
    }
}

/// A part of the picture with units of its own.
fn stretched(class: &str, y: usize, height: usize, view: &str) -> Markup {
    Markup::of_class("svg", class)
        .attribute("y", y)
        .attribute("width", "100%")
        .attribute("height", height)
        .attribute("viewBox", view)
        .attribute("preserveAspectRatio", "none")
}
