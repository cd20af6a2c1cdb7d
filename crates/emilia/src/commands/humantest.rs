use std::collections::HashMap;
use std::io;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use emilia_arena::{Frequencies, Witnessed, draw_moves, in_order, values};
use emilia_engine::{Player, no_files, player};
use emilia_human::{Network, Person, Rating, Style};
use emilia_learn::selfplay::is_test_year;
use emilia_query::Stop;
use emilia_rules::Square;
use serde::Serialize;
use thiserror::Error;

use crate::files::read_bytes;
use crate::interrupt::stop_on_interrupt;
use crate::wthor::read_years;
use crate::{Failure, Streams};

/// Measure how like people the players `human` play
///
/// On moves that people with a rating made in tournament games of years divisible by 5, where there was a choice: from
/// those years nothing is ever learnt. First who guesses their moves: the network, the openings of the other years, Emilia
/// at some levels, and chance. Then what the moves of people of a strength lose, in discs, and what those of players
/// `human` of the same strength lose on the same positions, by stage of the game. training/ratings.py makes the file of
/// ratings.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia humantest --wthor WTHOR --ratings ratings.tsv
  emilia humantest --wthor WTHOR --ratings ratings.tsv --years 2005,2015 --moves 20000
  emilia humantest --wthor WTHOR --ratings ratings.tsv --moves 500 --levels 1,5 --json")]
pub(crate) struct HumanTest {
    /// Folder with the WTHOR database, WTH_*.wtb
    #[arg(long, value_name = "DIR")]
    wthor: PathBuf,

    /// Ratings of its players, as training/ratings.py writes them
    #[arg(long, value_name = "FILE")]
    ratings: PathBuf,

    /// Moves to draw
    #[arg(long, value_name = "N", default_value = "2000")]
    moves: NonZeroUsize,

    /// By which random numbers they are drawn
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Only games of these years, all of them divisible by 5 [default: every year divisible by 5]
    #[arg(long, value_name = "YEAR,YEAR", value_delimiter = ',', value_parser = test_year)]
    years: Vec<u16>,

    /// Levels of Emilia that guess, too
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=30))]
    levels: Vec<u32>,

    /// The level of Emilia that says what moves are worth
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..=30))]
    judge: u32,

    /// Moves looked at in parallel; the result does not depend on it [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one JSON object a move
    #[arg(long)]
    json: bool,
}

/// A move that a person made, and what others make of its position. Moves are in the order of squares.
#[derive(Serialize)]
struct Line {
    rating: u32,
    number: u32,
    moves: Vec<String>,
    /// Which of the moves is the one that was made, or the same but for symmetry.
    made: Vec<bool>,
    /// What each loses, in discs, as the judge sees it.
    losses: Vec<f64>,
    /// How much the network leans to each, in 256ths.
    leanings: Vec<i32>,
    /// How likely a player of this strength makes each.
    chances: Vec<f64>,
    /// What each is worth a few plies ahead, in discs: one, two, four, six.
    ahead: Vec<Vec<f64>>,
    /// The place at which each guesser has the move that was made, 1 for the first.
    guessed: Vec<u32>,
}

/// Players that judge moves, kept from one move to the next: making them anew takes longer than the shallow ones think.
#[derive(Default)]
struct Judges(Mutex<HashMap<String, Vec<Box<dyn Player>>>>);

impl Judges {
    /// What a player makes of every move of a position; nothing that it remembers of others helps it.
    fn ask(&self, name: &str, witnessed: &Witnessed, stop: &Stop) -> Option<Vec<f64>> {
        let idle = self.0.lock().ok()?.get_mut(name).and_then(Vec::pop);
        let mut judge = match idle {
            Some(judge) => judge,
            None => player(name, &no_files).ok()?,
        };
        judge.forget();
        let values = values(judge.as_mut(), &witnessed.query, stop).ok()?;
        self.0.lock().ok()?.entry(name.to_owned()).or_default().push(judge);
        values
    }
}

impl HumanTest {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let stop = stop_on_interrupt();
        let ratings = read_ratings(&self.ratings)?;
        let of = |who: u16, year: u16| ratings.get(&who).and_then(|years| between(years, year));
        let wanted = |year| is_test_year(year) && (self.years.is_empty() || self.years.contains(&year));
        let drawn = draw_moves(&read_years(&self.wthor, wanted)?, of, self.moves.get(), self.seed);
        if drawn.is_empty() {
            return Err(Failure::failed(format!(
                "{}: nobody there has a rating in these games",
                self.ratings.display()
            )));
        }
        let openings =
            Frequencies::of(&read_years(&self.wthor, |year| !is_test_year(year)).unwrap_or_default());
        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok());
        let judges = Judges::default();
        let work = |number: u32| self.line(&drawn[number as usize], &openings, &judges, &stop);
        let (mut lines, mut written) = (Vec::new(), Ok(()));
        in_order(0..drawn.len() as u32, threads.map_or(1, NonZeroUsize::get), &stop, work, |line| {
            if self.json {
                written = streams.write_json(&line);
            }
            lines.push(line);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        written?;
        if lines.len() < drawn.len() {
            return Err(Failure::failed(format!("stopped after {} of {} moves", lines.len(), drawn.len())));
        }
        if !self.json {
            self.print_guesses(&lines, streams)?;
            print_losses(&lines, streams)?;
            print_times(&drawn, &stop, streams)?;
        }
        Ok(())
    }

    fn line(
        &self,
        witnessed: &Witnessed,
        openings: &Frequencies,
        judges: &Judges,
        stop: &Stop,
    ) -> Option<Line> {
        let ask = |name: &str| judges.ask(name, witnessed, stop);
        let moment = &witnessed.moment;
        let (empties, person) = (61 - witnessed.number(), Person::new(witnessed.rating, Style::Usual));
        let leanings = Network::embedded().leanings(moment, Rating::new(witnessed.rating));
        let ahead = [1, 2, 4, 6].map(|depth| ask(&format!("emilia:depth={depth},hash=1")));
        let ahead: Vec<Vec<f64>> = ahead.into_iter().collect::<Option<_>>()?;
        let looked = match person.ahead(empties) {
            Some(depth) => Some(ask(&format!("emilia:depth={depth},hash=1"))?),
            None => None,
        };
        let known = Network::embedded().leanings(moment, person.seen_as());
        let chances = person.chances(moment, &known, looked.as_deref());
        let truth = ask(&format!("emilia:level={},hash=16", self.judge))?;
        let best = truth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let squares: Vec<Square> = leanings.iter().map(|(square, _)| *square).collect();
        let mut orders =
            vec![ordered(&squares, |at| f64::from(leanings[at].1)), openings.order(moment.board())];
        for level in &self.levels {
            let values = ask(&format!("emilia:level={level},hash=1"))?;
            orders.push(ordered(&squares, |at| values[at]));
        }
        let place = |order: &Vec<Square>| {
            order.iter().position(|square| witnessed.is_played(*square)).map(|at| at as u32 + 1)
        };
        Some(Line {
            rating: witnessed.rating,
            number: witnessed.number(),
            moves: squares.iter().map(ToString::to_string).collect(),
            made: squares.iter().map(|square| witnessed.is_played(*square)).collect(),
            losses: truth.iter().map(|value| best - value).collect(),
            leanings: leanings.iter().map(|(_, leaning)| *leaning).collect(),
            chances: chances.iter().map(|(_, chance)| *chance).collect(),
            ahead,
            guessed: orders.iter().filter_map(place).collect(),
        })
    }

    /// How often each guesser has the move first, or among the first three.
    fn print_guesses(&self, lines: &[Line], streams: &mut Streams<'_>) -> io::Result<()> {
        let mut names = vec!["human".to_owned(), "openings of the other years".to_owned()];
        names.extend(self.levels.iter().map(|level| format!("emilia:level={level}")));
        writeln!(
            streams.out,
            "{} moves; guessed first and among three, all and moves 15 to 40, in %",
            lines.len()
        )?;
        for (number, name) in names.iter().enumerate() {
            let share = |among: &RangeInclusive<u32>, places: u32| {
                let all = lines.iter().filter(|line| among.contains(&line.number));
                mean(all.map(|line| f64::from(u8::from(line.guessed[number] <= places)) * 100.0))
            };
            let cells = [(1..=60, 1), (1..=60, 3), (15..=40, 1), (15..=40, 3)]
                .map(|(among, places)| share(&among, places));
            writeln!(
                streams.out,
                "{name:<30} {:>6.1} {:>6.1} {:>6.1} {:>6.1}",
                cells[0], cells[1], cells[2], cells[3]
            )?;
        }
        let chance = |among: &RangeInclusive<u32>, places: f64| {
            let all = lines.iter().filter(|line| among.contains(&line.number));
            mean(all.map(|line| (places / line.moves.len() as f64).min(1.0) * 100.0))
        };
        let cells = [(1..=60, 1.0), (1..=60, 3.0), (15..=40, 1.0), (15..=40, 3.0)]
            .map(|(among, places)| chance(&among, places));
        writeln!(
            streams.out,
            "{:<30} {:>6.1} {:>6.1} {:>6.1} {:>6.1}",
            "chance", cells[0], cells[1], cells[2], cells[3]
        )
    }
}

/// Stages of the game by discs placed, and bands of strength.
const STAGES: [RangeInclusive<u32>; 5] = [1..=12, 13..=24, 25..=36, 37..=48, 49..=60];
const BANDS: [RangeInclusive<u32>; 5] = [0..=1499, 1500..=1699, 1700..=1899, 1900..=2099, 2100..=9999];
/// A move that loses so many discs is a blunder.
const BLUNDER: f64 = 6.0;

/// What people lose with a move, and what players of the same strength lose on the same positions.
fn print_losses(lines: &[Line], streams: &mut Streams<'_>) -> io::Result<()> {
    writeln!(
        streams.out,
        "\ndiscs lost a move and blunders in % by stage (discs 1-12, 13-24, 25-36, 37-48, 49-60, all)"
    )?;
    for band in BANDS {
        let mine: Vec<&Line> = lines.iter().filter(|line| band.contains(&line.rating)).collect();
        writeln!(streams.out, "ratings {} to {}: {} moves", band.start(), band.end(), mine.len())?;
        for (name, people, what) in [
            ("  people", true, (|loss| loss) as fn(f64) -> f64),
            ("  human", false, |loss| loss),
            ("  people, blunders", true, |loss| if loss >= BLUNDER { 100.0 } else { 0.0 }),
            ("  human, blunders", false, |loss| if loss >= BLUNDER { 100.0 } else { 0.0 }),
        ] {
            let of = |line: &&Line| {
                let each = line.losses.iter().zip(&line.chances).zip(&line.made);
                if people {
                    let made = each.filter(|(_, made)| **made).map(|((loss, _), _)| what(*loss));
                    return mean(made);
                }
                each.map(|((loss, chance), _)| chance * what(*loss)).sum()
            };
            let stages = STAGES.iter().chain([&(1..=60)]);
            let each = stages.map(|stage| {
                mine.iter().filter(|line| stage.contains(&line.number)).map(of).collect::<Vec<f64>>()
            });
            let (cells, errors): (Vec<String>, Vec<String>) = each
                .map(|of| (format!("{:>6.2}", mean(of.iter().copied())), format!("{:>6.2}", error(&of))))
                .unzip();
            writeln!(streams.out, "{name:<20} {}", cells.join(" "))?;
            if people {
                writeln!(streams.out, "{:<20} {}", "    standard error", errors.join(" "))?;
            }
        }
    }
    Ok(())
}

/// Positions on which the time of a move is taken, and how often: the quickest round is the one that nothing disturbed.
const TIMED: usize = 200;
const ROUNDS: usize = 5;

/// How long a move of players `human` takes, on one thread.
fn print_times(drawn: &[Witnessed], stop: &Stop, streams: &mut Streams<'_>) -> Result<(), Failure> {
    writeln!(streams.out, "\na move of human on one thread, the quickest of {ROUNDS} rounds")?;
    for rating in [800, 1600, 2400] {
        let mut person = player(&format!("human:rating={rating}"), &no_files).map_err(Failure::failed)?;
        let some = &drawn[..drawn.len().min(TIMED)];
        let mut quickest = Duration::MAX;
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            for witnessed in some {
                person.answer(&witnessed.query, stop, &mut ()).map_err(Failure::failed)?;
            }
            quickest = quickest.min(begun.elapsed());
        }
        let milliseconds = quickest.as_secs_f64() * 1000.0 / some.len() as f64;
        writeln!(streams.out, "human:rating={rating:<5} {milliseconds:.2} ms")?;
    }
    Ok(())
}

/// The squares with the highest number first.
fn ordered(squares: &[Square], number: impl Fn(usize) -> f64) -> Vec<Square> {
    let mut places: Vec<usize> = (0..squares.len()).collect();
    places.sort_by(|one, other| number(*other).total_cmp(&number(*one)));
    places.into_iter().map(|at| squares[at]).collect()
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = numbers.fold((0u32, 0.0), |(count, sum), number| (count + 1, sum + number));
    sum / f64::from(count.max(1))
}

/// The standard error of the mean of these numbers.
fn error(numbers: &[f64]) -> f64 {
    let (count, middle) = (numbers.len().max(2) as f64, mean(numbers.iter().copied()));
    let squares: f64 = numbers.iter().map(|number| (number - middle).powi(2)).sum();
    (squares / (count - 1.0) / count).sqrt()
}

/// A year whose games are learnt from, or none at all.
#[derive(Debug, Error)]
#[error("expected a year divisible by 5")]
struct YearError;

/// A year whose games are for tests only.
fn test_year(text: &str) -> Result<u16, YearError> {
    text.parse().ok().filter(|year| is_test_year(*year)).ok_or(YearError)
}

/// Ratings by player, each with the years he has one for, in order.
type Ratings = HashMap<u16, Vec<(u16, u32)>>;

/// Reads the people of a file of ratings; programs have their author's name in brackets.
fn read_ratings(path: &Path) -> Result<Ratings, Failure> {
    let text = String::from_utf8_lossy(&read_bytes(path, &mut io::empty())?).into_owned();
    let mut ratings = Ratings::new();
    for line in text.lines().skip(1).filter(|line| !line.contains('(')) {
        let mut columns = line.split('\t');
        let mut next = || columns.next().and_then(|number| number.parse::<u32>().ok());
        let (Some(who), Some(year), Some(rating)) = (next(), next(), next()) else {
            return Err(Failure::failed(format!(
                "{}: {line:?} is no player, year and rating",
                path.display()
            )));
        };
        ratings.entry(who as u16).or_default().push((year as u16, rating));
    }
    Ok(ratings)
}

/// The rating in a year, between those of the years around it; before the first and after the last, the nearest.
fn between(years: &[(u16, u32)], year: u16) -> Option<u32> {
    let after = years.iter().position(|(known, _)| *known >= year);
    let Some(after) = after else { return years.last().map(|(_, rating)| *rating) };
    let (next, high) = years[after];
    let Some((last, low)) = after.checked_sub(1).map(|before| years[before]) else { return Some(high) };
    let share = f64::from(year - last) / f64::from(next - last);
    Some((f64::from(low) + share * (f64::from(high) - f64::from(low))).round() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_without_games_lies_between_its_neighbours() {
        let years = [(2004, 1500), (2006, 1700)];
        let of = |year| between(&years, year);
        assert_eq!(
            [of(2004), of(2005), of(2006), of(1999), of(2030)],
            [1500, 1600, 1700, 1500, 1700].map(Some)
        );
        assert_eq!(between(&[], 2000), None);
    }
}
