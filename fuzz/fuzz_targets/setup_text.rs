//! Law: what is read as a board prints as a text that reads as the same board; a position is a board again.
#![no_main]

use emilia_rules::Setup;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(setup) = text.parse::<Setup>() else { return };
    assert_eq!(setup.to_string().parse(), Ok(setup));
    if let Ok(position) = setup.position() {
        assert_eq!(Setup::from(position), setup);
    }
});
