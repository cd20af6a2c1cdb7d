//! A diary of games: one line of JSON each, written as they end, so that a match which was cut short goes on where it
//! was. Every line begins with the CRC-32 of what follows it.

use std::collections::BTreeMap;
use std::time::Duration;

use emilia_record::{Ending, Fault, ggf};
use emilia_rules::{Color, Outcome, Playable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Effort, Fixture, Forfeit, ForfeitReason, Played, Schedule};

/// The first line of a diary: what the games have in common. Two with the same heading belong to the same match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// What kind of file this is, and of which age.
    log: String,
    /// The players.
    pub players: Vec<String>,
    /// Everything else that decides what happens, as words: openings, board, time.
    pub terms: BTreeMap<String, String>,
}

/// Marks the files.
const KIND: &str = "emilia games 2";
/// Marks older ones, whose lines need not have a checksum.
const UNPROTECTED: &str = "emilia games 1";

/// Why a diary cannot be gone on with.
#[derive(Debug, Error)]
pub enum LogError {
    /// It does not begin as one.
    #[error("this is no log of games")]
    NotALog,
    /// It is about other games.
    #[error(
        "the log is of other games: {what} was {was:?} and is now {now:?}; go on as it was begun, or name another file"
    )]
    Other {
        /// What differs.
        what: String,
        /// What the log says.
        was: String,
        /// What was asked for now.
        now: String,
    },
    /// A line cannot be understood; the last one may be cut short, others may not.
    #[error("line {line}: {error}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong.
        error: LineError,
    },
}

/// Why a line of a diary cannot be understood.
#[derive(Debug, Error)]
pub enum LineError {
    /// It is not as it was written.
    #[error("it is damaged: its checksum is wrong")]
    Damaged,
    /// It is no JSON, or another object.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Another game should stand there.
    #[error("game {found} stands where game {due} should")]
    OutOfOrder {
        /// Its number.
        found: u32,
        /// The number that was due.
        due: u32,
    },
    /// The record of the game is broken.
    #[error(transparent)]
    Record(#[from] Fault),
    /// A game that was given away in an unknown way.
    #[error("{0:?} is no way to end a game")]
    Ending(String),
    /// A time that no player can have taken.
    #[error(transparent)]
    Time(#[from] std::time::TryFromFloatSecsError),
}

/// A game as the diary keeps it.
#[derive(Serialize, Deserialize)]
struct Line {
    game: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    forfeit: Option<ForfeitLine>,
    nodes: [u64; 2],
    seconds: [f64; 2],
    moves: [u32; 2],
    record: String,
}

#[derive(Serialize, Deserialize)]
struct ForfeitLine {
    black: bool,
    ending: String,
    reason: String,
}

impl Heading {
    /// The heading of games between these players on these terms.
    #[must_use]
    pub fn new(players: Vec<String>, terms: BTreeMap<String, String>) -> Heading {
        Heading { log: KIND.to_owned(), players, terms }
    }

    /// The first line of the file.
    #[must_use]
    pub fn line(&self) -> String {
        line(self)
    }

    /// Whether the other is about the same games; an error names the first difference.
    fn agrees(&self, now: &Heading) -> Result<(), LogError> {
        let differs = |what: &str, was: String, now: String| {
            if was == now { Ok(()) } else { Err(LogError::Other { what: what.to_owned(), was, now }) }
        };
        differs("players", self.players.join(", "), now.players.join(", "))?;
        for name in self.terms.keys().chain(now.terms.keys()) {
            let value = |heading: &Heading| heading.terms.get(name).cloned().unwrap_or_default();
            differs(name, value(self), value(now))?;
        }
        Ok(())
    }
}

/// A game as a line of the file, with its end.
#[must_use]
pub fn log_line(played: &Played) -> String {
    let forfeit = played.forfeit.as_ref().map(|forfeit| ForfeitLine {
        black: forfeit.color == Color::Black,
        ending: forfeit.ending.name().to_owned(),
        reason: forfeit.reason.to_string(),
    });
    line(&Line {
        game: played.fixture.number,
        forfeit,
        nodes: played.effort.map(|effort| effort.nodes),
        seconds: played.effort.map(|effort| effort.time.as_secs_f64()),
        moves: played.effort.map(|effort| effort.moves),
        record: ggf::write(&played.game),
    })
}

/// An object as a line, its checksum first.
fn line(value: &impl Serialize) -> String {
    // Numbers, texts and maps with texts for keys always have a JSON form.
    let text = serde_json::to_string(value).unwrap_or_default();
    let rest = text.strip_prefix('{').unwrap_or_default();
    format!("{SUM}{:08x}\",{rest}\n", crc32fast::hash(rest.as_bytes()))
}

/// What stands before the checksum of a line.
const SUM: &str = "{\"crc\":\"";

/// The object of a line, and whether it had a checksum, which must be right.
fn object<T: DeserializeOwned>(line: &str) -> Result<(T, bool), LineError> {
    let line = line.trim_end_matches('\n');
    let Some((sum, rest)) = line.strip_prefix(SUM).and_then(|sealed| sealed.split_once("\",")) else {
        return Ok((serde_json::from_str(line)?, false));
    };
    if sum != format!("{:08x}", crc32fast::hash(rest.as_bytes())) {
        return Err(LineError::Damaged);
    }
    Ok((serde_json::from_str(&format!("{{{rest}"))?, true))
}

/// Reads a diary back: the games from the first on, and how many bytes of the text hold them. What follows is a line cut
/// short by the end of the program that wrote it. An empty text is a diary not begun.
pub fn read_log(
    text: &str,
    heading: &Heading,
    schedule: &Schedule,
) -> Result<(Vec<Played>, usize), LogError> {
    let (mut games, mut length, mut protected) = (Vec::new(), 0, true);
    for (index, whole) in text.split_inclusive('\n').enumerate() {
        if !whole.ends_with('\n') {
            break;
        }
        let wrong = |error| LogError::Line { line: index + 1, error };
        if index == 0 {
            let (was, sealed): (Heading, bool) = object(whole).map_err(|error| match error {
                LineError::Damaged => wrong(error),
                _ => LogError::NotALog,
            })?;
            protected = was.log != UNPROTECTED;
            if ![KIND, UNPROTECTED].contains(&was.log.as_str()) || protected && !sealed {
                return Err(LogError::NotALog);
            }
            was.agrees(heading)?;
        } else {
            let (line, sealed): (Line, bool) = object(whole).map_err(wrong)?;
            if protected && !sealed {
                return Err(wrong(LineError::Damaged));
            }
            let due = index as u32 - 1;
            if line.game != due {
                return Err(wrong(LineError::OutOfOrder { found: line.game, due }));
            }
            // A log may hold more games than are asked for now; they stay where they are.
            if let Some(fixture) = schedule.fixture(line.game) {
                games.push(played(line, fixture).map_err(wrong)?);
            }
        }
        length += whole.len();
    }
    if length == 0 && !text.trim().is_empty() && !text.starts_with('{') {
        return Err(LogError::NotALog);
    }
    Ok((games, length))
}

fn played(line: Line, fixture: Fixture) -> Result<Played, LineError> {
    let mut game = ggf::parse(&line.record)?;
    game.to_end();
    let counts = game.position().counts();
    let forfeit = line.forfeit.map(|forfeit| {
        Ok::<_, LineError>(Forfeit {
            color: if forfeit.black { Color::Black } else { Color::White },
            ending: Ending::named(&forfeit.ending).ok_or(LineError::Ending(forfeit.ending))?,
            reason: ForfeitReason::Noted(forfeit.reason),
        })
    });
    let forfeit = forfeit.transpose()?;
    let outcome = match &forfeit {
        Some(forfeit) => Outcome::Win(!forfeit.color),
        None => counts.outcome(game.objective),
    };
    let effort = |side: usize| -> Result<Effort, LineError> {
        let time = Duration::try_from_secs_f64(line.seconds[side])?;
        Ok(Effort { moves: line.moves[side], nodes: line.nodes[side], time })
    };
    let effort = [effort(0)?, effort(1)?];
    Ok(Played { fixture, game, counts, outcome, forfeit, effort })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use emilia_engine::{Candidate, no_files};
    use emilia_query::Stop;
    use emilia_rules::Size;

    use super::*;
    use crate::{Openings, Series, Standing, Terms};

    fn heading(openings: &str) -> Heading {
        let terms = BTreeMap::from([("openings".to_owned(), openings.to_owned())]);
        Heading::new(vec!["greedy".to_owned(), "random".to_owned()], terms)
    }

    fn series(games: u32) -> Series {
        let openings = Openings::Random { plies: 2, seed: 1 };
        let terms = Terms { size: Size::SIX, openings, ..Terms::default() };
        Series { terms, schedule: Schedule::duel(games), threads: 1 }
    }

    fn games(count: u32) -> Vec<Played> {
        let players = ["greedy", "random"].map(|name| Candidate::parse(name, &no_files).unwrap());
        let mut games = Vec::new();
        series(count).run_all(&players, &Stop::default(), |played| {
            games.push(played);
            ControlFlow::Continue(())
        });
        games
    }

    fn text(games: &[Played]) -> String {
        let lines: String = games.iter().map(log_line).collect();
        heading("random:2").line() + &lines
    }

    #[test]
    fn a_diary_reads_back_as_it_was_written() {
        let mut games = games(6);
        games[3].forfeit = Some(Forfeit {
            color: Color::White,
            ending: Ending::TimedOut,
            reason: ForfeitReason::Noted("it \"slept\"\n".to_owned()),
        });
        games[3].outcome = Outcome::Win(Color::Black);
        let text = text(&games);
        let (read, length) = read_log(&text, &heading("random:2"), &Schedule::duel(6)).unwrap();
        assert_eq!((read.len(), length), (6, text.len()));
        let standing = |games: &[Played]| {
            let mut standing = Standing::default();
            games.iter().for_each(|game| standing.add(game));
            (standing.points(), standing.discs, standing.margin(), standing.forfeits, standing.pentanomial())
        };
        assert_eq!(standing(&games), standing(&read));
        assert_eq!(read[3].forfeit, games[3].forfeit);
        assert_eq!(log_line(&read[2]), log_line(&games[2]));
    }

    #[test]
    fn a_line_cut_short_is_left_out_wherever_it_was_cut() {
        let text = text(&games(2));
        let whole: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        for cut in 0..text.len() {
            let (read, length) = read_log(&text[..cut], &heading("random:2"), &Schedule::duel(2))
                .unwrap_or_else(|error| panic!("{cut}: {error}"));
            assert_eq!(read.len(), whole.iter().skip(1).filter(|end| **end <= cut).count());
            assert_eq!(length, whole.iter().copied().filter(|end| *end <= cut).max().unwrap_or(0));
        }
    }

    /// However a bit flips, no game is read other than it was played; at most the end is taken for torn.
    #[test]
    fn no_flipped_bit_changes_a_game() {
        let games = games(2);
        let bytes = text(&games).into_bytes();
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let flipped = String::from_utf8_lossy(&flipped);
            if let Ok((read, length)) = read_log(&flipped, &heading("random:2"), &Schedule::duel(2)) {
                assert!(length < bytes.len() && read.len() < 2, "bit {bit}");
                assert!(read.iter().zip(&games).all(|(read, game)| log_line(read) == log_line(game)));
            }
        }
        let damaged = text(&games).replacen("\"nodes\":[", "\"nodes\":[1", 1);
        let error = read_log(&damaged, &heading("random:2"), &Schedule::duel(2)).unwrap_err();
        assert_eq!(error.to_string(), "line 2: it is damaged: its checksum is wrong");
    }

    /// Logs from before there were checksums are read and gone on with.
    #[test]
    fn older_logs_go_on() {
        let games = games(4);
        let old: String = text(&games[..2])
            .lines()
            .map(|line| format!("{{{}\n", line.split_once("\",").unwrap().1))
            .collect::<String>()
            .replace(KIND, UNPROTECTED);
        assert!(!old.contains("crc"));
        let whole = games[2..].iter().fold(old.clone(), |log, game| log + &log_line(game));
        let (read, _) = read_log(&whole, &heading("random:2"), &Schedule::duel(4)).unwrap();
        assert_eq!(read.len(), 4);
        let unsealed = old.replace(UNPROTECTED, KIND);
        assert!(read_log(&unsealed, &heading("random:2"), &Schedule::duel(4)).is_err());
    }

    #[test]
    fn other_games_and_other_files_are_refused() {
        let text = text(&games(2));
        let schedule = Schedule::duel(2);
        let error = read_log(&text, &heading("start"), &schedule).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("the log is of other games: openings was \"random:2\" and is now \"start\"")
        );
        for foreign in ["a diary\n", "a diary"] {
            assert!(matches!(read_log(foreign, &heading("start"), &schedule), Err(LogError::NotALog)));
        }
        let (read, length) = read_log(&text, &heading("random:2"), &Schedule::duel(1)).unwrap();
        assert_eq!((read.len(), length), (1, text.len()), "games that are not asked for stay in the file");
        let doubled = format!("{text}{}", text.lines().last().unwrap().to_owned() + "\n");
        let error = read_log(&doubled, &heading("random:2"), &Schedule::duel(9)).unwrap_err();
        assert_eq!(error.to_string(), "line 4: game 1 stands where game 2 should");
    }
}
