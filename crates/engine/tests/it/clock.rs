//! A game on the clock ends before the clock, whichever search plays.

use std::time::{Duration, Instant};

use emilia_engine::{no_files, player};
use emilia_query::{Clocks, Limits, Query, Stop};
use emilia_rules::{GridPosition, Playable, Size};

/// Plays a game against itself with so much time for each side; whether both kept to it.
fn keeps_to_the_clock(name: &str, side: usize, start: Duration) -> bool {
    let mut player = player(name, &no_files).unwrap();
    player.prepare(None).unwrap();
    let mut left = [start; 2];
    let mut query = Query::new(GridPosition::start(Size::new(side).unwrap()));
    while !query.position().is_over() {
        let turn = query.position().turn();
        let clocks =
            Clocks { own: left[turn as usize], opponent: left[!turn as usize], increment: Duration::ZERO };
        query.limits = Limits { clocks: Some(clocks), ..Limits::default() };
        let began = Instant::now();
        let report = player.answer(&query, &Stop::default(), &mut ()).unwrap();
        let Some(rest) = left[turn as usize].checked_sub(began.elapsed()) else { return false };
        left[turn as usize] = rest;
        query.play(report.best_move().unwrap()).unwrap();
    }
    true
}

/// A machine that has other things to do may stop a program for longer than its clock has left, so a second and a
/// third game are allowed, with more time.
#[test]
fn a_game_on_the_clock_ends_before_the_clock() {
    for (name, side) in [("emilia:hash=4", 8), ("emilia:hash=4", 6), ("iterative", 8)] {
        let kept = |start| keeps_to_the_clock(name, side, Duration::from_millis(start));
        assert!([800, 1600, 3200, 12_800].into_iter().any(kept), "{name} on {side}");
    }
}
