//! tmp: samples OUT SEED SECONDS EMPTIES_LO EMPTIES_HI COUNT
#![allow(clippy::print_stdout)]
use emilia_learn::*;
use emilia_rules::*;
use std::io::Write;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n = |i: usize| a[i].parse::<u64>().unwrap();
    let mut games = Games::default();
    for year in 1977..=2022 {
        games.add(&std::fs::read(format!("../shared/data/wthor/WTH_{year}.wtb")).unwrap()).unwrap();
    }
    println!("{} games", games.all().len());
    let mut out = std::io::BufWriter::new(std::fs::File::create(&a[1]).unwrap());
    let mut s = Sampler::new(&games, n(2));
    let (lo, hi, count) = (n(3), n(4), n(5));
    let t = std::time::Instant::now();
    let mut k = 0;
    let evaluator = emilia_eval::Patterns::embedded();
    let table = emilia_search::Table::new(4).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let limits = emilia_search::Limits {
        depth: Some(n(6) as u32),
        confidence: Some(emilia_search::Confidence::ALL[n(7) as usize]),
        nodes: None,
        time: None,
    };
    while k < count {
        let e = lo + k % (hi - lo + 1);
        let Some(b) = s.draw(e as usize) else { continue };
        let p = Position::new(b, Color::Black).unwrap();
        let mut search = emilia_search::Search::new(evaluator, &table, &stop);
        search.limits = limits;
        let r = search.run(&p, &mut ());
        out.write_all(&Sample { board: b, score: r.score().0 as i16 }.bytes()).unwrap();
        k += 1;
    }
    println!("{count} in {:.1}s", t.elapsed().as_secs_f64());
}
