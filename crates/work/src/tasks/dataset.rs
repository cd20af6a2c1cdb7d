use emilia_dataset::{Dealer, Layout};
use emilia_query::Stop;
use emilia_rules::Size;
use serde_json::json;

use super::{Found, Job, Summary, require, sums};
use crate::{Done, WorkError};

impl Job for Dealer {
    fn units(&self) -> u64 {
        self.recipe().shards()
    }

    fn title(&self, unit: u64) -> String {
        let numbers = self.recipe().numbers(unit);
        format!("games {} to {}", numbers.start, numbers.end.saturating_sub(1))
    }

    fn run(&self, unit: u64, stop: &Stop) -> Result<Option<Done>, WorkError> {
        let Some(shard) = self.shard(unit, stop)? else { return Ok(None) };
        let [games, train, test] = shard.tables().map(|(_, rows)| rows.len());
        let files = shard.files(unit, self.recipe().format);
        Ok(Some(Done { files, note: json!({ "games": games, "train": train, "test": test }) }))
    }

    fn merge(&self, found: &dyn Found) -> Result<Summary, WorkError> {
        require(self, found)?;
        let [games, train, test] = sums(self, found, ["games", "train", "test"])?;
        let size = Size::new(self.recipe().size.into()).unwrap_or(Size::EIGHT);
        let about = json!({
            "command": format!("emilia {}", self.recipe().words().join(" ")),
            "rows": { "games": games, "train": train, "test": test },
            "columns": {
                "games": Layout::games(size).columns,
                "train": Layout::steps(size, self.recipe()).columns,
                "test": Layout::steps(size, self.recipe()).columns,
            },
        });
        Ok(Summary { files: Vec::new(), about })
    }

    fn keeps_units(&self) -> bool {
        true
    }
}
