//! What everybody keeps to who keeps what a learner has: one test for all of them.

#![allow(clippy::unwrap_used, reason = "a law is a test")]

use std::fmt::Debug;

use emilia_trainer::{Card, FiledAnswer, FiledAttempt, FiledRun, Grade, Kind, Prompt, Rating, RunKind};

use super::cards::{NewAnswer, add, answer};
use super::profile::{Imported, export, import};
use super::store::{ANSWERS_EACH, ATTEMPTS_EACH, LearnerStore, NumberedCard, RUNS_EACH, SOON, Wanted};

const ALL: Wanted = Wanted { kind: None, due: None, most: usize::MAX };
const DAY: u64 = 24 * 3_600_000;

fn card(kind: Kind, moves: &str, right: &str, now: u64) -> Card {
    Card::new(kind, Prompt::new(None, moves, &[right], "a note").unwrap(), now)
}

fn attempt(number: usize) -> FiledAttempt {
    let puzzle = format!("{number:08}");
    FiledAttempt { puzzle, at: 1000 + number as u64, solved: number.is_multiple_of(2), rating: Some(1500.5) }
}

fn ids(cards: &[NumberedCard]) -> Vec<i64> {
    cards.iter().map(|numbered| numbered.id).collect()
}

/// Gives somebody something of everything.
pub fn fill<S: LearnerStore<Error: Debug>>(store: &mut S) {
    let (known, _) = add(store, card(Kind::Opening, "f5d6c3d3", "c4", 100)).unwrap();
    add(store, card(Kind::Mistake, "f5d6", "c3", 200)).unwrap();
    let good = NewAnswer { grade: Grade::Good, mv: None, took_ms: Some(7) };
    answer(store, known, good, 300).unwrap();
    store.rate("puzzles", &Rating { games: 3, ..Rating::unknown(400) }).unwrap();
    store.rate_puzzle("0123abcd".parse().unwrap(), &Rating::said(1600.0, 90.0)).unwrap();
    store.note_attempt(&attempt(1)).unwrap();
    store.add_run(&FiledRun { kind: RunKind::Clock, at: 500, solved: 9, missed: 1 }).unwrap();
}

/// The law: what was kept is found again as it was and in order, only what is too long ago is forgotten, and all of it goes
/// out and in as one file. `fresh` makes somebody called Ann who has nothing.
pub fn keeps<S: LearnerStore<Error: Debug>>(mut fresh: impl FnMut() -> S) {
    keeps_cards(&mut fresh());
    keeps_answers(&mut fresh());
    keeps_puzzles(&mut fresh());
    keeps_runs(&mut fresh());
    travels(&mut fresh(), &mut fresh());
    let mut store = fresh();
    fill(&mut store);
    store.delete().unwrap();
    assert_eq!(store.card_count().unwrap() + store.attempts().unwrap().len(), 0);
    assert!(store.ratings().unwrap().is_empty() && store.runs().unwrap().is_empty());
    assert!(store.history(10).unwrap().is_empty());
}

fn keeps_cards<S: LearnerStore<Error: Debug>>(store: &mut S) {
    let late = add(store, card(Kind::Opening, "f5d6c3d3", "c4", 9000)).unwrap().0;
    let early = add(store, card(Kind::Opening, "f5d6", "c3", 100)).unwrap().0;
    let other = add(store, card(Kind::Mistake, "f5d6", "c3", 100)).unwrap().0;
    assert_eq!(ids(&store.cards(ALL).unwrap()), [early.id, other.id, late.id]);
    assert_eq!(ids(&store.cards(Wanted { due: Some(100), ..ALL }).unwrap()), [early.id, other.id]);
    assert_eq!(ids(&store.cards(Wanted { kind: Some(Kind::Opening), most: 1, ..ALL }).unwrap()), [early.id]);
    assert_eq!(store.card(late.id).unwrap().as_ref(), Some(&late));
    let deck = store.deck(Kind::Opening, 100).unwrap();
    assert_eq!((deck.cards, deck.due, deck.next), (2, 1, Some(9000)));
    // Turned, it is the same position, and both answers are right from then on.
    let (again, new) = add(store, card(Kind::Opening, "c4e3", "f4", 5)).unwrap();
    assert!(!new && again.id == early.id && again.card.prompt.answers().len() == 2, "{again:?}");
    assert_eq!(store.card(early.id).unwrap(), Some(again));
    assert_eq!(store.card_about(Kind::Puzzle, &early.card.prompt).unwrap(), None);
    assert!(store.remove(early.id).unwrap() && !store.remove(early.id).unwrap());
    assert_eq!((store.card(early.id).unwrap(), store.card_count().unwrap()), (None, 2));
    let back = add(store, card(Kind::Opening, "f5d6", "c3", 100)).unwrap();
    assert!(back.1 && back.0.id > late.id, "no number comes twice");
    store.rename("Bob").unwrap();
    assert_eq!(store.named().unwrap().0, "Bob");
}

fn keeps_answers<S: LearnerStore<Error: Debug>>(store: &mut S) {
    let (mut known, _) = add(store, card(Kind::Opening, "f5d6c3d3", "c4", 0)).unwrap();
    let (other, _) = add(store, card(Kind::Mistake, "f5d6", "c3", 0)).unwrap();
    for day in 1..=ANSWERS_EACH as u64 + 5 {
        let grade = if day == 2 { Grade::Again } else { Grade::Good };
        known = answer(store, known, NewAnswer { grade, mv: None, took_ms: None }, day * DAY).unwrap();
    }
    assert_eq!(store.card(known.id).unwrap(), Some(known.clone()));
    let deck = store.deck(Kind::Opening, 0).unwrap();
    assert_eq!((deck.right, deck.missed), (ANSWERS_EACH as u64 + 4, 1));
    let answers = store.answers(known.id).unwrap();
    assert_eq!((answers.len(), answers[0].at), (ANSWERS_EACH, 6 * DAY), "the earliest are forgotten");
    assert!(answers.is_sorted_by_key(|answer| answer.at));
    let mv = Some("c3".to_owned());
    let late = FiledAnswer { at: 99 * DAY, grade: Grade::Hard, mv, took_ms: Some(1234) };
    assert!(store.note_answer(other.id, &late).unwrap() && !store.note_answer(other.id, &late).unwrap());
    let history = store.history(2).unwrap();
    let days = (ANSWERS_EACH as u64 + 5) * DAY;
    assert_eq!((history[0].card, history[0].kind, &history[0].answer), (other.id, Kind::Mistake, &late));
    assert_eq!((history.len(), history[1].card, history[1].answer.at), (2, known.id, days));
    store.remove(other.id).unwrap();
    assert_eq!(store.history(1).unwrap()[0].card, known.id);
}

fn keeps_puzzles<S: LearnerStore<Error: Debug>>(store: &mut S) {
    let mut tried = store.tried().unwrap();
    for number in 0..ATTEMPTS_EACH + 3 {
        store.note_attempt(&attempt(number)).unwrap();
        let more = store.tried().unwrap();
        assert!(more > tried);
        tried = more;
    }
    store.note_attempt(&attempt(ATTEMPTS_EACH)).unwrap();
    let attempts = store.attempts().unwrap();
    assert_eq!((attempts.len(), &attempts[0]), (ATTEMPTS_EACH, &attempt(3)));
    let recent = store.recent().unwrap();
    assert_eq!((recent.len(), recent[0].to_string()), (SOON, attempt(ATTEMPTS_EACH + 2).puzzle));
    let id = recent[1];
    assert_eq!(store.puzzle(id).unwrap(), None);
    for hard in [Rating::said(1700.0, 80.0), Rating { games: 1, ..Rating::said(1690.25, 79.0) }] {
        store.rate_puzzle(id, &hard).unwrap();
        assert_eq!(store.puzzle(id).unwrap(), Some(hard));
        assert_eq!(store.puzzles().unwrap().get(&id), Some(&hard.rating));
    }
    for rating in [Rating::unknown(5), Rating { games: 4, ..Rating::unknown(9) }] {
        store.rate("puzzles", &rating).unwrap();
        assert_eq!(store.ratings().unwrap(), [("puzzles".to_owned(), rating)]);
    }
}

fn keeps_runs<S: LearnerStore<Error: Debug>>(store: &mut S) {
    let run = |number: usize, solved| FiledRun { kind: RunKind::Clock, at: number as u64, solved, missed: 3 };
    store.add_run(&run(0, 3)).unwrap();
    store.add_run(&run(1, 50)).unwrap();
    store.add_run(&run(1, 50)).unwrap();
    for number in 2..RUNS_EACH + 5 {
        store.add_run(&run(number, 4)).unwrap();
    }
    let runs = store.runs().unwrap();
    assert_eq!((runs.len(), &runs[0]), (RUNS_EACH + 1, &run(1, 50)), "the best stays");
    let strikes = FiledRun { kind: RunKind::Strikes, at: 3, solved: 6, missed: 3 };
    store.add_run(&strikes).unwrap();
    let best = store.best_runs().unwrap();
    assert_eq!((best.get(&RunKind::Clock), best.get(&RunKind::Strikes)), (Some(&50), Some(&6)));
}

/// What goes out of one and into another is the same there, and nothing the second time.
fn travels<S: LearnerStore<Error: Debug>>(one: &mut S, other: &mut S) {
    fill(one);
    let file = export(one).unwrap();
    assert_eq!((file.cards.len(), file.attempts.len(), file.runs.len(), file.ratings.len()), (2, 1, 1, 1));
    let imported = import(other, file.clone()).unwrap();
    assert_eq!(imported, Imported { added: 2, updated: 0, answers: 1 });
    let again = export(other).unwrap();
    assert_eq!((&again.cards, &again.ratings), (&file.cards, &file.ratings));
    assert_eq!((&again.attempts, &again.runs), (&file.attempts, &file.runs));
    assert_eq!(import(other, file).unwrap(), Imported::default());
    // Of a card that both have, the schedule counts that was answered later.
    let known = one.cards(Wanted { kind: Some(Kind::Opening), ..ALL }).unwrap().remove(0);
    let later =
        answer(one, known, NewAnswer { grade: Grade::Easy, mv: None, took_ms: None }, 50 * DAY).unwrap();
    let imported = import(other, export(one).unwrap()).unwrap();
    assert_eq!(imported, Imported { added: 0, updated: 1, answers: 1 });
    let there = other.card_about(Kind::Opening, &later.card.prompt).unwrap().unwrap();
    assert_eq!(there.card.schedule, later.card.schedule);
}
