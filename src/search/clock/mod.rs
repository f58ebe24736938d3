//! When to stop: limits, time management, and the handle that stops a search.

pub mod control;
pub mod limits;
pub mod time;
