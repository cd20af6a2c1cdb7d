use std::collections::VecDeque;
use std::ops::ControlFlow;

use emilia_engine::{Candidate, Player, no_files};
use emilia_protocol::jsonl::Desk;
use emilia_protocol::{Identity, Order, Session};
use emilia_query::{Query, Report, Stop};
use js_sys::Function;
use wasm_bindgen::prelude::*;

/// What stops the question that is being answered. There is one at a time.
static STOP: Stop = Stop::new();

/// Where in memory the byte is that stops the question being answered, if it is not 0.
#[must_use]
#[wasm_bindgen(js_name = stopFlag)]
pub fn stop_flag() -> usize {
    std::ptr::from_ref(STOP.flag()).addr()
}

/// A player that answers questions, as `emilia jsonl --player NAME` does.
#[wasm_bindgen]
pub struct Engine {
    player: Box<dyn Player>,
    desk: Desk,
}

#[wasm_bindgen]
impl Engine {
    /// The player of this name.
    #[wasm_bindgen(constructor)]
    pub fn new(player: &str) -> Result<Engine, JsError> {
        let candidate = Candidate::parse(player, &no_files)?;
        let identity = Identity { name: player, version: env!("CARGO_PKG_VERSION") };
        Ok(Engine { player: candidate.player(0), desk: Desk::new(identity, 1) })
    }

    /// Answers a line of JSON: `say` is called with each line of the answer as soon as there is one. Nobody can ask
    /// anything else meanwhile, so a stop is for all that is still to be answered.
    pub fn ask(&mut self, line: &str, say: &Function) {
        STOP.withdraw();
        let Engine { player, desk } = self;
        let mut orders: VecDeque<Order> = desk.line(line).into();
        while let Some(order) = orders.pop_front() {
            match order {
                Order::Say(text) => tell(say, &text),
                Order::Think(search, query) => {
                    orders.extend(think(player.as_mut(), desk, search, &query, say))
                }
                Order::Forget => player.forget(),
                Order::Ponder(..) | Order::Stop(_) | Order::Read(_) | Order::Quit => {}
            }
        }
    }
}

/// Lets the player think, and passes on how it goes.
fn think(player: &mut dyn Player, desk: &mut Desk, search: u64, query: &Query, say: &Function) -> Vec<Order> {
    let mut watch = |report: &Report| {
        for order in desk.progress(search, report) {
            if let Order::Say(text) = order {
                tell(say, &text);
            }
        }
        ControlFlow::Continue(())
    };
    let found = player.answer(query, &STOP, &mut watch);
    desk.finished(search, found)
}

fn tell(say: &Function, text: &str) {
    // A listener that fails has nobody to tell.
    let _ = say.call1(&JsValue::NULL, &JsValue::from_str(text));
}
