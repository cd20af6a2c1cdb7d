use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use emilia_rules::{IllegalMove, Point, SizeError};
use emilia_service::error::{ErrorBody, ServiceError};
use emilia_service::learner::LearnerError;
use emilia_trainer::ProfileFileError;
use thiserror::Error;

use crate::library::LibraryError;
use crate::profile_tables::ProfileError;
use crate::request_error::{BadFormat, BadMove, BadPlayer, BadPosition, RequestError, Unreadable};
use crate::study_tables::StudyTableError;

/// Why a request is not done. Always told to the client as JSON with a sentence.
#[derive(Debug, Error)]
pub(crate) enum ApiError {
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error(transparent)]
    Profile(ProfileError),
    #[error(transparent)]
    Study(StudyTableError),
    #[error(transparent)]
    Openings(#[from] LibraryError),
    #[error("requests from {0:?} are not taken here")]
    BadOrigin(String),
    #[error("this server does not go by the name {0:?}")]
    BadHost(String),
    #[error("the proxy does not say in X-Forwarded-For who this comes from")]
    BadProxy,
    #[error("this is for those who have an invitation; open the link you were given, then try again")]
    NotInvited,
    #[error("there is no such game")]
    UnknownGame,
    #[error("there is nothing at this address")]
    NotFound,
    #[error("this address does not take that method")]
    BadMethod,
    #[error("the request took too long")]
    TooSlow,
    #[error("{0}")]
    NotNow(&'static str),
    #[error("at most {0} bytes are taken here")]
    TooLarge(usize),
    #[error("the headers of a request have at most {0} bytes")]
    HeadersTooLarge(usize),
    #[error("the body must be JSON, with the content type application/json")]
    BadType,
    #[error("there is no memory left for this now; try again later")]
    NoMemory,
    #[error("{0}")]
    TooMany(&'static str),
    #[error(
        "the change could not be written to disk; it is kept in memory and written as soon as that is possible"
    )]
    NotSaved,
}

impl ApiError {
    /// Status and code, as `docs/api.md` lists them.
    fn kind(&self) -> (StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            ApiError::Service(error) => {
                let (status, code) = error.kind();
                (S::from_u16(status).unwrap_or(S::INTERNAL_SERVER_ERROR), code)
            }
            ApiError::Profile(_) => (S::SERVICE_UNAVAILABLE, "not_saved"),
            ApiError::Study(StudyTableError::Full(_)) => (S::CONFLICT, "full"),
            ApiError::Study(_) => (S::SERVICE_UNAVAILABLE, "not_saved"),
            ApiError::Openings(error) => match error {
                LibraryError::BadName(_) => (S::BAD_REQUEST, "bad_request"),
                LibraryError::Unknown { .. } => (S::NOT_FOUND, "unknown_database"),
                LibraryError::OnlySummary(_) => (S::CONFLICT, "no_games"),
                LibraryError::InUse(_) | LibraryError::NoFolder => (S::CONFLICT, "not_now"),
                LibraryError::Folder { .. } | LibraryError::Database { .. } => {
                    (S::SERVICE_UNAVAILABLE, "database_failed")
                }
            },
            ApiError::BadOrigin(_) => (S::FORBIDDEN, "bad_origin"),
            ApiError::BadHost(_) => (S::FORBIDDEN, "bad_host"),
            ApiError::BadProxy => (S::FORBIDDEN, "bad_proxy"),
            ApiError::NotInvited => (S::FORBIDDEN, "not_invited"),
            ApiError::UnknownGame => (S::NOT_FOUND, "unknown_game"),
            ApiError::NotFound => (S::NOT_FOUND, "not_found"),
            ApiError::BadMethod => (S::METHOD_NOT_ALLOWED, "bad_method"),
            ApiError::TooSlow => (S::REQUEST_TIMEOUT, "too_slow"),
            ApiError::NotNow(_) => (S::CONFLICT, "not_now"),
            ApiError::TooLarge(_) => (S::PAYLOAD_TOO_LARGE, "too_large"),
            ApiError::HeadersTooLarge(_) => (S::REQUEST_HEADER_FIELDS_TOO_LARGE, "too_large"),
            ApiError::BadType => (S::UNSUPPORTED_MEDIA_TYPE, "bad_type"),
            ApiError::NoMemory => (S::SERVICE_UNAVAILABLE, "no_memory"),
            ApiError::TooMany(_) => (S::TOO_MANY_REQUESTS, "too_many"),
            ApiError::NotSaved => (S::SERVICE_UNAVAILABLE, "not_saved"),
        }
    }

    /// The JSON that tells the client.
    pub(crate) fn body(&self) -> ErrorBody {
        ErrorBody::new(self.kind().1, self.to_string())
    }
}

/// What the service refuses, this does.
macro_rules! refused_by_service {
    ($($error:ty),*) => {$(
        impl From<$error> for ApiError {
            fn from(error: $error) -> ApiError {
                ApiError::Service(error.into())
            }
        }
    )*};
}

refused_by_service!(
    serde_json::Error,
    SizeError,
    IllegalMove<Point>,
    RequestError,
    BadPlayer,
    BadPosition,
    BadMove,
    BadFormat,
    Unreadable,
    ProfileFileError,
    LearnerError
);

impl From<ProfileError> for ApiError {
    fn from(error: ProfileError) -> ApiError {
        match error {
            // What the database says is for the log; it may name files.
            ProfileError::Database(error) => {
                tracing::error!(%error, "what learners have cannot be read or written");
                ApiError::Profile(ProfileError::NotSaved)
            }
            ProfileError::Refused(error) => ApiError::Service(error),
            ProfileError::NotSaved => ApiError::Profile(ProfileError::NotSaved),
        }
    }
}

impl From<StudyTableError> for ApiError {
    fn from(error: StudyTableError) -> ApiError {
        match error {
            StudyTableError::Service(error) => ApiError::Service(error),
            // What the database says is for the log; it may name files.
            StudyTableError::Database(error) => {
                tracing::error!(%error, "studies cannot be read or written");
                ApiError::Study(StudyTableError::NotSaved)
            }
            other => ApiError::Study(other),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, code) = self.kind();
        tracing::debug!(status = status.as_u16(), code, message = %self, "refused");
        let mut response = (status, crate::routes::Reply(self.body())).into_response();
        if matches!(self, ApiError::TooMany(_) | ApiError::NoMemory | ApiError::NotSaved) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
