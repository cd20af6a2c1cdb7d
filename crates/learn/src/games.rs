use emilia_record::Fault;
use emilia_record::thor::{Archive, Record};
use emilia_rules::{Board, Color, Move, Playable, Position, Size, Status};

/// Tournament games from files of the WTHOR database, replayed.
#[derive(Clone, Debug, Default)]
pub struct Games(Vec<Game>);

/// One game: its boards, each seen by the side to move, and how it ended.
#[derive(Clone, Debug)]
pub struct Game {
    /// The board before each placed disc, and the last one.
    pub boards: Vec<Board>,
    /// Whether Black is to move on each of them.
    pub black: Vec<bool>,
    /// Black's lead at the end, empty squares to the winner.
    pub score: i32,
    /// Black's lead with best play from 24 empty squares on.
    pub theoretical: i32,
}

impl Games {
    /// Adds the 8×8 games of one `.wtb` file. Games with an illegal move are left out.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let archive = Archive::parse(bytes)?;
        if archive.size() == Size::EIGHT {
            self.0.extend(archive.records().filter_map(|record| replay(&record)));
        }
        Ok(())
    }

    /// The games read so far.
    #[must_use]
    pub fn all(&self) -> &[Game] {
        &self.0
    }
}

/// Plays the moves of a record; passes are not stored there.
fn replay(record: &Record<'_>) -> Option<Game> {
    let lead = |discs: u8| 2 * i32::from(discs) - 64;
    let mut position = Position::default();
    let mut game = Game {
        boards: vec![position.board()],
        black: vec![true],
        score: lead(record.score()),
        theoretical: lead(record.theory()),
    };
    for point in record.squares() {
        position = position.play(Move::Place(point?.square()?)).ok()?;
        if position.status() == Status::MustPass {
            position = position.passed();
        }
        game.boards.push(position.board());
        game.black.push(position.turn() == Color::Black);
    }
    Some(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_game_is_replayed() {
        let bytes: Vec<u8> =
            (0..168).step_by(2).map(|at| u8::from_str_radix(&TEST_FILE[at..at + 2], 16).unwrap()).collect();
        let mut games = Games::default();
        games.add(&bytes).unwrap();
        let game = &games.all()[0];
        assert_eq!((game.score, game.theoretical), (-2, 14));
        assert_eq!(game.boards.len(), 61);
        assert!(games.add(&bytes[1..]).is_err());
    }

    /// The sample file of the format's description: one game of 1980 that ended 31–33.
    const TEST_FILE: &str = "14010405010000000000bc0700000000\
        4600bd012c021f27382e2318191a0f42414a2f2224101125392643444b544c3f5556535235492b0e0d403a304d2021341f2a3d29\
        331617153e474e58571b121c51480b0c";
}
