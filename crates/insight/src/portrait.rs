use std::collections::BTreeMap;

use serde::Serialize;

use crate::people::{BANDS, Band, Likeness, STAGES, stage};
use crate::{JudgedGame, JudgedMove, Kind, Why};

/// Mean loss at which accuracy has fallen to 37 %, as in a review.
const ACCURACY_SCALE: f64 = 10.0;
/// Openings that are told, those of most games.
const OPENINGS: usize = 12;
/// Examples of each kind of mistake.
const EXAMPLES: usize = 3;
/// Most points of the curve over time.
const TIMES: usize = 24;

/// A picture of somebody's play: where discs are lost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Portrait {
    /// The player.
    pub name: String,
    /// All games.
    pub all: Share,
    /// Discs lost, all together.
    pub discs: f64,
    /// The rating of tournament players who lose as much.
    pub like: Option<Likeness>,
    /// The tournament players to compare with.
    pub band: Option<Band>,
    /// All of them.
    pub bands: [Band; 5],
    /// By stage of the game.
    pub stages: Vec<Share>,
    /// With Black, and with White.
    pub colors: Vec<Share>,
    /// By opening, those of most games first.
    pub openings: Vec<Share>,
    /// Over time: by year or month, or the games in their order where they have no dates.
    pub time: Vec<Share>,
    /// Kinds of mistake, those that cost most first.
    pub kinds: Vec<Mistakes>,
    /// Discs lost by moves that lose too little to be marked.
    pub small_losses: f64,
}

/// Some of the moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Share {
    /// Which.
    pub name: String,
    /// Games they are from.
    pub games: u32,
    /// Games won, half of those drawn counted, of those that were played to the end.
    pub won: f64,
    /// Games that were played to the end.
    pub finished: u32,
    /// Moves with a choice.
    pub moves: u32,
    /// Discs lost by a move, on average.
    pub loss: f64,
    /// 0 to 100, as in a review.
    pub accuracy: f64,
    /// Moves that lose more than eight discs.
    pub blunders: u32,
}

/// Mistakes of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mistakes {
    /// The name of the kind.
    pub kind: &'static str,
    /// What went wrong, in a few words.
    pub words: &'static str,
    /// How many.
    pub count: u32,
    /// Discs lost by them.
    pub discs: f64,
    /// Their share of all discs that were lost, 0 to 1.
    pub share: f64,
    /// The worst of them.
    pub examples: Vec<Example>,
}

/// A mistake that can be looked at.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Example {
    /// Who played whom.
    pub game: String,
    /// Which disc of the game.
    pub number: u32,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The best one.
    pub best: String,
    /// Discs given away.
    pub loss: f64,
    /// Whether it was Black's.
    pub black: bool,
    /// Why.
    pub sentence: String,
    /// What was counted, by its gap in the sentence.
    pub facts: BTreeMap<String, String>,
    /// The moves that show it, the one that was played first.
    pub line: Vec<String>,
    /// The position after it on the page: what follows its address.
    pub link: String,
}

/// More discs than a blunder loses.
const BLUNDER: f64 = 8.0;

/// Moves that are being summed up.
#[derive(Default)]
struct Sum {
    share: Share,
    lost: f64,
}

impl Sum {
    fn game(&mut self, game: &JudgedGame) {
        self.share.games += 1;
        if let Some(margin) = game.margin {
            self.share.finished += 1;
            self.share.won += f64::from(margin.signum() + 1) / 2.0;
        }
    }

    fn mv(&mut self, mv: &JudgedMove) {
        self.share.moves += 1;
        self.share.blunders += u32::from(mv.loss > BLUNDER);
        self.lost += mv.loss;
    }

    fn named(mut self, name: &str) -> Share {
        let mean = if self.share.moves == 0 { 0.0 } else { self.lost / f64::from(self.share.moves) };
        name.clone_into(&mut self.share.name);
        self.share.loss = mean;
        self.share.accuracy = 100.0 * (-mean / ACCURACY_SCALE).exp();
        self.share
    }
}

impl Portrait {
    /// Sums up games. The same games give the same picture, whatever their order was but for the curve over time of games without dates.
    #[must_use]
    pub fn new(name: &str, games: &[JudgedGame]) -> Portrait {
        let moves = || games.iter().flat_map(|game| &game.moves);
        let losses: Vec<f64> = moves().map(|mv| mv.loss).collect();
        let discs: f64 = losses.iter().sum();
        let like = Likeness::of(&losses);
        let marked: f64 = moves().filter(|mv| mv.why.is_some()).map(|mv| mv.loss).sum();
        Portrait {
            name: name.to_owned(),
            all: share("all", games.iter()),
            discs,
            like,
            band: like.map(Likeness::band),
            bands: BANDS,
            stages: stages(games),
            colors: [(true, "black"), (false, "white")]
                .map(|(black, name)| share(name, games.iter().filter(|game| game.black == black)))
                .into(),
            openings: openings(games),
            time: over_time(games),
            kinds: kinds(games, discs),
            small_losses: discs - marked,
        }
    }
}

fn share<'g>(name: &str, games: impl Iterator<Item = &'g JudgedGame>) -> Share {
    let mut sum = Sum::default();
    for game in games {
        sum.game(game);
        game.moves.iter().for_each(|mv| sum.mv(mv));
    }
    sum.named(name)
}

fn stages(games: &[JudgedGame]) -> Vec<Share> {
    let mut sums: [Sum; 5] = Default::default();
    for game in games {
        sums.iter_mut().for_each(|sum| sum.game(game));
        game.moves.iter().for_each(|mv| sums[stage(mv.number)].mv(mv));
    }
    let firsts = [1, 13, 25, 37, 49];
    let names = firsts.into_iter().zip(STAGES).map(|(first, last)| format!("{first}–{last}"));
    sums.into_iter().zip(names).map(|(sum, name)| sum.named(&name)).collect()
}

fn openings(games: &[JudgedGame]) -> Vec<Share> {
    let mut by_name: BTreeMap<&str, Vec<&JudgedGame>> = BTreeMap::new();
    for game in games {
        by_name.entry(game.opening.as_deref().unwrap_or("–")).or_default().push(game);
    }
    let mut openings: Vec<Share> =
        by_name.into_iter().map(|(name, games)| share(name, games.into_iter())).collect();
    openings.sort_by_key(|opening| std::cmp::Reverse(opening.games));
    openings.truncate(OPENINGS);
    openings
}

/// By year; by month where that is at most two years; games in their order where none has a date.
fn over_time(games: &[JudgedGame]) -> Vec<Share> {
    let digits = |date: &str, length: usize| {
        date.get(..length)
            .filter(|part| part.starts_with(|first: char| first.is_ascii_digit()))
            .map(str::to_owned)
    };
    let year = |game: &JudgedGame| game.date.as_deref().and_then(|date| digits(date, 4));
    let mut years: Vec<String> = games.iter().filter_map(year).collect();
    years.sort();
    years.dedup();
    if years.is_empty() {
        let size = games.len().div_ceil(TIMES / 2).max(1);
        let chunk = |(index, games): (usize, &[JudgedGame])| {
            let first = index * size + 1;
            share(&format!("{first}–{}", first + games.len() - 1), games.iter())
        };
        return games.chunks(size).enumerate().map(chunk).collect();
    }
    let length = if years.len() <= 2 { 7 } else { 4 };
    let mut by_time: BTreeMap<String, Vec<&JudgedGame>> = BTreeMap::new();
    for game in games {
        let date = game.date.as_deref().unwrap_or_default();
        if let Some(when) = digits(date, length).or_else(|| year(game)) {
            by_time.entry(when).or_default().push(game);
        }
    }
    by_time.into_iter().map(|(when, games)| share(&when, games.into_iter())).collect()
}

fn kinds(games: &[JudgedGame], discs: f64) -> Vec<Mistakes> {
    let mut by_kind: BTreeMap<Kind, Vec<(&JudgedGame, &JudgedMove)>> = BTreeMap::new();
    for (game, mv) in games.iter().flat_map(|game| game.moves.iter().map(move |mv| (game, mv))) {
        if let Some(why) = &mv.why {
            by_kind.entry(why.kind()).or_default().push((game, mv));
        }
    }
    let mistakes = |(kind, mut moves): (Kind, Vec<(&JudgedGame, &JudgedMove)>)| {
        moves.sort_by(|a, b| b.1.loss.total_cmp(&a.1.loss));
        let lost: f64 = moves.iter().map(|(_, mv)| mv.loss).sum();
        Mistakes {
            kind: kind.name(),
            words: kind.words(),
            count: moves.len() as u32,
            discs: lost,
            share: if discs > 0.0 { lost / discs } else { 0.0 },
            examples: moves.iter().take(EXAMPLES).map(|(game, mv)| example(game, mv)).collect(),
        }
    };
    let mut kinds: Vec<Mistakes> = by_kind.into_iter().map(mistakes).collect();
    kinds.sort_by(|a, b| b.discs.total_cmp(&a.discs));
    kinds
}

fn example(game: &JudgedGame, mv: &JudgedMove) -> Example {
    let Why { sentence, facts, line, .. } = mv.why.clone().unwrap_or_default();
    Example {
        game: game.title(),
        number: mv.number,
        mv: mv.mv.clone(),
        best: mv.best.clone(),
        loss: mv.loss,
        black: game.black,
        sentence,
        facts,
        line,
        link: format!("{}&p={}", game.link, mv.ply),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(date: Option<&str>, black: bool, margin: i32, losses: &[(u32, f64)]) -> JudgedGame {
        let mv = |(number, loss): &(u32, f64)| JudgedMove {
            ply: *number as usize,
            number: *number,
            mv: "b2".to_owned(),
            best: "c4".to_owned(),
            loss: *loss,
            why: (*loss > 2.0).then(|| Why {
                kind: "gave_corner".to_owned(),
                sentence: "It does.".to_owned(),
                facts: BTreeMap::from([("corner".to_owned(), "a1".to_owned())]),
                line: vec!["b2".to_owned(), "a1".to_owned()],
            }),
        };
        JudgedGame {
            key: String::new(),
            name: "Ann".to_owned(),
            opponent: "Bob".to_owned(),
            black,
            date: date.map(str::to_owned),
            opening: Some("Tiger".to_owned()),
            margin: Some(margin),
            link: "#t=f5".to_owned(),
            moves: losses.iter().map(mv).collect(),
        }
    }

    #[test]
    fn every_disc_lost_is_counted_once_in_every_table() {
        let games = [
            game(Some("1999-05-01"), true, 4, &[(1, 0.0), (13, 6.0), (60, 1.0)]),
            game(Some("2001"), false, -2, &[(2, 10.0), (40, 3.0)]),
            game(Some("2003-01-02"), false, 0, &[]),
        ];
        let portrait = Portrait::new("Ann", &games);
        assert_eq!(
            (portrait.all.games, portrait.all.moves, portrait.all.won, portrait.all.blunders),
            (3, 5, 1.5, 1)
        );
        assert_eq!((portrait.discs, portrait.small_losses), (20.0, 1.0));
        let lost =
            |shares: &[Share]| shares.iter().map(|share| share.loss * f64::from(share.moves)).sum::<f64>();
        for shares in [&portrait.stages, &portrait.colors, &portrait.openings, &portrait.time] {
            assert!((lost(shares) - 20.0).abs() < 1e-9, "{shares:?}");
        }
        assert_eq!(portrait.stages.iter().map(|stage| stage.moves).collect::<Vec<_>>(), [2, 1, 0, 1, 1]);
        assert_eq!(
            portrait.time.iter().map(|time| time.name.as_str()).collect::<Vec<_>>(),
            ["1999", "2001", "2003"]
        );
        let [mistakes] = &portrait.kinds[..] else { panic!("{:?}", portrait.kinds) };
        assert_eq!((mistakes.count, mistakes.discs, mistakes.share), (3, 19.0, 0.95));
        assert_eq!(mistakes.examples[0].link, "#t=f5&p=2");
        assert_eq!((mistakes.examples[0].black, &mistakes.examples[0].facts["corner"][..]), (false, "a1"));
    }

    #[test]
    fn nothing_at_all_is_a_picture_too() {
        let portrait = Portrait::new("Ann", &[]);
        assert_eq!((portrait.all.moves, portrait.like, portrait.kinds.len()), (0, None, 0));
        assert_eq!(portrait.all.accuracy, 100.0);
    }
}
