//! All games: finding them, changing them, telling those who look on, and letting computers have their turn.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use emilia_rules::Playable;
use emilia_service::error::ServiceError;
use emilia_service::move_job::MoveJob;
use tokio::sync::oneshot;

use crate::error::ApiError;
use crate::game::{GameState, Phase, Verdict};
use crate::live_game::LiveGame;
use crate::metrics::Metrics;
use crate::move_job::LiveJob;
use crate::player_cache::{PlayerCache, PlayerKey};
use crate::pool::{Owner, Pool};
use crate::store::Store;
use crate::time::now;
use crate::token::Token;

/// Every game there is.
#[derive(Clone)]
pub(crate) struct Games(Arc<Inner>);

struct Inner {
    entries: RwLock<HashMap<String, Arc<LiveGame>>>,
    store: Store,
    pool: Pool,
    metrics: Arc<Metrics>,
    players: PlayerCache,
    most: usize,
    /// Milliseconds.
    finished_kept: u64,
}

/// Games that are not finished leave memory so long after somebody last looked; they stay on disk.
const FORGET_UNFINISHED: u64 = 24 * 3_600_000;
impl Games {
    pub(crate) fn new(
        store: Store,
        pool: Pool,
        players: PlayerCache,
        metrics: Arc<Metrics>,
        most: usize,
        finished_kept: Duration,
    ) -> Games {
        let finished_kept = finished_kept.as_millis() as u64;
        let entries = RwLock::default();
        Games(Arc::new(Inner { entries, store, pool, metrics, players, most, finished_kept }))
    }

    /// Sets up the games that were not finished when the server last ended.
    pub(crate) fn restore(&self, games: &[String]) {
        for json in games {
            match GameState::restore(json, now()) {
                Ok(state) => {
                    self.admit(state);
                }
                Err(error) => tracing::warn!(%error, "a game on disk cannot be read"),
            }
        }
    }

    /// Games in memory.
    pub(crate) fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether there are changes that could not be written yet.
    pub(crate) fn is_failing(&self) -> bool {
        self.0.store.is_failing()
    }

    /// Every game, in no order.
    pub(crate) fn all(&self) -> Vec<Arc<LiveGame>> {
        self.entries().values().cloned().collect()
    }

    fn entries(&self) -> std::sync::RwLockReadGuard<'_, HashMap<String, Arc<LiveGame>>> {
        self.0.entries.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a game that is on disk already into memory and lets it go on.
    fn admit(&self, state: GameState) -> Arc<LiveGame> {
        let (id, version) = (state.id.clone(), state.version);
        let live = {
            let mut entries = self.0.entries.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(entries.entry(id).or_insert_with(|| LiveGame::new(state)))
        };
        self.settle(&live, version);
        live
    }

    /// A new game, committed before it is answered.
    pub(crate) async fn open(&self, state: GameState) -> Result<Arc<LiveGame>, ApiError> {
        if self.len() >= self.0.most {
            self.sweep();
            if self.len() >= self.0.most {
                return Err(ApiError::TooMany("there are too many games; finish some first"));
            }
        }
        let saved = self.save(&state, now(), true);
        if !saved.await.unwrap_or(false) {
            return Err(ApiError::NotSaved);
        }
        self.0.metrics.games.add(1);
        Ok(self.admit(state))
    }

    /// The game of this name, from memory or from disk.
    pub(crate) async fn find(&self, id: &str) -> Result<Arc<LiveGame>, ApiError> {
        if id.parse::<Token>().is_err() {
            return Err(ApiError::UnknownGame);
        }
        let known = self.entries().get(id).cloned();
        if let Some(live) = known {
            live.touch();
            return Ok(live);
        }
        let json = self.0.store.load(id).await.ok_or(ApiError::UnknownGame)?;
        match GameState::restore(&json, now()) {
            Ok(state) => Ok(self.admit(state)),
            Err(error) => {
                tracing::warn!(%error, "a game on disk cannot be read");
                Err(ApiError::UnknownGame)
            }
        }
    }

    /// The game of this name for a short look: one that is only on disk stays there.
    pub(crate) async fn peek<T>(&self, id: &str, look: impl FnOnce(&GameState) -> T) -> Option<T> {
        let known = self.entries().get(id).cloned();
        if let Some(live) = known {
            return Some(look(&live.lock()));
        }
        id.parse::<Token>().ok()?;
        let json = self.0.store.load(id).await?;
        GameState::restore(&json, now()).ok().map(|state| look(&state))
    }

    /// Forgets a game for good, if this holder may have that. Whoever looks on keeps seeing it as it was.
    pub(crate) async fn delete(&self, id: &str, token: Option<Token>) -> Result<(), ApiError> {
        let live = self.find(id).await?;
        {
            let state = live.lock();
            let holder = state.holder(token);
            if !holder.is_seated() && !holder.host {
                return Err(ServiceError::BadToken.into());
            }
            if !state.may_delete(holder) {
                return Err(ServiceError::NotNow("a game of two people belongs to both").into());
            }
        }
        live.search_now(None);
        live.set_alarm(None);
        self.0.players.forget(id);
        self.0.entries.write().unwrap_or_else(PoisonError::into_inner).remove(id);
        if self.0.store.delete(id).await.unwrap_or(false) { Ok(()) } else { Err(ApiError::NotSaved) }
    }

    /// Changes a game. The change is on disk before this returns, and everybody is told.
    pub(crate) async fn change<T>(
        &self,
        id: &str,
        act: impl FnOnce(&mut GameState, u64) -> Result<T, ApiError>,
    ) -> Result<(Arc<LiveGame>, T), ApiError> {
        let live = self.find(id).await?;
        let (value, version, saved) = {
            let mut state = live.lock();
            let (before, now) = ((state.version, state.turns.len()), now());
            let value = act(&mut state, now)?;
            if state.version == before.0 {
                drop(state);
                return Ok((live, value));
            }
            self.0.metrics.moves.add(state.turns.len().saturating_sub(before.1) as u64);
            // Handed over under the lock, so that the file sees changes in their order.
            (value, state.version, self.save(&state, now, false))
        };
        let (games, changed) = (self.clone(), Arc::clone(&live));
        // A task of its own: it goes on if the client hangs up now.
        let settled = tokio::spawn(async move {
            let kept = saved.await.unwrap_or(false);
            games.settle(&changed, version);
            kept
        });
        if settled.await.unwrap_or(false) { Ok((live, value)) } else { Err(ApiError::NotSaved) }
    }

    fn save(&self, state: &GameState, now: u64, new: bool) -> oneshot::Receiver<bool> {
        let open = !matches!(state.phase, Phase::Over(_));
        self.0.store.save(&state.saved(now), open, new)
    }

    /// After a change: tells everybody, stops the search for another position, starts the next one, sets the alarm.
    /// All under the lock of the game, so that an earlier change cannot undo what a later one has set going.
    fn settle(&self, live: &Arc<LiveGame>, version: u64) {
        live.settle(version);
        let state = live.lock();
        if state.version != version {
            // A later change is on its way to disk and will settle everything.
            return;
        }
        live.show(&state);
        if matches!(state.phase, Phase::Over(_)) {
            self.0.players.forget(&state.id);
        }
        let job = self.job(live, &state);
        live.search_now(job.as_ref().map(|job| Arc::clone(&job.stop)));
        if let Some(job) = job {
            tokio::spawn(self.think(Arc::clone(live), version, job));
        }
        let running = state.clocks.filter(|clocks| clocks.running_since.is_some());
        let left = running.map(|clocks| clocks.left_to(state.turn(), now()));
        live.set_alarm(left.map(|left| tokio::spawn(self.ring(Arc::clone(live), left)).abort_handle()));
    }

    /// What the computer has to think about.
    fn job(&self, live: &LiveGame, state: &GameState) -> Option<LiveJob> {
        let job = MoveJob::of(state, now())?;
        let key = PlayerKey { game: state.id.clone(), color: state.turn(), player: job.name.clone() };
        let (audience, players) = (live.audience(), self.0.players.clone());
        Some(LiveJob { job, stop: Arc::default(), audience, players, key })
    }

    /// Thinks off the async threads, and plays what was found if the game still waits for it. Boxed, because playing
    /// leads to the next job.
    fn think(
        &self,
        live: Arc<LiveGame>,
        version: u64,
        job: LiveJob,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let games = self.clone();
        Box::pin(async move {
            let begin = Instant::now();
            let (stop, position, pause) = (Arc::clone(&job.stop), *job.job.query.position(), job.job.pause);
            let id = live.lock().id.clone();
            let Ok(found) = games.0.pool.run(Owner::Game(id.clone()), move |slot| job.think(slot)) else {
                return;
            };
            let (mv, verdict) = match found.await {
                Ok(Some(found)) => found,
                Ok(None) => return,
                Err(_) => {
                    // The search failed. A game must not hang for that: any legal move goes on.
                    let Some(mv) = position.moves().next() else { return };
                    (mv, Verdict::default())
                }
            };
            games.0.metrics.nodes.add(verdict.nodes);
            tokio::time::sleep(pause.saturating_sub(begin.elapsed())).await;
            if stop.is_requested() {
                return;
            }
            let played =
                games.change(&id, |state, now| Ok(state.play_computer(version, mv, verdict, now)?)).await;
            if let Err(error) = played {
                tracing::debug!(%error, "a computer's move came too late");
            }
        })
    }

    /// Ends the game when time is up. Boxed as above.
    fn ring(&self, live: Arc<LiveGame>, left: u64) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let games = self.clone();
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(left + 1)).await;
            let id = live.lock().id.clone();
            // In a task of its own, because settling ends this one.
            tokio::spawn(async move {
                let _ = games.change(&id, |state, now| Ok(state.flag(now))).await;
            });
        })
    }

    /// Forgets games that nobody needs in memory.
    pub(crate) fn sweep(&self) {
        let now = now();
        let mut entries = self.0.entries.write().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|_, live| {
            let quiet = live.quiet_for(now);
            let keep = match live.lock().phase {
                Phase::Over(_) => quiet < self.0.finished_kept,
                _ => quiet < FORGET_UNFINISHED,
            };
            // Whoever holds the live is about to use it.
            keep || live.watchers() > 0 || Arc::strong_count(live) > 1
        });
    }
}
