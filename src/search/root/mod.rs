//! What a search does at the root.
//!
//! | to read | what it does |
//! |---|---|
//! | [`iterate`] | iterative deepening, in the main thread and in the helpers |
//! | [`aspiration`] | one iteration in a narrow window, which widens if the score falls out of it |
//! | [`helpers`] | the helper threads |
//! | [`select_thread`] | which thread's result counts |
//! | [`mate_search`] | whether there is a short mate |

mod aspiration;
pub mod helpers;
mod iterate;
mod mate_search;
mod select_thread;
