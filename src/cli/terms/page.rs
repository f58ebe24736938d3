//! The terms as one page of HTML that is also well-formed XML, without scripts.

use std::fmt::Write;

use crate::cli::terms::picture::picture;
use crate::cli::terms::report::{TermReport, TermSummary};
use crate::eval::Tapered;
use crate::util::chart::escape;

const STYLE: &str = "\
:root{color-scheme:light dark;--plus:#0072b2;--minus:#d55e00;--line:#ccc}
body{font:15px/1.5 sans-serif;max-width:62em;margin:2em auto;padding:0 1em}
section{border-top:1px solid var(--line);margin-top:2em}
article{margin:1.4em 0;break-inside:avoid}
h3{margin:0;font:bold 15px monospace}
p{margin:.2em 0}
.facts{opacity:.75;font-size:13px}
svg{margin:.5em 1em .5em 0;max-width:100%;font-size:10px;overflow:visible}
svg text{fill:currentColor;text-anchor:middle}
.plus{fill:var(--plus)}.minus{fill:var(--minus)}
.grid rect{stroke:var(--line);stroke-width:.5}
path{fill:none;stroke-width:2}
path.zero{stroke:var(--line);stroke-width:1}
path.middlegame{stroke:var(--plus)}path.endgame{stroke:var(--minus);stroke-dasharray:6 3}
.key path{stroke-width:3}
@media (prefers-color-scheme:dark){:root{--plus:#56b4e9;--minus:#e69f00;--line:#555}}
@media print{:root{color-scheme:light}body{max-width:none;margin:0;font-size:11px}}";

/// The whole page.
pub(super) fn page(report: &TermReport) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n\
         <meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>Terms of Lovec's evaluation</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n\
         <h1>Terms of Lovec's evaluation</h1>\n{}",
        introduction(report)
    );
    let mut group = "";
    for term in &report.terms {
        if term.group != group {
            page += if group.is_empty() { "" } else { "</section>\n" };
            group = term.group;
            let _ = writeln!(page, "<section>\n<h2>{}</h2>", escape(group));
        }
        add_term(&mut page, report, term);
    }
    page + "</section>\n</body>\n</html>\n"
}

fn introduction(report: &TermReport) -> String {
    let TermReport { source, positions, terms, loss } = report;
    let mut text = format!(
        "<p>{} terms, counted in {positions} positions of {}. A weight has a middlegame and an \
         endgame value. Boards are seen from the owner's side, the middlegame on the left, the \
         endgame on the right. Numbers along a curve are indices: ranks count from the owner's \
         first rank, 0.</p>\n<p class=\"key\"><svg width=\"34\" height=\"12\"><path \
         class=\"middlegame\" d=\"M0 8H34\"/></svg>middlegame <svg width=\"34\" height=\"12\">\
         <path class=\"endgame\" d=\"M0 8H34\"/></svg>endgame</p>\n",
        terms.len(),
        escape(source),
    );
    if let Some(loss) = loss {
        let _ = writeln!(
            text,
            "<p>The loss of the evaluation is {loss:.6}. The loss of a term is what this gains if \
             the weights of the term are 0 and all others stay; they are not fitted again.</p>"
        );
    }
    text
}

fn add_term(page: &mut String, report: &TermReport, term: &TermSummary) {
    let _ = write!(
        page,
        "<article id=\"{0}\">\n<h3>{0}</h3>\n<p>{1}</p>\n<p class=\"facts\">In {2:.1} % of the \
         positions; {3}",
        escape(term.term),
        escape(term.description),
        report.percent(term),
        term.unit,
    );
    if let Some(loss) = term.loss {
        let _ = write!(page, "; loss {loss:+.6}");
    }
    *page += "</p>\n";
    match picture(term.shape, term.weights) {
        Some(picture) => *page += &picture,
        None => {
            let pair = |weight: &Tapered| format!("{} / {}", weight.middlegame(), weight.endgame());
            let pairs: Vec<String> = term.weights.iter().map(pair).collect();
            let _ = writeln!(page, "<p>{}</p>", pairs.join(", "));
        }
    }
    *page += "</article>\n";
}
