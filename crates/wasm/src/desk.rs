use emilia_query::Stop;
use emilia_service::alone::{Answer, Desk as Service, Request};
use emilia_service::answers::to_json;
use emilia_service::error::ServiceError;
use emilia_service::lines::Lines;
use js_sys::Function;
use wasm_bindgen::prelude::*;

/// Answers everything that a page asks of a server, for one person alone with it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Desk {
    service: Service,
}

#[wasm_bindgen]
impl Desk {
    /// One that remembers nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Desk {
        Desk::default()
    }

    /// Answers a request, both as JSON. `tell` is called with each line of what takes long; whoever wants it to end ends the
    /// worker.
    pub fn answer(&mut self, request: &str, tell: &Function) -> String {
        let listener = Listener(tell);
        let answer = match serde_json::from_str::<Request>(request) {
            Ok(request) => self.service.answer(&request, &listener, &Stop::new()),
            Err(error) => Answer::refused(&ServiceError::from(error)),
        };
        to_json(&answer)
    }
}

/// The page, as far as it listens.
struct Listener<'f>(&'f Function);

impl Lines for Listener<'_> {
    fn take(&self, line: String) {
        // A listener that fails has nobody to tell.
        let _ = self.0.call1(&JsValue::NULL, &JsValue::from_str(&line));
    }

    fn has_room(&self) -> bool {
        true
    }
}
