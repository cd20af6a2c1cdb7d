//! What is found while the other side thinks helps the next answer, and changes none that must stay the same. The same
//! memory serves whoever steps through a game.

use std::ops::ControlFlow;
use std::time::Duration;

use emilia_engine::{Player, no_files, player};
use emilia_query::{Clocks, Limits, Query, Report, Stop};
use emilia_rules::{GridPosition, Playable, Size, parse_move};

/// A position of an opening.
fn opening() -> Query {
    let moves = "f5d6c3d3c4f4f6f3".as_bytes().chunks(2);
    let moves = moves.map(|word| parse_move(std::str::from_utf8(word).unwrap(), Size::EIGHT).unwrap());
    Query::of_game(GridPosition::default(), moves).unwrap()
}

fn emilia(settings: &str) -> Box<dyn Player> {
    player(&format!("emilia:hash=8{settings}"), &no_files).unwrap()
}

/// Sees to it that work ends as soon as this depth is reached.
fn until(depth: u32) -> impl FnMut(&Report) -> ControlFlow<()> {
    move |report: &Report| {
        if report.depth >= depth { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// What an endless search has found when it has reached this depth.
fn analysed(player: &mut dyn Player, query: &Query, depth: u32) -> Report {
    let query = query.clone().within(Limits::endless());
    player.answer(&query, &Stop::default(), &mut until(depth)).unwrap()
}

/// Depth of the first search in a test.
const DEPTH: u32 = 14;
/// The part of the nodes that is enough for what is known already.
const SHARE: u64 = 5;

#[test]
fn what_was_pondered_is_known_when_the_position_comes() {
    let query = opening().within(Limits::time(Duration::from_secs(60)));
    let mut prepared = emilia("");
    let pondered = prepared.ponder(&query, &Stop::default(), &mut until(DEPTH)).unwrap();
    assert_eq!(pondered.depth, DEPTH, "time does not end it: {pondered:?}");
    let answered =
        |player: &mut dyn Player| player.answer(&query, &Stop::default(), &mut until(DEPTH)).unwrap().nodes;
    let (known, unknown) = (answered(prepared.as_mut()), answered(emilia("").as_mut()));
    assert!(known * SHARE < unknown, "{known} of {unknown} nodes to depth {DEPTH}");
    // The search for every board has a memory too.
    let query = Query::new(GridPosition::start(Size::new(10).unwrap())).within(query.limits);
    let mut prepared = emilia("");
    let pondered = prepared.ponder(&query, &Stop::default(), &mut until(5)).unwrap();
    let mut first = prepared.answer(&query, &Stop::default(), &mut until(5)).unwrap();
    assert!(first.nodes < pondered.nodes && first.depth >= 5, "{first:?}");
    first = emilia("").answer(&query, &Stop::default(), &mut until(5)).unwrap();
    assert_eq!(first.nodes, pondered.nodes, "nothing else helps");
}

/// Answers that depend on no clock are promised to be the same for the same questions.
#[test]
fn who_plays_without_a_clock_does_not_ponder() {
    let second = Duration::from_secs(1);
    let clocks = Clocks { own: second, opponent: second, increment: second };
    let clocks = Limits { clocks: Some(clocks), ..Limits::default() };
    let cases = [
        ("", Limits::default()),
        (",level=3", clocks),
        (",depth=3", clocks),
        (",nodes=500", Limits::time(second)),
        ("", Limits { depth: Some(3), ..clocks }),
    ];
    for (settings, limits) in cases {
        let query = opening().within(limits);
        let found = emilia(settings).ponder(&query, &Stop::default(), &mut ()).unwrap();
        assert_eq!(found, Report::default(), "emilia{settings} with {limits:?}");
    }
    for name in ["mcts", "alphabeta:depth=2", "human:rating=1200", "random:seed=1"] {
        let found =
            player(name, &no_files).unwrap().ponder(&opening().within(clocks), &Stop::default(), &mut ());
        assert_eq!(found, Ok(Report::default()), "{name}");
    }
}

#[test]
fn pondering_ends_when_it_is_told_to_and_not_when_the_game_is_over() {
    let stop = Stop::default();
    stop.request();
    let query = opening().within(Limits::time(Duration::from_millis(1)));
    let found = emilia("").ponder(&query, &stop, &mut ()).unwrap();
    assert!(found.stopped && found.best_move().is_some(), "{found:?}");
    let shortest = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];
    let moves = shortest.map(|word| parse_move(word, Size::EIGHT).unwrap());
    let over = Query::of_game(GridPosition::default(), moves).unwrap().within(query.limits);
    assert!(over.position().is_over());
    assert_eq!(emilia("").ponder(&over, &Stop::default(), &mut ()), Ok(Report::default()));
}

/// Forward along the line that is expected, back again, and on: each time one ply less is known than before.
#[test]
fn an_analysis_goes_on_from_what_it_knows_when_one_steps_through_a_game() {
    let mut kept = emilia("");
    let start = opening();
    let first = analysed(kept.as_mut(), &start, DEPTH);
    let mut query = start.clone();
    for (ply, mv) in first.line().iter().take(2).enumerate() {
        query.play(*mv).unwrap();
        let depth = DEPTH - 1 - ply as u32;
        let (known, unknown) =
            (analysed(kept.as_mut(), &query, depth), analysed(emilia("").as_mut(), &query, depth));
        assert!(known.depth >= depth && known.nodes * SHARE < unknown.nodes, "{known:?} {unknown:?}");
    }
    let back = analysed(kept.as_mut(), &start, DEPTH);
    assert!(back.nodes * SHARE < first.nodes, "{} of {} nodes", back.nodes, first.nodes);
}
