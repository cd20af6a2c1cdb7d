//! Law: whatever the bytes, reading ends; what was read can be kept in our own format and reads the same.
#![no_main]

use emilia_record::{Format, Hint, WriteOptions, read, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(reading) = read(bytes, &Hint::default()) else { return };
    let games = reading.into_games(&Default::default());
    if games.is_empty() {
        return;
    }
    let kept =
        write(Format::Json, &games, &WriteOptions::default()).expect("our own format holds every game");
    let again = read(&kept, &Hint::default()).expect("our own format is recognised");
    assert_eq!(again.problems, []);
    assert_eq!(again.into_games(&Default::default()), games);
});
