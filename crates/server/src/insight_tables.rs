//! Games for pictures of somebody's play: what was judged, so that nothing is judged twice, and what was played here.

use std::collections::HashMap;

use emilia_insight::JudgedGame;
use rusqlite::{Connection, OptionalExtension, params};

use crate::answers::to_json;
use crate::profile_tables::ProfileError;

/// Judged games that are kept, some kilobytes each; the earliest are forgotten.
const MOST: i64 = 20_000;

/// Those of these games that were judged before. What cannot be read, as of another version, is judged again.
pub(crate) fn judged(
    connection: &Connection,
    keys: &[String],
) -> Result<HashMap<String, JudgedGame>, ProfileError> {
    let mut select = connection.prepare_cached("SELECT game FROM judged WHERE key = ?1")?;
    let mut known = HashMap::new();
    for key in keys {
        let found: Option<String> = select.query_row([key], |row| row.get(0)).optional()?;
        let read = found.and_then(|game| serde_json::from_str::<JudgedGame>(&game).ok());
        known.extend(read.map(|game| (key.clone(), game)));
    }
    Ok(known)
}

/// Keeps a game that was judged.
pub(crate) fn keep(connection: &Connection, game: &JudgedGame) -> Result<(), ProfileError> {
    let sql = "INSERT OR REPLACE INTO judged (key, game) VALUES (?1, ?2)";
    connection.prepare_cached(sql)?.execute(params![game.key, to_json(game)])?;
    let sql = "DELETE FROM judged WHERE id <= (SELECT max(id) FROM judged) - ?1";
    connection.prepare_cached(sql)?.execute([MOST])?;
    Ok(())
}

/// The games on disk that are over, the latest first, as they were kept.
pub(crate) fn finished(connection: &Connection, most: usize) -> Result<Vec<String>, ProfileError> {
    let sql = "SELECT game FROM games WHERE open = 0 ORDER BY changed DESC LIMIT ?1";
    let mut select = connection.prepare_cached(sql)?;
    let rows = select.query_map([i64::try_from(most).unwrap_or(i64::MAX)], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    fn game(key: &str) -> JudgedGame {
        let game = serde_json::json!({
            "key": key, "name": "Ann", "opponent": "Bob", "black": true, "date": null, "opening": null, "margin": 2,
            "link": "#t=f5", "moves": [],
        });
        serde_json::from_value(game).unwrap()
    }

    #[test]
    fn judged_games_are_found_again_and_the_earliest_are_forgotten() {
        let mut connection = Connection::open_in_memory().unwrap();
        schema::migrate(&mut connection).unwrap();
        let keys = ["a".to_owned(), "b".to_owned()];
        keep(&connection, &game("a")).unwrap();
        keep(&connection, &game("a")).unwrap();
        assert_eq!(judged(&connection, &keys).unwrap(), HashMap::from([("a".to_owned(), game("a"))]));
        connection.execute("INSERT INTO judged (id, key, game) VALUES (?1, 'b', '{}')", [MOST + 2]).unwrap();
        keep(&connection, &game("c")).unwrap();
        assert_eq!(judged(&connection, &keys).unwrap().len(), 0, "one forgotten, one unreadable");
    }
}
