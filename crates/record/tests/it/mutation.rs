//! Thousands of damaged files for each reader: no panic, no hang.

use crate::common::rng;
use crate::damage::{damage, sound};
use emilia_record::{Format, Hint, WriteOptions, read, write};

#[test]
fn damaged_files_are_read_or_refused() {
    let mut rng = rng(11);
    let mut survived = 0;
    for _ in 0..4 {
        for (format, bytes) in sound(&mut rng) {
            let name = format!("x.{}", format.extensions().first().copied().unwrap_or("json"));
            for round in 0..150 {
                let mut bytes = bytes.clone();
                damage(&mut bytes, &mut rng);
                let hint = Hint { file_name: (round % 2 == 0).then_some(name.as_str()) };
                if let Ok(reading) = read(&bytes, &hint) {
                    survived += usize::from(!reading.items.is_empty());
                    drop(reading.into_games(&Default::default()));
                }
            }
        }
    }
    // Most damage hits one game of several; the rest must have been read.
    assert!(survived > 1_875, "{survived}");
}

#[test]
fn a_broken_game_is_reported_and_the_rest_are_read() {
    let games = vec![emilia_record::transcript::parse("f5d6c3d3c4").unwrap(); 5];
    for format in [Format::Transcript, Format::Ggf, Format::Sgf, Format::Pgn, Format::Json] {
        let text = String::from_utf8(write(format, &games, &WriteOptions::default()).unwrap()).unwrap();
        // The third game gets an illegal move in place of its second one.
        let at = text.match_indices("d6").nth(2).unwrap().0;
        let broken = format!("{}a1{}", &text[..at], &text[at + 2..]);
        let reading = read(broken.as_bytes(), &Hint::default()).unwrap();
        assert_eq!(reading.items.len(), 4, "{format}");
        let problem = reading.problems[0].to_string();
        assert_eq!(problem, "game 3: move 2, \"a1\": a1 flips nothing", "{format}");
    }
    let mut bytes = write(Format::Wthor, &games, &WriteOptions::default()).unwrap();
    bytes[16 + 2 * 68 + 8 + 1] = 11;
    let reading = read(&bytes, &Hint::default()).unwrap();
    assert_eq!(reading.problems[0].to_string(), "game 3: move 2, \"a1\": a1 flips nothing");
    assert_eq!(reading.into_games(&Default::default()).len(), 4);
}

#[test]
fn hostile_files_cost_little_time() {
    let begun = std::time::Instant::now();
    for (piece, times) in [
        ("(", 300_000),
        ("(;", 200_000),
        ("(;GM[2]", 100_000),
        ("[Event \"", 100_000),
        ("1. f5 {", 100_000),
        ("\n[Event \"a\"]\n1. f5 {", 50_000),
        ("1. f5 (", 100_000),
        ("f5 () ", 100_000),
        ("{\"format\":\"emilia-game\"\n", 30_000),
        ("[{", 200_000),
        ("{\"m\":[", 100_000),
        ("f5\n", 50_000),
        ("f5\n\n", 50_000),
        ("----------------;", 50_000),
        ("% \n", 200_000),
        ("8/8/8/", 200_000),
        ("\n\n \n", 200_000),
        ("1 ", 300_000),
    ] {
        // Whatever comes of it, it comes soon.
        let _ = read(piece.repeat(times).as_bytes(), &Hint::default());
    }
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}
