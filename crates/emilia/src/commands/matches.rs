use std::io;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use emilia_arena::{Match, Openings, Played, Standing, Turn, longest_opening, referee};
use emilia_engine::{Candidate, Stop};
use emilia_record::draw::{Style, Text};
use emilia_record::{Format, Game, WriteOptions};
use emilia_rules::{Color, GridPosition, Move, Objective, Outcome, Playable, Size};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::files::{read_games, read_weights, write_file};
use crate::interrupt::stop_on_interrupt;
use crate::number;
use crate::position::parse_size;
use crate::{Failure, Streams};

/// Let two players meet, and see who is stronger
///
/// Colours alternate, and each opening is played with both colours. The Elo difference comes with its 95 % error,
/// reckoned from pairs of games. Ctrl-C ends the match and prints the table so far.
#[derive(Args)]
#[command(
    name = "match",
    after_help = "\
Examples:
  emilia match s4-judge s4-myjudge --size 6 --games 1 --show
                                          the published 6×6 duel, move by move
  emilia match alphabeta:depth=4 mcts --games 100 --threads 2
  emilia match greedy random --size 10 --games 50 --save games.ggf"
)]
pub(crate) struct MatchCommand {
    /// The first player; "emilia players" lists the choice
    #[arg(value_name = "A")]
    first: String,

    /// The second player
    #[arg(value_name = "B")]
    second: String,

    /// Side of the board: an even number from 4 to 26
    #[arg(long, value_name = "N", value_parser = parse_size, default_value = "8")]
    size: Size,

    /// Games to play
    #[arg(long, value_name = "N", default_value = "2")]
    games: NonZeroU32,

    /// How games begin: "start", "random:K" for K random moves, or a file with games or lines of moves [default:
    /// start for one or two games, else random:6]
    #[arg(long, value_name = "HOW")]
    openings: Option<OpeningsArg>,

    /// Where the random openings begin
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,

    /// Games played at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,

    /// Draw every move, with score and square
    #[arg(long, conflicts_with_all = ["threads", "json"])]
    show: bool,

    /// Keep the games; the ending says how: .ggf .sgf .pgn .json .txt
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Play for the fewest discs
    #[arg(long)]
    fewest: bool,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// How games are to begin, as the user says it.
#[derive(Clone, Debug)]
enum OpeningsArg {
    Start,
    Random(u32),
    File(PathBuf),
}

impl FromStr for OpeningsArg {
    type Err = OpeningsError;

    fn from_str(text: &str) -> Result<OpeningsArg, OpeningsError> {
        match text.split_once(':') {
            Some(("random", plies)) => plies
                .parse()
                .map(OpeningsArg::Random)
                .map_err(|_| OpeningsError::NotANumber(plies.to_owned())),
            _ if text == "start" => Ok(OpeningsArg::Start),
            _ => Ok(OpeningsArg::File(PathBuf::from(text))),
        }
    }
}

/// Why games cannot begin like that.
#[derive(Clone, Debug, thiserror::Error)]
enum OpeningsError {
    #[error("after \"random:\" comes a number of moves, not {0:?}")]
    NotANumber(String),
    #[error("{0} random moves leave nothing to play on {1}")]
    TooLong(u32, Size),
    #[error("{0} holds no game on {1}")]
    NoGames(String, Size),
}

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
    discs: [u64; 2],
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    nodes_per_move: [f64; 2],
    seconds_per_move: [f64; 2],
    stopped: bool,
}

impl MatchCommand {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let objective = if self.fewest { Objective::Fewest } else { Objective::Most };
        let candidate = |name: &str| {
            let candidate = Candidate::parse(name, &read_weights).map_err(Failure::usage)?;
            Ok::<_, Failure>(candidate.aiming_for(objective))
        };
        let players = [candidate(&self.first)?, candidate(&self.second)?];
        let format = match &self.save {
            Some(file) => Some(Format::of_file_name(&file.to_string_lossy()).ok_or_else(|| {
                Failure::usage(format!("{} does not end in .ggf, .sgf, .pgn, .json or .txt", file.display()))
            })?),
            None => None,
        };
        let contest = Match {
            size: self.size,
            objective,
            games: self.games.get(),
            openings: self.openings()?,
            threads: self.threads.get(),
            ..Match::default()
        };
        let stop = stop_on_interrupt();
        let mut standing = Standing::default();
        let mut kept: Vec<(u32, Game)> = Vec::new();
        let mut keep = |played: Played, standing: &mut Standing| {
            standing.add(&played);
            if format.is_some() {
                kept.push((played.number, played.game));
            }
        };
        if self.show {
            for number in 0..contest.games {
                let Some(played) = self.shown(&contest, number, &players, &stop, streams)? else { break };
                keep(played, &mut standing);
            }
        } else {
            let bar = progress_bar(contest.games.into(), streams);
            contest.run(&players, &stop, |played| {
                keep(played, &mut standing);
                let (wins, draws, losses) = (standing.wins, standing.draws, standing.losses);
                bar.set_message(format!("+{wins} ={draws} -{losses}  Elo {}", standing.elo()));
                bar.inc(1);
            });
            bar.finish_and_clear();
        }
        if let (Some(file), Some(format)) = (&self.save, format) {
            kept.sort_by_key(|(number, _)| *number);
            let games: Vec<Game> = kept.into_iter().map(|(_, game)| game).collect();
            let bytes =
                emilia_record::write(format, &games, &WriteOptions::default()).map_err(Failure::failed)?;
            write_file(file, &bytes).map_err(|error| Failure::file(file, error))?;
        }
        if self.json {
            return Ok(streams.write_json(&self.line(&standing, stop.is_requested()))?);
        }
        self.table(&standing, stop.is_requested(), streams)?;
        Ok(())
    }

    fn openings(&self) -> Result<Openings, Failure> {
        /// Random moves before the players take over, if nothing is said about a long match: enough that
        /// deterministic players do not repeat themselves, few enough that they still shape the game.
        const USUAL_PLIES: u32 = 6;
        let longest = longest_opening(self.size);
        match &self.openings {
            None if self.games.get() <= 2 => Ok(Openings::Start),
            None => Ok(Openings::Random { plies: USUAL_PLIES.min(longest), seed: self.seed }),
            Some(OpeningsArg::Start) => Ok(Openings::Start),
            Some(OpeningsArg::Random(plies)) if *plies > longest => {
                Err(Failure::usage(OpeningsError::TooLong(*plies, self.size)))
            }
            Some(OpeningsArg::Random(plies)) => Ok(Openings::Random { plies: *plies, seed: self.seed }),
            Some(OpeningsArg::File(path)) => {
                let usual = GridPosition::start(self.size);
                let games = read_games(path)?;
                let fitting = games.into_iter().filter(|game| *game.start() == usual);
                let lines: Vec<Vec<Move<_>>> = fitting.map(|game| game.main_line().collect()).collect();
                if lines.is_empty() {
                    return Err(Failure::usage(OpeningsError::NoGames(
                        path.display().to_string(),
                        self.size,
                    )));
                }
                Ok(Openings::List(lines))
            }
        }
    }

    /// Plays one game and draws every move.
    fn shown(
        &self,
        contest: &Match,
        number: u32,
        players: &[Candidate; 2],
        stop: &Stop,
        streams: &mut Streams<'_>,
    ) -> Result<Option<Played>, Failure> {
        let black = number as usize % 2;
        let start = GridPosition::start(self.size);
        let opening = contest.openings.opening(number / 2, &start);
        let mut seats = [players[black].player(number.into()), players[1 - black].player(number.into())];
        let names = [players[black].name(), players[1 - black].name()];
        writeln!(streams.out, "Game {}: Black {}, White {}", number + 1, names[0], names[1])?;
        let mut printed = draw(&start, None, streams);
        let [first, second] = &mut seats;
        let played = referee(start, &opening, [first, second], contest.objective, stop, |turn| {
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
        writeln!(streams.out, "Game {}: {winner}, {}\n", number + 1, played.counts)?;
        Ok(Some(Played { number, black, ..played }))
    }

    fn line(&self, standing: &Standing, stopped: bool) -> Line<'_> {
        let elo = standing.elo();
        let finite = |value: f64| value.is_finite().then_some(value);
        Line {
            first: &self.first,
            second: &self.second,
            size: self.size.get(),
            games: standing.games(),
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            score: standing.score(),
            discs: standing.discs,
            elo: finite(elo.difference),
            elo_low: finite(elo.low),
            elo_high: finite(elo.high),
            nodes_per_move: standing
                .effort
                .map(|effort| effort.nodes as f64 / f64::from(effort.moves.max(1))),
            seconds_per_move: standing
                .effort
                .map(|effort| effort.time.as_secs_f64() / f64::from(effort.moves.max(1))),
            stopped,
        }
    }

    fn table(&self, standing: &Standing, stopped: bool, streams: &mut Streams<'_>) -> io::Result<()> {
        let line = self.line(standing, stopped);
        let games = standing.games();
        let cut = if stopped { format!(" of {}, stopped", self.games) } else { String::new() };
        let noun = if games == 1 { "game" } else { "games" };
        writeln!(streams.out, "{games} {noun}{cut}, {}", self.size)?;
        let width = self.first.chars().count().max(self.second.chars().count()).max(6);
        let (bold, plain) = streams.bold();
        writeln!(
            streams.out,
            "{bold}{:<width$} {:>6} {:>6} {:>6} {:>8} {:>9} {:>12} {:>10}{plain}",
            "player", "wins", "draws", "losses", "points", "discs", "nodes/move", "s/move"
        )?;
        let rows =
            [(&self.first, standing.wins, standing.losses), (&self.second, standing.losses, standing.wins)];
        for (player, (name, wins, losses)) in rows.into_iter().enumerate() {
            let points = f64::from(wins) + f64::from(standing.draws) / 2.0;
            writeln!(
                streams.out,
                "{name:<width$} {wins:>6} {:>6} {losses:>6} {points:>8.1} {:>9} {:>12.0} {:>10.4}",
                standing.draws,
                standing.discs[player],
                line.nodes_per_move[player],
                line.seconds_per_move[player]
            )?;
        }
        writeln!(streams.out, "Elo of {} against {}: {}", self.first, self.second, standing.elo())
    }
}

/// A bar on standard error, if a person looks on.
fn progress_bar(games: u64, streams: &Streams<'_>) -> ProgressBar {
    if !streams.interactive {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, {eta} left  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// One move: who, where, what it is thought to be worth, and the board after it.
fn tell(turn: &Turn<'_>, streams: &mut Streams<'_>) -> io::Result<()> {
    let color = turn.position.turn();
    let Some(point) = turn.mv.square() else {
        return writeln!(streams.out, "{color} has no legal move: pass");
    };
    let score = match turn.decision.and_then(|decision| decision.score) {
        Some(score) => format!(", score {}", number::score(score)),
        None if turn.decision.is_none() => ", opening".to_owned(),
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
