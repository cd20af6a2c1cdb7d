//! A player that has forgotten plays like one that was just built.

use emilia_engine::{Decision, Player, Stop, no_files, player};
use emilia_rules::{GridPosition, Playable, Size};

/// What it decides in the first moves of a game against itself, without the time it took.
fn opening(player: &mut dyn Player, size: Size) -> Vec<Decision> {
    let mut position = GridPosition::start(size);
    let mut decisions = Vec::new();
    for _ in 0..8 {
        let mut decision = player.choose(&position, &Stop::default()).unwrap().unwrap();
        decision.time = Default::default();
        position = position.play(decision.mv).unwrap();
        decisions.push(decision);
    }
    decisions
}

#[test]
fn what_is_forgotten_changes_nothing_any_more() {
    let build = || player("emilia:nodes=5000,hash=1", &no_files).unwrap();
    let mut veteran = build();
    for _ in 0..2 {
        for side in [6, 8, 10] {
            let size = Size::new(side).unwrap();
            let new = opening(build().as_mut(), size);
            opening(veteran.as_mut(), size);
            assert_ne!(opening(veteran.as_mut(), size), new, "{size}: it remembers nothing");
            veteran.forget();
            assert_eq!(opening(veteran.as_mut(), size), new, "{size}");
        }
    }
}
