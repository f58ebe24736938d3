//! Elements of HTML and SVG.
//!
//! Texts and attributes are escaped where they are written, and an element closes itself, so
//! that no input can make a page that is not well-formed XML.

use std::fmt::{self, Display, Write};

use crate::util::foreign_text::is_hidden_control;

/// Elements that stand on lines of their own.
const BLOCKS: [&str; 22] = [
    "head", "meta", "title", "style", "body", "header", "main", "section", "article", "footer",
    "nav", "h1", "h2", "h3", "p", "ol", "li", "table", "tr", "figure", "svg", "div",
];

/// Elements of HTML without content. All others have an end tag: HTML reads `<p/>` as `<p>`.
const VOID: [&str; 2] = ["meta", "input"];

/// Elements of SVG that usually have no content.
const SHAPES: [&str; 4] = ["path", "rect", "circle", "use"];

/// An element with its attributes and its content, both as they are written: a page of many
/// games needs little more memory than its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Markup {
    name: &'static str,
    attributes: String,
    content: String,
}

impl Markup {
    /// An empty element.
    pub fn new(name: &'static str) -> Self {
        Self { name, attributes: String::new(), content: String::new() }
    }

    /// An element of HTML with a class.
    pub fn of_class(name: &'static str, class: &str) -> Self {
        Self::new(name).attribute("class", class)
    }

    /// Adds an attribute.
    pub fn attribute(mut self, name: &'static str, value: impl Display) -> Self {
        self.attributes += &format!(" {name}=\"{}\"", escaped(&value.to_string()));
        self
    }

    /// Adds text at the end.
    pub fn text(mut self, text: impl Display) -> Self {
        self.content += &escaped(&text.to_string());
        self
    }

    /// Adds an element at the end.
    pub fn child(mut self, child: Self) -> Self {
        self.push(child);
        self
    }

    /// Adds elements at the end: of an iterator, or one or none of an option.
    pub fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        children.into_iter().for_each(|child| self.push(child));
        self
    }

    /// Adds an element at the end.
    pub fn push(&mut self, child: Self) {
        self.content += &child.to_string();
    }

    /// Adds a style sheet of Lovec. Browsers do not unescape it, so that it must not contain
    /// `<` or `&`.
    pub fn style(mut self, style: &'static str) -> Self {
        debug_assert!(!style.contains(['<', '&']) && !style.contains("]]>"));
        self.content += style;
        self
    }
}

impl Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, attributes, content } = self;
        let may_be_void = VOID.contains(name) || SHAPES.contains(name);
        if content.is_empty() && may_be_void {
            write!(f, "<{name}{attributes}/>")?;
        } else {
            write!(f, "<{name}{attributes}>{content}</{name}>")?;
        }
        if BLOCKS.contains(name) { f.write_char('\n') } else { Ok(()) }
    }
}

/// Text as it stands in XML. Characters that XML does not have, or that change the direction
/// of the text that follows, become U+FFFD.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\t' | '\n' => escaped.push(c),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ if is_hidden_control(c) => escaped.push('\u{fffd}'),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_element_holds_is_escaped() {
        let hostile = "<b onclick=\"x\">&'\0\u{ffff}\u{9b}\u{202e}";
        let link = Markup::new("a").attribute("href", hostile).text(hostile);
        let escaped = "&lt;b onclick=&quot;x&quot;&gt;&amp;'\u{fffd}\u{fffd}\u{fffd}\u{fffd}";
        assert_eq!(link.to_string(), format!("<a href=\"{escaped}\">{escaped}</a>"));
    }

    #[test]
    fn only_elements_without_content_have_no_end_tag() {
        let empty = ["span", "input", "path"].map(|name| Markup::new(name).to_string());
        assert_eq!(empty, ["<span></span>", "<input/>", "<path/>"]);
        let path = Markup::new("path").child(Markup::new("title").text("move"));
        assert_eq!(path.to_string(), "<path><title>move</title>\n</path>");
        let list = Markup::new("b").children(None).children([Markup::new("i"), Markup::new("u")]);
        assert_eq!(list.to_string(), "<b><i></i><u></u></b>");
    }
}
