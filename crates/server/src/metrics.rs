//! Counters for whoever looks after the server.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number that several threads count up, or up and down.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// Counts one for as long as the guard lives.
    pub(crate) fn hold(&self) -> Held<'_> {
        self.add(1);
        Held(self)
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// One that is counted while this lives.
pub(crate) struct Held<'c>(&'c Count);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Permits of which only so many are given away at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Permits(Arc<AtomicU64>);

/// A permit that is taken while this lives.
#[derive(Debug)]
pub(crate) struct Permit(Arc<AtomicU64>);

impl Permits {
    /// Takes one, unless so many are taken already.
    pub(crate) fn enter(&self, most: u64) -> Option<Permit> {
        let more = |taken: u64| (taken < most).then_some(taken + 1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        Some(Permit(Arc::clone(&self.0)))
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Everything that is counted.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) requests: Count,
    pub(crate) refusals: Count,
    pub(crate) request_micros: Count,
    pub(crate) games: Count,
    pub(crate) moves: Count,
    pub(crate) searches: Count,
    pub(crate) nodes: Count,
    pub(crate) watchers: Count,
    pub(crate) connections: Count,
    pub(crate) evolutions: Permits,
    pub(crate) insights: Permits,
}

impl Metrics {
    /// In the text format of Prometheus.
    pub(crate) fn text(&self, games_in_memory: usize) -> String {
        let seconds = self.request_micros.get() as f64 / 1e6;
        let lines: [(&str, &str, &str, f64); 12] = [
            ("requests_total", "counter", "Requests answered.", self.requests.get() as f64),
            ("refusals_total", "counter", "Requests refused.", self.refusals.get() as f64),
            ("request_seconds_total", "counter", "Time spent on requests.", seconds),
            ("games_total", "counter", "Games made.", self.games.get() as f64),
            ("moves_total", "counter", "Moves accepted.", self.moves.get() as f64),
            ("searches_total", "counter", "Searches begun.", self.searches.get() as f64),
            ("nodes_total", "counter", "Positions searched by computer players.", self.nodes.get() as f64),
            ("games_in_memory", "gauge", "Games in memory.", games_in_memory as f64),
            ("watchers", "gauge", "Open WebSockets.", self.watchers.get() as f64),
            ("connections", "gauge", "Open connections.", self.connections.get() as f64),
            ("evolutions", "gauge", "Evolutions under way.", self.evolutions.get() as f64),
            ("insights", "gauge", "Players whose games are being judged.", self.insights.get() as f64),
        ];
        let mut text = String::new();
        for (name, kind, help, value) in lines {
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "# HELP emilia_{name} {help}\n# TYPE emilia_{name} {kind}\nemilia_{name} {value}\n"
            );
        }
        text
    }
}
