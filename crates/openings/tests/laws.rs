//! The database against a slow twin that remembers every position as it is, on real and random games; and what crashes
//! and damage do to it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use emilia_openings::{
    Added, Database, Ended, Filter, Fingerprint, Found, Import, Memory, OpeningsError, Page, Played, ReadAt,
    Storage, Summary, Wanted,
};
use emilia_record::thor::{Archive, Directory, Names};
use emilia_rules::{
    Board, Color, GridPosition, Move, Playable, Position, Size, Square, SquareSet, Status, Symmetry,
};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/wthor/");

fn directory() -> Directory {
    let mut directory = Directory::default();
    for name in ["WTH.JOU", "WTH.TRN"] {
        directory.add(Names::parse(&std::fs::read(format!("{DATA}{name}")).unwrap()).unwrap());
    }
    directory
}

/// Tournament games of these years, with their names.
fn tournament_games(years: &[u16]) -> Vec<Played> {
    let directory = directory();
    let mut games = Vec::new();
    for year in years {
        let archive = Archive::parse(&std::fs::read(format!("{DATA}WTH_{year}.wtb")).unwrap()).unwrap();
        games.extend(archive.records().map(|record| Played::of_record(&record, *year, &directory).unwrap()));
    }
    games
}

fn random_games(count: usize, seed: u64) -> Vec<Played> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut game = || {
        let mut game = emilia_record::Game::new(Size::EIGHT);
        let most = random.random_range(1..=70);
        while game.ply() < most {
            let moves: Vec<_> = game.position().moves().collect();
            let Some(mv) = moves.get(random.random_range(0..moves.len().max(1))) else { break };
            game.play(*mv).unwrap();
        }
        let year = random.random_range(0..5);
        if year > 0 {
            game.tags.set("Date", &(1990 + year).to_string());
        }
        game.tags.set("Black", ["Ann", "Bob", "Cy"][random.random_range(0..3)]);
        game.tags.set("White", ["Ann", "Bob", "Cy"][random.random_range(0..3)]);
        Played::of_game(&game).unwrap()
    };
    (0..count).map(|_| game()).collect()
}

fn database(games: &[Played]) -> (Memory, Database) {
    let storage = Memory::default();
    let mut import = Import::begin(&storage).unwrap();
    for game in games {
        import.add(game).unwrap();
    }
    import.commit().unwrap();
    let database = Database::open(&storage).unwrap();
    (storage, database)
}

/// Goes through a game with the rules alone: each position before a move, and the last one.
fn positions(game: &Played) -> Vec<(Position, Option<Square>)> {
    let mut position = Position::default();
    let mut all = Vec::new();
    for square in game.squares() {
        if position.status() == Status::MustPass {
            position = position.passed();
        }
        all.push((position, Some(*square)));
        position = position.play(Move::Place(*square)).unwrap();
    }
    all.push((position, None));
    all
}

/// How often each move was played by the wanted games, in every image of every position.
fn slow_counts(
    games: &[Played],
    wanted: impl Fn(&Played) -> bool,
) -> HashMap<(Board, Color), HashMap<Option<Square>, u64>> {
    let mut counts: HashMap<_, HashMap<_, u64>> = HashMap::new();
    for game in games.iter().filter(|game| wanted(game)) {
        for (position, square) in positions(game) {
            // An image that is the same as another one of the position is the same move once.
            let mut images: Vec<(Board, Option<Square>)> = Symmetry::ALL
                .into_iter()
                .map(|symmetry| {
                    let image =
                        square.map(|square| symmetry.point(square.into(), Size::EIGHT).square().unwrap());
                    (position.transformed(symmetry).board(), image)
                })
                .collect();
            images.sort_unstable();
            images.dedup();
            for (board, square) in images {
                *counts.entry((board, position.turn())).or_default().entry(square).or_default() += 1;
            }
        }
    }
    counts
}

/// What was found, spelt as the slow twin has it.
fn fast_counts(found: &Found) -> HashMap<Option<Square>, u64> {
    let mut counts = HashMap::new();
    for found in &found.moves {
        for square in found.mv.square().into_iter().chain(found.same.iter().copied()) {
            counts.insert(Some(square), found.tally.games);
        }
    }
    if found.ended.games > 0 {
        counts.insert(None, found.ended.games);
    }
    counts
}

fn grid(board: Board, turn: Color) -> GridPosition {
    GridPosition::from(Position::new(board, turn).unwrap())
}

fn compare(games: &[Played], filter: &Filter, wanted: impl Fn(&Played) -> bool) {
    let (_, database) = database(games);
    let slow = slow_counts(games, wanted);
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut compared = 0;
    for ((board, turn), counts) in &slow {
        // All positions of the first moves, and some of the others.
        let shallow = board.occupied().count() < 12;
        if !(shallow || random.random_bool(0.02))
            || Position::new(*board, *turn).unwrap().status() == Status::MustPass
        {
            continue;
        }
        let found = database.explore(&grid(*board, *turn), filter, Page::first(3)).unwrap();
        assert_eq!(&fast_counts(&found), counts, "{board}");
        assert_eq!(
            found.total.games,
            found.total.wins + found.total.draws + found.total.losses + unknown(games, &found)
        );
        assert!(!found.games.is_empty());
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

/// Games without a result can only be counted where there are any.
fn unknown(games: &[Played], found: &Found) -> u64 {
    if games.iter().all(|game| game.ended != Ended::Unknown) {
        return 0;
    }
    found.total.games - found.total.wins - found.total.draws - found.total.losses
}

#[test]
fn tournament_games_are_counted_as_a_slow_twin_counts_them() {
    let games = tournament_games(&[1978, 1980, 1985]);
    assert_eq!(games.len(), 8 + 160 + 954);
    compare(&games, &Filter::default(), |_| true);
}

#[test]
fn filters_take_what_a_slow_twin_takes() {
    let games = tournament_games(&[1980, 1985]);
    let tamenori = Filter { player: Some("tamenori".to_owned()), ..Filter::default() };
    let is = |name: &str| name.to_lowercase().contains("tamenori");
    compare(&games, &tamenori, |game| is(&game.black) || is(&game.white));
    let years = Filter { to: Some(1984), result: Some(Wanted::By(Color::White)), ..Filter::default() };
    compare(&games, &years, |game| game.year < Some(1985) && matches!(game.ended, Ended::Counted(..0)));
}

#[test]
fn random_games_of_every_length_are_counted_too() {
    compare(&random_games(400, 1), &Filter::default(), |_| true);
}

#[test]
fn imports_in_many_pieces_give_what_one_gives_and_few_files() {
    let games = tournament_games(&[1980, 1985]);
    let (_, whole) = database(&games);
    let storage = Memory::default();
    for piece in games.chunks(37) {
        let mut import = Import::begin(&storage).unwrap().with_threads(2);
        for game in piece {
            assert_eq!(import.add(game).unwrap(), Added::New);
        }
        import.commit().unwrap();
    }
    let pieces = Database::open(&storage).unwrap();
    assert_eq!(pieces.games(), whole.games());
    assert!(pieces.files() <= 8, "{}", pieces.files());
    for (position, _) in games.iter().take(20).flat_map(positions) {
        let position = GridPosition::from(position);
        let [one, other] = [&whole, &pieces]
            .map(|database| database.explore(&position, &Filter::default(), Page::first(0)).unwrap());
        assert_eq!(one, other);
    }
    // Again, all of them are there already.
    let mut import = Import::begin(&storage).unwrap();
    assert!(games.iter().all(|game| import.add(game).unwrap() == Added::Duplicate));
}

#[test]
fn games_are_shown_as_the_board_lies_the_latest_first() {
    let games = tournament_games(&[1978, 1980, 1985]);
    let (_, database) = database(&games);
    for line in ["f5d6c3", "d3c5f6", "c4e3f6", "e6f4c3"] {
        let mut game = emilia_record::transcript::parse(line).unwrap();
        game.to_end();
        let found = database.explore(game.position(), &Filter::default(), Page::first(50)).unwrap();
        assert_eq!(found.games.len(), 50);
        assert!(found.games.is_sorted_by(|one, next| one.year >= next.year));
        for shown in &found.games {
            let mut position = GridPosition::default();
            for square in &shown.squares[..shown.before] {
                position = position.play(Move::Place((*square).into())).unwrap();
            }
            assert_eq!(&position, game.position());
        }
        let second =
            database.explore(game.position(), &Filter::default(), Page { skip: 20, most: 5 }).unwrap();
        assert_eq!(second.games, found.games[20..25]);
    }
}

#[test]
fn a_summary_says_what_the_database_says() {
    let games = tournament_games(&[1978, 1980, 1985]);
    let (_, database) = database(&games);
    let bytes = Summary::write(&database, 3, "the games of three years").unwrap();
    let summary = Summary::parse(bytes.clone().into()).unwrap();
    assert_eq!((summary.games, summary.years), (1122, Some((1978, 1985))));
    assert_eq!(summary.credit, "the games of three years");
    let (mut known, mut unknown) = (0, 0);
    for (position, _) in games.iter().step_by(20).flat_map(positions) {
        let position = GridPosition::from(position);
        let full = database.explore(&position, &Filter::default(), Page::first(0)).unwrap();
        let short = summary.explore(&position);
        if full.total.games >= 3 {
            assert_eq!(full, short);
            known += 1;
        } else {
            assert_eq!(short.total.games, 0);
            unknown += 1;
        }
    }
    assert!(known > 300 && unknown > 300, "{known} {unknown}");
    for at in 0..bytes.len().min(3000) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x20;
        assert!(Summary::parse(damaged.into()).is_err());
        assert!(Summary::parse(bytes[..at].to_vec().into()).is_err());
    }
}

/// A folder that breaks down after so many operations that change it, as a kill or a power cut does.
struct Mortal {
    inner: Memory,
    left: AtomicUsize,
}

impl Mortal {
    fn spend(&self) -> io::Result<()> {
        let spent = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        spent.map(|_| ()).map_err(|_| io::ErrorKind::StorageFull.into())
    }
}

impl Storage for Mortal {
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn ReadAt>>> {
        self.inner.open(name)
    }

    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        self.spend()?;
        self.inner.write(name, fill)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.spend()?;
        self.inner.remove(name)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.inner.names()
    }
}

/// Commits after each piece and counts what was committed.
fn import_in_pieces(
    storage: &dyn Storage,
    pieces: &[&[Played]],
    committed: &mut u64,
) -> Result<(), OpeningsError> {
    let mut import = Import::begin(storage)?;
    for piece in pieces {
        for game in *piece {
            import.add(game)?;
        }
        import.commit()?;
        *committed += piece.len() as u64;
    }
    Ok(())
}

#[test]
fn a_crash_at_any_moment_leaves_what_was_committed() {
    let games = tournament_games(&[1980]);
    let pieces: Vec<&[Played]> = games.chunks(20).collect();
    for life in 0.. {
        let storage = Mortal { inner: Memory::default(), left: AtomicUsize::new(life) };
        let mut committed = 0;
        let finished = import_in_pieces(&storage, &pieces, &mut committed);
        let survived = Database::open(&storage.inner).unwrap();
        survived.check().unwrap();
        assert!(survived.games() == committed, "{life}: {} {committed}", survived.games());
        // And it goes on from there, with nothing lost and nothing twice.
        let mut import = Import::begin(&storage.inner).unwrap();
        for game in &games {
            import.add(game).unwrap();
        }
        import.commit().unwrap();
        let whole = Database::open(&storage.inner).unwrap();
        assert_eq!(whole.games(), games.len() as u64);
        let listed = storage.inner.names().unwrap().len();
        assert_eq!(listed, whole.files() + 1, "nothing is left over");
        match finished {
            Ok(()) => return assert!(life > pieces.len()),
            Err(error) => assert!(error.is_full_disk(), "{error}"),
        }
    }
}

#[test]
fn damage_is_noticed_and_never_believed() {
    let games = random_games(3, 5);
    let (storage, database) = database(&games);
    let start = GridPosition::default();
    let truth = database.explore(&start, &Filter::default(), Page::first(5)).unwrap();
    let name = storage.names().unwrap().into_iter().find(|name| name.ends_with(".seg")).unwrap();
    let source = storage.open(&name).unwrap().unwrap();
    let mut bytes = vec![0; source.length() as usize];
    source.read_at(0, &mut bytes).unwrap();
    let with = |bytes: &[u8]| {
        storage.write(&name, &mut |out| out.write_all(bytes)).unwrap();
        let database = Database::open(&storage)?;
        assert!(database.check().is_err(), "only an unharmed file is well");
        database.explore(&start, &Filter::default(), Page::first(5))
    };
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        if let Ok(found) = with(&damaged) {
            assert_eq!(found, truth, "byte {at}");
        }
    }
    for length in 0..bytes.len() {
        assert!(with(&bytes[..length]).is_err());
    }
    storage.remove(&name).unwrap();
    assert!(Database::open(&storage).is_err_and(|error| error.to_string().contains("it is missing")));
    for text in ["", "{", "{}", "{\"format\": 9}", "[]"] {
        storage.write("database.json", &mut |out| out.write_all(text.as_bytes())).unwrap();
        let error = Database::open(&storage).err().expect("not a list of files");
        assert_eq!(error.to_string().contains("another version"), text.contains('9'), "{error}");
    }
}

#[test]
fn a_finished_source_is_known_after_the_commit() {
    let storage = Memory::default();
    let source = Fingerprint::of(&[b"one file", b"its names"]);
    assert_ne!(source, Fingerprint::of(&[b"one fileits names"]));
    let mut import = Import::begin(&storage).unwrap();
    import.finish(source.clone());
    assert!(!Import::begin(&storage).unwrap().has(&source));
    import.commit().unwrap();
    assert!(Import::begin(&storage).unwrap().has(&source));
}

#[test]
fn a_forced_pass_and_the_end_of_a_game_are_found() {
    // Of tournament games, because random ones hardly ever have a pass that somebody else has too.
    let games = tournament_games(&[1985]);
    let (_, database) = database(&games);
    let mut passes = 0;
    for game in &games {
        let mut position = Position::default();
        for square in game.squares() {
            if position.status() == Status::MustPass {
                let found = database.explore(&position.into(), &Filter::default(), Page::first(9)).unwrap();
                assert_eq!(found.moves.last().map(|found| found.mv), Some(Move::Pass));
                let after =
                    database.explore(&position.passed().into(), &Filter::default(), Page::first(9)).unwrap();
                assert_eq!(found.total.wins, after.total.losses);
                assert!(!found.games.is_empty());
                position = position.passed();
                passes += 1;
            }
            position = position.play(Move::Place(*square)).unwrap();
        }
        let found = database.explore(&position.into(), &Filter::default(), Page::first(1)).unwrap();
        assert!(found.ended.games >= 1);
        assert_eq!(found.games[0].squares.len(), found.games[0].before);
    }
    assert!(passes > 50, "{passes}");
}

#[test]
fn other_boards_and_unknown_positions_were_never_seen() {
    let (_, database) = database(&tournament_games(&[1978]));
    let small = GridPosition::start(Size::MIN);
    assert_eq!(database.explore(&small, &Filter::default(), Page::first(1)).unwrap(), Found::default());
    let mirrored = emilia_record::board::parse("8/8/8/3xo3/3ox3/8/8/8 o").unwrap();
    assert_eq!(database.explore(&mirrored, &Filter::default(), Page::first(1)).unwrap().total.games, 0);
    let nobody = Filter { player: Some("nobody".to_owned()), ..Filter::default() };
    assert_eq!(
        database.explore(&GridPosition::default(), &nobody, Page::first(1)).unwrap(),
        Found::default()
    );
}
