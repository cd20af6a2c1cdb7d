use std::io::Write;
use std::time::{Duration, Instant};

use emilia_learn::evolution::{Evolution, Generation};

use crate::Streams;
use crate::number::spell_time;

/// Shows on standard error how an evolution goes: a line a generation, and for a person a line that lives.
///
/// What cannot be shown is no reason to stop, so errors are left alone.
pub(super) struct Progress<'s> {
    err: &'s mut dyn Write,
    live: bool,
    begin: Instant,
    drawn: Option<Instant>,
    generations: u32,
    /// Games of the whole run, of those before this call, of those before the current generation.
    games: [u64; 3],
    /// The curves so far.
    curves: String,
}

/// How often the living line is drawn at most.
const PAUSE: Duration = Duration::from_millis(100);
/// Generations that a sparkline looks back.
const SPARKS: usize = 8;
/// To the beginning of the line, and wipe it.
const WIPE: &str = "\r\x1b[K";

impl<'s> Progress<'s> {
    pub(super) fn new(evolution: &Evolution, streams: &'s mut Streams<'_>) -> Progress<'s> {
        let before = evolution.games();
        Progress {
            err: &mut *streams.err,
            live: streams.interactive,
            begin: Instant::now(),
            drawn: None,
            generations: evolution.plan().generations,
            games: [evolution.plan().games_in_all(), before, before],
            curves: String::new(),
        }
    }

    /// A generation is about to play.
    pub(super) fn look_at(&mut self, evolution: &Evolution) {
        self.games[2] = evolution.games();
        self.curves = curves(evolution.history(), evolution.plan().most_points());
    }

    /// So many games of the current generation are done.
    pub(super) fn games(&mut self, done: u64) {
        if !self.live || self.drawn.is_some_and(|drawn| drawn.elapsed() < PAUSE) {
            return;
        }
        self.drawn = Some(Instant::now());
        let [all, before, earlier] = self.games;
        let so_far = earlier + done;
        let left = time_left(self.begin.elapsed(), so_far - before, all - so_far);
        let _ = write!(self.err, "{WIPE}{} {so_far}/{all} games, {left} left", self.curves);
        let _ = self.err.flush();
    }

    /// A generation is over.
    pub(super) fn generation(&mut self, generation: &Generation) {
        let Generation { number, best, mean, worst, .. } = generation;
        let name = if *number > self.generations {
            "last population".to_owned()
        } else {
            format!("generation {number} of {}", self.generations)
        };
        let fittest = generation.fittest.on_one_line();
        self.wipe();
        let _ = writeln!(self.err, "{name}: best {best}, mean {mean:.2}, worst {worst}; fittest {fittest}");
        let _ = self.err.flush();
    }

    /// Nothing more will be shown.
    pub(super) fn end(&mut self) {
        self.wipe();
        let _ = self.err.flush();
    }

    fn wipe(&mut self) {
        if self.live && self.drawn.take().is_some() {
            let _ = write!(self.err, "{WIPE}");
        }
    }
}

/// Three sparklines: the points of the fittest, of the average, of the least fit.
fn curves(history: &[Generation], most: f64) -> String {
    let recent = &history[history.len().saturating_sub(SPARKS)..];
    let curve = |of: fn(&Generation) -> f64| -> String {
        recent.iter().map(|generation| spark(of(generation) / most)).collect()
    };
    format!(
        "best {} mean {} worst {}",
        curve(|generation| generation.best),
        curve(|generation| generation.mean),
        curve(|generation| generation.worst)
    )
}

/// A bar as high as this share.
fn spark(share: f64) -> char {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    BARS[((share.clamp(0.0, 1.0) * 8.0) as usize).min(7)]
}

/// How long so many more games will take if they go on like those so far.
fn time_left(elapsed: Duration, done: u64, more: u64) -> String {
    let seconds = (elapsed.as_secs_f64() * more as f64 / done.max(1) as f64).ceil() as u64;
    spell_time(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparks_and_times() {
        let bars: String = [0.0, 0.2, 0.5, 0.99, 1.0, 7.0, f64::NAN].into_iter().map(spark).collect();
        assert_eq!(bars, "▁▂▅███▁");
        assert_eq!(time_left(Duration::from_secs(10), 91, 910), "1:40");
        assert_eq!(time_left(Duration::from_secs(3600), 1, 2), "2:00:00");
        assert_eq!(time_left(Duration::ZERO, 0, 5), "0:00");
    }

    #[test]
    fn a_person_sees_a_living_line_and_a_program_a_line_a_generation() {
        let plan = emilia_learn::evolution::Plan::default();
        let evolution = Evolution::new(plan).unwrap();
        let generation = Generation {
            number: 1,
            best: 12.0,
            mean: 6.5,
            worst: 0.0,
            games: 91,
            decisive: 91,
            fittest: emilia_classic::Genes::default(),
        };
        let shown = |interactive| {
            let (mut input, mut out, mut err) = (std::io::empty(), Vec::new(), Vec::new());
            let mut streams = Streams { interactive, ..Streams::plain(&mut input, &mut out, &mut err) };
            let mut progress = Progress::new(&evolution, &mut streams);
            progress.look_at(&evolution);
            progress.games(1);
            progress.generation(&generation);
            String::from_utf8(err).unwrap()
        };
        let line = "generation 1 of 6: best 12, mean 6.50, worst 0; fittest 10/20/97/832/289/93\n";
        assert_eq!(shown(false), line);
        let live = shown(true);
        assert!(live.contains("1/637 games") && live.ends_with(&format!("{WIPE}{line}")), "{live:?}");
    }
}
