//! The page and its files, sent as small as they get.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::sync::{LazyLock, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::error::ApiError;

/// Answers with the file at this path; an address inside the page gets the page itself.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    if !matches!(method, Method::GET | Method::HEAD) {
        return Err(ApiError::NotFound);
    }
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return Err(ApiError::NotFound);
    }
    let wanted = if path.is_empty() { "index.html" } else { path };
    let is_address = !wanted.rsplit('/').next().unwrap_or("").contains('.');
    match emilia_page::file(wanted) {
        Some(content) => Ok(answer(wanted, content, &headers)),
        None if is_address => {
            let content = emilia_page::file("index.html").ok_or(ApiError::NotFound)?;
            Ok(answer("index.html", content, &headers))
        }
        None => Err(ApiError::NotFound),
    }
}

fn answer(path: &str, content: Cow<'static, [u8]>, headers: &HeaderMap) -> Response {
    let hash: [u8; 32] = Sha256::digest(&content).into();
    let media_type = media_type(path);
    let small = takes_gzip(headers).then(|| compressed(media_type, hash, &content)).flatten();
    let name: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    // What is compressed is another sequence of bytes, so it has another tag.
    let tag = if small.is_some() { format!("\"{name}-gzip\"") } else { format!("\"{name}\"") };
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|tags| tags.split(',').any(|known| known.trim().trim_start_matches("W/") == tag));
    let is_small = small.is_some();
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let whole = || match content {
            Cow::Borrowed(content) => Bytes::from_static(content),
            Cow::Owned(content) => Bytes::from(content),
        };
        Body::from(small.unwrap_or_else(whole)).into_response()
    };
    let set = response.headers_mut();
    set.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    // To be asked about each time; the tag makes that cheap.
    set.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    set.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if path.starts_with("embed/") {
        // Made for pages of others.
        set.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    if is_small {
        set.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        set.insert(header::ETAG, tag);
    }
    response
}

/// Whether whoever asks says that it reads gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|choice| {
        let (name, quality) = choice.split_once(';').unwrap_or((choice, ""));
        // A quality of nought, however it is written, says no.
        let quality: Option<f32> = quality.trim().strip_prefix("q=").and_then(|quality| quality.parse().ok());
        name.trim().eq_ignore_ascii_case("gzip") && quality != Some(0.0)
    })
}

/// The file compressed, if that is worth it. It is done once for each content: the same bytes go to everybody.
fn compressed(media_type: &str, hash: [u8; 32], content: &[u8]) -> Option<Bytes> {
    /// Smaller files fit into one packet anyway.
    const WORTH_IT: usize = 1000;
    static DONE: LazyLock<Mutex<HashMap<[u8; 32], Bytes>>> = LazyLock::new(Mutex::default);
    let is_text =
        media_type.starts_with("text/") || media_type.contains("json") || media_type.contains("xml");
    if !is_text || content.len() < WORTH_IT {
        return None;
    }
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(small) = done.get(&hash) {
        return Some(small.clone());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).ok()?;
    let small = Bytes::from(encoder.finish().ok()?);
    done.insert(hash, small.clone());
    Some(small)
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "gif" => "image/gif",
        "woff2" => "font/woff2",
        "ogg" => "audio/ogg",
        "mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "wasm" => "application/wasm",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
