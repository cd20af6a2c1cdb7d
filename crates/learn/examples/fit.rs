//! Fits the weights of the pattern evaluator.
//!
//! ```text
//! cargo run --release -p emilia-learn --example fit -- WTHOR_FOLDER OUT EPOCHS RATE DECAY WTHOR_EMPTIES SAMPLES…
//! ```
//!
//! Boards of tournament games with at least WTHOR_EMPTIES empty squares are taken with the score of best play from
//! 24 empty squares on; the years from 2023 on and every 23rd board of the sample files are kept for the test.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::path::Path;

use emilia_eval::layout::empties;
use emilia_eval::{Patterns, Score};
use emilia_learn::{Fit, Games, Sample, mean_error};

const FIRST_TEST_YEAR: u32 = 2023;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, out, epochs, rate, decay, least, files @ ..] = arguments.as_slice() else {
        eprintln!("usage: fit WTHOR_FOLDER OUT EPOCHS RATE DECAY WTHOR_EMPTIES SAMPLES…");
        std::process::exit(2);
    };
    let (mut train, mut test) = (Vec::new(), Vec::new());
    let least: usize = least.parse()?;
    for year in 1977..=2025 {
        let mut games = Games::default();
        games.add(&std::fs::read(Path::new(folder).join(format!("WTH_{year}.wtb")))?)?;
        let set = if year >= FIRST_TEST_YEAR { &mut test } else { &mut train };
        for game in games.all() {
            for (board, black) in game.boards.iter().zip(&game.black) {
                if empties(*board) >= least {
                    let lead = if *black { game.theoretical } else { -game.theoretical };
                    set.push(Sample { board: *board, score: (lead * Score::PER_DISC) as i16 });
                }
            }
        }
    }
    for file in files {
        for (number, sample) in Sample::read(&std::fs::read(file)?).enumerate() {
            if number % 23 == 0 { test.push(sample) } else { train.push(sample) }
        }
    }
    let fit = Fit { epochs: epochs.parse()?, rate: rate.parse()?, decay: decay.parse()?, ..Fit::default() };
    let bytes = fit.weights(&train).bytes();
    let patterns = Patterns::read(&bytes)?;
    println!("{} boards to fit, {} to test, {} bytes", train.len(), test.len(), bytes.len());
    println!("phase    test     rms     mae   fit rms");
    let fitted = mean_error(&patterns, &train);
    for (phase, (loss, fitted)) in mean_error(&patterns, &test).iter().zip(fitted).enumerate() {
        let (rms, mae) = (loss.root_mean_square, loss.mean_absolute);
        println!("{phase:5} {:7} {rms:7.2} {mae:7.2} {:9.2}", loss.samples, fitted.root_mean_square);
    }
    std::fs::write(out, bytes)?;
    Ok(())
}
