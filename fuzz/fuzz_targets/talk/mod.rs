//! A conversation with a session: lines of the input are said, and each search is answered by a line that begins with
//! `!`, or at the end.

use std::collections::VecDeque;

use emilia_protocol::{Judged, Order, Session, Thought};
use emilia_rules::Playable;

/// Holds the conversation; the laws are that nothing panics, that a search is about a position of its own game, that
/// every search is answered before the session ends, and that the session does end.
pub fn talk(mut session: impl Session, text: &str, mut said: impl FnMut(&str)) {
    let mut searches = VecDeque::new();
    let mut over = false;
    let mut obey = |session: &mut dyn Session, orders: Vec<Order>, searches: &mut VecDeque<_>| {
        let mut orders: VecDeque<Order> = orders.into();
        while let Some(order) = orders.pop_front() {
            match order {
                Order::Say(line) => said(&line),
                Order::Think(number, task) => {
                    let position = task.moves.iter().try_fold(task.start, |position, mv| position.play(*mv));
                    assert_eq!(position.as_ref(), Ok(&task.position));
                    assert!(!task.position.is_over());
                    searches.push_back((number, task));
                }
                Order::Read(_) => orders.extend(session.file(Err("no such file".to_owned()))),
                Order::Stop(_) | Order::Forget => {}
                Order::Quit => return true,
            }
        }
        false
    };
    for line in text.lines() {
        let orders = match line.strip_prefix('!') {
            Some(_) => match searches.pop_front() {
                Some((number, task)) => answered(&mut session, number, &task),
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
    while let Some((number, task)) = searches.pop_front() {
        let orders = answered(&mut session, number, &task);
        over |= obey(&mut session, orders, &mut searches);
    }
    assert!(over, "the session did not end");
}

/// Answers a search with its first legal move.
fn answered(session: &mut dyn Session, number: u64, task: &emilia_protocol::Task) -> Vec<Order> {
    let moves = task.position.moves().take(task.lines).map(Judged::new).collect();
    let thought = Thought { moves, depth: 1, ..Thought::default() };
    let mut orders = session.progress(number, &thought);
    orders.extend(session.finished(number, Ok(thought)));
    orders
}
