//! What sharing work costs: `cargo run --release -p emilia-work --example measure -- FOLDER TASK [THREADS]`, where the task
//! is written as in plan.json. Does all units of it in a folder, and says how long they took and what came on top.
//!
//! On a machine that does nothing else, time and processor time tell the same; on others look at the latter: `time` says it.

#![allow(clippy::print_stdout, reason = "it is what an example is for")]

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use emilia_query::Stop;
use emilia_work::{Folder, Plan, Work};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, task, rest @ ..] = &arguments[..] else { return Err("say a folder and a task".into()) };
    let threads = rest.first().map_or(Ok(1), |threads| threads.parse())?;
    let (plan, inputs) = Plan::new(serde_json::from_str(task)?, &|name| std::fs::read(name).map(Into::into))?;
    let apart = Work::new(plan.clone(), inputs.clone())?;
    let folder = Folder::create(Path::new(folder), plan, inputs)?;
    let (stop, units) = (Stop::default(), folder.open_units()?);
    let begin = Instant::now();
    folder.run_all(&units, threads, &stop, |_, _| {})?;
    let shared = begin.elapsed();
    let begin = Instant::now();
    let merged = folder.merge()?;
    println!(
        "{} units on {threads} threads: {:.3} s, merged in {:.3} s",
        units.len(),
        seconds(shared),
        seconds(begin.elapsed())
    );
    println!("{}", merged.about);
    // The same units once more without the folder: the difference is what the folder costs.
    let begin = Instant::now();
    for unit in &units {
        apart.run(*unit, &stop)?;
    }
    println!("without the folder on one thread: {:.3} s", seconds(begin.elapsed()));
    Ok(())
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}
