use std::fmt::Write as _;
use std::io;
use std::num::NonZeroU32;
use std::ops::ControlFlow;

use clap::Args;
use emilia_arena::{Heading, Played, Schedule, Series, Sprt, Standing, Turn, Verdict};
use emilia_engine::Candidate;
use emilia_query::{Report, Stop};
use emilia_record::draw::{Style, Text};
use emilia_rules::{Color, GridPosition, Move, Outcome, Playable};
use serde::Serialize;

use super::conditions::{Conditions, Keeping};
use super::live::Live;
use crate::interrupt::stop_on_interrupt;
use crate::number;
use crate::{Failure, Streams};

/// Let two players meet, and see who is stronger
///
/// Colours alternate, and each opening is played with both colours. The Elo difference comes with its 95 % error,
/// reckoned from pairs of games. A player that crashes, plays an illegal move or takes too long loses that game, and the
/// match goes on. Ctrl-C ends the match and prints the table so far.
#[derive(Args)]
#[command(
    name = "match",
    after_help = "\
Examples:
  emilia match s4-judge s4-myjudge --size 6 --games 1 --show
                                          the published 6×6 duel, move by move
  emilia match alphabeta:depth=4 mcts --games 100 --threads 2
  emilia match emilia:nodes=20000 emilia:nodes=10000 --sprt 0,20
                                          as many games as it takes to tell
  emilia match emilia alphabeta --games 100 --game-time 10s --increment 100ms --log match.log
                                          by the clock; killed and called again, it goes on
  emilia match greedy random --size 10 --games 50 --save games.ggf

docs/arena.md says what the figures mean."
)]
pub(crate) struct MatchCommand {
    /// The first player; "emilia players" lists the choice
    #[arg(value_name = "A")]
    first: String,

    /// The second player
    #[arg(value_name = "B")]
    second: String,

    /// Games to play [default: 2; with --sprt at most 20000]
    #[arg(long, value_name = "N")]
    games: Option<NonZeroU32>,

    /// Stop as soon as it is clear whether A is stronger by ELO1 rather than by ELO0
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// How often the test may wrongly find gain, and wrongly find none
    #[arg(long, value_name = "RATE", default_value = "0.05", requires = "sprt")]
    error_rate: f64,

    /// What to call the players in the table
    #[arg(long, value_name = "A,B", value_delimiter = ',', num_args = 1)]
    names: Option<Vec<String>>,

    #[command(flatten)]
    conditions: Conditions,

    #[command(flatten)]
    keeping: Keeping,

    /// Draw every move, with score and square
    #[arg(long, conflicts_with_all = ["threads", "json", "log"])]
    show: bool,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// Most games of a sequential test that nobody has limited: by then it would have told a gain of two or three Elo.
const MOST_GAMES: u32 = 20_000;

/// The result for a program to read.
#[derive(Serialize)]
struct Line<'a> {
    first: &'a str,
    second: &'a str,
    size: u8,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    score: f64,
    pentanomial: [u32; 5],
    discs: [u64; 2],
    margin: f64,
    margin_error: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    superiority: f64,
    sprt: Option<SprtLine>,
    forfeits: [u32; 2],
    on_time: [u32; 2],
    nodes_per_move: [f64; 2],
    seconds_per_move: [f64; 2],
    stopped: bool,
}

/// A sequential test for a program to read.
#[derive(Serialize)]
struct SprtLine {
    ratio: f64,
    low: f64,
    high: f64,
    verdict: Option<&'static str>,
}

impl MatchCommand {
    pub(crate) fn run(mut self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let players = [self.conditions.candidate(&self.first)?, self.conditions.candidate(&self.second)?];
        if let Some(test) = self.sprt {
            let rated = test.with_rates(self.error_rate, self.error_rate).map_err(Failure::usage)?;
            self.sprt = Some(rated);
        }
        match self.names.take().as_deref() {
            None => {}
            Some([first, second]) => {
                (self.first, self.second) = (first.clone(), second.clone());
            }
            Some(_) => return Err(Failure::usage("--names takes two names, such as new,old")),
        }
        let games = match (self.games, self.sprt) {
            (Some(games), _) => games.get(),
            (None, Some(_)) => MOST_GAMES,
            (None, None) => 2,
        };
        let terms = self.conditions.terms(games)?;
        let words = self.conditions.words(&terms, games);
        let series =
            Series { terms, schedule: Schedule::duel(games), threads: self.conditions.threads.get() };
        let heading = Heading::new(players.iter().map(|player| player.name().to_owned()).collect(), words);
        let (mut keeper, before) = self.keeping.open(&heading, &series.schedule)?;
        let stop = stop_on_interrupt();
        let mut standing = Standing::default();
        before.iter().for_each(|played| standing.add(played));
        let mut kept = Ok(());
        if self.show {
            for number in 0..games {
                let Some(played) = self.shown(&series, number, &players, &stop, streams)? else { break };
                standing.add(&played);
                keeper.keep(&played)?;
            }
        } else if self.verdict(&standing).is_none() {
            let mut live = Live::new(games, standing.games(), streams);
            series.run(&players, standing.games()..games, &stop, |played| {
                standing.add(&played);
                kept = keeper.keep(&played);
                live.forfeit(streams, &played);
                let brief = |standing: &Standing| {
                    let (wins, draws, losses) = (standing.wins, standing.draws, standing.losses);
                    format!("+{wins} ={draws} -{losses}  Elo {}", standing.elo())
                };
                live.show(streams, || self.table(&standing, None, false), || brief(&standing));
                let decided = standing.games() % 2 == 0 && self.verdict(&standing).is_some();
                if decided || kept.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            live.finish();
        }
        kept?;
        keeper.finish()?;
        let stopped = stop.is_requested() && self.verdict(&standing).is_none() && standing.games() < games;
        if self.json {
            return Ok(streams.write_json(&self.line(&standing, stopped))?);
        }
        let cut = stopped.then_some(games);
        write!(streams.out, "{}", self.table(&standing, cut, streams.color))?;
        Ok(())
    }

    /// What the sequential test says, if there is one and it says something.
    fn verdict(&self, standing: &Standing) -> Option<Verdict> {
        self.sprt.and_then(|test| test.verdict(&standing.pentanomial()))
    }

    /// Plays one game and draws every move.
    fn shown(
        &self,
        series: &Series,
        number: u32,
        players: &[Candidate; 2],
        stop: &Stop,
        streams: &mut Streams<'_>,
    ) -> Result<Option<Played>, Failure> {
        let Some(fixture) = series.schedule.fixture(number) else { return Ok(None) };
        let names = fixture.seats().map(|seat| players[seat].name());
        writeln!(streams.out, "Game {}: Black {}, White {}", number + 1, names[0], names[1])?;
        let (start, _) = series.terms.opening(fixture.round);
        let mut printed = draw(&start, None, streams);
        let played = series.terms.game(fixture, players, stop, |turn| {
            if printed.is_ok() {
                printed = tell(&turn, streams).and_then(|()| streams.out.flush());
            }
            if printed.is_err() {
                stop.request();
            }
        });
        printed?;
        let Some(played) = played else { return Ok(None) };
        let winner = match played.outcome {
            Outcome::Win(color) => format!("{} ({color}) wins", names[color as usize]),
            Outcome::Draw => "a draw".to_owned(),
        };
        let why = played
            .forfeit
            .as_ref()
            .map(|forfeit| format!(", {} forfeits: {}", forfeit.color, forfeit.reason));
        let why = why.unwrap_or_default();
        writeln!(streams.out, "Game {}: {winner}, {}{why}\n", number + 1, played.counts)?;
        Ok(Some(played))
    }

    fn line(&self, standing: &Standing, stopped: bool) -> Line<'_> {
        let (elo, margin, pairs) = (standing.elo(), standing.margin(), standing.pentanomial());
        let finite = |value: f64| value.is_finite().then_some(value);
        let sprt = self.sprt.map(|test| SprtLine {
            ratio: test.ratio(&pairs),
            low: test.bounds().0,
            high: test.bounds().1,
            verdict: test.verdict(&pairs).map(Verdict::name),
        });
        Line {
            first: &self.first,
            second: &self.second,
            size: self.conditions.size.get(),
            games: standing.games(),
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            score: standing.score(),
            pentanomial: pairs.0,
            discs: standing.discs,
            margin: margin.mean,
            margin_error: finite(margin.error),
            elo: finite(elo.difference),
            elo_low: finite(elo.low),
            elo_high: finite(elo.high),
            superiority: pairs.superiority(),
            sprt,
            forfeits: standing.forfeits,
            on_time: standing.on_time,
            nodes_per_move: standing
                .effort
                .map(|effort| effort.nodes as f64 / f64::from(effort.moves.max(1))),
            seconds_per_move: standing
                .effort
                .map(|effort| effort.time.as_secs_f64() / f64::from(effort.moves.max(1))),
            stopped,
        }
    }

    /// The table; `cut` is how many games it should have been, if it was stopped.
    fn table(&self, standing: &Standing, cut: Option<u32>, color: bool) -> String {
        let line = self.line(standing, cut.is_some());
        let games = standing.games();
        let cut = cut.map_or_else(String::new, |games| format!(" of {games}, stopped"));
        let noun = if games == 1 { "game" } else { "games" };
        let width = self.first.chars().count().max(self.second.chars().count()).max(6);
        let (bold, plain) = if color { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
        let mut text = format!("{games} {noun}{cut}, {}\n", self.conditions.size);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{bold}{:<width$} {:>6} {:>6} {:>6} {:>8} {:>9} {:>12} {:>10}{plain}",
            "player", "wins", "draws", "losses", "points", "discs", "nodes/move", "s/move"
        );
        let rows =
            [(&self.first, standing.wins, standing.losses), (&self.second, standing.losses, standing.wins)];
        for (player, (name, wins, losses)) in rows.into_iter().enumerate() {
            let points = f64::from(wins) + f64::from(standing.draws) / 2.0;
            let _ = writeln!(
                text,
                "{name:<width$} {wins:>6} {:>6} {losses:>6} {points:>8.1} {:>9} {:>12.0} {:>10.4}",
                standing.draws,
                standing.discs[player],
                line.nodes_per_move[player],
                line.seconds_per_move[player]
            );
        }
        for (player, name) in [&self.first, &self.second].into_iter().enumerate() {
            let (lost, on_time) = (standing.forfeits[player], standing.on_time[player]);
            if lost > 0 {
                let _ = writeln!(text, "{name} gave away {lost}, {on_time} of these on time");
            }
        }
        let pairs = standing.pentanomial();
        if pairs.pairs() > 1 {
            let _ = writeln!(text, "Pairs of games with 0, ½, 1, 1½, 2 points: {pairs}");
            let _ = writeln!(text, "Discs a game: {}", standing.margin());
        }
        let _ = write!(text, "Elo of {} against {}: {}", self.first, self.second, standing.elo());
        let sure = if pairs.pairs() > 1 {
            format!(", stronger with {:.1} %\n", 100.0 * pairs.superiority())
        } else {
            "\n".to_owned()
        };
        text.push_str(&sure);
        if let (Some(test), Some(line)) = (self.sprt, line.sprt) {
            let end = match test.verdict(&pairs) {
                Some(Verdict::Stronger) => "gain",
                Some(Verdict::NotStronger) => "no gain",
                None => "undecided",
            };
            let SprtLine { ratio, low, high, .. } = line;
            let _ = writeln!(
                text,
                "Test of {test}: {end}, log-likelihood ratio {ratio:.2} ({low:.2} no gain, {high:.2} gain)"
            );
        }
        text
    }
}

/// One move: who, where, what it is thought to be worth, and the board after it.
fn tell(turn: &Turn<'_>, streams: &mut Streams<'_>) -> io::Result<()> {
    let color = turn.position.turn();
    let Some(point) = turn.mv.square() else {
        return writeln!(streams.out, "{color} has no legal move: pass");
    };
    let score = match turn.report.and_then(Report::value) {
        Some(value) => format!(", score {}", number::score(value)),
        None if turn.report.is_none() => ", opening".to_owned(),
        None => String::new(),
    };
    let (row, column) = (point.row() + 1, point.column() + 1);
    writeln!(streams.out, "{color} plays {point} ({row},{column}){score}")?;
    draw(&turn.position.placed(point), Some(turn.mv), streams)
}

fn draw(
    position: &GridPosition,
    last: Option<Move<emilia_rules::Point>>,
    streams: &mut Streams<'_>,
) -> io::Result<()> {
    let style = if streams.color { Style::Discs } else { Style::Letters };
    let last = last.and_then(Move::square);
    let text = Text { legal: true, last, ansi: streams.color, ..Text::new(position, style) };
    let counts = position.counts();
    let [black, white] = [Color::Black, Color::White].map(|color| counts.of(color));
    writeln!(streams.out, "{text}Black {black}   White {white}\n")
}
