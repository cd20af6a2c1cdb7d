#![allow(missing_docs, clippy::print_stdout)]
use emilia_eval::Patterns;
use emilia_rules::*;
use emilia_search::*;
use std::sync::atomic::AtomicBool;
fn cpu() -> f64 {
    std::fs::read_to_string("/proc/self/schedstat")
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .parse::<f64>()
        .unwrap()
        / 1e9
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let from: usize = args.get(2).map_or(0, |x| x.parse().unwrap());
    let count: usize = args.get(3).map_or(1000, |x| x.parse().unwrap());
    let mb: usize = args.get(4).map_or(256, |x| x.parse().unwrap());
    let threads: usize = args.get(5).map_or(1, |x| x.parse().unwrap());
    let quiet = count > 30;
    let stop = AtomicBool::new(false);
    let e = match std::env::var("WEIGHTS") {
        Ok(f) => &*Box::leak(Box::new(Patterns::read(&std::fs::read(f).unwrap()).unwrap())),
        _ => Patterns::embedded(),
    };
    let table = Table::new(mb).unwrap();
    let (mut total, mut bad, mut secs) = (0u64, 0, 0.0);
    for (i, line) in text.lines().enumerate().skip(from).take(count) {
        let mut parts = line.split(';');
        let setup: Setup = parts.next().unwrap().parse().unwrap();
        let g = setup.position().unwrap();
        let p = Position::try_from(&g).unwrap();
        let best = parts
            .filter_map(|x| x.trim().split_once(':').and_then(|(_, s)| s.parse::<i32>().ok()))
            .filter(|s| *s > -127)
            .max()
            .unwrap();
        table.clear();
        let mut s = Search::new(e, &table, &stop);
        s.threads = threads;
        let verbose = std::env::var("V").is_ok();
        let c0 = cpu();
        let r = s.run(&p, &mut |r: &Report| {
            if verbose {
                println!(
                    "   d{} {} {} n{:.2}M {:.2}s {}",
                    r.depth,
                    r.confidence,
                    r.score().discs(),
                    r.nodes as f64 / 1e6,
                    r.time.as_secs_f64(),
                    r.lines[0].moves.iter().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
                );
            }
            std::ops::ControlFlow::Continue(())
        });
        let c = cpu() - c0;
        let r = Report { time: std::time::Duration::from_secs_f64(c), ..r };
        total += r.nodes;
        secs += r.time.as_secs_f64();
        let ok = r.score().discs() == best;
        if !ok {
            bad += 1;
        }
        if !quiet || !ok {
            println!(
                "#{:3} {:2} empties {:+3} {} {:10.3} M {:7.2}s {:6.1} Mn/s {}",
                i + 1,
                p.empties().count(),
                r.score().discs(),
                r.best().map_or(String::new(), |m| m.to_string()),
                r.nodes as f64 / 1e6,
                r.time.as_secs_f64(),
                r.speed() / 1e6,
                if ok { "" } else { "WRONG" }
            );
        }
    }
    println!(
        "{} wrong {bad} total {:.3} M {secs:.2}s {:.1} Mn/s",
        args[1],
        total as f64 / 1e6,
        total as f64 / secs / 1e6
    );
}
