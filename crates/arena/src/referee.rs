use std::time::{Duration, Instant};

use emilia_engine::Player;
use emilia_query::{Fault, Limits, Query, Report, Stop};
use emilia_record::{Ending, Evaluation, Game, GameResult, tag};
use emilia_rules::{Color, Counts, GridPosition, IllegalMove, Move, Objective, Outcome, Playable, Point};
use thiserror::Error;

use crate::{Fixture, Overstep, RefereeClock, TimeControl};

/// What a side put into a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Moves it chose.
    pub moves: u32,
    /// Positions it looked at.
    pub nodes: u64,
    /// How long it thought.
    pub time: Duration,
}

impl Effort {
    /// Both together.
    pub fn add(&mut self, other: Effort) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Played {
    /// Which game it is.
    pub fixture: Fixture,
    /// The moves, with evaluations and times.
    pub game: Game,
    /// The discs at the end.
    pub counts: Counts,
    /// Who won.
    pub outcome: Outcome,
    /// Whether it was given away, and why.
    pub forfeit: Option<Forfeit>,
    /// What Black and White put in.
    pub effort: [Effort; 2],
}

/// A game lost without being played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// Who lost it.
    pub color: Color,
    /// What ended it: the clock, giving up, or anything else that makes a player leave.
    pub ending: Ending,
    /// What happened.
    pub reason: ForfeitReason,
}

/// Why a game was lost without being played to its end.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ForfeitReason {
    /// The move took too long.
    #[error(transparent)]
    Overstep(#[from] Overstep),
    /// There was no answer, or none that could be used.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The answer has no move.
    #[error("it did not move")]
    NoMove,
    /// The move is against the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalMove<Point>),
    /// As an earlier run has noted it.
    #[error("{0}")]
    Noted(String),
}

impl ForfeitReason {
    /// How such a game ends.
    fn ending(&self) -> Ending {
        match self {
            ForfeitReason::Overstep(_) => Ending::TimedOut,
            ForfeitReason::Fault(Fault::Resigned) => Ending::Resigned,
            _ => Ending::Left,
        }
    }
}

impl Forfeit {
    fn new(color: Color, reason: ForfeitReason) -> Forfeit {
        Forfeit { color, ending: reason.ending(), reason }
    }

    /// Whether the clock decided.
    #[must_use]
    pub fn is_on_time(&self) -> bool {
        self.ending == Ending::TimedOut
    }
}

/// How much longer the first move of a game may take: programs from outside are started for it and load their tables.
const STARTING: Duration = Duration::from_secs(10);

impl Played {
    /// Half points of the first of the two players: 0, 1 or 2.
    #[must_use]
    pub fn half_points(&self) -> u8 {
        match self.outcome {
            Outcome::Win(color) if color == self.color_of(0) => 2,
            Outcome::Win(_) => 0,
            Outcome::Draw => 1,
        }
    }

    /// The game without the times, which are other ones whenever it is played.
    #[must_use]
    pub fn without_times(mut self) -> Played {
        self.game.to_start();
        loop {
            self.game.note_mut().time = None;
            if !self.game.redo() {
                break;
            }
        }
        self.effort.iter_mut().for_each(|effort| effort.time = Duration::ZERO);
        self
    }

    /// The colour that the first (0) or second (1) of the two players had.
    #[must_use]
    pub fn color_of(&self, player: usize) -> Color {
        if player == self.fixture.black { Color::Black } else { Color::White }
    }

    /// Discs by which the first player won, empty squares going to the winner; nothing for a game given away.
    #[must_use]
    pub fn margin(&self) -> Option<i32> {
        let margin = self.counts.margin();
        let own = if self.color_of(0) == Color::Black { margin } else { -margin };
        self.forfeit.is_none().then_some(own)
    }
}

/// A turn for those who look on: where, who, what, why.
pub struct Turn<'a> {
    /// The position before the move.
    pub position: &'a GridPosition,
    /// The move.
    pub mv: Move<Point>,
    /// What the player said about it; there is nothing to say about forced passes and opening moves.
    pub report: Option<&'a Report>,
}

/// How a game is to be refereed.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Who wins when the discs are counted.
    pub objective: Objective,
    /// How much time there is.
    pub time: TimeControl,
}

/// Lets Black and White play a game from here. Forced passes are made for them. Whoever fails, plays an illegal move or
/// takes too long loses the game at once. Returns nothing if it was stopped.
pub fn referee(
    fixture: Fixture,
    start: GridPosition,
    opening: &[Move<Point>],
    mut players: [&mut dyn Player; 2],
    rules: Rules,
    stop: &Stop,
    mut each: impl FnMut(Turn<'_>),
) -> Option<Played> {
    let mut game = scoresheet(start, rules, [players[0].name(), players[1].name()]);
    let mut effort = [Effort::default(); 2];
    // Whatever it takes to begin is not taken from anybody's time.
    let whole_game = rules.time.whole_game(start.size());
    for (color, player) in Color::BOTH.into_iter().zip(&mut players) {
        if let Err(fault) = player.prepare(whole_game) {
            let forfeit = Forfeit::new(color, fault.into());
            return Some(given_away(fixture, game, forfeit, effort));
        }
    }
    let mut clock = RefereeClock::new(rules.time);
    let mut query = Query::new(start);
    query.objective = Some(rules.objective);
    for mv in opening {
        each(Turn { position: game.position(), mv: *mv, report: None });
        if query.play(*mv).is_err() || game.play(*mv).is_err() {
            break;
        }
    }
    loop {
        let position = *query.position();
        let Some(only) = position.moves().next() else { break };
        if only == Move::Pass {
            each(Turn { position: &position, mv: Move::Pass, report: None });
            query.play(Move::Pass).ok()?;
            game.play(Move::Pass).ok()?;
            continue;
        }
        let side = position.turn() as usize;
        query.limits = Limits { time: clock.longest(side), clocks: clock.clocks(side), ..Limits::default() };
        let begin = Instant::now();
        let answer = players[side].answer(&query, stop, &mut ());
        let time = begin.elapsed();
        if stop.is_requested() {
            return None;
        }
        let counted = counted(time, clock.longest(side), effort[side].moves == 0);
        let spent = clock.spend(side, counted);
        let (mv, report) = match accepted(answer, spent, &position) {
            Ok(accepted) => accepted,
            Err(reason) => {
                let forfeit = Forfeit::new(position.turn(), reason);
                return Some(given_away(fixture, game, forfeit, effort));
            }
        };
        query.play(mv).ok()?;
        game.play(mv).ok()?;
        effort[side].add(Effort { moves: 1, nodes: report.nodes, time });
        each(Turn { position: &position, mv, report: Some(&report) });
        let note = game.note_mut();
        note.time = Some(time);
        // Records keep discs; textbook players count in units of their own.
        note.evaluation = report.discs().map(Evaluation::new);
    }
    let counts = game.position().counts();
    game.result = Some(GameResult::counted(counts.margin()));
    let outcome = counts.outcome(rules.objective);
    Some(Played { fixture, game, counts, outcome, forfeit: None, effort })
}

/// The record of a game that is about to begin.
fn scoresheet(start: GridPosition, rules: Rules, names: [&str; 2]) -> Game {
    let mut game = Game::from_position(start);
    game.objective = rules.objective;
    game.tags.set(tag::BLACK, names[0]);
    game.tags.set(tag::WHITE, names[1]);
    if let Some(main) = rules.time.per_game {
        let clock = emilia_record::Clock { main, increment: rules.time.increment, grace: rules.time.grace };
        game.clocks = emilia_record::Clocks::both(clock);
    }
    game
}

/// How much of the time that a move took counts.
fn counted(time: Duration, longest: Option<Duration>, first_move: bool) -> Duration {
    match longest {
        Some(longest) if first_move && time <= longest + STARTING => time.min(longest),
        _ => time,
    }
}

/// The move of an answer that came in time and is legal; else what the game is lost by.
fn accepted(
    answer: Result<Report, Fault>,
    spent: Result<(), Overstep>,
    position: &GridPosition,
) -> Result<(Move<Point>, Report), ForfeitReason> {
    spent?;
    let report = answer?;
    let mv = report.best_move().ok_or(ForfeitReason::NoMove)?;
    position.play(mv)?;
    Ok((mv, report))
}

/// The game as it stands, lost by the one who gave it away.
fn given_away(fixture: Fixture, mut game: Game, forfeit: Forfeit, effort: [Effort; 2]) -> Played {
    let winner = !forfeit.color;
    game.result = Some(GameResult::Decided { winner: Some(winner), ending: forfeit.ending });
    game.note_mut().add_comment(&format!("{} forfeits: {}", forfeit.color, forfeit.reason));
    let counts = game.position().counts();
    Played { fixture, game, counts, outcome: Outcome::Win(winner), forfeit: Some(forfeit), effort }
}

#[cfg(test)]
mod tests {
    use emilia_engine::{no_files, player};
    use emilia_query::{MoveReport, Watcher};
    use emilia_rules::parse_move;

    use super::*;
    use crate::Schedule;

    /// A program from outside that behaves for two moves, and then no more.
    struct Broken {
        moves: u32,
        way: Way,
        inner: Box<dyn Player>,
    }

    #[derive(Clone, Copy)]
    enum Way {
        Fails,
        Cheats,
        Shrugs,
        Sleeps,
    }

    impl Player for Broken {
        fn name(&self) -> &str {
            "broken"
        }

        fn answer(&mut self, query: &Query, stop: &Stop, watcher: &mut dyn Watcher) -> Result<Report, Fault> {
            self.moves += 1;
            let report = self.inner.answer(query, stop, watcher)?;
            if self.moves <= 2 {
                return Ok(report);
            }
            match self.way {
                Way::Fails => Err(Fault::Illegal { text: "z9".to_owned() }),
                Way::Cheats => {
                    let d4 = parse_move("d4", query.position().size()).unwrap();
                    Ok(Report::of(vec![MoveReport::new(d4)]))
                }
                Way::Shrugs => Ok(Report::default()),
                Way::Sleeps => {
                    std::thread::sleep(Duration::from_millis(30));
                    Ok(report)
                }
            }
        }
    }

    fn played(way: Way, time: TimeControl) -> Played {
        let mut honest = player("first", &no_files).unwrap();
        let mut broken = Broken { moves: 0, way, inner: player("first", &no_files).unwrap() };
        let fixture = Schedule::duel(2).fixture(0).unwrap();
        let rules = Rules { objective: Objective::Most, time };
        let seats: [&mut dyn Player; 2] = [honest.as_mut(), &mut broken];
        referee(fixture, GridPosition::default(), &[], seats, rules, &Stop::default(), |_| {}).unwrap()
    }

    #[test]
    fn whoever_fails_cheats_or_shrugs_loses_the_game_and_the_record_says_why() {
        for (way, reason) in [
            (Way::Fails, "it played \"z9\", which is illegal"),
            (Way::Shrugs, "it did not move"),
            (Way::Cheats, "d4"),
        ] {
            let played = played(way, TimeControl::default());
            let forfeit = played.forfeit.as_ref().unwrap();
            assert_eq!((forfeit.color, forfeit.ending), (Color::White, Ending::Left));
            assert!(forfeit.reason.to_string().contains(reason), "{}", forfeit.reason);
            assert_eq!(played.outcome, Outcome::Win(Color::Black));
            assert_eq!((played.half_points(), played.margin()), (2, None));
            let text = emilia_record::ggf::write(&played.game);
            assert!(text.contains("RE[black:l]") && text.contains("white forfeits: "), "{text}");
            assert_eq!(played.game.main_line().count(), 5);
        }
    }

    #[test]
    fn the_clock_decides_even_if_the_move_was_good() {
        let time = TimeControl {
            per_move: Some(Duration::from_millis(10)),
            grace: Duration::from_millis(10),
            ..TimeControl::default()
        };
        let played = played(Way::Sleeps, time);
        let forfeit = played.forfeit.unwrap();
        let reason = forfeit.reason.to_string();
        assert!(forfeit.is_on_time() && reason.contains("where 0.010 s were left, "), "{reason}");
        assert!(emilia_record::ggf::write(&played.game).contains("RE[black:t]"));
    }

    #[test]
    fn evaluations_and_times_are_kept() {
        let seats = ["emilia:depth=2,hash=1", "alphabeta:depth=1,eval=disc"];
        let mut seats = seats.map(|name| player(name, &no_files).unwrap());
        let fixture = Schedule::duel(1).fixture(0).unwrap();
        let [black, white] = &mut seats;
        let pair: [&mut dyn Player; 2] = [black.as_mut(), white.as_mut()];
        let rules = Rules { objective: Objective::Most, time: TimeControl::default() };
        let played =
            referee(fixture, GridPosition::default(), &[], pair, rules, &Stop::default(), |_| {}).unwrap();
        let notes: Vec<_> = played.game.annotated_line().filter(|(_, mv, _)| *mv != Move::Pass).collect();
        assert!(notes.iter().all(|(_, _, note)| note.time.is_some()));
        // Points of a textbook player are no discs, however few they are.
        let in_discs = |color: &Color| *color == Color::Black;
        assert!(notes.iter().all(|(color, _, note)| note.evaluation.is_some() == in_discs(color)));
        assert_eq!(played.effort[0].moves + played.effort[1].moves, notes.len() as u32);
    }
}
