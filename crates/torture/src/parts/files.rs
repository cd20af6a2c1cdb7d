//! Damaged files for every reader: they are read or refused, and what is read keeps the laws of its format.

use std::path::Path;

use emilia_arena::{Heading, Schedule, read_log};
use emilia_learn::data::{GamesReader, Labelled, LabelledReader};
use emilia_learn::evolution::Evolution;
use emilia_record::{Hint, thor::Directory};

use crate::laws::READERS;
use crate::part::{Round, Tally};
use crate::programs::{emilia, ended};
use crate::random::damage::{damage, sound};

/// What is done with a damaged file.
type Reader = Box<dyn Fn(&[u8])>;

/// A file to be damaged, and what is done with it then.
struct Target {
    bytes: Vec<u8>,
    read: Reader,
}

pub(crate) fn round(round: &mut Round) -> Tally {
    let inputs = round.scaled(20_000, 2_000);
    let mut targets = corpus();
    targets.extend(records(round));
    targets.extend(our_own(round));
    for _ in 0..inputs {
        let target = &targets[round.below(targets.len() as u64) as usize];
        let mut bytes = target.bytes.clone();
        damage(&mut bytes, &mut round.random);
        (target.read)(&bytes);
    }
    Tally::of(inputs)
}

/// What the fuzzer begins with, by law.
fn corpus() -> Vec<Target> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus"));
    let mut targets = Vec::new();
    for (name, law) in READERS {
        let files = std::fs::read_dir(folder.join(name)).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = files.collect();
        files.sort();
        let targets_of = |path| Target { bytes: std::fs::read(path).unwrap(), read: Box::new(law) };
        targets.extend(files.into_iter().map(targets_of));
    }
    targets
}

/// Random games in every format that is written, with and without a name that says which.
fn records(round: &mut Round) -> Vec<Target> {
    let files = sound(&mut round.random).into_iter();
    let with_name = files.map(|(format, bytes)| {
        let name = format!("x.{}", format.extensions().first().copied().unwrap_or("json"));
        let read = move |bytes: &[u8]| {
            for hint in [Hint { file_name: Some(&name) }, Hint::default()] {
                if let Ok(reading) = emilia_record::read(bytes, &hint) {
                    drop(reading.into_games(&Directory::default()));
                }
            }
        };
        Target { bytes, read: Box::new(read) }
    });
    with_name.collect()
}

/// What the program itself writes when it works for long: games, positions, checkpoints, logs.
fn our_own(round: &mut Round) -> Vec<Target> {
    let seed = round.below(1000).to_string();
    let run = |words: &str| {
        let words = words.split_whitespace().chain(["--seed", &seed]);
        let done = ended(emilia().args(words).current_dir(&round.folder));
        assert!(done.status.success(), "{}", done.err);
    };
    run("selfplay --out games --games 4 --depth 1 --exact-from 4 --threads 1");
    run("data games --out data.emd");
    run("evolve --size 4 --search beam:depth=1,width=2 --population 4 --generations 2 --validate 0 \
         --out e.txt --chart e.svg --checkpoint e.json");
    run("match first greedy --size 4 --games 4 --openings random:2 --log match.log");
    let read = |name: &str| std::fs::read(round.folder.join(name)).unwrap();
    let log = read("match.log");
    let heading: Heading = serde_json::from_slice(log.split(|byte| *byte == b'\n').next().unwrap()).unwrap();
    let truth = positions(&read("data.emd")).unwrap();
    vec![
        Target { bytes: read("games/games-000000.emg"), read: Box::new(self_play) },
        Target { bytes: read("data.emd"), read: Box::new(move |bytes| keeps_or_refuses(bytes, &truth)) },
        Target { bytes: read("e.json"), read: Box::new(evolution) },
        Target { bytes: log, read: Box::new(move |bytes| match_log(bytes, &heading)) },
    ]
}

fn self_play(bytes: &[u8]) {
    if let Ok(reader) = GamesReader::new(bytes) {
        reader.for_each(drop);
    }
}

fn positions(bytes: &[u8]) -> Option<Vec<Labelled>> {
    let reader = LabelledReader::new(bytes).ok().filter(LabelledReader::is_protected)?;
    Some(reader.map_while(Result::ok).collect())
}

/// Checksums see to it that whole blocks of a damaged file are the truth.
fn keeps_or_refuses(bytes: &[u8], truth: &[Labelled]) {
    for found in positions(bytes).unwrap_or_default() {
        assert!(truth.contains(&found), "made up by damage: {found:?}");
    }
}

fn evolution(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Evolution::from_checkpoint(text);
    }
}

fn match_log(bytes: &[u8], heading: &Heading) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = read_log(text, heading, &Schedule::duel(4));
    }
}
