//! What the documentation promises, held to the plainest way of saying it.

use std::time::Duration;

use crate::common::{below, play_on, rng};
use emilia_record::{
    Clock, Clocks, Ending, Evaluation, Exercise, Format, Game, GameResult, Holds, Marking, Note, Opening,
    Path, Shape, Tags, ggf, json, tag, transcript,
};
use emilia_rules::{Color, GridPosition, Move, Objective, Playable, Point, Size, Start, parse_move};

fn mv(text: &str) -> Move<Point> {
    parse_move(text, Size::EIGHT).unwrap()
}

fn point(text: &str) -> Point {
    mv(text).square().unwrap()
}

/// A game with these lines, the first of them the main one.
fn lines(lines: &[&[&str]]) -> Game {
    let mut game = Game::new(Size::EIGHT);
    for line in lines {
        game.to_start();
        line.iter().for_each(|text| game.play(mv(text)).unwrap());
    }
    game.to_start();
    game
}

#[test]
fn games_are_equal_if_and_only_if_all_that_is_recorded_is() {
    let game = lines(&[&["f5", "d6", "c3"], &["f5", "f6"]]);
    let mut elsewhere = game.clone();
    elsewhere.to_end();
    assert_eq!(game, elsewhere);
    let changes: [fn(&mut Game); 9] = [
        |game| game.objective = Objective::Fewest,
        |game| game.tags.set(tag::BLACK, "Tom"),
        |game| game.clocks.white = Some(Clock::default()),
        |game| game.result = Some(GameResult::counted(2)),
        |game| game.note_mut().comment = "a word".to_owned(),
        |game| game.note_at_mut(&"/0/1".parse().unwrap()).unwrap().time = Some(Duration::ZERO),
        |game| game.play(mv("c4")).unwrap(),
        |game| assert!(game.promote(&"/0/1".parse().unwrap())),
        |game| assert!(game.delete(&"/0/0/0".parse().unwrap())),
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut other = game.clone();
        change(&mut other);
        assert_ne!(game, other, "{number}");
    }
    assert_ne!(Game::new(Size::EIGHT), Game::with_start(Size::EIGHT, Start::Mirrored));
    // The same moves one after the other, but not in the same places of the tree.
    assert_ne!(lines(&[&["f5", "d6", "c4"]]), lines(&[&["f5", "d6"], &["c4"]]));
    assert_ne!(lines(&[&["f5", "d6", "c4"]]), lines(&[&["f5", "d6", "c3"]]));
}

#[test]
fn a_game_says_where_it_begins_and_how_many_moves_it_has() {
    let game = lines(&[&["f5", "d6", "c3"], &["f5", "f6"], &["d3"]]);
    assert_eq!((game.move_count(), game.size(), game.is_usual_start()), (5, Size::EIGHT, true));
    let mirrored = Game::with_start(Size::SIX, Start::Mirrored);
    assert_eq!((mirrored.move_count(), mirrored.size(), mirrored.is_usual_start()), (0, Size::SIX, false));
    assert_eq!(*mirrored.start(), GridPosition::start_as(Size::SIX, Start::Mirrored));
    assert!(Game::new(Size::SIX).is_usual_start());
}

#[test]
fn moving_about_says_whether_it_moved() {
    let mut game = lines(&[&["f5", "d6"], &["f5", "f6"]]);
    let state = |game: &Game| (game.ply(), game.cursor().to_string(), game.last_move());
    assert!(!game.undo());
    assert_eq!(state(&game), (0, "/".to_owned(), None));
    assert!(game.redo());
    assert_eq!(state(&game), (1, "/0".to_owned(), Some(mv("f5"))));
    assert_eq!(game.continuations().collect::<Vec<_>>(), [mv("d6"), mv("f6")]);
    assert!(game.go(&"/0/1".parse().unwrap()));
    assert_eq!(state(&game), (2, "/0/1".to_owned(), Some(mv("f6"))));
    assert_eq!(game.moves().collect::<Vec<_>>(), [mv("f5"), mv("f6")]);
    assert!(!game.redo());
    assert!(!game.go(&"/0/2".parse().unwrap()));
    assert_eq!(state(&game), (2, "/0/1".to_owned(), Some(mv("f6"))));
    assert!(game.undo());
    assert_eq!(state(&game), (1, "/0".to_owned(), Some(mv("f5"))));
    // The line that was taken back is the one that is gone along again.
    game.to_end();
    assert_eq!(state(&game), (2, "/0/1".to_owned(), Some(mv("f6"))));
    game.to_start();
    game.to_end();
    assert_eq!(state(&game), (2, "/0/0".to_owned(), Some(mv("d6"))));
    // Going to a place on the line keeps the line.
    assert!(game.go(&"/0".parse().unwrap()) && game.redo());
    assert_eq!(state(&game), (2, "/0/0".to_owned(), Some(mv("d6"))));
    // Playing what is recorded already adds nothing.
    assert!(game.undo());
    game.play(mv("f6")).unwrap();
    assert_eq!((game.move_count(), game.cursor().to_string()), (3, "/0/1".to_owned()));
}

#[test]
fn a_deleted_move_takes_along_what_follows_it_and_nothing_else() {
    let whole = lines(&[&["f5", "d6", "c3"], &["f5", "f6"], &["d3", "c5"]]);
    let path = |text: &str| text.parse::<Path>().unwrap();
    // (what is deleted, where the game stands before and after)
    for (deleted, before, after) in [
        ("/0/0", "/0/0/0", "/0"),
        ("/0/0", "/0/1", "/0/0"),
        ("/0/1", "/0/0/0", "/0/0/0"),
        ("/0", "/1/0", "/0/0"),
        ("/1", "/0/1", "/0/1"),
        ("/0", "/0", "/"),
    ] {
        let mut game = whole.clone();
        assert!(game.go(&path(before)));
        let position = *game.position();
        assert!(game.delete(&path(deleted)));
        assert_eq!(game.cursor(), path(after), "{deleted} from {before}");
        if !before.starts_with(deleted) {
            assert_eq!(*game.position(), position, "{deleted} from {before}");
        }
        let kept = whole.walk().filter(|(other, _, _)| !other.steps().starts_with(path(deleted).steps()));
        let left: Vec<_> = game.walk().map(|(_, mv, _)| mv).collect();
        assert_eq!(left, kept.map(|(_, mv, _)| mv).collect::<Vec<_>>(), "{deleted}");
    }
    let mut game = whole.clone();
    assert!(!game.delete(&Path::START) && !game.delete(&path("/2")));
    assert!(!game.promote(&Path::START) && !game.promote(&path("/2")));
    assert_eq!(game, whole);
}

#[test]
fn a_path_leads_to_the_same_place_however_one_asks() {
    let mut game = lines(&[&["f5", "d6", "c3"], &["f5", "f6"], &["d3", "c5"]]);
    for (number, (path, _, _)) in
        lines(&[&["f5", "d6", "c3"], &["f5", "f6"], &["d3", "c5"]]).walk().enumerate()
    {
        game.note_at_mut(&path).unwrap().comment = number.to_string();
    }
    for (path, mv, note) in game.clone().walk() {
        assert!(game.go(&path));
        assert_eq!((game.last_move(), game.note()), (mv, note));
        assert_eq!((game.cursor(), game.ply()), (path.clone(), path.len()));
        assert_eq!(game.position_at(&path).as_ref(), Some(game.position()));
        assert_eq!(game.note_at(&path), Some(note));
        assert_eq!(game.continuations_at(&path), game.continuations().collect::<Vec<_>>());
    }
    let nowhere: Path = "/0/2".parse().unwrap();
    assert_eq!((game.position_at(&nowhere), game.note_at(&nowhere)), (None, None));
    assert_eq!((game.continuations_at(&nowhere), game.note_at_mut(&nowhere)), (Vec::new(), None));
    assert_eq!(game.main_line().collect::<Vec<_>>(), ["f5", "d6", "c3"].map(mv));
}

#[test]
fn the_side_that_makes_each_move_is_named() {
    let mut rng = rng(31);
    for side in [4, 6, 8] {
        for turns in 0..2 {
            let mut before = Game::new(Size::new(side).unwrap());
            play_on(&mut before, &mut rng, turns);
            let mut game = Game::from_position(*before.position());
            play_on(&mut game, &mut rng, 60);
            game.to_start();
            let movers: Vec<(Color, Move<Point>)> =
                game.annotated_line().map(|(color, mv, _)| (color, mv)).collect();
            let mut position = *game.start();
            for (color, mv) in &movers {
                assert_eq!(*color, position.turn());
                position = position.play(*mv).unwrap();
            }
            assert_eq!(movers.len(), game.main_line().count());
        }
    }
}

#[test]
fn a_path_is_a_list_of_choices() {
    let path: Path = "/0/2/1".parse().unwrap();
    assert_eq!((path.steps(), path.len(), path.is_empty()), ([0, 2, 1].as_slice(), 3, false));
    assert_eq!(path.parent().unwrap().child(1), path);
    assert_eq!(Path::from_iter([0, 2, 1]), path);
    assert_eq!(Path::main(3).to_string(), "/0/0/0");
    assert_eq!((Path::START.parent(), Path::START.len(), Path::START.is_empty()), (None, 0, true));
    assert_eq!(" / ".parse(), Ok(Path::START));
    for text in ["", "0/1", "/x", "//", "/0/", "/-1"] {
        let error = text.parse::<Path>().unwrap_err();
        assert_eq!(error.to_string(), format!("{text:?} is not a path; write / for the start, or /0/0/1"));
    }
}

#[test]
fn a_note_is_empty_if_nothing_of_it_is_there() {
    assert!(Note::EMPTY.is_empty() && Note::default() == Note::EMPTY);
    for fill in [
        (|note| note.comment.push('a')) as fn(&mut Note),
        |note| note.evaluation = Some(Evaluation::new(0.0)),
        |note| note.time = Some(Duration::ZERO),
        |note| note.markings.push("TR f5".parse().unwrap()),
    ] {
        let mut note = Note::default();
        fill(&mut note);
        assert!(!note.is_empty(), "{note:?}");
    }
    let mut note = Note::default();
    for words in ["", "one", "", "two"] {
        note.add_comment(words);
    }
    assert_eq!(note.comment, "one\ntwo");
}

#[test]
fn results_say_who_won_and_how() {
    let margin = |black, ending| GameResult::Margin { black, ending };
    let decided = |winner, ending| GameResult::Decided { winner, ending };
    for (result, winner, stated, words) in [
        (margin(2.5, Ending::Counted), Some(Color::Black), Some(2.5), "black wins by 2.5"),
        (margin(-12.0, Ending::TimedOut), Some(Color::White), Some(-12.0), "white wins by 12, timeout"),
        (margin(0.0, Ending::Agreed), None, Some(0.0), "draw, agreed"),
        (decided(Some(Color::White), Ending::Left), Some(Color::White), None, "white wins, left"),
        (decided(Some(Color::Black), Ending::Counted), Some(Color::Black), None, "black wins"),
        (decided(None, Ending::Resigned), None, None, "draw, resigned"),
        (GameResult::Other("adjourned".to_owned()), None, None, "adjourned"),
    ] {
        assert_eq!((result.winner(), result.margin()), (winner, stated), "{words}");
        assert_eq!(result.to_string(), words);
    }
    assert_eq!(GameResult::counted(-4), margin(-4.0, Ending::Counted));
    for ending in Ending::ALL {
        assert_eq!(margin(1.0, ending).ending(), ending);
        assert_eq!(decided(None, ending).ending(), ending);
        assert_eq!(Ending::named(&ending.name().to_uppercase()), Some(ending));
    }
    assert_eq!(GameResult::Other("aborted".to_owned()).ending(), Ending::Counted);
    assert_eq!(Ending::named("count"), None);
}

#[test]
fn each_side_has_its_clock() {
    let clock = |main| Clock { main: Duration::from_secs(main), ..Clock::default() };
    let clocks = Clocks { black: Some(clock(1)), white: None };
    assert_eq!((clocks.of(Color::Black), clocks.of(Color::White)), (Some(clock(1)), None));
    assert_eq!(Clocks::both(clock(2)), Clocks { black: Some(clock(2)), white: Some(clock(2)) });
}

#[test]
fn clocks_are_days_hours_minutes_and_seconds() {
    let seconds = |text: &str| text.parse::<Clock>().ok().map(|clock| clock.main.as_secs());
    let (minute, hour, day) = (60, 3600, 86_400);
    for (text, expected) in [
        ("9", 9),
        ("1:01", minute + 1),
        ("2:03:04", 2 * hour + 3 * minute + 4),
        ("5.02:03:04", 5 * day + 2 * hour + 3 * minute + 4),
        ("999999", 999_999),
        ("999999:00", 999_999 * minute),
        ("99999.00:00:00", 99_999 * day),
    ] {
        assert_eq!(seconds(text), Some(expected), "{text}");
        // And as it is written, it is read again.
        let clock: Clock = text.parse().unwrap();
        assert_eq!(clock.to_string().parse(), Ok(clock), "{text}");
    }
    for text in ["99999.00:00:01", "99999.23:00:00", "1000000:00", ":1", "1:2:3:4", "1/2/3/4", "a"] {
        assert_eq!(seconds(text), None, "{text}");
        let error = text.parse::<Clock>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{text:?} is not a clock")), "{error}");
    }
    for (text, written) in [
        ("61/3600/90000", "01:01/01:00:00/1.01:00:00"),
        ("0.5/0.25/0.125", "00:00.5/00:00.25/00:00.125"),
        ("5//", "00:05/00:00/00:00"),
        ("5", "00:05/00:00/02:00"),
    ] {
        assert_eq!(text.parse::<Clock>().unwrap().to_string(), written);
    }
}

#[test]
fn tags_are_kept_in_their_order_and_not_without_end() {
    let mut tags = Tags::default();
    assert!(tags.is_empty());
    let order = |tags: &Tags| tags.iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    for name in ["Zebra", tag::MATCH_TYPE, "Ape", tag::WHITE, tag::EVENT, tag::BLACK] {
        tags.set(name, "1");
    }
    assert_eq!(order(&tags), ["Event", "Black", "White", "MatchType", "Zebra", "Ape"]);
    tags.set("Zebra", "2");
    tags.set("Black", "");
    tags.set("Nobody", "");
    assert_eq!(order(&tags), ["Event", "White", "MatchType", "Zebra", "Ape"]);
    assert_eq!((tags.value("Zebra"), tags.value("Black")), (Some("2"), None));
    assert!(!tags.is_empty());
    for number in 0..1000 {
        tags.set(&number.to_string(), "x");
    }
    assert_eq!((tags.iter().count(), tags.value("250"), tags.value("251")), (256, Some("x"), None));
    tags.set("250", "y");
    assert_eq!(tags.value("250"), Some("y"));
}

#[test]
fn markings_have_the_names_of_their_properties() {
    let names = [(Shape::Circle, "CR"), (Shape::Cross, "MA"), (Shape::Square, "SQ"), (Shape::Triangle, "TR")];
    for (shape, name) in names {
        assert_eq!((shape.name(), Shape::named(name)), (name, Some(shape)));
        assert_eq!(Marking::Shape(shape, point("f5")).property(), (name, "f5".to_owned()));
    }
    assert_eq!(Shape::named("LB"), None);
    let (f5, d6) = (point("f5"), point("d6"));
    assert_eq!(Marking::Arrow(f5, d6).property(), ("AR", "f5:d6".to_owned()));
    assert_eq!(Marking::Line(f5, d6).property(), ("LN", "f5:d6".to_owned()));
    assert_eq!(Marking::label(f5, " ab ").unwrap().property(), ("LB", "f5:ab".to_owned()));
    assert!(Marking::label(f5, "12345678").is_some());
    for text in ["", "  ", "123456789", "a\tb"] {
        assert_eq!(Marking::label(f5, text), None, "{text:?}");
    }
}

#[test]
fn formats_are_known_by_name_and_by_file_name() {
    let facts = |format: Format| {
        (format.holds(), format.is_binary(), format.is_writable(), format.byte_limit() >> 20)
    };
    for (format, name, extensions, expected) in [
        (Format::Transcript, "transcript", "txt", (Holds::Games, false, true, 128)),
        (Format::Board, "board", "board fen", (Holds::Positions, false, true, 128)),
        (Format::Obf, "obf", "obf scr", (Holds::Positions, false, true, 128)),
        (Format::Ggf, "ggf", "ggf", (Holds::Games, false, true, 128)),
        (Format::Sgf, "sgf", "sgf", (Holds::Games, false, true, 128)),
        (Format::Pgn, "pgn", "pgn", (Holds::Games, false, true, 128)),
        (Format::Json, "json", "json", (Holds::Games, false, true, 32)),
        (Format::Quest, "quest", "", (Holds::Games, false, false, 32)),
        (Format::Wthor, "wthor", "wtb wtd", (Holds::Games, true, true, 512)),
        (Format::Players, "players", "jou", (Holds::Names, true, false, 512)),
        (Format::Tournaments, "tournaments", "trn", (Holds::Names, true, false, 512)),
        (Format::Solitaires, "solitaires", "pzz", (Holds::Positions, true, false, 512)),
    ] {
        assert_eq!((format.name(), facts(format)), (name, expected));
        assert_eq!(format.extensions().join(" "), extensions);
        assert_eq!(format!("{format:>12}"), format!("{name:>12}"));
        assert_eq!(format!(" {} ", name.to_uppercase()).parse(), Ok(format));
        for extension in extensions.split_whitespace() {
            assert_eq!(extension.parse(), Ok(format));
            assert_eq!(Format::of_file_name(&format!("a.b.{}", extension.to_uppercase())), Some(format));
        }
    }
    assert_eq!(Format::endings(), ".txt, .ggf, .sgf, .pgn, .json, .wtb");
    assert_eq!((Format::of_file_name("sgf"), Format::of_file_name("a.doc")), (None, None));
    let error = "doc".parse::<Format>().unwrap_err().to_string();
    assert!(error.starts_with("\"doc\" is not a format; there are transcript, board, obf,"), "{error}");
}

#[test]
fn an_exercise_is_complete_if_every_legal_move_has_a_score() {
    let mut rng = rng(32);
    let mut game = Game::new(Size::SIX);
    play_on(&mut game, &mut rng, 9);
    let mut exercise = Exercise::new(*game.position());
    assert_eq!((exercise.score(), exercise.is_complete()), (None, false));
    exercise.scores = exercise.position.moves().map(|mv| (mv, below(&mut rng, 9) as i32 - 20)).collect();
    exercise.scores.reverse();
    assert!(exercise.is_complete());
    assert_eq!(exercise.score(), exercise.scores.iter().map(|(_, score)| *score).max());
    exercise.best = Some(3);
    exercise.comment = "words".to_owned();
    assert_eq!(exercise.score(), Some(3));
    // The note at the start is the opponent's, who would have moved there.
    let game = exercise.to_game();
    assert_eq!(game.note().evaluation, Some(Evaluation::new(-3.0)));
    for (mv, score) in &exercise.scores {
        let mut game = game.clone();
        game.play(*mv).unwrap();
        assert_eq!(game.note().evaluation, Some(Evaluation::new(f64::from(*score))));
    }
    assert_eq!(Exercise::of_game(&game), exercise);
    exercise.scores.pop();
    assert!(!exercise.is_complete());
}

#[test]
fn an_opening_has_the_last_name_of_each_language() {
    let named = |english, japanese, chinese| Opening { english, japanese, chinese };
    let mut game = transcript::parse("f5d6c3d3c4").unwrap();
    game.to_end();
    let tiger = named("Tiger", "虎定石", "老虎");
    assert_eq!(Opening::at(game.position()), Some(tiger));
    let before = named("one", "two", "three");
    assert_eq!(Opening::next(Some(before), game.position()), Some(tiger));
    assert_eq!(Opening::next(None, game.position()), Some(tiger));
    // A position without a name keeps the one before, and one without a name in some language keeps that one's.
    assert_eq!(Opening::next(Some(before), Game::new(Size::EIGHT).start()), Some(before));
    assert_eq!(Opening::next(None, Game::new(Size::EIGHT).start()), None);
    let (line, half) = Opening::all().find(|(_, name)| name.english.is_empty()).unwrap();
    let mut game = transcript::parse(line).unwrap();
    game.to_end();
    let after = Opening::next(Some(before), game.position()).unwrap();
    assert_eq!((after.english, after.japanese), ("one", half.japanese));
    assert_eq!(Opening::all().filter(|(moves, _)| *moves == "f5d6c3d3c4").count(), 1);
}

#[test]
fn a_move_that_only_the_other_side_has_is_refused_as_what_it_is() {
    let fault = |text: &str| transcript::parse(text).unwrap_err().to_string();
    assert_eq!(fault("c5"), "move 1, \"c5\": c5 flips nothing");
    assert_eq!(fault("f9"), "move 1: \"f9\" is not on a board of 8×8");
}

#[test]
fn faults_of_json_are_the_same_if_they_say_the_same() {
    let fault = |text: &str| json::parse(text).unwrap_err();
    assert_eq!(fault("{"), fault("{"));
    assert_ne!(fault("{"), fault("{\"x\":"));
}

#[test]
fn what_is_not_there_is_not_written_to_json() {
    let bare = json::write(&lines(&[&["f5", "d6"]]));
    assert_eq!(bare, r#"{"format":"emilia-game","version":1,"size":8,"moves":["f5","d6"]}"#);
    let mut game = lines(&[&["f5", "d6"], &["f5", "f6"]]);
    game.redo();
    game.note_mut().comment = "sharp".to_owned();
    let moves = r#""moves":[{"move":"f5","note":{"comment":"sharp"}},"d6",{"move":"f6","after":1}]}"#;
    assert_eq!(json::write(&game), format!("{{\"format\":\"emilia-game\",\"version\":1,\"size\":8,{moves}"));
    for (old, new, text) in [("emilia-game", "other-game", "other-game 1"), (":1,", ":2,", "emilia-game 2")] {
        let fault = json::parse(&bare.replacen(old, new, 1)).unwrap_err().to_string();
        assert_eq!(fault, format!("{text:?} is not a format and version that is known"));
    }
}

#[test]
fn tags_of_ggf_are_one_or_two_capitals() {
    let read = |tags: &str| ggf::parse(&format!("(;GM[Othello]{tags};)"));
    let game = read("Xy[1]ABC[2]KM[3]a[4]Z[5]abcd1234[6]").unwrap();
    assert_eq!(game.tags.iter().collect::<Vec<_>>(), [("KM", "3"), ("Z", "5")]);
    for tag in ["", "abcd12345", "K M", "K-"] {
        let fault = read(&format!("{tag}[x]")).unwrap_err().to_string();
        assert_eq!(fault, format!("{tag:?} is not a tag"));
    }
}

#[test]
fn clocks_that_are_the_same_are_written_once_to_ggf() {
    let clock = |text: &str| text.parse::<Clock>().ok();
    for (black, white, text) in [
        (clock("1//2"), clock("1//2"), "RE[?]TI[00:01/00:00/00:02]TY[8]"),
        (clock("1//2"), clock("2//2"), "RE[?]TB[00:01/00:00/00:02]TW[00:02/00:00/00:02]TY[8]"),
        (clock("1//2"), None, "RE[?]TB[00:01/00:00/00:02]TY[8]"),
        (None, None, "RE[?]TY[8]"),
    ] {
        let mut game = Game::new(Size::EIGHT);
        game.clocks = Clocks { black, white };
        assert!(ggf::write(&game).contains(text), "{text}");
    }
}
