//! How much Emilia thinks: her own settings, and what a question says instead.

use std::time::Duration;

use emilia_query::{Clocks, Level, Limits, Query, Selectivity};
use emilia_rules::Playable;

use crate::spec::Settings;
use crate::{PlayerError, ValueFault};
use crate::{clock, level};

/// How much she thinks unless a question says otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Allowance {
    /// The usual level, unless somebody gives her a clock or a time: then that.
    Usual,
    Level(Level),
    /// Limits for every move alike.
    Move(Limits),
    /// A clock for the whole game, which she keeps herself.
    Game(Clocks),
}

impl Allowance {
    /// What the settings say: one of level, game, or limits for a move.
    pub(crate) fn new(settings: &Settings<'_>) -> Result<Allowance, PlayerError> {
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
        let selectivity = if given("selectivity") {
            Some(settings.parsed("selectivity", |text| text.parse().ok().and_then(Selectivity::of_percent))?)
        } else {
            None
        };
        if selectivity.is_some() && limits.is_open() {
            return Err(settings.bad_value("selectivity", ValueFault::WithoutLimit));
        }
        let level = number("level", u64::from(Level::MAX.get()))?.map(|level| Level::nearest(level as u32));
        match (time("game")?, level, limits.is_open()) {
            (None, None, true) => Ok(Allowance::Usual),
            (None, None, false) => Ok(Allowance::Move(Limits { selectivity, ..limits })),
            (None, Some(level), true) => Ok(Allowance::Level(level)),
            (Some(own), None, true) => {
                let increment = time("inc")?.unwrap_or_default();
                Ok(Allowance::Game(Clocks { own, opponent: own, increment }))
            }
            _ => {
                let name = if given("level") { "level" } else { "game" };
                Err(settings.bad_value(name, ValueFault::SeveralLimits))
            }
        }
    }

    /// Whether she plays more strongly than this level: whatever is no level is time, and takes its share.
    pub(crate) fn is_above(&self, level: u8) -> bool {
        match self {
            Allowance::Level(own) => own.get() > level,
            Allowance::Usual | Allowance::Move(_) | Allowance::Game(_) => true,
        }
    }

    /// Whether a question leaves it to her how much she thinks.
    pub(crate) fn decides(query: &Query) -> bool {
        let Limits { level, depth, nodes, endless, .. } = query.limits;
        level.is_none() && depth.is_none() && nodes.is_none() && !endless
    }

    /// Whether time alone ends her search for the answer: then she may know more than the game has told her, while
    /// an answer by level, depth or nodes must stay what it is.
    pub(crate) fn is_timed(&self, query: &Query) -> bool {
        let asked = &query.limits;
        let own = match self {
            Allowance::Usual => asked.time.is_some() || asked.clocks.is_some(),
            Allowance::Level(_) => false,
            Allowance::Move(limits) => {
                limits.time.is_some() && limits.depth.is_none() && limits.nodes.is_none()
            }
            Allowance::Game(_) => true,
        };
        own && Allowance::decides(query)
    }

    /// When to end the search of the position, in terms of depth, selectivity, nodes and time alone. `kept` is what is
    /// left of her own clock.
    pub(crate) fn limits(&self, query: &Query, kept: Option<Clocks>) -> Limits {
        let (asked, size, empties) =
            (&query.limits, query.position().size(), query.position().counts().empty);
        let timed = asked.time.is_some() || asked.clocks.is_some();
        let own = match (self, asked.level) {
            (_, Some(level)) => level::limits(level, size, empties),
            _ if !Allowance::decides(query) => Limits::default(),
            (Allowance::Usual, _) if timed => Limits::default(),
            (Allowance::Usual, _) => level::limits(Level::default(), size, empties),
            (Allowance::Level(own), _) => level::limits(*own, size, empties),
            (Allowance::Move(limits), _) => *limits,
            (Allowance::Game(clocks), _) => Limits::time(clock::share(&kept.unwrap_or(*clocks), empties)),
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

    fn limits(allowance: Allowance, side: usize, asked: Limits) -> Limits {
        let start = GridPosition::start(Size::new(side).unwrap());
        allowance.limits(&Query::new(start).within(asked), None)
    }

    #[test]
    fn what_is_asked_goes_before_what_is_set() {
        let second = Duration::from_secs(1);
        assert_eq!(
            limits(Allowance::Usual, 8, Limits::default()).depth,
            Some(Level::default().plies().into())
        );
        assert_eq!(limits(Allowance::Usual, 8, Limits::time(second)).depth, None, "all of the time is used");
        let level = Allowance::Level(Level::MIN);
        assert_eq!(limits(level, 8, Limits::time(second)).depth, Some(1));
        assert_eq!(limits(level, 8, Limits::depth(9)), Limits::depth(9));
        assert_eq!(limits(level, 8, Limits::level(Level::MAX)).depth, Some(Level::MAX.plies().into()));
        assert_eq!(limits(level, 8, Limits::endless()), Limits::default());
        let fair = Limits { selectivity: Some(Selectivity::Fair), ..Limits::depth(7) };
        assert_eq!(limits(Allowance::Move(fair), 8, Limits::default()), fair);
        let moves = Allowance::Move(Limits { nodes: Some(5), ..Limits::time(second) });
        assert_eq!(limits(moves, 8, Limits::time(second / 10)).time, Some(Duration::from_millis(90)));
    }

    #[test]
    fn only_time_alone_lets_her_know_more() {
        let second = Duration::from_secs(1);
        let clocks = Clocks { own: second, opponent: second, increment: Duration::ZERO };
        let timed = |allowance: Allowance, asked: Limits| {
            allowance.is_timed(&Query::new(GridPosition::default()).within(asked))
        };
        let (open, on_the_clock) = (Limits::default(), Limits { clocks: Some(clocks), ..Limits::default() });
        for asked in [Limits::time(second), on_the_clock] {
            assert!(timed(Allowance::Usual, asked));
            assert!(!timed(Allowance::Usual, Limits { depth: Some(8), ..asked }));
            assert!(!timed(Allowance::Usual, Limits { level: Some(Level::MIN), ..asked }));
            assert!(!timed(Allowance::Level(Level::MAX), asked));
            assert!(!timed(Allowance::Move(Limits::depth(8)), asked));
        }
        assert!(!timed(Allowance::Usual, open), "the usual level");
        assert!(timed(Allowance::Game(clocks), open));
        assert!(timed(Allowance::Move(Limits::time(second)), open));
        assert!(!timed(Allowance::Move(Limits { nodes: Some(5), ..Limits::time(second) }), open));
        assert!(!timed(Allowance::Game(clocks), Limits { nodes: Some(5), ..Limits::default() }));
    }

    #[test]
    fn both_kinds_of_clocks_are_shared_out() {
        let minute = Duration::from_secs(60);
        let clocks = Clocks { own: minute, opponent: minute, increment: Duration::ZERO };
        let own = limits(Allowance::Game(clocks), 8, Limits::default());
        let asked = limits(Allowance::Usual, 8, Limits { clocks: Some(clocks), ..Limits::default() });
        assert_eq!(own.time, Some(clock::share(&clocks, 60)));
        assert_eq!(own, asked);
    }
}
