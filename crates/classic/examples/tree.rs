//! Draws the tree of an alpha-beta search from the start: `cargo run --example tree -- 3 svg > tree.svg`.
#![allow(clippy::print_stdout)]

use emilia_classic::{Control, Dice, Evaluator, Search, TraceLimits};
use emilia_rules::{GridPosition, Size};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().and_then(|depth| depth.parse().ok()).unwrap_or(3);
    let form = arguments.next().unwrap_or_default();
    let search = Search { evaluator: Evaluator::Disc, ..Search::alphabeta(depth) };
    let start = GridPosition::start(Size::EIGHT);
    let (_, tree) =
        search.trace(&start, TraceLimits::default(), &mut Dice::new(0), &mut Control::unlimited());
    let title = format!("alpha-beta, {depth} plies, disc difference");
    print!(
        "{}",
        match form.as_str() {
            "svg" => tree.to_svg(&title),
            "dot" => tree.to_dot(&title),
            "json" => tree.to_json(),
            _ => tree.to_text(),
        }
    );
}
