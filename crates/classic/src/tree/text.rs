//! A search tree as lines of text.

use super::{Tree, spelled_moves};
use crate::Ending;

pub(super) fn draw(tree: &Tree) -> String {
    let mut text = tree.effort();
    text.push('\n');
    if !tree.line.is_empty() {
        text += &format!("best line: {}\n", spelled_moves(&tree.line));
    }
    if !tree.nodes.is_empty() {
        branch(tree, 0, "", "", &mut text);
    }
    text
}

/// Writes a node and what is below it. `first` stands before the node itself, `rest` before the lines below.
fn branch(tree: &Tree, index: usize, first: &str, rest: &str, text: &mut String) {
    let node = &tree.nodes[index];
    let mark = if tree.is_on_best_line(index) { "*" } else { " " };
    let window = format!("[{}, {}]", Ending::spell(node.alpha), Ending::spell(node.beta));
    let over = if node.is_over { "  game over" } else { "" };
    let mv = node.spelled_move();
    let mv = if mv.is_empty() { mv } else { format!("{mv} ") };
    *text += &format!(
        "{first}{mark}{mv}{kind} {window} {value}  #{visit}{over}\n",
        kind = node.kind.word(),
        value = equation(&node.spelled_value()),
        visit = node.visit
    );
    let mut notes = Vec::new();
    if let Some(cut) = node.spelled_cut() {
        let by = node.cut.and_then(|cut| cut.by_move).map(|mv| format!(" by {mv}")).unwrap_or_default();
        let holder = node.cut.and_then(|cut| cut.held_by).map(|at| tree.nodes[at].visit);
        let holder = holder.map(|visit| format!(", held by #{visit}")).unwrap_or_default();
        notes.push(format!("cut: {cut}{by}{holder}"));
    }
    if !node.pruned.is_empty() {
        notes.push(format!("not tried: {}", spelled_moves(&node.pruned)));
    }
    if !node.undrawn.is_empty() {
        notes.push(format!("not drawn: {}", spelled_moves(&node.undrawn)));
    }
    let hidden: u64 = hidden_below(tree, index);
    if hidden > 0 {
        notes.push(format!("{hidden} more not shown"));
    }
    let mut left = node.children.len() + notes.len();
    let mut fork = |deeper: &str, end: &str| {
        left -= 1;
        if left > 0 { format!("{rest}{deeper}") } else { format!("{rest}{end}") }
    };
    for child in &node.children {
        let before = fork("├─", "└─");
        let below = if before.ends_with("├─") { format!("{rest}│ ") } else { format!("{rest}  ") };
        branch(tree, *child, &before, &below, text);
    }
    for note in notes {
        *text += &format!("{} {note}\n", fork("├╌", "└╌"));
    }
}

/// `= 5`, unless the value begins with a relation of its own.
fn equation(value: &str) -> String {
    if value.starts_with(['<', '>']) { value.to_owned() } else { format!("= {value}") }
}

/// Nodes directly or indirectly below this one that no child kept accounts for.
fn hidden_below(tree: &Tree, index: usize) -> u64 {
    let node = &tree.nodes[index];
    let in_children: u64 = node.children.iter().map(|child| tree.nodes[*child].unrecorded).sum();
    node.unrecorded.saturating_sub(in_children)
}
