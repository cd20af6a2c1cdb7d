//! Emilia in the browser: what a worker of the page can call.
//!
//! The same engine as everywhere, asked by the same JSON lines as `emilia jsonl` (`Engine`), and all that a server answers
//! to one person (`Desk`). The weights come from the page, which has fetched them: nothing is searched before they are
//! embedded, and a module has one set of them for its whole life. A question is answered before the call returns; whoever
//! wants to stop it from outside sets the byte at `stop_flag`, which works where memory is shared, or ends the worker.
#![cfg(target_family = "wasm")]

mod desk;
mod engine;

pub use desk::Desk;
use emilia_eval::Learned;
use emilia_human::Network;
use emilia_puzzle::Collection;
use emilia_rules::Tier;
use emilia_search::BENCH_DEPTH;
pub use engine::{Engine, stop_flag};
use wasm_bindgen::prelude::*;

/// Lets a fault of ours reach the page as an error that says where it is.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|fault| wasm_bindgen::throw_str(&fault.to_string())));
}

/// Makes this file of weights the evaluation that Emilia judges by.
#[wasm_bindgen]
pub fn embed(weights: &[u8]) -> Result<(), JsError> {
    Ok(Learned::embed(weights)?)
}

/// Makes this file of weights the network by which players err like people.
#[wasm_bindgen(js_name = embedPeople)]
pub fn embed_people(weights: &[u8]) -> Result<(), JsError> {
    Ok(Network::embed(weights)?)
}

/// Makes this file the summary of tournament games that the opening explorer shows.
#[wasm_bindgen(js_name = embedSummary)]
pub fn embed_summary(summary: Vec<u8>) -> Result<(), JsError> {
    Ok(emilia_service::openings::embed_summary(summary)?)
}

/// Makes what is packed in this file the puzzles that come with the program.
#[wasm_bindgen(js_name = embedPuzzles)]
pub fn embed_puzzles(packed: &str) -> Result<(), JsError> {
    Ok(Collection::embed(packed)?)
}

/// The kind of processor that the module was built for.
#[must_use]
#[wasm_bindgen]
pub fn tier() -> String {
    Tier::best().to_string()
}

/// How many threads can search at the same time.
#[must_use]
#[wasm_bindgen]
pub fn threads() -> usize {
    emilia_threads::most()
}

/// Lets the calling worker become a thread that searches share their work among. It never returns.
#[cfg(target_feature = "atomics")]
#[wasm_bindgen(js_name = joinPool)]
pub fn join_pool() {
    emilia_threads::join();
}

/// Shares the work of searches among the workers that have joined, which must be so many.
#[cfg(target_feature = "atomics")]
#[wasm_bindgen(js_name = startPool)]
pub fn start_pool(workers: usize) -> Result<(), JsError> {
    Ok(emilia_threads::start(workers)?)
}

/// The nodes of the fixed search that is the fingerprint of the engine, as `emilia bench` counts them.
#[wasm_bindgen]
pub fn bench(depth: Option<u32>) -> Result<f64, JsError> {
    Ok(emilia_search::bench(Learned::embedded(), depth.unwrap_or(BENCH_DEPTH), Tier::best())? as f64)
}
