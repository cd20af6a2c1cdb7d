#![allow(missing_docs, clippy::print_stdout)]
use emilia_rules::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let (mut total, mut bad) = (0, 0);
    let tier = args.get(2).map(|t| t.parse().unwrap()).unwrap_or(Tier::best());
    let t0 = std::time::Instant::now();
    for line in text.lines() {
        let mut parts = line.split(';');
        let setup: Setup = parts.next().unwrap().parse().unwrap();
        let g = setup.position().unwrap();
        let p = Position::try_from(&g).unwrap();
        let best = parts
            .filter_map(|x| x.trim().split_once(':').and_then(|(_, s)| s.parse::<i32>().ok()))
            .filter(|s| *s > -127)
            .max()
            .unwrap();
        let (s, n) = emilia_search::probe::probe(p, tier);
        total += n;
        if s != best {
            bad += 1;
            println!("{line} -> {s}");
        }
    }
    let dt = t0.elapsed().as_secs_f64();
    println!("{} bad {bad} nodes {total} {dt:.2}s {:.1} Mn/s", args[1], total as f64 / dt / 1e6);
}
