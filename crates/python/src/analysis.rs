use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use emilia_query::{Fault, Query, Stop};
use pyo3::prelude::*;

use crate::engine::Thinker;
use crate::error::EngineError;
use crate::patience::PATIENCE;
use crate::report::Report;

/// An analysis that goes on while its reports are read one by one.
#[pyclass(module = "emilia", frozen)]
pub(crate) struct Analysis {
    shared: Arc<Shared>,
}

/// What the thread that thinks and the one that reads have in common.
struct Shared {
    stop: Stop,
    news: Mutex<News>,
    changed: Condvar,
}

#[derive(Default)]
struct News {
    /// What was not read yet; of reports of the same depth only the last.
    unread: VecDeque<emilia_query::Report>,
    end: Option<Result<emilia_query::Report, Fault>>,
    /// Whether the last report was read.
    ended: bool,
}

impl Shared {
    fn news(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, report: &emilia_query::Report) {
        let mut news = self.news();
        if news.unread.back().is_some_and(|last| last.depth == report.depth) {
            news.unread.pop_back();
        }
        news.unread.push_back(report.clone());
        self.changed.notify_all();
    }

    /// Looks at the news once there are some, or after a while.
    fn wait<T: Send>(&self, look: impl Fn(&mut News) -> Option<T>) -> Option<T> {
        let mut news = self.news();
        if let Some(found) = look(&mut news) {
            return Some(found);
        }
        let waited = self.changed.wait_timeout(news, PATIENCE).unwrap_or_else(PoisonError::into_inner);
        let mut news = waited.0;
        look(&mut news)
    }
}

/// Sees to it that the end is told even if the search should fall over.
struct Ending(Arc<Shared>, Arc<Thinker>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.1.analysing.store(false, Ordering::Release);
        let mut news = self.0.news();
        news.end.get_or_insert(Ok(emilia_query::Report::default()));
        self.0.changed.notify_all();
    }
}

impl Analysis {
    /// Begins to think in another thread.
    pub(crate) fn begin(thinker: Arc<Thinker>, query: Query) -> Analysis {
        let (news, changed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { stop: Stop::new(), news, changed });
        thinker.analysing.store(true, Ordering::Release);
        let ending = Ending(Arc::clone(&shared), thinker);
        thread::spawn(move || {
            let Ending(shared, thinker) = &ending;
            let mut watcher = |report: &emilia_query::Report| {
                shared.add(report);
                ControlFlow::Continue(())
            };
            let answer = thinker.player().answer(&query, &shared.stop, &mut watcher);
            shared.news().end = Some(answer);
        });
        Analysis { shared }
    }

    /// Waits for news with an ear for Ctrl-C.
    fn await_news<T: Send>(
        &self,
        py: Python<'_>,
        look: impl Fn(&mut News) -> Option<T> + Sync,
    ) -> PyResult<T> {
        loop {
            if let Some(found) = py.detach(|| self.shared.wait(&look)) {
                return Ok(found);
            }
            py.check_signals().inspect_err(|_| self.shared.stop.request())?;
        }
    }
}

fn final_report(end: Result<emilia_query::Report, Fault>) -> PyResult<Report> {
    end.map(Report).map_err(|fault| EngineError::new_err(fault.to_string()))
}

#[pymethods]
impl Analysis {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// The next report; the last is the answer.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Report>> {
        let next = self.await_news(py, |news| match news.unread.pop_front() {
            Some(report) => Some(Some(Ok(report))),
            None if news.ended => Some(None),
            None => news.end.clone().map(|end| {
                news.ended = true;
                Some(end)
            }),
        })?;
        next.map(final_report).transpose()
    }

    /// Ends the analysis; what it has found can still be read.
    fn stop(&self) {
        self.shared.stop.request();
    }

    /// Waits for the answer.
    fn result(&self, py: Python<'_>) -> PyResult<Report> {
        final_report(self.await_news(py, |news| news.end.clone())?)
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        self.stop();
        self.await_news(py, |news| news.end.as_ref().map(drop))
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.shared.stop.request();
    }
}
