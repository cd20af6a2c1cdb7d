//! The file with the games. One thread owns it; changes that arrive together are committed together.

use std::collections::HashMap;
use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;

use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::oneshot;

use crate::game::Saved;
use crate::time::now;

/// The way to the thread that writes.
#[derive(Clone, Debug)]
pub(crate) struct Store(mpsc::Sender<Order>);

/// What the thread is told to do.
enum Order {
    /// Keep this game; answer when it is committed.
    Save { id: String, open: bool, json: String, done: oneshot::Sender<bool> },
    /// Find this game.
    Load { id: String, done: oneshot::Sender<Option<String>> },
    /// Commit what has come so far, and end.
    Close,
}

/// Most changes committed together.
const BATCH: usize = 512;

impl Store {
    /// Opens the file in this folder, or a database in memory, and hands over the games that are not over, the
    /// latest first and not more than `most`.
    pub(crate) fn open(
        folder: Option<&Path>,
        most: usize,
    ) -> rusqlite::Result<(Store, Vec<String>, JoinHandle<()>)> {
        let connection = match folder {
            Some(folder) => Connection::open(folder.join("emilia.sqlite"))?,
            None => Connection::open_in_memory()?,
        };
        // With a write-ahead log a commit survives the death of the process.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS games (
                id TEXT PRIMARY KEY, open INTEGER NOT NULL, changed INTEGER NOT NULL, game TEXT NOT NULL
             ) WITHOUT ROWID;
             CREATE INDEX IF NOT EXISTS open_games ON games (open, changed);",
        )?;
        let unfinished = connection
            .prepare("SELECT game FROM games WHERE open = 1 ORDER BY changed DESC LIMIT ?1")?
            .query_map([most as i64], |row| row.get(0))?
            .collect::<rusqlite::Result<Vec<String>>>()?;
        let (send, receive) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || work(connection, &receive))
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        Ok((Store(send), unfinished, thread))
    }

    /// Keeps a game. The answer comes when it is on disk, and says whether it is.
    pub(crate) fn save(&self, saved: &Saved, open: bool) -> oneshot::Receiver<bool> {
        let (done, receiver) = oneshot::channel();
        let json = serde_json::to_string(saved).unwrap_or_default();
        // If the thread has ended, the sender is dropped and the receiver says so.
        let _ = self.0.send(Order::Save { id: saved.id.clone(), open, json, done });
        receiver
    }

    /// Finds a game that is not in memory.
    pub(crate) async fn load(&self, id: &str) -> Option<String> {
        let (done, receiver) = oneshot::channel();
        self.0.send(Order::Load { id: id.to_owned(), done }).ok()?;
        receiver.await.ok().flatten()
    }

    /// Lets the thread finish.
    pub(crate) fn close(&self) {
        let _ = self.0.send(Order::Close);
    }
}

fn work(mut connection: Connection, orders: &mpsc::Receiver<Order>) {
    while let Ok(first) = orders.recv() {
        // Of several changes to one game only the last has to be written.
        let mut saves: HashMap<String, (bool, String)> = HashMap::new();
        let mut waiting = Vec::new();
        let mut loads = Vec::new();
        let mut closing = false;
        for order in std::iter::once(first).chain(orders.try_iter()).take(BATCH) {
            match order {
                Order::Save { id, open, json, done } => {
                    saves.insert(id, (open, json));
                    waiting.push(done);
                }
                Order::Load { id, done } => loads.push((id, done)),
                Order::Close => closing = true,
            }
        }
        let kept = saves.is_empty() || commit(&mut connection, &saves);
        for done in waiting {
            let _ = done.send(kept);
        }
        for (id, done) in loads {
            let _ = done.send(find(&connection, &id));
        }
        if closing {
            return;
        }
    }
}

fn commit(connection: &mut Connection, saves: &HashMap<String, (bool, String)>) -> bool {
    let written = (|| {
        let transaction = connection.transaction()?;
        {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO games (id, open, changed, game) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (id) DO UPDATE SET open = ?2, changed = ?3, game = ?4",
            )?;
            for (id, (open, json)) in saves {
                insert.execute(params![id, open, now() as i64, json])?;
            }
        }
        transaction.commit()
    })();
    if let Err(error) = &written {
        tracing::error!(%error, games = saves.len(), "cannot write games");
    }
    written.is_ok()
}

fn find(connection: &Connection, id: &str) -> Option<String> {
    let found = connection
        .prepare_cached("SELECT game FROM games WHERE id = ?1")
        .and_then(|mut select| select.query_row([id], |row| row.get(0)).optional());
    found.unwrap_or_else(|error| {
        tracing::error!(%error, "cannot read a game");
        None
    })
}
