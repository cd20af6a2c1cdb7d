//! A conversation with a session, without a player: lines of a text are said, and searches are answered.
//!
//! A line that begins with `!` lets the oldest search come to its end that can; one that begins with `!!` the oldest of
//! all, as if its position were solved.
//! The fuzz targets use this file too.

use std::collections::{HashSet, VecDeque};
use std::io;

use emilia_protocol::{Order, Session};
use emilia_query::{Limits, MoveReport, Query, Report};
use emilia_rules::Playable;

/// When the input ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Right after the last line, whatever is being searched.
    AtOnce,
    /// When every search is over that comes to its end without another line.
    WhenQuiet,
}

impl End {
    /// Both ways.
    pub(crate) const BOTH: [End; 2] = [End::AtOnce, End::WhenQuiet];
}

/// What came of a conversation.
#[derive(Debug, Default)]
pub(crate) struct Talk {
    /// Everything that was said.
    pub(crate) said: Vec<String>,
    /// How many lines were heard, answers to searches not counted.
    pub(crate) heard: usize,
    /// How much was said before the input ended.
    pub(crate) said_before_end: usize,
    searches: VecDeque<(u64, Box<Query>)>,
    stopped: HashSet<u64>,
    over: bool,
}

/// Holds the conversation. The laws are that nothing panics, that only positions are searched in which somebody can
/// move, and that the session ends: that no search goes on for ever because nobody stops it.
pub(crate) fn talk(mut session: impl Session, text: &str, end: End) -> Talk {
    let mut talk = Talk::default();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix('!') {
            talk.answer_next(&mut session, rest.starts_with('!'));
        } else {
            talk.heard += 1;
            let orders = session.line(line);
            talk.obey(&mut session, orders);
        }
        if talk.over || !session.listens() {
            break;
        }
    }
    if end == End::WhenQuiet {
        while talk.can_answer() {
            talk.answer_next(&mut session, false);
        }
    }
    talk.said_before_end = talk.said.len();
    if !talk.over && session.listens() {
        let orders = session.ended();
        talk.obey(&mut session, orders);
    }
    while !talk.over && talk.can_answer() {
        talk.answer_next(&mut session, false);
    }
    let left: Vec<u64> = talk.searches.iter().map(|(number, _)| *number).collect();
    assert!(talk.over, "the session does not end; searches that nobody stops: {left:?}");
    talk
}

impl Talk {
    fn obey(&mut self, session: &mut dyn Session, orders: Vec<Order>) {
        let mut orders: VecDeque<Order> = orders.into();
        while let Some(order) = orders.pop_front() {
            match order {
                Order::Say(text) => self.said.push(text),
                Order::Think(number, query) => {
                    assert!(!query.position().is_over());
                    self.searches.push_back((number, query));
                }
                Order::Ponder(number, query) => {
                    assert!(!query.position().is_over());
                    self.searches.push_back((number, Box::new(query.within(Limits::endless()))));
                }
                Order::Read(_) => {
                    let follow = session.file(Err(io::ErrorKind::NotFound.into()));
                    follow.into_iter().rev().for_each(|order| orders.push_front(order));
                }
                Order::Stop(number) => {
                    self.stopped.insert(number);
                }
                Order::Forget => {}
                Order::Quit => self.over = true,
            }
        }
    }

    /// Whether a search comes to its end by itself: it has a limit, or it was stopped.
    fn ends(&self, (number, query): &(u64, Box<Query>)) -> bool {
        !query.limits.endless || self.stopped.contains(number)
    }

    fn can_answer(&self) -> bool {
        self.searches.iter().any(|search| self.ends(search))
    }

    /// Answers a search with its first legal moves.
    fn answer_next(&mut self, session: &mut dyn Session, solved: bool) {
        let next = self.searches.iter().position(|search| solved || self.ends(search));
        let Some((number, query)) = next.and_then(|next| self.searches.remove(next)) else { return };
        let report = Report::of(query.position().moves().take(query.lines).map(MoveReport::new).collect());
        let mut orders = session.progress(number, &report);
        orders.extend(session.finished(number, Ok(report)));
        self.obey(session, orders);
    }
}
