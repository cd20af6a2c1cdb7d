//! The page and its files, inside the program. In debug builds they are read from the folder, so that a change shows
//! when the page is loaded again.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::error::ApiError;

#[derive(RustEmbed)]
#[folder = "../../web/"]
#[include = "index.html"]
#[include = "manifest.webmanifest"]
#[include = "icon*"]
#[include = "css/*"]
#[include = "js/*"]
#[include = "i18n/*"]
#[include = "vendor/*"]
#[exclude = "*.d.ts"]
struct Files;

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
    match Files::get(wanted) {
        Some(file) => Ok(answer(wanted, &file, &headers)),
        None if is_address => {
            let file = Files::get("index.html").ok_or(ApiError::NotFound)?;
            Ok(answer("index.html", &file, &headers))
        }
        None => Err(ApiError::NotFound),
    }
}

fn answer(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash = file.metadata.sha256_hash();
    let tag: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|tags| tags.split(',').any(|known| known.trim().trim_start_matches("W/") == tag));
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(file.data.clone().into_owned()).into_response()
    };
    let set = response.headers_mut();
    set.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(path)));
    // To be asked about each time; the tag makes that cheap.
    set.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        set.insert(header::ETAG, tag);
    }
    response
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
