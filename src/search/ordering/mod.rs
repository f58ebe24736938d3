//! Which move first: the move picker and the histories that it orders by.

pub mod history;
pub mod picker;
