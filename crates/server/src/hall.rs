//! All tables: finding them, changing them, telling those who look on, and letting computers have their turn.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use emilia_engine::Stop;
use emilia_rules::{Color, Playable};
use tokio::sync::{oneshot, watch};
use tokio::task::AbortHandle;

use crate::catalogue;
use crate::metrics::Metrics;
use crate::minds::{Minds, Thinker};
use crate::moment::now;
use crate::pool::{Owner, Pool};
use crate::refusal::Refusal;
use crate::store::Store;
use crate::table::{Phase, Presence, Table, Verdict};
use crate::thought::{LONGEST, Thought};
use crate::token::Token;

/// A table with what hangs on it while it is in memory.
pub(crate) struct Cell {
    table: Mutex<Table>,
    /// The newest snapshot, for those who look on; empty while nobody does.
    game: watch::Sender<Arc<str>>,
    thinking: watch::Sender<Arc<str>>,
    search: Mutex<Option<Arc<Stop>>>,
    alarm: Mutex<Option<AbortHandle>>,
    watchers: AtomicU32,
    connected: [AtomicU32; 2],
    refreshing: AtomicBool,
    touched: AtomicU64,
}

/// Every table there is.
#[derive(Clone)]
pub(crate) struct Hall(Arc<Inner>);

struct Inner {
    tables: RwLock<HashMap<String, Arc<Cell>>>,
    store: Store,
    pool: Pool,
    metrics: Arc<Metrics>,
    minds: Minds,
    most: usize,
}

/// Finished games leave memory so long after somebody last looked; they stay on disk.
const FORGET_FINISHED: u64 = 10 * 60_000;
/// Other games after a day.
const FORGET_UNFINISHED: u64 = 24 * 3_600_000;
/// Megabytes for what computer players remember between their moves, in all games together.
const MEMORY: usize = 256;
/// How many changes of who looks on are told at once.
const REFRESH_EVERY: Duration = Duration::from_secs(1);

impl Cell {
    fn new(table: Table) -> Arc<Cell> {
        Arc::new(Cell {
            table: Mutex::new(table),
            game: watch::Sender::new(Arc::from("")),
            thinking: watch::Sender::new(Arc::from("")),
            search: Mutex::default(),
            alarm: Mutex::default(),
            watchers: AtomicU32::new(0),
            connected: Default::default(),
            refreshing: AtomicBool::new(false),
            touched: AtomicU64::new(now()),
        })
    }

    /// The table, for a short look or change.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn presence(&self) -> Presence {
        let connected = [0, 1].map(|side| self.connected[side].load(Ordering::Relaxed) > 0);
        Presence { watchers: self.watchers.load(Ordering::Relaxed), connected }
    }

    /// The game as this token's holder sees it: `{"token", "you", "now", "game"}`, the token only if it is new.
    pub(crate) fn view(&self, token: Option<Token>, fresh: bool) -> String {
        let (you, game) = {
            let table = self.lock();
            (table.you(table.holder(token)), table.snapshot(self.presence()))
        };
        let first = match token {
            Some(token) if fresh => format!("\"token\":\"{token}\","),
            _ => String::new(),
        };
        format!("{{{first}\"you\":{you},\"now\":{},\"game\":{game}}}", now())
    }

    /// The same as a message to one who looks on, from a snapshot made once for all.
    pub(crate) fn message(&self, snapshot: &str, token: Option<Token>) -> String {
        let you = {
            let table = self.lock();
            table.you(table.holder(token))
        };
        format!("{{\"type\":\"game\",\"you\":{you},\"now\":{},\"game\":{snapshot}}}", now())
    }

    /// Snapshots and thinking from now on. The first snapshot is there at once.
    pub(crate) fn subscribe(&self) -> (watch::Receiver<Arc<str>>, watch::Receiver<Arc<str>>) {
        let receivers = (self.game.subscribe(), self.thinking.subscribe());
        self.publish();
        receivers
    }

    fn publish(&self) {
        self.show(&self.lock());
    }

    /// Sent under the lock, so that snapshots never overtake each other.
    fn show(&self, table: &Table) {
        let snapshot: Arc<str> = if self.game.receiver_count() > 0 {
            table.snapshot(self.presence()).to_string().into()
        } else {
            Arc::from("")
        };
        self.game.send_replace(snapshot);
    }

    fn touch(&self) {
        self.touched.store(now(), Ordering::Relaxed);
    }

    /// How many look on.
    pub(crate) fn watchers(&self) -> u32 {
        self.watchers.load(Ordering::Relaxed)
    }

    /// The game's newest state, whenever it changes.
    pub(crate) fn changes(&self) -> watch::Receiver<Arc<str>> {
        self.game.subscribe()
    }
}

impl Hall {
    pub(crate) fn new(store: Store, pool: Pool, metrics: Arc<Metrics>, most: usize) -> Hall {
        let minds = Minds::new(MEMORY);
        Hall(Arc::new(Inner { tables: RwLock::default(), store, pool, metrics, minds, most }))
    }

    /// Sets up the tables that were not finished when the server last ended.
    pub(crate) fn restore(&self, games: &[String]) {
        for json in games {
            match Table::restore(json, now()) {
                Ok(table) => {
                    self.admit(table);
                }
                Err(error) => tracing::warn!(%error, "a game on disk cannot be read"),
            }
        }
    }

    /// Games in memory.
    pub(crate) fn len(&self) -> usize {
        self.tables().len()
    }

    /// Every table, in no order.
    pub(crate) fn all(&self) -> Vec<Arc<Cell>> {
        self.tables().values().cloned().collect()
    }

    fn tables(&self) -> std::sync::RwLockReadGuard<'_, HashMap<String, Arc<Cell>>> {
        self.0.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a table that is on disk already into memory and lets it go on.
    fn admit(&self, table: Table) -> Arc<Cell> {
        let (id, version) = (table.id.clone(), table.version);
        let cell = {
            let mut tables = self.0.tables.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(tables.entry(id).or_insert_with(|| Cell::new(table)))
        };
        self.settle(&cell, version);
        cell
    }

    /// A new table, committed before it is answered.
    pub(crate) async fn open(&self, table: Table) -> Result<Arc<Cell>, Refusal> {
        if self.len() >= self.0.most {
            self.sweep();
            if self.len() >= self.0.most {
                return Err(Refusal::TooMany("there are too many games; finish some first"));
            }
        }
        let saved = self.save(&table, now());
        if !saved.await.unwrap_or(false) {
            return Err(Refusal::NotSaved);
        }
        self.0.metrics.games.add(1);
        Ok(self.admit(table))
    }

    /// The table of this name, from memory or from disk.
    pub(crate) async fn find(&self, id: &str) -> Result<Arc<Cell>, Refusal> {
        if id.parse::<Token>().is_err() {
            return Err(Refusal::UnknownGame);
        }
        let known = self.tables().get(id).cloned();
        if let Some(cell) = known {
            cell.touch();
            return Ok(cell);
        }
        let json = self.0.store.load(id).await.ok_or(Refusal::UnknownGame)?;
        match Table::restore(&json, now()) {
            Ok(table) => Ok(self.admit(table)),
            Err(error) => {
                tracing::warn!(%error, "a game on disk cannot be read");
                Err(Refusal::UnknownGame)
            }
        }
    }

    /// Changes a table. The change is on disk before this returns, and everybody is told.
    pub(crate) async fn change<T>(
        &self,
        id: &str,
        act: impl FnOnce(&mut Table, u64) -> Result<T, Refusal>,
    ) -> Result<(Arc<Cell>, T), Refusal> {
        let cell = self.find(id).await?;
        let (value, version, saved) = {
            let mut table = cell.lock();
            let (before, now) = ((table.version, table.turns.len()), now());
            let value = act(&mut table, now)?;
            if table.version == before.0 {
                drop(table);
                return Ok((cell, value));
            }
            self.0.metrics.moves.add(table.turns.len().saturating_sub(before.1) as u64);
            // Handed over under the lock, so that the file sees changes in their order.
            (value, table.version, self.save(&table, now))
        };
        let (hall, changed) = (self.clone(), Arc::clone(&cell));
        // A task of its own: it goes on if the client hangs up now.
        let settled = tokio::spawn(async move {
            let kept = saved.await.unwrap_or(false);
            hall.settle(&changed, version);
            kept
        });
        if settled.await.unwrap_or(false) { Ok((cell, value)) } else { Err(Refusal::NotSaved) }
    }

    fn save(&self, table: &Table, now: u64) -> oneshot::Receiver<bool> {
        let open = !matches!(table.phase, Phase::Over(_));
        self.0.store.save(&table.saved(now), open)
    }

    /// After a change: tells everybody, stops the search for another position, starts the next one, sets the alarm.
    /// All under the lock of the table, so that an earlier change cannot undo what a later one has set going.
    fn settle(&self, cell: &Arc<Cell>, version: u64) {
        let table = cell.lock();
        if table.version != version {
            // A later change is on its way to disk and will settle everything.
            return;
        }
        cell.show(&table);
        if matches!(table.phase, Phase::Over(_)) {
            self.0.minds.forget(&table.id);
        }
        let thought = self.thought(cell, &table);
        let stop = thought.as_ref().map(|(thought, _)| Arc::clone(&thought.stop));
        if let Some(before) = std::mem::replace(&mut *lock(&cell.search), stop) {
            before.request();
        }
        if let Some((thought, pause)) = thought {
            tokio::spawn(self.think(Arc::clone(cell), version, thought, pause));
        }
        let running = table.clocks.filter(|clocks| clocks.running_since.is_some());
        let left = running.map(|clocks| clocks.left_to(table.turn(), now()));
        let alarm = left.map(|left| tokio::spawn(self.ring(Arc::clone(cell), left)).abort_handle());
        if let Some(before) = std::mem::replace(&mut *lock(&cell.alarm), alarm) {
            before.abort();
        }
    }

    /// What the computer has to think about, and how long its move is held back.
    fn thought(&self, cell: &Cell, table: &Table) -> Option<(Thought, Duration)> {
        let name = table.computer_to_move()?.to_owned();
        let candidate = catalogue::candidate(&name)
            .or_else(|error| {
                tracing::warn!(%error, "a player of a saved game is no longer known");
                catalogue::candidate(catalogue::USUAL)
            })
            .ok()?
            .aiming_for(table.terms.objective);
        let mut pause = Duration::from_millis(table.terms.pause_ms);
        let mut time = LONGEST;
        if let Some(clocks) = table.clocks {
            // A twentieth of what is left, as if twenty moves were to come; never more than half.
            let left = clocks.left_to(table.turn(), now());
            let share = (left / 20 + clocks.terms.increment_ms * 3 / 4).min(left / 2);
            time = time.min(Duration::from_millis(share));
            pause = pause.min(Duration::from_millis(left / 20));
        }
        let thinker = Thinker { game: table.id.clone(), color: table.turn(), player: name.clone() };
        let thought = Thought {
            candidate,
            name,
            position: *table.position(),
            ply: table.turns.len() + 1,
            game: table.created,
            time,
            stop: Arc::default(),
            audience: cell.thinking.clone(),
            minds: self.0.minds.clone(),
            thinker,
        };
        Some((thought, pause))
    }

    /// Thinks off the async threads, and plays what was found if the game still waits for it. Boxed, because playing
    /// leads to the next thought.
    fn think(
        &self,
        cell: Arc<Cell>,
        version: u64,
        thought: Thought,
        pause: Duration,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let hall = self.clone();
        Box::pin(async move {
            let begin = Instant::now();
            let (stop, position) = (Arc::clone(&thought.stop), thought.position);
            let id = cell.lock().id.clone();
            let Ok(found) = hall.0.pool.run(Owner::Game(id.clone()), move |slot| thought.think(slot)) else {
                return;
            };
            let (mv, verdict) = match found.await {
                Ok(Some(found)) => found,
                Ok(None) => return,
                Err(_) => {
                    // The search failed. A game must not hang for that: any legal move goes on.
                    let Some(mv) = position.moves().next() else { return };
                    (mv, Verdict { score: None, depth: 0, nodes: 0 })
                }
            };
            hall.0.metrics.nodes.add(verdict.nodes);
            tokio::time::sleep(pause.saturating_sub(begin.elapsed())).await;
            if stop.is_requested() {
                return;
            }
            let played = hall.change(&id, |table, now| table.play_computer(version, mv, verdict, now)).await;
            if let Err(error) = played {
                tracing::debug!(%error, "a computer's move came too late");
            }
        })
    }

    /// Ends the game when time is up. Boxed as above.
    fn ring(&self, cell: Arc<Cell>, left: u64) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let hall = self.clone();
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(left + 1)).await;
            let id = cell.lock().id.clone();
            // In a task of its own, because settling ends this one.
            tokio::spawn(async move {
                let _ = hall.change(&id, |table, now| Ok(table.flag(now))).await;
            });
        })
    }

    /// Forgets tables that nobody needs in memory.
    pub(crate) fn sweep(&self) {
        let now = now();
        let mut tables = self.0.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.retain(|_, cell| {
            let quiet = now.saturating_sub(cell.touched.load(Ordering::Relaxed));
            let keep = match cell.lock().phase {
                Phase::Over(_) => quiet < FORGET_FINISHED,
                _ => quiet < FORGET_UNFINISHED,
            };
            // Whoever holds the cell is about to use it.
            keep || cell.watchers() > 0 || Arc::strong_count(cell) > 1
        });
    }

    /// Somebody begins or ceases to look on, from this seat or none.
    pub(crate) fn attend(&self, cell: &Arc<Cell>, seats: &[Color], come: bool) {
        let count = |counter: &AtomicU32| {
            if come {
                counter.fetch_add(1, Ordering::Relaxed);
            } else {
                counter.fetch_sub(1, Ordering::Relaxed);
            }
        };
        for color in seats {
            count(&cell.connected[*color as usize]);
        }
        cell.touch();
        self.refresh(cell);
    }

    /// One more or one less looks on.
    pub(crate) fn count_watcher(&self, cell: &Arc<Cell>, come: bool) {
        if come {
            cell.watchers.fetch_add(1, Ordering::Relaxed);
        } else {
            cell.watchers.fetch_sub(1, Ordering::Relaxed);
        }
        cell.touch();
        self.refresh(cell);
    }

    /// Tells everybody who looks on, not more often than once a second.
    fn refresh(&self, cell: &Arc<Cell>) {
        if cell.refreshing.swap(true, Ordering::Relaxed) {
            return;
        }
        let cell = Arc::clone(cell);
        tokio::spawn(async move {
            tokio::time::sleep(REFRESH_EVERY).await;
            cell.refreshing.store(false, Ordering::Relaxed);
            cell.publish();
        });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
