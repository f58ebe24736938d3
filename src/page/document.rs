//! The frame of a page.

use std::fmt::{self, Display};

use crate::page::markup::Markup;

/// A page.
#[derive(Clone, Debug)]
pub struct Document {
    title: String,
    styles: Vec<&'static str>,
    body: Markup,
}

/// What the browser may load and run: nothing but the styles of the page.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

impl Document {
    /// An empty page.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), styles: Vec::new(), body: Markup::new("body") }
    }

    /// Adds a style sheet.
    pub fn style(mut self, style: &'static str) -> Self {
        self.styles.push(style);
        self
    }

    /// Adds an element to the body.
    pub fn add(&mut self, element: Markup) {
        self.body.push(element);
    }

    fn head(&self) -> Markup {
        let meta = |name: &'static str, value: &str, content: String| {
            Markup::new("meta").attribute(name, value).attribute("content", content)
        };
        Markup::new("head")
            .child(Markup::new("meta").attribute("charset", "utf-8"))
            .child(meta("http-equiv", "Content-Security-Policy", POLICY.to_owned()))
            .child(meta("name", "viewport", "width=device-width, initial-scale=1".to_owned()))
            .child(meta(
                "name",
                "generator",
                concat!("Lovec ", env!("CARGO_PKG_VERSION")).to_owned(),
            ))
            .child(Markup::new("title").text(&self.title))
            .children(self.styles.iter().map(|style| Markup::new("style").style(style)))
    }
}

impl Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let html = r#"<html xmlns="http://www.w3.org/1999/xhtml" lang="en">"#;
        writeln!(f, "<!DOCTYPE html>\n{html}{}{}</html>", self.head(), self.body)
    }
}
