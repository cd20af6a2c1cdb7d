//! Reading what clients send and writing what they get. Whatever cannot be read is refused with a sentence.

use std::convert::Infallible;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use emilia_service::error::ServiceError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answers::to_json;
use crate::app::Shared;
use crate::error::ApiError;
use crate::memory::Reservation;
use crate::request_error::RequestError;
use crate::token::Token;

/// Most bytes of a usual body.
const LARGEST: usize = 256 << 10;
/// Most bytes of an imported file.
pub(crate) const LARGEST_FILE: usize = 1 << 20;
/// Most bytes of WTHOR files: the whole database, and as many games as it gets in ten years.
const LARGEST_DATABASE: usize = 12 << 20;

/// How much of a large answer is handed over at once.
const CHUNK: usize = 64 << 10;

/// A JSON body. An empty one counts as an object without fields.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Shared> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &Shared) -> Result<Json<T>, ApiError> {
        object(request, LARGEST).await.map(|(object, _)| Json(object))
    }
}

/// An object of at most so many bytes, and how many they were. An empty body counts as an object without fields.
pub(super) async fn object<T: DeserializeOwned>(
    request: Request,
    largest: usize,
) -> Result<(T, usize), ApiError> {
    let (parts, body) = request.into_parts();
    let bytes = collect(body, largest).await?;
    if bytes.is_empty() {
        return Ok((read(b"{}")?, 0));
    }
    if !has_type(&parts.headers, "application/json") {
        return Err(ApiError::BadType);
    }
    Ok((read(&bytes)?, bytes.len()))
}

/// A body is an object: a list would also be taken for the fields of one in their order, and an empty one for none.
fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    if bytes.trim_ascii_start().starts_with(b"[") {
        serde_json::from_slice::<Map<String, Value>>(bytes)?;
    }
    Ok(serde_json::from_slice(bytes)?)
}

fn has_type(headers: &HeaderMap, wanted: &str) -> bool {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    given.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case(wanted)
}

/// A form, as the earlier interface has them.
pub(crate) struct Form<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Shared> for Form<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &Shared) -> Result<Form<T>, ApiError> {
        let bytes = collect(request.into_body(), LARGEST).await?;
        let form = serde_urlencoded::from_bytes(&bytes);
        Ok(Form(form.map_err(RequestError::Form)?))
    }
}

/// A body of any kind.
pub(crate) struct File(pub(crate) Bytes);

impl FromRequest<Shared> for File {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &Shared) -> Result<File, ApiError> {
        collect(request.into_body(), LARGEST_FILE).await.map(File)
    }
}

pub(super) async fn collect(body: Body, limit: usize) -> Result<Bytes, ApiError> {
    // A body that breaks off has nobody left to read the answer, so every error is about the size.
    to_bytes(body, limit).await.map_err(|_| ApiError::TooLarge(limit))
}

/// The files of a database.
pub(crate) struct DatabaseFiles(pub(crate) Bytes);

impl FromRequest<Shared> for DatabaseFiles {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &Shared) -> Result<DatabaseFiles, ApiError> {
        collect(request.into_body(), LARGEST_DATABASE).await.map(DatabaseFiles)
    }
}

/// What follows the question mark.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Shared> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Query<T>, ApiError> {
        let query = serde_urlencoded::from_str(parts.uri.query().unwrap_or(""));
        Ok(Query(query.map_err(RequestError::Query)?))
    }
}

/// The name of a game in the path.
pub(crate) struct GameId(pub(crate) String);

impl FromRequestParts<Shared> for GameId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<GameId, ApiError> {
        match Path::<String>::from_request_parts(parts, app).await {
            Ok(Path(id)) => Ok(GameId(id)),
            Err(_) => Err(ApiError::UnknownGame),
        }
    }
}

/// The token that a request shows, if it shows one.
pub(crate) struct Bearer(pub(crate) Option<Token>);

impl FromRequestParts<Shared> for Bearer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Bearer, ApiError> {
        let Some(value) = parts.headers.get(header::AUTHORIZATION) else { return Ok(Bearer(None)) };
        let token = value.to_str().ok().and_then(|text| text.strip_prefix("Bearer "));
        let token = token.and_then(|text| text.trim().parse().ok()).ok_or(ServiceError::BadToken)?;
        Ok(Bearer(Some(token)))
    }
}

/// A JSON answer.
pub(crate) struct Reply<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        Written(to_json(&self.0)).into_response()
    }
}

/// JSON that is written already.
pub(crate) struct Written(pub(crate) String);

impl IntoResponse for Written {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

/// JSON that is written already and large: its memory is counted until the client has it.
pub(crate) struct Held {
    pub(crate) text: String,
    pub(crate) held: Reservation,
}

impl IntoResponse for Held {
    fn into_response(self) -> Response {
        let Held { text, held } = self;
        let mut rest = Bytes::from(text);
        let chunks = std::iter::from_fn(move || {
            // Moved in here, and so kept as long as there are chunks to come.
            let _ = &held;
            let chunk = rest.split_to(rest.len().min(CHUNK));
            (!chunk.is_empty()).then_some(Ok::<_, Infallible>(chunk))
        });
        let body = Body::from_stream(tokio_stream::iter(chunks));
        ([(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}
