//! Where the positions of `data/insight/mistakes.jsonl` come from, and how well each reason tells bad moves from fine ones.
//!
//! `cargo run --release -p emilia-insight --example mistakes -- LEVEL EVERY MOST FILE…` judges all moves of every so-manieth
//! position of some games at a level. A bad move loses at least four discs, a fine one at most one. It prints bad moves as lines, at
//! most one of a position and the first so many of each kind of reason; and on standard error how often each reason holds for bad and
//! for fine moves, by how many squares are empty.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{self, Write};

use emilia_engine::{Candidate, Judged, no_files};
use emilia_insight::{Comparison, Kind};
use emilia_query::{MoveReport, Query, Stop};
use emilia_record::{Hint, read};
use emilia_rules::{GridPosition, Move, Playable, SquareSet};

const BAD: f64 = 4.0;
const FINE: f64 = 1.0;
const STAGES: [&str; 3] = ["41 and more", "21 to 40", "20 and fewer"];

/// Bad and fine moves, counted alike.
type Pair = [u32; 2];

#[derive(Default)]
struct Census {
    moves: [Pair; 3],
    /// Moves for which a reason holds, and moves for which it is the one that is given.
    holds: BTreeMap<(Kind, usize), Pair>,
    given: BTreeMap<(Kind, usize), Pair>,
    printed: BTreeMap<Kind, usize>,
}

impl Census {
    /// Counts the moves of a position; a line to print, if one is wanted of it.
    fn add(&mut self, position: &GridPosition, judged: &[Judged], most_of_kind: usize) -> Option<String> {
        let (best, Some(most)) = judged.first()? else { return None };
        let empties = position.empties().count();
        let stage = usize::from(empties <= 40) + usize::from(empties <= 20);
        let mut line = None;
        for (found, worth) in &judged[1..] {
            let Some(loss) = worth.map(|worth| most - worth) else { continue };
            let Some(compared) = Comparison::new(position, &found.line, &best.line) else { continue };
            let group = match loss {
                loss if loss >= BAD => 0,
                loss if loss <= FINE => 1,
                _ => continue,
            };
            self.moves[stage][group] += 1;
            for reason in compared.reasons() {
                self.holds.entry((reason.kind(), stage)).or_default()[group] += 1;
            }
            let kind = compared.reason().kind();
            self.given.entry((kind, stage)).or_default()[group] += 1;
            let printed = self.printed.entry(kind).or_default();
            if group == 0 && line.is_none() && *printed < most_of_kind {
                *printed += 1;
                line = Some(mistake(position, found, best, loss, kind));
            }
        }
        line
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "| reason | empty squares | holds: bad | fine | ratio | given: bad | fine |")?;
        writeln!(out, "|---|---|---|---|---|---|---|")?;
        for ((kind, stage), given) in &self.given {
            let holds = self.holds.get(&(*kind, *stage)).copied().unwrap_or_default();
            let share = |count: Pair, group: usize| {
                100.0 * f64::from(count[group]) / f64::from(self.moves[*stage][group].max(1))
            };
            let [bad, fine] = [share(holds, 0), share(holds, 1)];
            let ratio = if fine > 0.0 { format!("{:.1}", bad / fine) } else { "–".to_owned() };
            let (name, empty) = (kind.name(), STAGES[*stage]);
            let [first, wrong] = [share(*given, 0), share(*given, 1)];
            writeln!(
                out,
                "| {name} | {empty} | {bad:.1} % | {fine:.1} % | {ratio} | {first:.1} % | {wrong:.1} % |"
            )?;
        }
        writeln!(out, "bad and fine moves by stage: {:?}", self.moves)
    }
}

fn mistake(position: &GridPosition, found: &MoveReport, best: &MoveReport, loss: f64, kind: Kind) -> String {
    let line = |found: &MoveReport| found.line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
    let (position, played, best) = (position.to_string(), line(found), line(best));
    let value = serde_json::json!({
        "position": position, "played": played, "best": best, "loss": loss, "reason": kind.name(),
    });
    value.to_string()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [level, every, most_of_kind, files @ ..] = &arguments[..] else {
        return Err("LEVEL EVERY MOST FILE…".into());
    };
    let (every, most_of_kind): (usize, usize) = (every.parse()?, most_of_kind.parse()?);
    let judge = Candidate::parse(&format!("emilia:level={level}"), &no_files)?;
    let (mut census, mut number) = (Census::default(), 0);
    for file in files {
        let reading = read(&fs::read(file)?, &Hint { file_name: Some(file) })?;
        for game in reading.into_games(&Default::default()) {
            let mut player = judge.player(0);
            let mut query = Query::new(*game.start());
            for mv in game.main_line() {
                number += 1;
                if number % every == 0 {
                    let judged = judge.judge(player.as_mut(), &query, &Stop::default())?;
                    if let Some(line) = census.add(query.position(), &judged, most_of_kind) {
                        writeln!(io::stdout(), "{line}")?;
                    }
                }
                query.play(mv)?;
            }
        }
    }
    Ok(census.print(&mut io::stderr())?)
}
