//! x
#![allow(clippy::print_stdout)]
use emilia_rules::{perft::*, *};
fn main() {
    let depth: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let size: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    for tier in Tier::available() {
        let t = std::time::Instant::now();
        let n = Perft { tier, ..Perft::new(depth) }.count(&GridPosition::start(Size::new(size).unwrap()));
        let s = t.elapsed().as_secs_f64();
        println!("{tier} {n} {s:.3} {:.1}M/s", n as f64 / s / 1e6);
    }
}
