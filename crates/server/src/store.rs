//! The file with the games, with what learners have and with studies. One thread owns it; changes that arrive together are committed
//! together.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::oneshot;

use crate::answers::to_json;
use crate::game::Saved;
use crate::profile_tables::ProfileError;
use crate::schema::{self, StoreError};
use crate::study_tables::StudyTableError;
use crate::time::now;

/// The way to the thread that writes.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    orders: mpsc::Sender<Order>,
    failing: Arc<AtomicBool>,
}

/// What the thread is told to do.
enum Order {
    /// Keep this game; answer when it is committed.
    Save(Save),
    /// Find this game.
    Load { id: String, done: oneshot::Sender<Option<String>> },
    /// Look something up in the tables of learners or studies, or change it.
    Tables(Work),
    /// Commit what has come so far, and end.
    Close,
}

/// Steps in the tables of learners or studies. They are kept only if they say so, and whoever waits is told whether they are on disk.
type Work = Box<dyn FnOnce(&Connection) -> Worked + Send>;

/// The disk does not take a change now, and nothing was changed.
#[derive(Debug)]
pub(crate) struct Unwritten;

/// What came of it.
struct Worked {
    keep: bool,
    tell: Box<dyn FnOnce(bool) + Send>,
}

/// A game to be kept.
struct Save {
    id: String,
    /// Nothing if the game is to be forgotten.
    row: Option<Row>,
    /// Nobody has been told of it yet: if it cannot be written, it is as if it had never been.
    new: bool,
    done: oneshot::Sender<bool>,
}

/// What is written of a game.
struct Row {
    open: bool,
    json: String,
}

/// Most changes committed together.
const BATCH: usize = 512;
/// How often changes that could not be written are tried again.
const RETRY_EVERY: Duration = Duration::from_secs(1);

impl Store {
    /// Opens this file, or a database in memory, and hands over the games that are not over, the
    /// latest first and not more than `most`.
    pub(crate) fn open(
        file: Option<&Path>,
        most: usize,
    ) -> Result<(Store, Vec<String>, JoinHandle<()>), StoreError> {
        let mut connection = match file {
            Some(file) => Connection::open(file)?,
            None => Connection::open_in_memory()?,
        };
        // With a write-ahead log a commit survives the death of the process; synced at every commit it survives a power
        // cut too. Changes that arrive together share a sync, which is what it costs: docs/reliability.md.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        schema::migrate(&mut connection)?;
        let unfinished = connection
            .prepare("SELECT game FROM games WHERE open = 1 ORDER BY changed DESC LIMIT ?1")?
            .query_map([most as i64], |row| row.get(0))?
            .collect::<rusqlite::Result<Vec<String>>>()?;
        let (send, receive) = mpsc::channel();
        let failing: Arc<AtomicBool> = Arc::default();
        let writer = Writer { connection, unwritten: HashMap::new(), failing: Arc::clone(&failing) };
        let thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || writer.work(&receive))
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        Ok((Store { orders: send, failing }, unfinished, thread))
    }

    /// Keeps a game. The answer comes when it is on disk, or says that it cannot be written now; then it is written
    /// as soon as that is possible, unless it is new.
    pub(crate) fn save(&self, saved: &Saved, open: bool, new: bool) -> oneshot::Receiver<bool> {
        let (done, receiver) = oneshot::channel();
        let row = Some(Row { open, json: to_json(saved) });
        // If the thread has ended, the sender is dropped and the receiver says so.
        let _ = self.orders.send(Order::Save(Save { id: saved.id.clone(), row, new, done }));
        receiver
    }

    /// Forgets a game for good; answered like [`Store::save`].
    pub(crate) fn delete(&self, id: &str) -> oneshot::Receiver<bool> {
        let (done, receiver) = oneshot::channel();
        let _ = self.orders.send(Order::Save(Save { id: id.to_owned(), row: None, new: false, done }));
        receiver
    }

    /// Whether there are changes that could not be written yet.
    pub(crate) fn is_failing(&self) -> bool {
        self.failing.load(Ordering::Relaxed)
    }

    /// Finds a game that is not in memory.
    pub(crate) async fn load(&self, id: &str) -> Option<String> {
        let (done, receiver) = oneshot::channel();
        self.orders.send(Order::Load { id: id.to_owned(), done }).ok()?;
        receiver.await.ok().flatten()
    }

    /// Does something in the tables of learners. What comes back is on disk; an error has changed nothing.
    pub(crate) async fn profiles<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, ProfileError> + Send + 'static,
    ) -> Result<T, ProfileError> {
        self.tables(work).await
    }

    /// The same in the table of studies.
    pub(crate) async fn studies<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StudyTableError> + Send + 'static,
    ) -> Result<T, StudyTableError> {
        self.tables(work).await
    }

    async fn tables<T: Send + 'static, E: From<Unwritten> + Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let (done, receiver) = oneshot::channel();
        let work: Work = Box::new(move |connection| {
            let result = work(connection);
            let keep = result.is_ok();
            let tell = move |committed: bool| {
                let _ = done.send(if keep && !committed { Err(Unwritten.into()) } else { result });
            };
            Worked { keep, tell: Box::new(tell) }
        });
        let _ = self.orders.send(Order::Tables(work));
        receiver.await.unwrap_or_else(|_| Err(Unwritten.into()))
    }

    /// Lets the thread finish.
    pub(crate) fn close(&self) {
        let _ = self.orders.send(Order::Close);
    }
}

/// What the thread has.
struct Writer {
    connection: Connection,
    /// What could not be written yet, by game.
    unwritten: HashMap<String, Option<Row>>,
    failing: Arc<AtomicBool>,
}

impl Writer {
    fn work(mut self, orders: &mpsc::Receiver<Order>) {
        loop {
            let first = if self.failing.load(Ordering::Relaxed) {
                orders.recv_timeout(RETRY_EVERY)
            } else {
                orders.recv().map_err(|_| RecvTimeoutError::Disconnected)
            };
            let batch = match first {
                Ok(first) => std::iter::once(first).chain(orders.try_iter()).take(BATCH).collect(),
                Err(RecvTimeoutError::Timeout) => Vec::new(),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let mut saves = Vec::new();
            let mut loads = Vec::new();
            let mut works = Vec::new();
            let mut closing = false;
            for order in batch {
                match order {
                    Order::Save(save) => saves.push(save),
                    Order::Load { id, done } => loads.push((id, done)),
                    Order::Tables(work) => works.push(work),
                    Order::Close => closing = true,
                }
            }
            self.save(saves);
            for (id, done) in loads {
                let _ = done.send(self.find(&id));
            }
            self.work_on_tables(works);
            if closing {
                if !self.unwritten.is_empty() {
                    tracing::error!(games = self.unwritten.len(), "the last changes could not be written");
                }
                return;
            }
        }
    }

    /// Writes these changes and those that could not be written before, all or none.
    fn save(&mut self, saves: Vec<Save>) {
        let mut rows = std::mem::take(&mut self.unwritten);
        let mut waiting = Vec::with_capacity(saves.len());
        let mut new = HashSet::new();
        for save in saves {
            if save.new {
                new.insert(save.id.clone());
            }
            // Of several changes to one game only the last has to be written.
            rows.insert(save.id, save.row);
            waiting.push(save.done);
        }
        let failing = self.failing.load(Ordering::Relaxed);
        if rows.is_empty() && !failing {
            return;
        }
        let written = self.commit(&rows);
        match &written {
            Ok(()) if failing => tracing::info!(games = rows.len(), "games can be written again, and are"),
            Ok(()) => {}
            Err(error) => {
                if !failing {
                    tracing::error!(%error, "games cannot be written; this is tried again every second");
                }
                rows.retain(|id, _| !new.contains(id));
                self.unwritten = rows;
            }
        }
        self.failing.store(written.is_err(), Ordering::Relaxed);
        for done in waiting {
            let _ = done.send(written.is_ok());
        }
    }

    /// Does what is wanted in the tables of learners and studies, in one transaction. Those whose steps fail lose theirs only.
    fn work_on_tables(&mut self, works: Vec<Work>) {
        if works.is_empty() {
            return;
        }
        let mut waiting = Vec::new();
        let committed = in_one_transaction(&mut self.connection, works, &mut waiting);
        if let Err(error) = &committed {
            tracing::error!(%error, "what learners did, or studies, cannot be written");
        }
        for tell in waiting {
            tell(committed.is_ok());
        }
    }

    fn commit(&mut self, rows: &HashMap<String, Option<Row>>) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO games (id, open, changed, game) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (id) DO UPDATE SET open = ?2, changed = ?3, game = ?4",
            )?;
            let mut delete = transaction.prepare_cached("DELETE FROM games WHERE id = ?1")?;
            for (id, row) in rows {
                match row {
                    Some(Row { open, json }) => insert.execute(params![id, open, now() as i64, json])?,
                    None => delete.execute(params![id])?,
                };
            }
        }
        if rows.is_empty() {
            // Only to see whether anything can be written.
            transaction.execute("INSERT INTO games (id, open, changed, game) VALUES ('', 0, 0, '')", [])?;
            transaction.execute("DELETE FROM games WHERE id = ''", [])?;
        }
        transaction.commit()
    }

    fn find(&self, id: &str) -> Option<String> {
        if let Some(row) = self.unwritten.get(id) {
            return row.as_ref().map(|row| row.json.clone());
        }
        let found = self
            .connection
            .prepare_cached("SELECT game FROM games WHERE id = ?1")
            .and_then(|mut select| select.query_row([id], |row| row.get(0)).optional());
        found.unwrap_or_else(|error| {
            tracing::error!(%error, "cannot read a game");
            None
        })
    }
}

/// Those who are not reached because the disk refuses are dropped, which tells them.
fn in_one_transaction(
    connection: &mut Connection,
    works: Vec<Work>,
    waiting: &mut Vec<Box<dyn FnOnce(bool) + Send>>,
) -> rusqlite::Result<()> {
    let mut transaction = connection.transaction()?;
    for work in works {
        let savepoint = transaction.savepoint()?;
        let Worked { keep, tell } = work(&savepoint);
        waiting.push(tell);
        if keep {
            savepoint.commit()?;
        }
    }
    transaction.commit()
}
