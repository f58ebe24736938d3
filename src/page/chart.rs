//! A line chart as SVG: one line for each series, a legend in the order of the line ends.

use std::fmt::Write;

use crate::page::markup::escaped;

/// The size of the picture and the margins around the chart, in pixels. A long legend makes
/// the picture higher, not the chart.
const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 480.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 270.0;
const TOP: f64 = 46.0;
const BOTTOM: f64 = 54.0;

/// The distance between two lines of the legend.
const LEGEND_STEP: f64 = 18.0;
/// The distance between the top of the chart and the first line of the legend.
const LEGEND_TOP: f64 = 8.0;
/// The longest name in the legend, in characters.
const LEGEND_CHARS: usize = 34;

/// Colours that remain distinct with a colour deficiency (M. Okabe, K. Ito, "Color Universal
/// Design", 2008), with black for their yellow.
const COLORS: [&str; 8] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F"];

/// The marks of the points: closed paths round a point, in pixels. They tell the lines apart
/// in print.
const MARKS: [&str; 8] = [
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "m-3.5 -3.5h7v7h-7z",
    "m0 -4.8l4.4 7.8h-8.8z",
    "m0 -5l5 5l-5 5l-5 -5z",
    "m0 4.8l4.4 -7.8h-8.8z",
    "m-1.5 -5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
    "m0 -2.2l2.8 -2.8l2.2 2.2l-2.8 2.8l2.8 2.8l-2.2 2.2l-2.8 -2.8l-2.8 2.8l-2.2 -2.2l2.8 -2.8l-2.8 -2.8l2.2 -2.2z",
    "m-5 -2h10v4h-10z",
];

/// The pixels by which a line is wider for each line that hides it.
const RIM: f64 = 3.0;
/// How near two lines run, in pixels, if one hides the other.
const HIDDEN: f64 = 2.0;

/// Dashes, for lines of one colour.
const DASHES: [&str; 4] = ["", "7 4", "2 3", "10 3 2 3"];

/// The unit of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From the least value to the greatest.
    Linear,
    /// From zero, so that lengths can be compared.
    FromZero,
    /// Powers of ten at equal distances; values below 1 are drawn as 1.
    Log,
}

impl Scale {
    /// The place of a value on an axis of this scale.
    fn place(self, value: f64) -> f64 {
        match self {
            Self::Linear | Self::FromZero => value,
            Self::Log => value.max(1.0).log10(),
        }
    }

    /// The axis for these places, with about `count` ticks at least `least_step` apart.
    fn axis(self, places: impl Iterator<Item = f64> + Clone, count: f64, least_step: f64) -> Axis {
        match self {
            Self::Linear => Axis::linear(places, count, least_step),
            Self::FromZero => Axis::linear(places.chain([0.0]), count, least_step),
            Self::Log => Axis::log(places),
        }
    }

    fn tick_text(self, tick: f64) -> String {
        match (self, tick as i32) {
            (Self::Linear | Self::FromZero, _) => number_text(tick),
            (Self::Log, power @ 0..=3) => 10_u32.pow(power as u32).to_string(),
            (Self::Log, power) => {
                format!("10<tspan dy=\"-5\" font-size=\"10\">{power}</tspan>")
            }
        }
    }
}

/// What a line shows.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    /// In the order of x; values that are not finite are left out.
    pub points: Vec<(f64, f64)>,
}

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    pub x_scale: Scale,
    pub y_scale: Scale,
    pub series: Vec<Series>,
}

/// A line.
struct Line<'a> {
    /// The place of the series among all. It decides the colour, so that a series has the
    /// same colour in several charts of the same series.
    number: usize,
    name: &'a str,
    /// Places on the axes.
    points: Vec<(f64, f64)>,
}

/// A range of an axis and its ticks.
struct Axis {
    first: f64,
    last: f64,
    ticks: Vec<f64>,
}

impl Axis {
    /// A range that begins and ends at a tick. There are about `count` of them, at least
    /// `least_step` apart.
    fn linear(values: impl Iterator<Item = f64> + Clone, count: f64, least_step: f64) -> Self {
        let (least, greatest) = ends(values);
        let step = round_step((greatest - least).max(f64::MIN_POSITIVE) / count).max(least_step);
        let (first, last) = ((least / step).floor() * step, (greatest / step).ceil() * step);
        let ticks =
            (0..=((last - first) / step).round() as u32).map(|n| first + f64::from(n) * step);
        Self { first, last, ticks: ticks.collect() }
    }

    /// Powers of ten, as exponents.
    fn log(values: impl Iterator<Item = f64> + Clone) -> Self {
        let (least, greatest) = ends(values);
        let (first, last) = (least.floor(), greatest.ceil().max(least.floor() + 1.0));
        let ticks = (0..=(last - first) as u32).map(|n| first + f64::from(n));
        Self { first, last, ticks: ticks.collect() }
    }

    /// Where a value lies between the ends, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        (value - self.first) / (self.last - self.first)
    }
}

/// The least and the greatest value, which differ.
fn ends(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let greatest = values.fold(f64::NEG_INFINITY, f64::max);
    if !least.is_finite() {
        (0.0, 1.0)
    } else if least < greatest {
        (least, greatest)
    } else {
        let margin = 0.5_f64.max(least.abs() / 1000.0);
        (least - margin, greatest + margin)
    }
}

/// The next greater number of the form 1, 2 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step);
    factor.unwrap_or(10.0) * power
}

impl Chart {
    /// The picture, which needs no other file.
    pub fn svg(&self) -> String {
        let lines = self.lines();
        let values = lines.iter().flat_map(|line| &line.points);
        let x = self.x_scale.axis(values.clone().map(|point| point.0), 12.0, 1.0);
        let y = self.y_scale.axis(values.map(|point| point.1), 8.0, 0.0);
        let legend_end = legend_y(lines.len()) - LEGEND_STEP / 3.0;
        let mut svg = self.head(HEIGHT.max(legend_end));
        self.draw_axes(&mut svg, &x, &y);
        let drawn: Vec<Vec<(f64, f64)>> = lines.iter().map(|line| line.drawn(&x, &y)).collect();
        for (index, line) in lines.iter().enumerate() {
            draw_line(&mut svg, line, &drawn[index], &drawn[index + 1..]);
        }
        draw_legend(&mut svg, &lines);
        svg += "</svg>\n";
        svg
    }

    /// The lines of the series with a point, the greatest at its end first.
    fn lines(&self) -> Vec<Line<'_>> {
        let lines = self.series.iter().enumerate().map(|(number, series)| {
            let points = (series.points.iter())
                .filter(|(x, y)| x.is_finite() && y.is_finite())
                .map(|&(x, y)| (self.x_scale.place(x), self.y_scale.place(y)))
                .collect();
            Line { number, name: &series.name, points }
        });
        let mut lines: Vec<Line> = lines.collect();
        lines.retain(|line| !line.points.is_empty());
        // A line that ends early would have gone on as it began.
        let end =
            |line: &Line| line.points.last().map_or((0.0, 0.0), |&(x, y)| (y / x.max(1.0), y));
        lines.sort_by(|a, b| end(b).partial_cmp(&end(a)).unwrap_or(std::cmp::Ordering::Equal));
        lines
    }

    /// The beginning of a picture of this height.
    fn head(&self, height: f64) -> String {
        let title = escaped(&self.title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
             width=\"{WIDTH}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <title>{title}</title>\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"26\" font-size=\"16\">{title}</text>\n"
        )
    }

    fn draw_axes(&self, svg: &mut String, x: &Axis, y: &Axis) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for &tick in &y.ticks {
            let at = place_y(y, tick);
            let text = self.y_scale.tick_text(tick);
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#dddddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                LEFT - 8.0,
                at + 4.0,
            );
        }
        for &tick in &x.ticks {
            let at = place_x(x, tick);
            let _ = writeln!(
                svg,
                "<path d=\"M{at:.1} {bottom}v5\" stroke=\"#444444\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 19.0,
                self.x_scale.tick_text(tick),
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"#444444\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(20 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (LEFT + right) / 2.0,
            HEIGHT - 14.0,
            escaped(&self.x_label),
            (TOP + bottom) / 2.0,
            escaped(&self.y_label),
        );
    }
}

fn place_x(axis: &Axis, value: f64) -> f64 {
    LEFT + axis.share(value) * (WIDTH - LEFT - RIGHT)
}

fn place_y(axis: &Axis, value: f64) -> f64 {
    HEIGHT - BOTTOM - axis.share(value) * (HEIGHT - TOP - BOTTOM)
}

/// A number without superfluous digits.
fn number_text(number: f64) -> String {
    let text = format!("{number:.5}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Line<'_> {
    fn color(&self) -> &'static str {
        COLORS[self.number % COLORS.len()]
    }

    /// The attributes of the line.
    fn stroke(&self, width: f64) -> String {
        let color = self.color();
        let dash = DASHES[self.number / COLORS.len() % DASHES.len()];
        format!(
            "fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" stroke-dasharray=\"{dash}\""
        )
    }

    fn mark(&self) -> &'static str {
        MARKS[self.number % MARKS.len()]
    }

    /// The points in the picture.
    fn drawn(&self, x: &Axis, y: &Axis) -> Vec<(f64, f64)> {
        self.points.iter().map(|&(at, value)| (place_x(x, at), place_y(y, value))).collect()
    }
}

/// How many of the lines `over` run over the piece between two points.
fn hiding(over: &[Vec<(f64, f64)>], ends: &[(f64, f64)]) -> usize {
    let is_near = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1) < HIDDEN;
    let hides = |line: &&Vec<(f64, f64)>| {
        line.windows(2).any(|other| is_near(other[0], ends[0]) && is_near(other[1], ends[1]))
    };
    over.iter().filter(hides).count()
}

/// Draws a line below the lines `over`; where they hide it, it is wider than they are.
fn draw_line(svg: &mut String, line: &Line, points: &[(f64, f64)], over: &[Vec<(f64, f64)>]) {
    let path = |points: &[(f64, f64)], mark: &str| -> String {
        points.iter().map(|(x, y)| format!("{x:.1} {y:.1}{mark}")).collect::<Vec<_>>().join("L")
    };
    let (color, name) = (line.color(), escaped(line.name));
    let _ = write!(svg, "<g fill=\"{color}\"><title>{name}</title>");
    let pieces: Vec<&[(f64, f64)]> = points.windows(2).collect();
    let mut from = 0;
    for run in pieces.chunk_by(|a, b| hiding(over, a) == hiding(over, b)) {
        let width = 2.0 + RIM * hiding(over, run[0]) as f64;
        let run_path = path(&points[from..=from + run.len()], "");
        let _ = write!(svg, "<path d=\"M{run_path}\" {}/>", line.stroke(width));
        from += run.len();
    }
    let marks = path(points, line.mark()).replace('L', "M");
    let _ = writeln!(svg, "\n<path d=\"M{marks}\"/></g>");
}

/// The height at which a line of the legend, from 0, has its middle.
fn legend_y(index: usize) -> f64 {
    TOP + LEGEND_TOP + index as f64 * LEGEND_STEP
}

/// A name as the legend has it. Of a long one the end stays: the settings, in which the names of
/// a comparison differ.
fn legend_name(name: &str) -> String {
    match name.chars().count().checked_sub(LEGEND_CHARS) {
        None | Some(0) => name.to_owned(),
        Some(cut) => ['…'].into_iter().chain(name.chars().skip(cut)).collect(),
    }
}

fn draw_legend(svg: &mut String, lines: &[Line]) {
    let x = WIDTH - RIGHT + 14.0;
    for (index, line) in lines.iter().enumerate() {
        let y = legend_y(index);
        let _ = writeln!(
            svg,
            "<path d=\"M{x} {y:.1}h26\" {}/><path d=\"M{} {y:.1}{}\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\">{}</text>",
            line.stroke(2.0),
            x + 13.0,
            line.mark(),
            line.color(),
            x + 32.0,
            y + 4.0,
            escaped(&legend_name(line.name)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(y_scale: Scale, series: &[(&str, &[(f64, f64)])]) -> Chart {
        let series = series
            .iter()
            .map(|(name, points)| Series { name: (*name).to_owned(), points: points.to_vec() });
        Chart {
            title: "Nodes <by>\u{1} depth".to_owned(),
            x_label: "depth".to_owned(),
            y_label: "nodes".to_owned(),
            x_scale: Scale::Linear,
            y_scale,
            series: series.collect(),
        }
    }

    /// The heights of the points of a chart with one line.
    fn heights(svg: &str) -> Vec<f64> {
        let line = svg.split("</title><path d=\"M").nth(1).unwrap().split('"').next().unwrap();
        line.split('L').map(|point| point.split(' ').nth(1).unwrap().parse().unwrap()).collect()
    }

    #[test]
    fn a_hidden_line_is_wider() {
        let points = [(1.0, 2.0), (2.0, 3.0), (3.0, 4.0)];
        let (partly, high) = ([(1.0, 2.0), (2.0, 3.0), (3.0, 5.0)], [(1.0, 5.0), (2.0, 9.0)]);
        let crossing = [(1.0, 2.0), (2.0, 1.0)];
        let series: [(&str, &[(f64, f64)]); 5] = [
            ("one", &points),
            ("two", &points),
            ("partly", &partly),
            ("high", &high),
            ("crossing", &crossing),
        ];
        let svg = chart(Scale::Linear, &series).svg();
        let widths = |name: &str| -> Vec<String> {
            let line = svg.split(&format!("<title>{name}<")).nth(1).unwrap();
            let widths = line.split("</g>").next().unwrap().split("stroke-width=\"").skip(1);
            widths.map(|width| width.split('"').next().unwrap().to_owned()).collect()
        };
        assert_eq!(widths("high"), ["2"]);
        assert_eq!(widths("partly"), ["8", "2"]);
        assert_eq!(widths("one"), ["5"]);
        assert_eq!(widths("two"), ["2"]);
        assert_eq!(widths("crossing"), ["2"]);
    }

    #[test]
    fn lines_differ_without_colours() {
        let points = [(1.0, 2.0), (2.0, 3.0)];
        let names: Vec<String> = (0..32).map(|n| n.to_string()).collect();
        let series: Vec<_> = names.iter().map(|name| (&**name, &points[..])).collect();
        let svg = chart(Scale::Linear, &series).svg();
        let look = |line: &str| {
            let dash = line.split("dasharray=\"").nth(1).unwrap().split('"').next().unwrap();
            let mark = line.split("\n<path d=\"M").nth(1).unwrap().split('m').nth(1).unwrap();
            (
                dash.to_owned(),
                mark.split(' ').next().unwrap().to_owned() + mark.split('M').next().unwrap(),
            )
        };
        let looks: std::collections::HashSet<_> = svg.split("<title>").skip(2).map(look).collect();
        assert_eq!(looks.len(), 32);
    }

    #[test]
    fn powers_of_ten_are_a_straight_line() {
        let points = [(1.0, 20.0), (2.0, 200.0), (3.0, 2000.0), (4.0, 20_000.0)];
        let svg = chart(Scale::Log, &[("ab", &points)]).svg();
        let heights = heights(&svg);
        let steps: Vec<f64> = heights.windows(2).map(|pair| pair[0] - pair[1]).collect();
        assert!(
            steps.iter().all(|step| *step > 10.0 && (step - steps[0]).abs() < 0.3),
            "{steps:?}"
        );
        assert!(
            svg.contains(">1000<") && svg.contains("<tspan dy=\"-5\" font-size=\"10\">5</tspan>")
        );
    }

    #[test]
    fn the_legend_follows_the_line_ends() {
        let svg = chart(
            Scale::FromZero,
            &[("low", &[(1.0, 1.0)]), ("high", &[(1.0, 9.0)]), ("none", &[(1.0, f64::NAN)])],
        )
        .svg();
        let order = ["high", "low"].map(|name| svg.rfind(&format!(">{name}<")).unwrap());
        assert!(order[0] < order[1] && !svg.contains("none<"));
        assert!(svg.contains("Nodes &lt;by&gt;\u{fffd} depth") && !svg.contains("<by>"));
    }

    #[test]
    fn a_legend_of_many_long_names_is_legible() {
        let points = [(1.0, 2.0), (2.0, 3.0)];
        let prefix = "ab:order=killers+history:table=1000000:leaf=captures:";
        let names: Vec<String> = (10..50).map(|n| format!("{prefix}n={n}")).collect();
        let series: Vec<_> = names.iter().map(|name| (&**name, &points[..])).collect();
        let svg = chart(Scale::Linear, &series).svg();
        let number = |text: &str| text.split('"').next().unwrap().parse::<f64>().unwrap();
        let height = number(svg.split(" height=\"").nth(1).unwrap());
        let places = svg.split(" y=\"").skip(1).map(number);
        assert!(places.fold(0.0, f64::max) < height, "{height}");
        for name in &names {
            let end = &name[name.len() - LEGEND_CHARS..];
            assert_eq!(svg.matches(&format!(">…{end}<")).count(), 1, "{name}");
        }
        assert!(chart(Scale::Linear, &series[..24]).svg().contains(" height=\"480\""));
    }

    #[test]
    fn a_series_keeps_its_colour() {
        let color = |heights: [f64; 2]| {
            let [high, low] = heights.map(|y| [(1.0, y)]);
            let svg = chart(Scale::Linear, &[("first", &high), ("second", &low)]).svg();
            let before = svg.split("<title>first").next().unwrap();
            before.rsplit('"').nth(1).unwrap().to_owned()
        };
        assert_eq!(color([2.0, 1.0]), color([1.0, 2.0]));
        assert!(color([2.0, 1.0]).starts_with('#'));
    }

    #[test]
    fn charts_of_little_are_drawn() {
        for points in [&[][..], &[(0.0, 0.0)], &[(5.0, 7.0), (5.0, 7.0)], &[(1.0, 1e300)]] {
            for scale in [Scale::Linear, Scale::FromZero, Scale::Log] {
                let svg = chart(scale, &[("one", points)]).svg();
                assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
            }
        }
    }
}
