//! Emilia herself: the strongest play there is on each board.

use std::ops::ControlFlow;

use emilia_rules::{GridPosition, Objective};
use emilia_search::{GridMemory, GridSearch, Limits};

use crate::spec::Settings;
use crate::{Decision, Player, PlayerError, Stop};

/// What she is told about how to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Champion {
    limits: Limits,
    megabytes: usize,
    objective: Objective,
}

impl Champion {
    pub(crate) fn new(settings: &Settings<'_>) -> Result<Champion, PlayerError> {
        let optional = |name: &str, high: u64| -> Result<Option<u64>, PlayerError> {
            if settings.text(name).is_empty() { Ok(None) } else { settings.number(name, 1, high).map(Some) }
        };
        let depth = optional("depth", 60)?.map(|depth| depth as u32);
        let nodes = optional("nodes", u64::MAX)?;
        let mut limits = Limits { depth, nodes, ..Limits::default() };
        // Without any limit she would think until the game is solved.
        if !settings.text("time").is_empty() || (depth.is_none() && nodes.is_none()) {
            limits.time = Some(settings.time_or("time", "1s")?);
        }
        let megabytes = settings.number("hash", 1, 1 << 20)? as usize;
        let objective = settings.objective("goal")?;
        Ok(Champion { limits, megabytes, objective })
    }
}

/// Emilia at the board.
pub(crate) struct ChampionPlayer {
    name: String,
    champion: Champion,
    memory: GridMemory,
}

impl ChampionPlayer {
    pub(crate) fn new(name: &str, champion: Champion) -> ChampionPlayer {
        ChampionPlayer { name: name.to_owned(), champion, memory: GridMemory::new(champion.megabytes) }
    }
}

impl Player for ChampionPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, position: &GridPosition, stop: &Stop) -> Option<Decision> {
        let Champion { limits, objective, .. } = self.champion;
        let search = GridSearch { limits, objective };
        let go_on = &mut |_: &_| ControlFlow::Continue(());
        let report = search.run(position, &mut self.memory, stop.flag(), go_on);
        Some(Decision {
            mv: report.best()?,
            score: Some(report.discs()),
            nodes: report.nodes,
            depth: report.depth,
            time: report.time,
            line: report.line,
        })
    }
}
