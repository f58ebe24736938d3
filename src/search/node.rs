//! Kinds of node, as types: what a kind does not need is not compiled into it.

/// A kind of node.
pub(super) trait NodeType {
    /// The window is open: the exact score is wanted, and a line with it.
    const PV: bool;
    /// The position to move in.
    const ROOT: bool;
}

/// The root.
pub(super) struct Root;

/// A node of the principal variation, or one that may become it.
pub(super) struct Pv;

/// A node with a null window: only the side of it matters.
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}
