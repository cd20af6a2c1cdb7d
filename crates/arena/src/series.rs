use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use emilia_engine::{Candidate, Player};
use emilia_query::Stop;
use emilia_rules::{GridPosition, Move, Objective, Point, Size, Start};

use crate::{Fixture, Openings, Played, Rules, Schedule, TimeControl, Turn, in_order, referee};

/// What is the same in every game of a match or tournament.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The board.
    pub size: Size,
    /// How the middle is laid out.
    pub start: Start,
    /// Who wins when the discs are counted.
    pub objective: Objective,
    /// How games begin.
    pub openings: Openings,
    /// How much time players have.
    pub time: TimeControl,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            size: Size::EIGHT,
            start: Start::Standard,
            objective: Objective::Most,
            openings: Openings::Start,
            time: TimeControl::default(),
        }
    }
}

impl Terms {
    /// Where games begin, and the moves before the players take over in this pair of games.
    #[must_use]
    pub fn opening(&self, round: u32) -> (GridPosition, Vec<Move<Point>>) {
        let start = GridPosition::start_as(self.size, self.start);
        let opening = self.openings.opening(round, &start);
        (start, opening)
    }

    /// What decides how games go, in words: games with the same words go the same way. The openings are described by
    /// whoever chose them.
    #[must_use]
    pub fn words(&self, openings: &str, seed: u64) -> BTreeMap<String, String> {
        let objective = match self.objective {
            Objective::Most => "most discs",
            Objective::Fewest => "fewest discs",
        };
        let words = [
            ("board", self.size.to_string()),
            ("openings", openings.to_owned()),
            ("seed", seed.to_string()),
            ("time", self.time.to_string()),
            ("won by", objective.to_owned()),
        ];
        // Logs that were begun before there was a choice say nothing about the usual start.
        let mirrored = (self.start == Start::Mirrored).then(|| ("start", "mirrored".to_owned()));
        words.into_iter().chain(mirrored).map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Plays a game and shows every turn. What happens depends on the encounter alone, unless players think by the
    /// clock. Nothing if it was stopped.
    pub fn game(
        &self,
        fixture: Fixture,
        players: &[Candidate],
        stop: &Stop,
        each: impl FnMut(Turn<'_>),
    ) -> Option<Played> {
        let (start, opening) = self.opening(fixture.round);
        let [black, white] = fixture.seats();
        let number = fixture.encounter().into();
        let mut seats = [players.get(black)?.player(number), players.get(white)?.player(number)];
        let [black, white] = &mut seats;
        let pair: [&mut dyn Player; 2] = [black.as_mut(), white.as_mut()];
        let rules = Rules { objective: self.objective, time: self.time };
        referee(fixture, start, &opening, pair, rules, stop, each)
    }
}

/// Games between two or more players.
#[derive(Clone, Debug)]
pub struct Series {
    /// What is the same in every game.
    pub terms: Terms,
    /// Who meets whom.
    pub schedule: Schedule,
    /// Games played at the same time.
    pub threads: usize,
}

impl Series {
    /// Plays the games of these numbers and hands them over in their order, so that results depend on the number of
    /// threads only if players think by the clock. A stop request or an answer to break off ends it; unfinished games do
    /// not count, and the stop request is made.
    pub fn run(
        &self,
        players: &[Candidate],
        numbers: Range<u32>,
        stop: &Stop,
        each: impl FnMut(Played) -> ControlFlow<()>,
    ) {
        let numbers = numbers.start..numbers.end.min(self.schedule.games());
        let play = |number| self.terms.game(self.schedule.fixture(number)?, players, stop, |_| {});
        in_order(numbers, self.threads, stop, play, each);
    }

    /// Plays every game.
    pub fn run_all(&self, players: &[Candidate], stop: &Stop, each: impl FnMut(Played) -> ControlFlow<()>) {
        self.run(players, 0..self.schedule.games(), stop, each);
    }
}

#[cfg(test)]
mod tests {
    use emilia_engine::no_files;
    use emilia_rules::{Color, Outcome};

    use super::*;
    use crate::Standing;

    fn players(names: &[&str]) -> Vec<Candidate> {
        names.iter().map(|name| Candidate::parse(name, &no_files).unwrap()).collect()
    }

    fn series(terms: Terms, games: u32, threads: usize) -> Series {
        Series { terms, schedule: Schedule::duel(games), threads }
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let players = players(&["random:seed=5", "mcts:playouts=30,seed=2"]);
        let lines = |threads| {
            let openings = Openings::Random { plies: 3, seed: 9 };
            let terms = Terms { size: Size::SIX, openings, ..Terms::default() };
            let mut lines = Vec::new();
            series(terms, 12, threads).run_all(&players, &Stop::default(), |played| {
                assert_eq!(played.fixture.number as usize, lines.len());
                lines.push(played.game.main_line().collect::<Vec<_>>());
                ControlFlow::Continue(())
            });
            lines
        };
        assert_eq!(lines(1), lines(3));
    }

    #[test]
    fn colours_alternate_and_an_opening_is_played_with_both() {
        let players = players(&["first", "greedy"]);
        let terms = Terms { openings: Openings::Random { plies: 6, seed: 1 }, ..Terms::default() };
        let mut games = Vec::new();
        series(terms, 6, 1).run_all(&players, &Stop::default(), |played| {
            games.push(played);
            ControlFlow::Continue(())
        });
        for two in games.chunks(2) {
            let opening = |played: &Played| played.game.main_line().take(6).collect::<Vec<_>>();
            assert_eq!(opening(&two[0]), opening(&two[1]));
            assert_eq!((two[0].fixture.black, two[1].fixture.black), (0, 1));
            assert_eq!(two[0].game.tags.value("Black"), two[1].game.tags.value("White"));
        }
        assert_ne!(
            games[0].game.main_line().collect::<Vec<_>>(),
            games[2].game.main_line().collect::<Vec<_>>()
        );
    }

    #[test]
    fn breaking_off_ends_it_early() {
        let stop = Stop::default();
        let mut count = 0;
        series(Terms::default(), 1000, 2).run_all(&players(&["first", "first"]), &stop, |_| {
            count += 1;
            if count == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(count, 7);
        assert!(stop.is_requested());
    }

    /// The published 6×6 duel: Judge has Black, MyJudge wins 27 to 9.
    #[test]
    fn the_duel_of_the_two_evaluators_ends_27_to_9() {
        const MOVES: &str =
            "23 42 54 13 41 45 24 35 15 32 36 53 46 31 62 55 21 63 22 11 51 12 14 16 56 26 64 61 25 65 66 52";
        let players = players(&["s4-judge", "s4-myjudge"]);
        let terms = Terms { size: Size::SIX, ..Terms::default() };
        let fixture = Schedule::duel(1).fixture(0).unwrap();
        let played = terms.game(fixture, &players, &Stop::default(), |_| {}).unwrap();
        let moves: Vec<String> = played
            .game
            .main_line()
            .filter_map(|mv| mv.square())
            .map(|point| format!("{}{}", point.row() + 1, point.column() + 1))
            .collect();
        assert_eq!(moves.join(" "), MOVES);
        assert_eq!((played.counts.white, played.counts.black), (27, 9));
        let mut standing = Standing::default();
        standing.add(&played);
        assert_eq!((standing.losses, standing.discs), (1, [9, 27]));
        assert_eq!(played.outcome, Outcome::Win(Color::White));
    }
}
