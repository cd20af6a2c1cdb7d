//! Which puzzles learners have tried, what came of it, and how hard each puzzle has turned out to be. Each function is one step
//! of a transaction that somebody else began.

use std::collections::HashMap;

use emilia_puzzle::PuzzleId;
use emilia_service::learner::{ATTEMPTS_EACH, RUNS_EACH, SOON};
use emilia_trainer::{FiledAttempt, FiledRun, Rating, RunKind};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::profile_tables::{ProfileError, ProfileId, number, stored, unreadable};

/// The puzzles tried last, the latest first, as many as are not to come again soon.
pub(crate) fn recent(
    connection: &Connection,
    ProfileId(id): ProfileId,
) -> Result<Vec<PuzzleId>, ProfileError> {
    let sql = "SELECT puzzle FROM attempts WHERE profile = ?1 ORDER BY at DESC, id DESC LIMIT ?2";
    let mut select = connection.prepare_cached(sql)?;
    let rows = select.query_map([id, SOON as i64], |row| {
        let name: String = row.get(0)?;
        name.parse().map_err(|error| unreadable(0, error))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// How many puzzles were tried, forgotten ones too: no two answers to "what comes next" are drawn alike.
pub(crate) fn tried(connection: &Connection, ProfileId(id): ProfileId) -> Result<u64, ProfileError> {
    let sql = "SELECT ifnull(max(id), 0) FROM attempts WHERE profile = ?1";
    Ok(connection.prepare_cached(sql)?.query_row([id], |row| number(row, 0))?)
}

/// Every attempt that is kept, the earliest first.
pub(crate) fn attempts(
    connection: &Connection,
    ProfileId(id): ProfileId,
) -> Result<Vec<FiledAttempt>, ProfileError> {
    let sql = "SELECT puzzle, at, solved, rating FROM attempts WHERE profile = ?1 ORDER BY at, id";
    let mut select = connection.prepare_cached(sql)?;
    let read = |row: &Row<'_>| {
        Ok(FiledAttempt {
            puzzle: row.get(0)?,
            at: number(row, 1)?,
            solved: row.get(2)?,
            rating: row.get(3)?,
        })
    };
    let rows = select.query_map([id], read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Adds an attempt, unless it is known, and forgets what is too long ago.
pub(crate) fn note(
    connection: &Connection,
    ProfileId(id): ProfileId,
    FiledAttempt { puzzle, at, solved, rating }: &FiledAttempt,
) -> Result<(), ProfileError> {
    let sql = "INSERT INTO attempts (profile, puzzle, at, solved, rating)
               SELECT ?1, ?2, ?3, ?4, ?5
               WHERE NOT EXISTS (SELECT 1 FROM attempts WHERE profile = ?1 AND puzzle = ?2 AND at = ?3)";
    connection.prepare_cached(sql)?.execute(params![id, puzzle, stored(*at), solved, rating])?;
    let sql = "DELETE FROM attempts WHERE profile = ?1 AND id NOT IN
                   (SELECT id FROM attempts WHERE profile = ?1 ORDER BY at DESC, id DESC LIMIT ?2)";
    connection.prepare_cached(sql)?.execute([id, ATTEMPTS_EACH as i64])?;
    Ok(())
}

/// Every run that is kept, the earliest first.
pub(crate) fn runs(connection: &Connection, ProfileId(id): ProfileId) -> Result<Vec<FiledRun>, ProfileError> {
    let sql = "SELECT kind, at, solved, missed FROM runs WHERE profile = ?1 ORDER BY at, id";
    let mut select = connection.prepare_cached(sql)?;
    let rows = select.query_map([id], |row| {
        let kind: String = row.get(0)?;
        let kind: RunKind = kind.parse().map_err(|error| unreadable(0, error))?;
        Ok(FiledRun { kind, at: number(row, 1)?, solved: row.get(2)?, missed: row.get(3)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Adds a run, unless it is known. The best of each kind stays, of the others the latest.
pub(crate) fn add_run(
    connection: &Connection,
    ProfileId(id): ProfileId,
    FiledRun { kind, at, solved, missed }: &FiledRun,
) -> Result<(), ProfileError> {
    let sql = "INSERT INTO runs (profile, kind, at, solved, missed)
               SELECT ?1, ?2, ?3, ?4, ?5
               WHERE NOT EXISTS (SELECT 1 FROM runs WHERE profile = ?1 AND kind = ?2 AND at = ?3)";
    connection.prepare_cached(sql)?.execute(params![id, kind.name(), stored(*at), solved, missed])?;
    let sql = "DELETE FROM runs WHERE profile = ?1
               AND id NOT IN (SELECT id FROM runs WHERE profile = ?1 ORDER BY at DESC, id DESC LIMIT ?2)
               AND solved < (SELECT max(best.solved) FROM runs best WHERE best.profile = ?1 AND best.kind = runs.kind)";
    connection.prepare_cached(sql)?.execute([id, RUNS_EACH as i64])?;
    Ok(())
}

/// The best run of each kind: how many puzzles were solved.
pub(crate) fn best_runs(
    connection: &Connection,
    ProfileId(id): ProfileId,
) -> Result<HashMap<RunKind, u32>, ProfileError> {
    let sql = "SELECT kind, max(solved) FROM runs WHERE profile = ?1 GROUP BY kind";
    let mut select = connection.prepare_cached(sql)?;
    let rows = select.query_map([id], |row| {
        let kind: String = row.get(0)?;
        Ok((kind.parse().map_err(|error| unreadable(0, error))?, row.get(1)?))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

const RATING: &str = "rating, deviation, volatility, games, changed";

/// How hard this puzzle has turned out to be, if anybody has answered it.
pub(crate) fn puzzle(connection: &Connection, id: PuzzleId) -> Result<Option<Rating>, ProfileError> {
    let sql = format!("SELECT {RATING} FROM puzzles WHERE id = ?1");
    let read = |row: &Row<'_>| {
        Ok(Rating {
            rating: row.get(0)?,
            deviation: row.get(1)?,
            volatility: row.get(2)?,
            games: row.get(3)?,
            changed: number(row, 4)?,
        })
    };
    Ok(connection.prepare_cached(&sql)?.query_row([id.to_string()], read).optional()?)
}

/// How hard all puzzles have turned out to be that somebody has answered.
pub(crate) fn puzzles(connection: &Connection) -> Result<HashMap<PuzzleId, f64>, ProfileError> {
    let mut select = connection.prepare_cached("SELECT id, rating FROM puzzles")?;
    let rows = select.query_map([], |row| {
        let name: String = row.get(0)?;
        Ok((name.parse().map_err(|error| unreadable(0, error))?, row.get(1)?))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Notes how hard a puzzle is.
pub(crate) fn rate_puzzle(
    connection: &Connection,
    id: PuzzleId,
    Rating { rating, deviation, volatility, games, changed }: &Rating,
) -> Result<(), ProfileError> {
    let sql = format!("INSERT OR REPLACE INTO puzzles (id, {RATING}) VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    let values = params![id.to_string(), rating, deviation, volatility, games, stored(*changed)];
    connection.prepare_cached(&sql)?.execute(values)?;
    Ok(())
}
