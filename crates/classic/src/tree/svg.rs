//! A search tree as a picture.

use super::layout::{self, Part, Placed};
use super::{Kind, Tree, TreeNode, brief};
use crate::Ending;

/// Trees broader than this (in leaves) grow to the right instead of down, so that one scrolls as one reads.
const BROADEST_DOWNWARD: f64 = 14.0;
/// Room for a leaf and for a level, in pixels, of a tree that grows down, and of one that grows to the right.
const DOWNWARD: (f64, f64) = (136.0, 160.0);
const RIGHTWARD: (f64, f64) = (72.0, 250.0);
/// Half of the width and of the height of a node.
const HALF: (f64, f64) = (56.0, 21.0);
const MARGIN: f64 = 84.0;
/// Room for title and legend.
const HEADER: f64 = 110.0;

const STYLE: &str = "text{font-family:Helvetica,Arial,sans-serif;text-anchor:middle}\
.title{font-size:26px;font-weight:bold;text-anchor:start}.legend{font-size:18px;text-anchor:start}\
.value{font-size:18px;font-weight:bold}.move{font-size:18px;font-weight:bold;fill:#123}\
.window{font-size:14px;fill:#345}.cut{font-size:14px;font-weight:bold;fill:#b00020}\
.max{fill:#d6e6ff;stroke:#1b4f9c;stroke-width:2}.min{fill:#ffe3c7;stroke:#a14a00;stroke-width:2}\
.move,.window,.cut,.outmove{paint-order:stroke;stroke:#fff;stroke-width:5px;stroke-linejoin:round}\
.edge{fill:none;stroke:#556;stroke-width:2}.best{stroke:#b4005a;stroke-width:5}\
.out{fill:none;stroke:#8a8f98;stroke-width:2;stroke-dasharray:6 5}.outmove{font-size:16px;fill:#6b7280}";

pub(super) fn draw(tree: &Tree, title: &str) -> String {
    let (placed, breadth) = layout::place(tree);
    let depth = placed.iter().map(|placed| placed.depth).max().unwrap_or(0);
    let canvas = Canvas { tree, downward: breadth <= BROADEST_DOWNWARD };
    let (slot, level) = canvas.spacing();
    let (along, deep) = (breadth * slot, f64::from(depth) * level);
    let (width, height) = if canvas.downward { (along, deep) } else { (deep, along) };
    let (width, height) = ((width + 2.0 * MARGIN).max(760.0), height + HEADER + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        title = escaped(title)
    );
    svg += &header(tree, title);
    // Edges first, so that nodes lie on top of them; thick ones last among the edges.
    let (best, others): (Vec<&Placed>, Vec<&Placed>) =
        placed.iter().partition(|part| matches!(part.part, Part::Node(index) if tree.is_on_best_line(index)));
    for part in others.iter().chain(&best) {
        svg += &canvas.edge(part, &placed);
    }
    for part in &placed {
        svg += &canvas.part(part);
    }
    svg += "</svg>\n";
    svg
}

fn header(tree: &Tree, title: &str) -> String {
    let line = if tree.line.is_empty() {
        String::new()
    } else {
        format!("; best line {}", super::spelled_moves(&tree.line))
    };
    format!(
        "<text class=\"title\" x=\"20\" y=\"36\">{}</text>\n<text class=\"legend\" x=\"20\" y=\"64\">{}{line}</text>\n\
         <polygon class=\"max\" points=\"20,98 20,84 34,76 48,84 48,98\"/>\
         <text class=\"legend\" x=\"56\" y=\"94\">MAX</text>\
         <polygon class=\"min\" points=\"112,76 112,90 126,98 140,90 140,76\"/>\
         <text class=\"legend\" x=\"148\" y=\"94\">MIN</text>\
         <path class=\"edge best\" d=\"M204,88H244\"/><text class=\"legend\" x=\"252\" y=\"94\">best line</text>\
         <path class=\"out\" d=\"M346,88H386\"/><text class=\"legend\" x=\"394\" y=\"94\">left out</text>\
         <text class=\"window legend\" x=\"486\" y=\"94\">[alpha, beta] on entry</text>\n",
        escaped(title),
        tree.effort(),
    )
}

struct Canvas<'t> {
    tree: &'t Tree,
    downward: bool,
}

impl Canvas<'_> {
    fn spacing(&self) -> (f64, f64) {
        if self.downward { DOWNWARD } else { RIGHTWARD }
    }

    /// The middle of a part.
    fn at(&self, placed: &Placed) -> (f64, f64) {
        let (slot, level) = self.spacing();
        let (along, deep) = (placed.along * slot, f64::from(placed.depth) * level);
        if self.downward {
            (MARGIN + along, HEADER + MARGIN / 2.0 + deep)
        } else {
            (MARGIN + deep, HEADER + MARGIN / 2.0 + along)
        }
    }

    /// The line from the parent, and the move beside its end.
    fn edge(&self, placed: &Placed, all: &[Placed]) -> String {
        let Some(parent) = placed.parent.and_then(|parent| all.get(parent)) else { return String::new() };
        let ((x, y), (from_x, from_y)) = (self.at(placed), self.at(parent));
        let half_height = if matches!(placed.part, Part::Node(_)) { HALF.1 } else { 4.0 };
        let half_width = if matches!(placed.part, Part::Node(_)) { HALF.0 } else { 4.0 };
        let path = if self.downward {
            let (top, bottom) = (from_y + HALF.1, y - half_height);
            let middle = (top + bottom) / 2.0;
            format!("M{from_x:.1},{top:.1}C{from_x:.1},{middle:.1} {x:.1},{middle:.1} {x:.1},{bottom:.1}")
        } else {
            let (left, right) = (from_x + HALF.0, x - half_width);
            let middle = (left + right) / 2.0;
            format!("M{left:.1},{from_y:.1}C{middle:.1},{from_y:.1} {middle:.1},{y:.1} {right:.1},{y:.1}")
        };
        let (class, mv, move_class) = match &placed.part {
            Part::Node(index) => {
                let class = if self.tree.is_on_best_line(*index) { "edge best" } else { "edge" };
                (class, self.tree.nodes[*index].spelled_move(), "move")
            }
            Part::LeftOut(mv) => ("out", mv.clone(), "outmove"),
            Part::More(_) => ("out", String::new(), "outmove"),
        };
        let (move_x, move_y) =
            if self.downward { (x + 18.0, y - half_height - 12.0) } else { (x - half_width - 26.0, y - 8.0) };
        format!(
            "<path class=\"{class}\" d=\"{path}\"/><text class=\"{move_class}\" x=\"{move_x:.1}\" \
             y=\"{move_y:.1}\">{mv}</text>\n"
        )
    }

    fn part(&self, placed: &Placed) -> String {
        let (x, y) = self.at(placed);
        match &placed.part {
            Part::Node(index) => self.node(*index, x, y),
            Part::LeftOut(_) => format!("<circle class=\"out\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7\"/>\n"),
            Part::More(text) => {
                format!("<text class=\"outmove\" x=\"{x:.1}\" y=\"{:.1}\">{text}</text>\n", y + 16.0)
            }
        }
    }

    fn node(&self, index: usize, x: f64, y: f64) -> String {
        let node = &self.tree.nodes[index];
        let best = if self.tree.is_on_best_line(index) { " best" } else { "" };
        let class = match node.kind {
            Kind::Max => "max",
            Kind::Min => "min",
        };
        let mut svg = format!(
            "<g><title>{}</title>{}<text class=\"value\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            escaped(&story(node)),
            outline(node, x, y, &format!("{class}{best}")),
            y + 7.0,
            escaped(&node.brief_value())
        );
        let point = if node.children.is_empty() || node.kind == Kind::Max { 0.0 } else { 10.0 };
        let mut below = y + HALF.1 + 16.0 + point;
        if node.alpha.is_finite() || node.beta.is_finite() {
            let window = format!("[{}, {}]", brief(node.alpha), brief(node.beta));
            svg +=
                &format!("<text class=\"window\" x=\"{x:.1}\" y=\"{below:.1}\">{}</text>", escaped(&window));
            below += 16.0;
        }
        if let Some(cut) = node.brief_cut() {
            svg +=
                &format!("<text class=\"cut\" x=\"{x:.1}\" y=\"{below:.1}\">cut: {}</text>", escaped(&cut));
        }
        svg += "</g>\n";
        svg
    }
}

/// Max points up, Min points down; positions without children are plain boxes.
fn outline(node: &TreeNode, x: f64, y: f64, class: &str) -> String {
    let (left, right, top, bottom) = (x - HALF.0, x + HALF.0, y - HALF.1, y + HALF.1);
    if node.children.is_empty() {
        return format!(
            "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"8\"/>",
            2.0 * HALF.0,
            2.0 * HALF.1
        );
    }
    let points = match node.kind {
        Kind::Max => {
            [(left, bottom), (left, top + 8.0), (x, top - 10.0), (right, top + 8.0), (right, bottom)]
        }
        Kind::Min => {
            [(left, top), (left, bottom - 8.0), (x, bottom + 10.0), (right, bottom - 8.0), (right, top)]
        }
    };
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    format!("<polygon class=\"{class}\" points=\"{}\"/>", points.join(" "))
}

/// What is shown when the pointer rests on a node.
fn story(node: &TreeNode) -> String {
    let mut story = format!(
        "visited as number {}: {} to move ({}), alpha {}, beta {}, value {}",
        node.visit,
        node.side,
        node.kind.word(),
        Ending::spell(node.alpha),
        Ending::spell(node.beta),
        node.spelled_value()
    );
    if node.is_over {
        story += ", game over";
    }
    if let Some(cut) = node.spelled_cut() {
        story += &format!(", cut off because {cut}; not tried: {}", super::spelled_moves(&node.pruned));
    }
    if !node.undrawn.is_empty() {
        story += &format!("; not drawn: {}", super::spelled_moves(&node.undrawn));
    }
    story
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
