use std::fmt::Write as _;
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use emilia_arena::{Anchor, CrossTable, Heading, Page, Schedule, Series, page};
use emilia_engine::Candidate;

use super::conditions::{Conditions, Keeping};
use super::live::Live;
use crate::files::write_file;
use crate::interrupt::stop_on_interrupt;
use crate::{Failure, Streams};

/// Let many players meet, and rank them
///
/// Every pairing plays each opening with both colours. The Elo list is the one under which the results are likeliest
/// (Bradley and Terry), with 95 % errors. Ctrl-C ends the tournament and prints the table so far.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia tournament random greedy alphabeta:depth=2 mcts:playouts=200 --games 20
  emilia tournament emilia:nodes=10000 alphabeta:depth=4 mcts --format gauntlet --games 40 --report gauntlet.html
  emilia tournament beginner casual club --games 50 --log games.log --report all.html
                                          killed and called again, it goes on

docs/arena.md says what the figures mean.")]
pub(crate) struct Tournament {
    /// The players; "emilia players" lists the choice
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    players: Vec<String>,

    /// Who meets whom
    #[arg(long, value_enum, default_value_t = Format::RoundRobin)]
    format: Format,

    /// Games of each pairing; an odd number is rounded up
    #[arg(long, value_name = "N", default_value = "10")]
    games: NonZeroU32,

    /// The player whose rating is 0 [default: the average of all]
    #[arg(long, value_name = "PLAYER")]
    anchor: Option<String>,

    /// Write a page with tables and pictures, in one file that needs no network
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    #[command(flatten)]
    conditions: Conditions,

    #[command(flatten)]
    keeping: Keeping,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Everybody against everybody
    RoundRobin,
    /// The first player against all others
    Gauntlet,
}

/// Most players: their pairings and pictures must stay readable.
const MOST_PLAYERS: usize = 100;

impl Tournament {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        if self.players.len() > MOST_PLAYERS {
            return Err(Failure::usage(format!("at most {MOST_PLAYERS} players can meet")));
        }
        let players: Vec<Candidate> =
            self.players.iter().map(|name| self.conditions.candidate(name)).collect::<Result<_, _>>()?;
        let anchor = self.anchor()?;
        let games = self.games.get();
        let schedule = match self.format {
            Format::RoundRobin => Schedule::round_robin(players.len(), games),
            Format::Gauntlet => Schedule::gauntlet(players.len(), games),
        };
        let terms = self.conditions.terms(games)?;
        let words = self.conditions.words(&terms, games);
        let series = Series { terms, schedule, threads: self.conditions.threads.get() };
        let mut logged = words.clone();
        logged.insert("format".to_owned(), self.format_name());
        let (mut keeper, before) =
            self.keeping.open(&Heading::new(self.players.clone(), logged), &series.schedule)?;
        let mut table = CrossTable::new(self.players.clone());
        before.iter().for_each(|played| table.add(played));
        let stop = stop_on_interrupt();
        let all = series.schedule.games();
        let mut live = Live::new(all, before.len() as u32, streams);
        let mut kept = Ok(());
        series.run(&players, before.len() as u32..all, &stop, |played| {
            table.add(&played);
            kept = keeper.keep(&played);
            live.forfeit(streams, &played);
            let leader = |table: &CrossTable| {
                let list = table.list(anchor);
                list.first()
                    .map_or_else(String::new, |entry| format!("{} leads", table.players()[entry.player]))
            };
            live.show(streams, || ranking(&table, anchor, false), || leader(&table));
            if kept.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        live.finish();
        kept?;
        keeper.finish()?;
        if let Some(file) = &self.report {
            let mut terms: Vec<(String, String)> = words.into_iter().collect();
            terms.push(("format".to_owned(), self.format_name()));
            terms.push(("games of each pairing".to_owned(), (games + games % 2).to_string()));
            terms.push(("made by".to_owned(), format!("Emilia {}", env!("CARGO_PKG_VERSION"))));
            let title = format!("Tournament of {} players", players.len());
            let text = page(&table, &Page { title, anchor, terms });
            write_file(file, text.as_bytes()).map_err(|error| Failure::file(file, error))?;
        }
        if self.json {
            return Ok(streams.write_json(&table.summary(anchor))?);
        }
        let stopped =
            if table.games() < all as usize { format!(" of {all}, stopped") } else { String::new() };
        writeln!(streams.out, "{} games{stopped}, {}", table.games(), self.conditions.size)?;
        write!(streams.out, "{}\n{}", ranking(&table, anchor, streams.color), crosses(&table, anchor))?;
        Ok(())
    }

    fn format_name(&self) -> String {
        match self.format {
            Format::RoundRobin => "round robin",
            Format::Gauntlet => "gauntlet of the first player",
        }
        .to_owned()
    }

    fn anchor(&self) -> Result<Anchor, Failure> {
        let Some(name) = &self.anchor else { return Ok(Anchor::Average) };
        let found = self.players.iter().position(|player| player == name);
        found
            .map(Anchor::Player)
            .ok_or_else(|| Failure::usage(format!("the anchor {name:?} is not among the players")))
    }
}

/// Names longer than this are cut in tables.
const LONGEST_NAME: usize = 40;

fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_owned();
    }
    name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
}

/// The list, strongest first.
fn ranking(table: &CrossTable, anchor: Anchor, color: bool) -> String {
    let names: Vec<String> = table.players().iter().map(|name| shortened(name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let (bold, plain) = if color { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{bold}{:>3} {:<width$} {:>6} {:>5} {:>7} {:>6} {:>7} {:>6} {:>6} {:>6} {:>14} {:>11} {:>9}{plain}",
        "#",
        "player",
        "Elo",
        "±",
        "points",
        "games",
        "score",
        "won",
        "drawn",
        "lost",
        "discs a game",
        "nodes/move",
        "s/move"
    );
    for (rank, entry) in table.list(anchor).iter().enumerate() {
        let moves = f64::from(entry.effort.moves.max(1));
        let _ = writeln!(
            text,
            "{:>3} {:<width$} {:>6.0} {:>5.0} {:>7.1} {:>6} {:>5.1} % {:>6} {:>6} {:>6} {:>14} {:>11.0} {:>9.4}",
            rank + 1,
            names[entry.player],
            entry.rating.elo.round() + 0.0,
            entry.rating.error,
            entry.points(),
            entry.games(),
            100.0 * entry.score(),
            entry.wins,
            entry.draws,
            entry.losses,
            entry.margin.to_string(),
            entry.effort.nodes as f64 / moves,
            entry.effort.time.as_secs_f64() / moves,
        );
        if entry.forfeits > 0 {
            let _ = writeln!(text, "    {:<width$} gave away {} of the lost games", "", entry.forfeits);
        }
    }
    text
}

/// What each took from each, in the order of the list.
fn crosses(table: &CrossTable, anchor: Anchor) -> String {
    let list = table.list(anchor);
    let names: Vec<String> = table.players().iter().map(|name| shortened(name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!("{:>3} {:<width$}", "", "points of");
    (1..=list.len()).for_each(|rank| {
        let _ = write!(text, " {rank:>6}");
    });
    text.push('\n');
    for (rank, row) in list.iter().enumerate() {
        let _ = write!(text, "{:>3} {:<width$}", rank + 1, names[row.player]);
        for column in &list {
            let cell = match table.record(row.player, column.player) {
                _ if row.player == column.player => "·".to_owned(),
                None => "–".to_owned(),
                Some([wins, draws, _]) => format!("{:.1}", f64::from(wins) + f64::from(draws) / 2.0),
            };
            let _ = write!(text, " {cell:>6}");
        }
        text.push('\n');
    }
    text
}
