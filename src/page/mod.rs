//! Layer 2: pages and pictures that people look at in a browser.
//!
//! A page is one file of HTML that is also well-formed XML. It needs no network and no other
//! file, and a policy in its head forbids both.
//!
//! | file | contents |
//! |---|---|
//! | [`markup`] | elements of HTML and SVG, which escape what they hold |
//! | [`document`] | the frame of a page: head, style, policy |
//! | [`board`], [`pieces`] | chess boards as SVG |
//! | [`chart`] | line charts as SVG |

pub mod board;
pub mod chart;
pub mod document;
pub mod markup;
mod pieces;

pub use document::Document;
pub use markup::Markup;
