use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;

use emilia_engine::{Candidate, Stop};
use emilia_rules::{GridPosition, Objective, Size, Start};

use crate::{Openings, Played, referee};

/// A match between two players: colours alternate, and each opening is played with both colours.
#[derive(Clone, Debug)]
pub struct Match {
    /// The board.
    pub size: Size,
    /// How the middle is laid out.
    pub start: Start,
    /// Who wins when the discs are counted.
    pub objective: Objective,
    /// Games to play.
    pub games: u32,
    /// How they begin.
    pub openings: Openings,
    /// Games played at the same time.
    pub threads: usize,
}

impl Default for Match {
    fn default() -> Match {
        Match {
            size: Size::EIGHT,
            start: Start::Standard,
            objective: Objective::Most,
            games: 2,
            openings: Openings::Start,
            threads: 1,
        }
    }
}

impl Match {
    /// Plays the match and hands over each game as it ends, in whatever order that is. What happens in a game
    /// depends on its number and not on the threads. A stop request ends it early; unfinished games do not count.
    pub fn run(&self, players: &[Candidate; 2], stop: &Stop, mut each: impl FnMut(Played)) {
        let next = AtomicU32::new(0);
        let (send, receive) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, self.games.max(1) as usize) {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.games || stop.is_requested() {
                            return;
                        }
                        let Some(played) = self.game(number, players, stop) else { return };
                        if send.send(played).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            receive.iter().for_each(&mut each);
        });
    }

    /// Plays the game of this number.
    #[must_use]
    pub fn game(&self, number: u32, players: &[Candidate; 2], stop: &Stop) -> Option<Played> {
        let black = number as usize % 2;
        let start = GridPosition::start_as(self.size, self.start);
        let opening = self.openings.opening(number / 2, &start);
        let mut pair = [players[0].player(number.into()), players[1].player(number.into())];
        let [first, second] = &mut pair;
        let seats = if black == 0 { [first, second] } else { [second, first] };
        let played = referee(start, &opening, seats, self.objective, stop, |_| {})?;
        Some(Played { number, black, ..played })
    }
}

#[cfg(test)]
mod tests {
    use emilia_engine::no_files;
    use emilia_rules::Outcome;

    use super::*;
    use crate::Standing;

    fn pair(first: &str, second: &str) -> [Candidate; 2] {
        [first, second].map(|name| Candidate::parse(name, &no_files).unwrap())
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let players = pair("random:seed=5", "mcts:playouts=30,seed=2");
        let lines = |threads| {
            let contest = Match {
                size: Size::SIX,
                games: 12,
                threads,
                openings: Openings::Random { plies: 3, seed: 9 },
                ..Match::default()
            };
            let mut lines = vec![Vec::new(); 12];
            contest.run(&players, &Stop::default(), |played| {
                lines[played.number as usize] = played.game.main_line().collect();
            });
            lines
        };
        assert_eq!(lines(1), lines(3));
    }

    #[test]
    fn colours_alternate_and_an_opening_is_played_with_both() {
        let players = pair("first", "greedy");
        let openings = Openings::Random { plies: 6, seed: 1 };
        let contest = Match { games: 6, openings, ..Match::default() };
        let mut games = Vec::new();
        contest.run(&players, &Stop::default(), |played| games.push(played));
        games.sort_by_key(|played| played.number);
        for two in games.chunks(2) {
            let opening = |played: &Played| played.game.main_line().take(6).collect::<Vec<_>>();
            assert_eq!(opening(&two[0]), opening(&two[1]));
            assert_eq!((two[0].black, two[1].black), (0, 1));
            assert_eq!(two[0].game.tags.value("Black"), two[1].game.tags.value("White"));
        }
        assert_ne!(
            games[0].game.main_line().collect::<Vec<_>>(),
            games[2].game.main_line().collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_stop_request_ends_the_match_early() {
        let players = pair("first", "first");
        let stop = Stop::default();
        let mut count = 0;
        Match { games: 1000, ..Match::default() }.run(&players, &stop, |_| {
            count += 1;
            stop.request();
        });
        assert!(count < 1000, "{count}");
    }

    /// The published 6×6 duel: Judge has Black, MyJudge wins 27 to 9.
    #[test]
    fn the_duel_of_the_two_evaluators_ends_27_to_9() {
        const MOVES: &str =
            "23 42 54 13 41 45 24 35 15 32 36 53 46 31 62 55 21 63 22 11 51 12 14 16 56 26 64 61 25 65 66 52";
        let players = pair("s4-judge", "s4-myjudge");
        let contest = Match { size: Size::SIX, ..Match::default() };
        let played = contest.game(0, &players, &Stop::default()).unwrap();
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
        assert_eq!(played.outcome, Outcome::Win(emilia_rules::Color::White));
    }
}
