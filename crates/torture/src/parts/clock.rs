//! Fast games by the clock, without any grace. On a machine with nothing else to do Emilia loses none on time.

use serde_json::Value;

use crate::part::{Round, Tally};
use crate::programs::{emilia, ended};

pub(crate) fn round(round: &mut Round) -> Tally {
    let games = round.scaled(100, 4);
    let seed = round.below(1 << 32).to_string();
    let words =
        "match emilia emilia --game-time 100ms --increment 1ms --grace 0ms --json --openings random:8";
    let played =
        ended(emilia().args(words.split(' ')).args(["--games", &games.to_string(), "--seed", &seed]));
    assert!(played.status.success(), "{}", played.err);
    let table: Value = serde_json::from_str(&played.out).unwrap();
    let lost: u64 = table["on_time"].as_array().unwrap().iter().filter_map(Value::as_u64).sum();
    assert_eq!((table["games"].as_u64(), &table["stopped"]), (Some(games), &Value::Bool(false)));
    assert_eq!(lost, 0, "{lost} of {games} games lost on time: {}", played.err);
    Tally::of(games)
}
