//! Many boards at once, compared with each of them alone.

use emilia_rules::batch::{self, IllegalAt, PASS, Words};
use emilia_rules::{
    Board, GridPosition, Kernel, Move, Playable, Position, Size, SquareSet, Symmetry, Task, Tier,
};

use crate::common::{Dice, random_game};

const SIZES: [usize; 3] = [4, 6, 8];

fn words(board: Board) -> Words {
    [board.own.0, board.opponent.0]
}

/// Positions of random games, the last ones included.
fn positions(size: Size) -> Vec<Position> {
    let mut dice = Dice(u64::from(size.get()) + 5);
    let games = (0..40).flat_map(|_| random_game(size, &mut dice));
    games.map(|position: GridPosition| Position::try_from(&position).unwrap()).collect()
}

#[test]
fn every_tier_finds_for_many_boards_what_is_found_for_each() {
    for size in SIZES.map(|side| Size::new(side).unwrap()) {
        let positions = positions(size);
        let boards: Vec<Words> = positions.iter().map(|position| words(position.board())).collect();
        assert!(positions.iter().any(Playable::is_over));
        for tier in Tier::available() {
            let mut moves = vec![1; boards.len()];
            batch::moves(tier, &boards, size, &mut moves);
            assert!(positions.iter().zip(&moves).all(|(position, moves)| position.placements().0 == *moves));
            let mut over = vec![false; boards.len()];
            batch::over(tier, &boards, size, &mut over);
            assert!(positions.iter().zip(&over).all(|(position, over)| position.is_over() == *over));
            let mut scores = vec![0; boards.len()];
            batch::scores(tier, &boards, size, &mut scores);
            for (position, score) in positions.iter().zip(scores) {
                let margin = position.counts().margin();
                let own = if position.turn() == emilia_rules::Color::Black { margin } else { -margin };
                assert_eq!(i32::from(score), own);
            }
            let mut canonical = vec![[0; 2]; boards.len()];
            batch::canonical(tier, &boards, size, &mut canonical);
            assert!(positions.iter().zip(canonical).all(|(p, found)| words(p.canonical().board()) == found));
            for symmetry in Symmetry::ALL {
                let mut turned = vec![[0; 2]; boards.len()];
                batch::transformed(tier, &boards, symmetry, size, &mut turned);
                let each = positions.iter().map(|position| words(position.transformed(symmetry).board()));
                assert!(each.eq(turned));
            }
        }
    }
}

/// Every square of every board is tried, legal or not.
#[test]
fn flips_and_plays_are_those_of_single_boards() {
    for size in SIZES.map(|side| Size::new(side).unwrap()) {
        for tier in Tier::available() {
            for position in positions(size).into_iter().step_by(3) {
                let squares: Vec<u8> = (0..=u8::MAX).collect();
                let boards = vec![words(position.board()); squares.len()];
                let mut flips = vec![0; squares.len()];
                batch::flips(tier, &boards, &squares, &mut flips);
                let mut next = [[0; 2]];
                for (number, square) in squares.iter().enumerate() {
                    let mv = match *square {
                        0..64 => Move::Place(emilia_rules::Square::from_index(*square).unwrap()),
                        _ => Move::Pass,
                    };
                    let legal = position.play(mv).ok().filter(|_| *square <= PASS);
                    let played = batch::play(tier, &boards[..1], &squares[number..=number], size, &mut next);
                    assert_eq!(batch::check(tier, &boards[..1], &squares[number..=number], size), played);
                    match (legal, mv) {
                        (Some(legal), Move::Place(place)) => {
                            assert_eq!(flips[number], position.flips(place).0);
                            assert_eq!((played, next[0]), (Ok(()), words(legal.board())));
                        }
                        (Some(legal), Move::Pass) => {
                            assert_eq!((played, next[0]), (Ok(()), words(legal.board())));
                        }
                        (None, _) => assert_eq!(played, Err(IllegalAt { at: 0, square: *square })),
                    }
                }
            }
        }
    }
}

#[test]
fn the_first_illegal_move_is_named() {
    let boards = [words(Board::START); 20];
    let mut squares = [19; 20];
    let mut next = [[0; 2]; 20];
    for tier in Tier::available() {
        assert_eq!(batch::play(tier, &boards, &squares, Size::EIGHT, &mut next), Ok(()));
        (squares[13], squares[17]) = (0, 64);
        let error = batch::play(tier, &boards, &squares, Size::EIGHT, &mut next).unwrap_err();
        assert_eq!(error.to_string(), "board 13: move 0 is illegal");
        squares = [19; 20];
    }
}

struct Games(Size, u64);

impl Task for Games {
    type Output = (Vec<u8>, Board);

    fn run<K: Kernel>(self, kernel: K) -> (Vec<u8>, Board) {
        let (mut dice, mut placed) = (Dice(self.1), Vec::new());
        let start = Position::try_from(&GridPosition::start(self.0)).unwrap().board();
        let below = |bound: u32| dice.below(bound as usize) as u32;
        let end = batch::random_game(kernel, start, self.0, below, |square| placed.push(square));
        (placed, end)
    }
}

#[test]
fn random_games_are_legal_and_come_to_an_end() {
    for size in SIZES.map(|side| Size::new(side).unwrap()) {
        let mut passes = 0;
        for seed in 1..200 {
            let (placed, end) = Tier::best().run(Games(size, seed));
            let mut position = Position::try_from(&GridPosition::start(size)).unwrap();
            for square in &placed {
                let square = emilia_rules::Square::from_index(*square).unwrap();
                if !position.placements().contains(square) {
                    position = position.play(Move::Pass).unwrap();
                    passes += 1;
                }
                position = position.play(Move::Place(square)).unwrap();
            }
            assert!(position.is_over());
            let black = Board {
                own: position.discs(emilia_rules::Color::Black),
                opponent: position.discs(emilia_rules::Color::White),
            };
            assert_eq!(end, black);
            assert!(Tier::available().all(|tier| tier.run(Games(size, seed)) == (placed.clone(), end)));
        }
        assert!(passes > 0);
    }
}

struct Answer(Board, Size, u64);

impl Task for Answer {
    type Output = batch::Answered;

    fn run<K: Kernel>(self, kernel: K) -> batch::Answered {
        let mut dice = Dice(self.2);
        batch::random_answer(kernel, self.0, self.1, |bound| dice.below(bound as usize) as u32)
    }
}

#[test]
fn a_random_answer_is_one_that_the_rules_allow() {
    let size = Size::SIX;
    let mut forced = 0;
    for (seed, position) in (1..).zip(positions(size)) {
        let found = Tier::best().run(Answer(position.board(), size, seed));
        // Every position in which the other side can place again, or nobody can, after discs of one side alone.
        let mut open = vec![position];
        let mut allowed = Vec::new();
        while let Some(position) = open.pop() {
            let places: Vec<_> = position.placements().into_iter().collect();
            if places.is_empty() {
                allowed.push(position.passed());
            }
            for place in places {
                let next = position.placed(place);
                if next.placements().is_empty() && !next.passed().placements().is_empty() {
                    open.push(next.passed());
                    forced += 1;
                } else {
                    allowed.push(next);
                }
            }
        }
        let next = allowed.iter().find(|position| position.board() == found.board).unwrap();
        assert_eq!(next.placements(), found.moves);
    }
    assert!(forced > 0);
}
