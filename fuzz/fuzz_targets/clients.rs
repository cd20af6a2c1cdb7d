//! Law: whatever an engine says, the client goes on or names what is wrong; it never takes an illegible word for a move.
#![no_main]

use emilia_protocol::{Client, Step, gtp, nboard, ugi};
use emilia_query::Query;
use emilia_rules::GridPosition;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let clients: [Box<dyn Client>; 3] =
        [Box::new(gtp::Client::new()), Box::new(nboard::Client::new()), Box::new(ugi::Client::new())];
    for mut client in clients {
        let query = Query::new(GridPosition::default());
        client.ask(&query);
        for line in text.lines() {
            for step in client.line(line) {
                if let Step::Moved(word, Some(report)) = &step {
                    assert!(!word.is_empty() && report.best().is_some(), "{step:?}");
                }
                if matches!(step, Step::Moved(..)) {
                    client.ask(&query);
                }
            }
            let _ = (client.asked(), client.stop());
        }
    }
});
