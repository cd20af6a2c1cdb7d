//! How like people players play: moves that people made in tournaments, and who would have made them.

use std::collections::HashMap;

use emilia_engine::{Dice, Player};
use emilia_human::Moment;
use emilia_query::{Fault, Query, Stop};
use emilia_record::thor::{Archive, Record};
use emilia_rules::{Board, GridPosition, Move, Playable, Point, Size, Square};

/// A move that a person made, and the game before it.
#[derive(Clone, Debug)]
pub struct Witnessed {
    /// The game before the move.
    pub query: Query,
    /// The same as the network sees it.
    pub moment: Moment,
    /// Where the disc was placed.
    pub played: Square,
    /// How strong the mover was.
    pub rating: u32,
}

impl Witnessed {
    /// Which disc of the game it is, 1 to 60.
    #[must_use]
    pub fn number(&self) -> u32 {
        61 - self.moment.board().empties().0.count_ones()
    }

    /// Whether a move is the one that was made, or the same but for a symmetry of the board.
    #[must_use]
    pub fn is_played(&self, square: Square) -> bool {
        let board = self.moment.board();
        let after = |square| board.play(square).canonical(Size::EIGHT).0;
        square == self.played || after(square) == after(self.played)
    }
}

/// Draws so many moves from the games of some archives, all equally likely: those with a choice, whose mover has a rating.
/// Players without one, such as programs, are asked for by number and year and left out.
#[must_use]
pub fn draw_moves(
    archives: &[Archive],
    rating: impl Fn(u16, u16) -> Option<u32>,
    count: usize,
    seed: u64,
) -> Vec<Witnessed> {
    let mut dice = Dice::new(seed);
    let (mut drawn, mut seen) = (Vec::new(), 0u32);
    for archive in archives.iter().filter(|archive| archive.size() == Size::EIGHT) {
        let year = archive.header().played;
        for record in archive.records() {
            let ratings = [record.black(), record.white()].map(|player| rating(player, year));
            replay(&record, |moment, black, played, before| {
                let Some(rating) = ratings[usize::from(!black)] else { return };
                if moment.board().moves().0.count_ones() < 2 {
                    return;
                }
                seen += 1;
                // Each move so far is kept with the same chance, however many are still to come.
                let place = if drawn.len() < count { drawn.len() } else { dice.below(seen) as usize };
                let Ok(query) = Query::of_game(GridPosition::default(), before.iter().copied()) else {
                    return;
                };
                let witnessed = Witnessed { query, moment, played, rating };
                if place == drawn.len() && place < count {
                    drawn.push(witnessed);
                } else if place < count {
                    drawn[place] = witnessed;
                }
            });
        }
    }
    drawn
}

/// Goes through a game as far as its moves are legal: the moment, whether it is black's, the disc placed, and the moves
/// before, passes among them.
fn replay(record: &Record<'_>, mut see: impl FnMut(Moment, bool, Square, &[Move<Point>])) {
    let (mut moment, mut black) = (Moment::new(Board::START), true);
    let mut before = Vec::with_capacity(70);
    for point in record.squares() {
        let Some(square) = point.and_then(Point::square) else { return };
        if moment.board().moves().0 == 0 {
            before.push(Move::Pass);
            (moment, black) = (moment.pass(), !black);
        }
        if moment.board().moves().0 >> square.index() & 1 == 0 {
            return;
        }
        see(moment, black, square, &before);
        before.push(Move::Place(Point::from(square)));
        (moment, black) = (moment.play(square), !black);
    }
}

/// How often each move was made on each board in the openings of some games, boards the same but for symmetry counted
/// together.
#[derive(Debug, Default)]
pub struct Frequencies(HashMap<Board, Vec<(Board, u32)>>);

/// Discs placed that are an opening: after so many hardly any game is like another.
const OPENING: u32 = 20;

impl Frequencies {
    /// Counts the moves of these games.
    #[must_use]
    pub fn of(archives: &[Archive]) -> Frequencies {
        let mut counted: HashMap<Board, Vec<(Board, u32)>> = HashMap::new();
        for record in
            archives.iter().filter(|archive| archive.size() == Size::EIGHT).flat_map(Archive::records)
        {
            replay(&record, |moment, _, square, _| {
                let board = moment.board();
                if board.empties().0.count_ones() <= 60 - OPENING {
                    return;
                }
                let after = board.play(square).canonical(Size::EIGHT).0;
                let times = counted.entry(board.canonical(Size::EIGHT).0).or_default();
                match times.iter_mut().find(|(known, _)| *known == after) {
                    Some((_, times)) => *times += 1,
                    None => times.push((after, 1)),
                }
            });
        }
        Frequencies(counted)
    }

    /// The legal moves of a board, the most frequent first; those never made in the order of squares.
    #[must_use]
    pub fn order(&self, board: Board) -> Vec<Square> {
        let counted = self.0.get(&board.canonical(Size::EIGHT).0);
        let times = |square: &Square| {
            let after = board.play(*square).canonical(Size::EIGHT).0;
            counted
                .and_then(|counted| counted.iter().find(|(known, _)| *known == after))
                .map_or(0, |(_, times)| *times)
        };
        let mut moves: Vec<Square> = board.moves().into_iter().collect();
        moves.sort_by_key(|square| std::cmp::Reverse(times(square)));
        moves
    }
}

/// What a player makes of all moves of a position, in discs, in order of squares; nothing where it was stopped.
pub fn values(player: &mut dyn Player, query: &Query, stop: &Stop) -> Result<Option<Vec<f64>>, Fault> {
    let position = query.position();
    let report = player.answer(&query.clone().with_lines(64), stop, &mut ())?;
    let value =
        |mv: Move<Point>| report.moves.iter().find(|found| found.mv == mv).and_then(|found| found.discs());
    Ok(position.moves().map(value).collect())
}

#[cfg(test)]
mod tests {
    use emilia_engine::{no_files, player};

    use super::*;

    fn archive() -> Archive {
        Archive::parse(include_bytes!("../../../data/wthor/WTH_1980.wtb")).unwrap()
    }

    #[test]
    fn drawn_moves_are_those_that_were_made() {
        let drawn =
            draw_moves(&[archive()], |player, year| (player % 2 == 0).then_some(u32::from(year)), 200, 1);
        assert_eq!(drawn.len(), 200);
        for witnessed in &drawn {
            let board = witnessed.moment.board();
            assert!(board.moves().into_iter().any(|square| square == witnessed.played));
            assert_eq!(witnessed.query.position().counts().empty, board.empties().0.count_ones());
            assert_eq!(witnessed.query.position().moves().count(), board.moves().0.count_ones() as usize);
            assert_eq!(witnessed.rating, 1980);
        }
        let spread: std::collections::HashSet<u32> = drawn.iter().map(Witnessed::number).collect();
        assert!(spread.len() > 40, "from all of the game");
        let again =
            draw_moves(&[archive()], |player, year| (player % 2 == 0).then_some(u32::from(year)), 200, 1);
        assert_eq!(again[7].moment, drawn[7].moment);
    }

    #[test]
    fn frequent_moves_come_first_whichever_way_the_board_is_turned() {
        let frequencies = Frequencies::of(&[archive()]);
        let board = Board::START.play(Square::F5);
        // In that year's 160 games f5 was answered 96 times by f6, 51 times by d6 and 13 times by f4.
        assert_eq!(frequencies.order(board), [Square::F6, Square::D6, Square::F4]);
        let usual = frequencies.order(board)[0];
        let mirrored = frequencies.order(Board::START.play(Square::D3))[0];
        let turned = Board::START.play(Square::D3).play(mirrored).canonical(Size::EIGHT).0;
        assert_eq!(turned, board.play(usual).canonical(Size::EIGHT).0);
    }

    #[test]
    fn every_move_has_a_value() {
        let mut shallow = player("emilia:depth=2", &no_files).unwrap();
        let query = Query::new(GridPosition::default());
        let found = values(shallow.as_mut(), &query, &Stop::default()).unwrap().unwrap();
        assert_eq!(found.len(), 4);
    }
}
