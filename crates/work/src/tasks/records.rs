//! Games and positions out of files of every kind.

use std::collections::HashSet;

use emilia_engine::FileReader;
use emilia_record::{Game, Hint, Item};
use emilia_rules::{GridPosition, Playable};

use crate::WorkError;

/// What a file holds; a game that cannot be read is an error, whoever plans work wants all of them.
fn items(name: &str, read: FileReader<'_>) -> Result<emilia_record::Reading, WorkError> {
    let bytes = read(name).map_err(|error| WorkError::Input { name: name.to_owned(), error })?;
    let reading = emilia_record::read(&bytes, &Hint { file_name: Some(name) })
        .map_err(|error| WorkError::content(name, error))?;
    match reading.problems.first() {
        Some(problem) => Err(WorkError::content(name, problem.to_string())),
        None => Ok(reading),
    }
}

/// All games of these files.
pub(super) fn games(names: &[String], read: FileReader<'_>) -> Result<Vec<Game>, WorkError> {
    let mut games = Vec::new();
    for name in names {
        games.extend(items(name, read)?.into_games_iter(&Default::default()));
    }
    Ok(games)
}

/// The positions of these files: those that are given as such, and the last one of each game, or every one. Of those
/// that are the same but for symmetry the first is taken, and none where the game is over.
pub(super) fn positions(
    names: &[String],
    every: bool,
    read: FileReader<'_>,
) -> Result<Vec<GridPosition>, WorkError> {
    let (mut positions, mut seen) = (Vec::new(), HashSet::new());
    let mut take = |position: GridPosition| {
        if !position.is_over() && seen.insert(position.canonical()) {
            positions.push(position);
        }
    };
    for name in names {
        let mut reading = items(name, read)?;
        for item in &reading.items {
            if let Item::Exercise(exercise) = item {
                take(exercise.position);
            }
        }
        reading.items.retain(|item| !matches!(item, Item::Exercise(_)));
        for game in reading.into_games_iter(&Default::default()) {
            let mut position = *game.start();
            for mv in game.main_line() {
                if every {
                    take(position);
                }
                position = position.played(mv);
            }
            take(position);
        }
    }
    Ok(positions)
}
