//! What is written is read back the same, on every board.

use crate::common::{annotate, bare_game, below, branch, position, rng};
use emilia_record::{Exercise, Format, Game, Hint, Item, Study, WriteOptions, read, write};
use emilia_record::{board, fen, ggf, json, obf, pgn, sgf, transcript};
use emilia_rules::{Playable, Size};

/// Random games of each size; fewer of the large ones, which take longer.
fn games(seed: u64, mut make: impl FnMut(&mut rand::rngs::ChaCha8Rng, Size) -> Game) -> Vec<Game> {
    let mut rng = rng(seed);
    Size::all()
        .flat_map(|size| std::iter::repeat_n(size, if size.get() <= 10 { 40 } else { 6 }))
        .map(|size| make(&mut rng, size))
        .collect()
}

/// Writes the games as one file and reads them back through the door.
fn through_a_file(format: Format, games: &[Game]) -> Vec<Game> {
    let bytes = write(format, games, &WriteOptions::default()).unwrap();
    let reading = read(&bytes, &Hint::default()).unwrap();
    assert_eq!(reading.format, format);
    assert_eq!(reading.problems, []);
    reading.into_games(&Default::default())
}

#[test]
fn json_keeps_everything() {
    let games = games(1, |rng, size| {
        let mut game = bare_game(rng, size);
        annotate(&mut game, rng);
        branch(&mut game, rng);
        game.tags.set("Any name at all", "any\nvalue");
        game
    });
    for game in &games {
        assert_eq!(json::parse(&json::write(game)).as_ref(), Ok(game));
        assert_eq!(json::from_value(json::to_value(game)).as_ref(), Ok(game));
    }
    assert!(through_a_file(Format::Json, &games) == games);
}

#[test]
fn sgf_keeps_the_tree() {
    let games = games(2, |rng, size| {
        let mut game = bare_game(rng, size);
        annotate(&mut game, rng);
        branch(&mut game, rng);
        game.tags.set("KM", "0.5");
        game
    });
    for game in &games {
        let text = sgf::write(game);
        assert!(sgf::parse(&text).as_ref() == Ok(game), "{text}");
    }
    assert!(through_a_file(Format::Sgf, &games) == games);
}

#[test]
fn a_study_is_the_same_after_it_was_a_file() {
    let mut number = 0;
    let chapters = games(8, |rng, size| {
        let mut game = bare_game(rng, size);
        annotate(&mut game, rng);
        branch(&mut game, rng);
        number += 1;
        game.tags.set(Study::CHAPTER, &format!("Chapter [{number}] (;\\"));
        let path = game.cursor();
        for text in
            ["AR a1 d4", "TR b2", "LB a1 A]:", "LN a4 d1", "SQ c3", "MA d4", "CR a2", "TR a1", "TR b2"]
        {
            let note = game.note_at_mut(&path).unwrap();
            note.comment.push_str(" (;GM[2] \n(;FF[4] ");
            note.markings.push(text.parse().unwrap());
        }
        game
    });
    let mut study = Study { title: "All [of] it (;".to_owned(), chapters };
    study.tidy();
    let file = study.to_sgf();
    let reading = read(file.as_bytes(), &Hint::default()).unwrap();
    assert_eq!((reading.format, reading.problems.len()), (Format::Sgf, 0));
    let again = Study::from_games(reading.into_games(&Default::default()));
    assert!(again == study);
    assert!(again.to_sgf() == file);
}

#[test]
fn pgn_keeps_the_tree() {
    let games = games(3, |rng, size| {
        let mut game = bare_game(rng, size);
        annotate(&mut game, rng);
        branch(&mut game, rng);
        game.tags.set("Annotator", "A \"B\" \\ C");
        game
    });
    for game in &games {
        let text = pgn::write(game);
        assert!(pgn::parse(&text).as_ref() == Ok(game), "{text}");
    }
    assert!(through_a_file(Format::Pgn, &games) == games);
}

/// What GGF cannot write becomes something it can.
fn as_ggf_writes(game: &Game) -> Game {
    let mut game = game.clone();
    let clean = |comment: &mut String| *comment = comment.replace(']', ")").replace("(;", "( ;");
    clean(&mut game.note_mut().comment);
    game.note_mut().evaluation = None;
    game.note_mut().time = None;
    while game.redo() {
        clean(&mut game.note_mut().comment);
    }
    game
}

#[test]
fn ggf_keeps_the_main_line() {
    let games = games(4, |rng, size| {
        let mut game = bare_game(rng, size);
        annotate(&mut game, rng);
        game.tags.set("KM", "0.5");
        if below(rng, 3) == 0 {
            let anti = if game.objective == emilia_rules::Objective::Fewest { "a" } else { "" };
            game.tags.set(emilia_record::tag::MATCH_TYPE, &format!("s{}{anti}r20", size.get()));
        }
        game
    });
    for game in &games {
        let text = ggf::write(game);
        assert!(ggf::parse(&text).as_ref() == Ok(&as_ggf_writes(game)), "{text}");
    }
    assert!(through_a_file(Format::Ggf, &games) == games.iter().map(as_ggf_writes).collect::<Vec<_>>());
}

#[test]
fn transcripts_keep_the_moves() {
    let games = games(5, bare_game);
    for game in &games {
        assert_eq!(transcript::parse(&transcript::write(game)).as_ref(), Ok(game));
        let shouted = transcript::write(game).to_uppercase();
        assert_eq!(transcript::parse(&shouted).as_ref(), Ok(game));
    }
    let played: Vec<Game> = games.into_iter().filter(|game| !transcript::write(game).is_empty()).collect();
    assert!(through_a_file(Format::Transcript, &played) == played);
}

#[test]
fn boards_keep_the_position() {
    let mut rng = rng(6);
    for size in Size::all() {
        for _ in 0..20 {
            let position = position(&mut rng, size);
            assert_eq!(board::parse(&board::write(&position)), Ok(position));
            assert_eq!(fen::parse(&fen::write(&position)), Ok(position));
            assert_eq!(fen::parse(&fen::write_xboard(&position)), Ok(position));
            for text in [board::write(&position), fen::write(&position)] {
                let reading = read(text.as_bytes(), &Hint::default()).unwrap();
                assert_eq!(reading.format, Format::Board, "{text}");
                assert_eq!(reading.items, [Item::Exercise(Box::new(Exercise::new(position)))]);
            }
        }
    }
}

#[test]
fn obf_keeps_scores() {
    let mut rng = rng(7);
    let mut exercises = Vec::new();
    for size in Size::all() {
        for _ in 0..20 {
            let mut exercise = Exercise::new(position(&mut rng, size));
            exercise.scores =
                exercise.position.moves().map(|mv| (mv, below(&mut rng, 129) as i32 - 64)).collect();
            exercise.best = (below(&mut rng, 3) == 0).then_some(-12);
            exercise.comment = ["", "a comment; with: signs % and more"][below(&mut rng, 2)].to_owned();
            assert_eq!(obf::parse(&obf::write_line(&exercise)), Ok(Some(exercise.clone())));
            exercises.push(exercise);
        }
    }
    let games: Vec<Game> = exercises.iter().map(Exercise::to_game).collect();
    let bytes = write(Format::Obf, &games, &WriteOptions::default()).unwrap();
    let reading = read(&bytes, &Hint::default()).unwrap();
    assert_eq!((reading.format, reading.problems.as_slice()), (Format::Obf, [].as_slice()));
    let expected: Vec<Item> =
        exercises.into_iter().map(|exercise| Item::Exercise(Box::new(exercise))).collect();
    assert_eq!(reading.items, expected);
}

#[test]
fn wthor_keeps_the_moves_on_its_two_boards() {
    use emilia_record::thor::{Archive, Directory, Header};
    let mut rng = rng(8);
    for side in [8, 10] {
        let size = Size::new(side).unwrap();
        let mut archive = Archive::new(Header { century: 20, ..Header::default() }, size).unwrap();
        let mut games = Vec::new();
        while games.len() < 100 {
            let mut game = Game::new(size);
            let length = below(&mut rng, size.cells());
            crate::common::play_on(&mut game, &mut rng, length);
            // A pass at the very end is not kept.
            if game.last_move() == Some(emilia_rules::Move::Pass) {
                game.delete(&game.cursor());
            }
            game.to_start();
            archive.push(&game, &Directory::default()).unwrap();
            games.push(game);
        }
        let replay = archive.replay();
        assert_eq!((replay.games, replay.broken.len()), (100, 0));
        let read = Archive::parse(&archive.to_bytes()).unwrap();
        assert_eq!(read, archive);
        for (game, read) in games.iter().zip(read.games(&Directory::default())) {
            assert!(game.main_line().eq(read.unwrap().main_line()));
        }
    }
}

#[test]
fn what_wthor_has_no_room_for_is_refused() {
    let refused =
        |game: Game| write(Format::Wthor, &[game], &WriteOptions::default()).unwrap_err().to_string();
    assert_eq!(refused(Game::new(Size::SIX)), "game 1: wthor has no boards of 6×6");
    let mirrored = Game::with_start(Size::EIGHT, emilia_rules::Start::Mirrored);
    assert_eq!(refused(mirrored), "game 1: wthor knows only games from the usual start");
    let mut game = Game::new(Size::EIGHT);
    game.tags.set(emilia_record::tag::BLACK_NUMBER, "70000");
    assert_eq!(refused(game), "game 1: wthor has no room for black player \"70000\"");
}
