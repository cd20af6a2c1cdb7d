//! Every row says what the rules say.

use std::collections::BTreeMap;

use emilia_dataset::{Dealer, Format, Kind, Recipe, Rows, Shard, UNKNOWN};
use emilia_engine::no_files;
use emilia_query::Stop;
use emilia_rules::{Color, GridPosition, Playable, Point, Size};
use serde_json::Value;

pub(crate) fn shard(recipe: &Recipe) -> Shard {
    Dealer::new(recipe, &no_files).unwrap().shard(0, &Stop::default()).unwrap().unwrap()
}

/// The rows as JSON objects.
fn objects(rows: &Rows) -> Vec<Value> {
    let text = String::from_utf8(Format::Jsonl.bytes(rows)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn square(value: &Value, size: Size) -> Point {
    let mv = emilia_rules::parse_move(value.as_str().unwrap(), size).unwrap();
    mv.square().unwrap()
}

fn squares(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

fn named(set: impl IntoIterator<Item = Point>) -> Vec<String> {
    set.into_iter().map(|point| point.to_string()).collect()
}

/// The board as the side to move sees it.
fn text(position: &GridPosition) -> String {
    let cell = |point| match position.disc(point) {
        Some(color) if color == position.turn() => 'X',
        Some(_) => 'O',
        None => '-',
    };
    position.size().points().map(cell).collect()
}

/// The score of a position by trying everything: the slow twin of every solver.
fn minimax(position: &GridPosition) -> i32 {
    let next = position.moves().map(|mv| -minimax(&position.played(mv))).max();
    let margin = position.counts().margin();
    next.unwrap_or(if position.turn() == Color::Black { margin } else { -margin })
}

/// Replays every game and compares every row of it.
fn check(recipe: &Recipe) {
    let size = Size::new(recipe.size.into()).unwrap();
    let shard = shard(recipe);
    let mut steps: BTreeMap<(u64, u64), (Value, bool)> = BTreeMap::new();
    for (rows, test) in [(&shard.train, false), (&shard.test, true)] {
        for step in objects(rows) {
            let key = (step["game"].as_u64().unwrap(), step["ply"].as_u64().unwrap());
            assert!(steps.insert(key, (step, test)).is_none(), "{key:?} is there twice");
        }
    }
    let games = objects(&shard.games);
    assert_eq!(games.len() as u64, recipe.games);
    for (number, game) in (0..).zip(&games) {
        assert_eq!(game["game"].as_u64(), Some(number));
        let (moves, tests) = (game["moves"].as_array().unwrap(), game["test"].as_array().unwrap());
        assert_eq!((moves.len(), game["length"].as_u64()), (tests.len(), Some(moves.len() as u64)));
        let mut position = GridPosition::start(size);
        for (ply, mv) in (0..).zip(moves) {
            if position.placements().into_iter().next().is_none() {
                position = position.passed();
            }
            let point = square(mv, size);
            let (step, test) = steps.remove(&(number, ply)).unwrap();
            assert_eq!(step["move"], *mv);
            assert_eq!(tests[ply as usize].as_bool(), Some(test));
            assert_eq!(step["black"].as_bool(), Some(position.turn() == Color::Black));
            assert_eq!(step["board"].as_str().unwrap(), text(&position));
            assert_eq!(squares(&step["legal"]), named(position.placements()));
            assert_eq!(squares(&step["flips"]), named(position.flips(point)));
            let empties = position.counts().empty;
            if let Some(from) = recipe.exact_from {
                let known = u32::from(from) >= empties;
                let exact = known.then(|| i64::from(minimax(&position)));
                assert_eq!(step["exact"].as_i64(), exact, "{position}");
            }
            if recipe.value_depth.is_some() {
                assert!(step["value"].as_f64().unwrap().abs() <= f64::from(size.cells() as u32), "{step}");
            }
            position = position.play(emilia_rules::Move::Place(point)).unwrap();
        }
        assert!(position.is_over());
        assert_eq!(game["result"].as_i64(), Some(position.counts().margin().into()));
    }
    assert!(steps.is_empty());
}

#[test]
fn random_games_on_every_kind_of_board_are_what_they_say() {
    for (size, games, cells) in
        [(4, 200, false), (6, 30, true), (8, 20, false), (10, 4, false), (26, 1, true)]
    {
        check(&Recipe { size, games, cells, test_share: 0.3, ..Recipe::default() });
    }
}

#[test]
fn games_of_players_with_values_and_exact_scores_are_what_they_say() {
    let players = ["random", "greedy", "alphabeta:depth=1"].map(str::to_owned).to_vec();
    for size in [4, 6, 8, 10] {
        let recipe = Recipe {
            size,
            games: 4,
            players: players.clone(),
            noise: 0.2,
            value_depth: Some(1),
            exact_from: Some(5),
            ..Recipe::default()
        };
        check(&recipe);
    }
}

/// numpy's own description of the format, written out for one small table.
#[test]
fn the_header_is_what_numpy_reads() {
    let recipe = Recipe { size: 6, games: 3, value_depth: Some(1), exact_from: Some(2), ..Recipe::default() };
    let shard = shard(&recipe);
    let bytes = Format::Npy.bytes(&shard.train);
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    let described = format!(
        "{{'descr': [('game', '<u4'), ('ply', '<u2'), ('black', '|b1'), ('move', '|u1'), ('mine', '|u1', (5,)), \
         ('theirs', '|u1', (5,)), ('legal', '|u1', (5,)), ('flips', '|u1', (5,)), ('value', '<f4'), \
         ('exact', '<i2')], 'fortran_order': False, 'shape': ({},), }}",
        shard.train.len()
    );
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    assert_eq!(header.trim_end(), described);
    assert!((10 + length) % 64 == 0 && header.ends_with(" \n"));
    assert_eq!(bytes.len(), 10 + length + shard.train.len() * (4 + 2 + 1 + 1 + 4 * 5 + 4 + 2));
    let wide = Recipe { size: 26, games: 1, ..Recipe::default() };
    let moves = Dealer::new(&wide, &no_files).unwrap().shard(0, &Stop::default()).unwrap().unwrap();
    let text = String::from_utf8_lossy(&Format::Npy.bytes(&moves.games)[..256]).into_owned();
    assert!(text.contains("('moves', '<u2', (672,)), ('test', '|u1', (672,))"), "{text}");
    assert_eq!(Kind::Square.width(Size::new(16).unwrap()), 2);
}

#[test]
fn the_seed_decides_every_byte_and_other_seeds_other_games() {
    let recipe = Recipe { games: 10, ..Recipe::default() };
    let other = Recipe { seed: 2, ..recipe.clone() };
    assert_eq!(shard(&recipe), shard(&recipe));
    assert_ne!(shard(&recipe).games, shard(&other).games);
    // A game does not depend on the shard it is in.
    let small = Recipe { shard: Some(4), ..recipe.clone() };
    let dealer = Dealer::new(&small, &no_files).unwrap();
    let parts: Vec<Shard> =
        (0..3).map(|number| dealer.shard(number, &Stop::default()).unwrap().unwrap()).collect();
    let joined = |rows: &dyn Fn(&Shard) -> Vec<u8>| parts.iter().flat_map(rows).collect::<Vec<u8>>();
    assert_eq!(joined(&|part| part.train.bytes().to_vec()), shard(&recipe).train.bytes());
    assert_eq!(joined(&|part| part.games.bytes().to_vec()), shard(&recipe).games.bytes());
    assert_eq!(UNKNOWN, -32768);
}
