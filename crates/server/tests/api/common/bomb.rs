//! A file that is small to send and large as an answer.

use emilia_record::{Format, Game, WriteOptions, write};
use emilia_rules::{GridPosition, Playable, Size};

/// Games on 26×26 with variations, 1 MiB of them: small to send, large as an answer.
pub(crate) fn bomb(games: usize, moves_each: usize) -> Vec<u8> {
    let mut state: u64 = 7;
    let mut random = move |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    let one = |random: &mut dyn FnMut(usize) -> usize| {
        let mut game = Game::from_position(GridPosition::start(Size::new(26).unwrap()));
        while game.move_count() < moves_each {
            game.to_start();
            for _ in 0..40 {
                let moves: Vec<_> = game.position().moves().collect();
                if moves.is_empty() {
                    break;
                }
                game.play(moves[random(moves.len())]).unwrap();
            }
        }
        game
    };
    let games: Vec<Game> = (0..games).map(|_| one(&mut random)).collect();
    write(Format::Sgf, &games, &WriteOptions::default()).unwrap()
}
