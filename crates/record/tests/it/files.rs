//! Real files: the WTHOR database, endgame positions, server games, openings.

use std::fs;
use std::path::{Path, PathBuf};

use emilia_record::thor::{Archive, Directory, Names, Replay};
use emilia_record::{Format, Game, Hint, Item, read};
use emilia_rules::{Playable, Status};

/// A folder of `data/`.
fn data(folder: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data")).join(folder)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// Reads every file of a WTHOR folder, writes it back byte for byte in two ways, and sums up the replayed games.
fn replay(folder: &Path) -> Replay {
    let mut directory = Directory::default();
    let mut sum = Replay::default();
    let mut archives = Vec::new();
    for file in files(folder) {
        let bytes = fs::read(&file).unwrap();
        let reading = read(&bytes, &Hint::default()).unwrap();
        assert_eq!(reading.problems, [], "{}", file.display());
        match reading.items.as_slice() {
            [Item::Archive(archive)] => {
                assert_eq!(reading.format, Format::Wthor);
                assert_eq!(archive.to_bytes(), bytes, "{}", file.display());
                let replay = archive.replay();
                assert!(replay.broken.is_empty(), "{}", file.display());
                sum.games += replay.games;
                sum.moves += replay.moves;
                sum.confirmed += replay.confirmed;
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
    sum
}

#[test]
fn three_years_of_wthor_replay_and_are_written_back_byte_for_byte() {
    let sum = replay(&data("wthor"));
    assert_eq!((sum.games, sum.moves, sum.confirmed), (1122, 67_093, 1114));
}

mod whole_wthor {
    use super::*;

    #[test]
    #[ignore = "needs the whole WTHOR database: cargo xtask test --wthor DIR"]
    fn every_year_replays_and_is_written_back_byte_for_byte() {
        let folder = std::env::var_os("EMILIA_WTHOR").expect("EMILIA_WTHOR names the folder of the database");
        let sum = replay(Path::new(&folder));
        // The years 1977 to 2025 have so many games; later ones come on top, and some were never finished.
        assert!(sum.games >= 137_548, "{}", sum.games);
        assert!(sum.moves > 8_200_000, "{}", sum.moves);
        assert!(sum.confirmed > 136_000, "{}", sum.confirmed);
    }
}

#[test]
fn every_scored_endgame_position_lists_its_legal_moves() {
    let mut positions = 0;
    for file in [files(&data("endgame")), files(&data("endgame/exact"))].concat() {
        let bytes = fs::read(&file).unwrap();
        let reading = read(&bytes, &Hint::default()).unwrap();
        assert_eq!(reading.problems, [], "{}", file.display());
        assert_eq!(reading.format, Format::Obf, "{}", file.display());
        for item in &reading.items {
            let Item::Exercise(exercise) = item else { panic!("{item:?}") };
            assert!(exercise.score().is_some());
            assert!(exercise.is_complete(), "{}", exercise.position);
            positions += 1;
            if file.file_stem().unwrap() == "pass" {
                assert_eq!(exercise.position.status(), Status::MustPass);
            }
        }
    }
    assert_eq!(positions, 2635);
}

#[test]
fn server_games_agree_with_their_results() {
    let reading = read(&fs::read(data("games/server.ggf")).unwrap(), &Hint::default()).unwrap();
    assert_eq!(reading.format, Format::Ggf);
    assert_eq!(reading.problems, []);
    let games: Vec<Game> = reading.into_games(&Directory::default());
    assert_eq!(games.len(), 12);
    for mut game in games {
        game.to_end();
        let counts = game.position().counts();
        if game.position().is_over() {
            assert_eq!(game.result.as_ref().unwrap().margin(), Some(f64::from(counts.margin())));
        }
        assert!(game.clocks.black.is_some_and(|clock| clock.main.as_secs() >= 300));
    }
}

#[test]
fn opening_lists_are_transcripts() {
    let reading = read(&fs::read(data("openings/balanced-8.txt")).unwrap(), &Hint::default()).unwrap();
    assert_eq!(reading.format, Format::Transcript);
    assert_eq!(reading.problems, []);
    assert_eq!(reading.items.len(), 3000);
    for item in &reading.items {
        let Item::Game(game) = item else { panic!("{item:?}") };
        assert_eq!(game.main_line().count(), 8);
    }
}
