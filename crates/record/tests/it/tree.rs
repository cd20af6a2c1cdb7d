//! The variation tree against a plain model: a map from lines of moves to notes.

use std::collections::BTreeMap;

use crate::common::{below, play_on, rng};
use emilia_record::{Game, Path};
use emilia_rules::{Move, Playable, Point, Size};

/// Every position of a game under the moves that lead to it.
fn model(game: &Game) -> BTreeMap<Vec<Move<Point>>, String> {
    let mut lines: BTreeMap<Path, Vec<Move<Point>>> = BTreeMap::new();
    game.walk()
        .map(|(path, mv, note)| {
            let mut line = path.parent().map_or_else(Vec::new, |parent| lines[&parent].clone());
            line.extend(mv);
            lines.insert(path, line.clone());
            (line, note.comment.clone())
        })
        .collect()
}

#[test]
fn a_game_behaves_like_its_model() {
    let mut rng = rng(21);
    for side in [4, 6, 8, 10] {
        let mut game = Game::new(Size::new(side).unwrap());
        let mut expected = BTreeMap::from([(Vec::new(), String::new())]);
        for step in 0..300 {
            let paths: Vec<Path> = game.walk().map(|(path, _, _)| path).collect();
            let path = &paths[below(&mut rng, paths.len())];
            match below(&mut rng, 8) {
                0 if !path.is_empty() => {
                    let mut moved = game.clone();
                    assert!(moved.go(path));
                    let line: Vec<_> = moved.moves().collect();
                    assert!(game.delete(path));
                    expected.retain(|other, _| !other.starts_with(&line));
                }
                1 => {
                    assert_eq!(game.promote(path), !path.is_empty());
                }
                2 => {
                    game.undo();
                }
                3 => {
                    game.redo();
                }
                _ => {
                    assert!(game.go(path));
                    play_on(&mut game, &mut rng, 1);
                    let line: Vec<_> = game.moves().collect();
                    game.note_mut().comment = step.to_string();
                    expected.insert(line, step.to_string());
                }
            }
            // The current position is what its moves make of the start.
            let replayed = game.moves().try_fold(*game.start(), |position, mv| position.play(mv));
            assert_eq!(replayed.as_ref(), Ok(game.position()));
            assert_eq!(game.position_at(&game.cursor()).as_ref(), Some(game.position()));
        }
        assert_eq!(model(&game), expected);
    }
}

#[test]
fn redo_follows_the_line_that_was_taken_back() {
    let mut game = emilia_record::transcript::parse("f5d6c3").unwrap();
    game.to_end();
    game.undo();
    let c5 = emilia_rules::parse_move("c5", Size::EIGHT).unwrap();
    game.play(c5).unwrap();
    game.undo();
    game.undo();
    game.redo();
    game.redo();
    assert_eq!(game.last_move(), Some(c5));
    assert!(!game.redo());
    game.to_start();
    game.to_end();
    assert_ne!(game.last_move(), Some(c5));
    assert!(!game.go(&"/0/7".parse().unwrap()));
    assert!(!game.delete(&Path::START));
    assert!(game.play(Move::Pass).is_err());
}
