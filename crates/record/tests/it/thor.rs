//! The WTHOR database, replayed and written in the plainest way.

use crate::common::{below, play_on, rng};
use emilia_record::thor::{Archive, Directory, Header, Names, NamesKind, Record, Replay};
use emilia_record::{Game, GameResult, tag, transcript};
use emilia_rules::{GridPosition, Playable, Size, SquareSet, Status};
use rand::rngs::ChaCha8Rng;

/// Black's margin, empty squares given to the winner.
fn margin(position: &GridPosition) -> i32 {
    let counts = position.counts();
    let (black, white, empty) = (counts.black as i32, counts.white as i32, counts.empty as i32);
    black - white + empty * (black - white).signum()
}

/// Replays a record as one would by hand: the last position, or the number of the first byte that is no move.
fn replayed(record: Record<'_>, size: Size) -> Result<GridPosition, usize> {
    let mut position = GridPosition::start(size);
    for (ply, square) in (1..).zip(record.squares()) {
        let point = square.ok_or(ply)?;
        if position.status() == Status::MustPass {
            position = position.passed();
        }
        if !position.placements().contains(point) {
            return Err(ply);
        }
        position = position.placed(point);
    }
    Ok(position)
}

/// A random game with its stated result: to its end, or to where a side must pass, or to anywhere.
fn game(rng: &mut ChaCha8Rng, size: Size) -> Game {
    loop {
        let mut game = Game::new(size);
        let stop = [0, 1, 2][below(rng, 3)];
        let length = if stop == 2 { below(rng, size.cells()) } else { size.cells() * 2 };
        while game.ply() < length && !game.position().is_over() {
            if stop == 1 && game.position().status() == Status::MustPass {
                break;
            }
            play_on(&mut game, rng, 1);
        }
        if stop != 1 || game.position().status() == Status::MustPass {
            let error = [0, 0, 2][below(rng, 3)];
            let margin = margin(game.position());
            game.result = Some(GameResult::counted(margin - margin.signum() * error));
            return game;
        }
    }
}

#[test]
fn archives_are_replayed_as_by_hand() {
    let mut rng = rng(41);
    for (side, games) in [(8, 300), (10, 40)] {
        let size = Size::new(side).unwrap();
        let mut archive = Archive::new(Header { century: 20, ..Header::default() }, size).unwrap();
        for _ in 0..games {
            archive.push(&game(&mut rng, size), &Directory::default()).unwrap();
        }
        let mut bytes = archive.to_bytes();
        let width = Record::length(size).unwrap();
        for number in 0..games {
            // Some games get a wrong byte: any at all, or one that stands elsewhere in the game.
            let moves = 16 + number * width + 8;
            let at = moves + below(&mut rng, 40);
            match below(&mut rng, 6) {
                0 => bytes[at] = below(&mut rng, 256) as u8,
                1 => bytes[at] = bytes[moves + below(&mut rng, 40)],
                _ => {}
            }
        }
        let archive = Archive::parse(&bytes).unwrap();
        let mut expected = Replay::default();
        for (number, record) in archive.records().enumerate() {
            match replayed(record, size) {
                Ok(last) => {
                    expected.games += 1;
                    expected.moves += record.squares().count();
                    let stated = 2 * i32::from(record.score()) - size.cells() as i32;
                    expected.confirmed += usize::from(last.is_over() && margin(&last) == stated);
                }
                Err(ply) => expected.broken.push((number, ply)),
            }
        }
        assert!(expected.broken.len() > games / 20 && expected.confirmed > games / 20, "{expected:?}");
        assert_eq!(archive.replay(), expected);
        // And game by game, with the move that is wrong.
        for (number, record) in archive.records().enumerate() {
            let made = archive.game(number, &Directory::default()).unwrap();
            match (replayed(record, size), made) {
                (Ok(last), Ok(mut game)) => {
                    game.to_end();
                    assert_eq!(*game.position(), last);
                }
                (Err(ply), Err(fault)) => {
                    assert!(fault.to_string().starts_with(&format!("move {ply}")), "{fault}")
                }
                (expected, made) => panic!("{record} {expected:?} {made:?}"),
            }
        }
    }
}

/// An archive whose only game has these moves, legal or not.
fn archive(moves: &[String]) -> Archive {
    let mut archive = Archive::new(Header { century: 20, ..Header::default() }, Size::EIGHT).unwrap();
    archive.push(&Game::new(Size::EIGHT), &Directory::default()).unwrap();
    let mut bytes = archive.to_bytes();
    for (at, text) in moves.iter().enumerate() {
        let (column, row) = (text.as_bytes()[0] - b'a' + 1, text.as_bytes()[1] - b'0');
        bytes[16 + 8 + at] = 10 * row + column;
    }
    Archive::parse(&bytes).unwrap()
}

#[test]
fn a_game_that_breaks_the_rules_is_refused_with_the_rule() {
    let fault = |moves: &str, last: &str| {
        let mut game = transcript::parse(moves).unwrap();
        game.to_end();
        let mut squares: Vec<String> =
            game.moves().filter_map(|mv| mv.square()).map(|point| point.to_string()).collect();
        squares.push(last.to_owned());
        let archive = archive(&squares);
        assert_eq!(archive.replay().broken, [(0, squares.len())]);
        archive.game(0, &Directory::default()).unwrap().unwrap_err().to_string()
    };
    // Black has moves, so that White's c5 is none of his.
    assert_eq!(fault("", "c5"), "move 1, \"c5\": c5 flips nothing");
    assert_eq!(fault("", "d4"), "move 1, \"d4\": d4 is occupied");
    assert_eq!(fault("f5d6", "a9"), "move 3: \"byte 91\" is not a move; write a square such as d3, or pass");
    // The shortest game there is.
    assert_eq!(fault("e6f4e3f6g5d6e7f5c5", "a1"), "move 10, \"a1\": the game is over");
    // Where a side must pass, the game is not over.
    let mut rng = rng(42);
    let (passing, barren) = loop {
        let mut game = Game::new(Size::EIGHT);
        while game.position().status() == Status::ToPlace {
            play_on(&mut game, &mut rng, 1);
        }
        let other = game.position().passed();
        let barren = other.empties().into_iter().find(|point| !other.placements().contains(*point));
        if let (Status::MustPass, Some(barren)) = (game.position().status(), barren) {
            break (game, barren);
        }
    };
    let moves = transcript::write(&passing);
    let number = moves.len() / 2 + 1;
    assert_eq!(
        fault(&moves, &barren.to_string()),
        format!("move {number}, \"{barren}\": {barren} flips nothing")
    );
    assert_eq!(fault(&moves, "e4"), format!("move {number}, \"e4\": e4 is occupied"));
}

#[test]
fn the_stated_score_is_blacks_discs() {
    let score = |game: &Game| {
        let mut archive = Archive::new(Header::default(), Size::EIGHT).unwrap();
        archive.push(game, &Directory::default()).unwrap();
        let made = archive.game(0, &Directory::default()).unwrap().unwrap();
        let record = archive.record(0).unwrap();
        (record.score(), record.theory(), made.result.unwrap())
    };
    let mut game = transcript::parse("f5d6c3").unwrap();
    // Nothing is stated: five black discs and two white ones, and the empty squares are Black's.
    assert_eq!(score(&game), (62, 62, GameResult::counted(60)));
    for (margin, discs) in [(12, 38), (-12, 26), (0, 32), (-64, 0)] {
        game.result = Some(GameResult::counted(margin));
        assert_eq!(score(&game), (discs, discs, GameResult::counted(margin)));
    }
    game.tags.set(tag::THEORY, "40");
    assert_eq!(score(&game), (0, 40, GameResult::counted(-64)));
    game.result = Some(GameResult::counted(1000));
    let mut archive = Archive::new(Header::default(), Size::EIGHT).unwrap();
    let error = archive.push(&game, &Directory::default()).unwrap_err();
    assert_eq!(error.to_string(), "WTHOR has no room for margin \"1000\"");
    assert!(archive.is_empty() && archive.record(0).is_none());
}

fn names(kind: NamesKind, list: &[&str]) -> Names {
    let mut names = Names::new(kind, Header { century: 20, ..Header::default() });
    assert!(names.is_empty());
    for (number, name) in (0..).zip(list) {
        assert_eq!(names.add(name), Some(number));
    }
    names
}

#[test]
fn names_have_numbers_and_a_width() {
    for (kind, width) in [(NamesKind::Players, 20), (NamesKind::Tournaments, 26)] {
        let long = "abcdefghijklmnopqrstuvwxyz";
        let list = names(kind, &["", "Émile", "黒 and 白", "a\0b", long]);
        assert_eq!((list.len(), list.is_empty(), list.kind()), (5, false, kind));
        let expected = ["", "Émile", "? and ?", "a?b", &long[..width - 1]];
        assert!(list.iter().eq(expected));
        for (number, name) in (0..).zip(expected) {
            assert_eq!((list.name(number).as_deref(), list.number(name)), (Some(name), Some(number)));
        }
        assert_eq!((list.name(5), list.number("nobody")), (None, None));
        let bytes = list.to_bytes();
        let mut entries = vec![vec![], b"\xc9mile".to_vec(), b"? and ?".to_vec(), b"a?b".to_vec()];
        entries.push(long.as_bytes()[..width - 1].to_vec());
        entries.iter_mut().for_each(|entry| entry.resize(width, 0));
        let header = Header { century: 20, names: 5, ..Header::default() };
        assert_eq!(bytes, [header.to_bytes().to_vec(), entries.concat()].concat());
        assert_eq!(Names::parse(&bytes), Ok(list));
        let fault = Names::parse(&bytes[..bytes.len() - 1]).unwrap_err().to_string();
        let length = bytes.len() - 1;
        assert_eq!(fault, format!("the file is {length} bytes long, but its header asks for 116"));
    }
}

#[test]
fn a_list_of_names_can_be_full() {
    let mut names = Names::new(NamesKind::Players, Header::default());
    assert!((0..u16::MAX).all(|number| names.add("x") == Some(number)));
    assert_eq!((names.add("y"), names.len()), (None, usize::from(u16::MAX)));
}

#[test]
fn games_get_the_names_and_dates_of_their_files() {
    let mut directory = Directory::default();
    directory.add(names(NamesKind::Players, &["?", "Tom", "Kitty"]));
    directory.add(names(NamesKind::Tournaments, &["?", "Open"]));
    let mut game = transcript::parse("f5d6").unwrap();
    for (name, value) in [(tag::EVENT, "Open"), (tag::BLACK, "Kitty"), (tag::WHITE, "Tom")] {
        game.tags.set(name, value);
    }
    let tags = |header: Header, directory: &Directory, reader: &Directory| {
        let mut archive = Archive::new(header, Size::EIGHT).unwrap();
        archive.push(&game, directory).unwrap();
        assert!(!archive.is_empty());
        let game = archive.games(reader).next().unwrap().unwrap();
        game.tags.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
    };
    let dated = Header { played: 1987, depth: 24, ..Header::default() };
    assert_eq!(
        tags(dated, &directory, &directory),
        "Event Open, Date 1987, Black Kitty, White Tom, EventNumber 1, BlackNumber 2, WhiteNumber 1, \
         Theory 32, TheoryDepth 24"
    );
    // Without lists there are numbers alone, and without a date none.
    assert_eq!(
        tags(Header::default(), &directory, &Directory::default()),
        "EventNumber 1, BlackNumber 2, WhiteNumber 1, Theory 32"
    );
    assert_eq!(
        tags(Header::default(), &Directory::default(), &directory),
        "Event ?, Black ?, White ?, EventNumber 0, BlackNumber 0, WhiteNumber 0, Theory 32"
    );
}
