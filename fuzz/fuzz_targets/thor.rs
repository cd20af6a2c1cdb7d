//! Law: a WTHOR file is written as it was read; the fast replay and the games made of it agree on what is legal.
#![no_main]

use emilia_record::thor::{Archive, Directory, Names, Puzzles};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(archive) = Archive::parse(bytes) {
        assert_eq!(archive.to_bytes(), bytes);
        let replay = archive.replay();
        let directory = Directory::default();
        let games: Vec<_> = archive.games(&directory).collect();
        assert_eq!(games.iter().filter(|game| game.is_ok()).count(), replay.games);
        let broken: Vec<usize> =
            (0..).zip(&games).filter(|(_, game)| game.is_err()).map(|(number, _)| number).collect();
        assert!(broken.into_iter().eq(replay.broken.iter().map(|(number, _)| *number)));
    }
    if let Ok(names) = Names::parse(bytes) {
        assert_eq!(names.to_bytes(), bytes);
        assert_eq!(names.iter().count(), names.len());
    }
    if let Ok(puzzles) = Puzzles::parse(bytes) {
        assert_eq!(puzzles.to_bytes(), bytes);
        let _ = puzzles.studies().count();
    }
});
