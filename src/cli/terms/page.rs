//! The terms as one page.

use crate::cli::terms::picture::pictures;
use crate::cli::terms::{TermReport, TermSummary};
use crate::eval::Tapered;
use crate::page::{Document, Markup};

const STYLE: &str = include_str!("terms.css");

/// The whole page.
pub(super) fn page(report: &TermReport) -> String {
    let title = "Terms of Lovec's evaluation";
    let mut document = Document::new(title).style(STYLE);
    document.add(Markup::new("h1").text(title));
    introduction(report).into_iter().for_each(|part| document.add(part));
    for terms in report.terms.chunk_by(|a, b| a.group == b.group) {
        let heading = Markup::new("h2").text(terms[0].group);
        let articles = terms.iter().map(|term| article(report, term));
        document.add(Markup::new("section").child(heading).children(articles));
    }
    document.to_string()
}

fn introduction(report: &TermReport) -> Vec<Markup> {
    let TermReport { terms, loss, .. } = report;
    let source = report.source();
    let count = terms.len();
    let text = format!(
        "{count} terms, counted in {source}. A weight has a middlegame and an \
         endgame value. Boards are seen from the owner's side, the middlegame on the left, \
         the endgame on the right. Numbers along a curve are indices: ranks count from the owner's \
         first rank, 0."
    );
    let sample = |half: &'static str| {
        let line = Markup::of_class("path", half).attribute("d", "M0 8H34");
        let svg = Markup::new("svg").attribute("xmlns", "http://www.w3.org/2000/svg");
        let svg = svg.attribute("width", 34).attribute("height", 12).child(line);
        Markup::new("span").child(svg).text(format!("{half} "))
    };
    let key = Markup::of_class("p", "key").children(["middlegame", "endgame"].map(sample));
    let loss = loss.map(|loss| {
        Markup::new("p").text(format!(
            "The loss of the evaluation is {loss:.6}. The loss of a term is what this gains if the \
             weights of the term are 0 and all others stay; they are not fitted again."
        ))
    });
    [Markup::new("p").text(text), key].into_iter().chain(loss).collect()
}

fn article(report: &TermReport, term: &TermSummary) -> Markup {
    let mut facts = format!("In {:.1} % of the positions; {}", report.percent(term), term.unit);
    if let Some(loss) = term.loss {
        facts += &format!("; loss {loss:+.6}");
    }
    let mut weights = pictures(term.shape, term.weights);
    if weights.is_empty() {
        let pair =
            |weight: &Tapered| format!("{:.1} / {:.1}", weight.middlegame(), weight.endgame());
        let pairs: Vec<String> = term.weights.iter().map(pair).collect();
        weights.push(Markup::new("p").text(pairs.join(", ")));
    }
    Markup::new("article")
        .attribute("id", term.term)
        .child(Markup::new("h3").text(term.term))
        .child(Markup::new("p").text(term.description))
        .child(Markup::of_class("p", "facts").text(facts))
        .children(weights)
}
