//! Answers that come line by line, as long as the client stays.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use emilia_query::Stop;
use emilia_service::lines::Lines;
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;

/// NdjsonWriter that may wait for a slow reader. One who falls further behind is cut off.
const WAITING: usize = 2000;

/// Where the lines are written.
pub(super) struct NdjsonWriter {
    send: mpsc::Sender<Chunk>,
    stop: Arc<Stop>,
}

type Chunk = Result<Bytes, Infallible>;

/// The other end. When the client hangs up it is dropped, and the work stops.
struct NdjsonBody {
    lines: ReceiverStream<Chunk>,
    _stop: StopOnDrop,
}

/// The two ends: lines written to the first arrive in the second, which is an answer.
pub(super) fn ndjson() -> (NdjsonWriter, Response) {
    let (send, receive) = mpsc::channel(WAITING);
    let stop: Arc<Stop> = Arc::default();
    let reader = NdjsonBody { lines: ReceiverStream::new(receive), _stop: StopOnDrop(Arc::clone(&stop)) };
    let body = Body::from_stream(reader);
    let answer = ([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response();
    (NdjsonWriter { send, stop }, answer)
}

impl NdjsonWriter {
    /// What ends the work when the client hangs up.
    pub(super) fn stop(&self) -> Arc<Stop> {
        Arc::clone(&self.stop)
    }
}

impl Lines for NdjsonWriter {
    /// Writes a line. If nobody reads any more, the work is told to stop.
    fn take(&self, line: String) {
        if self.send.try_send(Ok(Bytes::from(line + "\n"))).is_err() {
            self.stop.request();
        }
    }

    fn has_room(&self) -> bool {
        self.send.capacity() > WAITING / 2
    }
}

impl Stream for NdjsonBody {
    type Item = Chunk;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Chunk>> {
        Pin::new(&mut self.lines).poll_next(context)
    }
}

/// Stops the work when the one who waits for it goes away.
pub(super) struct StopOnDrop(pub(super) Arc<Stop>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.request();
    }
}
