use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use emilia_query::Stop;
use emilia_search::{Table, TableError};

/// Shares out so many pieces of work, by their numbers, to threads with a table of so many megabytes each. The results
/// come in the order of the numbers; nothing comes if it was stopped, or if a thread panicked.
pub(crate) fn shared_out<T: Send>(
    count: usize,
    threads: usize,
    megabytes: usize,
    stop: &Stop,
    work: impl Fn(usize, &Table) -> T + Sync,
) -> Result<Option<Vec<T>>, TableError> {
    let threads = threads.clamp(1, count.max(1));
    let tables = (0..threads).map(|_| Table::new(megabytes)).collect::<Result<Vec<_>, _>>()?;
    let next = AtomicUsize::new(0);
    let (next, work) = (&next, &work);
    let parts: Vec<Vec<(usize, T)>> = std::thread::scope(|scope| {
        let worker = |table| {
            scope.spawn(move || {
                let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Relaxed)));
                let mine = numbers.take_while(|number| *number < count && !stop.is_requested());
                mine.map(|number| (number, work(number, table))).collect()
            })
        };
        let workers: Vec<_> = tables.iter().map(worker).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let mut found: Vec<(usize, T)> = parts.into_iter().flatten().collect();
    if stop.is_requested() || found.len() < count {
        return Ok(None);
    }
    found.sort_by_key(|(number, _)| *number);
    Ok(Some(found.into_iter().map(|(_, result)| result).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whoever_did_the_work() {
        let squares: Vec<usize> = (0..100).map(|number| number * number).collect();
        for threads in [0, 1, 3, 200] {
            let done = shared_out(100, threads, 1, &Stop::default(), |number, _| number * number);
            assert_eq!(done.unwrap().unwrap(), squares);
        }
        assert_eq!(shared_out(0, 2, 1, &Stop::default(), |number, _| number).unwrap(), Some(Vec::new()));
    }

    #[test]
    fn nothing_comes_of_work_that_was_stopped() {
        let stop = Stop::default();
        let work = |number, _: &Table| {
            stop.request();
            number
        };
        assert_eq!(shared_out(9, 2, 1, &stop, work).unwrap(), None);
    }
}
