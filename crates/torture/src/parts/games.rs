//! Games between players of every kind on boards of every size. Each position is compared with what the slow rules say,
//! and every sum and index is checked.

use emilia_engine::{KINDS, PRESETS, Player, no_files, player};
use emilia_query::{Limits, Query, Stop};
use emilia_rules::{GridPosition, Move, Playable, Size, Status};

use crate::part::{Round, Tally};
use crate::random::twin::Cells;

/// Nodes that players may visit who know what that is; others get a depth.
const SETTINGS: &[(&str, &str)] =
    &[("nodes", "2000"), ("playouts", "60"), ("width", "3"), ("depth", "2"), ("time", "20ms")];

pub(crate) fn round(round: &mut Round) -> Tally {
    let sizes: Vec<Size> = Size::all().collect();
    let size = if round.scaled(1, 0) == 0 { *round.pick(&sizes[..4]) } else { *round.pick(&sizes) };
    let seed = round.below(u64::MAX);
    let names = [0, 1].map(|_| name(round, size));
    let mut players: [Box<dyn Player>; 2] = names
        .each_ref()
        .map(|name| player(name, &no_files).unwrap_or_else(|error| panic!("{name}: {error}")));
    let mut position = GridPosition::start(size);
    let mut cells = Cells::of(&position);
    let mut moves = 0;
    while !position.is_over() {
        let turn = position.turn();
        let legal = cells.placements(turn);
        assert!(legal.iter().copied().eq(position.placements()), "{position}");
        // The first moves are random, so that no game is like another.
        let mv = if moves < 6 {
            let legal: Vec<_> = position.moves().collect();
            legal[(seed.rotate_left(moves as u32 * 7) % legal.len() as u64) as usize]
        } else {
            let limits = Limits { nodes: Some(2000), depth: Some(2), ..Limits::default() };
            let query = Query::new(position).within(limits);
            let report = players[turn as usize].answer(&query, &Stop::default(), &mut ()).unwrap();
            report.best_move().unwrap_or_else(|| panic!("{names:?} have no move: {position}"))
        };
        position = position.play(mv).unwrap_or_else(|error| panic!("{names:?}: {error}: {position}"));
        match mv {
            Move::Place(point) => cells.play(turn, point),
            Move::Pass => assert!(legal.is_empty()),
        }
        assert_eq!(cells, Cells::of(&position), "{names:?} after {mv}");
        moves += 1;
    }
    assert!(matches!(position.status(), Status::Over(_)));
    assert!(cells.placements(position.turn()).is_empty() && cells.placements(!position.turn()).is_empty());
    Tally::of(moves).count("games", 1)
}

/// Any player there is, as quick as it can be.
fn name(round: &mut Round, size: Size) -> String {
    if round.below(3) == 0 && size == Size::EIGHT {
        let preset = round.pick(PRESETS);
        if !preset.stands_for.contains("level=1") || preset.stands_for.ends_with("level=1") {
            return preset.name.to_owned();
        }
    }
    let kind = round.pick(KINDS);
    let limit = SETTINGS.iter().find(|(name, _)| kind.setting(name).is_some());
    limit.map_or(kind.name.to_owned(), |(name, value)| format!("{}:{name}={value}", kind.name))
}
