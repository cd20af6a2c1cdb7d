//! Sound files, and damage to them. The torture harness uses this file too.

use emilia_record::thor::{Header, Names, NamesKind};
use emilia_record::{Format, Game, WriteOptions, write};
use emilia_rules::Size;
use rand::rngs::ChaCha8Rng;

use super::common::{annotate, bare_game, below, branch};

/// Sound files of every format.
pub(crate) fn sound(rng: &mut ChaCha8Rng) -> Vec<(Format, Vec<u8>)> {
    let games: Vec<Game> = [8, 4, 8, 10]
        .into_iter()
        .map(|side| {
            let mut game = bare_game(rng, Size::new(side).unwrap());
            annotate(&mut game, rng);
            branch(&mut game, rng);
            game
        })
        .collect();
    let plain: Vec<Game> =
        ["f5d6c3d3c4f4", "f5f6e6f4g5"].map(|text| emilia_record::transcript::parse(text).unwrap()).into();
    let header = Header { century: 20, year: 26, month: 1, day: 2, ..Header::default() };
    let mut names = Names::new(NamesKind::Players, header);
    for name in ["???", "Tom", "Kitty"] {
        names.add(name);
    }
    let quest = br#"{"players":[{"id":"a","name":"T"},{"id":"b","name":"K"}],"position":{"moves":[{"m":"f5"},{"m":"d6"},{"m":"c3"}]}}"#;
    let options = WriteOptions::default();
    let mut files: Vec<(Format, Vec<u8>)> =
        [Format::Transcript, Format::Board, Format::Obf, Format::Ggf, Format::Sgf, Format::Pgn, Format::Json]
            .map(|format| (format, write(format, &games, &options).unwrap()))
            .into();
    files.push((Format::Wthor, write(Format::Wthor, &plain, &options).unwrap()));
    files.push((Format::Players, names.to_bytes()));
    files.push((Format::Quest, quest.to_vec()));
    let mut puzzles = Header { games: 2, names: 40, kind: 1, ..header }.to_bytes().to_vec();
    puzzles.resize(16 + 256 + 2 * 36, 1);
    files.push((Format::Solitaires, puzzles));
    files
}

/// Changes, removes, doubles or inserts a few bytes.
pub(crate) fn damage(bytes: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    const SIGNS: &[u8] = b"()[]{};:\"\\/%-+*.,0123456789aZxOpP \n\r\0\x7f\xc3\xff";
    for _ in 0..=below(rng, 6) {
        if bytes.is_empty() {
            return;
        }
        let at = below(rng, bytes.len());
        let end = (at + 1 + below(rng, 40)).min(bytes.len());
        match below(rng, 6) {
            0 => bytes[at] = SIGNS[below(rng, SIGNS.len())],
            1 => bytes[at] ^= 1 << below(rng, 8),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = below(rng, bytes.len());
                bytes.splice(to..to, piece);
            }
            4 => bytes.insert(at, SIGNS[below(rng, SIGNS.len())]),
            _ => bytes.truncate(at),
        }
    }
}
