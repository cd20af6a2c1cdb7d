//! Studies: games with variations, comments and what is drawn on the board, under one title. Whoever has the secret of a
//! study may change it; whoever knows its name may read it. Changes name the version that they were made from, so that
//! nobody overwrites what somebody else has written meanwhile.

use std::path::Path;

use emilia_record::{Fault, Game, Hint, Study, json as own_format, read};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use thiserror::Error;

use crate::error::ServiceError;
use crate::export::ExportedFile;
use crate::import::Problem;
use crate::request_error::Unreadable;
use crate::token::Token;
use crate::wthor::known_names;

/// Chapters of a study, moves in all of them together, letters of a title, and bytes of the whole.
pub const MOST_CHAPTERS: usize = 100;
const MOST_MOVES: usize = 20_000;
const LONGEST_TITLE: usize = 120;
pub const LARGEST_STUDY: usize = 512 << 10;
/// Studies that are asked about at once.
const MOST_CLAIMS: usize = 200;
/// Bytes of memory that a byte of a study may take while it is read: a move of four letters becomes a node of a tree.
const MEMORY_FOR_EACH_BYTE: u64 = 64;

/// Why something is not done with a study.
#[derive(Debug, Error)]
pub enum StudyError {
    #[error("a title has at most {LONGEST_TITLE} letters on one line")]
    Title,
    #[error("a study has 1 to {MOST_CHAPTERS} chapters, not {0}")]
    Chapters(usize),
    #[error("chapter {number}: {fault}")]
    Chapter { number: usize, fault: Fault },
    #[error("a study has at most {MOST_MOVES} moves in all its chapters together, not {0}")]
    Moves(usize),
    #[error("a study takes at most {LARGEST_STUDY} bytes, not {0}")]
    Bytes(usize),
    #[error("there is no game in this file{0}")]
    NoGame(String),
    #[error("there is no such study")]
    Unknown,
    #[error("only who has the secret of a study may change it")]
    NotYours,
    #[error("the study has been changed meanwhile: it is at version {0}")]
    Changed(u64),
    #[error("a study that was kept is damaged: {0}")]
    Damaged(serde_json::Error),
}

impl StudyError {
    /// Status as HTTP has them, and code, as `docs/api.md` lists them.
    #[must_use]
    pub fn kind(&self) -> (u16, &'static str) {
        match self {
            StudyError::Title | StudyError::Chapters(_) | StudyError::Chapter { .. } => (400, "bad_study"),
            StudyError::Moves(_) | StudyError::Bytes(_) => (413, "too_large"),
            StudyError::NoGame(_) => (400, "unreadable"),
            StudyError::Unknown => (404, "unknown_study"),
            StudyError::NotYours => (403, "not_your_study"),
            StudyError::Changed(_) => (409, "changed"),
            StudyError::Damaged(_) => (400, "damaged"),
        }
    }
}

/// Bytes of memory that reading a study of so many may take.
#[must_use]
pub fn memory(length: usize) -> u64 {
    length as u64 * MEMORY_FOR_EACH_BYTE
}

/// A study as it is sent: its title, and each chapter as a game in Emilia's own format.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyRequest {
    #[serde(default)]
    title: String,
    #[cfg_attr(feature = "schema", schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>"))]
    chapters: Vec<Box<RawValue>>,
}

/// A changed study, and the version that it was changed from.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyChange {
    version: u64,
    #[serde(default)]
    title: String,
    #[cfg_attr(feature = "schema", schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>"))]
    chapters: Vec<Box<RawValue>>,
}

impl StudyChange {
    /// The version that was changed, and what came of it.
    pub fn read(self) -> Result<(u64, StudyText), ServiceError> {
        let StudyChange { version, title, chapters } = self;
        Ok((version, StudyRequest { title, chapters }.read()?))
    }
}

/// A study that was read and is within all limits.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyText {
    title: String,
    /// Games in Emilia's own format; the tag `GN` is the title of the chapter.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>"))]
    chapters: Vec<Box<RawValue>>,
}

impl StudyRequest {
    /// Reads every chapter.
    pub fn read(self) -> Result<StudyText, ServiceError> {
        StudyText::of(self.study()?)
    }

    /// The study as one file.
    pub fn file(self) -> Result<ExportedFile, ServiceError> {
        let mut study = self.study()?;
        study.tidy();
        Ok(file(&study))
    }

    fn study(self) -> Result<Study, StudyError> {
        let chapter = |(number, text): (usize, Box<RawValue>)| {
            own_format::parse(text.get()).map_err(|fault| StudyError::Chapter { number, fault })
        };
        if self.chapters.len() > MOST_CHAPTERS {
            return Err(StudyError::Chapters(self.chapters.len()));
        }
        let chapters = (1..).zip(self.chapters).map(chapter).collect::<Result<_, _>>()?;
        Ok(Study { title: self.title.trim().to_owned(), chapters })
    }
}

impl StudyText {
    fn of(mut study: Study) -> Result<StudyText, ServiceError> {
        let titles = study.chapters.iter().filter_map(|game| game.tags.value(Study::CHAPTER));
        if !titles.chain([study.title.as_str()]).all(is_title) {
            return Err(StudyError::Title.into());
        }
        if !(1..=MOST_CHAPTERS).contains(&study.chapters.len()) {
            return Err(StudyError::Chapters(study.chapters.len()).into());
        }
        let moves = study.chapters.iter().map(Game::move_count).sum();
        if moves > MOST_MOVES {
            return Err(StudyError::Moves(moves).into());
        }
        study.tidy();
        let text = StudyText { title: study.title, chapters: study.chapters.iter().map(written).collect() };
        let bytes = text.bytes();
        if bytes > LARGEST_STUDY {
            return Err(StudyError::Bytes(bytes).into());
        }
        Ok(text)
    }

    /// Reads what [`crate::answers::to_json`] has written of one.
    pub fn kept(text: &str) -> Result<StudyText, ServiceError> {
        Ok(serde_json::from_str(text).map_err(StudyError::Damaged)?)
    }

    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    #[must_use]
    pub fn chapters(&self) -> usize {
        self.chapters.len()
    }

    fn bytes(&self) -> usize {
        self.chapters.iter().map(|chapter| chapter.get().len()).sum::<usize>() + self.title.len()
    }

    /// The study as one file.
    pub fn file(self) -> Result<ExportedFile, ServiceError> {
        StudyRequest { title: self.title, chapters: self.chapters }.file()
    }
}

fn is_title(title: &str) -> bool {
    title.chars().count() <= LONGEST_TITLE && !title.chars().any(char::is_control)
}

fn written(game: &Game) -> Box<RawValue> {
    RawValue::from_string(own_format::write(game)).expect("our own format is JSON")
}

fn file(study: &Study) -> ExportedFile {
    ExportedFile {
        media: "text/plain; charset=utf-8",
        name: "study.sgf".to_owned(),
        bytes: study.to_sgf().into_bytes(),
    }
}

/// A study as it is kept, by a server or by a browser.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptStudy {
    pub id: Token,
    pub token: Token,
    pub version: u64,
    /// When it was last changed, in milliseconds since 1970.
    pub changed: u64,
    pub study: StudyText,
}

impl KeptStudy {
    /// A new one.
    #[must_use]
    pub fn new(id: Token, token: Token, study: StudyText, now: u64) -> KeptStudy {
        KeptStudy { id, token, version: 1, changed: now, study }
    }

    /// Reads one that was kept as a whole.
    pub fn restore(text: &str) -> Result<KeptStudy, ServiceError> {
        Ok(serde_json::from_str(text).map_err(StudyError::Damaged)?)
    }

    /// Whether this is its secret.
    #[must_use]
    pub fn is_owned(&self, token: Option<Token>) -> bool {
        token.is_some_and(|token| token.same(self.token))
    }

    /// Refuses those who do not have its secret.
    pub fn check_owner(&self, token: Option<Token>) -> Result<(), StudyError> {
        if self.is_owned(token) { Ok(()) } else { Err(StudyError::NotYours) }
    }

    /// Puts another text in its place, if nobody else has done so since that version.
    pub fn change(
        &mut self,
        token: Option<Token>,
        version: u64,
        study: StudyText,
        now: u64,
    ) -> Result<(), StudyError> {
        self.check_owner(token)?;
        if version != self.version {
            return Err(StudyError::Changed(self.version));
        }
        (self.version, self.changed, self.study) = (version + 1, now, study);
        Ok(())
    }

    /// What is told of it, with its secret if it is new.
    #[must_use]
    pub fn answer(&self, token: Option<Token>, is_new: bool) -> StudyAnswer<'_> {
        StudyAnswer {
            id: self.id.to_string(),
            version: self.version,
            changed: self.changed,
            yours: self.is_owned(token),
            token: is_new.then(|| self.token.to_string()),
            study: &self.study,
        }
    }

    /// What a list says of it.
    #[must_use]
    pub fn listed(&self) -> ListedStudy {
        ListedStudy {
            id: self.id.to_string(),
            title: self.study.title.clone(),
            chapters: self.study.chapters(),
            version: self.version,
            changed: self.changed,
        }
    }
}

/// A study as who asks sees it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Study"))]
pub struct StudyAnswer<'s> {
    id: String,
    version: u64,
    changed: u64,
    /// Whether the token that was shown is its secret.
    yours: bool,
    /// Its secret, when it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    study: &'s StudyText,
}

/// A study that was changed.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChangedStudy {
    pub version: u64,
    pub changed: u64,
}

/// A study that is no more.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeletedStudy {
    pub deleted: bool,
}

/// Studies whose secrets one has.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MyStudiesRequest {
    /// At most 200; those beyond are not looked at.
    pub studies: Vec<StudyClaim>,
}

/// A study and its secret.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyClaim {
    pub id: String,
    pub token: String,
}

/// One's own studies, the latest first, and those that there are no more.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MyStudies {
    studies: Vec<ListedStudy>,
    gone: Vec<String>,
}

/// A study in a list.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListedStudy {
    pub id: String,
    pub title: String,
    pub chapters: usize,
    pub version: u64,
    pub changed: u64,
}

impl MyStudies {
    /// Those of the claims for which there is a study with that secret.
    pub fn of<E>(
        request: MyStudiesRequest,
        find: impl Fn(&StudyClaim) -> Result<Option<ListedStudy>, E>,
    ) -> Result<MyStudies, E> {
        let mut mine = MyStudies::default();
        for claim in request.studies.into_iter().take(MOST_CLAIMS) {
            match find(&claim)? {
                Some(study) => mine.studies.push(study),
                None => mine.gone.push(claim.id),
            }
        }
        mine.studies.sort_by_key(|study| std::cmp::Reverse(study.changed));
        Ok(mine)
    }
}

/// What a file is called.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudySource {
    name: Option<String>,
}

/// The games of a file as the chapters of a study.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StudyFile {
    format: &'static str,
    /// Games for which there is no room in a study.
    left_out: usize,
    problems: Vec<Problem>,
    study: StudyText,
}

impl StudyFile {
    /// Reads a file in any format. A file that does not say what it is about is called as it is named.
    pub fn read(bytes: &[u8], source: &StudySource) -> Result<StudyFile, ServiceError> {
        let name = source.name.as_deref();
        let reading = read(bytes, &Hint { file_name: name }).map_err(Unreadable::Read)?;
        let (format, problems) = (reading.format.name(), Problem::some(&reading.problems));
        let mut games = reading.into_games_iter(known_names());
        let mut study = Study::from_games(games.by_ref().take(MOST_CHAPTERS).collect());
        let left_out = games.count();
        if study.chapters.is_empty() {
            let first = problems.first().map(|problem| format!(": {}", problem.message));
            return Err(StudyError::NoGame(first.unwrap_or_default()).into());
        }
        if study.title.is_empty() {
            let stem = name.and_then(|name| Path::new(name).file_stem()).unwrap_or_default();
            study.title = stem.to_string_lossy().into_owned();
        }
        study.title = line(&study.title);
        for game in &mut study.chapters {
            if let Some(title) = game.tags.value(Study::CHAPTER).map(line) {
                game.tags.set(Study::CHAPTER, &title);
            }
        }
        Ok(StudyFile { format, left_out, problems, study: StudyText::of(study)? })
    }
}

/// As much of a text as makes a title.
fn line(text: &str) -> String {
    let words: Vec<&str> = text.split(|sign: char| sign.is_whitespace() || sign.is_control()).collect();
    words.join(" ").trim().chars().take(LONGEST_TITLE).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::answers::to_json;

    fn request(value: Value) -> StudyRequest {
        serde_json::from_value(value).unwrap()
    }

    fn two_chapters() -> Value {
        json!({"title": "Edges", "chapters": [
            {"format": "emilia-game", "version": 1, "size": 8, "tags": [["GN", "First"]], "note": {"comment": " why "},
             "moves": ["f5", {"move": "d6", "note": {"comment": "good", "markings": ["AR f5 d6", "TR c3"]}}, {"move": "f6", "after": 1}]},
            {"format": "emilia-game", "version": 1, "size": 4, "start": "-----OX--XO----- O", "moves": []},
        ]})
    }

    #[test]
    fn a_study_is_the_same_after_it_was_a_file() {
        let text = request(two_chapters()).read().unwrap();
        let file = text.clone().file().unwrap();
        let again =
            StudyFile::read(&file.bytes, &StudySource { name: Some("study.sgf".to_owned()) }).unwrap();
        assert_eq!(to_json(&again.study), to_json(&text));
        assert_eq!((again.format, again.left_out, again.study.chapters()), ("sgf", 0, 2));
        assert_eq!(again.study.title(), "Edges");
    }

    #[test]
    fn every_format_is_read_and_named_after_its_file() {
        let source = StudySource { name: Some("club evening.txt".to_owned()) };
        let games = "f5d6c3\nf5f6e6\n".repeat(60);
        let file = StudyFile::read(games.as_bytes(), &source).unwrap();
        assert_eq!((file.study.title(), file.study.chapters(), file.left_out), ("club evening", 100, 20));
        assert!(StudyFile::read(b"nothing at all", &source).is_err());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let game = json!({"format": "emilia-game", "version": 1, "size": 8, "moves": ["f5"]});
        let wrong = json!({"format": "emilia-game", "version": 1, "size": 8, "moves": ["a1"]});
        let text = json!({"format": "emilia-game", "version": 1, "size": 8, "note": {"comment": "x".repeat(600_000)}});
        for (study, told, code) in [
            (json!({"chapters": [game, wrong]}), "chapter 2:", "bad_study"),
            (json!({"chapters": []}), "1 to 100 chapters, not 0", "bad_study"),
            (json!({"chapters": vec![game.clone(); 101]}), "not 101", "bad_study"),
            (json!({"title": "x".repeat(121), "chapters": [game]}), "at most 120 letters", "bad_study"),
            (json!({"title": "a\nb", "chapters": [game]}), "on one line", "bad_study"),
            (json!({"chapters": [text]}), "at most 524288 bytes", "too_large"),
        ] {
            let error = request(study).read().unwrap_err();
            assert!(error.to_string().contains(told), "{error}");
            assert_eq!(error.kind().1, code);
        }
    }

    #[test]
    fn only_the_owner_changes_a_study_and_only_what_he_has_seen() {
        let [id, secret, other] = [1, 2, 3].map(|byte| Token::new([byte; 16]));
        let text = request(two_chapters()).read().unwrap();
        let mut kept = KeptStudy::new(id, secret, text.clone(), 5);
        assert!(matches!(kept.change(Some(other), 1, text.clone(), 6), Err(StudyError::NotYours)));
        assert!(matches!(kept.change(None, 1, text.clone(), 6), Err(StudyError::NotYours)));
        kept.change(Some(secret), 1, text.clone(), 7).unwrap();
        assert!(matches!(kept.change(Some(secret), 1, text, 8), Err(StudyError::Changed(2))));
        assert_eq!((kept.version, kept.changed), (2, 7));
        let again = KeptStudy::restore(&to_json(&kept)).unwrap();
        assert_eq!(to_json(&again), to_json(&kept));
        assert!(!to_json(&kept.answer(None, false)).contains(&secret.to_string()));
        assert!(KeptStudy::restore("{}").is_err());
    }
}
