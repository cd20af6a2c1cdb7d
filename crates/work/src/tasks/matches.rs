use emilia_arena::{
    Fixture, Heading, Openings, Pentanomial, Schedule, Sprt, Standing, Terms, Verdict, log_line,
    longest_opening, read_log,
};
use emilia_engine::{Candidate, FileReader};
use emilia_query::Stop;
use emilia_rules::Size;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Cut, Found, Job, Needed, Summary, candidate, require};
use crate::error::TaskError;
use crate::{Done, WorkError};

/// Games between two players, with colours changed, perhaps until a sequential test has an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchTask {
    /// The players.
    pub players: [String; 2],
    /// Games at most.
    pub games: u32,
    /// The two Elo differences of a test, and how often it may be wrong either way.
    pub sprt: Option<([f64; 2], f64)>,
    /// Side of the board.
    pub size: u8,
    /// How games begin: `start`, `balanced` or `random:K`.
    pub openings: String,
    /// Where random openings begin; for balanced ones, another order.
    pub seed: u64,
    /// Pairs of games in a unit.
    pub unit: u32,
}

pub(crate) struct MatchJob {
    players: [Candidate; 2],
    terms: Terms,
    schedule: Schedule,
    heading: Heading,
    sprt: Option<Sprt>,
    /// The games: an even number in each unit, so that no pair is torn.
    cut: Cut,
}

/// Most pairs of games in a unit.
const MAX_PAIRS: u64 = 1 << 20;

impl MatchTask {
    pub(super) fn job(&self, read: FileReader<'_>) -> Result<MatchJob, WorkError> {
        let [first, second] = &self.players;
        let players = [candidate(first, read)?, candidate(second, read)?];
        let size = Size::new(self.size.into()).map_err(TaskError::from)?;
        let terms = Terms { size, openings: self.openings(size)?, ..Terms::default() };
        let test = |([elo0, elo1], rate): ([f64; 2], f64)| Sprt::new(elo0, elo1, rate, rate);
        if !(1..=MAX_PAIRS).contains(&u64::from(self.unit)) {
            let (what, given) = ("the number of pairs in a unit", self.unit.into());
            return Err(TaskError::Range { what, least: 1, most: MAX_PAIRS, given }.into());
        }
        let names = players.iter().map(|player| player.name().to_owned()).collect();
        Ok(MatchJob {
            heading: Heading::new(names, terms.words(&self.openings, self.seed)),
            players,
            terms,
            schedule: Schedule::duel(self.games),
            sprt: self.sprt.map(test).transpose().map_err(TaskError::from)?,
            cut: Cut::new(self.games as usize, 2 * u64::from(self.unit), "games")?,
        })
    }

    fn openings(&self, size: Size) -> Result<Openings, TaskError> {
        let unknown = || TaskError::Openings(self.openings.chars().take(40).collect());
        match self.openings.split_once(':') {
            None if self.openings == "start" => Ok(Openings::Start),
            None if self.openings == "balanced" && size == Size::EIGHT => Ok(Openings::balanced(self.seed)),
            None if self.openings == "balanced" => Err(TaskError::NotBalanced(size)),
            Some(("random", plies)) => {
                let plies: u32 = plies.parse().map_err(|_| unknown())?;
                let most = longest_opening(size);
                if plies > most {
                    let (what, given) = ("the number of random moves", plies.into());
                    return Err(TaskError::Range { what, least: 0, most: most.into(), given });
                }
                Ok(Openings::Random { plies, seed: self.seed })
            }
            _ => Err(unknown()),
        }
    }
}

impl MatchJob {
    /// How many games it takes until the test has an answer, by the units from the first on without a gap; nothing if
    /// there is no test or it has no answer yet.
    fn decided(&self, found: &dyn Found) -> Result<Option<u64>, WorkError> {
        let Some(test) = self.sprt else { return Ok(None) };
        let (mut pairs, mut games) = (Pentanomial::default(), 0);
        for unit in 0..self.units() {
            let Some(note) = found.note(unit)? else { break };
            for half_points in note["pairs"].as_array().into_iter().flatten() {
                pairs.add(half_points.as_u64().unwrap_or_default().min(4) as usize);
                games += 2;
                if test.verdict(&pairs).is_some() {
                    return Ok(Some(games));
                }
            }
        }
        Ok(None)
    }

    fn about(&self, standing: &Standing) -> serde_json::Value {
        let (elo, pairs) = (standing.elo(), standing.pentanomial());
        let finite = |value: f64| value.is_finite().then_some(value);
        let test = self.sprt.map(|test| {
            let (low, high) = test.bounds();
            let verdict = test.verdict(&pairs).map(Verdict::name);
            json!({ "ratio": test.ratio(&pairs), "low": low, "high": high, "verdict": verdict })
        });
        json!({
            "first": self.players[0].name(),
            "second": self.players[1].name(),
            "games": standing.games(),
            "wins": standing.wins,
            "draws": standing.draws,
            "losses": standing.losses,
            "pentanomial": pairs.0,
            "elo": finite(elo.difference),
            "elo_low": finite(elo.low),
            "elo_high": finite(elo.high),
            "sprt": test,
        })
    }
}

impl Job for MatchJob {
    fn units(&self) -> u64 {
        self.cut.units()
    }

    fn title(&self, unit: u64) -> String {
        self.cut.title(unit, "games")
    }

    fn run(&self, unit: u64, stop: &Stop) -> Result<Option<Done>, WorkError> {
        let (mut text, mut pairs, mut half_points) = (Vec::new(), Vec::new(), 0);
        for number in self.cut.numbers(unit) {
            let fixture: Option<Fixture> = self.schedule.fixture(number as u32);
            let played = fixture.and_then(|fixture| self.terms.game(fixture, &self.players, stop, |_| {}));
            let Some(played) = played else { return Ok(None) };
            half_points += played.half_points();
            if number % 2 == 1 {
                pairs.push(half_points);
                half_points = 0;
            }
            text.extend(log_line(&played.without_times()).into_bytes());
        }
        Ok(Some(Done {
            files: vec![(format!("units/{unit:06}.log"), text)],
            note: json!({ "pairs": pairs }),
        }))
    }

    /// Units after the answer of a test are not.
    fn needed(&self, found: &dyn Found) -> Result<Needed, WorkError> {
        Ok(self.decided(found)?.map_or(Needed::All, |games| Needed::Below(games.div_ceil(self.cut.each))))
    }

    fn merge(&self, found: &dyn Found) -> Result<Summary, WorkError> {
        require(self, found)?;
        let games = self.decided(found)?.unwrap_or(self.cut.things);
        let mut text = self.heading.line();
        for unit in (0..self.units()).take_while(|unit| self.cut.numbers(*unit).start < games) {
            let left = games - self.cut.numbers(unit).start;
            let lines = String::from_utf8_lossy(&found.content(unit)?).into_owned();
            text.extend(lines.split_inclusive('\n').take(left as usize));
        }
        let (played, _) = read_log(&text, &self.heading, &self.schedule)
            .map_err(|error| WorkError::content("match.log", error))?;
        let mut standing = Standing::default();
        played.iter().for_each(|played| standing.add(played));
        Ok(Summary { about: self.about(&standing), files: vec![("match.log".to_owned(), text.into_bytes())] })
    }
}
