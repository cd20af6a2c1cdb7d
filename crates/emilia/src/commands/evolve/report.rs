use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use emilia_arena::{Openings, Schedule, Series, Standing, Terms, longest_opening};
use emilia_classic::Genes;
use emilia_engine::{Candidate, no_files};
use emilia_learn::evolution::{Evolution, Evolved, Generation, Method, Plan};
use emilia_query::Stop;
use serde::Serialize;

use super::options::command_line;
use crate::{Failure, Streams};

/// What came of an evolution, for a person or for a program.
#[derive(Serialize)]
pub(super) struct Report {
    genes: [f64; Genes::COUNT],
    fitness: f64,
    most_points: f64,
    games: u64,
    seconds: f64,
    generations: Vec<Generation>,
    validation: Vec<Validation>,
    pub(super) files: [String; 3],
    command: String,
    #[serde(skip)]
    plan: Plan,
    #[serde(skip)]
    evolved: Genes,
}

/// How the result did in a match.
#[derive(Serialize)]
struct Validation {
    against: &'static str,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    #[serde(skip)]
    elo_text: String,
}

/// Random moves before the players take over in a match that validates: enough that deterministic players do not
/// repeat themselves.
const OPENING: u32 = 8;

impl Report {
    pub(super) fn new(evolution: &Evolution, evolved: &Evolved, time: Duration) -> Report {
        let generations = evolution.history().iter().chain([&evolved.generation]).cloned().collect();
        Report {
            genes: evolved.genes.values(),
            fitness: evolved.fitness,
            most_points: evolution.plan().most_points(),
            games: evolution.games() + evolved.generation.games,
            seconds: time.as_secs_f64(),
            generations,
            validation: Vec::new(),
            files: Default::default(),
            command: command_line(evolution.plan()),
            plan: evolution.plan().clone(),
            evolved: evolved.genes,
        }
    }

    /// What stands above the learning curve.
    pub(super) fn title(&self) -> String {
        let method = match self.plan.method {
            Method::Genetic(_) => "Genetic algorithm",
            Method::CmaEs { .. } => "CMA-ES",
        };
        format!("{method}, {}, {}, seed {}", self.plan.size, self.plan.search, self.plan.seed)
    }

    /// The weights with where they come from.
    pub(super) fn weights_file(&self) -> String {
        let Report { fitness, most_points, games, .. } = self;
        format!(
            "# {}\n# {fitness} points of {most_points} in the last games, {games} games in all\n{}",
            self.command, self.evolved
        )
    }

    /// Plays the result against the default weights and against random moves, everybody with the same search.
    pub(super) fn validate(&mut self, games: u32, threads: usize, stop: &Stop) -> Result<(), Failure> {
        let opponents = [
            ("default weights", self.plan.player(&Genes::default())),
            ("random moves", format!("random:seed={}", self.plan.seed)),
        ];
        for (against, opponent) in opponents {
            let candidate = |name: &str| Candidate::parse(name, &no_files).map_err(Failure::failed);
            let players = [candidate(&self.plan.player(&self.evolved))?, candidate(&opponent)?];
            let openings = Openings::Random {
                plies: OPENING.min(longest_opening(self.plan.size)),
                seed: self.plan.seed,
            };
            let terms = Terms { size: self.plan.size, openings, ..Terms::default() };
            let series = Series { terms, schedule: Schedule::duel(games), threads };
            let mut standing = Standing::default();
            series.run_all(&players, stop, |played| {
                standing.add(&played);
                ControlFlow::Continue(())
            });
            let elo = standing.elo();
            let finite = |value: f64| value.is_finite().then_some(value);
            self.validation.push(Validation {
                against,
                games: standing.games(),
                wins: standing.wins,
                draws: standing.draws,
                losses: standing.losses,
                elo: finite(elo.difference),
                elo_low: finite(elo.low),
                elo_high: finite(elo.high),
                elo_text: elo.to_string(),
            });
        }
        Ok(())
    }

    /// The weights one on a line, and the rest in comments.
    pub(super) fn print(&self, streams: &mut Streams<'_>) -> io::Result<()> {
        write!(streams.out, "{}", self.evolved)?;
        let Report { fitness, most_points, games, .. } = self;
        writeln!(streams.out, "# {fitness} points of {most_points} in the last games, {games} games in all")?;
        for Validation { against, games, wins, draws, losses, elo_text, .. } in &self.validation {
            writeln!(
                streams.out,
                "# against {against}: {wins} wins, {draws} draws, {losses} losses in {games} games, Elo {elo_text}"
            )?;
        }
        let [weights, chart, checkpoint] = &self.files;
        writeln!(streams.out, "# weights in {weights}, learning curve in {chart}, checkpoint in {checkpoint}")
    }
}
