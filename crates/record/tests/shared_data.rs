//! Real files: the WTHOR database, endgame positions, server games, openings.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::PathBuf;

use common::data;
use emilia_record::thor::{Archive, Directory, Names};
use emilia_record::{Format, Game, Hint, Item, read};
use emilia_rules::{Playable, Status};

fn files(folder: &str) -> Vec<PathBuf> {
    let Some(data) = data() else { return Vec::new() };
    let mut files: Vec<PathBuf> = fs::read_dir(data.join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.is_file())
        .collect();
    files.sort();
    files
}

#[test]
fn the_wthor_database_replays_and_writes_back_byte_for_byte() {
    if data().is_none() {
        return;
    }
    let mut directory = Directory::default();
    let (mut games, mut moves, mut confirmed) = (0, 0, 0);
    let mut archives = Vec::new();
    for file in files("wthor") {
        let bytes = fs::read(&file).unwrap();
        let reading = read(&bytes, &Hint::default()).unwrap();
        assert_eq!(reading.problems, [], "{}", file.display());
        match reading.items.as_slice() {
            [Item::Archive(archive)] => {
                assert_eq!(reading.format, Format::Wthor);
                assert_eq!(archive.to_bytes(), bytes, "{}", file.display());
                let replay = archive.replay();
                games += replay.games;
                moves += replay.moves;
                confirmed += replay.confirmed;
                archives.push(archive.clone());
            }
            [Item::Names(names)] => {
                assert_eq!(names.to_bytes(), bytes);
                // Rebuilt name by name.
                let header = emilia_record::thor::Header::parse(&bytes).unwrap();
                let mut again = Names::new(names.kind(), header);
                names.iter().for_each(|name| {
                    again.add(&name).unwrap();
                });
                assert!(again.iter().eq(names.iter()));
                directory.add(names.clone());
            }
            other => panic!("{}: {other:?}", file.display()),
        }
    }
    assert_eq!(games, 137_548);
    assert!(moves > 8_200_000, "{moves}");
    // Some games of the database were never finished.
    assert!(confirmed > 136_000, "{confirmed}");
    assert_eq!(directory.tournaments.as_ref().unwrap().name(0).unwrap(), "Diverses parties");
    assert_eq!(directory.players.as_ref().unwrap().name(1).unwrap(), "Tastet Marc");

    // The long way: every record to a game and back.
    for archive in &archives {
        let mut again = Archive::new(*archive.header(), archive.size()).unwrap();
        for game in archive.games(&directory) {
            again.push(&game.unwrap(), &directory).unwrap();
        }
        assert_eq!(again.header(), archive.header());
        assert!(again.to_bytes() == archive.to_bytes());
    }
}

#[test]
fn every_scored_endgame_position_lists_its_legal_moves() {
    let mut positions = 0;
    for file in [files("endgame"), files("endgame/exact")].concat() {
        let bytes = fs::read(&file).unwrap();
        let reading = read(&bytes, &Hint::default()).unwrap();
        assert_eq!(reading.problems, [], "{}", file.display());
        let scored = file.extension().unwrap() == "obf";
        assert_eq!(reading.format, if scored { Format::Obf } else { Format::Board }, "{}", file.display());
        for item in &reading.items {
            let Item::Study(study) = item else { panic!("{item:?}") };
            assert!(study.score().is_some());
            if scored {
                assert!(study.is_complete(), "{}", study.position);
                positions += 1;
            }
            if file.file_stem().unwrap() == "pass" {
                assert_eq!(study.position.status(), Status::MustPass);
            }
        }
    }
    if data().is_some() {
        assert_eq!(positions, 2635);
    }
}

#[test]
fn server_games_agree_with_their_results() {
    for file in files("games").into_iter().filter(|file| file.extension().unwrap() == "ggf") {
        let reading = read(&fs::read(&file).unwrap(), &Hint::default()).unwrap();
        assert_eq!(reading.format, Format::Ggf);
        assert_eq!(reading.problems, []);
        let games: Vec<Game> = reading.into_games(&Directory::default());
        assert!(games.len() >= 11, "{}", games.len());
        for mut game in games {
            game.to_end();
            let counts = game.position().counts();
            if game.position().is_over() {
                assert_eq!(game.result.as_ref().unwrap().margin(), Some(f64::from(counts.margin())));
            }
            assert!(game.clocks.black.is_some_and(|clock| clock.main.as_secs() >= 300));
        }
    }
}

#[test]
fn opening_lists_are_transcripts() {
    for file in files("openings").into_iter().filter(|file| file.extension().unwrap() == "txt") {
        let reading = read(&fs::read(&file).unwrap(), &Hint::default()).unwrap();
        assert_eq!(reading.format, Format::Transcript);
        assert_eq!(reading.problems, []);
        assert!(reading.items.len() > 1000);
        for item in &reading.items {
            let Item::Game(game) = item else { panic!("{item:?}") };
            assert_eq!(game.main_line().count(), 8);
        }
    }
}
