//! People: players who err like people of a rating.

use emilia_classic::Dice;
use emilia_eval::Learned;
use emilia_human::{Moment, Network, Person, Style, draw};
use emilia_query::{Fault, Limits, MoveReport, Query, Report, Selectivity, Source, Stop, Value, Watcher};
use emilia_rules::{GridPosition, Move, Objective, Playable, Point, Position, Size, Square};
use emilia_search::{GridMemory, GridSearch, Search, Table};

use crate::one_by_one::{OneByOne, finished_in_discs};
use crate::spec::Settings;
use crate::{Player, PlayerError};

/// Memory for the little that a person looks ahead.
const MEGABYTES: usize = 1;

/// Reads the settings of such a player: the person, and where the dice begin.
pub(crate) fn person(settings: &Settings<'_>) -> Result<(Person, u64), PlayerError> {
    let (low, high) = (u64::from(*Person::RATINGS.start()), u64::from(*Person::RATINGS.end()));
    let rating = settings.number("rating", low, high)? as u32;
    let style: Style = settings.parsed("style", |text| text.parse().ok())?;
    Ok((Person::new(rating, style), settings.number("seed", 0, u64::MAX)?))
}

/// A person at the board.
pub(crate) struct HumanPlayer {
    name: String,
    person: Person,
    dice: Dice,
    table: Option<Table>,
}

impl HumanPlayer {
    pub(crate) fn new(name: &str, person: Person, seed: u64) -> HumanPlayer {
        HumanPlayer { name: name.to_owned(), person, dice: Dice::new(seed), table: None }
    }

    /// What a look ahead makes of every move of an 8×8 board, in discs.
    fn look_ahead(&mut self, position: &Position, depth: u32, stop: &Stop) -> Result<Report, Fault> {
        let table = match &mut self.table {
            Some(table) => table,
            none => none.insert(Table::new(MEGABYTES).map_err(|_| Fault::NoMemory { megabytes: MEGABYTES })?),
        };
        // What earlier looks have left in the table must not change what this one finds.
        table.clear();
        let mut search = Search::new(Learned::embedded(), table, stop);
        search.limits = Limits { selectivity: Some(Selectivity::Certain), ..Limits::depth(depth) };
        search.lines = 64;
        Ok(search.run(position, &mut ()))
    }

    /// On 8×8 with most discs to win: as people play.
    fn as_people_do(&mut self, query: &Query, position: &Position, stop: &Stop) -> Result<Report, Fault> {
        let moment = moment(query, position);
        let empties = moment.board().empties().0.count_ones();
        let mut values = Vec::new();
        if let Some(depth) = self.person.ahead(empties) {
            let report = self.look_ahead(position, depth, stop)?;
            values = report
                .moves
                .iter()
                .filter_map(|found| Some((found.mv.square()?.square()?, found.discs()?)))
                .collect();
        }
        let value =
            |square: Square| values.iter().find(|(known, _)| *known == square).map(|(_, value)| *value);
        let leanings = Network::embedded().leanings(&moment, self.person.seen_as());
        let known: Option<Vec<f64>> = leanings.iter().map(|(square, _)| value(*square)).collect();
        let chances = self.person.chances(&moment, &leanings, known.as_deref());
        let chances: Vec<_> =
            chances.into_iter().map(|(square, chance)| (Move::Place(Point::from(square)), chance)).collect();
        Ok(self.decide(query, &chances, |mv| value(mv.square()?.square()?).map(Value::Discs)))
    }

    /// On other boards, and where fewest discs win, there are no games to learn from: a look of one ply ahead, more or less
    /// heeded.
    fn by_values(&mut self, query: &Query, objective: Objective, stop: &Stop) -> Result<Report, Fault> {
        let mut all = query.clone().with_lines(usize::MAX);
        all.among = None;
        let search = GridSearch { limits: Limits::depth(1), objective };
        let mut memory = GridMemory::new(MEGABYTES);
        let one_by_one =
            OneByOne { query: &all, time: None, stop, watcher: &mut (), source: Source::Textbook };
        let finished = |over: &GridPosition| finished_in_discs(over, objective);
        let report = one_by_one.judge(finished, |next, _, watcher| {
            Ok(search.run(next.position(), &mut memory, stop, watcher))
        })?;
        let values: Vec<f64> = report.moves.iter().filter_map(MoveReport::discs).collect();
        let chances = self.person.chances_by_values(&values);
        let moves = report.moves.iter().filter(|found| found.discs().is_some()).map(|found| found.mv);
        let chances: Vec<_> = moves.zip(chances).collect();
        Ok(self.decide(query, &chances, |mv| {
            report.moves.iter().find(|found| found.mv == mv).and_then(|found| found.value)
        }))
    }

    /// Draws the move; the others follow, the likelier first.
    fn decide(
        &mut self,
        query: &Query,
        chances: &[(Move<Point>, f64)],
        value: impl Fn(Move<Point>) -> Option<Value>,
    ) -> Report {
        let candidates = query.candidates();
        let mut able: Vec<_> = chances.iter().copied().filter(|(mv, _)| candidates.contains(mv)).collect();
        let drawn = draw(&able, self.dice.fraction()).or(candidates.first().copied());
        able.sort_by(|one, other| other.1.total_cmp(&one.1));
        let others = able.iter().map(|(mv, _)| *mv).filter(|mv| Some(*mv) != drawn);
        let moves = drawn.into_iter().chain(others).take(query.lines.max(1));
        let moves = moves.map(|mv| MoveReport { value: value(mv), ..MoveReport::new(mv) }).collect();
        Report { source: Source::Textbook, nodes: 1, ..Report::of(moves) }
    }
}

/// What the network knows of the game: the board, and the last discs placed where they are known.
fn moment(query: &Query, position: &Position) -> Moment {
    let placed = query.moves().iter().rev().filter_map(|mv| mv.square()?.square());
    Moment::new(position.board()).after(placed)
}

impl Player for HumanPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&mut self, query: &Query, stop: &Stop, watcher: &mut dyn Watcher) -> Result<Report, Fault> {
        if query.position().is_over() {
            return Ok(Report::default());
        }
        let candidates = query.candidates();
        if let [only] = candidates[..] {
            return Ok(Report {
                source: Source::Textbook,
                nodes: 1,
                ..Report::of(vec![MoveReport::new(only)])
            });
        }
        let objective = query.objective.unwrap_or_default();
        let small = Position::try_from(query.position()).ok().filter(|small| small.size() == Size::EIGHT);
        let report = match small.filter(|_| objective == Objective::Most) {
            Some(position) => self.as_people_do(query, &position, stop)?,
            None => self.by_values(query, objective, stop)?,
        };
        let _ = watcher.report(&report);
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use emilia_rules::{Color, parse_move};

    use super::*;
    use crate::{Candidate, no_files};

    /// The moves of a player against himself in the game of this number.
    fn game(name: &str, number: u64, plies: usize) -> Vec<Move<Point>> {
        let candidate = Candidate::parse(name, &no_files).unwrap();
        let mut player = candidate.player(number);
        let mut query = Query::new(GridPosition::default());
        for _ in 0..plies {
            let report = player.answer(&query, &Stop::default(), &mut ()).unwrap();
            query.play(report.best_move().unwrap()).unwrap();
        }
        query.moves().to_vec()
    }

    #[test]
    fn the_same_seed_makes_the_same_moves_and_others_make_others() {
        let name = "human:rating=1700,seed=5";
        assert_eq!(game(name, 1, 12), game(name, 1, 12));
        assert_ne!(game(name, 1, 12), game(name, 2, 12));
        assert_ne!(game(name, 1, 12), game("human:rating=1700,seed=6", 1, 12));
    }

    #[test]
    fn settings_out_of_bounds_are_refused_by_name() {
        let error = |text: &str| Candidate::parse(text, &no_files).unwrap_err().to_string();
        let rating = "rating=799: expected a number from 800 (a first game) to 2400 (a world champion)";
        assert_eq!(error("human:rating=799"), rating);
        assert_eq!(error("human:style=bold"), "style=bold: expected usual, greedy, quiet or edges");
        assert!(error("human:ratng=900").contains("did you mean rating?"));
    }

    #[test]
    fn only_moves_asked_about_are_made_and_several_can_be_asked_for() {
        let mut player = Candidate::parse("hana:seed=1", &no_files).unwrap().player(0);
        let mut query = Query::new(GridPosition::default());
        query.play(parse_move("f5", Size::EIGHT).unwrap()).unwrap();
        let all = player.answer(&query.clone().with_lines(9), &Stop::default(), &mut ()).unwrap();
        assert_eq!(all.moves.len(), 3);
        let only = parse_move("f4", Size::EIGHT).unwrap();
        query.among = Some(vec![only]);
        assert_eq!(player.answer(&query, &Stop::default(), &mut ()).unwrap().best_move(), Some(only));
    }

    /// Takes a corner where it can, else the move that turns most discs: what somebody plays who has heard of corners.
    fn newcomer(position: &GridPosition) -> Move<Point> {
        let small = Position::try_from(position).unwrap().board();
        let corner = |square: &Square| [0, 7].contains(&square.row()) && [0, 7].contains(&square.column());
        let best = small
            .moves()
            .into_iter()
            .max_by_key(|square| (corner(square), small.flips(*square).0.count_ones()));
        best.map_or(Move::Pass, |square| Move::Place(Point::from(square)))
    }

    /// The share that the newcomer gets of some games against a person, each colour every second time.
    fn share_of_newcomer(name: &str, games: u64) -> f64 {
        let candidate = Candidate::parse(name, &no_files).unwrap();
        let points = (0..games).map(|number| {
            let (mut person, mut query) = (candidate.player(number), Query::new(GridPosition::default()));
            let color = if number % 2 == 0 { Color::Black } else { Color::White };
            while !query.position().is_over() {
                let mv = if query.position().turn() == color {
                    newcomer(query.position())
                } else {
                    person.answer(&query, &Stop::default(), &mut ()).unwrap().best_move().unwrap()
                };
                query.play(mv).unwrap();
            }
            let margin = query.position().counts().margin();
            let mine = if color == Color::Black { margin } else { -margin };
            f64::from(mine.signum() + 1) / 2.0
        });
        points.sum::<f64>() / games as f64
    }

    #[test]
    fn somebody_who_has_heard_of_corners_beats_the_first_person_and_loses_to_the_second() {
        let (first, second) = (share_of_newcomer("mia:seed=1", 40), share_of_newcomer("tom:seed=1", 40));
        assert!(first >= 0.6, "{first}");
        assert!(second <= 0.4, "{second}");
    }
}
