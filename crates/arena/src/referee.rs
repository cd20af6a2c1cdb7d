use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use emilia_engine::{Bounds, Decision, GameSoFar, Player, Progress, Stop};
use emilia_record::{Game, GameResult, tag};
use emilia_rules::{Color, Counts, GridPosition, Move, Objective, Outcome, Playable, Point};

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

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its number in the match, from 0. Numbers 2k and 2k + 1 share an opening.
    pub number: u32,
    /// Which of the two players had Black: 0 or 1.
    pub black: usize,
    /// The moves, with times.
    pub game: Game,
    /// The discs at the end.
    pub counts: Counts,
    /// Who won.
    pub outcome: Outcome,
    /// What Black and White put in.
    pub effort: [Effort; 2],
}

/// A turn for those who look on: where, who, what, why.
pub struct Turn<'a> {
    /// The position before the move.
    pub position: &'a GridPosition,
    /// The move, with what the player said about it; forced passes and opening moves have no decision.
    pub mv: Move<Point>,
    /// What led to it.
    pub decision: Option<&'a Decision>,
}

/// Lets Black and White play a game from here. Forced passes are made for them. Returns nothing if it was stopped or a player
/// failed.
pub fn referee(
    start: GridPosition,
    opening: &[Move<Point>],
    players: [&mut Box<dyn Player>; 2],
    objective: Objective,
    stop: &Stop,
    mut each: impl FnMut(Turn<'_>),
) -> Option<Played> {
    let mut game = Game::from_position(start);
    game.objective = objective;
    game.tags.set(tag::BLACK, players[0].name());
    game.tags.set(tag::WHITE, players[1].name());
    let mut effort = [Effort::default(); 2];
    for mv in opening {
        each(Turn { position: game.position(), mv: *mv, decision: None });
        if game.play(*mv).is_err() {
            break;
        }
    }
    loop {
        let position = *game.position();
        let mut moves = position.moves();
        let Some(only) = moves.next() else { break };
        if only == Move::Pass {
            each(Turn { position: &position, mv: Move::Pass, decision: None });
            game.play(Move::Pass).ok()?;
            continue;
        }
        let side = match position.turn() {
            Color::Black => 0,
            Color::White => 1,
        };
        let begin = Instant::now();
        let moves: Vec<Move<Point>> = game.moves().collect();
        let so_far = GameSoFar { start, moves: &moves };
        let mut quiet = |_: &Progress| ControlFlow::Continue(());
        let decision = players[side].think(&position, Bounds::new(stop, &mut quiet).in_game(so_far));
        let time = begin.elapsed();
        if stop.is_requested() {
            return None;
        }
        let decision = decision.ok()??;
        effort[side].add(Effort { moves: 1, nodes: decision.nodes, time });
        each(Turn { position: &position, mv: decision.mv, decision: Some(&decision) });
        game.play(decision.mv).ok()?;
        game.note_mut().time = Some(time);
    }
    let counts = game.position().counts();
    game.result = Some(GameResult::counted(counts.margin()));
    Some(Played { number: 0, black: 0, counts, outcome: counts.outcome(objective), effort, game })
}
