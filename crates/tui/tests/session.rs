//! Sessions without a terminal: keys and answers go in, what is to be done and what is drawn comes out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Cursor;
use std::time::Duration;

use emilia_engine::{Candidate, Verdicts, no_files};
use emilia_query::{Fault, MoveReport, Report, Stop};
use emilia_record::Game;
use emilia_rules::{Color, Objective, Playable, Point, Size, SquareSet, Status};
use emilia_tui::{Command, Effect, Event, Key, Look, Seat, Setup, State, Ticket, Timing, run_spoken, view};
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

fn candidate(name: &str) -> Candidate {
    Candidate::parse(name, &no_files).unwrap()
}

fn setup(size: usize) -> Setup {
    Setup::new(Game::new(Size::new(size).unwrap()), &no_files).unwrap()
}

fn person_against(name: &str) -> Setup {
    let mut setup = setup(8);
    setup.seats[1] = Seat::Player(candidate(name));
    setup
}

fn typed(state: &mut State, keys: &str) -> Vec<Effect> {
    keys.chars().flat_map(|c| state.update(Event::Key(Key::Char(c)))).collect()
}

fn asked(effects: &[Effect]) -> Option<Ticket> {
    effects.iter().find_map(|effect| match effect {
        Effect::Think { ticket, .. } => Some(*ticket),
        _ => None,
    })
}

fn screen(state: &mut State, columns: u16, rows: u16) -> Buffer {
    state.update(Event::Resize(columns, rows));
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| view(state, frame)).unwrap();
    terminal.backend().buffer().clone()
}

fn lines(buffer: &Buffer) -> Vec<String> {
    let row = |y| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..buffer.area.height).map(|y| row(y).trim_end().to_owned()).collect()
}

/// The shortest game there is: Black has won after nine moves.
const SHORTEST: &str = "f5d6c5f4e3c6d3f6e6d7";

#[test]
fn a_game_typed_square_by_square_is_the_game_of_the_record() {
    let moves = "f5d6c3d3c4f4c5b3c2b4";
    let mut state = State::new(setup(8));
    typed(&mut state, moves);
    let recorded: String = state.game().moves().map(|mv| mv.to_string()).collect();
    assert_eq!(recorded, moves);
    typed(&mut state, "UU");
    assert_eq!(state.game().ply(), 8);
    typed(&mut state, "R");
    assert_eq!(state.game().ply(), 9);
    // What cannot be played is said, and changes nothing.
    typed(&mut state, "a1");
    assert!(state.message().contains("you can play"), "{}", state.message());
    assert_eq!(state.game().ply(), 9);
    let mut state = State::new(setup(8));
    typed(&mut state, SHORTEST);
    assert_eq!(state.game().ply(), 10);
}

#[test]
fn rows_of_two_digits_are_waited_for() {
    let mut state = State::new(setup(20));
    // There is a row 1 and a row 11 to 19: nobody knows yet.
    typed(&mut state, "k1");
    assert_eq!(state.game().ply(), 0);
    typed(&mut state, "2");
    assert_eq!(state.game().last_move().unwrap().to_string(), "k12");
    // Row 9 cannot go on.
    typed(&mut state, "i9");
    assert!(state.message().contains("i9"), "{}", state.message());
    typed(&mut state, "z");
    typed(&mut state, "7");
    assert!(state.message().contains("letter"), "{}", state.message());
}

#[test]
fn a_player_is_asked_once_and_old_answers_do_not_count() {
    let mut state = State::new(person_against("greedy"));
    let effects = typed(&mut state, "f5");
    let ticket = asked(&effects).unwrap();
    assert!(asked(&state.update(Event::Time(Duration::from_secs(1)))).is_none());
    let answer = |mv: &str| {
        let mv = emilia_rules::parse_move(mv, Size::EIGHT).unwrap();
        Report::of(vec![MoveReport::new(mv)])
    };
    // Taken back while it thinks: what it answers then is about another position.
    let effects = typed(&mut state, "U");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::StopThinking)));
    state.update(Event::Answer(ticket, Ok(answer("d6"))));
    assert_eq!(state.game().ply(), 0);
    let effects = typed(&mut state, "f5");
    let ticket = asked(&effects).unwrap();
    typed(&mut state, "f6");
    assert!(state.message().contains("not your turn"), "{}", state.message());
    state.update(Event::Answer(ticket, Ok(answer("d6"))));
    assert_eq!(state.game().ply(), 2);
    // A player that fails stops the game and is named; so is one that cheats.
    let ticket = asked(&typed(&mut state, "c3")).unwrap();
    state.update(Event::Answer(ticket, Err(Fault::Resigned)));
    assert!(state.message().contains("greedy cannot go on: it resigned"), "{}", state.message());
    assert!(!state.is_waiting());
    let ticket = asked(&typed(&mut state, "P")).unwrap();
    state.update(Event::Answer(ticket, Ok(answer("a1"))));
    assert!(state.message().contains("cannot go on"), "{}", state.message());
    assert_eq!(state.game().ply(), 3);
}

#[test]
fn clocks_run_out_and_end_the_game() {
    let mut setup = person_against("greedy");
    setup.timing = Some(Timing { time: Duration::from_secs(60), increment: Duration::from_secs(2) });
    let mut state = State::new(setup);
    state.update(Event::Time(Duration::from_secs(10)));
    let effects = typed(&mut state, "f5");
    let clocks = effects.iter().find_map(|effect| match effect {
        Effect::Think { query, .. } => query.limits.clocks,
        _ => None,
    });
    assert_eq!(
        clocks.map(|clocks| (clocks.own, clocks.opponent)),
        Some((Duration::from_secs(60), Duration::from_secs(52)))
    );
    // Help covers the board; nobody's time runs meanwhile.
    state.update(Event::Command(Command::Help));
    state.update(Event::Time(Duration::from_secs(100)));
    state.update(Event::Command(Command::Help));
    state.update(Event::Time(Duration::from_secs(61)));
    assert_eq!(state.message(), "White has no time left: black wins.");
    typed(&mut state, "d6");
    assert_eq!(state.game().ply(), 1);
}

#[test]
fn the_start_in_letters() {
    let mut setup = setup(8);
    setup.look = Look { colors: false, unicode: false };
    let mut state = State::new(setup);
    let shown = lines(&screen(&mut state, 80, 24));
    assert_eq!(shown[0], "    a   b   c   d   e   f   g   h    > Black X   2  you");
    assert_eq!(shown[5], " 3  -   -   -   .   -   -   -   -");
    assert_eq!(shown[7], " 4  -   -   .   O   X   -   -   -");
    assert_eq!(shown[9], " 5  -   -   -   X  [O]  .   -   -");
    assert!(shown[23].starts_with("? help  H hint"), "{}", shown[23]);
}

/// Law: where a legal move is drawn, a click plays it; on every board, in every terminal.
#[test]
fn what_is_drawn_is_what_is_clicked() {
    for size in [4, 6, 8, 10, 16, 26] {
        for (columns, rows) in [(80, 24), (40, 12), (200, 60), (120, 20)] {
            let mut setup = setup(size);
            setup.look = Look { colors: false, unicode: false };
            let mut state = State::new(setup);
            // The moves are marked by dots, on the board and nowhere else.
            state.update(Event::Command(Command::SwitchFocus));
            let buffer = screen(&mut state, columns, rows);
            let board = 3 + 4 * size as u16;
            let dots: Vec<(u16, u16)> = (0..rows - 2)
                .flat_map(|y| (0..columns.min(board)).map(move |x| (x, y)))
                .filter(|at| buffer[*at].symbol() == ".")
                .collect();
            assert_eq!(dots.len(), 4, "{size} on {columns}×{rows}: {:#?}", lines(&buffer));
            for (x, y) in dots {
                let mut clicked = state.clone();
                clicked.update(Event::Click(x, y));
                assert_eq!(clicked.game().ply(), 1, "{size} on {columns}×{rows} at {x}, {y}");
            }
        }
    }
}

#[test]
fn moves_can_be_clicked_in_the_list() {
    let mut state = State::new(setup(8));
    typed(&mut state, "f5d6c3d3c4f4c5b3c2b4");
    let buffer = screen(&mut state, 80, 24);
    let shown = lines(&buffer);
    let (y, line) = (0..).zip(&shown).find(|(_, line)| line.contains(" 7 c5")).unwrap();
    let x = line.chars().collect::<String>().find(" 7 c5").unwrap();
    let x = line[..x].chars().count() as u16;
    state.update(Event::Click(x + 1, y));
    assert_eq!(state.game().ply(), 7);
}

#[test]
fn a_file_is_asked_for_and_the_game_saved_in_it() {
    let mut state = State::new(setup(8));
    typed(&mut state, "f5S");
    typed(&mut state, "game.pgQ");
    state.update(Event::Key(Key::Backspace));
    typed(&mut state, "n");
    let effects = state.update(Event::Key(Key::Enter));
    let Some(Effect::Save { file, game }) = effects.first() else { panic!("{effects:?}") };
    assert_eq!((file.as_str(), game.main_line().count()), ("game.pgn", 1));
    typed(&mut state, "Sgame.xyz");
    assert!(state.update(Event::Key(Key::Enter)).is_empty());
    assert!(state.message().contains("endings"), "{}", state.message());
}

/// Plays on with whoever is asked, as the threads would.
fn answer_all(state: &mut State, effects: Vec<Effect>) {
    let mut open = effects;
    while let Some(effect) = open.pop() {
        let Effect::Think { ticket, side, query } = effect else { continue };
        let name = if side == Color::Black { "random" } else { "greedy" };
        let report = candidate(name).player(0).answer(&query, &Stop::default(), &mut ()).unwrap();
        open.extend(state.update(Event::Answer(ticket, Ok(report))));
        open.extend(state.update(Event::Time(Duration::from_secs(1))));
    }
}

#[test]
fn two_players_play_to_the_end_while_somebody_watches() {
    let mut setup = setup(6);
    setup.seats = [Seat::Player(candidate("random")), Seat::Player(candidate("greedy"))];
    let mut state = State::new(setup);
    let effects = state.update(Event::Time(Duration::ZERO));
    answer_all(&mut state, effects);
    assert!(matches!(state.game().position().status(), Status::Over(_)));
    assert!(state.message().starts_with("Game over:"), "{}", state.message());
    // Stepping back does not let them begin anew.
    state.update(Event::Wheel(-1));
    assert!(asked(&state.update(Event::Time(Duration::from_secs(9)))).is_none());
    let moves = state.game().move_count();
    state.update(Event::Command(Command::First));
    state.update(Event::Command(Command::Last));
    assert_eq!((state.game().move_count(), state.game().ply()), (moves, moves));
}

#[test]
fn how_well_each_side_played_stays_beside_its_name_until_the_game_is_another() {
    let mut state = State::new(setup(8));
    typed(&mut state, "f5d6c3");
    let effects = typed(&mut state, "V");
    let Some(Effect::Review { ticket, .. }) = effects.first() else { panic!("{effects:?}") };
    let verdicts = Verdicts { accuracy: [91.25, 100.0], counts: Default::default(), turning_points: vec![] };
    state.update(Event::Reviewed(*ticket, verdicts));
    // Wherever one looks in the game.
    typed(&mut state, "UU");
    let shown = lines(&screen(&mut state, 80, 24));
    assert!(shown[0].ends_with("you  91.2 %") && shown[1].ends_with("you  100.0 %"), "{shown:#?}");
    state.update(Event::Command(Command::Last));
    typed(&mut state, "d3");
    let shown = lines(&screen(&mut state, 80, 24));
    assert!(shown[0].ends_with("you") && shown[1].ends_with("you"), "{shown:#?}");
}

fn spoken(setup: Setup, words: &str) -> String {
    let mut out = Vec::new();
    let mut files = Vec::new();
    let mut write = |file: &str, bytes: &[u8]| {
        files.push((file.to_owned(), bytes.len()));
        Ok(())
    };
    run_spoken(setup, &mut Cursor::new(words), &mut out, &mut write).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn everything_can_be_heard() {
    let mut setup = person_against("greedy");
    setup.judge = candidate("emilia:level=1");
    let said = spoken(setup, "f5\nboard\nmoves\nz9\na1\nhint\nreview\nundo\nsave x.sgf\nhelp\nquit\n");
    for sentence in [
        "After f5: Black 4, White 1. White to move.",
        "White plays ",
        "Row 5: d5 ",
        "You can play ",
        "; help says what can be typed.",
        "Hint: ",
        "Accuracy: Black ",
        "Saved as sgf.",
    ] {
        assert!(said.contains(sentence), "{sentence:?} is missing in:\n{said}");
    }
    // The end of the input ends the session too.
    assert!(spoken(person_against("greedy"), "").starts_with("Type a square"));
}

fn event() -> impl Strategy<Value = Event> {
    let keys = prop_oneof![
        any::<char>().prop_map(Key::Char),
        prop::char::range('a', 'z').prop_map(Key::Char),
        prop::char::range('A', 'Z').prop_map(Key::Char),
        prop::char::range('0', '9').prop_map(Key::Char),
        prop::sample::select(vec![
            Key::Enter,
            Key::Escape,
            Key::Tab,
            Key::Backspace,
            Key::Left,
            Key::Right,
            Key::Up,
            Key::Down,
            Key::Home,
            Key::End,
        ]),
    ];
    prop_oneof![
        6 => keys.prop_map(Event::Key),
        3 => (0_u16..90, 0_u16..40).prop_map(|(x, y)| Event::Click(x, y)),
        1 => (-2_i8..3).prop_map(Event::Wheel),
        2 => (0_u64..3000).prop_map(|time| Event::Time(Duration::from_millis(time))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is pressed, clicked and answered: the game stays one that can be replayed, whoever sits there is asked when it
    /// is their turn, everything can be drawn in any terminal, and without Unicode nothing but ASCII is.
    #[test]
    fn nothing_that_is_typed_breaks_a_session(
        size in 2_usize..=13,
        players in 0_usize..3,
        fewest in any::<bool>(),
        timed in any::<bool>(),
        events in prop::collection::vec(event(), 1..80),
        area in (0_u16..120, 0_u16..50),
    ) {
        let mut setup = setup(2 * size);
        setup.game.objective = if fewest { Objective::Fewest } else { Objective::Most };
        setup.look = Look { colors: area.0 % 2 == 0, unicode: false };
        let names = ["random", "greedy"];
        for (seat, name) in setup.seats.iter_mut().zip(names).take(players) {
            *seat = Seat::Player(candidate(name));
        }
        if timed {
            setup.timing = Some(Timing { time: Duration::from_secs(20), increment: Duration::ZERO });
        }
        let mut state = State::new(setup);
        for event in events {
            let effects = state.update(event);
            answer_all(&mut state, effects);
            let game = state.game();
            let replayed = game.moves().try_fold(*game.start(), |position, mv| position.play(mv)).unwrap();
            prop_assert_eq!(&replayed, game.position());
            let buffer = screen(&mut state, area.0, area.1);
            prop_assert!(lines(&buffer).concat().is_ascii(), "{:#?}", lines(&buffer));
        }
    }
}

#[test]
fn every_square_of_the_largest_board_can_be_reached_by_arrows() {
    let mut state = State::new(setup(26));
    for key in [Key::Left, Key::Up] {
        (0..30).for_each(|_| drop(state.update(Event::Key(key))));
    }
    let shown = lines(&screen(&mut state, 80, 24));
    assert!(shown[1].starts_with(" 1"), "{shown:#?}");
    for key in [Key::Right, Key::Down] {
        (0..30).for_each(|_| drop(state.update(Event::Key(key))));
    }
    let shown = lines(&screen(&mut state, 80, 24));
    assert!(shown[21].starts_with("26"), "{shown:#?}");
    let corner = Point::new(25, 25).unwrap();
    assert!(!state.game().position().placements().contains(corner));
    state.update(Event::Key(Key::Enter));
    assert!(state.message().contains("z26"), "{}", state.message());
}
