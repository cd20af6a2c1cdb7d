//! A game in memory with those who look on, and the search and the alarm that are set for it.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use emilia_query::Stop;
use emilia_rules::Color;
use emilia_service::move_job::LiveMessage;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::answers::to_json;
use crate::game::{GameState, Presence, View};
use crate::time::now;
use crate::token::Token;

/// A game with what hangs on it while it is in memory.
pub(crate) struct LiveGame {
    state: Mutex<GameState>,
    /// The newest snapshot, for those who look on; empty while nobody does.
    snapshots: watch::Sender<WrittenSnapshot>,
    thinking: watch::Sender<Arc<str>>,
    /// The newest version that is on disk, or that the disk has refused.
    settled: watch::Sender<u64>,
    search: Mutex<Option<Arc<Stop>>>,
    alarm: Mutex<Option<AbortHandle>>,
    watchers: AtomicU32,
    connected: [AtomicU32; 2],
    refreshing: AtomicBool,
    touched: AtomicU64,
}

/// A snapshot written once for all who look on.
pub(crate) type WrittenSnapshot = Option<Arc<RawValue>>;

/// How many changes of who looks on are told at once.
const REFRESH_EVERY: Duration = Duration::from_secs(1);

impl LiveGame {
    pub(crate) fn new(state: GameState) -> Arc<LiveGame> {
        Arc::new(LiveGame {
            settled: watch::Sender::new(state.version),
            state: Mutex::new(state),
            snapshots: watch::Sender::new(None),
            thinking: watch::Sender::new(Arc::from("")),
            search: Mutex::default(),
            alarm: Mutex::default(),
            watchers: AtomicU32::new(0),
            connected: Default::default(),
            refreshing: AtomicBool::new(false),
            touched: AtomicU64::new(now()),
        })
    }

    /// The game, for a short look or change.
    pub(crate) fn lock(&self) -> MutexGuard<'_, GameState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn presence(&self) -> Presence {
        let connected = [0, 1].map(|side| self.connected[side].load(Ordering::Relaxed) > 0);
        Presence { watchers: self.watchers.load(Ordering::Relaxed), connected }
    }

    /// The game as this token's holder sees it, in JSON; the token is told only if it is new. What it shows, a computer's
    /// last move too, is on disk when this returns: nobody sees a move that a kill could still take back.
    pub(crate) async fn view(&self, token: Option<Token>, fresh: bool) -> String {
        let (version, view) = {
            let state = self.lock();
            let view = View {
                token: token.filter(|_| fresh).map(|token| token.to_string()),
                you: state.you(state.holder(token)),
                now: now(),
                game: state.snapshot(self.presence()),
            };
            (state.version, to_json(&view))
        };
        self.settled(version).await;
        view
    }

    /// Waits until this version is on disk, or the disk has refused it.
    pub(crate) async fn settled(&self, version: u64) {
        // Fails only when the game is no more, and then there is nothing to wait for.
        let _ = self.settled.subscribe().wait_for(|settled| *settled >= version).await;
    }

    /// This version is on disk, or the disk has refused it.
    pub(crate) fn settle(&self, version: u64) {
        self.settled.send_if_modified(|settled| {
            let newer = version > *settled;
            *settled = version.max(*settled);
            newer
        });
    }

    /// The same as a message to one who looks on.
    pub(crate) async fn message(&self, token: Option<Token>) -> String {
        let (version, message) = {
            let state = self.lock();
            let (you, game) = (state.you(state.holder(token)), state.snapshot(self.presence()));
            (state.version, to_json(&LiveMessage::Game(View { token: None, you, now: now(), game })))
        };
        self.settled(version).await;
        message
    }

    /// The same from a snapshot made once for all.
    pub(crate) fn message_with(&self, snapshot: &RawValue, token: Option<Token>) -> String {
        let you = {
            let state = self.lock();
            state.you(state.holder(token))
        };
        to_json(&LiveMessage::Game(View { token: None, you, now: now(), game: snapshot }))
    }

    /// Snapshots and thinking from now on. The first snapshot is there at once, or as soon as it is on disk.
    pub(crate) fn subscribe(&self) -> (watch::Receiver<WrittenSnapshot>, watch::Receiver<Arc<str>>) {
        let receivers = (self.snapshots.subscribe(), self.thinking.subscribe());
        self.publish();
        receivers
    }

    fn publish(&self) {
        let state = self.lock();
        // What is still on its way to disk is shown when it has arrived.
        if state.version <= *self.settled.borrow() {
            self.show(&state);
        }
    }

    /// Sent under the lock, so that snapshots never overtake each other.
    pub(crate) fn show(&self, state: &GameState) {
        let watched = self.snapshots.receiver_count() > 0;
        let snapshot = watched.then(|| to_raw_value(&state.snapshot(self.presence())).ok()).flatten();
        self.snapshots.send_replace(snapshot.map(Arc::from));
    }

    /// Somebody wants the game.
    pub(crate) fn touch(&self) {
        self.touched.store(now(), Ordering::Relaxed);
    }

    /// How many look on without playing.
    pub(crate) fn watchers(&self) -> u32 {
        self.watchers.load(Ordering::Relaxed)
    }

    /// The game's newest state, whenever it changes.
    pub(crate) fn changes(&self) -> watch::Receiver<WrittenSnapshot> {
        self.snapshots.subscribe()
    }

    /// Where a computer tells what it thinks.
    pub(crate) fn audience(&self) -> watch::Sender<Arc<str>> {
        self.thinking.clone()
    }

    /// Milliseconds since somebody last wanted the game.
    pub(crate) fn quiet_for(&self, now: u64) -> u64 {
        now.saturating_sub(self.touched.load(Ordering::Relaxed))
    }

    /// Stops the search under way; from now on this one, or none, is for the game.
    pub(crate) fn search_now(&self, stop: Option<Arc<Stop>>) {
        if let Some(before) = std::mem::replace(&mut *lock(&self.search), stop) {
            before.request();
        }
    }

    /// Replaces the alarm that ends the game when time is up.
    pub(crate) fn set_alarm(&self, alarm: Option<AbortHandle>) {
        if let Some(before) = std::mem::replace(&mut *lock(&self.alarm), alarm) {
            before.abort();
        }
    }

    /// A screen comes or goes: that of a player with these seats, or of a watcher, who has none.
    pub(crate) fn attend(self: &Arc<Self>, seats: &[Color], come: bool) {
        if seats.is_empty() {
            count(&self.watchers, come);
        }
        for color in seats {
            count(&self.connected[*color as usize], come);
        }
        self.touch();
        self.refresh();
    }

    /// Tells everybody who looks on, not more often than once a second.
    fn refresh(self: &Arc<Self>) {
        if self.refreshing.swap(true, Ordering::Relaxed) {
            return;
        }
        let live = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(REFRESH_EVERY).await;
            live.refreshing.store(false, Ordering::Relaxed);
            live.publish();
        });
    }
}

/// Up or down by one.
fn count(counter: &AtomicU32, up: bool) {
    if up {
        counter.fetch_add(1, Ordering::Relaxed);
    } else {
        counter.fetch_sub(1, Ordering::Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
