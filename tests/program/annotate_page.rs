//! The page of `lovec annotate --html`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use roxmltree::{Document, Node, ParsingOptions};

use crate::annotate::HOSTILE;
use crate::folder::folder;
use crate::program::lovec_in;

/// Six games of 519 plies.
const MATCH: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games/kasparov-deep-blue-1997.pgn");

/// The names of the namespaces of HTML and SVG.
const NAMESPACES: [&str; 2] = ["http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"];

/// A name that would be a program in a careless page.
const HOSTILE_NAME: &str = r#"<script>alert(1)</script>"&amp;'--> ]]>"#;

/// A game with clocks, a blunder and hostile texts, in which characters are that XML lacks.
fn hostile_game() -> String {
    let tag = HOSTILE_NAME.replace('"', "\\\"");
    format!(
        "[Event \"</style><img src=x onerror=alert(2)>\"]\n[Site \"http://example.org/\"]\n\
         [Date \"<b>\"]\n[White \"{tag}\"]\n[Black \"\u{202e}\u{1}\u{fffe}Kos\"]\n\
         [WhiteElo \"<i>2000</i>\"]\n[TimeControl \"300+2\"]\n\n\
         {{<b>Before</b>}} 1. e4 {{[%clk 0:05:02]}} e5 {{[%clk 0:05:01] &lt;}} 2. Qh5 Nc6 \
         {{[%clk 0:04:00]}} 3. Bc4 Nf6 {{</li><script>alert(3)</script> [%clk 0:00:20]}} 4. Qxf7# \
         1-0\n"
    )
}

/// Annotates a file of games with few nodes. Returns the page.
fn page_of(folder: &Path, games: &str, options: &[&str]) -> String {
    for name in ["out.pgn", "page.html"] {
        let _ = fs::remove_file(folder.join(name));
    }
    let arguments = ["annotate", games, "-o", "out.pgn", "--html", "page.html"];
    lovec_in(folder, &[&arguments[..], options].concat()).succeeded();
    fs::read_to_string(folder.join("page.html")).unwrap()
}

pub fn parse(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).unwrap_or_else(|error| panic!("{error}"))
}

fn elements<'a>(document: &'a Document<'a>, name: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.tag_name().name() == name).collect()
}

fn of_class<'a>(document: &'a Document<'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let has_class = |node: &Node<'_, '_>| {
        node.attribute("class").is_some_and(|classes| classes.split(' ').any(|it| it == class))
    };
    document.descendants().filter(has_class).collect()
}

/// All text in an element.
fn text(node: &Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

/// Fails if a page needs anything beside itself, runs anything, or has a link that leads
/// nowhere.
#[track_caller]
pub fn assert_stands_alone(document: &Document<'_>) {
    let mut ids = BTreeSet::new();
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        let forbidden = ["script", "img", "link", "iframe", "object", "image", "base", "form"];
        assert!(!forbidden.contains(&name), "{name}");
        let namespace = node.tag_name().namespace();
        assert!(namespace.is_some_and(|it| NAMESPACES.contains(&it)), "{name}: {namespace:?}");
        for attribute in node.attributes() {
            let (key, value) = (attribute.name(), attribute.value());
            assert!(key != "src" && !key.starts_with("on"), "{key}={value}");
            assert!(key != "href" || value.starts_with('#'), "{key}={value}");
            assert!(!value.contains("url("), "{key}={value}");
        }
        if let Some(id) = node.attribute("id") {
            assert!(ids.insert(id), "{id} is there twice");
        }
    }
    for target in document.descendants().filter_map(|node| node.attribute("href")) {
        assert!(ids.contains(&target[1..]), "{target} leads nowhere");
    }
    for style in elements(document, "style") {
        let style = text(&style);
        assert!(!style.contains("url(") && !style.contains("@import"), "{style}");
    }
    let policy = elements(document, "meta");
    let policy: Vec<&str> = policy.iter().filter_map(|node| node.attribute("content")).collect();
    assert!(policy.iter().any(|policy| policy.starts_with("default-src 'none'")), "{policy:?}");
}

#[test]
fn hostile_texts_are_only_text() {
    let folder = folder("hostile-page")
        .with("in.pgn", [&hostile_game(), "\n", &HOSTILE.join("\n")].concat());
    let page = page_of(&folder, "in.pgn", &["--nodes", "3000", "--json", "a.json"]);
    let json = fs::read_to_string(folder.join("a.json")).unwrap();
    assert!(json.contains(r"\u202e\u0001") && !json.contains('\u{202e}'), "{json}");
    let document = parse(&page);
    assert_stands_alone(&document);
    let names: Vec<String> = of_class(&document, "player").iter().map(text).collect();
    assert_eq!(names[0], format!("{HOSTILE_NAME} <i>2000</i>"));
    assert_eq!(names[1], "\u{fffd}\u{fffd}\u{fffd}Kos");
    // No part of the event changes the direction of another.
    let event = of_class(&document, "event")[0];
    let parts: Vec<String> =
        event.children().filter(Node::is_element).map(|it| text(&it)).collect();
    assert_eq!(parts, ["</style><img src=x onerror=alert(2)>", "http://example.org/"]);
    assert!(event.children().filter(Node::is_element).all(|it| it.tag_name().name() == "bdi"));
    assert_eq!(text(&event), parts.join(" · "));
    let comments: Vec<String> = of_class(&document, "comment").iter().map(text).collect();
    for comment in ["<b>Before</b>", "&lt;", "</li><script>alert(3)</script>"] {
        assert!(comments.iter().any(|text| text == comment), "{comment} is not in {comments:?}");
    }
    // The games that can be searched or have a problem, and an index of them.
    let articles = elements(&document, "article").len();
    assert!(articles >= HOSTILE.len() - 2, "{articles}");
    // A game without moves has no table of sums.
    let sums = of_class(&document, "sides");
    assert!(sums.len() < articles, "{} tables", sums.len());
    assert!(sums.iter().all(|table| table.children().filter(Node::is_element).count() > 1));
    assert_eq!(
        of_class(&document, "index")[0].children().filter(Node::is_element).count(),
        articles + 1
    );
}

#[test]
fn a_page_shows_the_game() {
    let folder = folder("page").with("in.pgn", hostile_game());
    let page = page_of(&folder, "in.pgn", &["--nodes", "3000", "--line", "3"]);
    let document = parse(&page);
    assert_stands_alone(&document);
    let moves: Vec<String> = elements(&document, "li")
        .iter()
        .flat_map(|item| item.descendants())
        .filter(|node| {
            node.tag_name().name() == "b"
                && node.parent().is_some_and(|it| it.tag_name().name() != "p")
        })
        .map(|node| text(&node))
        .collect();
    assert_eq!(moves.len(), 7, "{moves:?}");
    assert!(
        moves.contains(&"Nf6??".to_owned()) && moves.contains(&"Qxf7#".to_owned()),
        "{moves:?}"
    );
    let moments = of_class(&document, "moment");
    let words: String = moments.iter().map(text).collect();
    assert!(words.contains("3...Nf6??") && words.contains("It allows mate in 1"), "{words}");
    let steps = of_class(&document, "step");
    assert_eq!(steps.len(), 7);
    let boards = moments.iter().flat_map(|moment| moment.descendants());
    let boards: Vec<_> = boards.filter(|node| node.attribute("class") == Some("board")).collect();
    assert_eq!(boards.len(), moments.len());
    for board in boards {
        let description = board.attribute("aria-label").unwrap();
        assert!(
            description.contains("Black: king e8, queen d8") && description.contains(" to move.")
        );
        let pieces = board.descendants().filter(|node| node.tag_name().name() == "use").count();
        assert_eq!(pieces, 33, "32 pieces on a board");
        assert_eq!(
            board
                .descendants()
                .filter(|node| {
                    node.attribute("class").is_some_and(|class| class.starts_with("arrow"))
                })
                .count(),
            2
        );
    }
    // The keys that browsers have for radio buttons step through the positions.
    let buttons = elements(&document, "input");
    let is_checked = |node: &&Node<'_, '_>| node.attribute("checked").is_some();
    assert_eq!((buttons.len(), buttons.iter().filter(is_checked).count()), (7, 1));
    for (button, step) in buttons.iter().zip(&steps) {
        assert_eq!(button.attribute("type"), Some("radio"));
        assert_eq!(button.attribute("name"), buttons[0].attribute("name"));
        let next = button.next_siblings().skip(1).find(Node::is_element);
        assert_eq!(next, Some(*step), "the board of a button is the next element");
    }
    // What names the better move is closed until the reader has looked for it.
    for moment in &moments {
        let better =
            moment.descendants().find(|node| node.attribute("class") == Some("line better"));
        let answer = better
            .and_then(|better| better.ancestors().find(|node| node.tag_name().name() == "details"));
        assert!(answer.is_some_and(|answer| answer.attribute("open").is_none()));
    }
    assert_eq!(of_class(&document, "clocks").len(), 1);
    let sides = text(&of_class(&document, "sides")[0]);
    assert!(sides.contains("Blunders ??01") && sides.contains("Time used"), "{sides}");
}

#[test]
fn a_page_is_small_and_the_same_for_any_number_of_threads() {
    let folder = folder("match-page");
    let quick = ["--nodes", "100", "--hash", "1"];
    let page = page_of(&folder, MATCH, &quick);
    let document = parse(&page);
    assert_stands_alone(&document);
    assert_eq!(elements(&document, "article").len(), 6);
    assert_eq!(elements(&document, "li").len(), 519);
    assert!(page.len() <= 6 * 200_000, "{} bytes", page.len());
    assert_eq!(page, page_of(&folder, MATCH, &[&quick[..], &["--threads", "3"]].concat()));
}
