//! Law: whatever an engine says, the client goes on or names what is wrong; it never takes an illegible word for a move.
#![no_main]

use emilia_protocol::{Client, Step, Task, gtp, nboard, ugi};
use emilia_rules::GridPosition;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let clients: [Box<dyn Client>; 3] =
        [Box::new(gtp::Client::new()), Box::new(nboard::Client::new()), Box::new(ugi::Client::new())];
    for mut client in clients {
        let task = Task::new(GridPosition::default());
        client.ask(&task);
        for line in text.lines() {
            for step in client.line(line) {
                if let Step::Moved(word, Some(thought)) = &step {
                    assert!(!word.is_empty() && thought.best().is_some(), "{step:?}");
                }
                if matches!(step, Step::Moved(..)) {
                    client.ask(&task);
                }
            }
            let _ = (client.asked(), client.stop());
        }
    }
});
