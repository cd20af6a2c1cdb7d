//! What every request has to pass: who it is addressed to, where it comes from, how many there are, how long it takes.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::{Peer, Shared};
use crate::error::ApiError;
use crate::rate::Demand;
use crate::visitor::Visitor;

/// Longest until an answer begins. Analyses end before.
const LONGEST: Duration = Duration::from_secs(60);

/// Most bytes of all headers of a request.
const LARGEST_HEADERS: usize = 16 << 10;

/// Nothing is loaded from elsewhere, and no script stands inside a page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; font-src 'self'; media-src 'self'; manifest-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
];

/// Browsers are to come by TLS from now on, for a year.
const BY_TLS: (&str, &str) = ("strict-transport-security", "max-age=31536000");

/// What those ask who look after a public server, at the machine of its proxy, and of that what others must not ask.
const LOOKED_AFTER: [&str; 2] = ["/healthz", METRICS];
const METRICS: &str = "/metrics";

/// Checks a request, lets it through, and dresses the answer.
pub(crate) async fn handle(State(app): State<Shared>, mut request: Request, next: Next) -> Response {
    let begin = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = match check(&app, &mut request) {
        Ok(()) => match tokio::time::timeout(LONGEST, next.run(request)).await {
            Ok(response) => response,
            Err(_) => ApiError::TooSlow.into_response(),
        },
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS.into_iter().chain(app.config.public.as_ref().map(|_| BY_TLS)) {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if !response.headers().contains_key(header::CACHE_CONTROL) {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    let status = response.status().as_u16();
    let micros = u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX);
    app.metrics.requests.add(1);
    app.metrics.request_micros.add(micros);
    app.metrics.refusals.add(u64::from(status >= 400));
    tracing::debug!(%method, path, status, micros, "request");
    response
}

fn check(app: &Shared, request: &mut Request) -> Result<(), ApiError> {
    if let Some(Peer(address)) = request.extensions().get::<Peer>().copied() {
        let visitor = Visitor::new(address, request.headers(), app.config.public.as_ref())?;
        app.rates.take(visitor.address, Demand::Request)?;
        if app.config.public.is_some() {
            check_place(&visitor, request.uri().path())?;
        }
        request.extensions_mut().insert(visitor);
    }
    let headers = request.headers();
    if headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum::<usize>() > LARGEST_HEADERS
    {
        return Err(ApiError::HeadersTooLarge(LARGEST_HEADERS));
    }
    let host = host(request)?;
    if !is_ours(host, &app.config.hosts) {
        return Err(ApiError::BadHost(clip(host)));
    }
    check_origin(request, host)
}

/// On a public server the proxy says who asks, or it is somebody who looks after it.
fn check_place(visitor: &Visitor, path: &str) -> Result<(), ApiError> {
    match visitor.local {
        true if !LOOKED_AFTER.contains(&path) => Err(ApiError::BadProxy),
        false if path == METRICS => Err(ApiError::NotFound),
        _ => Ok(()),
    }
}

/// The one name that the request gives us, in its address or in its headers.
fn host(request: &Request) -> Result<&str, ApiError> {
    let given = request.headers().get_all(header::HOST).iter().map(|value| value.to_str().unwrap_or(""));
    let mut given = given.chain(request.uri().authority().map(|authority| authority.as_str()));
    let host = given.next().unwrap_or("");
    match given.find(|other| !other.eq_ignore_ascii_case(host)) {
        Some(other) => Err(ApiError::BadHost(clip(&format!("{host}, {other}")))),
        None => Ok(host),
    }
}

/// A page from elsewhere may neither change anything nor open a WebSocket.
fn check_origin(request: &Request, host: &str) -> Result<(), ApiError> {
    let upgrade = request.headers().contains_key(header::UPGRADE);
    if !upgrade && matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
    let Some(origin) = header_text(request.headers(), &header::ORIGIN) else {
        // Programs send none; browsers always do, or say that the request comes from elsewhere.
        let site = request.headers().get("sec-fetch-site").and_then(|value| value.to_str().ok());
        return match site {
            None | Some("same-origin" | "none") => Ok(()),
            Some(site) => Err(ApiError::BadOrigin(clip(site))),
        };
    };
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    match authority {
        Some(authority) if authority.eq_ignore_ascii_case(host) => Ok(()),
        _ => Err(ApiError::BadOrigin(clip(origin))),
    }
}

/// Whether this is a name of ours. Another site's name that leads here is a trick to get at local servers; a bare
/// address cannot be such a name.
fn is_ours(host: &str, names: &[String]) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        // The colons of an address in brackets lead to no port.
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    };
    if port.is_some_and(|port| port.parse::<u16>().is_err()) {
        return false;
    }
    if let Some(address) = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    let local = name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost");
    local || name.parse::<Ipv4Addr>().is_ok() || names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn header_text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// As much of a text as an error repeats.
fn clip(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_local_names_addresses_and_given_names_are_ours() {
        let names = ["othello.example".to_owned()];
        for host in [
            "localhost",
            "localhost:8000",
            "127.0.0.1:8000",
            "[::1]:8000",
            "192.168.1.5",
            "OTHELLO.example:80",
        ] {
            assert!(is_ours(host, &names), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:8000",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "[::1].evil.example",
            "[::1].evil.example:8000",
            "[::1]evil",
            "[::1",
            "::1",
            "[::1]:x",
            "[localhost]",
            "localhost:",
            "localhost:80:80",
            "localhost:70000",
        ] {
            assert!(!is_ours(host, &names), "{host}");
        }
    }
}
