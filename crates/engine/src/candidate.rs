use std::time::Duration;

use emilia_classic::{Evaluator, Search, Steps, TraceLimits, Tree};
use emilia_human::Person;
use emilia_query::{Query, Report, Stop, Value, Watcher};
use emilia_rules::Size;

use crate::champion::{Champion, ChampionPlayer};
use crate::human::{self, HumanPlayer};
use crate::outside::{OutsidePlayer, Program};
use crate::spec::{Settings, nearest};
use crate::textbook::{self, TextbookPlayer};
use crate::{FileReader, KINDS, Kind, PRESETS, Player, PlayerError, Spec};

/// A player described and checked, ready to be made as often as games need one.
#[derive(Clone, Debug)]
pub struct Candidate {
    name: String,
    way: Way,
    unseeded: bool,
}

/// What a player is for.
#[derive(Clone, Copy)]
enum Use {
    /// To be measured or asked: nothing is added to its name.
    Plain,
    /// To play with people.
    People,
}

/// How it chooses its moves.
#[derive(Clone, Debug)]
enum Way {
    Champion(Champion),
    Textbook { search: Search, seed: u64 },
    Human { person: Person, seed: u64 },
    Outside(Program),
}

impl Candidate {
    /// Reads a player's name: a kind or a preset, and its settings; or a protocol and the command of another program.
    /// Nothing is started yet. Who reads names from strangers must refuse those that are [`Self::is_outside`].
    pub fn parse(text: &str, read: FileReader<'_>) -> Result<Candidate, PlayerError> {
        Candidate::named(text, read, Use::Plain)
    }

    /// The same, for a game with a person: from a certain strength on players have a book, unless their names say
    /// otherwise.
    pub fn for_people(text: &str, read: FileReader<'_>) -> Result<Candidate, PlayerError> {
        Candidate::named(text, read, Use::People)
    }

    fn named(text: &str, read: FileReader<'_>, what_for: Use) -> Result<Candidate, PlayerError> {
        if let Some(program) = Program::parse(text) {
            let way = Way::Outside(program?);
            return Ok(Candidate { name: text.trim().to_owned(), way, unseeded: false });
        }
        let mut candidate = Candidate::described(text.parse()?, read, what_for)?;
        candidate.name = text.trim().to_owned();
        Ok(candidate)
    }

    /// The player that is described so.
    pub fn new(spec: Spec, read: FileReader<'_>) -> Result<Candidate, PlayerError> {
        Candidate::described(spec, read, Use::Plain)
    }

    fn described(spec: Spec, read: FileReader<'_>, what_for: Use) -> Result<Candidate, PlayerError> {
        let name = spec.to_string();
        let spec = resolved(spec)?;
        let settings = Settings::new(kind(&spec)?, &spec)?;
        let way = match settings.kind().name {
            "emilia" => Way::Champion(match what_for {
                Use::Plain => Champion::new(&settings, read)?,
                Use::People => Champion::new(&settings, read)?.with_book(&settings)?,
            }),
            "human" => {
                let (person, seed) = human::person(&settings)?;
                Way::Human { person, seed }
            }
            _ => {
                let (search, seed) = textbook::search(&settings, read)?;
                Way::Textbook { search, seed }
            }
        };
        let throws_dice = !matches!(&way, Way::Champion(champion) if !champion.has_book());
        let unseeded = settings.is_open("seed") && throws_dice;
        Ok(Candidate { name, way, unseeded })
    }

    /// The name it was called by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it opens by a book.
    #[must_use]
    pub fn has_book(&self) -> bool {
        matches!(&self.way, Way::Champion(champion) if champion.has_book())
    }

    /// Whether it is a textbook player, who tells every thousand positions how it goes.
    #[must_use]
    pub fn is_textbook(&self) -> bool {
        matches!(self.way, Way::Textbook { .. })
    }

    /// The evaluator whose points it counts, if it is a textbook player that judges positions.
    #[must_use]
    pub fn evaluator(&self) -> Option<&Evaluator> {
        self.evolvable().map(|search| &search.evaluator)
    }

    /// The search in which other weights make a difference, if there is one: what evolution breeds.
    #[must_use]
    pub fn evolvable(&self) -> Option<&Search> {
        match &self.way {
            Way::Textbook { search, .. } if search.method.evaluates() => Some(search),
            _ => None,
        }
    }

    /// About how many discs a value stands for that this player has found on a board of this size.
    #[must_use]
    pub fn in_discs(&self, value: Value, size: Size) -> f64 {
        match &self.way {
            Way::Textbook { search, .. } => textbook::in_discs(value, &search.evaluator, size),
            Way::Champion(_) | Way::Human { .. } | Way::Outside(_) => value.number(),
        }
    }

    /// Answers a question and keeps the tree that was searched, if the player searches one that can be shown.
    pub fn trace(
        &self,
        query: &Query,
        limits: TraceLimits,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Option<(Report, Tree)> {
        match &self.way {
            Way::Textbook { search, seed } if search.method.evaluates() => {
                Some(textbook::trace(search, *seed, query, limits, stop, watcher))
            }
            _ => None,
        }
    }

    /// Answers a question and keeps the steps of the search, at most so many, if the player searches in steps that can
    /// be shown.
    pub fn steps(
        &self,
        query: &Query,
        most: usize,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Option<(Report, Steps)> {
        match &self.way {
            Way::Textbook { search, seed } if search.method.has_steps() => {
                Some(textbook::steps(search, *seed, query, most, stop, watcher))
            }
            _ => None,
        }
    }

    /// The same player; if it is another program, it may be so late before it counts as hung. Its first answer may
    /// be five times as late.
    #[must_use]
    pub fn allowed_late(mut self, grace: Duration) -> Candidate {
        if let Way::Outside(program) = &mut self.way {
            program.grace = grace;
        }
        self
    }

    /// Whether it is another program, which a command starts.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        matches!(self.way, Way::Outside(_))
    }

    /// Whether it throws dice and its name does not say where they begin.
    #[must_use]
    pub fn is_unseeded(&self) -> bool {
        self.unseeded
    }

    /// A fresh player for the game of this number. Players that throw dice throw others in each game.
    #[must_use]
    pub fn player(&self, game: u64) -> Box<dyn Player> {
        match &self.way {
            Way::Champion(champion) => Box::new(ChampionPlayer::new(&self.name, champion.clone(), game)),
            Way::Outside(program) => Box::new(OutsidePlayer::new(&self.name, program.clone())),
            &Way::Textbook { search, seed } => {
                Box::new(TextbookPlayer::new(&self.name, search, seed_of(seed, game)))
            }
            &Way::Human { person, seed } => {
                Box::new(HumanPlayer::new(&self.name, person, seed_of(seed, game)))
            }
        }
    }
}

/// Where the dice begin in the game of this number. An odd multiplier: no two games share a seed, and game 0 has the one that
/// was given.
fn seed_of(seed: u64, game: u64) -> u64 {
    seed.wrapping_add(game.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The description with a preset replaced by what it stands for; settings given with a preset override its own.
fn resolved(given: Spec) -> Result<Spec, PlayerError> {
    let Some(preset) = PRESETS.iter().find(|preset| preset.name == given.kind) else { return Ok(given) };
    let mut spec: Spec = preset.stands_for.parse()?;
    for (name, value) in given.settings {
        match spec.settings.iter_mut().find(|(known, _)| *known == name) {
            Some(setting) => setting.1 = value,
            None => spec.settings.push((name, value)),
        }
    }
    Ok(spec)
}

fn kind(spec: &Spec) -> Result<&'static Kind, PlayerError> {
    KINDS.iter().find(|kind| kind.name == spec.kind).ok_or_else(|| {
        let names = KINDS.iter().map(|kind| kind.name).chain(PRESETS.iter().map(|preset| preset.name));
        PlayerError::UnknownPlayer {
            name: spec.kind.chars().take(40).collect(),
            nearest: nearest(&spec.kind, names),
        }
    })
}

#[cfg(test)]
mod tests {
    use emilia_query::Source;
    use emilia_rules::{GridPosition, Objective, Playable};

    use super::*;
    use crate::no_files;

    fn answer(player: &mut dyn Player, query: &Query) -> Report {
        player.answer(query, &Stop::default(), &mut ()).unwrap()
    }

    fn error(text: &str) -> String {
        Candidate::parse(text, &no_files).unwrap_err().to_string()
    }

    #[test]
    fn every_kind_and_preset_makes_a_player_that_plays_legally_on_every_board() {
        let quick = |name: &str| match name {
            "beginner" | "casual" | "club" | "expert" | "master" => format!("{name}:level=1"),
            "emilia" | "iterative" | "s2" => format!("{name}:time=5ms"),
            "s0" | "beam" => format!("{name}:depth=3"),
            "mcts" => format!("{name}:playouts=20"),
            "random" | "first" | "greedy" | "human" => name.to_owned(),
            "mia" | "tom" | "ana" | "luc" | "nadia" | "omar" | "ines" | "viktor" | "hana" => name.to_owned(),
            _ => format!("{name}:depth=2"),
        };
        for name in KINDS.iter().map(|kind| kind.name).chain(PRESETS.iter().map(|preset| preset.name)) {
            let candidate = Candidate::parse(&quick(name), &no_files).unwrap();
            for size in [4, 8, 26] {
                let start = GridPosition::start(Size::new(size).unwrap());
                let report = answer(candidate.player(3).as_mut(), &Query::new(start));
                assert!(start.play(report.best_move().unwrap()).is_ok(), "{name} on {size}");
            }
        }
    }

    #[test]
    fn every_default_is_a_value_that_its_setting_takes() {
        for kind in KINDS {
            for setting in kind.settings.iter().filter(|setting| !setting.default.is_empty()) {
                let text = format!("{}:{}={}", kind.name, setting.name, setting.default);
                assert!(Candidate::parse(&text, &no_files).is_ok(), "{text}");
            }
        }
    }

    #[test]
    fn errors_name_the_culprit_and_the_nearest_right_word() {
        assert_eq!(
            error("alphabet:depth=3"),
            "there is no player \"alphabet\", did you mean alphabeta?; \"emilia players\" lists them"
        );
        assert_eq!(error("deepblue"), "there is no player \"deepblue\"; \"emilia players\" lists them");
        assert_eq!(error("first:depth=3"), "first has no setting \"depth\"; it has none");
        assert_eq!(error("minimax:depth=0"), "depth=0: expected a number of plies from 1 to 60");
        assert_eq!(
            error("emilia:level=3,time=1s"),
            "level=3: choose one of level, game, or limits for a move (depth, nodes, time)"
        );
        assert_eq!(
            error("emilia:level=3,selectivity=87"),
            "selectivity=87: goes with a limit for a move (depth, nodes, time)"
        );
        assert_eq!(
            error("emilia:depth=9,selectivity=90"),
            "selectivity=90: expected 73, 87, 95, 98, 99 or 100"
        );
        assert_eq!(error("minimax:depth"), "\"depth\" should be a setting and its value, such as depth=6");
        assert_eq!(error("minimax:depth=2,depth=3"), "depth is set twice");
        assert_eq!(error("iterative:time=soon"), "time=soon: expected a time such as 500ms, 5s or 1m");
        assert_eq!(
            error("minimax:eval=disk"),
            "eval=disk: expected disc, paper, kukreja, genes, myjudge, judge, ideal, cornell or static"
        );
        assert_eq!(
            error("minimax:eval=disc,weights=1/2"),
            "weights=1/2: disc has no weights to set, only paper and genes have"
        );
        assert_eq!(
            error("minimax:eval=genes,weights=1/2"),
            "weights=1/2: 6 numbers are needed (squares/parity/frontier/corners/closeness/mobility)"
        );
        assert_eq!(error("minimax:eval=genes,weights=best.txt"), "best.txt: files cannot be named here");
        assert_eq!(error(" "), "a player needs a name, such as alphabeta:depth=6");
        assert!(error(&"x".repeat(10_000)).len() < 200);
    }

    #[test]
    fn a_preset_can_be_changed_and_a_file_read() {
        let candidate = Candidate::parse("s1:depth=3", &no_files).unwrap();
        let kukreja = Search { evaluator: "kukreja".parse().unwrap(), ..Search::minimax(3) };
        assert_eq!(candidate.evolvable(), Some(&kukreja));
        let read = |_: &str| Ok(b"1\n2\n3\n4\n5\n6\n".to_vec().into());
        let from_file = Candidate::parse("beam:weights=best.txt", &read).unwrap();
        let spelled = Candidate::parse("beam:weights=1/2/3/4/5/6", &no_files).unwrap();
        assert_eq!(from_file.evaluator(), spelled.evaluator());
    }

    #[test]
    fn a_book_is_for_people_and_for_those_who_ask() {
        let book = |name: &str| Candidate::parse(name, &no_files).unwrap().has_book();
        let people = |name: &str| Candidate::for_people(name, &no_files).unwrap().has_book();
        assert!(!book("emilia") && !book("master") && book("emilia:book=yes"));
        assert!(people("emilia") && people("master") && people("emilia:time=1s"));
        assert!(!people("expert") && !people("club") && !people("greedy") && !people("emilia:book=no"));
        assert!(people("expert:book=yes"));
        assert_eq!(error("emilia:book=x.ebk"), "x.ebk: files cannot be named here");
        let foreign = Candidate::parse("emilia:book=x.ebk", &|_: &str| Ok(b"1".to_vec().into()));
        assert_eq!(foreign.unwrap_err().to_string(), "x.ebk: this is no book of Emilia");
    }

    #[test]
    fn moves_of_a_book_differ_between_games_and_say_where_they_come_from() {
        let candidate = Candidate::parse("emilia:depth=1,book=yes", &no_files).unwrap();
        let first = |candidate: &Candidate, game| {
            answer(candidate.player(game).as_mut(), &Query::new(GridPosition::default()))
        };
        let report = first(&candidate, 0);
        assert_eq!((report.source, report.nodes, report.moves.len()), (Source::Book, 0, 1));
        assert!(report.best().unwrap().depth >= 24 && report.line().len() > 8);
        let moves: std::collections::BTreeSet<_> =
            (0..40).filter_map(|game| first(&candidate, game).best_move()).collect();
        assert_eq!(moves.len(), 4, "all first moves are the same by symmetry");
        assert_eq!(first(&candidate, 7).moves, first(&candidate, 7).moves, "the same number, the same dice");
        // Whoever asks about certain moves, or about several, wants a search.
        let mut player = candidate.player(0);
        let several = Query::new(GridPosition::default()).with_lines(2);
        assert_eq!(answer(player.as_mut(), &several).source, Source::Search);
        let mut fewest = Query::new(GridPosition::default());
        fewest.objective = Some(Objective::Fewest);
        assert_eq!(answer(player.as_mut(), &fewest).source, Source::Search);
        let small = GridPosition::start(Size::new(6).unwrap());
        assert_eq!(answer(player.as_mut(), &Query::new(small)).source, Source::Search);
    }

    /// However the dice fall, no more is given away in a game than the slack.
    #[test]
    fn what_a_book_gives_away_is_bounded_for_a_whole_game() {
        let book = emilia_book::Book::embedded();
        for slack in [0, 2] {
            let name = format!("emilia:depth=1,book=yes,book-slack={slack}");
            let candidate = Candidate::parse(&name, &no_files).unwrap();
            for game in 0..20 {
                let mut players = [candidate.player(game), candidate.player(game + 100)];
                let (mut query, mut given) = (Query::new(GridPosition::default()), [0, 0]);
                for ply in 0..12 {
                    let report = answer(players[ply % 2].as_mut(), &query);
                    if report.source != Source::Book {
                        break;
                    }
                    let mv = report.best_move().unwrap();
                    let board = emilia_rules::Position::try_from(query.position()).unwrap().board();
                    let entry = book.find(board).unwrap();
                    let known = entry.of(mv.square().and_then(|point| point.square()).unwrap()).unwrap();
                    given[ply % 2] += entry.loss(known);
                    query.play(mv).unwrap();
                }
                assert!(query.moves().len() > 4 && given.iter().all(|given| *given <= slack), "{given:?}");
            }
        }
    }

    #[test]
    fn emilia_takes_weights_from_a_file_and_refuses_foreign_ones() {
        let zero = emilia_eval::Weights::zero().bytes();
        let candidate =
            Candidate::parse("emilia:depth=1,weights=zero", &|_: &str| Ok(zero.clone().into())).unwrap();
        let report = answer(candidate.player(0).as_mut(), &Query::new(GridPosition::default()));
        assert_eq!(report.value(), Some(Value::Discs(0.0)));
        let foreign = Candidate::parse("emilia:weights=x.bin", &|_: &str| Ok(b"1\n2\n".to_vec().into()));
        assert!(foreign.unwrap_err().to_string().starts_with("x.bin: this is no"));
        assert_eq!(error("emilia:weights=x.bin"), "x.bin: files cannot be named here");
    }

    /// On 4×4 every position can be solved, so that a player who aims for the other goal shows.
    #[test]
    fn players_aim_for_fewest_discs_when_told() {
        let start = GridPosition::start(Size::MIN);
        for name in ["emilia:nodes=1000000", "alphabeta:depth=20,end=margin"] {
            let mut player = Candidate::parse(name, &no_files).unwrap().player(0);
            let mut value = |objective| {
                let mut query = Query::new(start);
                query.objective = Some(objective);
                answer(player.as_mut(), &query).value().unwrap().number()
            };
            // One player is asked for both: what it remembers of the one must not count for the other.
            let most = value(Objective::Most);
            assert!(most < 0.0 && value(Objective::Fewest) != most, "{name}");
            assert_eq!(value(Objective::Most), most, "{name}");
        }
    }

    #[test]
    fn dice_differ_between_games_and_repeat_within_one() {
        let candidate = Candidate::parse("random:seed=1", &no_files).unwrap();
        let line = |game: u64| {
            let (mut player, mut position) = (candidate.player(game), GridPosition::default());
            for _ in 0..20 {
                let report = answer(player.as_mut(), &Query::new(position));
                position = position.play(report.best_move().unwrap()).unwrap();
            }
            position
        };
        assert_eq!(line(4), line(4));
        assert_ne!(line(4), line(5));
    }
}
