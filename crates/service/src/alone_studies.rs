//! Studies for one person alone: kept by whoever calls, as games are.

use crate::alone::{Answer, Request};
use crate::answers::to_json;
use crate::error::ServiceError;
use crate::game::Nothing;
use crate::request_error::RequestError;
use crate::study::{
    ChangedStudy, DeletedStudy, KeptStudy, MyStudies, MyStudiesRequest, StudyChange, StudyClaim, StudyError,
    StudyFile, StudyRequest,
};
use crate::token::Token;

/// Answers what is asked below `/api/studies`.
pub(crate) fn answer(request: &Request, path: &str, query: &str) -> Result<Answer, ServiceError> {
    match (path, request.post) {
        ("", true) => create(request),
        ("/read", true) => {
            let source = serde_urlencoded::from_str(query).map_err(RequestError::Query)?;
            Ok(Answer::json(&StudyFile::read(&request.bytes(), &source)?))
        }
        ("/file", true) => Ok(Answer::file(request.read::<StudyRequest>()?.file()?)),
        _ => one(request, path.strip_prefix('/').ok_or(ServiceError::NotHere)?),
    }
}

fn create(request: &Request) -> Result<Answer, ServiceError> {
    let study = request.read::<StudyRequest>()?.read()?;
    let (id, secret, _) = request.chance();
    let kept = KeptStudy::new(id, secret, study, request.now);
    let told = Answer::json(&kept.answer(Some(secret), true));
    Ok(Answer { status: 201, game: Some(to_json(&kept)), ..told })
}

/// Does something with the study that is kept.
fn one(request: &Request, path: &str) -> Result<Answer, ServiceError> {
    let (id, action) = path.split_once('/').unwrap_or((path, ""));
    let mut kept = KeptStudy::restore(request.game.as_deref().ok_or(StudyError::Unknown)?)?;
    if kept.id.to_string() != id {
        return Err(StudyError::Unknown.into());
    }
    let token = request.token()?;
    match (action, request.post) {
        ("", false) => Ok(Answer::json(&kept.answer(token, false))),
        ("", true) => {
            let (version, study) = request.read::<StudyChange>()?.read()?;
            kept.change(token, version, study, request.now)?;
            let told = Answer::json(&ChangedStudy { version: kept.version, changed: kept.changed });
            Ok(Answer { game: Some(to_json(&kept)), ..told })
        }
        ("delete", true) => {
            let Nothing {} = request.read()?;
            kept.check_owner(token)?;
            Ok(Answer::json(&DeletedStudy { deleted: true }))
        }
        ("export", false) => Ok(Answer::file(kept.study.file()?)),
        _ => Err(ServiceError::NotHere),
    }
}

/// Those of the studies that are kept whose secrets are shown.
pub(crate) fn mine(request: &Request) -> Result<Answer, ServiceError> {
    let wanted: MyStudiesRequest = request.read()?;
    let kept: Vec<KeptStudy> =
        request.games.iter().filter_map(|study| KeptStudy::restore(study).ok()).collect();
    let find = |claim: &StudyClaim| {
        let token: Option<Token> = claim.token.parse().ok();
        let study = kept.iter().find(|study| study.id.to_string() == claim.id && study.is_owned(token));
        Ok::<_, ServiceError>(study.map(KeptStudy::listed))
    };
    Ok(Answer::json(&MyStudies::of(wanted, find)?))
}

#[cfg(test)]
mod tests {
    use emilia_query::Stop;
    use serde_json::{Value, json};

    use super::*;
    use crate::alone::Desk;
    use crate::lines::Heard;

    /// Asks, and gives what is to be kept from now on.
    fn ask(
        path: &str,
        body: Option<Value>,
        kept: &Option<String>,
        token: &str,
    ) -> (u16, String, Option<String>) {
        let request = Request {
            path: format!("/api/{path}"),
            post: body.is_some(),
            body: body.map(|body| body.to_string()).unwrap_or_default(),
            game: kept.clone(),
            games: kept.iter().cloned().collect(),
            token: (!token.is_empty()).then(|| token.to_owned()),
            chance: "07".repeat(36),
            ..Request::default()
        };
        let Answer { status, body, game, .. } =
            Desk::default().answer(&request, &Heard::default(), &Stop::default());
        (status, body, game)
    }

    #[test]
    fn a_study_is_made_changed_listed_written_and_deleted() {
        let chapter = json!({"format": "emilia-game", "version": 1, "size": 8, "moves": ["f5"]});
        let (status, made, kept) =
            ask("studies", Some(json!({"title": "One", "chapters": [chapter]})), &None, "");
        let made: Value = serde_json::from_str(&made).unwrap();
        let (id, token) = (made["id"].as_str().unwrap(), made["token"].as_str().unwrap());
        assert_eq!((status, made["version"].as_u64()), (201, Some(1)));
        let change =
            |version| Some(json!({"version": version, "title": "Two", "chapters": [chapter, chapter]}));
        let path = format!("studies/{id}");
        let (status, told, newer) = ask(&path, change(1), &kept, token);
        assert_eq!(status, 200, "{told}");
        let (status, told, _) = ask(&path, change(1), &newer, token);
        assert!(status == 409 && told.contains("\"changed\""), "{told}");
        assert_eq!(ask(&path, change(2), &newer, "").0, 403);
        assert!(ask(&path, None, &newer, "").1.contains("\"yours\":false"));
        let claims = json!({"studies": [{"id": id, "token": token}, {"id": "x", "token": ""}]});
        let (_, mine, _) = ask("my/studies", Some(claims), &newer, "");
        assert!(
            mine.contains("\"title\":\"Two\",\"chapters\":2") && mine.contains("\"gone\":[\"x\"]"),
            "{mine}"
        );
        let (_, file, _) = ask(&format!("{path}/export"), None, &newer, "");
        assert!(file.starts_with("(;FF[4]GM[2]CA[UTF-8]SZ[8]SN[Two]"), "{file}");
        let (_, read, _) = ask("studies/read?name=x.sgf", Some(Value::Null), &newer, "");
        assert!(read.contains("unreadable"), "{read}");
        assert_eq!(ask(&format!("{path}/delete"), Some(json!({})), &newer, "").0, 403);
        assert_eq!(ask(&format!("{path}/delete"), Some(json!({})), &newer, token).0, 200);
        assert!(ask(&path, None, &None, token).1.contains("unknown_study"));
    }
}
