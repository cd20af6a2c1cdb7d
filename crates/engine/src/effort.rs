//! How much Emilia thinks: her own settings, and what a question says instead.

use std::time::Duration;

use emilia_query::{Clocks, Level, Limits, Query};
use emilia_rules::Playable;

use crate::PlayerError;
use crate::spec::Settings;
use crate::{clock, level};

/// How much she thinks unless a question says otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Effort {
    /// The usual level, unless somebody gives her a clock or a time: then that.
    Usual,
    Level(Level),
    /// Limits for every move alike.
    Move(Limits),
    /// A clock for the whole game, which she keeps herself.
    Game(Clocks),
}

impl Effort {
    /// What the settings say: one of level, game, or limits for a move.
    pub(crate) fn new(settings: &Settings<'_>) -> Result<Effort, PlayerError> {
        let given = |name: &str| !settings.text(name).is_empty();
        let number = |name: &str, high: u64| -> Result<Option<u64>, PlayerError> {
            if given(name) { settings.number(name, 1, high).map(Some) } else { Ok(None) }
        };
        let time = |name: &str| -> Result<Option<Duration>, PlayerError> {
            if given(name) { settings.time(name).map(Some) } else { Ok(None) }
        };
        let limits = Limits {
            depth: number("depth", 60)?.map(|depth| depth as u32),
            nodes: number("nodes", u64::MAX)?,
            time: time("time")?,
            ..Limits::default()
        };
        let level = number("level", u64::from(Level::MAX.get()))?.map(|level| Level::nearest(level as u32));
        match (time("game")?, level, limits.is_open()) {
            (None, None, true) => Ok(Effort::Usual),
            (None, None, false) => Ok(Effort::Move(limits)),
            (None, Some(level), true) => Ok(Effort::Level(level)),
            (Some(own), None, true) => {
                let increment = time("inc")?.unwrap_or_default();
                Ok(Effort::Game(Clocks { own, opponent: own, increment }))
            }
            _ => {
                let name = if given("level") { "level" } else { "game" };
                let why = "choose one of level, game, or limits for a move (depth, nodes, time)";
                Err(settings.bad_value(name, why.to_owned()))
            }
        }
    }

    /// Whether a question leaves it to her how much she thinks.
    pub(crate) fn decides(query: &Query) -> bool {
        let Limits { level, depth, nodes, endless, .. } = query.limits;
        level.is_none() && depth.is_none() && nodes.is_none() && !endless
    }

    /// When to end the search of the position, in terms of depth, selectivity, nodes and time alone. `kept` is what is
    /// left of her own clock.
    pub(crate) fn limits(&self, query: &Query, kept: Option<Clocks>) -> Limits {
        let (asked, size, empties) =
            (&query.limits, query.position().size(), query.position().counts().empty);
        let timed = asked.time.is_some() || asked.clocks.is_some();
        let own = match (self, asked.level) {
            (_, Some(level)) => level::limits(level, size, empties),
            _ if !Effort::decides(query) => Limits::default(),
            (Effort::Usual, _) if timed => Limits::default(),
            (Effort::Usual, _) => level::limits(Level::default(), size, empties),
            (Effort::Level(own), _) => level::limits(*own, size, empties),
            (Effort::Move(limits), _) => *limits,
            (Effort::Game(clocks), _) => Limits::time(clock::share(&kept.unwrap_or(*clocks), empties)),
        };
        let longest = clock::longest(asked, empties);
        Limits {
            depth: least(own.depth, asked.depth),
            selectivity: asked.selectivity.or(own.selectivity),
            nodes: least(least(own.nodes, asked.nodes), longest.and_then(clock::most_nodes)),
            time: least(own.time, longest),
            ..Limits::default()
        }
    }
}

/// The smaller of two limits, if there is any.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

#[cfg(test)]
mod tests {
    use emilia_rules::{GridPosition, Size};

    use super::*;

    fn limits(effort: Effort, side: usize, asked: Limits) -> Limits {
        let start = GridPosition::start(Size::new(side).unwrap());
        effort.limits(&Query::new(start).within(asked), None)
    }

    #[test]
    fn what_is_asked_goes_before_what_is_set() {
        let second = Duration::from_secs(1);
        assert_eq!(limits(Effort::Usual, 8, Limits::default()).depth, Some(16));
        assert_eq!(limits(Effort::Usual, 8, Limits::time(second)).depth, None, "all of the time is used");
        let level = Effort::Level(Level::MIN);
        assert_eq!(limits(level, 8, Limits::time(second)).depth, Some(1));
        assert_eq!(limits(level, 8, Limits::depth(9)), Limits::depth(9));
        assert_eq!(limits(level, 8, Limits::level(Level::MAX)).depth, Some(30));
        assert_eq!(limits(level, 8, Limits::endless()), Limits::default());
        let moves = Effort::Move(Limits { nodes: Some(5), ..Limits::time(second) });
        assert_eq!(limits(moves, 8, Limits::time(second / 10)).time, Some(Duration::from_millis(90)));
    }

    #[test]
    fn both_kinds_of_clocks_are_shared_out() {
        let minute = Duration::from_secs(60);
        let clocks = Clocks { own: minute, opponent: minute, increment: Duration::ZERO };
        let own = limits(Effort::Game(clocks), 8, Limits::default());
        let asked = limits(Effort::Usual, 8, Limits { clocks: Some(clocks), ..Limits::default() });
        assert_eq!(own.time, Some(clock::share(&clocks, 60)));
        assert_eq!(own, asked);
    }
}
