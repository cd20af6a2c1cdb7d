//! Random games.

use std::time::Duration;

use emilia_record::{Clock, Ending, Evaluation, Game, GameResult, tag};
use emilia_rules::{Color, GridPosition, Objective, Playable, Size, Start};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// A generator of the project's kind.
pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A number below `end`.
pub(crate) fn below(rng: &mut ChaCha8Rng, end: usize) -> usize {
    (rng.next_u64() % end as u64) as usize
}

/// Comments with characters that formats give a meaning.
const WORDS: [&str; 12] = [
    "plain words",
    "brackets [and] more ]",
    "back\\slash \\] \\\\",
    "quotes \"so\" and 'so'",
    "two\nlines\n\nand four",
    "(; not a game ;)",
    "Ünïcödé 黒白 ●○",
    "colon: semicolon; percent %",
    "a/b/c",
    "[%clk 1:00] not ours",
    "1. f5 d6 *",
    "\n[Event \"no\"]\n".trim_ascii(),
];

pub(crate) fn words(rng: &mut ChaCha8Rng) -> String {
    WORDS[below(rng, WORDS.len())].to_owned()
}

/// Goes on from the current position with random moves, at most so many.
pub(crate) fn play_on(game: &mut Game, rng: &mut ChaCha8Rng, moves: usize) {
    for _ in 0..moves {
        let legal: Vec<_> = game.position().moves().collect();
        if legal.is_empty() {
            return;
        }
        game.play(legal[below(rng, legal.len())]).unwrap();
    }
}

/// A game without variations and notes, perhaps from a set-up position.
pub(crate) fn bare_game(rng: &mut ChaCha8Rng, size: Size) -> Game {
    let mut game = match below(rng, 4) {
        0 => Game::with_start(size, Start::Mirrored),
        1 => {
            let mut other = Game::new(size);
            let length = below(rng, size.cells());
            play_on(&mut other, rng, length);
            Game::from_position(*other.position())
        }
        _ => Game::new(size),
    };
    let length = below(rng, size.cells() * 5 / 4);
    play_on(&mut game, rng, length);
    game.to_start();
    game
}

/// Notes beside some moves of the main line, tags, clocks, result.
pub(crate) fn annotate(game: &mut Game, rng: &mut ChaCha8Rng) {
    loop {
        if below(rng, 3) == 0 {
            game.note_mut().comment = words(rng);
        }
        if below(rng, 3) == 0 {
            let discs = (below(rng, 12_800) as f64 - 6400.0) / 100.0;
            game.note_mut().evaluation = Some(Evaluation::new(discs));
        }
        if below(rng, 3) == 0 {
            game.note_mut().time = Some(Duration::from_millis(below(rng, 100_000) as u64));
        }
        if !game.redo() {
            break;
        }
    }
    game.to_start();
    for name in [tag::EVENT, tag::PLACE, tag::DATE, tag::ROUND, tag::BLACK, tag::WHITE, tag::BLACK_RATING] {
        if below(rng, 2) == 0 {
            game.tags.set(name, ["Tom", "2003.12.15", "1720.5", "Ünï \"q\" \\", "x: y; z"][below(rng, 5)]);
        }
    }
    let clock = || Clock {
        main: Duration::from_secs(754),
        increment: Duration::from_millis(2500),
        grace: Duration::from_secs(120),
    };
    match below(rng, 4) {
        0 => (game.clocks.black, game.clocks.white) = (Some(clock()), Some(clock())),
        1 => game.clocks.white = Some(clock()),
        2 => game.clocks.black = Some(Clock { main: Duration::from_secs(900_000), ..clock() }),
        _ => {}
    }
    let ending = Ending::ALL[below(rng, 5)];
    game.result = match below(rng, 5) {
        0 => None,
        1 => Some(GameResult::Decided {
            winner: [None, Some(Color::Black), Some(Color::White)][below(rng, 3)],
            ending,
        }),
        2 => Some(GameResult::Other("adjourned".to_owned())),
        3 => Some(GameResult::Margin { black: below(rng, 200) as f64 / 4.0 - 25.0, ending }),
        _ => Some(GameResult::Margin { black: (below(rng, 65) as f64 - 32.0) * 2.0, ending }),
    };
    if below(rng, 3) == 0 {
        game.objective = Objective::Fewest;
    }
}

/// Adds variations at random places, with notes.
pub(crate) fn branch(game: &mut Game, rng: &mut ChaCha8Rng) {
    for _ in 0..below(rng, 8) {
        let paths: Vec<_> = game.walk().map(|(path, _, _)| path).collect();
        assert!(game.go(&paths[below(rng, paths.len())]));
        let length = 1 + below(rng, 12);
        play_on(game, rng, length);
        game.note_mut().comment = words(rng);
        game.note_mut().evaluation = Some(Evaluation { discs: -2.25, depth: Some("24@98%".to_owned()) });
    }
    game.to_start();
}

/// A position from a random game.
pub(crate) fn position(rng: &mut ChaCha8Rng, size: Size) -> GridPosition {
    let mut game = Game::new(size);
    let length = below(rng, size.cells());
    play_on(&mut game, rng, length);
    *game.position()
}
