//! A picture of somebody's play: which games there are, what each move lost, and all of it summed up.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use emilia_arena::in_order;
use emilia_engine::Candidate;
use emilia_insight::{Chosen, GameJudge, Gathering, JudgedGame, LeftOut, Portrait, name_of};
use emilia_query::Stop;
use emilia_record::{Game, Hint, Opening, read, tag, transcript};
use emilia_rules::Color;
use serde::{Deserialize, Serialize};

use crate::answers::OpeningAnswer;
use crate::catalogue;
use crate::error::ServiceError;
use crate::game::{GameState, GameStatus};
use crate::import::Problem;
use crate::lines::Lines;
use crate::names::ColorName;
use crate::request_error::{RequestError, Unreadable};

/// Most bytes of a file of games, and of a request with games: ten thousand games are two million.
pub const LARGEST: usize = 4 << 20;
/// Games of a request, at most.
const MOST_GAMES: usize = 20_000;
/// Letters of a name or a date.
const LONGEST: usize = 200;
/// How strong Emilia judges, unless somebody says otherwise, and at most.
const USUAL_LEVEL: u8 = 10;
const MOST_LEVEL: u8 = 20;

/// A game as it is told: who played, when, and the moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToldGame {
    /// Empty if the game does not say.
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
    #[serde(default)]
    date: Option<String>,
    /// The squares one after the other; a board and a semicolon before them if the game did not begin as usual.
    moves: String,
}

/// What a file is called.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedFile {
    pub name: Option<String>,
}

/// What a file has for a picture of somebody's play.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GamesFound {
    format: &'static str,
    games: Vec<ToldGame>,
    left_out: LeftOut,
    problems: Vec<Problem>,
}

impl GamesFound {
    /// Reads games in any format.
    pub fn read(bytes: &[u8], name: Option<&str>) -> Result<GamesFound, ServiceError> {
        let reading = read(bytes, &Hint { file_name: name }).map_err(Unreadable::Read)?;
        let (format, problems) = (reading.format.name(), Problem::some(&reading.problems));
        let mut gathering = Gathering::default();
        reading.into_games_iter(&Default::default()).for_each(|game| gathering.add(game));
        let games = gathering.games().iter().map(ToldGame::new).collect();
        Ok(GamesFound { format, games, left_out: gathering.left_out(), problems })
    }
}

impl ToldGame {
    fn new(game: &Game) -> ToldGame {
        let name = |side| name_of(game, side).unwrap_or_default().chars().take(LONGEST).collect();
        ToldGame {
            black: name(Color::Black),
            white: name(Color::White),
            date: game.tags.value(tag::DATE).map(|date| date.chars().take(LONGEST).collect()),
            moves: transcript::write(game),
        }
    }

    fn game(&self) -> Result<Game, ServiceError> {
        let texts = [(tag::BLACK, &self.black), (tag::WHITE, &self.white)];
        let texts = texts.into_iter().chain(self.date.as_ref().map(|date| (tag::DATE, date)));
        let mut game = transcript::parse(&self.moves).map_err(Unreadable::Game)?;
        for (name, text) in texts {
            if text.chars().count() > LONGEST || text.chars().any(char::is_control) {
                return Err(RequestError::Tags { most: 3, longest: LONGEST }.into());
            }
            game.tags.set(name, text);
        }
        Ok(game)
    }
}

/// A game that was played here.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayedGame {
    #[serde(flatten)]
    game: ToldGame,
    /// When it began, in milliseconds since 1970.
    created: u64,
    /// The sides that were people.
    people: Vec<ColorName>,
}

/// The games that were played here and are over.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayedGames {
    games: Vec<PlayedGame>,
}

impl PlayedGames {
    /// Those of these games that are over and that somebody can have learned from, the latest first.
    pub fn of(games: impl Iterator<Item = GameState>) -> PlayedGames {
        let mut played: Vec<PlayedGame> = games.filter_map(|state| PlayedGame::of(&state)).collect();
        played.sort_by_key(|game| std::cmp::Reverse(game.created));
        PlayedGames { games: played }
    }
}

impl PlayedGame {
    fn of(state: &GameState) -> Option<PlayedGame> {
        let is_person = |color: &Color| state.seat(*color).player().is_none();
        let people: Vec<ColorName> = Color::BOTH.into_iter().filter(is_person).map(ColorName::from).collect();
        let mut gathering = Gathering::default();
        gathering.add(state.record());
        let game = gathering.games().first().map(ToldGame::new)?;
        let told = state.status() == GameStatus::Over && !people.is_empty();
        told.then_some(PlayedGame { game, created: state.created, people })
    }
}

/// Whose play is wanted, and the games it is to be seen in.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InsightsRequest {
    /// The player, or a part of the name.
    name: String,
    /// How strong Emilia judges, 1 to 20.
    level: Option<u8>,
    games: Vec<ToldGame>,
}

/// A request that is checked.
pub struct Insights {
    candidate: Candidate,
    chosen: Chosen,
    left_out: LeftOut,
}

impl Insights {
    /// Reads and checks a request.
    pub fn read(request: InsightsRequest) -> Result<Insights, ServiceError> {
        let level = request.level.unwrap_or(USUAL_LEVEL);
        if !(1..=MOST_LEVEL).contains(&level) {
            return Err(RequestError::OutOfRange { what: "level", least: 1, most: MOST_LEVEL.into() }.into());
        }
        if request.games.len() > MOST_GAMES {
            return Err(RequestError::TooMuch { what: "games", most: MOST_GAMES as u64 }.into());
        }
        let candidate = catalogue::candidate(&format!("emilia:level={level}"))?;
        let mut gathering = Gathering::default();
        for game in &request.games {
            gathering.add(game.game()?);
        }
        let left_out = gathering.left_out();
        let chosen = gathering.of(&request.name)?;
        Ok(Insights { candidate, chosen, left_out })
    }

    /// Who judges.
    #[must_use]
    pub fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// How many games are to be judged.
    #[must_use]
    pub fn games(&self) -> usize {
        self.chosen.seats.len()
    }

    /// What tells each game, judged by this judge, from every other one.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        let key = |(game, side): &(Game, Color)| JudgedGame::key(self.candidate.name(), game, *side);
        self.chosen.seats.iter().map(key).collect()
    }

    /// Judges what is not known yet, hands each game over to be kept, and sums up. Several threads share the games.
    pub fn run(
        self,
        mut known: HashMap<String, JudgedGame>,
        mut keep: impl FnMut(&JudgedGame),
        threads: usize,
        lines: &dyn Lines,
        stop: &Stop,
    ) {
        let (keys, seats) = (self.keys(), &self.chosen.seats);
        let missing: Vec<usize> = (0..keys.len()).filter(|at| !known.contains_key(&keys[*at])).collect();
        let total = keys.len();
        let mut done = total - missing.len();
        lines.write(&InsightsEvent::Start {
            name: &self.chosen.name,
            judge: self.candidate.name(),
            games: total,
            done,
            left_out: self.left_out,
        });
        let judges = GameJudge::new(&self.candidate);
        let work = |number: u32| {
            let (game, side) = &seats[missing[number as usize]];
            judges.judge(game, *side, stop).ok().flatten()
        };
        let mut each = |judged: JudgedGame| {
            keep(&judged);
            done += 1;
            lines.write(&InsightsEvent::Game { done, games: total });
            known.insert(judged.key.clone(), judged);
            ControlFlow::Continue(())
        };
        let missing = 0..missing.len() as u32;
        if threads > 1 {
            in_order(missing, threads, stop, work, each);
        } else {
            // Where there are no threads, as in a browser.
            let _ = missing.map_while(work).try_for_each(&mut each);
        }
        let judged: Vec<JudgedGame> = keys.iter().filter_map(|key| known.get(key).cloned()).collect();
        if judged.len() == total {
            let portrait = Portrait::new(&self.chosen.name, &judged);
            let openings = opening_names(&portrait);
            lines.write(&InsightsEvent::Portrait { portrait: &portrait, openings });
        }
    }
}

/// The openings of a picture in other languages, by their English names.
fn opening_names(portrait: &Portrait) -> BTreeMap<String, OpeningAnswer> {
    let wanted = |opening: &Opening| portrait.openings.iter().any(|share| share.name == opening.english);
    let named = Opening::all().map(|(_, opening)| opening).filter(wanted);
    named.map(|opening| (opening.english.to_owned(), opening.into())).collect()
}

/// What is told, one object a line.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum InsightsEvent<'a> {
    /// How many games there are of the player, and how many of them were judged before.
    Start { name: &'a str, judge: &'a str, games: usize, done: usize, left_out: LeftOut },
    /// One more is judged.
    Game { done: usize, games: usize },
    /// A judged game, for whoever keeps it.
    Keep {
        #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
        game: &'a JudgedGame,
    },
    /// All of it.
    Portrait { portrait: &'a Portrait, openings: BTreeMap<String, OpeningAnswer> },
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::lines::Heard;

    const PGN: &str = "[Black \"Ann\"]\n[White \"Bob\"]\n[Date \"2020.05.01\"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 *\n\n\
                       [Black \"Bob\"]\n[White \"ann\"]\n\n1. f5 f6 2. e6 f4 *\n";

    fn request(name: &str) -> InsightsRequest {
        let found = GamesFound::read(PGN.as_bytes(), Some("two.pgn")).unwrap();
        let games = serde_json::to_value(&found.games).unwrap();
        serde_json::from_value(json!({"name": name, "level": 1, "games": games})).unwrap()
    }

    fn run(known: HashMap<String, JudgedGame>, threads: usize) -> (Vec<Value>, Vec<JudgedGame>) {
        let (heard, mut kept) = (Heard::default(), Vec::new());
        let insights = Insights::read(request("ann")).unwrap();
        insights.run(known, |game| kept.push(game.clone()), threads, &heard, &Stop::default());
        (heard.lines(), kept)
    }

    #[test]
    fn what_was_judged_before_is_not_judged_again_and_the_picture_is_the_same() {
        let (first, kept) = run(HashMap::new(), 1);
        assert_eq!((first[0]["games"].as_u64(), first[0]["done"].as_u64()), (Some(2), Some(0)));
        assert_eq!(kept.len(), 2);
        let portrait = &first.last().unwrap()["portrait"];
        assert_eq!((portrait["name"].as_str(), portrait["all"]["games"].as_u64()), (Some("Ann"), Some(2)));

        let known: HashMap<_, _> = kept.into_iter().take(1).map(|game| (game.key.clone(), game)).collect();
        let (again, kept) = run(known, 2);
        assert_eq!((again[0]["done"].as_u64(), kept.len()), (Some(1), 1));
        assert_eq!(again.last(), first.last());
    }

    #[test]
    fn a_request_that_was_stopped_has_no_picture() {
        let (heard, stop) = (Heard::default(), Stop::default());
        stop.request();
        Insights::read(request("ann")).unwrap().run(HashMap::new(), |_| {}, 1, &heard, &stop);
        let heard = heard.lines();
        assert!(heard.iter().all(|line| line["type"] != "portrait"), "{heard:?}");
    }

    #[test]
    fn bad_input_gets_a_sentence() {
        let refused = |value: Value| {
            let request: InsightsRequest = serde_json::from_value(value).unwrap();
            Insights::read(request).err().unwrap().to_string()
        };
        let game = json!({"black": "Ann", "white": "Bob", "moves": "f5d6"});
        for (value, sentence) in [
            (json!({"name": "Ann", "games": []}), "there is no game on 8×8 with a move"),
            (json!({"name": "Zed", "games": [game]}), "no game has a player \"Zed\"; there are Ann, Bob"),
            (json!({"name": "Ann", "level": 21, "games": [game]}), "level: 1 to 20"),
            (json!({"name": "Ann", "games": [{"moves": "f5f5"}]}), "move 2, \"f5\": f5 is occupied"),
            (json!({"name": "Ann", "games": [{"moves": "f5"}]}), "no game says who played it"),
            (json!({"name": "Ann", "games": vec![&game; MOST_GAMES + 1]}), "games: at most 20000"),
        ] {
            assert_eq!(refused(value), sentence);
        }
        assert!(GamesFound::read(b"", None).is_err());
        let small = GamesFound::read(b"(;GM[2]FF[4]SZ[6]PB[Ann]PW[Bob];B[c2])", None).unwrap();
        assert_eq!((small.games.len(), small.left_out.other_sizes), (0, 1));
    }
}
