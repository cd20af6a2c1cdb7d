//! A conversation with a session: lines of the input are said, and each search is answered by a line that begins with
//! `!`, or at the end.

use std::collections::VecDeque;
use std::io;

use emilia_protocol::{Order, Session};
use emilia_query::{MoveReport, Query, Report};
use emilia_rules::Playable;

/// Holds the conversation; the laws are that nothing panics, that a search is about a position of its own game, that
/// every search is answered before the session ends, and that the session does end.
pub fn talk(mut session: impl Session, text: &str, mut said: impl FnMut(&str)) {
    let mut searches: VecDeque<(u64, Box<Query>)> = VecDeque::new();
    let mut over = false;
    let mut obey = |session: &mut dyn Session,
                    orders: Vec<Order>,
                    searches: &mut VecDeque<(u64, Box<Query>)>| {
        let mut orders: VecDeque<Order> = orders.into();
        while let Some(order) = orders.pop_front() {
            match order {
                Order::Say(line) => said(&line),
                Order::Think(number, query) => {
                    assert!(!query.position().is_over());
                    searches.push_back((number, query));
                }
                Order::Read(_) => orders.extend(session.file(Err(io::ErrorKind::NotFound.into()))),
                Order::Stop(_) | Order::Forget => {}
                Order::Quit => return true,
            }
        }
        false
    };
    for line in text.lines() {
        let orders = match line.strip_prefix('!') {
            Some(_) => match searches.pop_front() {
                Some((number, query)) => answered(&mut session, number, &query),
                None => continue,
            },
            None => session.line(line),
        };
        over |= obey(&mut session, orders, &mut searches);
        if over || !session.listens() {
            break;
        }
    }
    if !over && session.listens() {
        let orders = session.ended();
        over |= obey(&mut session, orders, &mut searches);
    }
    while let Some((number, query)) = searches.pop_front() {
        let orders = answered(&mut session, number, &query);
        over |= obey(&mut session, orders, &mut searches);
    }
    assert!(over, "the session did not end");
}

/// Answers a search with its first legal move.
fn answered(session: &mut dyn Session, number: u64, query: &Query) -> Vec<Order> {
    let report = Report::of(query.position().moves().take(query.lines).map(MoveReport::new).collect());
    let mut orders = session.progress(number, &report);
    orders.extend(session.finished(number, Ok(report)));
    orders
}
