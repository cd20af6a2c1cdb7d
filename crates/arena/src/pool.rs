use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;

use emilia_query::Stop;

/// Does numbered pieces of work on several threads and hands over the results in the order of their numbers, so that
/// whoever reads them cannot tell how many threads there were.
///
/// Work that gives nothing ends it all, as does an answer to break off; the stop request is then made, so that pieces
/// under way can end early.
///
/// ```
/// use std::ops::ControlFlow;
/// use emilia_arena::in_order;
/// let mut squares = Vec::new();
/// in_order(0..5, 3, &Default::default(), |number| Some(number * number), |square| {
///     squares.push(square);
///     if square < 9 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// });
/// assert_eq!(squares, [0, 1, 4, 9]);
/// ```
pub fn in_order<T: Send>(
    numbers: Range<u32>,
    threads: usize,
    stop: &Stop,
    work: impl Fn(u32) -> Option<T> + Sync,
    mut each: impl FnMut(T) -> ControlFlow<()>,
) {
    let next = AtomicU32::new(numbers.start);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, numbers.len().max(1)) {
            let (send, next, work, end) = (send.clone(), &next, &work, numbers.end);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end || stop.is_requested() {
                        return;
                    }
                    let Some(result) = work(number) else {
                        stop.request();
                        return;
                    };
                    if send.send((number, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let (mut due, mut early) = (numbers.start, BTreeMap::new());
        for (number, result) in receive {
            early.insert(number, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                if each(result).is_break() {
                    stop.request();
                    return;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_however_long_they_take() {
        let mut seen = Vec::new();
        let work = |number: u32| {
            std::thread::sleep(std::time::Duration::from_millis(u64::from(number % 3) * 2));
            Some(number)
        };
        in_order(10..40, 4, &Stop::default(), work, |number| {
            seen.push(number);
            ControlFlow::Continue(())
        });
        assert_eq!(seen, (10..40).collect::<Vec<u32>>());
    }

    #[test]
    fn work_that_gives_nothing_ends_it() {
        let stop = Stop::default();
        let mut seen = Vec::new();
        in_order(
            0..1000,
            2,
            &stop,
            |number| (number < 5).then_some(number),
            |number| {
                seen.push(number);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(seen, [0, 1, 2, 3, 4]);
        assert!(stop.is_requested());
    }
}
