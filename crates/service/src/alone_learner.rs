//! What somebody alone learns. The profile is kept by whoever calls, who gives it with each request and gets it back changed.

use std::cmp::Reverse;

use emilia_puzzle::Factory;
use emilia_query::Stop;
use emilia_rules::{GridPosition, Point};
use emilia_trainer::ProfileFile;
use serde::{Deserialize, Serialize};

use crate::alone::{Answer, Request};
use crate::computer::Computer;
use crate::error::ServiceError;
use crate::export::ExportedFile;
use crate::game::Nothing;
use crate::learner::{
    AddedCards, Answered, Cards, Deleted, FILE_NAME, Findings, History, ImportedAnswer, LearnerError,
    LearnerInMemory, LinesRequest, Missing, NewCards, NewProfile, NewProfileAnswer, OpeningStep, Openings,
    ProfileAnswer, ProfileList, PuzzleAnswer, PuzzleAnswerRequest, PuzzleLearner, PuzzleRequest, Puzzles,
    RemovedCards, RunAnswer, TrainRequest, Valued, export,
};
use crate::openings::shipped_summary;
use crate::request_error::RequestError;
use crate::review::Judge;
use crate::slot::Alone as NobodyElse;

/// Answers what is about learning.
pub(crate) fn answer(
    request: &Request,
    path: &str,
    query: &str,
    stop: &Stop,
) -> Result<Answer, ServiceError> {
    let now = request.now;
    match (path, request.post) {
        ("/api/profiles", false) => Ok(Answer::json(&listed(request))),
        ("/api/profiles", true) => create(request),
        ("/api/profile", false) => reading(request, |learner| ProfileAnswer::of(learner, now)),
        ("/api/profile", true) => {
            let name = request.read::<NewProfile>()?.name()?;
            changing(request, |learner| ProfileAnswer::renamed(learner, &name, now))
        }
        ("/api/profile/delete", true) => {
            let Nothing {} = request.read()?;
            changing(request, Deleted::all)
        }
        ("/api/profile/cards", false) => {
            let filter = asked(query)?;
            reading(request, |learner| Cards::of(learner, &filter, now))
        }
        ("/api/profile/cards", true) => {
            let cards = request.read::<NewCards>()?.read(now)?;
            changing(request, |learner| AddedCards::of(learner, cards, now))
        }
        ("/api/profile/cards/remove", true) => {
            let unwanted = request.read()?;
            changing(request, |learner| RemovedCards::of(learner, &unwanted))
        }
        ("/api/profile/answers", false) => {
            let filter = asked(query)?;
            reading(request, |learner| History::of(learner, &filter))
        }
        ("/api/profile/answers", true) => {
            let given = request.read()?;
            changing(request, |learner| Answered::of(learner, &given, now))
        }
        ("/api/profile/export", false) => {
            let bytes = export(&opened(request)?)?.write().into_bytes();
            Ok(Answer::file(ExportedFile { name: FILE_NAME.to_owned(), media: "application/json", bytes }))
        }
        ("/api/profile/import", true) => {
            let file = ProfileFile::read(&request.bytes())?;
            changing(request, |learner| ImportedAnswer::of(learner, file, now))
        }
        ("/api/train/runs", true) => {
            let run = request.read()?;
            changing(request, |learner| RunAnswer::of(learner, &run, now))
        }
        ("/api/train/puzzles", false) => Ok(Answer::json(&Puzzles::shipped())),
        ("/api/train/puzzle", true) => {
            let learner = match request.token {
                Some(_) => PuzzleLearner::of(&opened(request)?, now)?,
                None => PuzzleLearner::stranger(now),
            };
            Ok(Answer::json(&request.read::<PuzzleRequest>()?.question(learner, now)?))
        }
        ("/api/train/puzzle/answer", true) => solve(request, stop),
        ("/api/train/openings", false) => Ok(Answer::json(&Openings::all())),
        ("/api/train/opening", true) => walk(request, stop),
        ("/api/train/lines", true) => Ok(Answer::json(&request.read::<LinesRequest>()?.read()?.answer()?)),
        _ => Err(ServiceError::NotHere),
    }
}

/// What follows the question mark.
fn asked<T: for<'d> Deserialize<'d>>(query: &str) -> Result<T, ServiceError> {
    Ok(serde_urlencoded::from_str(query).map_err(RequestError::Query)?)
}

/// The profile that is meant, for who has its secret.
fn opened(request: &Request) -> Result<LearnerInMemory, ServiceError> {
    let kept = request.learner.as_deref().ok_or(LearnerError::UnknownProfile)?;
    let learner = LearnerInMemory::read(kept)?;
    match request.token()? {
        Some(token) if token.same(learner.token()) => Ok(learner),
        _ => Err(LearnerError::UnknownProfile.into()),
    }
}

/// Looks something up in a profile.
fn reading<T: Serialize>(
    request: &Request,
    work: impl FnOnce(&LearnerInMemory) -> Result<T, ServiceError>,
) -> Result<Answer, ServiceError> {
    Ok(Answer::json(&work(&opened(request)?)?))
}

/// Does something with a profile, which is to be kept from then on.
fn changing<T: Serialize>(
    request: &Request,
    work: impl FnOnce(&mut LearnerInMemory) -> Result<T, ServiceError>,
) -> Result<Answer, ServiceError> {
    let mut learner = opened(request)?;
    let answer = work(&mut learner)?;
    Ok(Answer { learner: Some(learner.write()), ..Answer::json(&answer) })
}

/// The profiles that were kept, those used last in front; those that cannot be read are left out.
fn listed(request: &Request) -> ProfileList {
    let read = |kept: &String| Some(LearnerInMemory::read(kept).ok()?.listed(request.now));
    let mut profiles: Vec<_> = request.learners.iter().filter_map(read).collect();
    profiles.sort_by_key(|profile| Reverse(profile.seen));
    ProfileList { profiles }
}

/// A new profile.
fn create(request: &Request) -> Result<Answer, ServiceError> {
    let name = request.read::<NewProfile>()?.name()?;
    let (token, ..) = request.chance();
    let learner = LearnerInMemory::new(token, &name, request.now);
    let profile = ProfileAnswer::of(&learner, request.now)?;
    let answer = Answer::json(&NewProfileAnswer { token: token.to_string(), profile });
    Ok(Answer { status: 201, learner: Some(learner.write()), ..answer })
}

/// Judges an answer to a puzzle.
fn solve(request: &Request, stop: &Stop) -> Result<Answer, ServiceError> {
    let asked = request.read::<PuzzleAnswerRequest>()?.read()?;
    let factory = Factory::sized(PuzzleAnswer::MEGABYTES).map_err(|_| ServiceError::NoMemory)?;
    let judged = asked.judge(&factory, stop)?;
    if request.token.is_none() || !judged.is_decided() {
        return Ok(Answer::json(&judged.answer()));
    }
    changing(request, |learner| judged.noted(learner, request.now))
}

/// A step of the opening trainer.
fn walk(request: &Request, stop: &Stop) -> Result<Answer, ServiceError> {
    let step = request.read::<TrainRequest>()?.read()?;
    let mut found = Findings::default();
    let walk = loop {
        match step.walk(&found) {
            Ok(walk) => break walk,
            Err(Missing::People { position }) => found.people(*position, people(&position)),
            Err(Missing::Values { position, .. }) => {
                let candidate = OpeningStep::judge()?;
                let computer = Computer::new(&candidate, 0);
                let mut judge = Judge::new(candidate, computer);
                let values = OpeningStep::search(*position, &mut judge, stop, &NobodyElse);
                found.value(*position, Some(values));
            }
        }
    };
    if request.token.is_none() || !walk.is_to_be_noted() {
        return Ok(Answer::json(&walk.told()));
    }
    changing(request, |learner| walk.noted(learner, request.now))
}

/// How often people played each move in tournaments.
fn people(position: &GridPosition) -> Valued {
    let explored = shipped_summary().map(|summary| summary.explore(position));
    let moves = explored.into_iter().flat_map(|explored| explored.moves);
    moves.filter_map(|known| Some((Point::from(known.mv.square()?), known.tally.games as f64))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::alone::Desk;
    use crate::lines::Heard;

    /// Somebody with a browser that keeps one profile.
    #[derive(Default)]
    struct Browser {
        desk: Desk,
        token: Option<String>,
        kept: Option<String>,
        now: u64,
    }

    impl Browser {
        fn asks(&mut self, path: &str, body: Option<&str>) -> (u16, Value) {
            self.now += 1000;
            let request = Request {
                path: path.to_owned(),
                post: body.is_some(),
                body: body.unwrap_or_default().to_owned(),
                now: self.now,
                token: self.token.clone(),
                learner: self.kept.clone(),
                chance: "0b".repeat(36),
                ..Request::default()
            };
            let answer = self.desk.answer(&request, &Heard::default(), &Stop::default());
            self.kept = answer.learner.or(self.kept.take());
            (answer.status, serde_json::from_str(&answer.body).unwrap())
        }

        fn get(&mut self, path: &str) -> Value {
            let (status, answer) = self.asks(path, None);
            assert_eq!(status, 200, "{path}: {answer}");
            answer
        }

        fn post(&mut self, path: &str, body: &Value) -> Value {
            let (status, answer) = self.asks(path, Some(&body.to_string()));
            assert!(status < 300, "{path}: {answer}");
            answer
        }

        fn refused(&mut self, path: &str, body: &Value) -> String {
            let (_, answer) = self.asks(path, Some(&body.to_string()));
            answer["error"]["code"].as_str().unwrap_or_default().to_owned()
        }

        fn with_profile() -> Browser {
            let mut browser = Browser { now: 20_000 * 86_400_000, ..Browser::default() };
            let made = browser.post("/api/profiles", &json!({"name": " Ann "}));
            assert_eq!(made["profile"]["name"], "Ann");
            browser.token = made["token"].as_str().map(str::to_owned);
            browser
        }
    }

    #[test]
    fn cards_are_added_answered_and_come_back() {
        let mut ann = Browser::with_profile();
        let cards = json!([{"moves": "f5d6c3d3", "answers": ["c4"]}, {"moves": "f5d6", "answers": ["c3"]}]);
        let added = ann.post("/api/profile/cards", &json!({"kind": "opening", "cards": cards}));
        assert_eq!((&added["added"], added["cards"].as_array().map(Vec::len)), (&json!(2), Some(2)));
        let (first, second) = (added["cards"][0]["id"].clone(), added["cards"][1]["id"].clone());
        let right = ann.post("/api/profile/answers", &json!({"card": first, "move": "c4"}));
        assert_eq!(right["right"], true);
        let wrong = ann.post("/api/profile/answers", &json!({"card": second, "move": "c5"}));
        assert_eq!(wrong["right"], false);
        let due = ann.get("/api/profile/cards?due=true&kind=opening");
        assert_eq!(due["cards"], json!([]), "both come back later");
        let history = ann.get("/api/profile/answers");
        assert_eq!(
            (&history["answers"][0]["card"], &history["answers"][0]["grade"]),
            (&second, &json!("again"))
        );
        assert_eq!(ann.refused("/api/profile/answers", &json!({"card": 77, "move": "c4"})), "unknown_card");
        assert_eq!(ann.refused("/api/profile/answers", &json!({"card": first})), "bad_request");
        assert_eq!(ann.post("/api/profile/cards/remove", &json!({"cards": [first, 99]}))["removed"], 1);
        assert_eq!(ann.get("/api/profile")["decks"][0]["cards"], 1);
    }

    #[test]
    fn a_profile_goes_out_and_in_as_one_file_and_only_with_its_secret() {
        let mut ann = Browser::with_profile();
        let cards = json!([{"moves": "f5d6c3d3", "answers": ["c4"]}]);
        ann.post("/api/profile/cards", &json!({"kind": "mistake", "cards": cards}));
        let file = ann.get("/api/profile/export");
        assert_eq!((&file["format"], &file["name"]), (&json!("emilia-profile"), &json!("Ann")));
        let mut bob = Browser::with_profile();
        let imported = bob.post("/api/profile/import", &file);
        assert_eq!((&imported["added"], &imported["profile"]["decks"][1]["cards"]), (&json!(1), &json!(1)));
        let before = bob.kept.clone();
        assert_eq!(
            bob.refused("/api/profile/import", &json!({"format": "pgn", "version": 1})),
            "bad_profile"
        );
        assert_eq!(bob.kept, before, "nothing was changed");
        bob.token = Some("A".repeat(22));
        assert_eq!(bob.refused("/api/profile", &json!({"name": "Eve"})), "unknown_profile");
        bob.kept = Some("{}".to_owned());
        assert_eq!(bob.refused("/api/profile", &json!({"name": "Eve"})), "bad_profile");
        assert_eq!(ann.post("/api/profile/delete", &json!({}))["cards"], 1);
    }

    #[test]
    fn a_missed_puzzle_counts_once_and_becomes_a_card() {
        let mut ann = Browser::with_profile();
        let asked = ann.post("/api/train/puzzle", &json!({"theme": "last-six"}));
        let show = json!({"puzzle": asked["puzzle"], "show": true});
        let shown = ann.post("/api/train/puzzle/answer", &show);
        assert_eq!((&shown["solved"], &shown["change"]["before"]["rating"]), (&json!(false), &json!(1500.0)));
        assert!(shown["change"]["after"]["rating"].as_f64().unwrap() < 1500.0);
        assert_eq!(ann.post("/api/train/puzzle/answer", &show)["change"], Value::Null);
        let profile = ann.get("/api/profile");
        assert_eq!(
            (&profile["decks"][2]["cards"], &profile["ratings"]["puzzles"]["games"]),
            (&json!(1), &json!(1))
        );
        let run = ann.post("/api/train/runs", &json!({"kind": "clock", "solved": 4, "missed": 1}));
        assert_eq!((&run["record"], &run["best_runs"]["clock"]), (&json!(true), &json!(4)));
        let mut stranger = Browser { now: ann.now, ..Browser::default() };
        assert!(stranger.get("/api/train/puzzles")["puzzles"].as_u64().unwrap() > 3000);
        assert_eq!(stranger.post("/api/train/puzzle/answer", &show)["change"], Value::Null);
        assert_eq!(
            stranger.refused("/api/train/runs", &json!({"kind": "clock", "solved": 4, "missed": 1})),
            "unknown_profile"
        );
        assert_eq!(stranger.kept, None);
    }

    #[test]
    fn an_opening_is_walked_beyond_its_line_as_people_play_it() {
        let mut ann = Browser::with_profile();
        let step = |moves: &str, mv: &str| json!({"line": "f5d6c3d3c4", "color": "black", "moves": moves, "move": mv, "replies": "people"});
        let wrong = ann.post("/api/train/opening", &step("f5d6c3d3", "e3"));
        assert_eq!((&wrong["verdict"]["right"], &wrong["card"]["missed"]), (&json!(false), &json!(1)));
        assert!(wrong["verdict"]["loss"].as_f64().is_some(), "{wrong}");
        let right = ann.post("/api/train/opening", &step("f5d6c3d3", "c4"));
        assert_eq!(
            (&right["verdict"]["right"], right["replies"].as_array().map(Vec::len)),
            (&json!(true), Some(1))
        );
        let lines = json!({"from": "", "moves": "f5", "color": "black", "tolerance": 1});
        assert!(ann.post("/api/train/lines", &lines)["lines"].as_u64().unwrap() > 0);
        assert!(ann.get("/api/train/openings")["openings"].as_array().unwrap().len() > 100);
        assert_eq!(ann.refused("/api/train/opening", &step("f5", "f6")), "not_your_turn");
    }

    #[test]
    fn those_used_last_are_listed_first() {
        let mut ann = Browser::with_profile();
        let kept = ann.kept.clone().unwrap();
        ann.post("/api/train/runs", &json!({"kind": "clock", "solved": 4, "missed": 1}));
        let other = LearnerInMemory::new(crate::token::Token::new([1; 16]), "Bob", ann.now + 1).write();
        let learners = vec![kept, "damaged".to_owned(), other];
        let request = Request { path: "/api/profiles".to_owned(), learners, ..Request::default() };
        let answer = Desk::default().answer(&request, &Heard::default(), &Stop::default());
        let listed: Value = serde_json::from_str(&answer.body).unwrap();
        let names: Vec<&Value> =
            listed["profiles"].as_array().unwrap().iter().map(|profile| &profile["name"]).collect();
        assert_eq!(names, ["Bob", "Ann"]);
    }
}
