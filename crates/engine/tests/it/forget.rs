//! A player that has forgotten plays like one that was just built.

use emilia_engine::{Player, no_files, player};
use emilia_query::{Query, Report, Stop};
use emilia_rules::{GridPosition, Playable, Size};

/// What it finds in the first moves of a game against itself, without the time it took.
fn opening(player: &mut dyn Player, size: Size) -> Vec<Report> {
    let mut position = GridPosition::start(size);
    let mut reports = Vec::new();
    for _ in 0..8 {
        let mut report = player.answer(&Query::new(position), &Stop::default(), &mut ()).unwrap();
        report.time = Default::default();
        position = position.play(report.best_move().unwrap()).unwrap();
        reports.push(report);
    }
    reports
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
