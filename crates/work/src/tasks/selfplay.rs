use emilia_engine::FileReader;
use emilia_eval::Learned;
use emilia_learn::data::{GamesWriter, Origin};
use emilia_learn::selfplay::{Plan, Sparring, Starts};
use emilia_query::Stop;
use emilia_record::thor::Archive;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Cut, Found, Job, Summary, require, sums};
use crate::error::TaskError;
use crate::{Done, WorkError};

/// Games of Emilia against herself: the same files as `emilia selfplay` makes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayTask {
    /// How games are played.
    pub plan: Plan,
    /// How many.
    pub games: u64,
    /// Games in a file, and in a unit.
    pub shard: u64,
    /// The weights that positions are judged by, if not those that come with the program.
    pub weights: Option<String>,
    /// Files of the WTHOR database that games begin from.
    pub wthor: Vec<String>,
}

pub(crate) struct SelfPlayJob {
    plan: Plan,
    cut: Cut,
    starts: Starts,
    /// Weights of a file; none for those that come with the program.
    weights: Option<Box<Learned>>,
}

/// Deepest search while the end is far, and most empty squares that are solved: as the command has it.
const MAX_DEPTH: u64 = 20;
const MAX_EXACT: u64 = 30;

impl SelfPlayTask {
    pub(super) fn job(&self, read: FileReader<'_>) -> Result<SelfPlayJob, WorkError> {
        for (what, least, most, given) in [
            ("the depth", 1, MAX_DEPTH, self.plan.depth),
            ("the start of exact scores", 0, MAX_EXACT, self.plan.exact_from),
        ] {
            if !(least..=most).contains(&u64::from(given)) {
                return Err(TaskError::Range { what, least, most, given: given.into() }.into());
            }
        }
        let opened =
            |name: &String| read(name).map_err(|error| WorkError::Input { name: name.clone(), error });
        let archive =
            |name: &String| Archive::parse(&opened(name)?).map_err(|error| WorkError::content(name, error));
        let archives = self.wthor.iter().map(archive).collect::<Result<_, _>>()?;
        let weights = |name: &String| -> Result<Box<Learned>, WorkError> {
            let learned = Learned::read(&opened(name)?).map_err(|error| WorkError::content(name, error))?;
            Ok(Box::new(learned))
        };
        Ok(SelfPlayJob {
            plan: self.plan.clone(),
            cut: Cut::new(self.games as usize, self.shard, "games")?,
            starts: Starts::new(self.plan.kind, archives).map_err(TaskError::from)?,
            weights: self.weights.as_ref().map(weights).transpose()?,
        })
    }
}

impl Job for SelfPlayJob {
    fn units(&self) -> u64 {
        self.cut.units()
    }

    fn title(&self, unit: u64) -> String {
        self.cut.title(unit, "games")
    }

    fn run(&self, unit: u64, stop: &Stop) -> Result<Option<Done>, WorkError> {
        let judge = self.weights.as_deref().unwrap_or_else(|| Learned::embedded());
        let mut sparring = Sparring::new(&self.plan, &self.starts, judge)?;
        let name = format!("games-{unit:06}.emg");
        let failed = |error| WorkError::Input { name: name.clone(), error };
        let mut writer = GamesWriter::new(Vec::new()).map_err(failed)?;
        let (mut positions, mut exact) = (0, 0);
        for number in self.cut.numbers(unit) {
            if stop.is_requested() {
                return Ok(None);
            }
            let game = sparring.play(number);
            positions += game.plies.len();
            exact += game.plies.iter().filter(|ply| ply.origin == Origin::Exact).count();
            writer.write(&game).map_err(failed)?;
        }
        let games = self.cut.numbers(unit).count();
        let note = json!({ "games": games, "positions": positions, "exact": exact });
        Ok(Some(Done { files: vec![(name.clone(), writer.into_inner())], note }))
    }

    fn merge(&self, found: &dyn Found) -> Result<Summary, WorkError> {
        require(self, found)?;
        let [games, positions, exact] = sums(self, found, ["games", "positions", "exact"])?;
        Ok(Summary {
            files: Vec::new(),
            about: json!({ "games": games, "positions": positions, "exact": exact }),
        })
    }

    fn keeps_units(&self) -> bool {
        true
    }
}
