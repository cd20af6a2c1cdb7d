//! A search tree as a graph for Graphviz.

use super::{Kind, Tree, TreeNode, brief};

pub(super) fn draw(tree: &Tree, title: &str) -> String {
    let label = format!("{}\\n{}", escaped(title), tree.effort());
    let mut dot = format!(
        "digraph tree {{\n  label=\"{label}\"; labelloc=t; fontsize=22; fontname=\"Helvetica\";\n  \
         node [fontname=\"Helvetica\", fontsize=16, style=filled, penwidth=1.5];\n  \
         edge [fontname=\"Helvetica-Bold\", fontsize=16, arrowhead=none];\n"
    );
    for (index, node) in tree.nodes.iter().enumerate() {
        let on_line = tree.is_on_best_line(index);
        let pen = if on_line { ", penwidth=4, color=\"#b4005a\"" } else { "" };
        dot += &format!("  n{index} [{}{pen}];\n", look(node));
        if let Some(parent) = node.parent {
            dot += &format!("  n{parent} -> n{index} [label=\"{}\"{pen}];\n", node.spelled_move());
        }
        for (reason, moves) in [("pruned", &node.pruned), ("undrawn", &node.undrawn)] {
            for (which, mv) in moves.iter().enumerate() {
                let id = format!("{reason}{index}_{which}");
                dot += &format!(
                    "  {id} [shape=plaintext, style=\"\", label=\"{reason}\", fontcolor=gray50, fontsize=12];\n  \
                     n{index} -> {id} [label=\"{mv}\", style=dashed, color=gray60, fontcolor=gray50];\n"
                );
            }
        }
    }
    dot += "}\n";
    dot
}

fn look(node: &TreeNode) -> String {
    let (shape, fill) = match (node.children.is_empty(), node.kind) {
        (true, Kind::Max) => ("box", "#d6e6ff"),
        (true, Kind::Min) => ("box", "#ffe3c7"),
        (false, Kind::Max) => ("house", "#d6e6ff"),
        (false, Kind::Min) => ("invhouse", "#ffe3c7"),
    };
    let mut label = node.brief_value();
    if node.alpha.is_finite() || node.beta.is_finite() {
        label += &format!("\\n[{}, {}]", brief(node.alpha), brief(node.beta));
    }
    if let Some(cut) = node.brief_cut() {
        label += &format!("\\ncut: {cut}");
    }
    format!("shape={shape}, fillcolor=\"{fill}\", label=\"{label}\"")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}
