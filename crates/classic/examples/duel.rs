//! Times the 6×6 duel between two evaluators, ten plies deep: `cargo run --release --example duel`.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use emilia_classic::{Dice, Duel, Ending};
use emilia_rules::Playable;

fn main() {
    let (start, duel) = Duel::of_judges();
    let began = Instant::now();
    let mut nodes = 0;
    let end = duel.play(start, &mut Dice::new(0), |position, report| {
        nodes += report.nodes;
        let mv = report.best_move().map(|mv| mv.to_string()).unwrap_or_default();
        let score = report.value().map(|value| Ending::spell(value.number())).unwrap_or_default();
        let (turn, time) = (position.turn(), report.time);
        println!("{turn:5} {mv:4} {score:>12} {nodes:>10} {time:>12.3?}", nodes = report.nodes);
    });
    let seconds = began.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds / 1e6;
    println!("{}  {nodes} nodes in {seconds:.3} s, {speed:.1} million a second", end.counts());
}
