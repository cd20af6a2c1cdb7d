//! How the tables in the file look, and how files of earlier versions become like that.

use rusqlite::{Connection, TransactionBehavior};
use thiserror::Error;

/// What makes each version of the file out of the one before. Files say which they have; those from before there were
/// versions have the first table or none, and say 0.
const STEPS: [&str; 5] = [
    "CREATE TABLE IF NOT EXISTS games (
        id TEXT PRIMARY KEY, open INTEGER NOT NULL, changed INTEGER NOT NULL, game TEXT NOT NULL
     ) WITHOUT ROWID;
     CREATE INDEX IF NOT EXISTS open_games ON games (open, changed);",
    "CREATE TABLE profiles (
        id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
        created INTEGER NOT NULL, seen INTEGER NOT NULL
     );
     CREATE TABLE cards (
        id INTEGER PRIMARY KEY AUTOINCREMENT, profile INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
        kind TEXT NOT NULL, key TEXT NOT NULL, start TEXT, moves TEXT NOT NULL, answers TEXT NOT NULL, note TEXT NOT NULL,
        added INTEGER NOT NULL, due INTEGER NOT NULL, last INTEGER, stability REAL, difficulty REAL, stage TEXT,
        known INTEGER NOT NULL, missed INTEGER NOT NULL,
        UNIQUE (profile, kind, key)
     );
     CREATE INDEX due_cards ON cards (profile, kind, due);
     CREATE TABLE answers (
        id INTEGER PRIMARY KEY, profile INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
        card INTEGER NOT NULL REFERENCES cards ON DELETE CASCADE,
        at INTEGER NOT NULL, grade TEXT NOT NULL, move TEXT, took_ms INTEGER
     );
     CREATE INDEX answers_of_profiles ON answers (profile, at);
     CREATE INDEX answers_of_cards ON answers (card, at);
     CREATE TABLE ratings (
        profile INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE, subject TEXT NOT NULL, rating REAL NOT NULL,
        deviation REAL NOT NULL, volatility REAL NOT NULL, games INTEGER NOT NULL, changed INTEGER NOT NULL,
        PRIMARY KEY (profile, subject)
     ) WITHOUT ROWID;",
    "CREATE TABLE attempts (
        id INTEGER PRIMARY KEY, profile INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
        puzzle TEXT NOT NULL, at INTEGER NOT NULL, solved INTEGER NOT NULL, rating REAL
     );
     CREATE INDEX attempts_of_profiles ON attempts (profile, at);
     CREATE TABLE runs (
        id INTEGER PRIMARY KEY, profile INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
        kind TEXT NOT NULL, at INTEGER NOT NULL, solved INTEGER NOT NULL, missed INTEGER NOT NULL
     );
     CREATE INDEX runs_of_profiles ON runs (profile, kind, solved);
     CREATE TABLE puzzles (
        id TEXT PRIMARY KEY, rating REAL NOT NULL, deviation REAL NOT NULL, volatility REAL NOT NULL,
        games INTEGER NOT NULL, changed INTEGER NOT NULL
     ) WITHOUT ROWID;",
    "CREATE TABLE judged (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, game TEXT NOT NULL);",
    "CREATE TABLE studies (
        id TEXT PRIMARY KEY, token TEXT NOT NULL, version INTEGER NOT NULL, changed INTEGER NOT NULL,
        title TEXT NOT NULL, chapters INTEGER NOT NULL, study TEXT NOT NULL
     ) WITHOUT ROWID;",
];

/// Why the file cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The database says why.
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    /// A newer program made it.
    #[error("it was written by a newer version of Emilia (its tables are version {found}, this program knows {})", STEPS.len())]
    Newer {
        /// The version of its tables.
        found: i64,
    },
}

/// Brings the file to the latest version: all of it or, if anything fails, nothing.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    connection.pragma_update(None, "foreign_keys", true)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = usize::try_from(found).ok().filter(|found| *found <= STEPS.len());
    let known = known.ok_or(StoreError::Newer { found })?;
    if known == STEPS.len() {
        return Ok(());
    }
    for step in &STEPS[known..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", STEPS.len() as i64)?;
    Ok(transaction.commit()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a file holds: its tables, indexes, and how each was made.
    fn shape(connection: &Connection) -> Vec<(String, Option<String>)> {
        let mut select = connection.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").unwrap();
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    }

    fn fresh() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        connection
    }

    /// As the first release made it, with a game.
    const BEFORE_VERSIONS: &str = "CREATE TABLE IF NOT EXISTS games (
        id TEXT PRIMARY KEY, open INTEGER NOT NULL, changed INTEGER NOT NULL, game TEXT NOT NULL
     ) WITHOUT ROWID;
     CREATE INDEX IF NOT EXISTS open_games ON games (open, changed);
     INSERT INTO games VALUES ('a', 1, 5, '{}');";

    #[test]
    fn files_of_every_earlier_version_become_like_new_ones_and_keep_their_games() {
        for version in 0..=STEPS.len() {
            let mut connection = Connection::open_in_memory().unwrap();
            connection.execute_batch(BEFORE_VERSIONS).unwrap();
            for step in STEPS.iter().take(version) {
                connection.execute_batch(step).unwrap();
            }
            connection.pragma_update(None, "user_version", version as i64).unwrap();
            migrate(&mut connection).unwrap();
            migrate(&mut connection).unwrap();
            assert_eq!(shape(&connection), shape(&fresh()), "{version}");
            let games: i64 =
                connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0)).unwrap();
            assert_eq!(games, 1);
        }
    }

    #[test]
    fn a_newer_file_is_refused_and_stays_as_it_is() {
        let mut connection = fresh();
        connection.pragma_update(None, "user_version", 99).unwrap();
        let before = shape(&connection);
        let error = migrate(&mut connection).unwrap_err().to_string();
        assert!(error.contains("newer version of Emilia") && error.contains("99"), "{error}");
        assert_eq!(shape(&connection), before);
    }

    #[test]
    fn a_step_that_fails_changes_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(BEFORE_VERSIONS).unwrap();
        // A table that is in the way of the second step.
        connection.execute_batch("CREATE TABLE answers (id INTEGER)").unwrap();
        let before = shape(&connection);
        assert!(migrate(&mut connection).is_err());
        assert_eq!(shape(&connection), before);
    }
}
