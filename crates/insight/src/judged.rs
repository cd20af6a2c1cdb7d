use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use emilia_engine::{Candidate, Player, Review};
use emilia_query::{Fault, Query, Stop};
use emilia_record::{Game, Opening, tag};
use emilia_rules::{Color, GridPosition, Move, Playable, Point, SquareSet};
use serde::{Deserialize, Serialize};

use crate::names::{folded, name_of};
use crate::{Explanation, Kind};

/// A player's side of a game: what each of the moves lost, and why. A line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedGame {
    /// What tells it from every other one: who judged, the side, the names and the moves.
    pub key: String,
    /// The player, as the game has the name.
    pub name: String,
    /// Who played against it.
    pub opponent: String,
    /// Whether the player had Black.
    pub black: bool,
    /// When it was played, if the game says so.
    pub date: Option<String>,
    /// The opening, if it has a name.
    pub opening: Option<String>,
    /// Discs by which the player won, if the game was played to its end.
    pub margin: Option<i32>,
    /// The game as the page opens it.
    pub link: String,
    /// The moves for which there was a choice.
    pub moves: Vec<JudgedMove>,
}

/// A move of the player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedMove {
    /// Which move of the game, passes counted, from 1.
    pub ply: usize,
    /// Which disc of the game, 1 to 60.
    pub number: u32,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The best one.
    pub best: String,
    /// Discs given away.
    pub loss: f64,
    /// Why, if it is marked as bad.
    pub why: Option<Why>,
}

/// Why a move is bad.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Why {
    /// The name of its kind.
    pub kind: String,
    /// The sentence.
    pub sentence: String,
    /// What was counted, by its gap in the sentence; journals of the first version have none.
    #[serde(default)]
    pub facts: BTreeMap<String, String>,
    /// The moves that show it, the one that was played first.
    #[serde(default)]
    pub line: Vec<String>,
}

impl Why {
    fn new(explained: &Explanation) -> Why {
        let fact = |(name, value): (&str, String)| (name.to_owned(), value);
        Why {
            kind: explained.reason.kind().name().to_owned(),
            sentence: explained.sentence(),
            facts: explained.reason.facts().into_iter().map(fact).collect(),
            line: explained.shown().iter().map(ToString::to_string).collect(),
        }
    }

    /// The kind of reason; what a journal of another version calls otherwise is left to deep search.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::named(&self.kind).unwrap_or(Kind::DeepSearch)
    }
}

/// What tells a game from every other one, in whatever format it came.
pub(crate) fn game_key(game: &Game) -> String {
    let [black, white] = Color::BOTH.map(|side| name_of(game, side).map(folded).unwrap_or_default());
    let start = if game.is_usual_start() { String::new() } else { game.start().to_string() };
    format!("{black}|{white}|{start}|{}", transcript(game))
}

impl JudgedGame {
    /// What tells a side of a game, judged by somebody, from every other one.
    #[must_use]
    pub fn key(judge: &str, game: &Game, side: Color) -> String {
        let turn = if side == Color::Black { 'X' } else { 'O' };
        format!("{judge}|{turn}|{}", game_key(game))
    }

    fn told(judge: &str, game: &Game, side: Color, end: &GridPosition, moves: Vec<JudgedMove>) -> JudgedGame {
        let name = |side: Color| name_of(game, side).unwrap_or("?").to_owned();
        let counts = end.counts();
        let black = counts.black as i32 - counts.white as i32;
        let mut at_end = game.clone();
        at_end.to_end();
        JudgedGame {
            key: JudgedGame::key(judge, game, side),
            name: name(side),
            opponent: name(!side),
            black: side == Color::Black,
            date: game.tags.value(tag::DATE).map(str::to_owned),
            opening: Opening::of(&at_end)
                .map(|opening| opening.english)
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
            margin: end.is_over().then_some(if side == Color::Black { black } else { -black }),
            link: link(game),
            moves,
        }
    }

    /// Who played whom, and when.
    #[must_use]
    pub fn title(&self) -> String {
        let (black, white) =
            if self.black { (&self.name, &self.opponent) } else { (&self.opponent, &self.name) };
        let date = self.date.as_deref().map(|date| format!(", {date}")).unwrap_or_default();
        format!("{black} – {white}{date}")
    }
}

/// Somebody who judges games, in several threads if need be. Players are used again: to make one with its table takes longer
/// than to judge a game at a low level.
pub struct GameJudge<'c> {
    candidate: &'c Candidate,
    idle: Mutex<Vec<Box<dyn Player>>>,
}

impl<'c> GameJudge<'c> {
    /// Nobody is at work yet.
    #[must_use]
    pub fn new(candidate: &'c Candidate) -> GameJudge<'c> {
        GameJudge { candidate, idle: Mutex::default() }
    }

    /// Judges the moves of a side. Nothing if it was stopped. What was found in one position helps in the next, and is forgotten
    /// before the next game, so that the order of games does not matter.
    pub fn judge(&self, game: &Game, side: Color, stop: &Stop) -> Result<Option<JudgedGame>, Fault> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut player = waiting.unwrap_or_else(|| self.candidate.player(0));
        let judged = self.judge_with(player.as_mut(), game, side, stop)?;
        player.forget();
        idle().push(player);
        Ok(judged)
    }

    fn judge_with(
        &self,
        player: &mut dyn Player,
        game: &Game,
        side: Color,
        stop: &Stop,
    ) -> Result<Option<JudgedGame>, Fault> {
        let mut query = Query::new(*game.start());
        let (mut review, mut moves) = (Review::default(), Vec::new());
        for (ply, mv) in (1..).zip(game.main_line()) {
            let position = *query.position();
            if position.turn() == side && position.moves().count() > 1 {
                let judged = self.candidate.judge(player, &query, stop)?;
                if stop.is_requested() {
                    return Ok(None);
                }
                let reviewed = review.add(ply, &position, mv, &judged);
                let explained = Explanation::of_review(&position, game.objective, &reviewed);
                moves.push(JudgedMove {
                    ply,
                    number: 61u32.saturating_sub(position.empties().count()),
                    mv: mv.to_string(),
                    best: reviewed.best.map_or_else(String::new, |best| best.mv.to_string()),
                    loss: reviewed.loss,
                    why: explained.as_ref().map(Why::new),
                });
            }
            if query.play(mv).is_err() {
                break;
            }
        }
        Ok(Some(JudgedGame::told(self.candidate.name(), game, side, query.position(), moves)))
    }
}

/// The placements, one after the other.
fn transcript(game: &Game) -> String {
    game.main_line().filter_map(Move::<Point>::square).map(|square| square.to_string()).collect()
}

/// The part of an address that holds the whole game.
fn link(game: &Game) -> String {
    let mut link = format!("#t={}", transcript(game));
    if !game.is_usual_start() {
        link.push_str("&b=");
        let text = game.start().to_string().replace(' ', "");
        let mut run = 0;
        for cell in text.chars() {
            if cell == '-' {
                run += 1;
                continue;
            }
            if run > 0 {
                link.push_str(&run.to_string());
                run = 0;
            }
            link.push(cell);
        }
    }
    for (side, key) in [(Color::Black, 'x'), (Color::White, 'w')] {
        if let Some(name) = name_of(game, side) {
            link.push_str(&format!("&{key}={}", encoded(name)));
        }
    }
    link
}

/// Bytes that an address may not hold as they are, in hexadecimal.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
