use std::collections::BTreeMap;

use emilia_rules::{Color, Outcome};
use serde::Serialize;

use crate::{
    Anchor, Average, Effort, Elo, Fixture, Forfeit, IMAGINED_DRAWS, Played, Points, Rating, Ratings, Standing,
};

/// How a tournament stands: every pairing, and what follows for every player.
#[derive(Clone, Debug)]
pub struct CrossTable {
    players: Vec<String>,
    pairings: BTreeMap<[usize; 2], Standing>,
    /// Every game in the order it was counted: who, and half points of the first of the two.
    results: Vec<([usize; 2], u8)>,
    /// Black's margin in each game that was played to its end.
    margins: Vec<i32>,
    black_half_points: u64,
    forfeits: Vec<(Fixture, Forfeit)>,
}

/// A line of the list: a player and all its games.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Number of the player.
    pub player: usize,
    /// Strength.
    pub rating: Rating,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games given away, which are among the lost ones.
    pub forfeits: u32,
    /// Discs won by on average.
    pub margin: Average,
    /// What it put in.
    pub effort: Effort,
}

impl CrossTable {
    /// Before the first game.
    #[must_use]
    pub fn new(players: Vec<String>) -> CrossTable {
        CrossTable {
            players,
            pairings: BTreeMap::new(),
            results: Vec::new(),
            margins: Vec::new(),
            black_half_points: 0,
            forfeits: Vec::new(),
        }
    }

    /// Counts a game.
    pub fn add(&mut self, played: &Played) {
        self.pairings.entry(played.fixture.players).or_default().add(played);
        self.results.push((played.fixture.players, played.half_points()));
        self.black_half_points += match played.outcome {
            Outcome::Win(Color::Black) => 2,
            Outcome::Draw => 1,
            Outcome::Win(Color::White) => 0,
        };
        match &played.forfeit {
            None => self.margins.push(played.counts.margin()),
            Some(forfeit) => self.forfeits.push((played.fixture, forfeit.clone())),
        }
    }

    /// The players' names.
    #[must_use]
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Games counted.
    #[must_use]
    pub fn games(&self) -> usize {
        self.results.len()
    }

    /// Black's margin in each game that was played to its end.
    #[must_use]
    pub fn margins(&self) -> &[i32] {
        &self.margins
    }

    /// Share of the points that went to Black.
    #[must_use]
    pub fn black_score(&self) -> f64 {
        if self.results.is_empty() { 0.5 } else { self.black_half_points as f64 / 2.0 / self.games() as f64 }
    }

    /// The games that were given away.
    #[must_use]
    pub fn forfeits(&self) -> &[(Fixture, Forfeit)] {
        &self.forfeits
    }

    /// How two players stand, seen by the first: wins, draws, losses.
    #[must_use]
    pub fn record(&self, player: usize, opponent: usize) -> Option<[u32; 3]> {
        let seen = |pair: [usize; 2]| self.pairings.get(&pair);
        let own = seen([player, opponent]).map(|standing| [standing.wins, standing.draws, standing.losses]);
        let turned =
            seen([opponent, player]).map(|standing| [standing.losses, standing.draws, standing.wins]);
        match (own, turned) {
            (Some(a), Some(b)) => Some([a[0] + b[0], a[1] + b[1], a[2] + b[2]]),
            (one, other) => one.or(other),
        }
    }

    /// Points that players took from each other in the first so many games.
    #[must_use]
    pub fn points(&self, games: usize) -> Points {
        let mut points = Points::new(self.players.len());
        for ([first, second], half_points) in self.results.iter().take(games) {
            let own = f64::from(*half_points) / 2.0;
            points.add(*first, *second, own);
            points.add(*second, *first, 1.0 - own);
        }
        points
    }

    /// The ratings after the first so many games.
    #[must_use]
    pub fn ratings(&self, games: usize) -> Ratings {
        Ratings::fit(&self.points(games), IMAGINED_DRAWS)
    }

    /// The list, strongest first.
    #[must_use]
    pub fn list(&self, anchor: Anchor) -> Vec<Entry> {
        let ratings = self.ratings(self.games()).list(anchor);
        let mut list: Vec<Entry> =
            ratings.iter().enumerate().map(|(player, rating)| self.entry(player, *rating)).collect();
        list.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        list
    }

    fn entry(&self, player: usize, rating: Rating) -> Entry {
        let (mut wins, mut draws, mut losses, mut forfeits) = (0, 0, 0, 0);
        let (mut margins, mut effort) = (Vec::new(), Effort::default());
        for (pair, standing) in &self.pairings {
            let Some(seat) = pair.iter().position(|member| *member == player) else { continue };
            let (won, lost) =
                if seat == 0 { (standing.wins, standing.losses) } else { (standing.losses, standing.wins) };
            wins += won;
            draws += standing.draws;
            losses += lost;
            forfeits += standing.forfeits[seat];
            effort.add(standing.effort[seat]);
            let sign = if seat == 0 { 1.0 } else { -1.0 };
            margins.extend(standing.pair_margins().map(|margin| sign * margin));
        }
        Entry { player, rating, wins, draws, losses, forfeits, margin: Average::of(&margins), effort }
    }

    /// The table for a program to read.
    #[must_use]
    pub fn summary(&self, anchor: Anchor) -> Summary {
        let entries = self.list(anchor);
        let finite = |value: f64| value.is_finite().then_some(value);
        let line = |entry: &Entry| SummaryLine {
            name: self.players[entry.player].clone(),
            elo: entry.rating.elo,
            error: finite(entry.rating.error),
            games: entry.games(),
            wins: entry.wins,
            draws: entry.draws,
            losses: entry.losses,
            forfeits: entry.forfeits,
            score: entry.score(),
            margin: entry.margin.mean,
            margin_error: finite(entry.margin.error),
            nodes_per_move: entry.effort.nodes as f64 / f64::from(entry.effort.moves.max(1)),
            seconds_per_move: entry.effort.time.as_secs_f64() / f64::from(entry.effort.moves.max(1)),
        };
        let pairing = |([first, second], standing): (&[usize; 2], &Standing)| {
            let Elo { difference, low, high } = standing.elo();
            SummaryPairing {
                first: self.players[*first].clone(),
                second: self.players[*second].clone(),
                wins: standing.wins,
                draws: standing.draws,
                losses: standing.losses,
                pentanomial: standing.pentanomial().0,
                elo: finite(difference),
                elo_low: finite(low),
                elo_high: finite(high),
                margin: standing.margin().mean,
            }
        };
        Summary {
            games: self.games(),
            black_score: self.black_score(),
            players: entries.iter().map(line).collect(),
            pairings: self.pairings.iter().map(pairing).collect(),
        }
    }
}

impl Entry {
    /// All games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points: a win is 1, a draw ½.
    #[must_use]
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Share of the points.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / f64::from(self.games()) }
    }
}

/// A tournament as JSON.
#[derive(Serialize)]
pub struct Summary {
    games: usize,
    black_score: f64,
    players: Vec<SummaryLine>,
    pairings: Vec<SummaryPairing>,
}

#[derive(Serialize)]
struct SummaryLine {
    name: String,
    elo: f64,
    error: Option<f64>,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    forfeits: u32,
    score: f64,
    margin: f64,
    margin_error: Option<f64>,
    nodes_per_move: f64,
    seconds_per_move: f64,
}

#[derive(Serialize)]
struct SummaryPairing {
    first: String,
    second: String,
    wins: u32,
    draws: u32,
    losses: u32,
    pentanomial: [u32; 5],
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    margin: f64,
}
