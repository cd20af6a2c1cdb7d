//! Fits the weights of the pattern evaluator.
//!
//! fit OUT EPOCHS RATE DECAY WTHOR_FROM SAMPLES…
#![allow(clippy::print_stdout)]
use emilia_eval::Patterns;
use emilia_eval::layout::empties;
use emilia_learn::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let f = |i: usize| a[i].parse::<f32>().unwrap();
    let wthor_from = f(5) as usize;
    let mut train = Vec::new();
    let mut test = Vec::new();
    if wthor_from < 60 {
        for year in 1977..=2025 {
            let mut games = Games::default();
            games.add(&std::fs::read(format!("../shared/data/wthor/WTH_{year}.wtb")).unwrap()).unwrap();
            for g in games.all() {
                for (b, black) in g.boards.iter().zip(&g.black) {
                    let e = empties(*b);
                    if e < wthor_from {
                        continue;
                    }
                    let lead = if e >= 24 { g.theoretical } else { g.score };
                    let s = Sample { board: *b, score: (if *black { lead } else { -lead } * 128) as i16 };
                    if year >= 2024 { test.push(s) } else { train.push(s) }
                }
            }
        }
    }
    for file in &a[6..] {
        let bytes = std::fs::read(file).unwrap();
        for (i, s) in Sample::read(&bytes).enumerate() {
            if i % 25 == 0 { test.push(s) } else { train.push(s) }
        }
    }
    println!("{} train {} test", train.len(), test.len());
    let t = std::time::Instant::now();
    let w = Fit { epochs: f(2) as usize, rate: f(3), decay: f(4), seed: 1 }.weights(&train);
    let bytes = w.bytes();
    let p = Patterns::read(&bytes).unwrap();
    println!("{} bytes, {:.1}s", bytes.len(), t.elapsed().as_secs_f64());
    let tr = mean_error(&p, &train);
    for (i, l) in mean_error(&p, &test).iter().enumerate() {
        println!(
            "phase {i:2}: test {:7} rms {:.3} mae {:.3}   train rms {:.3}",
            l.samples, l.root_mean_square, l.mean_absolute, tr[i].root_mean_square
        );
    }
    std::fs::write(&a[1], bytes).unwrap();
}
