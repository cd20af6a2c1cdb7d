//! A search tree as JSON, for other programs.

use emilia_query::Bound;
use emilia_rules::{Move, Point};

use super::{Kind, Tree, TreeNode, WindowEnd};

pub(super) fn write(tree: &Tree) -> String {
    let nodes: Vec<String> =
        tree.nodes.iter().enumerate().map(|(index, node)| write_node(index, node)).collect();
    format!(
        "{{\"visited\":{},\"unrecorded\":{},\"minimax_nodes\":{},\"line\":{},\"nodes\":[\n{}\n]}}\n",
        tree.visited,
        tree.unrecorded,
        or_null(tree.unpruned),
        moves(&tree.line),
        nodes.join(",\n")
    )
}

fn write_node(index: usize, node: &TreeNode) -> String {
    let kind = match node.kind {
        Kind::Max => "max",
        Kind::Min => "min",
    };
    let bound = match node.bound {
        Bound::Exact => "exact",
        Bound::Lower => "at least",
        Bound::Upper => "at most",
    };
    let fields = [
        ("id", index.to_string()),
        ("parent", or_null(node.parent)),
        ("move", or_null(node.mv.map(quoted))),
        ("side", quoted(node.side)),
        ("kind", quoted(kind)),
        ("ply", node.ply.to_string()),
        ("visit", node.visit.to_string()),
        ("alpha", number(node.alpha)),
        ("beta", number(node.beta)),
        ("value", node.value.map_or("null".to_owned(), number)),
        ("precision", quoted(bound)),
        ("over", node.is_over.to_string()),
        ("best", or_null(node.best)),
        ("children", format!("{:?}", node.children)),
        ("pruned", moves(&node.pruned)),
        ("undrawn", moves(&node.undrawn)),
        ("cut", cut(node)),
        ("unrecorded", node.unrecorded.to_string()),
    ];
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

fn cut(node: &TreeNode) -> String {
    let Some(cut) = node.cut else { return "null".to_owned() };
    let end = match cut.end {
        WindowEnd::Alpha => "alpha",
        WindowEnd::Beta => "beta",
    };
    format!(
        "{{\"bound\":\"{end}\",\"limit\":{},\"by\":{},\"by_move\":{},\"held_by\":{}}}",
        number(cut.limit),
        or_null(cut.by),
        or_null(cut.by_move.map(quoted)),
        or_null(cut.held_by)
    )
}

fn or_null(value: Option<impl ToString>) -> String {
    value.map_or("null".to_owned(), |value| value.to_string())
}

/// Names and moves hold nothing that would have to be escaped.
fn quoted(value: impl ToString) -> String {
    format!("\"{}\"", value.to_string())
}

fn moves(moves: &[Move<Point>]) -> String {
    format!("[{}]", moves.iter().map(quoted).collect::<Vec<_>>().join(","))
}

/// JSON knows no infinity: a window without an end has null there.
fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { "null".to_owned() }
}
